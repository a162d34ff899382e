"""Each card is there once: give every reading a card of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats


def assign_cards(deck_log: Floats, decks: int) -> tuple[NDArray[np.intp], Floats]:
    """Give each reading a card so that no card is given more often than there are decks.

    The surest reading of a card keeps it; another takes its next best card, with the confidence of that.

    Parameters
    ----------
    deck_log : ndarray of float64, shape (n, k)
        Log probabilities.
    decks : int
        Copies of each card on the table.

    Returns
    -------
    card : ndarray of intp, shape (n,)
        Places among the k.
    confidence : ndarray of float64, shape (n,)
        Probability of that card.
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
