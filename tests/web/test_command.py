"""`visionset table` as people start and end it."""

from __future__ import annotations

import asyncio
import errno
import re
import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.web.room import PATIENCE_S, Page, run_apart
from visionset.cli import main
from visionset.commands.table import address_in_network, can_certify, listening
from visionset.errors import OutputError

ROOT = Path(__file__).parents[2]


@contextmanager
def started(*words: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the server; gives it and its address, and kills it at the end."""
    command = [sys.executable, "-m", "visionset", "table", "--no-browser", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    while (line := process.stdout.readline()).startswith("no phone can join"):  # where the tests run there may be no network
        continue
    found = re.match(rf"{'Der Tisch steht unter' if 'de' in words else 'The table is at'} (http://127\.0\.0\.1:\d+)[;,]", line)
    assert found, line
    try:
        yield process, found[1]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells what a program ignores")
def test_ctrl_c_is_passed_over_where_who_started_it_ignores_it(tmp_path: Path) -> None:
    """As of a job that a script began in the background."""
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with started("--data", tmp_path) as (process, address), connect(f"{address.replace('http', 'ws')}/ws", proxy=None) as page:
            page.send('{"type":"hello"}')
            page.recv(PATIENCE_S)  # the server is up, and hears what it wants to hear
            ignored = re.search(r"SigIgn:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text(encoding="ascii"))
        assert ignored
        assert int(ignored[1], 16) & 1 << signal.SIGINT - 1
    finally:
        signal.signal(signal.SIGINT, heard)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signal to another program")
def test_ctrl_c_ends_it_with_pages_open_and_it_goes_on_where_it_was(tmp_path: Path) -> None:
    with started("--data", tmp_path) as (process, address), connect(f"{address.replace('http', 'ws')}/ws", proxy=None) as line:
        stream = urllib.request.urlopen(f"{address}/events", timeout=PATIENCE_S)
        page = Page(line)
        page.send("hello")
        page.until("state")
        page.send("begin", game="sets-dice", players=[{"name": "Ann"}])
        while page.state["page"] != "table":
            page.read()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
        stream.close()
    assert (process.returncode, out, err) == (130, "", "visionset: stopped\n")
    with (
        started("--data", tmp_path, "--language", "de") as (_, address),
        connect(f"{address.replace('http', 'ws')}/ws", proxy=None) as line,
    ):
        again = Page(line)
        again.send("hello", seat=page.welcome["seat"])
        again.until("state")
        assert again.welcome["is_host"]
        assert (again.state["page"], again.state["match"]) == ("table", 1)


def test_a_phone_finds_the_page_of_the_camera_over_https(tmp_path: Path) -> None:
    with started("--lan", "--data", tmp_path) as (_, address):
        link = urllib.request.urlopen(f"{address}/camera-qr.svg", timeout=PATIENCE_S).headers["x-join-link"]
        assert link.startswith("https://")
        trusts = ssl.create_default_context(cafile=str(tmp_path / "phone-camera.pem"))
        trusts.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        with urllib.request.urlopen(link, timeout=PATIENCE_S, context=trusts) as page:
            assert b"/static/camera.js" in page.read()


def test_a_table_leaves_the_ports_beside_its_own_to_other_tables(tmp_path: Path) -> None:
    """A second table on one machine is given the next port, whichever of the two is started first."""
    with started("--lan", "--data", tmp_path) as (_, address):
        link = urllib.request.urlopen(f"{address}/camera-qr.svg", timeout=PATIENCE_S).headers["x-join-link"]
        page, camera = (int(one.partition("://")[2].partition(":")[2].partition("/")[0]) for one in (address, link))
        assert abs(camera - page) >= 20


def test_without_trustme_it_says_that_no_phone_can_be_the_camera(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "trustme", None)
    assert not can_certify()
    assert capsys.readouterr().out == (
        "no phone can be the camera: expected the package trustme, got none; run pip install 'visionset[web]'\n"
    )


def test_without_a_network_it_says_that_no_phone_can_join(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def unreachable(probe: socket.socket, address: tuple[str, int]) -> None:
        raise OSError(errno.ENETUNREACH, "network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert address_in_network() == "127.0.0.1"
    said = "no phone can join: expected this machine in a network, got none; connect it, and start the table again\n"
    assert capsys.readouterr().out == said


def test_an_answer_leaves_at_once() -> None:
    """Nothing waits until the page has acknowledged what was sent before: head and body of an answer are two sends."""

    async def is_sent_at_once() -> bool:
        came: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()
        with listening("127.0.0.1", None) as listener:
            async with await asyncio.start_server(lambda _, writer: came.set_result(writer), sock=listener):
                _, page = await asyncio.open_connection(*listener.getsockname())
                table = await came
                at_once = table.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                for end in (page, table):
                    end.close()
                    await end.wait_closed()
        return bool(at_once)

    assert run_apart(is_sent_at_once())


def test_a_second_table_in_a_folder_is_refused_and_the_first_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each would write over the seats of the other: phones would lose theirs."""
    opened: list[str] = []
    monkeypatch.setattr("visionset.commands.table._open_browser", opened.append)
    with started("--data", tmp_path) as (_, address):
        seats = (tmp_path / "seats.json").read_text(encoding="utf-8")
        second = ["table", "--data", str(tmp_path), "--port", address.rsplit(":", 1)[1]]  # which is taken too, so that this always ends
        assert main(second) == 1
        assert f"got that of the table at {address}; go on there, end it first, or name another" in capsys.readouterr().err
        assert (opened, (tmp_path / "seats.json").read_text(encoding="utf-8")) == ([address], seats)
        assert main([*second, "--no-browser"]) == 1
        assert opened == [address]
    with started("--data", tmp_path):  # one that was killed keeps nobody off
        pass


def test_a_port_that_is_taken_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["table", "--no-browser", "--port", port, "--data", str(tmp_path)]) == 1
    assert f"expected a free port, got {port}" in capsys.readouterr().err


def test_a_port_that_nobody_may_have_is_said_to_be_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(listener: socket.socket, address: tuple[str, int]) -> None:
        raise PermissionError(errno.EACCES, "permission denied")

    monkeypatch.setattr(socket.socket, "bind", refused)
    with pytest.raises(OutputError, match="expected a free port, got 80, to which you have no right; name one from 1024 on after --port"):
        listening("127.0.0.1", 80)


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "visionset.web.serving", raising=False)  # which another test has loaded
    assert main(["table", "--no-browser"]) == 1
    assert "pip install 'visionset[web]'" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_to_is_told_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(dir: Path) -> None:
        raise OSError(errno.EROFS, "read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    assert main(["table", "--no-browser", "--data", str(tmp_path)]) == 1
    told = f"{tmp_path}: expected a folder to write to, got read-only file system; name another with --data"
    assert capsys.readouterr().err == f"visionset: {told}\n"
    assert not list(tmp_path.iterdir())
