"""Playing cards and backs: rank and suit of whole cards, corner indices of those that are mostly hidden, all of a table together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, are_convex
from visionset.pieces import PACK, Kind, Rank, Suit
from visionset.table import Sighting
from visionset.vision.engine import log_softmax
from visionset.vision.judging import CLEAR, FEW_PIECES, SURE, Sightings, assign_cards, beside_others, named_sighting
from visionset.vision.options import ReadOptions
from visionset.vision.pack_frames import cards_like, indices_like, own_indices
from visionset.vision.patches import CARD_PATCH, INDEX_PATCH, Pyramid, QuadReadings, ask, asked_twice, refined
from visionset.vision.quads import distances, distinct, inside, long_sides, on_edges, widened

_RANKS, _SUITS = list(Rank), list(Suit)
_RANK_OF = np.array([_RANKS.index(card.rank) for card in PACK])
_SUIT_OF = np.array([_SUITS.index(card.suit) for card in PACK])
_KINDS = NOTHING, SET_CARD, PLAYING_CARD, CARD_BACK = range(4)
_OF_INDEX = [NOTHING, PLAYING_CARD]
"""`_KINDS` and `_OF_INDEX`: first group of the outputs of the network for cards, and of that for indices. Rank and suit follow."""
_CARD_GROUPS, _INDEX_GROUPS = ((len(first), len(_RANKS), len(_SUITS)) for first in (_KINDS, _OF_INDEX))

_MISLED = 0.02
"""Probability that an index in a card says nothing about it, being misread or of another card."""

_FAN = 3
"""Number of likely indices in a card from which it must surely be one of them; of fewer that differ, it must look most like one of them."""


@dataclass(frozen=True, slots=True, eq=False)
class CardReadings(QuadReadings):
    """What the reader makes of n quads."""

    kind: Floats
    """Probabilities of nothing, a SET card, a playing card, a back. An index is a playing card or nothing. Shape (n, 4)."""
    pack_log: Floats
    """Log probability of each card of `PACK`, given that it is a playing card. Shape (n, 52)."""


Read: TypeAlias = Callable[[Floats], CardReadings]
"""Reads n quads, shape (n, 4, 2)."""


def read_playing_cards(picture: Pyramid, quads: Floats, *, is_gray: bool = False) -> CardReadings:
    """Read n whole cards, shape (n, 4, 2), each beginning at a short side; in a gray picture by the network that tells suits by shape."""
    answers = ask(picture, quads, "card_gray" if is_gray else "card", CARD_PATCH, _CARD_GROUPS)
    kind, rank, suit = answers.log
    return CardReadings(answers.quad_px, answers.shift, np.exp(kind), rank[:, _RANK_OF] + suit[:, _SUIT_OF])


def read_indices(picture: Pyramid, quads: Floats, *, is_gray: bool = False) -> CardReadings:
    """Read n corner indices, shape (n, 4, 2), each beginning at a short side, either way up; in a gray picture as whole cards."""
    answers = ask(picture, quads, "index_gray" if is_gray else "index", INDEX_PATCH, _INDEX_GROUPS)
    there, rank, suit = answers.log
    kind = np.zeros((len(quads), len(_KINDS)))
    kind[:, _OF_INDEX] = np.exp(there)
    return CardReadings(answers.quad_px, answers.shift, kind, rank[:, _RANK_OF] + suit[:, _SUIT_OF])


def join_indices(whole: CardReadings, corners: CardReadings) -> tuple[CardReadings, CardReadings]:
    """Add what indices say to the cards that they belong to; return the cards, and the loose indices, which belong to none of them.

    An index belongs to the card that it lies in; if it lies in several, to the only one that most looks like what the index says. If no
    card does, a surely read index belongs to the only one of them that is in doubt.
    """
    within = inside(corners.quad_px.mean(axis=1), whole.quad_px)
    alike = within & (corners.pack_log.argmax(axis=1)[:, None] == whole.pack_log.argmax(axis=1)[None])
    own = np.where(within.sum(axis=1, keepdims=True) == 1, within, alike & (alike.sum(axis=1, keepdims=True) == 1))
    whole = _told(whole, corners, own)
    doubtful = within & (_sureness(whole) < SURE)[None] & ~alike.any(axis=1, keepdims=True) & ~own.any(axis=1, keepdims=True)
    others = doubtful & (doubtful.sum(axis=1, keepdims=True) == 1) & (_sureness(corners) >= SURE)[:, None]
    return _told(whole, corners, others), corners.pick(~(own | others).any(axis=1))


def _told(whole: CardReadings, corners: CardReadings, own: NDArray[np.bool_]) -> CardReadings:
    """The cards with what indices say added to them; `own`, shape (indices, cards), tells which index belongs to which card."""
    pack_log = whole.pack_log.copy()
    for at, card in np.argwhere(own):
        pack_log[card] += np.logaddexp(corners.pack_log[at], np.log(_MISLED / len(PACK)))
    return replace(whole, pack_log=log_softmax(pack_log))


def without_fans(whole: CardReadings, corners: CardReadings) -> CardReadings:
    """Drop what is several cards in a fan, read as one: likely indices in it differ, and it hardly looks like any of them (`_FAN`)."""
    said = corners.pack_log.argmax(axis=1)
    within = inside(corners.quad_px.mean(axis=1), whole.quad_px) & (_sureness(corners) >= _LOOSE)[:, None]
    kept = np.ones(len(whole), dtype=bool)
    for card in np.flatnonzero(within.sum(axis=0) > 1):
        names, looks = np.unique(said[within[:, card]]), whole.pack_log[card]
        is_many = within[:, card].sum() >= _FAN
        kept[card] = len(names) < 2 or (looks[names].max() >= np.log(SURE) if is_many else looks.argmax() in names)
    return whole.pick(kept)


_SCALES = np.array([1.4, 2.0, 0.7])[:, None, None, None]
"""Factors by which frames of indices that are not surely read are made larger and read again: those of large indices often hold no more
than the rank. Shape (3, 1, 1, 1)."""

_LOOSE = 0.8
"""Probability from which an index counts against a fan, and as a card of its own where it lies in no card that is seen: of those with less
two in five are pips or court dress."""

_BESIDE = 3.0
"""Distance, in long sides of a card, up to which a card is doubtful for a loose index beside it: others may lie under the card. Also the
factor by which a loose index is widened to a place where other indices are looked for."""

_CARD = 6.0
"""Diagonal of a card in long sides of its index: two indices nearer than that which say the same are most likely of one card."""

_STEPS = 2
"""How often indices are looked for a step on from those that were found: cards of a fan or a column lie one step apart."""


def read_pack(read: Read, quads: Floats, options: ReadOptions) -> CardReadings:
    """Read quads, shape (n, 4, 2), as whole cards, again with corrected corners, and upside down too where rank and suit are in doubt."""
    return _asked_twice(read, refined(read, quads, lambda readings: _hopeful(readings, options), options.settled_px))


def read_like_the_others(read: Read, readings: CardReadings, starts: Floats, taken: Floats, options: ReadOptions) -> CardReadings:
    """The readings, and those of frames that lie like the nearest sure card where `starts`, shape (n, 4, 2), led to no card.

    Only where no sure card, back or SET card (`taken`, shape (m, 4, 2)) lies, and `FEW_PIECES` cards are sure: of fewer, most lie in fans,
    where a frame takes in the indices of neighbours.
    """
    sure = readings.pick((_sureness(readings) >= SURE) & are_convex(readings.quad_px))
    sure = sure.pick(distinct(sure.quad_px, np.argsort(-_sureness(sure)), options.overlap))
    lying = np.concatenate([sure.quad_px, readings.quad_px[readings.kind[:, CARD_BACK] >= SURE], taken])
    open_px = starts[~inside(starts.mean(axis=1), lying).any(axis=1)]
    if len(sure) < FEW_PIECES or not len(open_px):
        return readings
    return readings.joined_to(read_pack(read, cards_like(sure.quad_px, open_px), options))


def _asked_twice(read: Read, readings: CardReadings) -> CardReadings:
    """The readings, with playing cards that are not surely read averaged with a reading upside down."""
    rather = readings.kind.argmax(axis=1) == PLAYING_CARD
    return asked_twice(read, readings, rather & (_sureness(readings) < SURE), _mean)


def _mean(one: CardReadings, other: CardReadings) -> CardReadings:
    """The mean probabilities of two readings of the same cards, with the corners of the first."""
    return replace(one, kind=(one.kind + other.kind) / 2, pack_log=np.logaddexp(one.pack_log, other.pack_log) - np.log(2))


def _hopeful(readings: CardReadings, options: ReadOptions) -> NDArray[np.bool_]:
    return readings.kind[:, NOTHING] < 1 - options.maybe


def sight_pack(
    read_index: Read,
    image_bgr: NDArray[np.uint8],
    readings: CardReadings,
    indices: Floats,
    likely: NDArray[np.bool_],
    more: Callable[[Floats], Floats],
    taken: Floats,
    options: ReadOptions,
) -> Sightings:
    """Name playing cards and backs, whole ones and such as show no more than an index.

    `readings` are those of whole cards by `read_pack`; `indices` are quads, shape (n, 4, 2), where indices may lie, and where they `likely`
    do, shape (n,); `more` gives other such quads around places; `taken` are quads of SET cards, where no playing card lies.
    """
    whole, backs = (replace(one, quad_px=on_edges(image_bgr, one.quad_px)) for one in _distinct(readings, taken, options))
    corners = _corners(read_index, own_indices(whole.quad_px[_doubtful(whole)]), options)
    confirmed, _ = join_indices(whole, _likely(corners, options))
    corners = corners.joined_to(_corners(read_index, _open(indices, confirmed, corners), options))
    confirmed, loose = join_indices(whole, _likely(corners, options))
    outside = ~inside(indices.mean(axis=1), whole.quad_px).any(axis=1)
    around = _near(whole, np.concatenate([loose.quad_px, indices[likely & outside]]))
    doubtful_px = whole.quad_px[np.where(around, _doubtful(whole), _doubtful(confirmed))]
    others = more(np.concatenate([doubtful_px, widened(loose.quad_px, _BESIDE)]))
    corners = corners.joined_to(_settled(read_index, _open(others, confirmed, corners), options))
    for _ in range(_STEPS):
        confirmed, loose = join_indices(whole, _likely(corners, options))
        like_the_others = indices_like(loose.quad_px[_sureness(loose) >= SURE], np.concatenate([indices, others]).mean(axis=1))
        found = _settled(read_index, _open(like_the_others, confirmed, corners), options)
        if not len(found):  # nor would the next step find any
            break
        corners = corners.joined_to(found)
    maybe_px = np.concatenate([readings.quad_px[_hopeful(readings, options)], corners.quad_px]).mean(axis=1)
    corners = _likely(corners, options)
    whole, loose = join_indices(without_fans(whole, corners), corners)
    sightings = [
        Sighting(Kind.CARD_BACK, quad, None, float(sure)) for quad, sure in zip(backs.quad_px, backs.kind[:, CARD_BACK], strict=True)
    ]
    pack_log = beside_others(whole.pack_log, options.decks)
    card, sure = assign_cards(pack_log, options.decks)
    sure = sure * whole.kind[:, PLAYING_CARD]
    for quad, log, index, confidence in zip(whole.quad_px, pack_log, card, sure, strict=True):
        sightings.append(named_sighting(quad, PACK, log, int(index), float(confidence), options.min_confidence))
    is_named = sure >= options.min_confidence
    for at in _of_their_own(loose, whole.quad_px[is_named], card[is_named], options.decks):
        index, confidence = int(loose.pack_log[at].argmax()), float(_sureness(loose)[at])
        sightings.append(named_sighting(loose.quad_px[at], PACK, loose.pack_log[at], index, confidence, options.min_confidence))
    return Sightings(sightings, maybe_px)


def _of_their_own(loose: CardReadings, cards_px: Floats, said: NDArray[np.intp], decks: int) -> list[int]:
    """Positions of the loose indices that are cards of their own, surest first.

    Beside named cards in quads `cards_px`, shape (n, 4, 2), whose positions in `PACK` are `said`, shape (n,).
    An index whose card is there as often as there are decks, or nearby, is that card's other corner, or a misread one.
    """
    left = decks - np.bincount(said, minlength=len(PACK))
    places = list(zip(said.tolist(), cards_px.mean(axis=1), long_sides(cards_px), strict=True))
    sure, reach_px, own = _sureness(loose), _CARD * long_sides(loose.quad_px), []
    for at in np.argsort(-sure).tolist():
        card, center = int(loose.pack_log[at].argmax()), loose.quad_px[at].mean(axis=0)
        is_near = any(card == other and np.linalg.norm(center - middle) < reach for other, middle, reach in places)
        if left[card] > 0 and not is_near and sure[at] >= _LOOSE:
            left[card] -= 1
            places.append((card, center, reach_px[at]))
            own.append(at)
    return own


def _doubtful(whole: CardReadings) -> NDArray[np.bool_]:
    """Cards that are not surely read."""
    return _sureness(whole) < CLEAR


def _open(indices: Floats, whole: CardReadings, corners: CardReadings) -> Floats:
    """Of quads of indices, shape (n, 4, 2), those worth reading: in no index that is surely read, and not just in one surely read card."""
    centers = indices.mean(axis=1)
    within = inside(centers, whole.quad_px)
    is_answered = (within.sum(axis=1) == 1) & (within & ~_doubtful(whole)).any(axis=1)
    return np.asarray(indices[~is_answered & ~_known(corners, centers)])


def _near(whole: CardReadings, indices: Floats) -> NDArray[np.bool_]:
    """Which cards are nearer than `_BESIDE` to one of these quads of loose indices; shape (n,)."""
    apart = distances(whole.quad_px.mean(axis=1), indices.mean(axis=1))
    return np.asarray((apart < _BESIDE * long_sides(whole.quad_px)[:, None]).any(axis=1))


def _sureness(whole: CardReadings) -> Floats:
    return np.asarray(whole.kind[:, PLAYING_CARD] * np.exp(whole.pack_log.max(axis=1, initial=-np.inf)))


def _corners(read_index: Read, quads: Floats, options: ReadOptions) -> CardReadings:
    """Readings of quads, shape (n, 4, 2), as indices, and where that is not sure also of larger and smaller frames (`_SCALES`)."""
    corners = _settled(read_index, quads, options)
    middle = quads.mean(axis=1, keepdims=True)
    unknown = ~_known(corners, middle[:, 0])
    others = middle[unknown] + _SCALES * (quads - middle)[unknown]
    return corners.joined_to(_settled(read_index, others.reshape(-1, 4, 2), options))


def _settled(read_index: Read, quads: Floats, options: ReadOptions) -> CardReadings:
    """Readings of quads, shape (n, 4, 2), as indices, with corrected corners; those that hold nothing are left out."""
    found = refined(read_index, quads, lambda readings: _hopeful(readings, options), options.settled_die_px)
    return _asked_twice(read_index, found.pick(_hopeful(found, options)))


def _likely(corners: CardReadings, options: ReadOptions) -> CardReadings:
    """Indices that are sure enough, each once."""
    corners = corners.pick((corners.kind[:, PLAYING_CARD] >= options.min_card) & are_convex(corners.quad_px))
    return corners.pick(distinct(corners.quad_px, np.argsort(-_sureness(corners)), options.overlap))


def _known(corners: CardReadings, centers: Floats) -> NDArray[np.bool_]:
    """Which points, shape (n, 2), lie in an index that is surely read."""
    return np.asarray(inside(centers, corners.quad_px[_sureness(corners) >= CLEAR]).any(axis=1))


def _distinct(readings: CardReadings, taken: Floats, options: ReadOptions) -> tuple[CardReadings, CardReadings]:
    """Playing cards, and backs, that are sure enough, lie on no SET card (`taken`), and each once."""
    sure = readings.kind[:, [PLAYING_CARD, CARD_BACK]].max(axis=1, initial=0)
    keep = (sure >= options.min_card) & are_convex(readings.quad_px)
    readings, sure = readings.pick(keep), sure[keep]
    order = np.argsort(-(sure + np.exp(readings.pack_log.max(axis=1, initial=-np.inf))))
    surest = np.concatenate([np.arange(len(taken)), len(taken) + order]).astype(np.intp)
    kept = distinct(np.concatenate([taken, readings.quad_px]), surest, options.overlap)
    readings = readings.pick(kept[kept >= len(taken)] - len(taken))
    face_up = readings.kind[:, PLAYING_CARD] >= readings.kind[:, CARD_BACK]
    return readings.pick(face_up), readings.pick(~face_up)
