"""Read playing cards: what kind of card lies there, rank and suit, and the corner index of a card that is mostly hidden."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.pieces import PACK, Rank, Suit
from visionset.vision.naming import SURE
from visionset.vision.patches import ask
from visionset.vision.quads import inside
from visionset.vision.rectify import CARD_PATCH, INDEX_PATCH, Halvings
from visionset.vision.rows import QuadReadings

_RANKS, _SUITS = list(Rank), list(Suit)
_RANK_OF = np.array([_RANKS.index(card.rank) for card in PACK])
_SUIT_OF = np.array([_SUITS.index(card.suit) for card in PACK])
_CARD_GROUPS, _INDEX_GROUPS = (4, len(_RANKS), len(_SUITS)), (2, len(_RANKS), len(_SUITS))
NOTHING, SET_CARD, PLAYING_CARD, CARD_BACK = range(4)
"""First group of the card reader's answers."""

_MISLED = 0.02
"""Probability that an index in a card says nothing about it."""

_FAN = 3
"""What looks like one card is a fan where `_FAN` indices in it are surely read and differ; unless the card itself surely looks like one
of them."""


@dataclass(frozen=True, slots=True, eq=False)
class CardReadings(QuadReadings):
    """What the reader makes of n quads."""

    kind: Floats
    """Probabilities of nothing, a SET card, a playing card, a back. An index is a playing card or nothing. Shape (n, 4)."""
    pack_log: Floats
    """Log probability of each card of `PACK`, given that it is a playing card. Shape (n, 52)."""
    quad_px: Floats
    shift: Floats


def read_playing_cards(picture: NDArray[np.uint8] | Halvings, quads: Floats, *, is_gray: bool = False) -> CardReadings:
    """Read n whole cards, shape (n, 4, 2), each beginning at a short side; in a gray picture by the network that knows suits by shape."""
    answers = ask(picture, quads, "card_gray" if is_gray else "card", CARD_PATCH, _CARD_GROUPS)
    kind, rank, suit = answers.log
    return CardReadings(np.exp(kind), rank[:, _RANK_OF] + suit[:, _SUIT_OF], answers.quad_px, answers.shift)


def read_indices(picture: NDArray[np.uint8] | Halvings, quads: Floats, *, is_gray: bool = False) -> CardReadings:
    """Read n corner indices, shape (n, 4, 2), each beginning at a short side, either way up; of a gray picture as whole cards."""
    answers = ask(picture, quads, "index_gray" if is_gray else "index", INDEX_PATCH, _INDEX_GROUPS)
    there, rank, suit = answers.log
    kind = np.zeros((len(quads), 4))
    kind[:, [NOTHING, PLAYING_CARD]] = np.exp(there)
    return CardReadings(kind, rank[:, _RANK_OF] + suit[:, _SUIT_OF], answers.quad_px, answers.shift)


def join_indices(whole: CardReadings, corners: CardReadings) -> tuple[CardReadings, CardReadings]:
    """Let each index speak for the one card that it lies in.

    The cards with what their own indices say, and the loose indices: those in no card, or in several.
    """
    within = inside(corners.quad_px.mean(axis=1), whole.quad_px)
    own = within.sum(axis=1) == 1
    pack_log = whole.pack_log.copy()
    for at in np.flatnonzero(own):
        pack_log[within[at]] += np.logaddexp(corners.pack_log[at], np.log(_MISLED / len(PACK)))
    pack_log -= np.logaddexp.reduce(pack_log, axis=1, keepdims=True)
    return replace(whole, pack_log=pack_log), corners.pick(~own)


def without_fans(whole: CardReadings, corners: CardReadings) -> CardReadings:
    """Drop what is no card but several that lie in a fan: its indices surely differ, and it hardly looks like what one of them says."""
    said = corners.pack_log.argmax(axis=1)
    sure = corners.kind[:, PLAYING_CARD] * np.exp(corners.pack_log.max(axis=1, initial=-np.inf)) >= SURE
    within = inside(corners.quad_px.mean(axis=1), whole.quad_px) & sure[:, None]
    kept = np.ones(len(whole), dtype=bool)
    for card in np.flatnonzero(within.sum(axis=0) >= _FAN):
        names = np.unique(said[within[:, card]])
        kept[card] = len(names) < 2 or whole.pack_log[card, names].max() >= np.log(SURE)
    return whole.pick(kept)
