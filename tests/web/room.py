"""A server in this process with a clock that tests set, and pages that talk to it over its own sockets."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from websockets.sync.client import ClientConnection, connect

from visionset.commands.table import listening
from visionset.web.app import make_app
from visionset.web.cameras import Cameras
from visionset.web.host import Host
from visionset.web.serving import ServerOptions, uvicorn_config
from visionset.web.state_types import TableState

WALL_S = 1_700_000_000.0
PATIENCE_S = 20.0
"""Until a test that waits for what does not come fails."""

FROM = "x-test-from"
"""Header by which a test speaks from another machine."""

ResultT = TypeVar("ResultT")


def run_apart(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run it in a thread of its own: where a browser is open this one has a loop already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


class Clock:
    """Seconds that tests set; each look takes a moment, so that who waits for a time is not there for ever."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        self.now_s += 0.02
        return self.now_s


class Page:
    """One page: what it was told last."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.version = 0
        self.welcome: dict[str, Any] = {}
        self.others: list[dict[str, Any]] = []
        self.pings = 0
        self._only_pings_s = 0.0

    def send(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def read(self) -> dict[str, Any]:
        """Take one message; whatever state it brings must be one as the interface describes it.

        Pings never end: who waits for something else, and does nothing meanwhile, waits as long as for silence.
        """
        began_s = time.monotonic()
        message: dict[str, Any] = json.loads(self.socket.recv(PATIENCE_S))
        self._only_pings_s = self._only_pings_s + time.monotonic() - began_s if message["type"] == "ping" else 0.0
        if self._only_pings_s > PATIENCE_S:
            raise TimeoutError("nothing but pings came")
        match message["type"]:
            case "state":
                self.state, self.version = message["whole"], message["version"]
            case "change":
                assert message["since"] == self.version
                assert message["version"] > self.version
                self.state |= message["set"]
                for key in message["gone"]:
                    del self.state[key]
                self.version = message["version"]
            case "welcome":
                self.welcome = message
            case "ping":
                self.pings += 1
            case _:
                self.others.append(message)
        if message["type"] in ("state", "change"):
            msgspec.convert(self.state, TableState)
        return message

    def read_ping(self) -> None:
        """Take messages until the server has asked for the time again."""
        count = self.pings
        while self.pings == count:
            self.read()

    def until(self, *kinds: str) -> dict[str, Any]:
        """Take messages until one of some kinds comes."""
        while (message := self.read())["type"] not in kinds:
            continue
        return message

    def catch_up(self, version: int) -> None:
        """Take messages until a version is there."""
        while self.version < version:
            self.read()

    def refused(self, kind: str, **fields: Any) -> str:
        """Send something that is refused, and give the word for why."""
        self.send(kind, **fields)
        return str(self.until("refused")["why"])


class Answer:
    """What the server answered to a request."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    def json(self) -> Any:
        return json.loads(self.body)


class Room:
    """A server, its clock and its store."""

    def __init__(self, folder: Path, clock: Any, host: Host, port: int) -> None:
        self.folder, self.clock, self.host, self.port = folder, clock, host, port

    def get(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
        """Ask for something; underscores in the names of headers stand for dashes."""
        line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = line.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            line.close()

    def connect(self, **headers: str) -> ClientConnection:
        """Open a socket that has said nothing yet."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return connect(
            f"ws://127.0.0.1:{self.port}/ws", additional_headers=sent, compression=None, proxy=None, ping_interval=None, max_queue=None
        )

    @contextmanager
    def page(self, headers: dict[str, str] | None = None, **hello: Any) -> Iterator[Page]:
        """Open a page and let it say hello."""
        with self.connect(**(headers or {})) as socket:
            page = Page(socket)
            page.send("hello", **hello)
            page.until("welcome")
            page.until("state")
            yield page

    def go_on(self, *pages: Page) -> bool:
        """Let happen by itself what is next, and let pages see it; False where nothing is."""
        due_s = self.host.due_s
        if due_s is None:
            return False
        self.clock.now_s = max(self.clock.now_s, due_s)
        self.host.wake()
        for page in pages:
            page.catch_up(self.host.showing(None)[0])
        return True


class FromElsewhere:
    """Lets a test speak from another machine."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = dict(scope.get("headers", ())).get(FROM.encode())
        await self._app({**scope, "client": (address.decode(), 1)} if address else scope, receive, send)


@contextmanager
def room(
    folder: Path,
    clock: Callable[[], float] | None = None,
    port: int = 0,
    cameras: Cameras | None = None,
    is_killed: bool = False,
    **options: Any,
) -> Iterator[Room]:
    """Serve until the end of the block; one that is killed closes nothing then, and who kills it does so later."""
    clock = clock or Clock()
    host = Host(folder, clock, lambda: WALL_S + clock(), cameras=cameras)
    if is_killed:
        host.close = lambda: None  # type: ignore[method-assign]
    with listening("127.0.0.1", port) as listener:
        port = listener.getsockname()[1]
        app = make_app(host, ServerOptions(port, f"http://127.0.0.1:{port}", **options), clock)
        server = uvicorn.Server(uvicorn_config(FromElsewhere(app)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield Room(folder, clock, host, port)
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)
            assert not thread.is_alive()
