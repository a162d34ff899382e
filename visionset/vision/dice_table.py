"""The dice of one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, are_convex, sides
from visionset.pieces import SET_DIE_FACES, Kind, Piece
from visionset.table import Sighting
from visionset.vision import dice
from visionset.vision.dice import NOTHING, PIP_FACES, PRINT, DieReaders, DieReadings
from visionset.vision.finder import CARDS, DetectorClass, Proposals
from visionset.vision.judging import CARD_TO_DIE, LIKELY, MANY_CARDS, Sightings, are_of_several_shadings, named_sighting, outlines
from visionset.vision.lattice import OFF
from visionset.vision.options import ReadOptions
from visionset.vision.patches import refined
from visionset.vision.quads import EPSILON, areas, distances, distinct, first_of_each, inside, uppermost_first
from visionset.vision.top_faces import FEW_DICE, as_seen_at

_NEVER = 0.99
"""A quad that holds nothing with this probability is not cut again."""

_CLEAR, _NEARLY = 0.97, 4.0
"""A die read with the probability `_CLEAR` is not cut again if its corners lay nearer than `_NEARLY` (patch pixels)."""

_SAME_PLACE, _SAME_SIZE = 0.08, 0.12
"""Two quads are one if their centres are nearer than `_SAME_PLACE` sides and their sides differ by less than `_SAME_SIZE` (a log ratio)."""

_ROUNDS = 2
"""More starts are looked for once more where the first show smaller dice than were known."""

_AS_LARGE = 1.5
"""Where dice are sure, another is begun where a quad is as large as one of them up to this factor in length: cloths hint at smaller."""

SEVERAL = 2
"""Where so many cards are sure and every quad rather holds nothing, no dice are looked for."""

MoreDice: TypeAlias = Callable[[Floats | None, float | None], Floats]
"""Other starts around some places, or everywhere; and for dice that lie strewn, as pip dice do, given a side of the smallest, far away."""


def sight_dice(
    readers: DieReaders,
    quads: Floats,
    likely: NDArray[np.bool_],
    more: MoreDice,
    named: Sequence[Sighting],
    options: ReadOptions,
) -> Sightings:
    """Name dice whose top faces may lie in quads, shape (n, 4, 2), or most likely do.

    `more` gives other starts everywhere, of large sizes around quads that led to no die: most dice that are missed were only begun badly.
    Small things on surely `named` cards are their prints, and where these certainly are cards whatever lies there is.
    """
    cards, part = outlines(named), _printed_part(named, int(np.count_nonzero(likely)))
    printed = prints(quads, cards, part).any(axis=1)
    quads, likely = quads[~printed], likely[~printed]
    if not len(quads) and len(cards) >= SEVERAL:
        return Sightings([], quads[:, 0])
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
    """Drop cards that are proposed where a die surely lies and are no larger: faces look like cards, and to read them so takes long."""
    begun = _read(readers, proposals.of(DetectorClass.DIE).quads(), options)
    sure_px = dice.sure(dice.judged(begun, options)).quad_px
    is_as_small = areas(proposals.quads())[:, None] < CARD_TO_DIE * areas(sure_px)[None]
    return proposals.pick(~(proposals.is_any(*CARDS) & (inside(proposals.center_px, sure_px) & is_as_small).any(axis=1)))


def _printed_part(named: Sequence[Sighting], dice: int) -> float:
    """Share of a surely named card's area below which what looks like a die on it is its print; `dice` is how many dice are likely.

    Usually `PRINT`, since a face of a SET die may be misread as a whole card. But no face looks like a playing card, nor do several look
    like SET cards of several shadings: then whatever lies on a named card is a print, unless dice are more than twice as many.
    """
    are_cards = are_of_several_shadings(named) or sum(one.kind is Kind.PLAYING_CARD for one in named) >= MANY_CARDS
    return np.inf if are_cards and dice <= 2 * len(named) else PRINT


def _are_cards_alone(judged: DieReadings, cards: Floats) -> bool:
    """Whether cards lie there, shape (m, 4, 2), and nothing that may be a die."""
    return len(cards) >= SEVERAL and not (2 * dice.maybe(judged).kind[:, NOTHING] < 1).any()


def _more_starts(judged: DieReadings, quads: Floats, likely: Floats, more: MoreDice, cards: Floats) -> Floats:
    """More starts, shape (k, 4, 2): of large sizes around `quads` that led to no die, or everywhere while hardly a die is sure."""
    sure = dice.sure(judged)
    if len(sure) >= FEW_DICE:  # SET dice lie side by side, none far away
        starts = more(quads[~dice.within_sure_dice(judged, quads)], _smallest_px(sure) if _are_pip_dice(sure) else None)
        ratio = np.abs(np.log(areas(starts)[:, None] / areas(sure.quad_px)[None]))
        return np.asarray(starts[(ratio < 2 * np.log(_AS_LARGE)).any(axis=1)])
    # beside cards dice are few: what may be one is looked at, not everything
    return more(np.concatenate([dice.maybe(judged).quad_px, likely]) if len(cards) >= SEVERAL else None, None)


def _are_smaller(sure: DieReadings, before: DieReadings) -> bool:
    """Whether a pip die is sure by now that is much smaller than all that were: others of its size were hardly hinted at."""
    return len(sure) >= FEW_DICE and _are_pip_dice(sure) and _smallest_px(sure) * _AS_LARGE < _smallest_px(before)


def _smallest_px(sure: DieReadings) -> float:
    return float(np.sqrt(areas(sure.quad_px)).min(initial=np.inf))


def _are_pip_dice(sure: DieReadings) -> bool:
    return bool(sure.kind[:, 1].sum() > sure.kind[:, 2].sum())


def _read(readers: DieReaders, quads: Floats, options: ReadOptions) -> DieReadings:
    """What is read of quads, shape (n, 4, 2), each place once, where they hold something; its quads are convex."""
    readings = _apart(refined(readers.upright, quads, _worth_another_look, options.settled_die_px))
    readings = replace(readings, quad_px=uppermost_first(readings.quad_px))
    readings = dice.mean_readings(readings, readers.mirrored(readings.quad_px))  # doubt and errors shrink
    # where one kind of dice is looked for, none of the other can be there
    kind = readings.kind * np.array([1, Kind.PIP_DIE in options.kinds, Kind.SET_DIE in options.kinds])
    readings = replace(readings, kind=kind / np.maximum(kind.sum(axis=1, keepdims=True), EPSILON))
    return readings.pick(are_convex(readings.quad_px))


def prints(quads: Floats, cards: Floats, part: float = PRINT) -> NDArray[np.bool_]:
    """Which quads, shape (n, 4, 2), are smaller than this part of which card, shape (m, 4, 2), and lie on it; shape (n, m)."""
    return np.asarray(inside(quads.mean(axis=1), cards) & (areas(quads)[:, None] < part * areas(cards)[None]))


def _apart(readings: DieReadings) -> DieReadings:
    """Of quads that came to the same end keep the surest; drop those that hold nothing."""
    readings = readings.pick(_hopeful(readings))
    center, side = readings.quad_px.mean(axis=1), np.sqrt(areas(readings.quad_px))
    near = distances(center, center) < _SAME_PLACE * np.minimum(side[:, None], side[None])
    same = near & (np.abs(np.log(np.maximum(side[:, None], EPSILON) / np.maximum(side[None], EPSILON))) < _SAME_SIZE)
    return readings.pick(np.sort(first_of_each(same, np.argsort(-dice.best(readings)))))


def _like_the_others(readings: DieReadings, starts: Floats) -> tuple[Floats, Floats]:
    """Quads where no start led to a die, as the dice of this table would be seen there, shape (n, 4, 2); the first m turned by an eighth.

    Free squares beside SET dice are among them in any case: these are laid side by side. Pip dice are not.
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
    """The free squares beside dice that were laid beside another, as those of crosswords are."""
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
    """Which quads have about the same middle as one of the others."""
    apart = distances(quads.mean(axis=1), others.mean(axis=1))
    return np.asarray((apart < dice.MIDDLE * np.sqrt(areas(quads))[:, None]).any(axis=1))


def _hopeful(readings: DieReadings) -> NDArray[np.bool_]:
    return np.asarray(readings.kind[:, NOTHING] < _NEVER)


def _worth_another_look(readings: DieReadings) -> NDArray[np.bool_]:
    return _hopeful(readings) & ~((dice.best(readings) >= _CLEAR) & (readings.shift < _NEARLY))
