"""Find the pieces: a small fully convolutional network looks at the picture at a few sizes.

It marks the centre of every card, of every die's top face and of every corner index, and the two half axes there. What
it brings are proposals: the readers, which see each of them straightened and larger, have the last word.

Longer than most modules: which look is taken next follows from what the ones before have shown.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.finder import CARDS, DetectorClass, Looks, Proposals
from visionset.vision.options import FindOptions
from visionset.vision.quads import areas, distances, first_of_each, inside


def merge(found: Proposals, same_piece: float) -> Proposals:
    """Keep the best of those that mean the same piece, best first."""
    short_side = 2 * np.minimum(np.linalg.norm(found.short_px, axis=1), np.linalg.norm(found.long_px, axis=1))
    apart = distances(found.center_px, found.center_px)
    group = _group(found.label)
    same = (apart <= same_piece * np.minimum(short_side[:, None], short_side[None])) & (group[:, None] == group[None])
    return found.pick(first_of_each(same, np.argsort(-found.score)))


def find(looks: Looks, wanted: frozenset[DetectorClass], *, closer: bool = False) -> Proposals:
    """Propose where pieces lie, best first.

    The picture is looked at in a middle size first; pieces that are small there, and many hints of more cards, call for the larger sizes,
    large pieces or none at all for smaller ones too, one after the other. Only what is `wanted` decides that; the rest is brought too.
    `closer` adds the next larger size in any case. The largest is looked at around what is small or weak alone, unless most that is likely
    is dice.
    """
    options, longest = looks.options, looks.longest_px
    found, previous_px = _also_as_dice(looks.at(options.first_px), options), options.first_px
    parts = [found]
    for larger_px, smaller_px in pairwise((options.first_px, *options.coarse_px)):
        if not _too_large(parts[-1].of(*wanted), options, larger_px / longest):
            break
        parts.append(looks.at(smaller_px))
    if _few_dice(found, options):
        parts.append(_large_dice(looks, looks.at(options.coarse_px[0])))
    for long_side_px in options.fine_px:
        if previous_px >= options.most_enlarged * longest:
            break
        is_seen = any(_any_likely(part.of(*wanted), options) for part in parts)
        is_enough = not closer and is_seen and not _too_small(found.of(*wanted), options, previous_px / longest, options.small_card_px)
        # dice hint at many cards: where they are looked for, that says nothing
        if is_enough and (DetectorClass.DIE in wanted or not _many_weak(_best(looks.hints(previous_px), options).of(*wanted), options)):
            break
        closer = False
        if previous_px == options.first_px or mostly_dice(found, options):  # from every start a reader may find a die or miss it
            seen = looks.at(long_side_px)
        else:
            seen = looks.around(_open_places(looks, previous_px), options.around_card, long_side_px)
        found, previous_px = _also_as_dice(seen, options), long_side_px
        parts.append(found)
    return _best(Proposals.none().joined_to(*parts), options)


def _open_places(looks: Looks, long_side_px: int) -> Floats:
    """Where a look hints at pieces that a finer one may show better, quads of shape (n, 4, 2): not at what is likely and large enough."""
    options = looks.options
    hints = _best(looks.hints(long_side_px), options)
    long_side = _long_sides(hints) * long_side_px / looks.longest_px
    least_px = np.where(hints.is_any(DetectorClass.DIE), options.small_die_px, options.small_card_px)
    large = hints.quads()[_are_likely(hints, options, *CARDS, DetectorClass.DIE) & (long_side >= least_px)]
    return hints.quads()[~inside(hints.center_px, large).any(axis=1)]


def first_look(looks: Looks) -> tuple[Proposals, Floats]:
    """What the first look proposes, best first, and the middles, shape (n, 2), of the hints that it leaves out.

    Where nothing is likely at the first look, such as of a card held near the camera, the coarse look takes its place. Hints apart from
    what is likely are proposed too; hints within something likely are left out, and so are all of a first look that the coarse one
    replaced. Nothing is proposed where more looks are needed: much is weak, or a piece is small. Where cards are somewhat small, hardly
    anything may be weak and there may not be many: to read all of them for nothing takes longer than another look.
    """
    options, px, left_out_px = looks.options, looks.options.first_px, np.empty((0, 2))
    if not _any_likely(looks.hints(px), options):
        px, left_out_px = options.coarse_px[0], looks.hints(px).center_px
    hints, scale = _best(looks.hints(px), options), px / looks.longest_px
    if px == options.first_px and _few_dice(hints, options):
        hints = _best(hints.joined_to(_large_dice(looks, looks.at(options.coarse_px[0]))), options)
    pieces = np.count_nonzero(hints.score >= options.likely)
    is_small = _too_small(hints, options, scale, options.small_card_px)
    is_clear = _any_likely(hints, options) and not _many_weak(hints, options, options.rare_hints * pieces if is_small else None)
    if not is_clear or (is_small and (pieces > options.few_small or _too_small(hints, options, scale, options.smallest_card_px))):
        return Proposals.none(), hints.center_px
    within = _within_likely(hints, options)
    return hints.pick(~within), np.concatenate([left_out_px, hints.center_px[within]])


def _few_dice(found: Proposals, options: FindOptions) -> bool:
    """Whether more dice than cards are likely, but no more than `several` dice."""
    return mostly_dice(found, options) and int(np.count_nonzero(_are_likely(found, options, DetectorClass.DIE))) <= options.several


def _large_dice(looks: Looks, found: Proposals) -> Proposals:
    """Of the dice `found` those that lie wholly in the picture and are too large for the first look, as near the camera."""
    dice = found.of(DetectorClass.DIE)
    dice = dice.pick(_long_sides(dice) * looks.options.first_px / looks.longest_px > looks.options.die_range_px[1])
    quads = dice.quads()
    return dice.pick(np.asarray(((quads >= 0) & (quads < looks.size_px)).all(axis=(1, 2))))


def _within_likely(hints: Proposals, options: FindOptions) -> NDArray[np.bool_]:
    """Which hints are not likely themselves and have their middle in something likely, of which they are a part; shape (n,)."""
    likely = hints.score >= options.likely
    return ~likely & inside(hints.center_px, hints.pick(likely).quads()).any(axis=1)


def _many_weak(hints: Proposals, options: FindOptions, most: float | None = None) -> bool:
    """Whether more than `most` hints are weak: not likely, and neither in something likely nor in a larger hint.

    None for `most` takes the limit of the options.
    """
    quads, likely = hints.quads(), hints.score >= options.likely
    part = inside(hints.center_px, quads) & (areas(quads)[:, None] < areas(quads)[None])
    weak = np.count_nonzero(~likely & ~_within_likely(hints, options) & ~part.any(axis=1))
    return bool(weak > (max(options.few_hints, options.few_doubts * np.count_nonzero(likely)) if most is None else most))


def dice_of_first_look(looks: Looks) -> Proposals:
    """Dice that the first look proposes, best first."""
    return merge(looks.at(looks.options.first_px), looks.options.same_piece).of(DetectorClass.DIE)


def closer(looks: Looks, wanted: frozenset[DetectorClass], doubts: Floats, dice_px: Floats) -> tuple[Proposals, Floats]:
    """Proposals of the first look and of closer ones; and the doubts, shape (n, 4, 2), where it was looked around these alone, else none.

    Where the first look left doubts and its pieces are large enough, one closer look is taken around the doubts. Else all of the picture is
    looked at, in as many sizes as the pieces need. Dice that are surely read, shape (m, 4, 2), are proposed as they lie: other looks may
    show them worse.
    """
    options, known = looks.options, Proposals.of_dice(dice_px)
    hints, scale = looks.hints(options.first_px), options.first_px / looks.longest_px
    first = hints.pick((hints.score >= options.min_score) | hints.is_any(*CARDS))  # a card that is hardly seen may have been read clearly
    if not len(doubts) or _too_small(first.of(*wanted), options, scale, options.small_card_px):
        return merge(find(looks, wanted, closer=True).joined_to(known), options.same_piece), doubts[:0]
    parts = [first] if _any_likely(first, options) else [first, looks.at(options.coarse_px[0])]
    if options.first_px < options.most_enlarged * looks.longest_px:
        parts.append(looks.around(doubts, options.around_card, options.fine_px[0]))
    found = known.joined_to(*(_also_as_dice(part, options) for part in parts))
    return _best(found, options), doubts


def with_set_cards(found: Proposals, image_bgr: NDArray[np.uint8], options: FindOptions, doubts: Floats) -> Proposals:
    """Where most that is likely is a SET card, add proposals of `set_finder`, which knows nothing else: at a slant it sees more.

    Where there are `doubts`, shape (n, 4, 2), it looks around these alone.
    """
    likely, set_cards = (
        np.count_nonzero(_are_likely(found, options, *classes)) for classes in ([*CARDS, DetectorClass.DIE], [DetectorClass.SET_CARD])
    )
    if 2 * set_cards <= likely:
        return found
    looks = Looks(image_bgr, options, set_cards_only=True)
    if len(doubts):
        more = looks.around(doubts, options.around_card, options.fine_px[0])
    else:
        more = find(looks, frozenset({DetectorClass.SET_CARD}))
    merged = merge(found.joined_to(more), options.same_piece)
    cards = np.flatnonzero(merged.is_any(*CARDS))
    is_kept = np.ones(len(merged), dtype=bool)
    is_kept[cards[options.most :]] = False  # a tablecloth may look like hundreds of SET cards: they leave room for other ones
    is_other = merged.is_any(DetectorClass.PLAYING_CARD, DetectorClass.CARD_BACK) & (merged.score >= options.likely)
    return merged.pick(is_kept | is_other)


def die_starts(looks: Looks, found: Proposals, doubts: Floats, places: Floats | None, smallest_px: float | None = None) -> Floats:
    """More quads of dice, shape (n, 4, 2), several for one die: each is a start from which the reader may find the die or miss it.

    None where several cards are likely and no die; a single card may be a board with dice on it. Else, by the first that is so:

    - `doubts`, shape (k, 4, 2): proposals from around these, in all sizes of the picture at which dice like those `found` can be seen.
    - No `places`: proposals from all of the picture in those sizes, and hints of dice too large for the first look.
    - `places`, shape (m, 4, 2), where a die may lie that was not read yet: from large sizes proposals around these, from the others hints.
      Given also `smallest_px`, the side of the smallest die that is surely read, dice lie strewn: hints of every size that was looked at
      are starts too, and where some look small, all of the largest size is looked at instead of the places.
    """
    options = looks.options
    dice = found.pick(_are_likely(found, options, DetectorClass.DIE))
    if not len(dice) and np.count_nonzero(_are_likely(found, options, *CARDS)) > 1:
        return np.empty((0, 4, 2))
    share = float(np.median(np.sqrt(areas(dice.quads())))) / looks.longest_px if len(dice) else options.usual_die
    sizes_px = _sizes_at(looks, options.die_px, share, options.die_range_px)
    if len(doubts):
        seen = [looks.around(doubts, options.around_card, px) for px in sizes_px]
    elif places is None:
        hinted_px = {*sizes_px, *looks.looked_at_px, *options.coarse_px}
        seen = [*map(looks.at, sizes_px), *(_large_dice(looks, looks.hints(px)) for px in sorted(hinted_px))]
    else:
        large_px = set(sizes_px) & set(options.large_px)
        looked_px = looks.looked_at_px - set(options.coarse_px)
        hinted_px, far_px = (looked_px | set(sizes_px)) - large_px, set[int]()
        if smallest_px is not None:
            far_px = _size_of_far_dice(looks, dice, smallest_px)
            hinted_px |= looked_px | far_px
        seen = [] if far_px else [looks.around(places, options.around_die, px) for px in sorted(large_px)]
        seen += [looks.hints(px) for px in sorted(hinted_px)]
    return Proposals.none().joined_to(*seen).of(DetectorClass.DIE).quads()


def _size_of_far_dice(looks: Looks, dice: Proposals, smallest_px: float) -> set[int]:
    """The largest size of `die_px`, if the smallest die is small even there, so that other sizes hardly hint at dice like it; else none."""
    options = looks.options
    largest_px = max((px for px in options.die_px if px < options.most_enlarged * looks.longest_px), default=0)
    smallest = float(np.sqrt(areas(dice.quads())).min(initial=smallest_px)) / looks.longest_px
    return {largest_px} if smallest * largest_px <= options.far_die_px else set()


def card_starts(looks: Looks, found: Proposals) -> Floats:
    """Quads, shape (n, 4, 2), of the cards `found` and of all hints at cards in the looks at the whole picture."""
    return merge(found.joined_to(looks.all_hints()).of(*CARDS), looks.options.same_piece).quads()


def index_starts(looks: Looks, found: Proposals, doubtful: Floats) -> Floats:
    """More quads of corner indices, shape (n, 4, 2), from all sizes at which playing cards such as those `found` are well seen.

    They are looked for around `doubtful` cards, shape (m, 4, 2), and where a card is likely to be partly hidden.
    """
    options = looks.options
    cards, hidden = (found.pick(_are_likely(found, options, *classes)) for classes in (CARDS, [DetectorClass.HIDDEN_CARD]))
    places = np.concatenate([doubtful, hidden.quads()])
    share = float(np.median(_long_sides(cards))) / looks.longest_px if len(cards) else 2 * options.usual_die
    sizes_px = _sizes_at(looks, options.large_px, share, options.index_range_px)
    seen = [looks.around(places, options.around_card, px) for px in sizes_px]
    return Proposals.none().joined_to(*seen).of(DetectorClass.INDEX).quads()


def _sizes_at(looks: Looks, sizes_px: tuple[int, ...], share: float, range_px: tuple[float, float]) -> list[int]:
    """Which of `sizes_px` show a piece, whose length is this `share` of the picture's long side, within a range of pixels."""
    low, high = range_px
    return [px for px in sizes_px if low <= share * px <= high and px < looks.options.most_enlarged * looks.longest_px]


def _best(found: Proposals, options: FindOptions) -> Proposals:
    """One for each piece, best first; of cards, of dice, of indices and of hidden cards no more than `FindOptions.most` each."""
    merged = merge(found, options.same_piece)
    if len(merged) <= options.most:
        return merged
    group = _group(merged.label)
    return merged.pick(np.sort(np.concatenate([np.flatnonzero(group == label)[: options.most] for label in DetectorClass])))


def _group(label: NDArray[np.int64]) -> NDArray[np.int64]:
    """Classes with all kinds of cards as one: what is proposed as two kinds of card in one place is one card."""
    return np.where(label <= DetectorClass.CARD_BACK, DetectorClass.SET_CARD, label)


def _too_large(found: Proposals, options: FindOptions, scale: float) -> bool:
    """Whether nothing likely is there, or something so large that others of its kind may have been missed."""
    cards, dice = _sizes(found, options, scale)
    if not len(cards) and not len(dice):
        return True
    return bool(np.any(cards > options.large_card_px) or np.any(dice > options.die_range_px[1]))


def _too_small(found: Proposals, options: FindOptions, scale: float, card_px: float) -> bool:
    """Whether something likely is so small that others of its kind may have been missed."""
    on_card = inside(found.center_px, found.pick(_are_likely(found, options, *CARDS)).quads()).any(axis=1)
    is_print = on_card & found.is_any(DetectorClass.DIE)  # most likely pips of that card
    cards, dice = _sizes(found.pick(~is_print & ~_no_larger_than_dice(found, options)), options, scale)
    return bool(np.any(cards < card_px) or np.any(dice < options.small_die_px))


def _are_likely(found: Proposals, options: FindOptions, *classes: DetectorClass) -> NDArray[np.bool_]:
    """Which have a score of `FindOptions.likely` at least, and are most likely one of `classes`; shape (n,)."""
    return found.is_any(*classes) & (found.score >= options.likely)


def _any_likely(found: Proposals, options: FindOptions) -> bool:
    """Whether a card or a die is likely there."""
    return bool(_are_likely(found, options, *CARDS, DetectorClass.DIE).any())


def _also_as_dice(found: Proposals, options: FindOptions) -> Proposals:
    """The proposals, and again as dice those cards that are no larger than the dice there: their readers decide which they are."""
    small = found.pick(_no_larger_than_dice(found, options))
    scores = np.zeros_like(small.scores)
    scores[:, DetectorClass.DIE] = small.score
    return found.joined_to(replace(small, label=np.full(len(small), int(DetectorClass.DIE)), scores=scores))


def mostly_dice(found: Proposals, options: FindOptions) -> bool:
    """Whether more dice than cards are likely there."""
    dice, cards = (np.count_nonzero(_are_likely(found, options, *classes)) for classes in ([DetectorClass.DIE], CARDS))
    return bool(dice > cards)


def _no_larger_than_dice(found: Proposals, options: FindOptions) -> NDArray[np.bool_]:
    """Which cards are hardly larger than the dice there, shape (n,): a card is over three dice long, so that most likely they are dice."""
    dice = found.pick(_are_likely(found, options, DetectorClass.DIE))
    if len(dice) < options.several or not mostly_dice(found, options):
        return np.zeros(len(found), dtype=bool)
    return found.is_any(*CARDS) & (_long_sides(found) < options.die_card * np.median(_long_sides(dice)))


def _sizes(found: Proposals, options: FindOptions, scale: float) -> tuple[Floats, Floats]:
    """Long sides of the likely cards and of the likely dice, in pixels of the network's picture."""
    cards, dice = (found.pick(_are_likely(found, options, *classes)) for classes in (CARDS, [DetectorClass.DIE]))
    return scale * _long_sides(cards), scale * _long_sides(dice)


def _long_sides(found: Proposals) -> Floats:
    return np.asarray(2 * np.maximum(np.linalg.norm(found.long_px, axis=1), np.linalg.norm(found.short_px, axis=1)))
