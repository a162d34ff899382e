"""A table that is filmed: pieces lie and stand on it, a hand comes and goes; what repeats is painted once.

Cards are painted in windows of their own and put together, and a hand is rendered once for each pose, so that a whole
game of some thousand frames takes minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar
from weakref import WeakMethod

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.clips.mats import Mat
from tests.clips.moments import Item, Moment
from tests.clips.windows import Window, around, around_all, cut, grown, meet, place_of, touched, window_of
from visionset.art import DeckStyle
from visionset.pieces import Piece, PipDie, PlayingCard, SetCard, SetDie
from visionset.render.bodies import Seen, render, shadow
from visionset.render.camera import Sensor, Viewpoint
from visionset.render.dice import Die, cast_shadow
from visionset.render.die_faces import pip_atlas, random_die, random_set_die, symbol_atlas
from visionset.render.faces import Face, set_card
from visionset.render.hands import HandPose, Person, hand
from visionset.render.materials import MATERIALS
from visionset.render.pixels import Picture
from visionset.render.playing_cards import playing_face, random_back
from visionset.render.playing_style import PlayingStyle, random_playing_style
from visionset.render.stage import COVER, FINER, NOBODY, Layers, Light, Pose, bare_table, lay, lit, outline
from visionset.render.tables import FACE_FINENESS, draw_dice

EDGE = 0.12
"""How much darker the cut edge of a card is than its face."""

FACE_STEP_PX_MM = 0.5
"""Faces are painted in so many sizes, and each once."""

MARGIN_PX, HOLD_PX = 9, 4
"""Around a lying card, where its shadow ends, and around one in the air."""

LAMP_TAKEN, AMBIENT_TAKEN = 0.85, 0.55
"""What a hand takes of the lamp's light and of all other light."""

DIE_SHADOW, DIE_SOFT_MM = 0.92, 1.2
SET_DIE_MM, PIP_DIE_MM = 24.0, 16.0
LAMP = Light((-900.0, -700.0, 950.0), (0.66, 0.65, 0.62), (0.3, 0.31, 0.33))
CAMERA = Sensor(exposure=0.9, read_noise=0.0, shot_noise=0.0)
"""A camera without noise: the film adds it frame by frame."""

LENS_PX = 4
"""So far around a change the lens and the sharpening spread it."""

PERSON, DECK = Person(), DeckStyle(squiggle_bend=1.5)
HANDS, PATCHES = 160, 160
"""Hands and cards that are kept painted."""


@dataclass(frozen=True, slots=True)
class Look:
    """Where a table stands and who films it."""

    size_px: tuple[int, int] = (960, 540)
    width_mm: float = 560.0
    tilt_deg: float = 30.0
    turn_deg: float = 2.0
    distance_mm: float = 1000.0
    middle: tuple[float, float] = (0.5, 0.47)
    material: str = "oak"
    light: Light = LAMP
    sensor: Sensor = CAMERA
    person: Person = PERSON
    seed: int = 0
    mats: tuple[Mat, ...] = ()

    @property
    def view(self) -> Viewpoint:
        width, height = self.size_px
        center = (self.middle[0] * width, self.middle[1] * height)
        return Viewpoint(self.size_px, width / self.width_mm, self.tilt_deg, self.turn_deg, self.distance_mm, center)


ResultT = TypeVar("ResultT")

Shades = tuple[NDArray[np.uint8], NDArray[np.uint8]]
"""Shares of the lamp's and of all other light that are taken from each place, 0 to 255."""


def kept(most: int | None, method: Callable[..., ResultT]) -> Callable[..., ResultT]:
    """What a method of a stage gives, kept as long as the stage; of a method that it holds itself a stage of 100 MB would stay for long."""
    weak = WeakMethod(method)

    def given(*asked: Hashable) -> ResultT:
        alive = weak()
        assert alive is not None
        return alive(*asked)

    return lru_cache(most)(given)


class Stage:
    """Paints moments."""

    def __init__(self, look: Look, deck: DeckStyle = DECK, pack: PlayingStyle | None = None) -> None:
        rng = np.random.default_rng([look.seed, 1])
        self.look, self.view, self.light = look, look.view, look.light
        self.deck = deck
        self.pack = pack or random_playing_style(rng)
        self._rng = rng
        style, self._symbols = random_set_die(rng)
        self._set_die = style.sized(SET_DIE_MM)
        style, self._pips = random_die(rng)
        self._pip_die = style.sized(PIP_DIE_MM)
        self._corners = toward_corners(self.view.size_px, look.sensor.vignette)
        self._empty = kept(1, self._bare_and_lit)
        self._patch = kept(PATCHES, self._painted)
        self._overhead = kept(HANDS, self._hand)
        self._lit = kept(3, self._lying)
        self._quiet = kept(3, self._taken)
        self._atlas = kept(None, self._faces)
        self._printed = kept(PATCHES, self._print)

    def _bare_and_lit(self) -> tuple[Layers, tuple[Picture, Picture]]:
        bare = bare_table(np.random.default_rng(self.look.seed), MATERIALS[self.look.material], self.view)
        for mat in self.look.mats:
            lay(bare, self.view, self.light, mat.face(FINER * self.view.scale_px_mm), Pose(mat.place, 0.0), NOBODY)
        return bare, lit(bare, self.view, self.light)

    def picture(self, moment: Moment) -> NDArray[np.uint8]:
        """The picture without noise."""
        quiet = self._quiet(moment.lying)
        dice, cards = ([one for one in moment.moving if one.is_die is want] for want in (True, False))
        windows = [self._window(one, HOLD_PX) for one in moment.moving]
        radiance = self._lit(moment.lying)
        radiance = self._standing(radiance, dice) if dice else radiance.copy()
        seen = None
        if moment.hand is not None:
            shades, seen, reach = self._overhead(moment.hand)
            if reach is not None:
                windows.append(reach)
                lamp = np.array(self.light.lamp_rgb[::-1], np.float32) / self.light.tint_bgr
                no_lamp, no_ambient = (shade[..., None].astype(np.float32) / 255 for shade in shades)
                radiance[cut(reach)] *= 1 - lamp * LAMP_TAKEN * no_lamp - (1 - lamp) * AMBIENT_TAKEN * no_ambient
        for one in cards:
            self._hold(radiance, one)
        if seen is not None:
            part = radiance[cut(place_of(seen))]
            part *= 1 - seen.cover[..., None]
            part += seen.cover[..., None] * seen.light
        return self._changed(quiet, radiance, windows)

    def _changed(self, quiet: NDArray[np.uint8], radiance: Picture, windows: Sequence[Window]) -> NDArray[np.uint8]:
        """Expose anew only where something differs from the quiet picture."""
        windows = [one for one in windows if one[2] > one[0] and one[3] > one[1]]
        if not windows:
            return quiet
        size_px = self.view.size_px
        differs = grown(around_all(windows), LENS_PX, size_px)
        wider = grown(differs, LENS_PX, size_px)
        left, top = differs[0] - wider[0], differs[1] - wider[1]
        right, bottom = left + differs[2] - differs[0], top + differs[3] - differs[1]
        picture = quiet.copy()
        picture[cut(differs)] = self._take(radiance, wider)[top:bottom, left:right]
        return picture

    def outline_px(self, item: Item) -> NDArray[np.float64]:
        """Where a piece is seen, shape (4, 2)."""
        if item.is_die:
            return np.asarray(self.view.see(self.die(item).corners_mm()[:4])[0])
        return outline(self.view, self._size_mm(item), pose_of(item))

    def _taken(self, lying: tuple[Item, ...]) -> NDArray[np.uint8]:
        return self._take(self._lit(lying), (0, 0, *self.view.size_px))

    def _take(self, radiance: Picture, window: Window) -> NDArray[np.uint8]:
        """Expose a part of the picture; the loss of light toward the corners belongs to the whole."""
        lit_part = radiance[cut(window)] * self._corners[cut(window)]
        return replace(self.look.sensor, vignette=0.0).take(np.random.default_rng(0), lit_part)

    def _lying(self, lying: tuple[Item, ...]) -> Picture:
        lamp, ambient = (field.copy() for field in self._empty()[1])
        for group, window in self._groups([one for one in lying if not one.is_die]):
            left, top, right, bottom = window
            lamp[top:bottom, left:right], ambient[top:bottom, left:right] = self._patch(group, window)
        dice = [one for one in lying if one.is_die]
        if not dice:
            return np.asarray(lamp + ambient, np.float32)
        shine = self.light
        stood = [self.die(one) for one in dice]
        cast_shadow(lamp, self.view, stood, shine, DIE_SHADOW, DIE_SOFT_MM)
        cast_shadow(ambient, self.view, stood, shine, 0.0, DIE_SOFT_MM)
        return self._standing(np.asarray(lamp + ambient, np.float32), dice)

    def _standing(self, radiance: Picture, dice: Sequence[Item]) -> Picture:
        return draw_dice(self.view, self.light, radiance, [self.die(one) for one in dice])

    def die(self, item: Item) -> Die:
        """A piece as the renderer of dice wants it."""
        piece = item.piece
        assert isinstance(piece, SetDie | PipDie)
        style = self._set_die if isinstance(piece, SetDie) else self._pip_die
        tumble = None if item.tumble is None else np.array(item.tumble).reshape(3, 3)
        lift = 0.0 if item.tumble is None and item.lift_mm <= 1 else item.lift_mm
        return Die(piece, style, self._atlas(piece), item.place.x_mm, item.place.y_mm, item.place.turn_rad, lift, tumble)

    def _faces(self, piece: SetDie | PipDie) -> NDArray[np.float32]:
        if isinstance(piece, SetDie):
            return symbol_atlas(self._rng, piece, self._set_die, self._symbols)
        return pip_atlas(self._rng, piece.value, self._pip_die, self._pips)

    def _size_mm(self, item: Item) -> tuple[float, float]:
        style = self.deck if isinstance(item.piece, SetCard) else self.pack
        return style.width_mm, style.height_mm

    def _face(self, item: Item) -> Face:
        at = np.array([[item.place.x_mm, item.place.y_mm, item.lift_mm]])
        steps = FACE_FINENESS * FINER * float(self.view.see(at)[2][0]) / FACE_STEP_PX_MM
        return self._printed(item.piece, FACE_STEP_PX_MM * round(steps))

    def _print(self, piece: Piece | None, px_mm: float) -> Face:
        if isinstance(piece, SetCard):
            return set_card(piece, self.deck, EDGE, px_mm)
        if isinstance(piece, PlayingCard):
            return playing_face(piece, self.pack, px_mm)
        size_mm = self.pack.width_mm, self.pack.height_mm
        return random_back(np.random.default_rng(self.look.seed), px_mm, size_mm, self.pack.corner_mm)

    def _window(self, item: Item, margin_px: int) -> Window:
        if item.is_die:
            return window_of(np.asarray(self.view.see(self.die(item).corners_mm())[0]), margin_px, self.view.size_px)
        return window_of(outline(self.view, self._size_mm(item), pose_of(item)), margin_px, self.view.size_px)

    def _groups(self, flats: Sequence[Item]) -> list[tuple[tuple[Item, ...], Window]]:
        """Cards whose windows meet are painted together, first ones first."""
        groups: list[tuple[list[int], Window]] = []
        for number, one in enumerate(flats):
            members, window = [number], self._window(one, MARGIN_PX)
            while (other := next((one for one in groups if meet(window, one[1])), None)) is not None:  # a window that grew meets more
                groups.remove(other)
                members, window = [*other[0], *members], around(window, other[1])
            groups.append((members, window))
        merged = [(tuple(flats[at] for at in sorted(members)), window) for members, window in groups]
        return [(group, window) for group, window in merged if window[2] > window[0] and window[3] > window[1]]

    def _painted(self, group: tuple[Item, ...], window: Window) -> tuple[Picture, Picture]:
        layers, nearby = self._part(window)
        for number, one in enumerate(group):
            lay(layers, nearby, self.light, self._face(one), pose_of(one), number)
        return lit(layers, nearby, self.light)

    def _part(self, window: Window) -> tuple[Layers, Viewpoint]:
        left, top, right, bottom = window
        layers = self._empty()[0].window(*(FINER * side for side in window)).copy()
        layers.offset_px = (0, 0)
        center = (self.view.center_px[0] - left, self.view.center_px[1] - top)
        return layers, replace(self.view, size_px=(right - left, bottom - top), center_px=center)

    def _hold(self, radiance: Picture, item: Item) -> None:
        """Paint a card in the air, in place."""
        window = self._window(item, HOLD_PX)
        left, top, right, bottom = window
        if right - left < 2 or bottom - top < 2:
            return
        layers, nearby = self._part(window)
        layers.owner[:] = COVER
        lay(layers, nearby, self.light, self._face(item), pose_of(item), 0)
        lamp, ambient = lit(layers, nearby, self.light)
        share = cv2.resize((layers.owner == 0).astype(np.float32), lamp.shape[1::-1], interpolation=cv2.INTER_AREA)[..., None]
        part = radiance[top:bottom, left:right]
        part *= 1 - share
        part += share * (lamp + ambient)

    def _hand(self, pose: HandPose) -> tuple[Shades, Seen | None, Window | None]:
        """What a hand takes of both lights, what is seen of it, and the window of all that."""
        body = hand(pose, self.look.person)
        dark, dim = (np.asarray(255 * shadow(self.view, self.light, body, low), np.uint8) for low in (False, True))
        seen = render(self.view, self.light, body)
        windows = [one for one in (touched(dark), touched(dim)) if one is not None]
        if seen is not None:
            seen = Seen(seen.left, seen.top, seen.light.astype(np.float16), seen.cover.astype(np.float16), seen.toward_mm[:0])
            windows.append(place_of(seen))
        if not windows:
            return (dark[:0], dim[:0]), seen, None
        reach = around_all(windows)
        return (dark[cut(reach)].copy(), dim[cut(reach)].copy()), seen, reach


def toward_corners(size_px: tuple[int, int], vignette: float) -> NDArray[np.float32]:
    """The light that a lens leaves, as `Sensor.take` has it, shape (height, width, 1)."""
    x, y = (np.linspace(-1, 1, side, dtype=np.float32) for side in size_px)
    far = (x[None, :] ** 2 + y[:, None] ** 2) / 2
    return np.asarray(1 - np.float32(vignette) * far**1.5, np.float32)[..., None]


def pose_of(item: Item) -> Pose:
    return Pose(item.place, item.lift_mm)
