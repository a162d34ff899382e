"""``visionset table``: the page, for everybody at the table."""

from __future__ import annotations

import argparse
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from visionset.commands.parts import Subparsers, add_command, add_data_option, data_folder, say
from visionset.errors import OutputError, reason
from visionset.messages import Message
from visionset.numbers import whole_number
from visionset.saving import opened_alone, writable_folder

if TYPE_CHECKING:
    from visionset.web.host import Host
    from visionset.web.phone_camera import PhoneCamera

_MORE = """\
examples
  visionset table                  opens the page in the browser: any game, with a camera or without
  visionset table --lan            phones in the same network join by the QR code on the page; one can be the camera
  visionset table --no-browser     prints the address and waits

Every move is on the disk before anybody sees it. Ctrl-C ends the server; start it again, and every page goes on where it was.
"""

_PORT = 8765
_THIS_MACHINE = "127.0.0.1"
_MOST_WAITING = 128
"""Pages that have come and are not answered yet."""

_MORE_PORTS = 20
"""Ports that are tried after the usual one."""

_TO_CAMERA_PAGE = 100
"""From the page's port to that of the page that makes a phone the camera: several tables on one machine are given ports in a row."""

_PORTS = 65_536


def add_parsers(subparsers: Subparsers) -> None:
    """Add ``visionset table``."""
    table = add_command(subparsers, "table", run, _MORE)
    table.add_argument("--lan", action="store_true", help="let phones in the local network join, with a code; else only this machine")
    table.add_argument(
        "--port", type=whole_number(1, _PORTS - 1), metavar="N", help=f"port of the address (default: {_PORT}, or the next that is free)"
    )
    table.add_argument("--camera", metavar="SOURCE", help="camera, clip or stream that the page offers first")
    table.add_argument("--no-browser", action="store_true", help="do not open the browser")
    add_data_option(table)


def run(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    try:
        from visionset.web.app import make_app
        from visionset.web.cameras import GIVEN, Cameras
        from visionset.web.host import Host
        from visionset.web.phone_camera import PhoneCamera
        from visionset.web.serving import AwakeClock, PageServer, ServerOptions, Waker, uvicorn_config
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "visionset":
            raise
        raise OutputError(f"expected the packages of the page, got no {error.name}; run pip install 'visionset[web]'") from None
    from platformdirs import user_cache_path

    folder = writable_folder(data_folder(args), "name another with --data")
    with ExitStack() as stack:
        lock = stack.enter_context(_held_alone(folder, opens=not args.no_browser))
        listener = stack.enter_context(listening("0.0.0.0" if args.lan else _THIS_MACHINE, args.port))
        port = listener.getsockname()[1]
        address = f"http://{_THIS_MACHINE}:{port}"
        lock.truncate()
        lock.write(address.encode())
        lock.flush()
        here = address_in_network() if args.lan else _THIS_MACHINE
        link = f"http://{here}:{port}"
        names = ("localhost", *((socket.gethostname().lower(), f"{socket.gethostname().lower()}.local") if args.lan else ()))
        phone = PhoneCamera() if args.lan and can_certify() else None
        clock = AwakeClock()
        host = stack.enter_context(closing(Host(folder, clock, time.time, user_cache_path("visionset"), Cameras(args.camera, phone=phone))))
        if args.camera is not None:
            host.look(GIVEN)
        camera_link = None if phone is None else stack.enter_context(_camera_page(phone, host, folder, here, port + _TO_CAMERA_PAGE, names))
        app = make_app(host, ServerOptions(port, link, camera_link, names), clock, Waker(host, clock))
        phones = f"{link}/join/{host.seats.code}"
        served = Message("web.served_to_phones", address=address, link=phones) if args.lan else Message("web.served", address=address)
        say(str(served))
        if not args.no_browser:
            _open_browser(address)
        PageServer(uvicorn_config(app)).run(sockets=[listener])
    return 0


def _held_alone(folder: Path, opens: bool) -> BinaryIO:
    """Keep other tables from a folder: each would write over the seats of the other. What is given holds it until it is closed.

    Raises `OutputError`: a table is played there. Its page may have been closed, so where a browser is wanted it is opened.
    """
    path = folder / "table.lock"
    there = ""
    try:
        with suppress(FileNotFoundError):
            there = path.read_text(encoding="ascii", errors="replace")
        return opened_alone(
            path,
            f"{folder}: expected a folder at which no table is played, got that of the table at {there or 'another port'}; "
            "go on there, end it first, or name another folder after --data",
        )
    except OutputError:
        if there and opens:
            _open_browser(there)
        raise
    except OSError as error:
        raise OutputError(f"{path}: expected a file to write to, got {reason(error)}; name another folder after --data") from None


def can_certify() -> bool:
    """Whether a certificate can be made; where not, it is said what is missing, and the table goes without."""
    if find_spec("trustme") is not None:
        return True
    say(str(Message("web.no_camera")))
    return False


@contextmanager
def _camera_page(phone: PhoneCamera, host: Host, folder: Path, address: str, first_port: int, names: tuple[str, ...]) -> Iterator[str]:
    """Serve the page that makes a phone the camera, and give its address."""
    from visionset.web.camera_app import make_camera_app
    from visionset.web.certificate import certificate
    from visionset.web.serving import ServerOptions, ServerThread, uvicorn_config

    with listening("0.0.0.0", None, first_port) as listener:
        port = listener.getsockname()[1]
        link = f"https://{address}:{port}"
        app = make_camera_app(phone, host, ServerOptions(port, link, names=names), time.monotonic)
        with ServerThread(uvicorn_config(app, certificate(folder, address)), listener):
            yield link


def listening(address: str, port: int | None, first: int = _PORT) -> socket.socket:
    """A socket on the port that was asked for, or the first that is free; raises `OutputError` where there is none."""
    is_refused = False
    for number in [port] if port is not None else [*range(first, min(first + _MORE_PORTS, _PORTS)), 0]:
        # asyncio sends small answers at once on sockets of this protocol alone; else each waits for an acknowledgement, 40 ms and more
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address, number))
            listener.listen(_MOST_WAITING)  # who comes before the server is up waits for it
            return listener
        except OSError as error:
            is_refused = isinstance(error, PermissionError)
            listener.close()
    why = "to which you have no right; name one from 1024 on" if is_refused else "which another program has; name another"
    raise OutputError(f"expected a free port, got {port}, {why} after --port")


def address_in_network() -> str:
    """Address of this machine in its network; no packet is sent to find it. Where there is none, it is said that no phone can join."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            say(str(Message("web.no_network")))
            return _THIS_MACHINE


def _open_browser(address: str) -> None:
    import threading
    import webbrowser

    threading.Timer(0.5, webbrowser.open, (address,)).start()
