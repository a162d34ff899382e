"""What the events of a match say: scores over time, every move that counted, who took which cards when, and what lay on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from visionset.codec import from_json
from visionset.errors import VisionsetError
from visionset.games.base import Amend, Event, State
from visionset.games.game import History
from visionset.games.registry import GAMES, SPECS
from visionset.games.sets import find_sets
from visionset.games.view import Spread
from visionset.messages import Message, Words
from visionset.pieces import Piece, SetCard
from visionset.recording import Recording
from visionset.store import EntryKind, Match
from visionset.untrusted import json_of


class Judgement(Enum):
    """What the rules made of a taking."""

    KEPT = "kept"
    SHARED = "shared"
    """A SET that nobody keeps, since another who called at the same time took a card of it too (S6)."""
    WRONG = "wrong"
    """No SET, or too late (S5)."""


@dataclass(frozen=True, slots=True)
class Taking:
    """Three cards that a player picked up, or a call after which there were none."""

    time_s: float
    """When they were picked up."""
    player: int
    cards: tuple[SetCard, ...]
    judgement: Judgement
    number: int = 0
    """Place of the event by which they were picked up, among those that stand."""
    judged_by: int = 0
    """Place of the event with which it was judged: where several called at once, the last of them to take (S6)."""


@dataclass(frozen=True, slots=True)
class Counted:
    """An event that counted: it was judged by pieces, or changed the scores."""

    number: int
    """Place among the events that stand."""
    time_s: float
    event: Event
    pieces: tuple[Piece, ...]
    """By which it was judged."""
    gained: tuple[int, ...]
    """Points that it brought or cost each player."""


@dataclass(frozen=True, slots=True)
class Story:
    """What happened."""

    players: tuple[str, ...] = ()
    """Names in the order of the seats."""
    scores: tuple[tuple[float, tuple[int, ...]], ...] = ()
    """Time and points of each player whenever they changed by events that stand, and at the first and the last event."""
    trouble: Words = ""
    """Why the events could not be followed to the end; empty when they could."""
    history: History | None = None
    """The game; None where none was followed."""
    times_s: tuple[float, ...] = ()
    """Of the events that stand."""
    takings: tuple[Taking, ...] = ()
    """In the order in which they were judged; those that were taken back, or of a call that was agreed to be void, are left out."""

    @property
    def counted(self) -> tuple[Counted, ...]:
        """Every event that stands and counted, in order."""
        if self.history is None:
            return ()
        history, found = self.history, []
        for number, (event, before) in enumerate(zip(history.standing, history.before, strict=True)):
            pieces = history.judged(number)
            gained = tuple(now - then for now, then in zip(history.after(number).scores, before.scores, strict=True))
            if pieces or any(gained):
                found.append(Counted(number, self.times_s[number], event, pieces, gained))
        return tuple(found)

    @property
    def tables(self) -> tuple[tuple[float, tuple[SetCard, ...]], ...]:
        """The SET cards that lie there after each event that stands, as the view of the game shows them, with its time."""
        if self.history is None:
            return ()
        history = self.history
        spec = SPECS[history.game.name]
        found = []
        for number, time_s in enumerate(self.times_s):
            spreads = (part for part in spec.shown(history.after(number)) if isinstance(part, Spread))
            found.append((time_s, tuple(piece for part in spreads for piece in part.pieces if isinstance(piece, SetCard))))
        return tuple(found)


def story_of(recording: Recording) -> Story:
    """Fold the events of a recording by the rules of its game; without a game there is no story."""
    heading = recording.heading
    if heading.game not in GAMES:
        return Story(heading.players, trouble=Message("report.no_such_game", game=heading.game) if heading.game else "")
    game = GAMES[heading.game]
    events = ((one.time_s, one.event) for one in recording.events)
    try:
        options = None if heading.game_options is None else from_json(game.options, heading.game_options)
        return _told(History.begin(game, options, heading.players), events)
    except VisionsetError as error:
        return Story(heading.players, trouble=str(error))


def story_of_match(match: Match) -> Story:
    """Fold the log of a match of the store.

    Times are those of the game where its events have any, else those at which the entries were written.
    """
    return _told(History.begin(match.history.game, match.history.options, match.history.players), _logged(match))


def _logged(match: Match) -> Iterator[tuple[float, Any]]:
    """Each event of a log as JSON, and None where one was taken back, with times that only grow."""
    has_clock = any(event.at_s is not None for event in match.history.events)
    begun_s, last_s = match.entries[0].written_s, 0.0
    for entry in match.entries:
        if entry.kind not in (EntryKind.EVENT, EntryKind.UNDO):
            continue
        event = json_of(entry.data) if entry.data else None
        time_s = (event or {}).get("at_s") if has_clock else entry.written_s - begun_s
        last_s = max(last_s, time_s or 0.0)
        yield last_s, event


def _told(history: History, events: Iterable[tuple[float, Any]]) -> Story:
    game, stack = history.game, [history]  # one for each event that stands, so that undo replays nothing
    times_s: list[float] = []  # of the events that stand
    trouble: Words = ""
    last_s = 0.0
    for last_s, event in events:
        try:
            if event is not None:
                stack.append(stack[-1].then(game.parse_event(event)))
            elif len(stack) > 1:
                stack.pop()
        except VisionsetError as error:
            trouble = Message("report.torn", time=round(last_s, 1), error=str(error))
            break
        history = stack[-1]
        times_s = [*times_s[: len(history.standing)], *[last_s] * (len(history.standing) - len(times_s))]
    history = stack[-1]
    scores: list[tuple[float, tuple[int, ...]]] = []
    for number, time_s in enumerate(times_s):
        points = tuple(history.after(number).scores)
        if not scores or scores[-1][1] != points:
            scores.append((time_s, points))
    if scores and scores[-1][0] != last_s and not trouble:
        scores.append((last_s, tuple(history.state.scores)))
    return Story(history.players, tuple(scores), trouble, history, tuple(times_s), tuple(_takings(history, times_s)))


def _takings(history: History, times_s: Iterable[float]) -> Iterator[Taking]:
    """What was taken by events ``take`` that are judged by SET cards, and calls without any; judged when nobody's call is open any more."""
    shown: dict[int, Taking] = {}  # by player, not judged yet
    for number, (before, event, time_s) in enumerate(zip(history.before, history.standing, times_s, strict=True)):
        if isinstance(event, Amend):
            shown = {player: shown[player] for player in _callers(history.after(number)) if player in shown}
            continue
        player = getattr(event, "player", None)
        cards = tuple(piece for piece in before.judged(event) if isinstance(piece, SetCard)) if event.name == "take" else ()
        if cards or player in _callers(before):  # who has called takes, or gives up
            shown[player or 0] = Taking(time_s, player or 0, cards, Judgement.WRONG, number)
        now = history.after(number)
        if shown and not _callers(now):
            for taking in shown.values():
                gained = now.scores[taking.player] - before.scores[taking.player]
                yield replace(taking, judgement=_judgement(taking.cards, gained, len(shown)), judged_by=number)
            shown = {}


def _callers(state: State) -> tuple[int, ...]:
    """Players whose calls are not judged yet, in a game that has calls."""
    return tuple(claim.player for claim in getattr(state, "claims", ()))


def _judgement(cards: tuple[SetCard, ...], gained: int, several: int) -> Judgement:
    """Judge by the points, which follow from the rules; where there are none, as for a wrong take in solitaire, by the cards."""
    if gained:
        return Judgement.KEPT if gained > 0 else Judgement.WRONG
    if not find_sets(cards):
        return Judgement.WRONG
    return Judgement.SHARED if several > 1 else Judgement.KEPT
