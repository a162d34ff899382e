"""Beliefs: what a piece may be, as log probabilities pooled over readings."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, log
from typing import TypeAlias

from visionset.kinds import KIND_SPECS
from visionset.pieces import Kind, Piece
from visionset.table import Guess, Sighting

TopFace: TypeAlias = Piece | Kind
"""What lies uppermost: a piece, or `Kind.CARD_BACK`, which shows no piece."""

FACES: Mapping[Kind, int] = {kind: max(len(spec.faces), 1) for kind, spec in KIND_SPECS.items()}
"""How many different faces each kind has."""

SURE_AT_MOST = 0.98
"""No single reading is believed more than this: one glare can make a reader sure of the wrong thing."""


@dataclass(frozen=True)  # no slots: probabilities are asked for again and again, and kept
class Belief:
    """Log probabilities of the faces of a piece, not normalised, added up over some looks; probabilities come from their mean.

    Looks of one camera under one lamp err together: a hundred of them are no surer than one, but one that errs alone is outvoted by how
    sure the others are.
    """

    kind: Kind
    logs: Mapping[TopFace, float] = field(default_factory=dict)
    """Sum of log probabilities, for each face that any reading guessed, first or second."""
    other_log: float = 0.0
    """The same for each single face that no reading guessed."""
    weight: float = 0.0
    """Number of looks in the sums."""

    @staticmethod
    def of(sighting: Sighting) -> Belief:
        """The belief of one reading. A sighting without a guess says only that a piece is there, and has no weight."""
        faces = FACES[sighting.kind]
        if sighting.kind is Kind.CARD_BACK:
            return Belief(sighting.kind, {Kind.CARD_BACK: 0.0}, 0.0, 1.0)
        guess = sighting.guess or (Guess(sighting.piece, sighting.confidence) if sighting.piece is not None else None)
        if guess is None:
            return Belief(sighting.kind)
        first = min(max(guess.confidence, 1 / faces), SURE_AT_MOST)
        if guess.runner_up is None:
            other = max(1 - first, 1 - SURE_AT_MOST) / (faces - 1)
            return Belief(sighting.kind, {guess.piece: log(first)}, log(other), 1.0)
        second = min(guess.runner_up_confidence, 1 - first)
        other = max(1 - first - second, 1 - SURE_AT_MOST) / (faces - 2)
        return Belief(sighting.kind, {guess.piece: log(first), guess.runner_up: log(max(second, other))}, log(other), 1.0)

    @staticmethod
    def pooled(beliefs: Sequence[Belief], most: float) -> Belief:
        """Join beliefs about one piece: sums add up, and are scaled down to the weight of `most` looks where there are more.

        Beliefs of other kinds than the one with the greatest weight are left out.
        """
        kinds = dict.fromkeys(belief.kind for belief in beliefs)
        kind = max(kinds, key=lambda one: sum(belief.weight for belief in beliefs if belief.kind is one))
        chosen = [belief for belief in beliefs if belief.kind is kind]
        faces = dict.fromkeys(face for belief in chosen for face in belief.logs)
        weight = sum(belief.weight for belief in chosen)
        share = min(1.0, most / weight) if weight else 1.0
        logs = {face: share * sum(belief.logs.get(face, belief.other_log) for belief in chosen) for face in faces}
        return Belief(kind, logs, share * sum(belief.other_log for belief in chosen), share * weight)

    def after(self, penalty: Mapping[TopFace, float]) -> Belief:
        """The belief of one look, the mean of all, with some faces less likely by a log factor each (0 or below)."""
        faces = dict.fromkeys([*self.logs, *(face for face in penalty if not isinstance(face, Kind) and face.kind is self.kind)])
        share = self._mean
        logs = {face: share * self.logs.get(face, self.other_log) + penalty.get(face, 0.0) for face in faces}
        return Belief(self.kind, logs, share * self.other_log, 1.0)

    @property
    def _mean(self) -> float:
        return 1 / self.weight if self.weight else 1.0

    @cached_property
    def ranked(self) -> tuple[tuple[TopFace, float], ...]:
        """Faces in `logs` with their probabilities, likeliest first."""
        if not self.logs:
            return ()
        share = self._mean
        highest = max(*self.logs.values(), self.other_log)
        others = (FACES[self.kind] - len(self.logs)) * exp(share * (self.other_log - highest))
        odds = {face: exp(share * (value - highest)) for face, value in self.logs.items()}
        total = others + sum(odds.values())
        return tuple(sorted(((face, one / total) for face, one in odds.items()), key=lambda one: (-one[1], str(one[0]))))

    def agreement(self, other: Belief) -> float:
        """Probability that both pieces show the same face: the sum over all faces of the product of both probabilities."""
        if self.kind is not other.kind:
            return 0.0
        if self.kind is Kind.CARD_BACK:
            return 1.0
        (here, here_else), (there, there_else) = self.shares, other.shares
        only_there = [share for face, share in there.items() if face not in here]
        named = sum(share * there.get(face, there_else) for face, share in here.items()) + here_else * sum(only_there)
        return named + (FACES[self.kind] - len(here) - len(only_there)) * here_else * there_else

    def probability(self, face: TopFace) -> float:
        """Probability of one face, 0 to 1."""
        named, other = self.shares
        return named.get(face, other)

    @cached_property
    def shares(self) -> tuple[Mapping[TopFace, float], float]:
        """Probabilities of the faces in `logs`, and of each single other face."""
        if not self.logs:
            return {}, 1 / FACES[self.kind]
        named = dict(self.ranked)
        left = max(1, FACES[self.kind] - len(named))
        return named, max(0.0, 1 - sum(named.values())) / left

    @property
    def top(self) -> tuple[TopFace | None, float]:
        """The likeliest face and its probability; (None, 0) when nothing was ever guessed."""
        return self.ranked[0] if self.ranked else (None, 0.0)

    def guess(self, named: Container[TopFace] | None = None) -> Guess | None:
        """The likeliest piece and the next, for asking, among the faces `named`, or all; None for a back or where nothing was guessed."""
        pieces = [(face, share) for face, share in self.ranked if not isinstance(face, Kind) and (named is None or face in named)]
        return Guess(*pieces[0], *(pieces[1] if len(pieces) > 1 else ())) if pieces else None
