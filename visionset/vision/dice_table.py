"""The dice of one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, are_convex, outlines_of, sides
from visionset.pieces import SET_DIE_FACES, Kind, Piece
from visionset.table import Sighting
from visionset.vision import dice
from visionset.vision.dice import NOTHING, PIP_FACES, PRINT, DieReaders, DieReadings
from visionset.vision.finder import CARDS, DetectorClass, Proposals
from visionset.vision.judging import CLEAR, FEW_PIECES, LIKELY, OTHER_SIZE, Sightings, are_of_several_shadings, named_sighting
from visionset.vision.lattice import OFF
from visionset.vision.options import ReadOptions
from visionset.vision.patches import refined
from visionset.vision.quads import EPSILON, areas, distances, distinct, first_of_each, inside, uppermost_first
from visionset.vision.top_faces import FEW_DICE, as_seen_at

_NEVER = 0.99
"""Probability of nothing from which a quad is not read again with corrected corners."""

_SAME = 0.1
"""Two quads are the same if their middles are nearer than this share of their sides, and the logarithms of their sides differ by less."""

_ROUNDS = 2
"""How often more starts are asked for: a second time where the first time showed smaller dice than were known."""

_AS_LARGE = 1.5
"""Beside sure dice a start must have the side of one of them, up to this factor: cloths hint at smaller dice. Dice smaller by this factor
than all before are reason for another round."""

SEVERAL = 2
"""Where so many cards are sure and each quad rather holds nothing than a die, no dice are looked for."""

MoreDice: TypeAlias = Callable[[Floats | None, float | None], Floats]
"""Gives other starts: around places, or everywhere for None; given also the side of the smallest sure die, for pip dice, which lie strewn
and may be far away. See `detector.die_starts`."""


def sight_dice(
    readers: DieReaders,
    quads: Floats,
    likely: NDArray[np.bool_],
    more: MoreDice,
    named: Sequence[Sighting],
    options: ReadOptions,
) -> Sightings:
    """Name the dice of a table, from quads where top faces may lie, shape (n, 4, 2); `likely`, shape (n,), tells where they most likely do.

    A quad is a start, from which the reader finds the corners of a die or does not. Most dice that are missed had bad starts: `more` gives
    others, then frames like those of sure dice are tried (`_like_the_others`). What lies on surely `named` cards is print.
    """
    cards, part = outlines_of(named), _printed_part(named, int(np.count_nonzero(likely)))
    printed = prints(quads, cards, part).any(axis=1)
    quads, likely = quads[~printed], likely[~printed]
    if not len(quads) and len(cards) >= SEVERAL:
        return Sightings([], np.empty((0, 2)))
    readings = _read(readers, quads, options)
    judged, places = dice.judged(readings, options), np.concatenate([quads[likely], quads])
    if _are_cards_alone(judged, cards):
        return Sightings([], dice.maybe(readings).quad_px.mean(axis=1))
    for _ in range(_ROUNDS):
        before, starts = judged, _more_starts(judged, quads, quads[likely], more, cards)
        starts = starts[~prints(starts, cards, part).any(axis=1)]
        readings = readings.joined_to(_read(readers, starts[~dice.within_sure_dice(before, starts)], options))
        judged, places = dice.judged(readings, options), np.concatenate([places, starts])
        if not _are_smaller(dice.sure(judged), dice.sure(before)):
            break
    like_the_others, turned = _like_the_others(judged, places)
    turned = turned[_hopeful(readers.upright(like_the_others[: len(turned)]))]  # what surely is none as it stands is none turned either
    readings = readings.joined_to(_read(readers, np.concatenate([like_the_others, turned]), options))
    if len(like_the_others):  # what was found in a free square has free squares of its own
        squares = _next_squares(dice.sure(dice.judged(readings, options)))
        readings = readings.joined_to(_read(readers, squares[~_near(squares, like_the_others)], options))
    maybe_px = dice.maybe(readings).quad_px.mean(axis=1)
    readings = readings.pick((readings.kind[:, NOTHING] <= LIKELY) & (areas(readings.quad_px) >= options.min_die_px**2))
    readings = readings.pick(np.flatnonzero(~prints(readings.quad_px, cards, part).any(axis=1)))
    readings = dice.lying(dice.whole_dice(dice.of_one_kind(readings)), options)
    sure = dice.best(readings)
    readings = readings.pick(distinct(readings.quad_px, np.argsort(-sure), options.overlap))
    sightings = []
    for at, quad in enumerate(readings.quad_px):
        _, pips, symbols = readings.kind[at]
        faces: Sequence[Piece] = PIP_FACES if pips >= symbols else SET_DIE_FACES
        log = readings.value_log[at] if pips >= symbols else readings.face_log[at]
        top = int(log.argmax())
        sightings.append(named_sighting(quad, faces, log, top, float(max(pips, symbols) * np.exp(log[top])), options.min_die_confidence))
    return Sightings(sightings, maybe_px)


def without_dice(readers: DieReaders, proposals: Proposals, options: ReadOptions) -> Proposals:
    """Drop cards proposed in the places of sure dice, unless they are as large as a card: it takes long to read faces as cards."""
    begun = _read(readers, proposals.of(DetectorClass.DIE).quads(), options)
    sure_px = dice.sure(dice.judged(begun, options)).quad_px
    is_as_small = areas(proposals.quads())[:, None] < OTHER_SIZE * areas(sure_px)[None]
    return proposals.pick(~(proposals.is_any(*CARDS) & (inside(proposals.center_px, sure_px) & is_as_small).any(axis=1)))


def _printed_part(named: Sequence[Sighting], dice: int) -> float:
    """Share of a surely named card's area below which what looks like a die on it is its print; `dice` is how many dice are likely.

    Usually `PRINT`, since a face of a SET die may be misread as a whole card. But no face looks like a playing card, nor do several look
    like SET cards of several shadings: then whatever lies on a named card is a print, unless dice are more than twice as many.
    """
    are_cards = are_of_several_shadings(named) or sum(one.kind is Kind.PLAYING_CARD for one in named) >= FEW_PIECES
    return np.inf if are_cards and dice <= 2 * len(named) else PRINT


def _are_cards_alone(judged: DieReadings, cards: Floats) -> bool:
    """Whether several `cards`, shape (m, 4, 2), are sure and each quad rather holds nothing than a die."""
    return len(cards) >= SEVERAL and not (judged.kind[:, NOTHING] < 0.5).any()


def _more_starts(judged: DieReadings, quads: Floats, likely: Floats, more: MoreDice, cards: Floats) -> Floats:
    """More starts, shape (k, 4, 2): where dice are sure, of about their size around `quads` that led to none; else everywhere."""
    sure = dice.sure(judged)
    if len(sure) >= FEW_DICE:  # SET dice lie side by side, none far away
        starts = more(quads[~dice.within_sure_dice(judged, quads)], _smallest_px(sure) if _are_pip_dice(sure) else None)
        ratio = np.abs(np.log(areas(starts)[:, None] / areas(sure.quad_px)[None]))
        return np.asarray(starts[(ratio < 2 * np.log(_AS_LARGE)).any(axis=1)])
    # beside cards dice are few: what may be one is looked at, not everything
    return more(np.concatenate([dice.maybe(judged).quad_px, likely]) if len(cards) >= SEVERAL else None, None)


def _are_smaller(sure: DieReadings, before: DieReadings) -> bool:
    """Whether a pip die is sure now that is much smaller than all sure `before`: others of its size were not looked for yet."""
    return len(sure) >= FEW_DICE and _are_pip_dice(sure) and _smallest_px(sure) * _AS_LARGE < _smallest_px(before)


def _smallest_px(sure: DieReadings) -> float:
    return float(np.sqrt(areas(sure.quad_px)).min(initial=np.inf))


def _are_pip_dice(sure: DieReadings) -> bool:
    return bool(sure.kind[:, 1].sum() > sure.kind[:, 2].sum())


def _read(readers: DieReaders, quads: Floats, options: ReadOptions) -> DieReadings:
    """Read quads, shape (n, 4, 2), each twice, once in a mirror; without what holds nothing, is the same as another, or is not convex."""

    def is_worth_another_look(readings: DieReadings) -> NDArray[np.bool_]:
        return _hopeful(readings) & ~((dice.best(readings) >= CLEAR) & (readings.shift < options.settled_px))

    readings = _apart(refined(readers.upright, quads, is_worth_another_look, options.settled_die_px))
    readings = replace(readings, quad_px=uppermost_first(readings.quad_px))
    readings = dice.mean_readings(readings, readers.mirrored(readings.quad_px))
    # where one kind of dice is looked for, none of the other can be there
    kind = readings.kind * np.array([1, Kind.PIP_DIE in options.kinds, Kind.SET_DIE in options.kinds])
    readings = replace(readings, kind=kind / np.maximum(kind.sum(axis=1, keepdims=True), EPSILON))
    return readings.pick(are_convex(readings.quad_px))


def prints(quads: Floats, cards: Floats, part: float = PRINT) -> NDArray[np.bool_]:
    """Which quads, shape (n, 4, 2), have their middle on which card, shape (m, 4, 2), and less than this part of its area; shape (n, m)."""
    return inside(quads.mean(axis=1), cards) & (areas(quads)[:, None] < part * areas(cards)[None])


def _apart(readings: DieReadings) -> DieReadings:
    """Drop readings that hold nothing; of those whose corners were corrected to the same quad, keep the surest."""
    readings = readings.pick(_hopeful(readings))
    center, side = readings.quad_px.mean(axis=1), np.sqrt(areas(readings.quad_px))
    near = distances(center, center) < _SAME * np.minimum(side[:, None], side[None])
    same = near & (np.abs(np.log(np.maximum(side[:, None], EPSILON) / np.maximum(side[None], EPSILON))) < _SAME)
    return readings.pick(np.sort(first_of_each(same, np.argsort(-dice.best(readings)))))


def _like_the_others(readings: DieReadings, starts: Floats) -> tuple[Floats, Floats]:
    """Frames as dice of this table would look where no start led to one: shape (n, 4, 2), and the first m of them turned by 45 degrees.

    After these m come the free squares beside dice that touch. Where all starts led to dice, such squares are tried beside SET dice alone,
    which people lay side by side. None where fewer than `FEW_DICE` are sure.
    """
    sure, nowhere = dice.sure(readings), np.empty((0, 4, 2))
    is_known = dice.within_sure_dice(sure, starts)
    if len(sure) < FEW_DICE or (is_known.all() and _are_pip_dice(sure)):
        return nowhere, nowhere
    places = starts[~is_known].mean(axis=1)
    near = distances(places, places) <= dice.MIDDLE * float(np.median(np.sqrt(areas(sure.quad_px))))
    standing, turned = as_seen_at(places[first_of_each(near, np.arange(len(places)))], sure.quad_px)
    return np.concatenate([standing, _next_squares(sure)]), turned


def _next_squares(sure: DieReadings) -> Floats:
    """The free squares beside dice that touch another one in a row or column, as those of crosswords do; shape (k, 4, 2)."""
    quads = sure.quad_px
    side = sides(quads)
    beside = quads[:, None] + (side - side[:, [2, 3, 0, 1]])[:, :, None] / 2
    squares = beside.reshape(-1, 4, 2)
    taken = dice.within_sure_dice(sure, squares).reshape(-1, 4)
    nearest = quads[distances(squares.mean(axis=1), quads.mean(axis=1)).argmin(axis=1)]
    turned = np.stack([np.roll(nearest, turn, axis=1) for turn in range(4)])
    off = np.linalg.norm(squares - turned, axis=-1).mean(axis=-1).min(axis=0)
    laid = (off < OFF * np.sqrt(areas(nearest))).reshape(-1, 4)
    return np.asarray(beside[laid.any(axis=1, keepdims=True) & ~taken])


def _near(quads: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which quads, shape (n, 4, 2), have about the same middle as one of the others; shape (n,)."""
    apart = distances(quads.mean(axis=1), others.mean(axis=1))
    return np.asarray((apart < dice.MIDDLE * np.sqrt(areas(quads))[:, None]).any(axis=1))


def _hopeful(readings: DieReadings) -> NDArray[np.bool_]:
    return readings.kind[:, NOTHING] < _NEVER
