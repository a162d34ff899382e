"""Which die of the game is which on the table, where some are misread, overlooked or seen twice.

Dice keep their faces while they are moved, so that what the game knows of them stands above a single reading: a die that was
not touched is the die it was, and a misread die is the one whose face nothing else shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from visionset.pieces import SetDie
from visionset.referee.sightings import showing, track_of
from visionset.table import Sighting

SAID = 1.0
"""Confidence of what people said; no reading is believed so much."""


@dataclass(frozen=True, slots=True, eq=False)
class DiceMatch:
    """Dice of the table and of the game, side by side."""

    pairs: tuple[tuple[Sighting, SetDie], ...] = ()
    """Each die with the face that it has in the game; the reading may be another one."""
    extra: tuple[Sighting, ...] = ()
    """Dice that the game does not know."""
    missing: tuple[SetDie, ...] = ()
    """Faces of dice that nobody sees."""

    @property
    def odd(self) -> tuple[tuple[Sighting, SetDie], ...]:
        """The pairs that are read otherwise, or not at all."""
        return tuple((one, face) for one, face in self.pairs if one.piece != face)


def matched(dice: Sequence[Sighting], faces: Sequence[SetDie], known: Mapping[int, SetDie]) -> DiceMatch:
    """Find the die of the game that each die on the table is, by the faces that tracks had when table and game last agreed (`known`).

    Dice that are only believed to be there have tracks below 0, and count where nothing that is seen does.
    """
    left = Counter(faces)
    todo = sorted((one for one in dice if track_of(one) >= 0), key=lambda one: (track_of(one) not in known, track_of(one)))
    pairs: list[tuple[Sighting, SetDie]] = []

    def give(one: Sighting, face: SetDie | None) -> None:
        if face is not None and left[face] and one in todo:
            left[face] -= 1
            todo.remove(one)
            pairs.append((one, face))

    for one in list(todo):
        face = known.get(track_of(one))
        if one.piece is None or one.piece == face:
            give(one, face)
    for one in sorted(todo, key=lambda one: (track_of(one) in known, track_of(one))):
        give(one, one.piece if isinstance(one.piece, SetDie) else None)
    for one in list(todo):
        give(one, known.get(track_of(one)))
    others, rest = list(todo), sorted(left.elements(), key=str)
    unlike = np.array([[unlikeness(one, face) for face in rest] for one in others]).reshape(len(others), len(rest))
    for number, place in zip(*linear_sum_assignment(unlike), strict=True):
        give(others[number], rest[place])
    ghosts = [one for one in dice if track_of(one) < 0]
    todo += ghosts
    for one in ghosts:
        give(one, one.piece if isinstance(one.piece, SetDie) else None)
    return DiceMatch(tuple(pairs), tuple(todo), tuple(left.elements()))


def unlikeness(one: Sighting, face: SetDie) -> int:
    """How far a reading is from a face: 0 where the reader thought of it, 1 to 3 by the traits that differ, 4 where nothing was read."""
    guess = one.guess
    if face == one.piece or (guess is not None and face in (guess.piece, guess.runner_up)):
        return 0
    seen = one.piece if isinstance(one.piece, SetDie) else guess.piece if guess is not None else None
    if not isinstance(seen, SetDie):
        return 4
    return (seen.number != face.number) + (seen.color != face.color) + (seen.shape != face.shape)


def is_likely(one: Sighting, face: SetDie) -> bool:
    """Whether a die that shows this face may have been read as it was: readers err in one trait, hardly ever in two."""
    return unlikeness(one, face) <= 1


def second_thought(one: Sighting, face: SetDie) -> SetDie | None:
    """The face that the reader thought of next for a die that shows `face`; None where there is none, or people said what it is."""
    other = None if one.guess is None or one.confidence >= SAID else one.guess.runner_up
    return other if isinstance(other, SetDie) and other != face else None


class Agreed:
    """How the dice lay when table and game last agreed, and whether a hand has been over the table since."""

    def __init__(self) -> None:
        self.known: dict[int, SetDie] = {}
        self.is_disturbed = True
        self._last: dict[int, Sighting] = {}
        self._new_since: dict[int, float] = {}

    def disturb(self) -> None:
        """A hand is there: what is new may be in it."""
        self.is_disturbed, self._new_since = True, {}

    def agree(self, matches: Sequence[DiceMatch]) -> None:
        """Table and game are of one mind now."""
        self.known = {track_of(one): face for match in matches for one, face in match.pairs}
        self._last = {track_of(one): replace(one, piece=face) for match in matches for one, face in match.pairs}
        self.is_disturbed, self._new_since = False, {}

    def since(self, dice: Sequence[Sighting], now_s: float) -> float:
        """From when on all of these new dice have lain there with no hand about."""
        return max(self._new_since.setdefault(track_of(one), now_s) for one in dice)

    def overlooked(self, match: DiceMatch) -> DiceMatch:
        """Put dice that nobody can have taken, because no hand was there since they were seen, where they were."""
        if self.is_disturbed:
            return match
        found = [(one, one.piece) for one in self.ghosts(match.missing, [match]) if isinstance(one.piece, SetDie)]
        left = Counter(match.missing) - Counter(face for _, face in found)
        return DiceMatch((*match.pairs, *found), match.extra, tuple(left.elements()))

    def ghosts(self, missing: Sequence[SetDie], seen: Sequence[DiceMatch]) -> tuple[Sighting, ...]:
        """Where missing dice lay, as they were seen last."""
        there = {track_of(one) for match in seen for one in (*(one for one, _ in match.pairs), *match.extra)}
        return showing((one for track, one in reversed(self._last.items()) if track not in there), missing)
