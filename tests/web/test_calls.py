from __future__ import annotations

import asyncio
from collections.abc import Callable

from tests.web.room import run_apart
from visionset.web.calls import Calls, PictureStream


class Feed:
    """Gives pictures when a test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, Callable[[bytes], object]]] = []

    def ask(self, width_px: int, after: int, done: Callable[[bytes], object]) -> None:
        self.asked.append((width_px, after, done))

    async def make(self, number: int) -> None:
        _, _, done = self.asked.pop()
        done(number.to_bytes(4, "little"))
        for _ in range(3):
            await asyncio.sleep(0)


class Page:
    """A page whose camera changes."""

    def __init__(self) -> None:
        self.camera: Feed | None = Feed()
        self.got: list[int] = []
        self.stream = PictureStream(lambda: self.camera, self.take)  # type: ignore[arg-type,return-value]

    async def take(self, picture: bytes) -> None:
        self.got.append(int.from_bytes(picture[:4], "little"))


def test_one_picture_is_in_flight_and_the_next_comes_when_it_was_drawn() -> None:
    async def play() -> None:
        page = Page()
        feed = page.camera
        assert feed is not None
        page.stream.want(640)
        assert [one[:2] for one in feed.asked] == [(640, 0)]
        await feed.make(3)
        assert (page.got, feed.asked) == ([3], [])
        page.stream.seen(2)
        assert feed.asked == []
        page.stream.seen(3)
        page.stream.seen(3)
        assert [one[:2] for one in feed.asked] == [(640, 3)]

    run_apart(play())


def test_pictures_go_on_after_a_page_has_looked_elsewhere_though_one_was_never_drawn() -> None:
    async def play() -> None:
        page = Page()
        feed = page.camera
        assert feed is not None
        page.stream.want(640)
        await feed.make(3)
        page.stream.want(None)
        page.stream.seen(3)
        assert feed.asked == []
        page.stream.want(800)
        assert [one[:2] for one in feed.asked] == [(800, 3)]

    run_apart(play())


def test_pictures_go_on_with_another_camera() -> None:
    async def play() -> None:
        page = Page()
        before = page.camera
        assert before is not None
        page.stream.want(640)
        page.camera = other = Feed()
        page.stream.look()
        await before.make(9)
        assert page.got == []
        assert [one[:2] for one in other.asked] == [(640, 0)]
        page.camera = None
        page.stream.look()
        await other.make(1)
        assert page.got == []
        page.stream.end()

    run_apart(play())


def test_what_phones_say_is_done_in_the_order_in_which_they_said_it() -> None:
    """The first to call is the second to be heard; the clocks of both are known."""

    async def play() -> list[str]:
        now, done = [100.0], list[str]()
        calls = Calls(lambda: now[0])
        for phone in ("Ann", "Bo"):
            number = calls.clocks.ping(phone)
            now[0] += 0.1
            calls.clocks.pong(phone, number, 1000 * (now[0] - 100.05))

        def say(name: str, said_s: float) -> asyncio.Task[None]:
            async def do(true_s: float) -> None:
                done.append(name)

            return asyncio.create_task(calls.in_turn(name, 1000 * (said_s - 100), True, do))

        second = say("Bo", now[0] - 0.01)
        await asyncio.sleep(0)
        first = say("Ann", now[0] - 0.04)
        await asyncio.sleep(0)
        now[0] += 1.0
        await asyncio.gather(first, second)
        return done

    assert run_apart(play()) == ["Ann", "Bo"]
