"""The style of the frozen tables: prints, dice, table tops, lights and cameras that no training and no sample has.

`scripts/frozen_tables` puts these in place of the renderer's own, in the commit that it checks out; nothing else imports this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from visionset.scene import die_faces, materials, table_pieces, table_spec
from visionset.scene.die_faces import DieStyle, PipStyle, SymbolStyle
from visionset.scene.faces import linear
from visionset.scene.pip_shapes import Lettering, random_suit_shape
from visionset.scene.playing_style import ENGLISH_LETTERS, PlayingStyle
from visionset.scene.sensor import Sensor
from visionset.scene.stage import Light
from visionset.scene.surfaces import fractal, noise
from visionset.scene.table_spec import CameraRange, LightSetup

from visionset.art import DeckStyle
from visionset.pieces import Color, Rank, Suit

CAMERAS = {
    "standing": CameraRange((17.0, 27.0), (1.75, 2.4), (0.4, 1.6)),
    "seated": CameraRange((38.0, 49.0), (0.76, 0.88), (0.2, 0.6)),
    "bracket": CameraRange((3.0, 12.0), (2.5, 3.2), (0.3, 0.9)),
}
_BLINDS = tuple(tuple((x, y + step) for x, y in ((-900, -340), (900, -420), (900, -385), (-900, -305))) for step in range(0, 900, 95))
LIGHTS = {
    "blinds": LightSetup(Light((700, -1500, 1500), (0.8, 0.72, 0.6), (0.2, 0.22, 0.27), _BLINDS, 7.0), 25.0, Sensor(exposure=0.9)),
    "torch": LightSetup(
        Light((160.0, 240.0, 430.0), (0.74, 0.76, 0.8), (0.12, 0.12, 0.13)), 12.0, Sensor(exposure=0.85, shot_noise=0.02, sharpen=1.1)
    ),
    "evening": LightSetup(
        Light((-700.0, 500.0, 600.0), (0.66, 0.42, 0.22), (0.2, 0.24, 0.36)),
        240.0,
        Sensor(exposure=0.8, balance_rgb=(0.96, 1.0, 1.1), chroma_noise=2.5, shot_noise=0.018, saturation=1.25),
    ),
    "office": LightSetup(
        Light((100.0, 700.0, 1900.0), (0.36, 0.4, 0.38), (0.52, 0.56, 0.52)), 700.0, Sensor(exposure=1.05, contrast=0.0, vignette=0.0)
    ),
}


def cork(rng: np.random.Generator, height: int, width: int, px_mm: float) -> materials.Material:
    grain = noise(rng, height, width, (3.2 * px_mm, 2.1 * px_mm)) + 0.7 * noise(rng, height, width, (9 * px_mm, 7 * px_mm))
    share = np.clip(0.45 + 0.3 * grain, 0, 1)[..., None]
    return materials.Material(np.float32(linear((196, 148, 98)) * (1 - share) + linear((126, 82, 46)) * share), 0.1 * grain, 0.0)


def oilcloth(rng: np.random.Generator, height: int, width: int, px_mm: float) -> materials.Material:
    """White with broad blue bands that cross, and a wet shine."""
    x, y = np.arange(width) / px_mm, np.arange(height) / px_mm
    bands = (x[None] % 46 < 19).astype(np.float32) + (y[:, None] % 46 < 19)
    albedo = linear((238, 240, 236)) * (1 - bands[..., None] / 2) + linear((52, 96, 176)) * bands[..., None] / 2
    return materials.Material(np.float32(albedo), 0.4 * noise(rng, height, width, (160 * px_mm, 210 * px_mm)), 0.07, 60)


def slate(rng: np.random.Generator, height: int, width: int, px_mm: float) -> materials.Material:
    layers = fractal(rng, height, width, 60 * px_mm, 5, 0.6)
    albedo = linear((70, 76, 82)) * np.exp(0.18 * layers)[..., None]
    return materials.Material(np.float32(np.clip(albedo, 0.01, 0.9)), 0.6 * layers, 0.02, 20)


def slats(rng: np.random.Generator, height: int, width: int, px_mm: float) -> materials.Material:
    """A mat of thin bamboo sticks on threads."""
    x, y = np.arange(width) / px_mm, np.arange(height) / px_mm
    round_top = np.abs(np.sin(np.pi * y / 4.5))[:, None].astype(np.float32)
    tone = 1 + 0.12 * noise(rng, height, width, (220 * px_mm, 4.5 * px_mm))
    albedo = linear((206, 180, 126)) * (tone * (0.35 + 0.65 * round_top**0.5))[..., None]
    albedo[:, x % 70 < 1.6] *= 0.5
    return materials.Material(np.float32(albedo), np.repeat(0.5 * round_top, width, axis=1), 0.02, 15)


MATERIALS = {"cork": cork, "oilcloth": oilcloth, "slate": slate, "slats": slats}


def inks(rng: np.random.Generator) -> dict[Color, tuple[int, int, int]]:
    """A coral, a teal and a violet: none is the usual one."""
    shades = {Color.RED: (232, 84, 70), Color.GREEN: (0, 128, 122), Color.PURPLE: (128, 70, 178)}
    if rng.random() < 0.5:
        shades = {Color.RED: (186, 16, 60), Color.GREEN: (96, 160, 24), Color.PURPLE: (62, 30, 96)}
    return {name: tuple(int(v) for v in np.clip(np.array(rgb) + rng.normal(0, 8, 3), 0, 255)) for name, rgb in shades.items()}


def deck(rng: np.random.Generator) -> DeckStyle:
    """Tall narrow symbols set close on cream or grey stock."""
    level = rng.uniform(196, 226) if rng.random() < 0.4 else rng.uniform(240, 254)
    return DeckStyle(
        width_mm=rng.uniform(60, 64),
        height_mm=rng.uniform(88, 94),
        corner_mm=rng.uniform(5, 7.5),
        symbol_length_mm=rng.uniform(40, 44),
        symbol_width_mm=rng.uniform(15.5, 17),
        symbol_pitch_mm=rng.uniform(19.5, 22),
        stroke_mm=rng.uniform(0.6, 1.8),
        stripe_pitch_mm=rng.uniform(1.2, 1.9),
        stripes_across=bool(rng.random() < 0.5),
        squiggle_bend=rng.uniform(1.5, 1.8),
        paper_rgb=(int(level), int(level - 2), int(level - rng.uniform(4, 30))),
        ink_rgb=inks(rng),
    )


def close_deck(rng: np.random.Generator) -> DeckStyle:
    """The same with symbols that lie closer still, in the extreme almost touching."""
    style = deck(rng)
    return replace(style, symbol_pitch_mm=style.symbol_width_mm * rng.uniform(1.06, 1.2))


def pack(rng: np.random.Generator) -> PlayingStyle:
    """Slanted or heavy indices, four colours half of the time, letters of several tongues."""
    red, black = (int(rng.uniform(150, 185)), 20, 40), (30, 30, 60)
    ink = {Suit.HEARTS: red, Suit.DIAMONDS: red, Suit.CLUBS: black, Suit.SPADES: black}
    if rng.random() < 0.5:
        ink |= {Suit.DIAMONDS: (225, 120, 10), Suit.CLUBS: (10, 110, 50)}
    big = rng.random() < 0.5
    return PlayingStyle(
        width_mm=rng.uniform(57, 66),
        height_mm=rng.uniform(87, 96),
        corner_mm=rng.uniform(4, 7),
        lettering=Lettering("italic" if rng.random() < 0.7 else "sans", int(rng.integers(250, 950))),
        index_mm=rng.uniform(12, 17) if big else rng.uniform(6, 8),
        index_slim=rng.uniform(0.7, 1.2),
        index_widest_mm=rng.uniform(10, 13) if big else rng.uniform(6, 8),
        index_suit=rng.uniform(0.7, 1.1),
        margin_mm=(rng.uniform(2.5, 4.5), rng.uniform(3.5, 6.0)),
        four_corners=bool(not big and rng.random() < 0.5),
        shape=random_suit_shape(rng),
        pip_mm=rng.uniform(10, 18),
        spread=rng.uniform(0.8, 0.95),
        court_seed=int(rng.integers(1 << 30)),
        letters=dict(ENGLISH_LETTERS) | ({Rank.JACK: "B", Rank.QUEEN: "D"} if rng.random() < 0.15 else {}),
        ink=ink,
        paper=(247, 242, int(rng.uniform(205, 235))),
    )


def pip_die(rng: np.random.Generator) -> tuple[DieStyle, PipStyle]:
    """Marbled, pastel and metal dice, their pips small and far apart or large and close."""
    pastel, metal = rng.random() < 0.5, rng.random() < 0.25
    body = (
        linear(rng.uniform(150, 235, 3)) if pastel else linear(np.array([rng.uniform(20, 110), rng.uniform(10, 60), rng.uniform(60, 130)]))
    )
    if metal:
        body = linear(np.array([1.0, 0.96, 0.88]) * rng.uniform(150, 190))
    ink = linear((16, 16, 20)) if pastel or metal else linear((236, 222, 170))
    radius = rng.uniform(0.06, 0.075) if rng.random() < 0.5 else rng.uniform(0.11, 0.125)
    size = rng.uniform(9, 13) if rng.random() < 0.4 else rng.uniform(17, 24)
    shine = (rng.uniform(0.6, 0.9), 25.0) if metal else (rng.uniform(0.1, 0.5), float(rng.uniform(20, 120)))
    ball = rng.uniform(1.28, 1.45) if rng.random() < 0.5 else 2.0
    die = DieStyle(size, size * rng.uniform(0.05, 0.22), ball, np.float32(body), *shine)
    return die, PipStyle(ink, ink, radius, radius * rng.uniform(1, 1.6), rng.uniform(0.25, 0.29), rng.uniform(0, 1), rng.uniform(0.6, 1))


def set_die(rng: np.random.Generator) -> tuple[DieStyle, SymbolStyle]:
    """Cream or grey cubes with slender symbols in other inks."""
    size = rng.uniform(15, 27)
    width = rng.uniform(0.12, 0.17)
    body = linear(np.array([1, 0.98, rng.uniform(0.84, 0.97)]) * rng.uniform(190, 245))
    die = DieStyle(size, size * rng.uniform(0.1, 0.18), 2.0, np.float32(body), rng.uniform(0.2, 0.7), 40.0)
    shades = {name: linear(np.array(rgb, np.float64)) for name, rgb in inks(rng).items()}
    pitch = min(0.28, width * rng.uniform(1.25, 1.7))
    symbols = (rng.uniform(0.6, 0.76), width, pitch, rng.uniform(0.02, 0.06), bool(rng.random() < 0.5), rng.uniform(1.2, 1.8))
    return die, SymbolStyle(shades, *symbols, int(rng.integers(0, 8)), int(rng.integers(0, 4)))


def put_on(cards: Callable[[np.random.Generator], DeckStyle]) -> None:
    """Put this style, SET cards in a print of it, in place of the renderer's own: nothing of that is left to choose."""
    for own, other in ((table_spec.CAMERAS, CAMERAS), (table_spec.LIGHTS, LIGHTS), (materials.MATERIALS, MATERIALS)):
        own.clear()
        own.update(other)
    table_pieces.random_style, table_pieces.random_playing_style = cards, pack
    table_pieces.random_die, table_pieces.random_set_die = pip_die, set_die
    plain = die_faces._blank

    def marbled(rng: np.random.Generator, style: DieStyle) -> np.ndarray:
        picture = plain(rng, style)
        veins = np.exp(-((fractal(rng, *picture.shape[:2], 40, 4) / 0.16) ** 2))[..., None]
        is_pale = float(style.body_bgr.min()) > 0.25
        return np.float32(picture * (1 + (0.12 if is_pale else 0.9) * veins))

    die_faces._blank = marbled
