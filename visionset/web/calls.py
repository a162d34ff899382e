"""What pages say and see over their sockets, as far as time matters: calls in the order in which they were said, one picture in flight."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress

from visionset.errors import RequestError
from visionset.messages import Message
from visionset.web.phone_clock import PhoneClocks
from visionset.web.pictures import Pictures
from visionset.web.wire import MakeMove, SayWord

_FIRST_PINGS = 10
_FIRST_PING_S = 0.1
"""A page that has just come is known after a second: of so many pings one is quick each way, though the line be slow now and then."""

_PING_S = 1.0
"""From one ping to the next."""

_SILENT_S, _SILENT_WITH_PICTURES_S = 5.0, 20.0
"""Without a word from here a page says that its line is lost, and that nothing which is pressed counts (`static/room.js`)."""


class Calls:
    """What the pages of one loop say, in the order in which it was said.

    Parameters
    ----------
    clock : callable
        Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clocks = PhoneClocks(clock)
        self._one_by_one = asyncio.Lock()

    async def pinging(self, phone: Hashable, ping: Callable[[int], Awaitable[None]]) -> None:
        """Ask a phone for its clock, again and again."""
        pings = 0
        while True:
            await ping(self.clocks.ping(phone))
            pings += 1
            await asyncio.sleep(_FIRST_PING_S if pings < _FIRST_PINGS else _PING_S)

    async def in_turn(self, phone: Hashable, t_ms: float | None, is_call: bool, do: Callable[[float], Awaitable[None]]) -> None:
        """Do what a phone says once nothing earlier can come; takes the time at which it was said, by the server's clock."""
        said: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.clocks.hear(phone, t_ms, said.set_result, is_call)
        self._release()
        true_s = await said
        async with self._one_by_one:  # who waits is let in in the order of coming
            await do(true_s)

    def refuse_from_lost_line(self, phone: Hashable, message: SayWord | MakeMove, *, has_pictures: bool) -> None:
        """Raise `RequestError` for what was said as the line stalled, and comes when the page has long told that it is lost.

        The time of a call would run unseen. A move names the version that it is about, and what a page says by itself is so still.
        """
        is_pressed = isinstance(message, SayWord) and message.what not in ("pause", "go_on")
        if is_pressed and self.clocks.unheard_s(phone) > (_SILENT_WITH_PICTURES_S if has_pictures else _SILENT_S):
            raise RequestError("line", Message("web.refused.line"))

    def _release(self) -> None:
        wait_s = self.clocks.release()
        if wait_s is not None:
            asyncio.get_running_loop().call_later(wait_s, self._release)


class PictureStream:
    """The pictures of one page: the next is made when the page has drawn the one before.

    Parameters
    ----------
    newest : callable
        Gives what the camera sees now, None without one.
    send : callable
        Sends a picture.
    """

    def __init__(self, newest: Callable[[], Pictures | None], send: Callable[[bytes], Awaitable[None]]) -> None:
        self._newest, self._send = newest, send
        self._width_px: int | None = None
        self._of: Pictures | None = None
        self._number = 0
        self._is_asked = False
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def is_wanted(self) -> bool:
        """Whether the page wants pictures."""
        return self._width_px is not None

    def want(self, width_px: int | None) -> None:
        """Pictures are wanted, about so wide; None: no more."""
        before_px, self._width_px = self._width_px, width_px
        self.look()
        if before_px is None:  # what was under way before may never be drawn
            self._ask()

    def seen(self, number: int) -> None:
        """The page has drawn a picture."""
        if number == self._number:
            self._ask()

    def look(self) -> None:
        """Go on with another camera, where there is one."""
        if self._newest() is not self._of:
            self._of, self._number, self._is_asked = self._newest(), 0, False
            self._ask()

    def end(self) -> None:
        """Send nothing more."""
        self._width_px = None
        for task in self._sending:
            task.cancel()

    def _ask(self) -> None:
        if self._of is None or self._width_px is None or self._is_asked:
            return
        self._is_asked = True
        loop, of = asyncio.get_running_loop(), self._of

        def made(picture: bytes) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._made, of, picture)

        of.ask(self._width_px, self._number, made)

    def _made(self, of: Pictures, picture: bytes) -> None:
        if of is not self._of:
            return
        self._is_asked = False
        if self._width_px is None:
            return
        self._number = int.from_bytes(picture[:4], "little")
        task = asyncio.ensure_future(self._send(picture))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
