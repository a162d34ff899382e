"""Judge what was read beside the rest of the table: how large cards are in its plane, which card each is, which kinds lie there.

Each card is there once, and has a name only when it is sure enough. Under a pinhole camera the inverse depth of a plane is linear in
picture coordinates, and the area of a small patch goes with its cube (Hartley and Zisserman, chapter 8): the cube root of a card's area is
linear across the picture.

A room is full of things that resemble a die or the back of a card a little. Where people say which kind lies there, a
doubtful piece is one that the reader should tell of; where nobody says anything, dice and playing cards are believed if one surely read
piece speaks for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, outlines_of
from visionset.kinds import CARD_FACES, DICE
from visionset.pieces import Kind, Piece, PipDie, SetCard, SetDie
from visionset.table import Guess, Sighting
from visionset.vision.engine import log_softmax
from visionset.vision.quads import areas

SURE = 0.9
"""Probability or confidence from which a reading is taken as right where other pieces are judged by it."""

CLEAR = 0.98
"""The same from which a piece is not read once more, to be surer."""


class Sightings(NamedTuple):
    """What readers make of quads."""

    pieces: list[Sighting]
    """What is seen."""
    maybe_px: Floats
    """Middles of all quads that may hold a piece, whether or not one is seen there. Shape (k, 2)."""


def named_sighting(quad: Floats, pieces: Sequence[Piece], log: Floats, index: int, confidence: float, min_confidence: float) -> Sighting:
    """A sighting guessed as `pieces[index]`, named from `min_confidence` on; `log`, shape (n,), has the log probabilities of all pieces."""
    ranking = np.argsort(-log)[:2]
    second = int(ranking[1] if ranking[0] == index else ranking[0])
    guess = Guess(pieces[index], confidence, pieces[second], float(min(confidence, np.exp(log[second]))))
    kind: Kind = pieces[index].kind
    return Sighting(kind, quad, pieces[index] if confidence >= min_confidence else None, confidence, guess)


ANOTHER_DECK = 0.01
"""Probability that a card lies there more often than there are decks. It keeps two readings that are beyond doubt the same card from ruling
out each other."""


def beside_others(deck_log: Floats, decks: int) -> Floats:
    """Log probabilities of k cards for n readings, shape (n, k), given that no card lies there more often than there are decks.

    The probability that a reading is of a card is multiplied by the probability that fewer than `decks` of the other readings are of it,
    taken as independent (a Poisson binomial distribution). For `decks` + 1 readings that is exact.
    """
    held = np.zeros((decks, *deck_log.shape))  # [count, reading, card]: probability that this many of the other readings are of the card
    held[0] = 1
    for at, one in enumerate(np.exp(deck_log)):
        more = held * (1 - one)
        more[1:] += held[:-1] * one
        more[:, at] = held[:, at]
        held = more
    return log_softmax(deck_log + np.log(held.sum(axis=0) + ANOTHER_DECK))


def assign_cards(deck_log: Floats, decks: int) -> tuple[NDArray[np.intp], Floats]:
    """Give each of n readings one of k cards, none more often than there are decks: greedily, the surest reading first.

    From log probabilities of shape (n, k) the index of the card, shape (n,), and its probability, shape (n,).
    """
    left = np.full(deck_log.shape[1], decks)
    card = np.full(len(deck_log), -1, np.intp)
    waiting = list(range(len(deck_log)))
    open_log = deck_log.copy()
    while waiting:
        best = waiting.pop(int(open_log[waiting].max(axis=1).argmax()))
        choice = int(open_log[best].argmax())
        card[best] = choice
        left[choice] -= 1
        if left[choice] == 0:
            open_log[:, choice] = -np.inf
    return card, np.exp(deck_log[np.arange(len(card)), card])


LIKELY = 0.7
"""Probability from which readings are fitted: they show which size cards have on this table, and how dice are seen."""

FEW_PIECES, ENOUGH_FOR_TREND = 4, 8
"""With fewer than `FEW_PIECES` such readings nothing is compared; from `ENOUGH_FOR_TREND` on the fit may change across the picture."""

DOUBT = 2.0
"""Log odds that circumstances take from a piece where they speak against it: from a doubtful card with nothing to compare with, from the
lower one of two faces of one die, and at most where a face is lit otherwise than the dice around it, since something may cast its shadow
there."""

_SPREAD = 0.4
"""Standard deviation of the logarithm of a card's area about the fit: lens, curled cards, quads a little off. Of anything else it is 1."""

ROUNDS = 3
"""Iterations of robust fits (iteratively reweighted least squares)."""


def size_evidence(quads: Floats, sure: Floats) -> Floats:
    """Log likelihood ratios of each quad's area, a card of this table to anything else, shape (n,); -`DOUBT` where few cards are likely.

    `sure` is the probability that each is a rightly read card.
    """
    known = sure >= LIKELY
    if np.count_nonzero(known) < FEW_PIECES:
        return np.full(len(quads), -DOUBT)
    size = np.log(np.maximum(areas(quads), 1.0))
    columns = design_matrix(quads, known)
    root = np.exp(size / 3)
    off = size - np.median(size[known])
    for _ in range(ROUNDS):
        # dividing by the root itself makes errors relative, so that far cards weigh as much as near ones
        robust = np.sqrt(known / np.maximum(1.0, (off / _SPREAD) ** 2)) / root
        fit = np.linalg.lstsq(columns * robust[:, None], root * robust, rcond=None)[0]
        # beyond the horizon the fit is not positive; a card there would be smaller than a pixel
        off = size - 3 * np.log(np.maximum(columns @ fit, 1.0))
    return np.asarray(0.5 * (off**2 - (off / _SPREAD) ** 2) - np.log(_SPREAD))


def design_matrix(quads: Floats, known: NDArray[np.bool_]) -> Floats:
    """Columns 1, x and y for a linear fit over the picture, centred and scaled by the `known` quads: shape (n, 3).

    Of fewer than `ENOUGH_FOR_TREND` known quads a constant is fitted: shape (n, 1).
    """
    if np.count_nonzero(known) < ENOUGH_FOR_TREND:
        return np.ones((len(quads), 1))
    center = quads.mean(axis=1)
    span = max(float(np.ptp(center[known], axis=0).max()), 1.0)
    return np.column_stack([np.ones(len(quads)), (center - center[known].mean(axis=0)) / span])


_SPEAKS = 0.96
"""Confidence from which one piece proves that its kind lies there. With .95 a third more of rendered pictures without pieces have a name,
and no more dice are read on rendered tables."""

_NEAR = 0.1
"""Side of a die, as a share of the picture's longer side, above which confidence `SURE` proves its kind, if it is not cut off: so large
hardly anything else looks like a die. Of 400 rendered pictures without pieces one has a name for that, and has it anyway."""

_WILD = SetDie()
"""The face WILD. Any word on a light ground looks like it, so that it proves nothing where half of the SET dice or more seem to show it; of
true ones one face of six does."""

_ONES = 0.8
"""Dots, such as stars, look like ones of pip dice, but of many sizes. Where this share of the dice shows a one, `FEW_PIECES` at
least, and the largest of these has more than `OTHER_SIZE` times the area of the smallest, they are dots."""

OTHER_SIZE = 4.0
"""Ratio of two areas above which pieces are of different sizes. A card is larger than a die by more: 57 x 87 mm to at most 25 x 25 mm is 8,
less for a nearer die. Squares of cloth look like backs of cards: backs are believed only where a face is sure too, and where they are no
smaller than the largest face by more than this."""

_LARGER = OTHER_SIZE * OTHER_SIZE
"""Ratio of areas by which a named or sure die must be larger for a smaller one to be none: stitches of a tartan look like sixes. A true die
of half the length, twice as far away, still has a sixteenth of the area."""


def supported(sightings: list[Sighting], wanted: frozenset[Kind], size_px: tuple[int, int]) -> list[Sighting]:
    """Drop sightings of kinds that no surely read piece proves to lie there; SET cards, of which doubtful ones are rare, all stay.

    Where people want a single kind, or playing cards with their backs, that kind is known to lie there: all stays. `size_px` is the width
    and the height of the picture.
    """
    if len(wanted - {Kind.CARD_BACK}) <= 1:
        return sightings
    # a single back may be a gap between cards
    pack = pack_alike(sightings) if len(_sure_of(Kind.CARD_BACK, sightings)) >= FEW_PIECES else set[int]()
    sure = [one for one in sightings if one.confidence >= (SURE if id(one) in pack or _is_near(one, size_px) else _SPEAKS)]
    symbols = [one.piece != _WILD for one in sightings if one.kind is Kind.SET_DIE]
    if 2 * sum(symbols) <= len(symbols):
        sure = [one for one in sure if one.piece != _WILD]
    largest = max((area_px(one) for one in sure if one.kind in DICE), default=0.0)
    there = {Kind.SET_CARD} | {one.kind for one in sure if one.kind not in DICE or area_px(one) * _LARGER >= largest}
    if _are_dots([one for one in sightings if one.kind is Kind.PIP_DIE and one.piece is not None]):
        there.discard(Kind.PIP_DIE)
    least = max((area_px(one) for one in sure if one.kind in CARD_FACES), default=np.inf) / OTHER_SIZE
    believed = [one for one in sightings if one.kind in there]
    named = {kind: max((area_px(one) for one in believed if one.kind is kind and one.piece is not None), default=0.0) for kind in DICE}
    return [
        one
        for one in believed
        if (one.kind is not Kind.CARD_BACK or area_px(one) >= least)
        and (one.piece is not None or one.kind not in named or area_px(one) * _LARGER >= named[one.kind])
    ]


def _is_near(one: Sighting, size_px: tuple[int, int]) -> bool:
    """Whether this is a die near the camera, all of which is in the picture."""
    is_large = one.kind in DICE and area_px(one) > (_NEAR * max(size_px)) ** 2
    return is_large and bool(((one.outline_px > 0) & (one.outline_px < size_px)).all())


def pack_alike(sightings: Sequence[Sighting]) -> set[int]:
    """The `id` of each sure back that has about the size of some sure face, and of each such face: whole cards; an index is smaller."""
    faces, backs = _sure_of(Kind.PLAYING_CARD, sightings), _sure_of(Kind.CARD_BACK, sightings)
    ratio = areas(outlines_of(backs))[:, None] / areas(outlines_of(faces))[None]
    alike = (ratio < OTHER_SIZE) & (ratio * OTHER_SIZE > 1)
    return {id(backs[at]) for at in np.flatnonzero(alike.any(axis=1))} | {id(faces[at]) for at in np.flatnonzero(alike.any(axis=0))}


def _sure_of(kind: Kind, sightings: Sequence[Sighting]) -> list[Sighting]:
    return [one for one in sightings if one.kind is kind and one.confidence >= SURE]


def area_px(one: Sighting) -> float:
    """Area of its outline, in square pixels."""
    return float(areas(one.outline_px[None])[0])


def _are_dots(dice: Sequence[Sighting]) -> bool:
    area = [area_px(one) for one in dice if one.piece == PipDie(1)]
    return len(area) >= max(FEW_PIECES, _ONES * len(dice)) and max(area) > OTHER_SIZE * min(area)


def odd_shadings(pieces: Sequence[Sighting]) -> tuple[int, int]:
    """How many pieces are named as SET cards, and how many of these have another shading than most."""
    shadings = Counter(one.piece.shading for one in pieces if isinstance(one.piece, SetCard))
    return shadings.total(), shadings.total() - max(shadings.values(), default=0)


def are_of_several_shadings(pieces: Sequence[Sighting]) -> bool:
    """Whether pieces named as SET cards are many enough, and of shadings unlike enough, to be no faces of dice.

    `FEW_PIECES` are many enough, and more than one of so many must differ: faces of SET dice look like cards of one shading, seldom of
    another, while of four SET cards only one table in 27 has but one shading.
    """
    count, odd = odd_shadings(pieces)
    return count >= FEW_PIECES and FEW_PIECES * odd > count


def surely_named(pieces: Sequence[Sighting]) -> list[Sighting]:
    """Pieces that are surely read."""
    return [one for one in pieces if one.piece is not None and one.confidence >= SURE]
