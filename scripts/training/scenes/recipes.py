"""Tables of one kind of piece among everything that a kitchen may offer: prints, layouts, views and lights by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scenes.clutter import NO_SET_CARDS, OTHERS, Painter, flat_of, numbered_die, random_rgb, worn
from scenes.other_cards import other_pack
from scenes.other_dice import INKS, other_set_dice
from scenes.other_pip_dice import lit_from_all_sides, other_pip_dice
from scenes.other_set_cards import other_set_cards
from scenes.setting import Spoil, anywhere, lie, random_hand, random_plan, spoil
from visionset.geometry import Quad
from visionset.pieces import PACK, SET_DECK, Kind, PlayingCard
from visionset.render.camera import Viewpoint
from visionset.render.dice import Die
from visionset.render.faces import random_style
from visionset.render.layouts import Spot, chain, columns, corners_mm, crossword_cells, fan, grid, meet, on_lattice, strewn
from visionset.render.pixels import to_rgb
from visionset.render.stage import Pose
from visionset.render.table_pieces import DEALERS, SET_DIE_MM, Flat, Item, back_flat, printed_board, set_flat
from visionset.render.table_plan import CARD_MM, DICE, LaidFlat
from visionset.render.table_truth import TruePiece, owners, true_indices, true_pieces
from visionset.render.tables import light, over

Pack = Callable[[PlayingCard], Flat]  # one print of the pack
_PRINT_SEEN = 0.8  # visible share of a square that is no die to any eye
_NEAREST = 6.0  # most pixels of a flat thing, for one in the middle; of 40 tables the two nearest had 4.0 and 2.0
_INDEX_MARGIN_MM = 0.6  # the index's frame is this much wider than its ink on each side
CARD_LAYOUTS = {"grid": 0.3, "tight": 0.12, "strewn": 0.2, "chains": 0.13, "columns": 0.12, "fan": 0.08, "pile": 0.05}
_OTHERS = 0.5  # share of SET dice that are drawn as others would
_CLOSE = 0.35  # share of decks of SET whose symbols lie closer together than ours, ...
_CLOSEST = (1.06, 1.3)  # ... a symbol's width from middle to middle to what is usual
_INKED = 0.35  # share of boards whose numbers have the colour of an ink of dice, and of those where they have any other
_CAST = 0.75  # share of tables of pip dice of other makers that hold such, where others are asked for, ...
_LIT = 0.4  # ... and of those whose dice are lit from all sides
DIE_LAYOUTS = {"strewn": 0.6, "crossword": 0.28, "grid": 0.12}  # share of each layout


@dataclass(frozen=True, slots=True)
class Sort:
    """What is usual on a table of one kind of piece."""

    size_mm: float  # long side of a card or side of a die, by which the scale is chosen
    most: int  # pieces at most
    clutter: float  # things that are no pieces, on average
    painters: tuple[Painter, ...] = OTHERS  # who paints these
    boards: float = 0.0  # how often a printed board lies there, ...
    polyhedra: float = 0.0  # ... and dice with numerals


SORTS = {
    Kind.SET_CARD: Sort(87.0, 81, 1.5, NO_SET_CARDS),
    Kind.PLAYING_CARD: Sort(88.0, 52, 0.8),
    Kind.PIP_DIE: Sort(16.0, 24, 1.8, boards=0.15, polyhedra=0.3),
    Kind.SET_DIE: Sort(24.0, 42, 1.8, boards=0.4, polyhedra=0.3),
}


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """A rendered picture, uint8 BGR, with its truth."""

    image_bgr: NDArray[np.uint8]
    known: tuple[TruePiece, ...]  # every piece
    indices: tuple[TruePiece, ...] = ()  # the corner indices of playing cards, each with its card
    clutter_px: tuple[Quad, ...] = ()  # outlines of flat things that are no pieces
    prints_px: tuple[Quad, ...] = ()  # numbered squares of boards that are seen


def places(rng: np.random.Generator, items: Sequence[Item], shares: dict[str, float]) -> list[Spot]:
    """Where a number of pieces lies, all turned and moved as one; no two dice in one place."""
    sizes, count = [item.size_mm for item in items], len(items)
    width, height = np.max(sizes, axis=0)
    layout = str(rng.choice(list(shares), p=list(shares.values())))
    if layout in ("grid", "tight"):
        gap, jitter, wobble = (rng.uniform(0, 1.5), rng.uniform(0, 0.6), 0.3) if layout == "tight" else (rng.uniform(2, 35), 4.0, 5.0)
        if isinstance(items[0], Die):
            gap, jitter, wobble = height * rng.uniform(0.1, 1.5), 0.03 * height, 4.0
        turn_deg, pitch = (90.0, (height + gap, width + gap)) if rng.random() < 0.5 else (0.0, (width + gap, height + gap))
        wide = max(1, min(count, round(np.sqrt(count * rng.uniform(0.6, 2.5)))))
        jitter, wobble = (float(rng.uniform(0, most)) for most in (jitter, wobble))
        found = grid(rng, -(-count // wide), wide, pitch, turn_deg, jitter, wobble)
        found = [found[at] for at in sorted(rng.permutation(len(found))[:count])]
    elif layout == "crossword":
        side = height * rng.uniform(1.0, 1.07)
        found = on_lattice(rng, crossword_cells(rng, count), (side, side), float(rng.uniform(0, 0.012) * side), 0.01, 4)
    elif layout == "chains":
        starts = strewn(rng, [(1.6 * width, 1.6 * height)] * -(-count // 2), room=0.8)
        found = [place for start in starts for place in chain(rng, start, (width, height), 4)][:count]
    elif layout == "columns":
        show, upright = float(rng.uniform(0.1, 0.35)), rng.random() < 0.5
        found = columns(rng, (width, height) if upright else (height, width), show * (height if upright else 1.5 * width), count)
        found = found if upright else [Spot(p.y_mm, p.x_mm, p.turn_rad) for p in found]
    elif layout == "fan":
        found = fan(rng, (width, height), float(rng.uniform(0.1, 0.5) * width), min(count, 9))
    elif layout == "pile":
        found = [anywhere(rng, 0.7 * height) for _ in range(min(count, 8))]
    else:
        found = strewn(rng, sizes, room=float(rng.uniform(0.8, 2.0)), beside=0.4, near=(1.05, 1.8))
    middle = np.mean([p.xy for p in found], axis=0)
    turn = rng.normal(0, 0.15) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
    whole = Spot(*(float(v) for v in rng.normal(0, 0.6 * height, 2)), float(turn))
    return [whole.beside(p.x_mm - middle[0], p.y_mm - middle[1], p.turn_rad) for p in found]


def close_set(rng: np.random.Generator) -> Iterator[Flat]:
    """SET cards, without end, of one print whose symbols lie close together."""
    style = random_style(rng)
    style = replace(style, symbol_pitch_mm=style.symbol_width_mm * float(rng.uniform(*_CLOSEST)))
    while True:
        yield from (set_flat(SET_DECK[at], style) for at in rng.permutation(len(SET_DECK)))


def other_dice(rng: np.random.Generator, kind: Kind, fonts: Sequence[Path]) -> Iterator[Die]:
    """Dice of one kind as others make, draw and light them, and some of our own."""
    if kind is Kind.PIP_DIE:
        dice = other_pip_dice(rng) if rng.random() < _CAST else DEALERS[kind](rng)
    else:
        dice = other_set_dice(rng, SET_DIE_MM, fonts) if rng.random() < _OTHERS else DEALERS[kind](rng)
    return lit_from_all_sides(rng, dice) if rng.random() < _LIT else dice


def dealt(rng: np.random.Generator, kind: Kind, pack: Pack, fonts: Sequence[Path] = (), others: bool = False) -> Iterator[Item]:
    """Pieces of one kind, dice and SET cards as `others` make them if asked for; playing cards with backs, seldom SET cards among them."""
    if others:
        yield from other_set_cards(rng) if kind is Kind.SET_CARD else other_dice(rng, kind, fonts)
    if kind is Kind.SET_DIE and rng.random() < _OTHERS:
        yield from other_set_dice(rng, SET_DIE_MM, fonts)
    if kind is Kind.SET_CARD and rng.random() < _CLOSE:
        yield from close_set(rng)
    if kind is not Kind.PLAYING_CARD:
        yield from DEALERS[kind](rng)
    strangers = DEALERS[Kind.SET_CARD](rng) if rng.random() < 0.1 else None
    down = rng.choice([0.0, 0.06, 0.3, 0.7], p=[0.5, 0.3, 0.14, 0.06])
    seed = int(rng.integers(1 << 30))
    for at in rng.permutation(len(PACK)):
        flat = pack(PACK[at])
        if strangers is not None and rng.random() < 0.4:
            yield next(strangers)
        else:
            yield back_flat(seed, flat.size_mm, flat.corner_mm) if rng.random() < down else flat


def _is_in_front(view: Viewpoint, laid: LaidFlat, most_px_mm: float) -> bool:
    """Whether a flat thing is seen with no more pixels a millimetre than that: one beside the camera would need a picture of any size."""
    place = np.array([[laid.pose.place.x_mm, laid.pose.place.y_mm, laid.pose.lift_mm]])
    return bool(0 < view.see(place)[2][0] < most_px_mm)


def free(rng: np.random.Generator, guests: Sequence[Die], dice: Sequence[Die], reach_mm: float) -> list[Die]:
    """Those of a few other dice that came to rest where none stands."""
    taken, found = [corners_mm(Spot(one.x_mm, one.y_mm, one.turn_rad), one.size_mm) for one in dice], []
    for guest in guests:
        place = anywhere(rng, reach_mm)
        quad = corners_mm(place, guest.size_mm, 2.0 if guest.piece else 10.0)
        if not any(meet(quad, other) for other in taken):
            found.append(guest.at(place))
            taken.append(quad)
    return found


def table(
    rng: np.random.Generator,
    size_px: tuple[int, int],
    piece_px: float,
    how: Spoil,
    kind: Kind,
    pack: Pack | None = None,
    laid: bool = True,
    fonts: Sequence[Path] = (),
    boards: float | None = None,
    least: int = 1,
    others: bool = False,
) -> Learned:
    """A table of one kind of piece, at times with a few of another, among things that are none, `how` much they suffer.

    `piece_px` is the long side of a card or side of a die in the middle; `pack` prints the playing cards, by default one of our own.
    `fonts` are font files for the numbers of boards, beside which OpenCV's own is used; `boards` says how often one lies there.
    `least` is how many pieces lie there, unless there are none. Dice and SET cards are those of `others` where these are asked for.
    """
    sort = SORTS[kind]
    scale = piece_px / sort.size_mm
    reach = 0.5 * max(size_px) / scale
    is_die = kind in DICE

    def things(count: float) -> list[LaidFlat]:
        faces = [sort.painters[int(rng.integers(len(sort.painters)))](rng) for _ in range(int(rng.poisson(count)))]
        return [lie(rng, flat_of(face), anywhere(rng, 1.4 * reach)) for face in faces]

    plan, under = random_plan(rng, size_px, scale), things(sort.clutter if laid else 5)
    room = 1.3 * size_px[0] * size_px[1] / (piece_px**2 * (1.0 if is_die else 0.66))
    count = min(sort.most, int(np.exp(rng.uniform(np.log(least), np.log(max(room + 2, least))))))
    flats: list[LaidFlat] = []
    dice: list[Die] = []
    if laid and rng.random() > 0.04:
        dealer = dealt(rng, kind, pack or other_pack(rng), fonts, others)
        items = [next(dealer) for _ in range(max(1, count))]
        is_worn = rng.random() < 0.22
        for item, place in zip(items, places(rng, items, DIE_LAYOUTS if is_die else CARD_LAYOUTS), strict=False):
            if isinstance(item, Die):
                dice.append(item.at(place))
            else:
                flats.append(lie(rng, worn(rng, item) if is_worn else item, place))
    if dice and rng.random() < (sort.boards if boards is None else boards):
        rows, columns_ = (int(v) for v in rng.integers(3, 8, 2))
        pitch, die = dice[0].style.size_mm * float(rng.uniform(1.0, 1.7)), Spot(dice[0].x_mm, dice[0].y_mm, dice[0].turn_rad)
        row, column = (float(rng.integers(count)) - (count - 1) / 2 for count in (rows, columns_))
        letter, of_file = float(rng.uniform(0.3, 0.65)), rng.random() < 0.85
        pick, numbered = rng.random() / _INKED, rng.random((rows, columns_)) < rng.uniform(0.15, 0.4)
        ink = to_rgb(rng.uniform(*INKS[list(INKS)[int(rng.integers(3))]])) if pick < 1 else random_rgb(rng) if pick < 2 else None
        board = flat_of(printed_board(rng, rows, columns_, pitch, letter, fonts if of_file else (), ink, numbered))
        squares = (np.argwhere(numbered)[:, ::-1] - (np.array([columns_, rows]) - 1) / 2) * pitch
        board = replace(board, indices_mm=tuple(corners_mm(Spot(x, y, 0.0), (pitch, pitch)) for x, y in squares))
        under.append(LaidFlat(board, Pose(die.beside(-pitch * column, -pitch * row, 0.0), CARD_MM)))
    guests: list[Die] = [numbered_die(rng) for _ in range(int(rng.integers(1, 7)) if rng.random() < sort.polyhedra else 0)]
    if rng.random() < 0.12:
        dealer = DEALERS[Kind.PIP_DIE if rng.random() < 0.5 and kind is not Kind.PIP_DIE else Kind.SET_DIE](rng)
        guests += [next(dealer) for _ in range(int(rng.integers(1, 5)))]
    dice += free(rng, guests, dice, reach)
    lying_flat = [laid for laid in (*under, *flats, *things(0.0 if is_die else 0.2)) if _is_in_front(plan.view, laid, _NEAREST * scale)]
    plan = replace(plan, flats=tuple(lying_flat), dice=tuple(dice))
    radiance, cover = over(light(plan), (random_hand(rng, reach),) if rng.random() < 0.12 else ())
    owner = owners(plan, cover)
    printed = [(laid.flat.kind, one) for at, laid in enumerate(plan.flats) for one in true_indices(plan, owner, at, _INDEX_MARGIN_MM)]
    indices = [index for kind, index in printed if kind is not None]
    prints = [square.outline_px for kind, square in printed if kind is None and square.visible > _PRINT_SEEN]
    clutter = [plan.flat_quad(number) for number, laid in enumerate(plan.flats) if laid.flat.kind is None]
    ends = np.array(size_px) - 2
    lying = ((one, one.outline_px.min(axis=0), one.outline_px.max(axis=0)) for one in true_pieces(plan, cover))
    known = [one for one, low, high in lying if np.all(high >= 1) and np.all(low <= ends)]
    return Learned(spoil(rng, radiance, how), tuple(known), tuple(indices), tuple(clutter), tuple(prints))
