"""Why a piece has no name: what a person at the table can change about it.

Where a lamp is mirrored in a glossy card or die, it hides symbols and pips, so that what is left looks like another piece, or like none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad, outlines_of, rectangle
from visionset.kinds import BY_INK, CARD_FACES, DICE
from visionset.pieces import Color, Kind
from visionset.table import Sighting, Table, Unread
from visionset.vision.finder import CARDS, DetectorClass, Proposals
from visionset.vision.inks import BURNT
from visionset.vision.patches import DIE_PATCH, PAPER_QUANTILE, SET_CARD_PATCH, WIDEST, sampled
from visionset.vision.quads import areas, distances, distinct, inside, shared, widened

_ENLARGED = 3
"""A piece is too small if its patch is more than this many times as high: bringing the camera closer helps. Of playing cards below 32 px
one in twelve and more had no name on rendered tables that were made smaller."""

_EDGE_PX = 2.0
"""A corner that is nearer to the edge of the picture than this may lie beyond it."""

_SEEN = 0.75
"""Share of a SET card or a die that must lie in the picture for it to have a name. Of those on rendered tables that were cut to less, every
fifth is read wrongly, one for three that are right; of those that were cut to more, one in thirty."""

_CUT_OFF = 0.5
"""Highest confidence of what is cut off so: no reader has learned how much it does not see."""

_HIDES = 0.15
"""Burnt share of a piece, from which a symbol may be hidden."""

_LEAVES = {Kind.SET_CARD: _HIDES, Kind.SET_DIE: _HIDES, Kind.PIP_DIE: 0.4}
"""Burnt share, by kind, up to which more names are right than wrong. Pips lie apart; a playing card has two indices and no limit."""

_BRIGHTEST_PAPER = 225.0
"""Brightness of paper, of 255, up to which a burnt spot is a mirrored lamp. Else the exposure is too long, which leaves ink as it is."""

_NEAREST = 3
"""Number of the nearest named pieces that tell how bright paper is at a place."""

_AS_LARGE, _SMALLEST = 1.7, 0.2
"""Largest and smallest area of a hint at a hidden piece, over that of the nearest piece of its kind: some hints show the lamp alone."""

_FRAME, _DULL = 2.0, 0.8
"""A frame `_FRAME` times as large as a hidden piece must have less than `_DULL` times its burnt share: around a glossy piece lies cloth or
wood, while where all is burnt out no lamp is mirrored."""

_INK, _SPARED = 160, 0.02
"""Pixels darker than `_INK`, of 255, are ink. Where they lie within a burnt spot and are more than the share `_SPARED` of it, no lamp is
mirrored: it would hide them."""

_ANY_INK = 1 / len(Color)
"""Highest confidence of a piece whose ink cannot be seen: each of three would be as likely."""


def table_with_reasons(image_bgr: NDArray[np.uint8], sightings: Sequence[Sighting], lacks_colour: bool, *, fills_it: bool = False) -> Table:
    """The table of some sightings, each that has no name with the reason.

    In a picture that lacks colour no piece that is told by its ink has a name, nor has a SET card or a die of which less than `_SEEN` is in
    the picture. `fills_it`: a single piece fills the picture, shape (height, width, 3), so that the picture's edge cuts nothing off.
    """
    size_px = image_bgr.shape[1], image_bgr.shape[0]
    seen = sightings if fills_it else [without_name_where_cut_off(one, size_px) for one in sightings]
    without = [_without_colour(one) if lacks_colour and one.kind in BY_INK else one for one in seen]
    whys = (why_unread(image_bgr, one, fills_it=fills_it) for one in without)
    told = tuple(replace(one, reason=one.reason or why) if why else one for one, why in zip(without, whys, strict=True))
    return Table(size_px, told, lacks_colour=lacks_colour)


def _without_colour(one: Sighting) -> Sighting:
    return replace(one, piece=None, guess=None, confidence=min(one.confidence, _ANY_INK), reason=Unread.NO_COLOUR)


def without_name_where_cut_off(one: Sighting, size_px: tuple[int, int]) -> Sighting:
    """The sighting, without its name if it is a SET card or a die of which less than `_SEEN` lies in a picture of this width and height.

    A third symbol or another face may be cut off. A playing card shows what it is in either corner.
    """
    if one.kind not in BY_INK | DICE or _share_seen(one.outline_px, *size_px) >= _SEEN:
        return one
    most, guess = min(one.confidence, _CUT_OFF), one.guess
    if guess is not None:
        guess = replace(guess, confidence=most, runner_up_confidence=min(guess.runner_up_confidence, most))
    return replace(one, piece=None, confidence=most, guess=guess, reason=Unread.CUT_OFF)


def in_glare(image_bgr: NDArray[np.uint8], sightings: list[Sighting], proposals: Proposals, overlap: float) -> list[Sighting]:
    """The sightings, without names where a mirrored lamp may hide part of a piece, and with pieces that it hides as a whole.

    The latter are proposals of the finder at which nothing was read, of all looks and so perhaps several of one piece, which share at least
    `overlap` of the smaller. `image_bgr` has the shape (height, width, 3).
    """
    named, lost = [one for one in sightings if one.piece is not None], list[Sighting]()
    if len(named) < _NEAREST:
        return sightings  # nothing tells how bright paper is
    share = _burnt(image_bgr, outlines_of(sightings))
    told = [
        _hidden(one.kind, one.outline_px) if part > _LEAVES.get(one.kind, 1.0) else one for one, part in zip(sightings, share, strict=True)
    ]
    for kinds, classes in ((CARD_FACES, CARDS), (DICE, (DetectorClass.DIE,))):
        alike = [one for one in named if one.kind in kinds]
        if alike:
            lost += _lost(image_bgr, alike, told + lost, proposals.of(*classes), overlap)
    if not lost and all(one is before for one, before in zip(told, sightings, strict=True)):
        return sightings  # as on most pictures, so that nobody need ask how bright paper is
    paper = np.quantile(_darkest(image_bgr, outlines_of(named)), PAPER_QUANTILE, axis=(1, 2))
    kept = [one if one is before or _is_dull_near(before, named, paper) else before for one, before in zip(told, sightings, strict=True)]
    return kept + [one for one in lost if _is_dull_near(one, named, paper)]


def _is_dull_near(one: Sighting, named: list[Sighting], paper: Floats) -> bool:
    """Whether the picture around a piece is not burnt out, by the paper of the nearest named pieces; False where these are too few."""
    apart = np.array([np.inf if other is one else one.apart_px(other) for other in named])
    nearest = np.argsort(apart)[:_NEAREST]
    return len(nearest) == _NEAREST and bool(np.isfinite(apart[nearest]).all() and np.median(paper[nearest]) <= _BRIGHTEST_PAPER)


def _lost(image_bgr: NDArray[np.uint8], alike: list[Sighting], told: list[Sighting], found: Proposals, overlap: float) -> list[Sighting]:
    """Pieces that were not read since a lamp is mirrored in them, among proposals `found` of one kind.

    They lie apart from all that is `told`, and have about the size of the nearest of the named pieces of that kind, `alike`.
    """
    quads, score, seen, others = found.quads(), found.score, outlines_of(told), outlines_of(alike)
    is_open = ~inside(quads.mean(axis=1), seen).any(axis=1)
    quads, score = quads[is_open], score[is_open]
    if not len(quads):
        return []
    center, middle = quads.mean(axis=1), others.mean(axis=1)
    nearest = distances(center, middle).argmin(axis=1)
    like, size = center[:, None] + (others - middle[:, None])[nearest], areas(quads) / areas(others)[nearest]
    quads = np.where(size[:, None, None] < 1 / _AS_LARGE, like, quads)  # of some no more than the lamp is seen
    is_new = ~inside(seen.mean(axis=1), quads).any(axis=0)
    fits = np.flatnonzero(is_new & (size > _SMALLEST) & (size < _AS_LARGE))
    burnt = _burnt(image_bgr, quads[fits])
    beside = (_darkest(image_bgr, widened(quads[fits], _FRAME)) >= BURNT).mean(axis=(1, 2))
    fits = fits[(burnt > _HIDES) & (beside < _DULL * burnt)]
    kind = Counter(one.kind for one in alike).most_common(1)[0][0]
    kept = fits[distinct(quads[fits], np.argsort(-score[fits]), overlap)]
    return [_hidden(kind, quad) for quad in quads[kept]]


def _hidden(kind: Kind, outline_px: Quad) -> Sighting:
    """A piece in glare, without even a guess: in a stream, a guess at what is left of it would outvote what is read later."""
    return Sighting(kind, outline_px, None, 0.0, reason=Unread.GLARE)


def _burnt(image_bgr: NDArray[np.uint8], quads: Floats) -> Floats:
    """Burnt share of n pieces, shape (n, 4, 2) to (n,): of pixels white in all colours; 0 where ink is left within (`_SPARED`)."""
    darkest = _darkest(image_bgr, quads)
    burnt = darkest >= BURNT
    share = np.asarray(burnt.mean(axis=(1, 2)))
    for at in np.flatnonzero(share > _HIDES):
        around = cv2.morphologyEx(burnt[at].astype(np.uint8), cv2.MORPH_CLOSE, WIDEST, borderValue=0)
        if np.count_nonzero((around > 0) & (darkest[at] < _INK)) > _SPARED * np.count_nonzero(burnt[at]):
            share[at] = 0
    return share


def _darkest(image_bgr: NDArray[np.uint8], quads: Floats) -> NDArray[np.uint8]:
    """The least of the three colours of each of the `sampled` pixels of n pieces, shape (n, 4, 2); shape (n, 24, 16)."""
    blue, green, red = sampled(image_bgr, quads).transpose(3, 0, 1, 2)
    return np.asarray(np.minimum(np.minimum(blue, green), red), np.uint8)


def why_unread(image_bgr: NDArray[np.uint8], one: Sighting, *, fills_it: bool = False) -> Unread | None:
    """Why a piece has no name, the surest cause first; None where it has one.

    It was seen in a picture of shape (height, width, 3); `fills_it` as in `table_with_reasons`.
    """
    if not one.is_unread:
        return None
    if not fills_it and is_cut_off(one.outline_px, image_bgr.shape[1::-1]):
        return Unread.CUT_OFF
    if is_too_small(one):
        return Unread.TOO_SMALL
    return Unread.GLARE if mirrors_lamp(image_bgr, one.outline_px) else Unread.DOUBTFUL


def is_too_small(one: Sighting) -> bool:
    """Whether a piece is so small that a nearer camera may be all that its name lacks."""
    return _ENLARGED * one.long_side_px < (DIE_PATCH if one.kind in DICE else SET_CARD_PATCH).height_px


def mirrors_lamp(image_bgr: NDArray[np.uint8], outline_px: Quad) -> bool:
    """Whether so much of a piece is burnt out that a mirrored lamp may be why it has no name."""
    return bool(_burnt(image_bgr, outline_px[None])[0] > _HIDES)


def _share_seen(outline_px: Quad, width: int, height: int) -> float:
    """Share of an outline that lies in the picture."""
    if ((outline_px >= -0.5) & (outline_px <= np.array([width, height]) - 0.5)).all():
        return 1.0
    return shared(outline_px, rectangle(0, 0, width, height) - 0.5) * min(1.0, width * height / max(float(areas(outline_px[None])[0]), 1.0))


def is_cut_off(outline_px: Quad, size_px: tuple[int, ...]) -> bool:
    """Whether a piece may reach beyond the edge of a picture of this width and height."""
    room_px = np.array(size_px) - 1 - _EDGE_PX
    return bool(((outline_px < _EDGE_PX) | (outline_px > room_px)).any())
