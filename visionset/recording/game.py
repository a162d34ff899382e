"""What the events of a recording say: scores over time, and who took which cards when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from visionset.codec import from_json
from visionset.errors import VisionsetError
from visionset.games.base import Event, State
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.games.sets import find_sets
from visionset.pieces import SetCard
from visionset.recording.recording import Recording


@dataclass(frozen=True, slots=True)
class Taking:
    """Three cards that a player picked up: a SET or not."""

    time_s: float
    player: int
    cards: tuple[SetCard, ...]
    is_set: bool


@dataclass(frozen=True, slots=True)
class Story:
    """What happened."""

    players: tuple[str, ...] = ()
    """Names in the order of the seats."""
    scores: tuple[tuple[float, tuple[int, ...]], ...] = ()
    """Time and points of each player whenever they changed, and at the first and the last event."""
    takings: tuple[Taking, ...] = ()
    """In order, those that were taken back left out."""
    trouble: str = ""
    """Why the events could not be followed to the end; empty when they could."""


def story_of(recording: Recording) -> Story:
    """Fold the events of a recording by the rules of its game; without a game there is no story."""
    heading = recording.heading
    if heading.game not in GAMES:
        return Story(heading.players, trouble=f"visionset knows no game {heading.game}" if heading.game else "")
    game = GAMES[heading.game]
    try:
        options = None if heading.game_options is None else from_json(game.options, heading.game_options)
        stack = [History.begin(game, options, heading.players)]  # one for each event that stands, so that undo replays nothing
    except VisionsetError as error:
        return Story(heading.players, trouble=str(error))
    scores: list[tuple[float, tuple[int, ...]]] = []
    times_s: list[float] = []  # of the events that stand
    trouble = ""
    for happening in recording.happenings:
        try:
            if happening.event is not None:
                stack.append(stack[-1].then(game.parse_event(happening.event)))
            elif len(stack) > 1:
                stack.pop()
            history = stack[-1]
            times_s = [*times_s[: len(history.standing)], *[happening.time_s] * (len(history.standing) - len(times_s))]
        except VisionsetError as error:
            trouble = f"the events cannot be followed beyond {happening.time_s:.1f} s: {error}"
            break
        points = tuple(history.state.scores)
        if not scores or scores[-1][1] != points or happening is recording.happenings[-1]:
            scores.append((happening.time_s, points))
    history = stack[-1]
    stood = zip(history.before, history.standing, times_s, strict=True)
    takings = tuple(taking for state, event, time_s in stood for taking in _taken(state, event, time_s))
    return Story(history.players, tuple(scores), takings, trouble)


def _taken(state: State, event: Event, time_s: float) -> Iterator[Taking]:
    """What was taken by an event ``take`` that is judged by SET cards."""
    cards = tuple(piece for piece in state.judged(event) if isinstance(piece, SetCard)) if event.name == "take" else ()
    if cards:
        yield Taking(time_s, getattr(event, "player", 0), cards, bool(find_sets(cards)))
