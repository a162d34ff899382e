"""Lines that stall and go on: what was pressed before its page said that the line is lost never counts after that."""

from __future__ import annotations

import heapq
import random
import re
from collections.abc import Callable
from importlib.resources import files
from itertools import count
from pathlib import Path

import pytest

from tests.web.room import Room, room
from visionset.errors import RequestError
from visionset.games.set_cards.rules import SetCardsState
from visionset.web.calls import _SILENT_S, _SILENT_WITH_PICTURES_S, Calls
from visionset.web.wire import BeginMatch, PlayerWanted, SayWord

SET = SayWord("set", player=0)


class StallingLine:
    """A page and its server in simulated time; each way stands still for a while now and then, and keeps the order of what is said."""

    def __init__(self, seed: int) -> None:
        self.now_s, self.rng = 1000.0, random.Random(seed)
        self.calls = Calls(lambda: self.now_s)
        self.heard_s = self.newest_s = self.now_s
        self.is_lost = False
        self.counted: list[tuple[float, bool]] = []
        self.refused: list[tuple[float, bool]] = []
        """For how long the page had heard nothing, from the newest ping that it had, and whether it has said since that it is lost."""
        self._coming: list[tuple[float, int, Callable[[], object]]] = []
        self._number = count()
        self._free_s = {"there": 0.0, "back": 0.0}
        self._stalls: list[tuple[str, float, float]] = []

    def at(self, time_s: float, do: Callable[[], object]) -> None:
        heapq.heappush(self._coming, (time_s, next(self._number), do))

    def stall(self, way: str, from_s: float, to_s: float) -> None:
        self._stalls.append((way, from_s, to_s))

    def send(self, way: str, do: Callable[[], object]) -> None:
        """In the order of sending, once the way is free."""
        due_s = max(self.now_s + self.rng.uniform(0.005, 0.08), self._free_s[way])
        for stalled, from_s, to_s in sorted(self._stalls):
            if stalled == way and from_s <= due_s < to_s:
                due_s = to_s
        self._free_s[way] = due_s
        self.at(due_s, do)

    def ping(self) -> None:
        number, sent_s = self.calls.clocks.ping("page"), self.now_s
        self.send("there", lambda: self.pinged(number, sent_s))

    def pinged(self, number: int, sent_s: float) -> None:
        if self.is_lost:
            return
        self.heard_s, self.newest_s = self.now_s, sent_s
        t_ms = 1000 * self.now_s
        self.send("back", lambda: self.calls.clocks.pong("page", number, t_ms))

    def watch(self) -> None:
        self.is_lost |= self.now_s - self.heard_s >= _SILENT_S

    def press(self) -> None:
        if self.is_lost:
            return
        newest_s = self.newest_s

        def come() -> None:
            told = self.refused
            try:
                self.calls.refuse_from_lost_line("page", SET, has_pictures=False)
                told = self.counted
            except RequestError:
                pass
            told.append((self.now_s - newest_s, self.is_lost))

        self.send("back", come)

    def run(self) -> None:
        while self._coming:
            self.now_s, _, do = heapq.heappop(self._coming)
            do()


@pytest.mark.parametrize("seed", range(40))
def test_no_call_counts_that_comes_when_its_page_has_said_that_the_line_is_lost(seed: int) -> None:
    line = StallingLine(seed)
    rng = line.rng
    time_s = 1000.0
    while time_s < 1100.0:
        time_s += rng.uniform(3, 20)
        for way in rng.sample(("there", "back"), rng.choice((1, 2, 2))):
            from_s = time_s + rng.uniform(0, 0.5)
            line.stall(way, from_s, from_s + rng.choice((0.5, 3.0, 4.9, 6.0, 12.0)) + rng.random())
    for second in range(130):
        line.at(1000.0 + second, line.ping)
        line.at(1000.0 + second + rng.random(), line.watch)
        line.at(1000.0 + second + rng.random(), line.press)
    line.run()
    assert line.counted
    assert not any(is_lost for _, is_lost in line.counted)
    assert all(unheard_s > _SILENT_S for unheard_s, _ in line.refused)


def test_a_line_that_is_whole_refuses_nothing_however_slow_it_is() -> None:
    line = StallingLine(0)
    for second in range(60):
        line.at(1000.0 + second, line.ping)
        line.at(1000.5 + second, line.press)
    line.run()
    assert (len(line.counted), line.refused) == (60, [])


def test_page_and_server_have_one_measure_of_silence() -> None:
    page = (files("visionset.web") / "static" / "room.js").read_text(encoding="utf-8")
    told = dict(re.findall(r"^const (SILENT\w*) = ([\d_]+);", page, re.MULTILINE))
    assert told == {"SILENT_MS": f"{1000 * _SILENT_S:.0f}", "SILENT_WITH_PICTURES_MS": f"{1000 * _SILENT_WITH_PICTURES_S:_.0f}"}


def claims(here: Room) -> tuple[object, ...]:
    table = here.host.table
    assert table is not None
    state = table.match.history.state  # type: ignore[attr-defined]
    assert isinstance(state, SetCardsState)
    return state.claims


def test_a_call_over_a_line_that_was_silent_for_long_is_refused_until_a_ping_is_answered(tmp_path: Path) -> None:
    """The next is a call again: a phone that has slept has answered what waited for it by then."""
    with room(tmp_path) as here:
        here.host.begin(BeginMatch("set", [PlayerWanted("Ann"), PlayerWanted("Bo")]))
        with here.page(code=here.host.seats.code, name="Ann") as ann:
            while here.go_on(ann):
                continue
            here.clock.now_s += 60.0  # whoever answers no ping at all is refused nothing
            ann.send("pong", n=ann.until("ping")["n"], t_ms=1.0)
            here.clock.now_s += 6.0
            assert ann.refused("say", what="set") == "line"
            assert claims(here) == ()
            ann.send("say", what="pause")
            assert ann.until("refused")["why"] == "host"  # what a page says by itself is no call
            ann.send("pong", n=ann.until("ping")["n"], t_ms=1.0)
            ann.send("say", what="set")
            while not claims(here):
                assert ann.read()["type"] != "refused"
