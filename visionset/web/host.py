"""The one table of a server: begins, resumes and leaves matches, and tells everybody who listens.

Longer than most modules: what begins and ends a match, with a camera or without, and what is then shown, must fit each other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from visionset.errors import RequestError, SourceError, VisionsetError
from visionset.games.base import as_name
from visionset.games.game import Game, History
from visionset.games.house import preset_of, with_rule
from visionset.games.registry import GAMES
from visionset.games.virtual.chance import self_dealt
from visionset.messages import Message, at_table
from visionset.piece_svg import Plain
from visionset.report import match_evening, report_page
from visionset.sources import Source
from visionset.store import Album, Match, Origin, Store
from visionset.web.camera_table import CameraTable
from visionset.web.cameras import GIVEN, Cameras
from visionset.web.films import Films
from visionset.web.pictures import Pictures
from visionset.web.played_table import PlayedTable
from visionset.web.round_clock import RoundClock
from visionset.web.seats import AskingPhone, Seat, Seats
from visionset.web.showing import EMPTY, KEYS, Json
from visionset.web.standings import Result, results, standings
from visionset.web.virtual_table import VirtualTable
from visionset.web.wire import (
    AnswerPhone,
    BeginMatch,
    ClockWanted,
    FromPage,
    LeaveMatch,
    LookThrough,
    MakeMove,
    PlayAgain,
    ResumeMatch,
    SayWord,
)

_KEPT_VERSIONS = 400
"""Versions from which a page may still move."""


class Host:
    """The table of a server, and who sits at it.

    Parameters
    ----------
    folder : Path
        Where matches and seats are kept.
    clock : callable
        Seconds that only grow, such as ``time.monotonic``.
    wall : callable
        Seconds since 1970, such as ``time.time``.
    cache : Path, optional
        Folder of what advice takes long to reckon.
    cameras : Cameras, optional
        What pages may see through.

    Notes
    -----
    All methods may be called on any thread. Somebody calls `wake` at `due_s`; a listener is told when that changes.
    """

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float],
        wall: Callable[[], float],
        cache: Path | None = None,
        cameras: Cameras | None = None,
    ) -> None:
        self._clock, self._cache = clock, cache
        self.cameras = cameras or Cameras()
        self._open_store: Callable[[], Store] = lambda: Store(folder / "matches.sqlite3", wall)
        self._store = self._open_store()
        self.seats = Seats(folder / "seats.json", clock)
        self._lacks_camera: SourceError | None = None
        self._films = Films(folder)
        self._lock, self._counting = threading.RLock(), threading.Lock()
        self._listeners: list[Callable[[], None]] = []
        self._table: PlayedTable | None = None
        self._lying_game: str | None = None
        self._instead: str | None = None  # the camera that has taken the place of the match's own
        # above the versions that pages have seen of a server before this one, and small enough for a browser
        self._version = int(wall() * 1000)
        self._shown: dict[int, int] = {}
        self._count = 0
        self._counted: tuple[PlayedTable | None, int, int] = (None, 0, -1)
        self._names: tuple[str, ...] = ()
        self._bots: tuple[str, ...] = ()
        self._asked_about: AskingPhone | None = None
        self._rounds: list[Result] = []
        self._round: RoundClock | None = None
        self._pausing: set[object] = set()

    @property
    def table(self) -> PlayedTable | None:
        """The match that is played."""
        return self._table

    @property
    def pictures(self) -> Pictures | None:
        """What the camera sees now; None without one."""
        view = self._table or self.cameras.start
        return None if view is None else view.pictures

    @property
    def due_s(self) -> float | None:
        """When something happens by itself, by the clock; never while nobody is there: simple players do not go on alone."""
        table, clock = self._table, self._round
        if not self.seats.is_anybody_there:
            return None
        of_table = table.due_s if isinstance(table, VirtualTable) else None
        of_clock = None if table is None or clock is None else clock.due_s
        return min((one for one in (of_table, of_clock, self.seats.asks_until_s) if one is not None), default=None)

    def wake(self) -> None:
        """Let happen what is due by now."""
        table = self._table
        if self._round is not None and self._round.wake():
            self._changed()
        self._ask_about_phone()
        if isinstance(table, VirtualTable):
            table.wake()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Tell somebody about each new version, on any thread; gives what ends that."""
        self._listeners.append(listener)  # without the lock: whoever comes while a camera is opened holds nobody else up
        return lambda: self._listeners.remove(listener)

    def player_of(self, seat: Seat) -> int | None:
        """The player of a seat in the match that is played; None for the host and for those who watch."""
        return self._names.index(seat.name) if not seat.is_host and seat.name in self._names else None

    def showing(self, seat: Seat | None) -> tuple[int, Json]:
        """The state as a seat sees it, with its version."""
        with self._counting:
            table, present = self._table, self.seats.present
            while True:
                of_the_table = 0 if table is None else table.version
                shown = {**EMPTY} if table is None else table.showing(None if seat is None else self.player_of(seat))
                if table is None or of_the_table == table.version:
                    break
            key = table, of_the_table, self._count
            if key != self._counted:
                self._counted, self._version = key, self._version + 1
                self._shown[self._version] = of_the_table
                self._shown.pop(self._version - _KEPT_VERSIONS, None)
            if table is None:
                guests = [_guest(name, place) for place, name in enumerate(sorted(present))]
                shown |= {"players": guests, "camera": self.cameras.shown()}
            else:
                shown = {**shown, "players": [{**one, "is_connected": one["name"] in present} for one in shown["players"]]}
                clock = self._round
                shown["round_clock"] = None if clock is None else clock.showing()
            if seat is not None and seat.is_host:
                shown |= {"asking_phone": _asking(self.seats.asking), "lacks_phone": self.cameras.lacks_phone}
                if table is None and self._lacks_camera is not None:
                    shown["notice"] = at_table(self._lacks_camera)
            rounds, players = self._rounds, shown["players"]
            if shown["page"] == "over":  # it is among the rounds as soon as it is left
                rounds = [*rounds, ([one["name"] for one in players], [one["score"] for one in players], shown["over"]["winners"])]
            return self._version, {**shown, "standings": standings(rounds)}

    def _refuse_bots(self, name: str | None) -> None:
        if name in self._bots:
            raise RequestError("name", Message("web.refused.name", name=name))

    def hello(self, token: str | None, name: str | None, code: str | None, is_near: bool) -> Seat:
        """Give a seat to who comes: the host's to whoever is at this machine and shows no code, another to whoever shows the code.

        Raises
        ------
        RequestError
            Neither secret nor code is right, or somebody of that name is there.
        """
        seat = self.seats.seat_of(token)
        name = None if name is None else self._as_played(name, seat)
        self._refuse_bots(name)
        if seat is None:
            if self.seats.is_code(code):
                seat = self.seats.new_seat(name or "")
            elif is_near and code is None:
                seat = self.seats.host_seat()
            else:
                raise RequestError("code", Message("web.refused.code"))
        elif name is not None:
            seat = self.seats.named(seat, name)
        return seat

    def _as_played(self, name: str, seat: Seat | None) -> str:
        """The name as others have it who play or are there: who joins as "ann" is the Ann who plays, unless an ann plays too."""
        known = (*self._names, *(self.seats.present - {seat.name if seat else ""}))
        if name in known:
            return name
        folded = as_name(name)
        if not folded:
            raise RequestError("name", Message("web.refused.empty_name"))
        return next((one for one in known if as_name(one).casefold() == folded.casefold()), folded)

    def rename(self, seat: Seat, name: str) -> Seat:
        """Give a seat another name; raises `RequestError` where somebody of that name is there."""
        name = self._as_played(name, seat)
        self._refuse_bots(name)
        named = self.seats.named(seat, name)
        self._changed()
        return named

    def come(self, seat: Seat) -> None:
        """Somebody's socket is there."""
        self.seats.connected(seat, 1)
        self._let_time_pass()
        self._changed()

    def go(self, seat: Seat, page: object = None) -> None:
        """Somebody's socket is gone, and with it what lay over the table of this page."""
        self.seats.connected(seat, -1)
        self._pausing.discard(page)
        self._let_time_pass()
        self._changed()

    def _let_time_pass(self) -> None:
        """Time passes while somebody is there and no page of the host asks it to stand."""
        if isinstance(table := self._table, VirtualTable):
            table.pause(bool(self._pausing) or not self.seats.is_anybody_there)

    def do(self, seat: Seat, message: FromPage, at_s: float | None = None, page: object = None) -> None:
        """Do what a page asks for, of which the host may have several; raises `VisionsetError` with the reason."""
        if isinstance(message, BeginMatch | ResumeMatch | PlayAgain | LeaveMatch | LookThrough | AnswerPhone) and not seat.is_host:
            raise RequestError("host", Message("web.refused.host"))
        if isinstance(message, SayWord) and message.what in ("pause", "go_on") and seat.is_host:
            (self._pausing.add if message.what == "pause" else self._pausing.discard)(page)
            message = SayWord("pause" if self._pausing else "go_on")  # as long as one page wants it
        match message:
            case BeginMatch():
                self.begin(message)
            case PlayAgain():
                self.again(message.match)
            case ResumeMatch():
                self.resume(message.match)
            case LeaveMatch():
                self.leave()
            case LookThrough():
                self.look(message.camera)
            case AnswerPhone():
                self.seats.answer_phone(message.number, message.is_allowed)
                self._ask_about_phone()
            case _:
                table, player = self._table, self.player_of(seat)
                if table is None and isinstance(message, SayWord) and message.what in ("pause", "go_on"):
                    return  # what lay over the table is closed by its leaving
                if table is None:
                    raise RequestError("no_match", Message("web.refused.no_match"))
                if player is None and not seat.is_host:
                    raise RequestError("seat", Message("web.refused.watching"))
                if isinstance(message, MakeMove):
                    message = MakeMove(self._shown.get(message.version, -1), message.choice, message.values)
                if isinstance(message, SayWord) and not seat.is_host and message.player not in (None, player):
                    others = self._names[message.player] if message.player < len(self._names) else message.player
                    raise RequestError("seat", Message("web.refused.seat", name=others))
                table.do(player, message, at_s)

    def begin(self, wanted: BeginMatch) -> None:
        """Begin a match; raises `VisionsetError` where the game, its house rules or the players do not fit.

        Nothing happens where another page begins one meanwhile, whose camera may take a while to open.
        """
        before = self._table
        if wanted.game not in GAMES:
            raise RequestError("game", Message("web.refused.game", games=tuple(GAMES)))
        game = GAMES[wanted.game]
        names = tuple(as_name(one.name) for one in wanted.players)
        if not all(names):
            raise RequestError("name", Message("web.refused.empty_name"))
        bots = tuple(name for name, one in zip(names, wanted.players, strict=True) if one.is_bot)
        options = _options(game, wanted)
        history = History.begin(game, self_dealt(game, options) if wanted.camera is None else options, names)
        strengths: dict[str, int] = {name: one.strength for name, one in zip(names, wanted.players, strict=True) if one.is_bot}
        if wanted.camera is not None and bots:
            raise RequestError("camera", Message("web.refused.camera_bots"))
        with self._lock:
            if self._table in (None, before):
                self._begin(history, bots, strengths, wanted.camera, wanted.film, wanted.round_clock, wanted.seed)

    def again(self, after: int | None = None) -> None:
        """Begin the game of the last match once more: the same people, house rules, strengths, camera and clock of the round.

        Nothing happens where it was to come `after` a match and another page has begun it already.

        Raises
        ------
        VisionsetError
            There was none, or it does not fit any more.
        """
        with self._lock:
            number = self.seats.kept.match
            if number is None:
                raise RequestError("no_match", Message("web.refused.no_match"))
            if after not in (None, number):
                return
            match, begun, clocks = self._store.load(number), self.seats.begun(number), dict(self.seats.kept.clocks)
            history = History.begin(match.history.game, match.history.options, match.history.players)
            clock = ClockWanted(clocks[number]) if number in clocks else None
            is_filmed = self._films.is_filmed(number)
            camera = self._instead or self._camera_of(match)
            self._begin(history, match.summary.bots, dict(begun.strengths), camera, is_filmed, clock)

    def _begin(
        self,
        history: History,
        bots: tuple[str, ...],
        strengths: dict[str, int],
        camera: str | None,
        is_filmed: bool,
        clock: ClockWanted | None,
        seed: int | None = None,
    ) -> None:
        if is_filmed:
            self._films.make_folder()
        with self._lock:
            self._close()
            try:
                with self._opened(camera, history.game.name) as source:
                    match = self._store.begin(history, bots, Origin.VIRTUAL if source is None else Origin.CAMERA, seed)
                    self.seats.begin(match.id, strengths, camera)
                    if clock is not None:
                        self.seats.begin_clock(match.id, clock.limit_s)
                    self._play(match, source, is_filmed)
            except VisionsetError:
                if self.seats.kept.match is not None:  # or the next page that comes would bring back what was played before
                    self.seats.leave()
                raise

    def resume(self, number: int) -> None:
        """Go on with a match, unless it is on the table already; raises `VisionsetError` for one that is closed."""
        with self._lock:
            if self._table is not None and number == self.seats.kept.match:
                return
            match = self._store.load(number)
            if match.is_closed:
                raise RequestError("match", Message("web.refused.finished", number=number))
            looked = self.cameras.looked
            self._close()
            camera = None if match.summary.is_finished else self._camera_of(match, looked)
            if camera is not None and looked is not None and self.cameras.is_away(camera):
                camera = looked
            try:
                self._go_on(match, camera)
            except SourceError:  # its own camera is away: people look through another, and see the table there
                if looked in (None, camera):
                    raise
                self._go_on(match, looked)

    def _go_on(self, match: Match, camera: str | None) -> None:
        """Go on with a match before a camera; it stays the match of the one that it was begun with, for when that is there again."""
        with self._opened(camera, match.history.game.name) as source:
            begun = self.seats.begun(match.id)
            is_own = begun.camera is not None and self.cameras.knows(begun.camera)
            own = begun.camera if is_own else camera or begun.camera
            self.seats.begin(match.id, dict(begun.strengths), own)
            self._instead = camera if camera != own else None
            self._play(match, source, self._films.is_filmed(match.id), is_resumed=True)

    def leave(self) -> None:
        """Back to the start; the match stays in the store."""
        with self._lock:
            self._close()
            self.seats.leave()
            self._lacks_camera = None
            self._names = self._bots = ()
            if self.cameras.is_given:
                self._changed()  # the start page is there while the camera is opened
                with suppress(VisionsetError):  # it is told when a match is begun with it
                    self.cameras.look(GIVEN, self._changed)
            self._changed()

    def look(self, camera: str | None) -> None:
        """Try a camera on the start page, or give it back where none is named; raises `VisionsetError` where that does not go."""
        with self._lock:
            if self._table is not None:
                raise RequestError("camera", Message("web.refused.camera_in_use"))
            if camera is None:
                self.cameras.leave()
            else:
                self.cameras.look(camera, self._changed)
            self._changed()

    def ask_for_camera(self, name: str, address: str) -> str:
        """Ask the host whether a phone may be the camera: the phone's secret; raises `RequestError` where too many wait."""
        token = self.seats.ask_camera(name, address)
        self._ask_about_phone()
        return token

    def hear_phone(self, token: str) -> None:
        """A phone that waits for the host's word is still there; the question about one that is gone goes."""
        self.seats.hear_phone(token)
        self._ask_about_phone()

    def _ask_about_phone(self) -> None:
        asked, self._asked_about = self._asked_about, self.seats.asking
        if asked is not self._asked_about:
            self._changed()

    def report(self, number: int, plain: Plain | None = None) -> str:
        """The report of a match, with its pictures where a camera saw it; raises `StoreError` where there is none of this number."""
        with self._lock:
            match, pictures = self._store.load(number), Album(self._store.path, number).read()
        return report_page(match_evening(match, pictures), plain)

    def videos(self, number: int) -> tuple[Path, ...]:
        """The video files of a match; none of the one that is filmed just now."""
        return () if self._table is not None and number == self.seats.kept.match else self._films.videos(number)

    def matches(self) -> list[Json]:
        """All matches in the store, the newest first."""
        with self._lock:
            return [
                {
                    "id": one.id,
                    "game": one.game,
                    "title": GAMES[one.game].title if one.game in GAMES else one.game,
                    "players": list(one.players),
                    "bots": list(one.bots),
                    "scores": list(one.scores),
                    "is_finished": one.is_finished,
                    "is_camera": one.origin is Origin.CAMERA,
                    "films": len(self.videos(one.id)) if one.origin is Origin.CAMERA else 0,
                    "at": datetime.fromtimestamp(one.last_s).isoformat(sep=" ", timespec="minutes"),
                }
                for one in self._store.summaries()
            ]

    def close(self) -> None:
        """Close the store; what is played stays in it, and goes on when the server is started again."""
        with self._lock:
            table, self._table = self._table, None
            if table is not None:
                table.close()
            self.cameras.leave()
            self._store.close()

    def resume_kept(self) -> None:
        """Go on with the match that was played when the server ended, whichever way it ended; takes as long as its camera, or another's."""
        with self._lock:
            kept = self.seats.kept.match
            if self._table is None and kept is not None and self._lacks_camera is None:
                try:
                    self.resume(kept)
                except SourceError as error:  # its camera is away: the start page says so and lists it, and the next start goes on with it
                    self._lacks_camera = error.with_traceback(None)
                    self._changed()
                except VisionsetError:  # over, deleted or damaged: the start page lists what there is
                    self.seats.leave()

    def _camera_of(self, match: Match, looked: str | None = None) -> str | None:
        """The camera of a match: the one it was played before, the one that is tried, the given one, or the first; None without one."""
        if match.summary.origin is Origin.VIRTUAL:
            return None
        known = (one for one in (self.seats.begun(match.id).camera, looked) if one is not None and self.cameras.knows(one))
        return next(known, GIVEN if self.cameras.is_given else "0")

    @contextmanager
    def _opened(self, camera: str | None, game: str) -> Iterator[Source | None]:
        """The camera of a match that begins or goes on, given back where that fails; None for a match without one."""
        with ExitStack() as stack:
            stack.callback(self._changed)  # what was played or seen before is closed, whatever comes of this
            source = None if camera is None else stack.enter_context(self.cameras.open(camera, game))
            yield source
            stack.pop_all()

    def _play(self, match: Match, source: Source | None, is_filmed: bool = False, is_resumed: bool = False) -> None:
        self._names, self._bots = match.history.players, match.summary.bots
        self._lacks_camera = None
        self._pausing.clear()
        clocks = dict(self.seats.kept.clocks)
        self._round = RoundClock(self._clock, match.history.state.clock_s, clocks[match.id]) if match.id in clocks else None
        table: PlayedTable
        if source is None:
            self.cameras.leave()
            strengths = dict(self.seats.begun(match.id).strengths)
            table = VirtualTable(self._open_store(), match, self._clock, match.seed, strengths, self._cache)
        else:
            film, game = self._films.next_part(match.id) if is_filmed else None, match.history.game.name
            is_again = not match.history.events and (is_resumed or game == self._lying_game)
            table = CameraTable(self._open_store(), match, source, clock=self._clock, film=film, is_again=is_again)
            self._lying_game = game
        table.listen(self._table_changed)
        self._table = table
        self._let_time_pass()
        self._stand_clock()
        self._count_rounds()
        self._changed()

    def _close(self) -> None:
        table, self._table = self._table, None
        self._instead = None
        if table is not None:
            table.close()
            self._count_rounds()

    def _table_changed(self) -> None:
        self._stand_clock()
        self._tell()

    def _stand_clock(self) -> None:
        if self._round is not None and self._table is not None:
            self._round.stand(self._table.is_resting)

    def _changed(self) -> None:
        self._count += 1
        self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def _count_rounds(self) -> None:
        shown = None if self._table is None else self.seats.kept.match  # its end is added to these as long as it is shown
        with suppress(VisionsetError):  # a match is damaged: what stood before stands
            self._rounds = results(self._store, self.seats.kept.evening, shown)


def _guest(name: str, place: int) -> Json:
    told = {"name": name, "score": 0, "key": KEYS[place] if place < len(KEYS) else "", "is_bot": False, "is_connected": True}
    return {**told, "sits_out": False, "is_due": False, "has_called": False}


def _asking(phone: AskingPhone | None) -> Json | None:
    return None if phone is None else {"number": phone.number, "name": phone.name, "address": phone.address}


def _options(game: Game, wanted: BeginMatch) -> Any:
    options = preset_of(game, wanted.preset)
    for name, value in wanted.house.items():
        options = with_rule(game, options, name, int(value) if isinstance(value, float) and value.is_integer() else value)
    return options
