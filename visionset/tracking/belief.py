"""Belief: what one piece is, as log probabilities pooled over readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, log
from typing import TypeAlias

from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, Piece
from visionset.table import Guess, Sighting

Face: TypeAlias = Piece | Kind
"""What lies uppermost: a piece, or `Kind.CARD_BACK`, which shows no piece."""

FACES: Mapping[Kind, int] = {
    Kind.SET_CARD: len(SET_DECK),
    Kind.SET_DIE: len(SET_DIE_FACES),
    Kind.PIP_DIE: 6,
    Kind.PLAYING_CARD: len(PACK),
    Kind.CARD_BACK: 1,
}
"""How many different faces each kind has."""

DICE = frozenset({Kind.SET_DIE, Kind.PIP_DIE})
"""Kinds that may show any of their faces again after they moved, and of which there are many alike."""

SURE_AT_MOST = 0.98
"""No single reading is believed more than this: one glare can make a reader sure of the wrong thing."""


@dataclass(frozen=True)  # no slots: probabilities are asked for again and again, and kept
class Belief:
    """Log probabilities of faces, not normalised, and how many looks they were added up over.

    Probabilities come from the mean: looks of one camera under one lamp err together, so that a hundred of them are no surer than
    one, but one that errs alone is outvoted by how sure the others are.

    Attributes
    ----------
    kind : Kind
        Sort of piece.
    logs : mapping of Face to float
        Pooled log probability of each face that any reading named.
    other_log : float
        The same of each face that none named.
    weight : float
        How many looks are in it.
    """

    kind: Kind
    logs: Mapping[Face, float] = field(default_factory=dict)
    other_log: float = 0.0
    weight: float = 0.0

    @staticmethod
    def of(sighting: Sighting) -> Belief:
        """What one reading says; a piece that could not even be guessed says only that it is there."""
        faces = FACES[sighting.kind]
        if sighting.kind is Kind.CARD_BACK:
            return Belief(sighting.kind, {Kind.CARD_BACK: 0.0}, 0.0, 1.0)
        guess = sighting.guess or (Guess(sighting.piece, sighting.confidence) if sighting.piece is not None else None)
        if guess is None:
            return Belief(sighting.kind, {}, -log(faces), 1.0)
        even = 1 / faces
        first = min(max(guess.confidence, even), SURE_AT_MOST)
        second = min(guess.runner_up_confidence, 1 - first) if guess.runner_up is not None else 0.0
        named = 1 if guess.runner_up is None else 2
        other = max(1 - first - second, 1 - SURE_AT_MOST) / (faces - named)
        logs: dict[Face, float] = {guess.piece: log(first)}
        if guess.runner_up is not None:
            logs[guess.runner_up] = log(max(second, other))
        return Belief(sighting.kind, logs, log(other), 1.0)

    @staticmethod
    def pooled(beliefs: Iterable[Belief], most: float) -> Belief:
        """Join beliefs about one piece: log probabilities add up; beyond `most` looks all of them fade alike.

        Beliefs about another kind than the weightiest are left out.
        """
        chosen = list(beliefs)
        of_kind: dict[Kind, float] = {}
        for belief in chosen:
            of_kind[belief.kind] = of_kind.get(belief.kind, 0.0) + belief.weight
        kind = max(of_kind, key=lambda one: of_kind[one])
        chosen = [belief for belief in chosen if belief.kind is kind]
        faces = {face for belief in chosen for face in belief.logs}
        weight = sum(belief.weight for belief in chosen)
        share = min(1.0, most / weight) if weight else 1.0
        logs = {face: share * sum(belief.logs.get(face, belief.other_log) for belief in chosen) for face in faces}
        return Belief(kind, logs, share * sum(belief.other_log for belief in chosen), share * weight)

    def scaled(self, weight: float) -> Belief:
        """The same opinion held as strongly as by so many readings."""
        share = weight / self.weight if self.weight else 0.0
        return Belief(self.kind, {face: share * value for face, value in self.logs.items()}, share * self.other_log, weight)

    def after(self, penalty: Mapping[Face, float]) -> Belief:
        """The same with some faces less likely beforehand, by a log factor each (0 or below)."""
        faces = set(self.logs) | {face for face in penalty if not isinstance(face, Kind) and face.kind is self.kind}
        if len(faces) > FACES[self.kind]:
            return self
        share = self._mean
        logs = {face: share * self.logs.get(face, self.other_log) + penalty.get(face, 0.0) for face in faces}
        return Belief(self.kind, logs, share * self.other_log, 1.0)

    @property
    def _mean(self) -> float:
        return 1 / self.weight if self.weight else 1.0

    @cached_property
    def ranked(self) -> tuple[tuple[Face, float], ...]:
        """Faces that were named with their probabilities, likeliest first."""
        if not self.logs:
            return ()
        share = self._mean
        highest = max(*self.logs.values(), self.other_log)
        others = max(0, FACES[self.kind] - len(self.logs)) * exp(share * (self.other_log - highest))
        odds = {face: exp(share * (value - highest)) for face, value in self.logs.items()}
        total = others + sum(odds.values())
        found = [(face, one / total) for face, one in odds.items()]
        return tuple(sorted(found, key=lambda one: (-one[1], str(one[0]))))

    def probability(self, face: Face) -> float:
        """Probability of one face, 0 to 1."""
        named, other = self.shares
        return named.get(face, other)

    @cached_property
    def shares(self) -> tuple[Mapping[Face, float], float]:
        """Probabilities of the faces that were named, and of each other face."""
        if not self.logs:
            return {}, 1 / FACES[self.kind]
        named = dict(self.ranked)
        left = max(1, FACES[self.kind] - len(named))
        return named, max(0.0, 1 - sum(named.values())) / left

    @property
    def top(self) -> tuple[Face | None, float]:
        """The likeliest face and its probability; (None, 0) when nothing was ever guessed."""
        return self.ranked[0] if self.ranked else (None, 0.0)

    def guess(self) -> Guess | None:
        """The likeliest piece and the next, for asking; None for a back or where nothing was guessed."""
        pieces = [(face, share) for face, share in self.ranked if not isinstance(face, Kind)]
        if not pieces:
            return None
        second, share = pieces[1] if len(pieces) > 1 else (None, 0.0)
        return Guess(pieces[0][0], pieces[0][1], second, share)
