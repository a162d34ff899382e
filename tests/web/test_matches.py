"""Several matches at one table: each goes on as it was begun, whatever was played since, and is played again by the same people."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest

from tests.referee.scripted import Frames
from tests.web.room import PATIENCE_S, WALL_S, Clock, room
from tests.web.test_play import begin
from visionset.errors import RequestError, RuleError, SourceError
from visionset.games.registry import GAMES
from visionset.games.virtual.bots import STRENGTHS
from visionset.sources import Source
from visionset.store import Origin, Summary
from visionset.web.camera_table import CameraTable
from visionset.web.cameras import PHONE, Cameras
from visionset.web.host import Host
from visionset.web.phone_camera import PhoneCamera
from visionset.web.seats import GONE_S, KeptSeats, Seats
from visionset.web.standings import last_evening
from visionset.web.virtual_table import VirtualTable
from visionset.web.wire import BeginMatch, ClockWanted, PlayAgain, PlayerWanted, SayWord

HOUR_S = 3600.0


class Looking:
    """Cameras that note which was opened."""

    def __init__(self, opened: list[str] | None = None) -> None:
        self.opened: list[str] = [] if opened is None else opened
        self.is_away = False
        self.away: set[str] = set()
        self.meanwhile: Callable[[], object] = lambda: None

    def __call__(self, source: str, game: str | None) -> Source:
        if self.is_away or source in self.away:
            raise SourceError("no camera")
        self.opened.append(source)
        self.meanwhile()
        return Frames(1)


@pytest.fixture
def looking() -> Looking:
    return Looking()


@pytest.fixture
def host(tmp_path: Path, looking: Looking) -> Iterator[Host]:
    clock = Clock()
    opened = Host(tmp_path, clock, lambda: WALL_S + clock(), cameras=Cameras(opener=looking))
    yield opened
    opened.close()


def people(*names: str) -> list[PlayerWanted]:
    return [PlayerWanted(name) for name in names]


def number_of(host: Host) -> int:
    return int(host.showing(None)[1]["match"])


def begun(host: Host, *args: Any, **wanted: Any) -> int:
    host.begin(BeginMatch(*args, **wanted))
    return number_of(host)


def test_a_match_goes_on_before_the_camera_that_it_was_begun_with(host: Host, looking: Looking) -> None:
    first = begun(host, "set", people("Ann", "Bo"), camera="1")
    host.leave()
    begun(host, "set", people("Cy", "Di"), camera="2")
    host.leave()
    begun(host, "solitaire", people("Kim"))
    host.leave()
    host.resume(first)
    assert looking.opened == ["1", "2", "1"]
    host.leave()
    host.look("3")
    host.resume(first)
    assert looking.opened[3:] == ["3", "1"]  # what is tried on the start page is for the next match


def test_a_match_whose_camera_is_forgotten_goes_on_before_the_one_that_is_tried(host: Host, looking: Looking, tmp_path: Path) -> None:
    first = begun(host, "set", people("Ann", "Bo"), camera="1")
    host.leave()
    host.seats.begin(first, {}, "phone")  # no phone can be a camera of this server
    host.seats.leave()
    host.look("2")
    host.resume(first)
    assert looking.opened == ["1", "2", "2"]
    host.leave()
    host.resume(first)
    assert looking.opened == ["1", "2", "2", "2"]


def test_a_match_whose_camera_is_unplugged_goes_on_before_the_one_that_is_looked_through(host: Host, looking: Looking) -> None:
    """It stays the match of its own camera, for when that is plugged in again."""
    first = begun(host, "set", people("Ann", "Bo"), camera="2")
    host.leave()
    looking.away = {"2"}
    with pytest.raises(SourceError):
        host.resume(first)
    host.look("0")
    host.resume(first)
    assert number_of(host) == first
    assert looking.opened == ["2", "0", "0"]
    host.again()
    again = number_of(host)
    assert again != first
    assert looking.opened[3:] == ["0"]
    host.leave()
    begun(host, "set", people("Ann", "Bo"), camera="1")
    host.again()
    assert looking.opened[4:] == ["1", "1"], "the next match has its own"
    host.leave()
    del looking.opened[3:]
    looking.away = set()
    host.look("0")
    host.resume(first)
    assert looking.opened[3:] == ["0", "2"]


def test_a_match_whose_phone_sends_nothing_any_more_goes_on_before_the_camera_that_is_looked_through(tmp_path: Path) -> None:
    clock, opened = Clock(), list[str]()
    phone = PhoneCamera(clock)
    with closing(Host(tmp_path, clock, lambda: WALL_S + clock(), cameras=Cameras(opener=Looking(opened), phone=phone))) as host:
        first = begun(host, "set", people("Ann", "Bo"), camera=PHONE)
        host.leave()
        host.look("0")
        host.resume(first)
        assert opened == ["0"], "a phone whose screen is off for a moment is waited for"
        host.leave()
        clock.now_s += GONE_S
        host.look("0")
        host.resume(first)
        assert opened == ["0", "0", "0"]
        host.leave()
        phone.put(b"")
        host.look("0")
        host.resume(first)
        assert opened == ["0", "0", "0", "0"]


def test_simple_players_are_as_strong_as_when_the_match_was_begun(host: Host) -> None:
    def bot(strength: int) -> list[PlayerWanted]:
        return [PlayerWanted("Ann"), PlayerWanted("Bot", is_bot=True, strength=strength)]

    first, second = (begun(host, "set", bot(strength)) for strength in (1, 3))
    begun(host, "solitaire", people("Kim"))
    for number, strength in ((first, 1), (second, 3)):
        host.resume(number)
        assert dict(host.seats.begun(number).strengths) == {"Bot": strength}
        table = host.table
        assert isinstance(table, VirtualTable)
        assert table._bots == {1: STRENGTHS[strength]}


def test_the_same_people_play_again_by_the_same_rules(host: Host, looking: Looking) -> None:
    other = begun(host, "set", people("Zoe", "Yan"), house={"take_limit_s": 7}, camera="1")
    mine = begun(
        host,
        "set",
        [*people("Ann"), PlayerWanted("Bot", is_bot=True, strength=3)],
        house={"take_limit_s": 9},
        round_clock=ClockWanted(600.0),
    )
    host.resume(other)
    host.resume(mine)
    host.again()
    again = number_of(host)
    assert again not in (other, mine)
    table = host.table
    assert isinstance(table, VirtualTable)
    assert (table.match.history.players, table.match.summary.bots) == (("Ann", "Bot"), ("Bot",))
    assert table.match.history.options.take_limit_s == 9
    assert dict(host.seats.begun(again).strengths) == {"Bot": 3}
    assert dict(host.seats.kept.clocks) == {mine: 600.0, again: 600.0}
    host.resume(other)
    host.again()
    assert host.table is not None
    assert looking.opened == ["1", "1", "1", "1"]
    assert host.matches()[0]["is_camera"]
    host.leave()
    with pytest.raises(RequestError, match="match"):
        host.again()


def test_a_match_that_is_on_the_table_is_not_opened_again_by_a_second_press(host: Host, looking: Looking) -> None:
    number = begun(host, "set", people("Ann", "Bo"), camera="1")
    host.leave()
    for _ in range(2):
        host.resume(number)
    assert looking.opened == ["1", "1"]


def test_a_match_whose_camera_is_away_when_it_is_played_again_does_not_come_back_with_the_next_page(host: Host, looking: Looking) -> None:
    number, code = begun(host, "set", people("Ann", "Bo"), camera="1"), host.seats.code
    looking.is_away = True
    with pytest.raises(SourceError):
        host.again()
    looking.is_away = False
    host.resume_kept()
    assert (host.table, looking.opened) == (None, ["1"])
    assert host.seats.code != code
    assert number in [one["id"] for one in host.matches()]
    looking.is_away, code = True, host.seats.code
    with pytest.raises(SourceError):
        host.begin(BeginMatch("set", people("Ann", "Bo"), camera="1"))
    assert host.seats.code == code, "what was shown to phones still lets them in"


def test_the_start_page_is_there_while_the_camera_is_opened_for_it(tmp_path: Path) -> None:
    told, told_before = list[str](), list[str]()

    def opened(source: str, game: str | None) -> Source:
        told_before[:] = told
        return Frames(1)

    host = Host(tmp_path, Clock(), lambda: WALL_S, cameras=Cameras("0", opener=opened))
    host.begin(BeginMatch("set", people("Ann", "Bo")))
    host.listen(lambda: told.append(host.showing(None)[1]["page"]))
    host.leave()
    assert told_before[-1:] == ["start"]
    host.close()


def test_two_pages_of_the_host_that_play_again_begin_one_match(host: Host, looking: Looking) -> None:
    """The second was pressed while the camera was opened for the first."""
    number = begun(host, "set", people("Ann", "Bo"), camera="1")
    for page in ("one", "other"):
        host.do(host.seats.host_seat(), PlayAgain(number), page=page)
    assert (number_of(host), len(host.matches()), looking.opened) == (number + 1, 2, ["1", "1"])
    host.do(host.seats.host_seat(), PlayAgain())
    assert number_of(host) == number + 2


def test_two_pages_of_the_host_that_begin_at_once_begin_one_match(host: Host, looking: Looking) -> None:
    """The second was pressed while the camera was opened for the first."""
    asked = Signal()

    class Wanted(list[PlayerWanted]):
        def __iter__(self) -> Iterator[PlayerWanted]:
            asked.set()
            return super().__iter__()

    other = Thread(target=host.begin, args=(BeginMatch("set", Wanted(people("Cy", "Di")), camera="1"),))

    def press() -> None:
        looking.meanwhile = lambda: None
        other.start()
        assert asked.wait(PATIENCE_S)

    looking.meanwhile = press
    number = begun(host, "set", people("Ann", "Bo"), camera="1")
    other.join()
    assert (number_of(host), len(host.matches()), looking.opened) == (number, 1, ["1"])
    assert begun(host, "set", people("Cy", "Di"), camera="1") == number + 1, "who has seen a match may begin another over it"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_each_game_is_played_again_over_the_wire(game: str, tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as page, here.page(code=here.host.seats.code, name="Ann") as phone:
        begin(page, game, max(GAMES[game].min_players, min(2, GAMES[game].max_players)))
        assert phone.refused("again") == "host"
        first = page.state["match"]
        page.send("again")
        while page.state["match"] in (None, first):
            page.read()
        assert (page.state["match"], page.state["game"]["name"]) == (first + 1, game)


def test_no_time_passes_as_long_as_one_page_of_the_host_wants_it(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as page:
        begin(page, "set", 1, 1)
        here.go_on()

        def settled(is_paused: bool) -> None:
            while (here.host.due_s is None) != is_paused:
                page.read()
            page.catch_up(here.host.showing(None)[0])

        settled(False)
        page.send("say", what="pause")
        settled(True)
        with here.page() as second:
            second.send("say", what="pause")
            second.send("say", what="go_on")
        while here.host.seats._sockets[here.host.seats.host_seat().token] > 1:
            page.read()
        assert here.host.due_s is None
        page.send("say", what="go_on")
        settled(False)


def test_a_page_that_pauses_and_is_closed_stops_nobody(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as page:
        begin(page, "set", 1, 1)
        with here.page() as second:
            second.send("say", what="pause")
            while here.host.due_s is not None:
                second.read()
        while here.host.due_s is None:
            page.read()


def test_no_time_passes_while_nobody_is_there(tmp_path: Path) -> None:
    """S4: the laptop sleeps for an hour in mid-call; who called has the time that was left, and a simple player none more."""
    clock = Clock()
    host = Host(tmp_path, clock, lambda: WALL_S + clock())
    seat = host.seats.host_seat()
    host.come(seat)
    host.begin(BeginMatch("set", [PlayerWanted("Ann"), PlayerWanted("Bot", is_bot=True)], seed=3))
    while host.due_s is not None and not any(one["event"] == "call" for one in host.showing(seat)[1]["choices"]):
        clock.now_s = host.due_s
        host.wake()
    host.do(seat, SayWord("set", 0), clock.now_s)
    clock.now_s += 2
    host.go(seat)
    clock.now_s += 3600
    host.wake()
    host.come(seat)
    host.wake()
    shown = host.showing(seat)[1]
    assert [one["score"] for one in shown["players"]] == [0, 0]
    assert shown["clock"]["left_s"] == pytest.approx(3.0, abs=0.2)
    host.close()


def test_the_name_of_a_simple_player_is_taken(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as page:
        begin(page, "set", 1, 1)
        with here.connect() as socket:
            socket.send(json.dumps({"type": "hello", "code": here.host.seats.code, "name": "Bot 0"}))
            assert json.loads(socket.recv())["why"] == "name"
        with here.page(code=here.host.seats.code, name="Cy") as phone:
            assert phone.refused("hello", name="Bot 0") == "name"
            assert phone.refused("hello", name="bot 0") == "name"


def summaries(last_s: Sequence[float]) -> list[Summary]:
    return [
        Summary(at + 1, "set", "{}", ("Ann",), (), Origin.VIRTUAL, ends_s - HOUR_S, ends_s, 2, (1,), True, True)
        for at, ends_s in enumerate(last_s)
    ]


@pytest.mark.parametrize(
    ("last_h", "evening"),
    [([], []), ([0], [1]), ([0, 2, 7], [3, 2, 1]), ([0, 1, 8, 9], [4, 3]), ([0, 1, 170], [3]), ([9, 0, 8], [1, 3])],
)
def test_an_evening_ends_where_nobody_plays_for_hours(last_h: list[float], evening: list[int]) -> None:
    assert [one.id for one in last_evening(summaries([hour * HOUR_S for hour in last_h]))] == evening


def test_seats_of_another_version_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "seats.json"
    code = Seats(path).code
    kept = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**kept, "strengths": [["Bot", 3]], "camera": None}), encoding="utf-8")
    assert Seats(path).code == code
    assert Seats(path).kept == KeptSeats(code, kept["host"])


def test_what_lies_before_the_camera_when_a_game_is_played_again_is_of_the_game_before(host: Host) -> None:
    def is_again() -> bool:
        table = host.table
        assert isinstance(table, CameraTable)
        return table._director._game._is_again

    number = begun(host, "sets-dice", people("Ann", "Bo"), camera="1")
    first = is_again()
    host.again()
    second = is_again()
    begun(host, "set", people("Ann", "Bo"), camera="1")
    assert (first, second, is_again()) == (False, True, False)
    host.resume(number)  # closed before the first throw, and opened again
    assert is_again()


def test_names_that_differ_in_case_alone_are_of_one_person_until_a_match_has_both(host: Host) -> None:
    first = host.hello(None, "Ann", host.seats.code, False)
    host.come(first)
    with pytest.raises(RequestError, match="name"):
        host.hello(None, "ann", host.seats.code, False)
    assert host.rename(first, "ANN").name == "ANN", "whoever is alone may write it otherwise"
    begun(host, "set", people("Ann", "ann"))
    seats = [host.hello(None, name, host.seats.code, False) for name in ("ann", "Ann")]
    assert [host.player_of(seat) for seat in seats] == [1, 0]
    for seat in seats:
        host.come(seat)
    assert [host.hello(seat.token, seat.name, None, False) for seat in seats] == seats


def test_names_that_differ_in_spaces_alone_are_of_one_person(host: Host) -> None:
    with pytest.raises(RuleError, match="different names"):
        host.begin(BeginMatch("set", people("Bo B", " Bo   B")))
    begun(host, "set", people("Ann", "Bo \u00a0 B"))
    seat = host.hello(None, "bo  b ", host.seats.code, False)
    assert (seat.name, host.player_of(seat)) == ("Bo B", 1)
    with pytest.raises(RequestError, match="name"):
        host.rename(seat, "  ")


def test_who_joins_by_a_name_in_another_case_is_who_plays_and_no_simple_player(host: Host) -> None:
    begun(host, "set", [*people("Ann", "Bo"), PlayerWanted("Bot", is_bot=True)])
    seat = host.hello(None, "BO", host.seats.code, False)
    assert (seat.name, host.player_of(seat)) == ("Bo", 1)
    with pytest.raises(RequestError, match="name"):
        host.hello(None, "bot", host.seats.code, False)
