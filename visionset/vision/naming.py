"""From probabilities to sightings: each card is there once, and has a name only when it is sure enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.pieces import Kind, Piece
from visionset.table import Guess, Sighting

SURE = 0.9
"""What is read with this probability, or named with this confidence, is taken for granted where other pieces are judged."""


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


def assign_cards(deck_log: Floats, decks: int) -> tuple[NDArray[np.intp], Floats]:
    """Give n readings cards of k, from log probabilities of shape (n, k), so that no card is given more often than there are decks.

    The surest reading of a card keeps it; another takes its next best card. Their places among the k, and their probabilities, each of
    shape (n,).
    """
    left = np.full(deck_log.shape[1], decks)
    card = np.full(len(deck_log), -1, np.intp)
    waiting = list(range(len(deck_log)))
    open_log = deck_log.copy()
    while waiting:
        best = max(waiting, key=lambda at: float(open_log[at].max()))
        choice = int(open_log[best].argmax())
        card[best] = choice
        waiting.remove(best)
        left[choice] -= 1
        if left[choice] == 0:
            open_log[:, choice] = -np.inf
    return card, np.exp(deck_log[np.arange(len(card)), card])
