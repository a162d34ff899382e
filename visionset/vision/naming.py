"""From probabilities to a sighting: the likeliest piece, its runner-up, and a name only when it is sure enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from visionset.geometry import Floats
from visionset.pieces import Kind, Piece
from visionset.table import Guess, Sighting


class Sightings(NamedTuple):
    """What readers make of quads."""

    pieces: list[Sighting]
    """What is seen."""
    maybe_px: Floats
    """Middles of all quads that may hold a piece, whether or not one is seen there. Shape (k, 2)."""


def named_sighting(quad: Floats, pieces: Sequence[Piece], log: Floats, index: int, confidence: float, min_confidence: float) -> Sighting:
    """Name one thing: of the pieces that it can be, the one at `index`, if that is sure enough; their log probabilities have shape (n,)."""
    ranking = np.argsort(-log)[:2]
    second = int(ranking[1] if ranking[0] == index else ranking[0])
    guess = Guess(pieces[index], confidence, pieces[second], float(min(confidence, np.exp(log[second]))))
    kind: Kind = pieces[index].kind
    return Sighting(kind, quad, pieces[index] if confidence >= min_confidence else None, confidence, guess)
