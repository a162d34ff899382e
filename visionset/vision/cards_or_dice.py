"""Cards or dice: what is seen in one place is only one of them, and a card is far larger than a die."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from visionset.geometry import outlines_of
from visionset.pieces import Kind
from visionset.table import Sighting
from visionset.vision.judging import FEW_PIECES, OTHER_SIZE, SURE, are_of_several_shadings, area_px, odd_shadings, pack_alike
from visionset.vision.quads import areas, inside, shared


def of_likely_size(cards: list[Sighting], dice: list[Sighting], overlap: float) -> tuple[list[Sighting], list[Sighting]]:
    """Drop SET cards and backs no larger than dice, or dice no smaller than cards: the kind with more sure pieces is right.

    Faces of SET dice look like cards of one shading, so that sure cards of several shadings are right, be there up to twice as many dice.
    Where some of both are sure in places of their own, and of likely sizes, both are right. Playing cards are compared only where they have
    the size of a back: of others often no more than an index is seen.
    """
    if not cards or not dice:
        return cards, dice
    pack = pack_alike(cards)
    whole = [card for card in cards if card.kind in (Kind.SET_CARD, Kind.CARD_BACK) or id(card) in pack]
    card_area, die_area = areas(outlines_of(whole)), areas(outlines_of(dice))
    disputed = _disputed(whole, dice, overlap)
    own_cards, own_dice = _sure(whole, {card for card, _ in disputed}, pack), _sure(dice, {die for _, die in disputed})
    sure_cards, sure_dice = _sure(whole, pack=pack), _sure(dice)
    named_dice = sum(die.piece is not None for die in dice)
    are_both = len(own_cards) >= len(own_dice) > 0 and np.median(card_area[own_cards]) > OTHER_SIZE * np.median(die_area[own_dice])
    least, most = 0.0, np.inf
    if are_both:  # the dice may be false: a card is dropped only where it is nearer to their size than to that of cards
        least = float(np.sqrt(np.median(card_area[own_cards]) * np.median(die_area[own_dice])))
        most = float(np.median(card_area[own_cards])) / OTHER_SIZE
    elif _are_dice([whole[at] for at in sure_cards], len(sure_dice), named_dice):
        least = OTHER_SIZE * float(np.median(die_area[sure_dice]))
    elif sure_cards:
        most = float(np.median(card_area[sure_cards])) / OTHER_SIZE
    small = {id(card) for card, area in zip(whole, card_area, strict=True) if area < least}
    kept = [card for card in cards if id(card) not in small]
    return kept, [die for die, area in zip(dice, die_area, strict=True) if area <= most]


def _are_dice(cards: Sequence[Sighting], sure_dice: int, named_dice: int) -> bool:
    """Whether sure `cards` are dice, given how many dice are sure and named: several SET cards are seldom all of one shading."""
    if sure_dice > len(cards):
        return not are_of_several_shadings(cards) or sure_dice > 2 * len(cards)
    count, odd = odd_shadings(cards)
    return count >= FEW_PIECES and not odd and sure_dice > 0 and named_dice > 1


def either(cards: list[Sighting], dice: list[Sighting], overlap: float) -> list[Sighting]:
    """Where a card and a die of about its size are seen in one place, keep the surer; but a die as large as the other cards is dropped."""
    disputed = _disputed(cards, dice, overlap)
    own_cards, own_dice = _sure(cards, {card for card, _ in disputed}), _sure(dice, {die for _, die in disputed})
    least = np.inf
    if len(own_cards) > len(own_dice):  # in the middle between a card and a die
        least = float(np.median(areas(outlines_of(cards))[own_cards])) / OTHER_SIZE**0.5
    out_cards, out_dice = set(), set()
    for card, die in disputed:
        is_as_large = cards[card].confidence >= SURE and area_px(dice[die]) >= least
        if is_as_large or cards[card].confidence >= dice[die].confidence:
            out_dice.add(die)
        else:
            out_cards.add(card)
    return [card for at, card in enumerate(cards) if at not in out_cards] + [die for at, die in enumerate(dice) if at not in out_dice]


def _disputed(cards: list[Sighting], dice: list[Sighting], overlap: float) -> list[tuple[int, int]]:
    """Positions of each card and die that are seen in one place and are of about one size: their common area is most of the larger one."""
    card_quads, die_quads = outlines_of(cards), outlines_of(dice)
    card_area, die_area = areas(card_quads), areas(die_quads)
    pairs = []
    for die, card in np.argwhere(inside(die_quads.mean(axis=1), card_quads)).tolist():
        common = shared(card_quads[card], die_quads[die]) * min(card_area[card], die_area[die])
        if common > overlap * max(card_area[card], die_area[die]):
            pairs.append((card, die))
    return pairs


def _sure(pieces: Sequence[Sighting], disputed: Collection[int] = (), pack: Collection[int] = ()) -> list[int]:
    """Positions of the surely named pieces, or surely seen ones whose `id` is in `pack`, without the `disputed` positions."""
    return [
        at for at, one in enumerate(pieces) if at not in disputed and one.confidence >= SURE and (one.piece is not None or id(one) in pack)
    ]
