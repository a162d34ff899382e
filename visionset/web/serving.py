"""How the server runs: its options, its protocols, and the thread that lets happen what is due."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from visionset.closable import Closable
from visionset.web.host import Host
from visionset.web.security import RateLimits

_MOST_MESSAGE = 65_536
"""Bytes of a message that is read at all; one that is longer than a page may send is answered, one beyond this ends the socket."""


_PATIENCE_S = 5.0
"""Longest wait for the second server's end."""


_LOOK_S = 1.0
"""Longest time between two looks at the clock: one that is not looked at does not know what was sleep."""

_ASLEEP_S = 3.0
"""Longer than the time between two looks at the clock on a computer that has much to do, shorter than the time for taking three cards."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How the server is reached."""

    port: int
    link: str
    """Address of this server as phones see it, such as ``http://192.168.1.20:8765``."""
    camera_link: str | None = None
    """Address of the page that makes a phone the camera, such as ``https://192.168.1.20:8865``; None where no phone can be one."""
    names: tuple[str, ...] = ("localhost",)
    """Names of this machine, besides its addresses."""
    limits: RateLimits = field(default_factory=RateLimits)

    @property
    def cookie(self) -> str:
        """Name of the cookie: browsers share cookies among the ports of a machine."""
        return f"visionset_{self.port}"


def uvicorn_config(app: ASGIApp, certificate: Path | None = None) -> uvicorn.Config:
    """How the application is served: no line of log, small heads and messages, and an end at once; by https with a certificate."""
    return uvicorn.Config(
        app,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=_MOST_MESSAGE,
        ws_per_message_deflate=False,
        http="h11",
        timeout_graceful_shutdown=0,
        ssl_certfile=certificate,
    )


class PageServer(uvicorn.Server):
    """The server of the page, which leaves Ctrl-C ignored where whoever started the program wants it so."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Hear what asks the server to end."""
        is_ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        with super().capture_signals():
            if is_ignored:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
            yield


class ServerThread(Closable):
    """A second server beside the first, in a thread of its own; use it in a ``with`` statement."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket) -> None:
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listener],), name="visionset server", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End at once."""
        self._server.should_exit = True
        self._thread.join(_PATIENCE_S)


class AwakeClock:
    """Seconds that only grow, of which those do not count in which this program stood still, such as those of a laptop that slept."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._last_s, self._asleep_s = clock(), 0.0

    def __call__(self) -> float:
        """Seconds until now."""
        with self._lock:
            now_s = self._clock()
            if now_s - self._last_s > _ASLEEP_S:
                self._asleep_s += now_s - self._last_s
            self._last_s = now_s
            return now_s - self._asleep_s


class Waker:
    """A thread that lets happen at a table what is due."""

    def __init__(self, host: Host, clock: Callable[[], float]) -> None:
        self._host, self._clock = host, clock
        self._news = threading.Event()
        self._ends = False
        self._thread = threading.Thread(target=self._run, name="visionset table", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._host.listen(self._news.set)
        self._thread.start()

    def end(self) -> None:
        """End, after what happens just now."""
        self._ends = True
        self._news.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ends:
            due_s = self._host.due_s
            now_s = self._clock()
            self._news.wait(_LOOK_S if due_s is None else min(max(0.0, due_s - now_s), _LOOK_S))
            self._news.clear()
            if not self._ends:
                self._host.wake()
