"""Each card is there once: give every reading a card of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats


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
