"""From a picture to a table: find, straighten, read, settle by deck and pack, put in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from visionset.errors import OptionError
from visionset.geometry import Floats, as_quad, checked, outlines_of, reading_order, rectangle
from visionset.kinds import BY_INK, CARD_FACES, DICE
from visionset.pieces import Kind
from visionset.table import Sighting, Table
from visionset.vision import detector, dice_table, playing_cards, set_cards
from visionset.vision.cards_or_dice import either, of_likely_size
from visionset.vision.colour import has_colour, has_tint, with_full_colours, without_veil
from visionset.vision.debug_images import drawn, montage
from visionset.vision.detector import card_starts, closer, dice_of_first_look, die_starts, first_look, index_starts, with_set_cards
from visionset.vision.dice import DieReaders, read_dice
from visionset.vision.finder import CARDS, DetectorClass, Looks, Proposals, stretch
from visionset.vision.judging import LIKELY, SURE, Sightings, supported, surely_named
from visionset.vision.options import USUAL, ReadOptions, Stages
from visionset.vision.patches import SET_CARD_PATCH, CachedReader, Pyramid, padded, straightened, stretched
from visionset.vision.playing_cards import CARD_BACK, PLAYING_CARD, CardReadings
from visionset.vision.quads import distances, inside, widened
from visionset.vision.turned import are_surer, quarters_for_dice, turned_back
from visionset.vision.unread import in_glare, table_with_reasons


class Readers:
    """A picture, shape (height, width, 3), what its pieces are cut from, and what reads each kind; no quad is read twice.

    Its steps are shown to `stages`.
    """

    def __init__(self, image_bgr: NDArray[np.uint8], stages: Stages | None = None) -> None:
        cut_from = Pyramid(padded(image_bgr))

        @cache
        def is_gray() -> bool:
            """Whether the picture as a whole shows no colour."""
            return not has_colour(image_bgr, np.empty((0, 4, 2)))

        def cards(read: Callable[..., CardReadings], quads: Floats) -> CardReadings:
            return read(cut_from, quads, is_gray=len(quads) > 0 and is_gray())

        self.image_bgr, self.cut_from, self.is_gray, self.stages = image_bgr, cut_from, is_gray, stages
        self.set_card_reader = set_cards.SetCardReader(cut_from)
        self.set_cards = CachedReader(self.set_card_reader)
        self.cards = CachedReader(partial(cards, playing_cards.read_playing_cards))
        self.indices = CachedReader(partial(cards, playing_cards.read_indices))
        self.dice = DieReaders(CachedReader(partial(read_dice, cut_from)), CachedReader(partial(read_dice, cut_from, mirrored=True)))


_CLASSES = {
    Kind.SET_CARD: {DetectorClass.SET_CARD},
    Kind.PLAYING_CARD: {DetectorClass.PLAYING_CARD, DetectorClass.INDEX, DetectorClass.HIDDEN_CARD},
    Kind.CARD_BACK: {DetectorClass.CARD_BACK},
    Kind.SET_DIE: {DetectorClass.DIE},
    Kind.PIP_DIE: {DetectorClass.DIE},
}
"""Classes of the finder by which it shows each kind."""

_CLEAR = {kind: LIKELY if kind in CARD_FACES else SURE for kind in Kind}
"""Confidence by kind from which a piece needs no further look. Of cards it is lower: what doubt is left above it comes from inks in yellow
light or from court cards, and another cut does not help."""

_BEYOND = 1.15
"""Outlines are widened by this factor; hints within belong to the piece, hints beyond may be another piece."""


def read(image_bgr: NDArray[np.uint8], options: ReadOptions | None = None, *, stages: Stages | None = None) -> Table:
    """Read everything on a table in one picture.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (height, width, 3)
        Not modified.
    options : ReadOptions, optional
        How to read.
    stages : callable, optional
        Takes the name of a step and a picture of it, in the order of the steps, for finding faults.

    Returns
    -------
    Table
        Sightings in reading order; those that could not be read for sure have ``piece`` None.

    Raises
    ------
    ArrayError
        The array is no picture: a `ValueError` too.
    OptionError
        What is given as options is something else.
    """
    if options is not None and not isinstance(options, ReadOptions):
        raise OptionError(f"expected ReadOptions, got {options!r:.80}; name kinds as in ReadOptions(kinds=frozenset({{Kind.SET_CARD}}))")
    image_bgr, wished = without_veil(checked(image_bgr)), options or USUAL
    options = wished.no_stricter_than_usual()  # who wants fewer names does not want others
    seen = _look(image_bgr, options, stages)
    sightings, is_gray, quarters = seen.in_the_picture(options.overlap), seen.readers.is_gray, 0
    if DICE & options.kinds:
        quarters = quarters_for_dice(seen.readers.cut_from, dice_of_first_look(seen.looks), seen.sightings, options.find.likely)
    if quarters:
        beside = _look(np.ascontiguousarray(np.rot90(image_bgr, quarters)), options, stages)
        if are_surer(beside.sightings, seen.sightings, max(seen.readers.image_bgr.shape)):
            sightings = turned_back(beside.in_the_picture(options.overlap), quarters, image_bgr)
    order = reading_order(outlines_of(sightings))
    by_ink = [one for one in sightings if one.kind in BY_INK]
    may_lack_colour = bool(by_ink) if sightings else bool(BY_INK & options.kinds)  # without it, what there is may not be believed
    lacks_colour = may_lack_colour and is_gray() and not has_colour(image_bgr, outlines_of(by_ink))
    named = [replace(one, piece=None) if one.confidence < wished.least_confidence(one.kind) else one for one in sightings]
    table = table_with_reasons(image_bgr, [named[at] for at in order], lacks_colour)
    if stages:
        labels = [f"{one.guess.piece if one.guess else one.kind.value} {one.confidence:.2f}" for one in table.sightings]
        stages("table", drawn(image_bgr, outlines_of(table.sightings), labels))
    return table


class _Outcome(NamedTuple):
    """What was read of one picture, or of its stretched copy."""

    image_bgr: NDArray[np.uint8]
    """The picture, not stretched."""
    looks: Looks
    readers: Readers
    sightings: list[Sighting]
    """Their outlines are in pixels of `readers.image_bgr`, which is the stretched copy where there is one."""

    def in_the_picture(self, overlap: float) -> list[Sighting]:
        """Sightings in pixels of the picture itself; those that a mirrored lamp hides have no name (`in_glare`)."""
        cut_from, hints, find = self.readers.image_bgr, self.looks.all_hints(), self.looks.options
        is_seen = hints.score >= np.where(hints.is_any(DetectorClass.DIE), find.likely, find.min_score)  # cloth looks like dice a little
        sightings = in_glare(cut_from, self.sightings, hints.pick(is_seen), overlap)
        if cut_from is self.image_bgr:
            return sightings
        shrink = np.array(self.image_bgr.shape[1::-1]) / cut_from.shape[1::-1]
        return [replace(one, outline_px=as_quad((one.outline_px + 0.5) * shrink - 0.5)) for one in sightings]


def _look(image_bgr: NDArray[np.uint8], options: ReadOptions, stages: Stages | None) -> _Outcome:
    """Read a picture; where the table is seen at a flat slant, read a stretched copy instead."""
    set_cards_only = options.kinds == {Kind.SET_CARD}
    looks, cut_from = Looks(image_bgr, options.find, set_cards_only), image_bgr
    factors = stretch(looks)
    if max(factors) > 1:  # the finder has learned from few such views: what it only hints at counts
        cut_from = stretched(image_bgr, factors)
        options = replace(options, find=replace(options.find, min_score=options.find.min_hint))
        looks = Looks(cut_from, options.find, set_cards_only)
    readers = Readers(cut_from, stages)
    sightings = _sightings(readers, looks, options)
    colourful = with_full_colours(cut_from, sightings)
    if colourful is not None:  # colour and the side of the camera are still told by the picture as it was
        sightings = _sightings(Readers(colourful, stages), looks, options)
    return _Outcome(image_bgr, looks, readers, sightings)


def _sightings(readers: Readers, looks: Looks, options: ReadOptions) -> list[Sighting]:
    """What the first look shows, where that leaves no doubt; else what further looks show."""
    wanted = frozenset[DetectorClass]().union(*(_CLASSES[kind] for kind in options.kinds))
    sightings, doubts, dice_px = _read_first_look(readers, looks, options)
    if not sightings or len(doubts):
        sightings = _read_closer(readers, looks, *closer(looks, wanted, doubts, dice_px), options)
    return sightings


def _read_first_look(readers: Readers, looks: Looks, options: ReadOptions) -> tuple[list[Sighting], Floats, Floats]:
    """What the first look shows; quads of what it leaves in doubt, shape (n, 4, 2); and quads of dice surely read, shape (m, 4, 2).

    No doubts: nothing more need be looked at. No sightings: the first look is not enough and the whole picture is looked at again.
    """
    proposals, hints_px = first_look(looks)
    if not len(proposals):
        return [], proposals.quads(), proposals.quads()
    seen, maybe_px = _read_proposals(readers, proposals, _More(), options)
    sightings = supported(seen, options.kinds, looks.size_px)
    clear = [one for one in sightings if one.confidence >= _CLEAR[one.kind]]
    unclear = [one for one in seen if all(one is not other for other in clear)]
    dice_px = outlines_of([one for one in clear if one.kind in DICE])
    hinted_px = np.concatenate([maybe_px, hints_px])
    beyond_px = hinted_px[~inside(hinted_px, widened(outlines_of(clear), _BEYOND)).any(axis=1)]
    doubtful_px = np.concatenate([outlines_of(unclear).mean(axis=1), beyond_px])
    likely = np.count_nonzero(proposals.score >= options.find.likely)
    doubts = np.unique(distances(doubtful_px, proposals.center_px).argmin(axis=1))  # one place may be doubted for several reasons
    if len(doubts) and (len(doubts) > options.find.few_doubts * len(clear) or len(clear) > likely):  # it may have missed as much
        return [], proposals.quads()[:0], dice_px
    return sightings, proposals.quads()[doubts], dice_px


def _read_closer(readers: Readers, looks: Looks, proposals: Proposals, doubts: Floats, options: ReadOptions) -> list[Sighting]:
    """What is read from the proposals of further looks; where there are `doubts`, shape (n, 4, 2), from around these alone."""
    if Kind.SET_CARD in options.kinds and not looks.set_cards_only:
        proposals = with_set_cards(proposals, readers.image_bgr, options.find, doubts)
    indices, cards = (partial(starts, looks, proposals) for starts in (index_starts, card_starts))
    more = _More(partial(die_starts, looks, proposals, doubts), indices, cards)
    return supported(_read_proposals(readers, proposals, more, options).pieces, options.kinds, looks.size_px)


def _nowhere(places: Floats | None = None, smallest_px: float | None = None) -> Floats:
    return np.empty((0, 4, 2))


class _More(NamedTuple):
    """Functions that give more quads to read, shape (n, 4, 2); called only where the proposals leave a doubt, since they cost looks."""

    dice: dice_table.MoreDice = _nowhere
    indices: Callable[[Floats], Floats] = _nowhere
    cards: Callable[[], Floats] = _nowhere


def read_whole_card(image_bgr: NDArray[np.uint8], options: ReadOptions | None = None, *, stages: Stages | None = None) -> Table:
    """Read a picture that one SET card fills, upright or rotated (a scan, a crop); one sighting at most."""
    image_bgr, options = checked(image_bgr), options or USUAL
    height, width = image_bgr.shape[:2]
    whole = rectangle(0, 0, width, height) - 0.5
    upright = whole if height >= width else np.roll(whole, 1, axis=0)
    cut_from = Pyramid(image_bgr)
    readings = set_cards.SetCardReader(cut_from)(np.stack([upright, np.roll(upright, 1, axis=0)]))
    best = int(np.argmax(readings.is_card + readings.deck_log.max(axis=1).clip(-5, 0)))
    readings = readings.pick(np.array([best]))
    if stages:
        stages("straightened", montage(straightened(cut_from, upright[None], SET_CARD_PATCH)[0]))
    said_to_be_one = np.ones(1)
    readings = set_cards.with_common_inks(replace(readings, quad_px=upright[None], is_card=said_to_be_one), options.ink)
    return table_with_reasons(image_bgr, set_cards.name(readings, options), not has_tint(image_bgr), fills_it=True)


def _read_proposals(readers: Readers, proposals: Proposals, more: _More, options: ReadOptions) -> Sightings:
    """Read the proposals, and more quads where these leave a doubt; also the middles of all that may be a piece."""
    if readers.stages:
        labels = [f"{DetectorClass(label).name[:4]} {score:.2f}" for label, score in zip(proposals.label, proposals.score, strict=True)]
        readers.stages("proposals", drawn(readers.image_bgr, proposals.quads(), labels))
    proposals = _without_dice(readers, proposals, options)
    sightings, maybe_px = _cards(readers, proposals, more, options)
    found = proposals.of(DetectorClass.DIE)
    if DICE & options.kinds and (len(found) or len(surely_named(sightings)) < dice_table.SEVERAL):
        dice_among = partial(dice_table.sight_dice, readers.dice, found.quads(), found.score >= options.find.likely, more.dice)
        dice, dice_px = dice_among(surely_named(sightings), options)
        likely, _ = of_likely_size(sightings, dice, options.overlap)
        if len(surely_named(likely)) < len(surely_named(sightings)):  # what lies on such a card is no print after all
            dice, dice_px = dice_among(surely_named(likely), options)
        sightings, maybe_px = either(*of_likely_size(likely, dice, options.overlap), options.overlap), np.concatenate([maybe_px, dice_px])
    return Sightings([sighting for sighting in sightings if sighting.kind in options.kinds], maybe_px)


def _without_dice(readers: Readers, proposals: Proposals, options: ReadOptions) -> Proposals:
    """The proposals; where most that is likely are dice, without cards in the places of sure dice. Else no module of dice is entered."""
    are_dice = bool(DICE & options.kinds) and detector.mostly_dice(proposals, options.find)
    return dice_table.without_dice(readers.dice, proposals, options) if are_dice else proposals


def _cards(readers: Readers, proposals: Proposals, more: _More, options: ReadOptions) -> Sightings:
    """SET cards, playing cards and backs; where the finder is in doubt, both readers are asked."""
    cards = proposals.of(*CARDS)
    if options.kinds <= DICE:  # a card matters for what is printed on it alone
        cards = cards.pick(np.flatnonzero(dice_table.prints(proposals.of(DetectorClass.DIE).quads(), cards.quads()).any(axis=0)))
    as_set = cards.scores[:, DetectorClass.SET_CARD] >= options.maybe
    as_other = cards.scores[:, [DetectorClass.PLAYING_CARD, DetectorClass.CARD_BACK]].max(axis=1, initial=0) >= options.maybe
    any_other = bool(as_other.any() or proposals.is_any(DetectorClass.INDEX, DetectorClass.HIDDEN_CARD).any())
    is_set = np.ones(len(cards))
    if any_other:
        others = playing_cards.read_pack(readers.cards, cards.quads()[as_other], options)
        is_set[as_other] = 1 - others.kind[:, [PLAYING_CARD, CARD_BACK]].sum(axis=1)
    as_set &= is_set >= options.maybe
    if readers.stages and as_set.any():
        readers.stages("straightened", montage(straightened(readers.cut_from, cards.quads()[as_set], SET_CARD_PATCH)[0]))
    sightings, maybe_px = list[Sighting](), np.empty((0, 2))
    if Kind.SET_CARD in options.kinds:
        readers.set_card_reader.measure_contrast(cards.quads()[as_set & (cards.scores[:, DetectorClass.SET_CARD] >= options.find.likely)])
        sightings, maybe_px = set_cards.sight_set_cards(
            readers.set_cards, readers.set_card_reader.compare, readers.cut_from[0], cards.quads()[as_set], is_set[as_set], options
        )
    if any_other and options.kinds & {Kind.PLAYING_CARD, Kind.CARD_BACK}:
        found, taken = proposals.of(DetectorClass.INDEX), outlines_of(sightings)
        likely = found.score >= options.find.likely
        others = playing_cards.read_like_the_others(readers.cards, others, more.cards(), taken, options)
        named, others_px = playing_cards.sight_pack(
            readers.indices, readers.cut_from[0], others, found.quads(), likely, more.indices, taken, options
        )
        sightings, maybe_px = [*sightings, *named], np.concatenate([maybe_px, others_px])
    return Sightings(sightings, maybe_px)
