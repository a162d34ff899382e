"""A match before a camera, refereed, with the face of a table that pages play at: what people say goes in, the state comes out.

Longer than most modules: what pages may say to a match and what they are told of it are read together.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

import msgspec
import numpy as np

from visionset.errors import RecordError, RequestError
from visionset.games.base import Choice, State
from visionset.games.game import History
from visionset.games.virtual.chance import deadline
from visionset.messages import Message
from visionset.referee.news import News
from visionset.referee.player_input import (
    Answer,
    AskHint,
    CallSet,
    Dispute,
    GameIsRight,
    Move,
    Next,
    NoSet,
    Said,
    TableIsRight,
    Undo,
)
from visionset.referee.rulings import Exhibit, Wait
from visionset.referee.shown import Showing
from visionset.session import Session, SessionOptions, Snapshot, tracker_of
from visionset.session.recorded import recording_in
from visionset.session.refereed import (
    KeptMatch,
    calibrated,
    director_of,
    for_game,
    kept_zones,
    referee_of,
    zones_path,
)
from visionset.sources import Source
from visionset.store import Album, Match, Store
from visionset.tracking import TableTracker
from visionset.web.camera_showing import SHARE_DIGITS, camera_json, exhibit_json, said_choices, showing_json, zones_json
from visionset.web.camera_view import CameraView, guarded
from visionset.web.films import begun_film, finish_film
from visionset.web.in_languages import InLanguages
from visionset.web.showing import EMPTY, Json, choices_by_id, history_json, rank_json
from visionset.web.wire import FromPage, MakeMove, MoveZones, SayWord

_LOG = logging.getLogger(__name__)

_SIDES: dict[str, type[TableIsRight | GameIsRight]] = {"table": TableIsRight, "game": GameIsRight}
"""Which side of a difference is right."""

_WORDS: dict[str, Callable[[], Said]] = {
    "next": Next,
    "undo": Undo,
    "dispute": Dispute,
}
"""What is said without a player or a number."""

_KEPT_OFFERS = 16
"""So many steps back a page may still show: what its buttons were then is known."""

_FOR_THE_HOST = frozenset({*_SIDES, "undo"})
"""What changes the game for all."""


class CameraTable(CameraView):
    """A match before a camera; it owns source and store, and closes them.

    Parameters
    ----------
    store : Store
        For this match alone: events are written by the thread that looks.
    match : Match
        Just begun, or resumed.
    source : Source
        As `open_camera` gives it; one that is not live is looked at frame by frame, as fast as that goes.
    options : SessionOptions
        What lies on the table.
    hints : str
        ``off``, ``free`` or ``cost`` a point each.
    tracker : callable
        Makes what follows the table.
    pace : callable, optional
        Called with each snapshot that a frame brought, before the next frame.
    clock : callable
        Seconds that only grow, by which pages say when something was said.
    film : Path, optional
        Folder of a recording that is made of the match; none is without it, or where it cannot be written.
    is_again : bool
        The pieces of a game before may still lie there as they lay at its end.
    """

    def __init__(
        self,
        store: Store,
        match: Match,
        source: Source,
        options: SessionOptions = SessionOptions(),
        hints: str = "free",
        tracker: Callable[[SessionOptions, bool, ExitStack], TableTracker] = tracker_of,
        pace: Callable[[Snapshot], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
        film: Path | None = None,
        is_again: bool = False,
    ) -> None:
        super().__init__(pace, clock)
        game = match.history.game.name
        with self._stack:
            self._stack.callback(store.close)
            self._stack.enter_context(source)
            wanted = for_game(calibrated(options, source, None, _LOG.info, _LOG.warning), game)
            follower = tracker(wanted, source.is_live, self._stack)
            self._keeper = KeptMatch(store, match)
            self._referee = referee_of(game, hints)
            if self._referee.zones is not None:
                self._referee.zones = kept_zones(self._referee, wanted.profile, _LOG.warning) or self._referee.zones
            self._director = director_of(self._keeper, store, self._referee, follower, _LOG.warning, is_again)
            self._bots = match.summary.bots
            self._album = Album(store.path, match.id)
            seen = self._album.read()
            self._pictured = [[self._named(crop) for crop in seen.get(number, ())] for number in range(len(match.history.standing))]
            self._in_question: dict[Exhibit, str | None] = {}
            self._asked: tuple[int | None, str | None] = None, None
            self._seen: tuple[object, ...] = ()
            watched = guarded(source)
            recorder = None if film is None else begun_film(film, watched, wanted, match.history)
            self._is_filmed = recorder is not None
            session = Session(watched, follower, self._director, wanted, _LOG.warning)
            if recorder is not None:
                self._stack.callback(finish_film, recorder)
                session.listen(recording_in(recorder))
                session.watch_over(recorder)
            self._stack = self._stack.pop_all()
        self._offered: tuple[tuple[int, Mapping[str, Choice]], ...] = ()
        self._game = self._of_game(match.history)
        self._publish(self._game)
        self._start(session)

    @property
    def match(self) -> Match:
        """The match as the store has it."""
        return self._keeper.match

    @property
    def is_resting(self) -> bool:
        """Whether the match is over; at a table of wood people play on whatever lies over the page."""
        return bool(self.match.history.state.is_over)

    def do(self, seat_player: int | None, message: FromPage, at_s: float | None = None) -> None:
        """Pass on what a page says; what the referee refuses is told to all.

        Parameters
        ----------
        seat_player : int or None
            Who says it; None for the host, who may speak for all.
        message : MakeMove, SayWord or MoveZones
            What is said.
        at_s : float, optional
            When, by the clock; None for now.

        Raises
        ------
        VisionsetError
            It makes no sense at this table, or is not for this seat.
        """
        match message:
            case SayWord() | MakeMove() if self.session.snapshot is None:  # it would be done with the first picture, whenever that comes
                raise RequestError("no_picture", Message("web.refused.no_picture"))
            case SayWord():
                self.session.say(self._word(seat_player, message, at_s))
            case MakeMove():
                self.session.say(self._move(seat_player, message, at_s))
            case MoveZones():
                self._rearrange(seat_player, message)
            case _:
                raise RequestError("word", Message("web.refused.word"))

    def showing(self, player: int | None = None) -> Json:
        """The state, the same for everybody; the clock is of now."""
        shown = super().showing(player)
        clock = shown["clock"]
        if clock is None:
            return shown
        left_s = max(0.0, clock["until_s"] - self._director.now_s)
        told = {name: clock[name] for name in ("player", "of_s", "stands")}
        return {**shown, "clock": {**told, "left_s": left_s}}

    def _ended(self) -> None:
        """The match stays in the store, and is closed there where its game is over."""
        self._keeper.close_if_over()

    def _word(self, seat_player: int | None, message: SayWord, at_s: float | None) -> Said:
        what = message.what
        if what in _FOR_THE_HOST and seat_player is not None and len(self.match.history.players) > 1:
            raise RequestError("host", Message("web.refused.host"))
        if what in _SIDES:
            return _SIDES[what](message.asked)
        if what in _WORDS:
            return _WORDS[what]()
        if what in ("pause", "go_on"):  # at a table of wood the time is not ours
            raise RequestError("word", Message("web.refused.word"))
        if what == "answer":
            if message.number is None:
                raise RequestError("values", Message("web.refused.values", fields=(Message("web.number_of_answer"),)))
            return Answer(message.number, message.asked)
        player = message.player if seat_player is None else seat_player
        is_free = what == "hint" and not self._referee.hint_costs  # at the table it is for all
        if player is None and (is_free or len(self.match.history.players) == 1):
            player = 0
        if player is None or not 0 <= player < len(self.match.history.players):
            raise RequestError("seat", Message("web.refused.no_player"))
        if what == "hint":
            return AskHint(player)
        return CallSet(player, self._stream_s(at_s)) if what == "set" else NoSet(player)

    def _move(self, seat_player: int | None, message: MakeMove, at_s: float | None) -> Said:
        history = self.match.history
        then: Mapping[str, Choice] = next((choices for since, choices in self._offered if since <= message.version), {})
        choice = then.get(message.choice)
        if choice is None or choice not in self._choices(history.state):  # two may press the same button, which is another one by then
            raise RequestError("stale", Message("web.refused.stale"))
        if choice.player is not None and seat_player not in (None, choice.player):
            raise RequestError("seat", Message("web.refused.seat", name=history.players[choice.player]))
        if choice.event == "call" and choice.player is not None:
            return CallSet(choice.player, self._stream_s(at_s))
        try:
            return Move(history.game.parse_event(choice.filled(**msgspec.to_builtins(message.values))))
        except RecordError as error:
            raise RequestError("values", Message("web.refused.value", error=str(error))) from error

    def _rearrange(self, seat_player: int | None, message: MoveZones) -> None:
        zones, snapshot = self._referee.zones, self.session.snapshot
        if seat_player is not None:
            raise RequestError("host", Message("web.refused.host"))
        if zones is None or snapshot is None:
            raise RequestError("zones", Message("web.refused.no_zones"))
        size_px, profile = snapshot.frame.size_px, self.session.options.profile
        before = {one["name"]: one["box"] for one in self._zones_json(snapshot) or ()}
        for moved in message.zones:
            if moved.name not in before:
                raise RequestError("zones", Message("web.refused.no_zones"))
            if moved.box is None:
                if moved.name not in self._referee.optional_zones:
                    raise RequestError("zones", Message("web.refused.no_zones"))
                zones = zones.without(moved.name)
                continue
            box = [round(share, SHARE_DIGITS) for share in moved.box]
            if box != before[moved.name]:  # the others keep their exact places
                corners = np.array([box[:2], box[2:]]) * size_px
                (left, top), (right, bottom) = np.sort(zones.measured(corners, size_px, profile), axis=0)
                zones = zones.moved(moved.name, *(round(float(side), SHARE_DIGITS) for side in (left, top, right, bottom)))
        self.session.rearrange(zones)
        zones.save(zones_path(self._referee))

    def _shown(self, snapshot: Snapshot, news: tuple[News, ...]) -> InLanguages:
        history, showing = snapshot.history, snapshot.showing
        assert history is not None
        assert showing is not None
        of_frame = snapshot.table, snapshot.trouble, snapshot.settled.held, snapshot.zones
        stands = self._director.stands or self._is_unfed(snapshot)
        seen = showing, history, stands, *of_frame
        if len(seen) == len(self._seen) and all(one is other or one == other for one, other in zip(seen, self._seen, strict=True)):
            return self._published[1]
        is_same_game = bool(self._seen) and self._seen[1] is history
        self._seen = seen
        if not is_same_game:
            self._game = self._of_game(history)
        self._in_question = {one: self._in_question.get(one) or self._seen_then(one) for one in showing.exhibits}
        exhibits = tuple((one, self._in_question[one]) for one in showing.exhibits)  # equal ones as often as they are asked about
        of_game, clock, asked = self._game, self._clock_json(history, stands), self._picture_asked(showing)
        return InLanguages(
            lambda: {
                **of_game(),
                **showing_json(showing, history.players, asked),
                "exhibits": [exhibit_json(one, picture) for one, picture in exhibits],
                "camera": camera_json(snapshot, showing.marks, showing.remarks),
                "zones": self._zones_json(snapshot),
                "clock": clock,
            }
        )

    def _seen_then(self, one: Exhibit) -> str | None:
        """How a piece looked that is in question; of a die that was thrown since there is no picture of what it showed."""
        return self._kept(one.piece if one.confidence is None else None, one.track)

    def _picture_asked(self, showing: Showing) -> str | None:
        """How the one piece looked that is asked about, where it is no exhibit: the same picture until another is asked about."""
        tracks = () if showing.question is None or showing.exhibits else showing.question.tracks
        track = tracks[0] if len(tracks) == 1 else None
        if self._asked[0] != track or self._asked[1] is None:
            self._asked = track, self._kept(None, track)
        return self._asked[1]

    def _zones_json(self, snapshot: Snapshot) -> list[Json] | None:
        optional, profile = self._referee.optional_zones, self.session.options.profile
        return zones_json(snapshot.zones, snapshot.frame.size_px, profile, self.match.history.players, optional)

    def _of_game(self, history: History) -> InLanguages:
        """The keys that change with what happened alone; the crops of what was taken are kept."""
        for number in range(min(len(self._pictured), len(history.standing)), len(history.standing)):
            pieces = history.judged(number)
            self._pictured[number:] = [[name for piece in pieces if (name := self._kept(piece)) is not None]]
            self._album.keep(number, [self._exhibits[name] for name in self._pictured[number]])
        if len(self._pictured) > len(history.standing):
            del self._pictured[len(history.standing) :]
            self._album.cut(len(history.standing))
        offered = choices_by_id(self._choices(history.state))
        self._offered = ((self.version + 1, offered), *self._offered[: _KEPT_OFFERS - 1])
        pictured, number, heard = tuple(self._pictured), self.match.id, sorted(self._referee.hears(history.state))

        def told() -> Json:
            told = history_json(history, self._bots)
            if told["over"] is not None and history.game.keeps_scores:
                told["over"]["rank"] = rank_json(self._referee.earlier, history, self._bots)
            log = [{**line, "pictures": pictured[line["n"]]} for line in told["log"]]
            told |= {"choices": said_choices(self._choices(history.state)), "log": log}
            return {**EMPTY, **told, "match": number, "is_camera": True, "is_filmed": self._is_filmed, "heard": heard}

        return InLanguages(told)

    def _choices(self, state: State) -> tuple[Choice, ...]:
        """What may be done or called out now."""
        return (*state.legal, *self._referee.calls(state))

    def _is_unfed(self, snapshot: Snapshot) -> bool:
        """Whether no picture comes: no time passes then, which is told, for pages let the time of a caller run by themselves."""
        return not snapshot.is_fresh and bool(self.session.source.trouble)

    def _clock_json(self, history: History, stands: bool) -> Json | None:
        """Whose time runs, and until when by the match's time: the dealer gives back what was none of the caller's."""
        ends, ruling = deadline(history.state), self._director.ruling
        if ends is None:
            return None
        until_s = ends.until_s
        if isinstance(ruling, Wait) and ruling.until_s is not None:
            until_s = ruling.until_s - self._referee.options.settle_s
        return {"player": ends.player, "until_s": until_s, "of_s": ends.until_s - ends.from_s, "stands": stands}
