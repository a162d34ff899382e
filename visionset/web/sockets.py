"""One page over a WebSocket: what it says is checked and done, and it is told what changed since it was told last."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec
from anyio import to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from visionset.errors import RequestError, RuleError, VisionsetError
from visionset.games.base import OF_THE_GAME
from visionset.messages import Message, Words, at_table, in_words, spoken
from visionset.referee.phrasing import why
from visionset.web.calls import Calls, PictureStream
from visionset.web.host import Host
from visionset.web.seats import Seat
from visionset.web.security import Bucket, RateLimits
from visionset.web.showing import Json
from visionset.web.wire import (
    MOST_BYTES,
    ChangedState,
    FailedMessage,
    FromPage,
    Hello,
    MakeMove,
    Ping,
    Pong,
    RefusedMessage,
    SayWord,
    SeenPicture,
    ToPage,
    WantPictures,
    Welcome,
    WholeState,
    read_message,
    written,
)

_LOG = logging.getLogger(__name__)

_HELLO_S = 10.0
"""Until somebody has said who is there."""

_SLOW_S = 15.0
"""Until a page has taken a message; who sleeps longer comes back and gets the whole state."""

_MOST_REFUSED = 200
"""Messages that make no sense, or too many at once, before a socket is closed."""

_MOST_WAITING = 32
"""Moves and words of one page that wait for their turn."""

_GONE = (WebSocketDisconnect, RuntimeError, TimeoutError)
"""What is raised where a page is gone, or takes nothing more."""

_POLICY = 1008
"""Why a socket is closed, as WebSocket numbers it."""


def difference(before: Json, after: Json) -> tuple[Json, list[str]]:
    """What changed: the keys with new values, and those that are gone."""
    changed = {key: value for key, value in after.items() if key not in before or (before[key] is not value and before[key] != value)}
    return changed, [key for key in before if key not in after]


class PageSocket:
    """One page.

    Parameters
    ----------
    socket : WebSocket
        Not yet accepted.
    host : Host
        The table.
    clock : callable
        Seconds that only grow.
    limits : RateLimits
        How much it may say.
    calls : Calls
        What all pages say, in the order in which they said it.
    """

    def __init__(self, socket: WebSocket, host: Host, clock: Callable[[], float], limits: RateLimits, calls: Calls) -> None:
        self._socket, self._host, self._clock, self._calls = socket, host, clock, calls
        self._pictures = PictureStream(lambda: host.pictures, self._send_picture)
        self._saying: set[asyncio.Task[None]] = set()
        self._bucket = Bucket(limits.messages_s, limits.messages_burst, clock())
        self._news = asyncio.Event()
        self._is_there = asyncio.Event()
        """The match that was played is there: what is said before waits for it."""
        self._sent: Json | None = None
        self._version = self._refused = 0
        self._sending = asyncio.Lock()
        self.seat: Seat | None = None
        self._player: int | None = None

    async def serve(self, cookie: str, is_near: bool) -> None:
        """Answer until the page is gone."""
        await self._socket.accept()
        loop = asyncio.get_running_loop()
        seat = await self._greeted(cookie, is_near)
        if seat is None:
            return
        self.seat = seat
        await to_thread.run_sync(self._host.come, seat)
        end_listening = self._host.listen(lambda: tell(loop, self._news))
        telling = asyncio.create_task(self._tell())
        hearing = asyncio.create_task(self._hear())
        pinging = asyncio.create_task(self._calls.pinging(self, lambda number: self._send(Ping(number))))
        try:
            await asyncio.wait((telling, hearing, pinging), return_when=asyncio.FIRST_COMPLETED)
        finally:
            end_listening()
            self._pictures.end()
            tasks = (telling, hearing, pinging)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, *self._saying, return_exceptions=True)
            self._calls.clocks.gone(self)
            with suppress(VisionsetError):
                await asyncio.shield(to_thread.run_sync(self._host.go, self.seat, self))

    async def _greeted(self, cookie: str, is_near: bool) -> Seat | None:
        """Take the first message and answer it; None where the page is not let in."""
        try:
            async with asyncio.timeout(_HELLO_S):
                message = self._read(await self._received())
            if not isinstance(message, Hello):
                raise RequestError("hello", Message("web.refused.hello"))
            token = message.seat or (cookie if message.code or not is_near else None)
            seat = await to_thread.run_sync(self._host.hello, token, message.name, message.code, is_near)
        except (WebSocketDisconnect, RuntimeError):
            return None
        except TimeoutError:
            await self._fail("hello", in_words(Message("web.refused.hello")))
            return None
        except VisionsetError as error:
            await self._fail(why_of(error), str(error))
            return None
        await self._welcome(seat)
        return seat

    async def _received(self) -> str | bytes:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1000)
        received: str | bytes = message.get("text") or message.get("bytes") or ""
        return received

    def _read(self, text: str | bytes) -> FromPage:
        if len(text) > MOST_BYTES:
            raise RequestError("size", Message("web.refused.size"))
        if isinstance(text, bytes):
            raise RequestError("schema", Message("web.refused.schema", error="bytes"))
        try:
            return read_message(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise RequestError("schema", Message("web.refused.schema", error=f"{error!s:.200}")) from None

    async def _hear(self) -> None:
        with suppress(*_GONE):
            while True:
                text = await self._received()
                try:
                    if not self._bucket.takes(self._clock()):
                        raise RequestError("rate", Message("web.refused.rate"))
                    await self._do(self._read(text))
                except VisionsetError as error:
                    self._refused += why_of(error) in ("schema", "size", "rate")
                    if self._refused > _MOST_REFUSED:
                        await self._fail("rate", in_words(Message("web.refused.rate")))
                        return
                    await self._refuse(error)
                except _GONE:
                    raise
                except Exception as error:
                    await self._refuse(_faulty(error))

    async def _refuse(self, error: VisionsetError) -> None:
        words: Words = getattr(error, "message", str(error))
        if isinstance(error, RuleError) and error.tried and error.rule != OF_THE_GAME:
            words = why(error)  # what is allowed in its place the page's buttons tell
        await self._send(RefusedMessage(at_table(words), why_of(error)))

    async def _do(self, message: FromPage) -> None:
        assert self.seat is not None
        match message:
            case Hello():
                if message.name is not None:
                    await self._rename(message.name)
            case Pong():
                self._calls.clocks.pong(self, message.n, message.t_ms)
            case WantPictures():
                self._pictures.want(message.width if message.on else None)
            case SeenPicture():
                self._pictures.seen(message.n)
            case SayWord() | MakeMove():
                self._calls.refuse_from_lost_line(self, message, has_pictures=self._pictures.is_wanted)
                if len(self._saying) >= _MOST_WAITING:
                    raise RequestError("rate", Message("web.refused.rate"))
                task = asyncio.create_task(self._say(self.seat, message))
                self._saying.add(task)
                task.add_done_callback(self._saying.discard)
            case _:
                await to_thread.run_sync(self._host.do, self.seat, message, None)

    async def _say(self, seat: Seat, message: SayWord | MakeMove) -> None:
        """Say something at the table, in its turn."""
        t_ms = message.t_ms if isinstance(message, SayWord) else None
        is_call = isinstance(message, SayWord) and message.what == "set"
        await self._is_there.wait()
        with suppress(*_GONE):
            try:
                do = partial(to_thread.run_sync, self._host.do, seat, message)
                if isinstance(message, SayWord) and message.what == "hint":  # what it takes to reckon one holds no move up
                    await do(None)
                else:
                    await self._calls.in_turn(self, t_ms, is_call, lambda at_s: do(at_s, self))
            except VisionsetError as error:
                await self._refuse(error)
            except _GONE:
                raise
            except Exception as error:
                await self._refuse(_faulty(error))

    async def _rename(self, name: str) -> None:
        assert self.seat is not None
        self.seat = await to_thread.run_sync(self._host.rename, self.seat, name)
        await self._welcome(self.seat)

    async def _welcome(self, seat: Seat) -> None:
        """Say whose seat this is, and which player's."""
        self._player = self._host.player_of(seat)
        await self._send(Welcome(seat.token, seat.is_host, self._player, spoken()))

    async def _tell(self) -> None:
        """Tell what changed, the newest alone where the page is slow; one that has just come waits for a camera that is being opened."""
        with suppress(*_GONE):
            try:
                await to_thread.run_sync(self._host.resume_kept)
            except VisionsetError as error:  # such as a full disk
                await self._fail(why_of(error), str(error))
                return
            finally:
                self._is_there.set()
            self._news.set()
            while True:
                await self._news.wait()
                self._news.clear()
                self._pictures.look()
                assert self.seat is not None
                if self._player != self._host.player_of(self.seat):  # another match has begun
                    await self._welcome(self.seat)
                version, state = self._host.showing(self.seat)
                if self._sent is not None and version == self._version:
                    continue
                if self._sent is None:
                    await self._send(WholeState(version, state))
                else:
                    changed, gone = difference(self._sent, state)
                    await self._send(ChangedState(version, self._version, changed, gone))
                self._sent, self._version = state, version

    async def _send(self, message: ToPage) -> None:
        async with asyncio.timeout(_SLOW_S), self._sending:
            await self._socket.send_text(written(message))

    async def _send_picture(self, picture: bytes) -> None:
        with suppress(*_GONE):
            async with asyncio.timeout(_SLOW_S), self._sending:
                await self._socket.send_bytes(picture)

    async def _fail(self, why: str, text: str) -> None:
        with suppress(*_GONE):
            await self._send(FailedMessage(text, why))
            await self._socket.close(_POLICY, why)


def _faulty(error: Exception) -> RequestError:
    """What is said of a fault of a game, ours or another's: the table goes on, and so does the page."""
    _LOG.error("what a page said", exc_info=error)
    return RequestError("fault", Message("web.refused.fault", error=type(error).__name__))


def why_of(error: VisionsetError) -> str:
    """A word for programs that says why something was refused."""
    if isinstance(error, RequestError):
        return error.why
    return "rule" if isinstance(error, RuleError) else type(error).__name__.removesuffix("Error").lower()


def tell(loop: asyncio.AbstractEventLoop, news: asyncio.Event) -> None:
    """Wake a task of a loop from any thread."""
    with suppress(RuntimeError):  # the loop ended a moment ago
        loop.call_soon_threadsafe(news.set)
