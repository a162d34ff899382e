"""What can be known of a match that is resumed: what happened, and what pieces that are hardly read were when it stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from visionset.games.base import Event
from visionset.games.correction import Mended
from visionset.games.game import History
from visionset.pieces import Piece
from visionset.referee.sightings import is_doubtful
from visionset.table import Sighting


def steps(history: History) -> Iterator[tuple[Any, Event, Any]]:
    """Each event that stands, with the states before and after it; what a dispute changed besides is none."""
    states = (*history.before, history.state)
    every = zip(history.before, history.standing, states[1:], strict=True)
    return (one for one in every if not isinstance(one[1], Mended))


def as_before(
    sightings: Iterable[Sighting],
    pieces: Iterable[Piece],
    sure: float,
    perhaps: Iterable[Piece] = (),
    may_be: Callable[[Sighting, Piece], bool] = lambda one, piece: True,
) -> dict[int, Piece]:
    """Take pieces that are hardly read for those that the game has there and nobody sees; by track, where it is clear which is which.

    A piece that is read with the confidence `sure`, 0 to 1, is what it is read as. Nothing is taken for what may lie there besides
    (`perhaps`) that can be what the game has there.
    """
    missing, besides = Counter(pieces), Counter(perhaps)
    doubtful: dict[int, Sighting] = {}
    for one in sorted(sightings, key=lambda one: -one.confidence):
        if one.piece is not None and missing[one.piece] > 0:
            missing[one.piece] -= 1
        elif one.piece is not None and besides[one.piece] > 0:
            besides[one.piece] -= 1
        elif one.track is not None and is_doubtful(one, sure):
            doubtful[one.track] = one
    likely = {track: {piece for piece in thought_of(one) if may_be(one, piece)} for track, one in doubtful.items()}
    found = _one_by_one(likely, missing)
    left = missing + besides
    found |= _one_by_one({track: pieces for track, pieces in likely.items() if track not in found}, left)
    left = +left
    if len(left) == 1:
        last = next(iter(left))
        unread = [track for track, one in doubtful.items() if track not in found and one.piece is None and may_be(one, last)]
        if left.total() == len(unread):  # they can be nothing else
            found |= dict.fromkeys(unread, last)
    return found


def have_left(sightings: Iterable[Sighting], pieces: Iterable[Piece], sure: float) -> bool:
    """Whether some of these pieces have left: more are seen nowhere than are read with less than the confidence `sure`, 0 to 1.

    What is hardly read may look like one of those then.
    """
    lying = tuple(sightings)
    hardly_read = [one for one in lying if is_doubtful(one, sure)]
    missing = Counter(pieces) - Counter(one.piece for one in lying if one.piece is not None and not is_doubtful(one, sure))
    return missing.total() > len(hardly_read)


def _one_by_one(likely: Mapping[int, set[Piece]], missing: Counter[Piece]) -> dict[int, Piece]:
    """Take each piece for the only missing one that it may be, where no other may be that one; `missing` shrinks by what is found."""
    found: dict[int, Piece] = {}
    while True:
        still = {track: pieces & set(+missing) for track, pieces in likely.items() if track not in found}
        rivals = Counter(piece for pieces in still.values() for piece in pieces)
        sure_now = {track: next(iter(some)) for track, some in still.items() if len(some) == 1 and rivals[next(iter(some))] == 1}
        if not sure_now:
            return found
        found |= sure_now
        missing.subtract(sure_now.values())


def thought_of(one: Sighting) -> set[Piece]:
    """What the reader makes of a piece, first and second."""
    guess = one.guess
    return set() if guess is None else {guess.piece} if guess.runner_up is None else {guess.piece, guess.runner_up}
