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
    """Name one thing.

    Parameters
    ----------
    quad : ndarray of float64, shape (4, 2)
        Its outline.
    pieces : sequence of Piece
        What it can be.
    log : ndarray of float64, shape (n,)
        Log probability of each.
    index : int
        Which it is taken for.
    confidence, min_confidence : float
        How sure that is, and how sure it must be to be said.
    """
    ranking = np.argsort(-log)[:2]
    second = int(ranking[1] if ranking[0] == index else ranking[0])
    guess = Guess(pieces[index], confidence, pieces[second], float(min(confidence, np.exp(log[second]))))
    kind: Kind = pieces[index].kind
    return Sighting(kind, quad, pieces[index] if confidence >= min_confidence else None, confidence, guess)
