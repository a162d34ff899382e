"""What else lies on a believable table: notes, envelopes, a phone and pencils."""

from __future__ import annotations

import numpy as np

from visionset.art import rounded_rectangle
from visionset.geometry import Floats
from visionset.render.faces import RESOLUTION_PX_MM, Face, Sheet, box
from visionset.render.hands import Limb, Part
from visionset.render.pixels import noise

_STEP_MM = 0.22  # way of a pen from point to point


def _words(rng: np.random.Generator, at_mm: tuple[float, float], length_mm: float) -> tuple[Floats, ...]:
    """A line of loops and strokes that nobody can read, as paths."""
    x = np.arange(0, length_mm, _STEP_MM)
    phase, waver = np.cumsum(rng.uniform(0.45, 0.8, len(x))), noise(rng, 2, len(x), (9.0, 2.0))
    y = -(0.9 + 0.9 * np.abs(waver[0])) * (1 + np.sin(phase)) + 0.25 * noise(rng, 2, len(x), (40.0, 2.0))[0]
    words = np.split(np.stack([x + 0.55 * np.cos(phase), y], axis=1) + at_mm, np.flatnonzero(rng.random(len(x)) < 0.017))
    return tuple(word[12:] for word in words if len(word) > 24)


def note(rng: np.random.Generator) -> Face:
    """A ruled sheet of a notepad with a score written on it."""
    sheet, lines = Sheet((105.0, 148.0), RESOLUTION_PX_MM, (246, 243, 232)), np.arange(-58, 70, 7.0)
    sheet.line(tuple(np.array([[-53.0, y], [53.0, y]]) for y in lines), (168, 192, 216), 0.25)
    for y in lines[1 : int(rng.integers(8, 17))]:
        sheet.line(_words(rng, (-42.0, y - 1.0), rng.uniform(25, 68)), (28, 36, 92), 0.38, False)
    return sheet.face(0)


def envelope(rng: np.random.Generator) -> Face:
    """A white window envelope with an address and a stamp."""
    sheet = Sheet((220.0, 110.0), RESOLUTION_PX_MM, (240, 240, 238))
    sheet.fill((rounded_rectangle(90, 40, 3) + np.array([-45, 13]),), (222, 224, 226))
    for y in (3.0, 10.0, 17.0, 24.0):
        sheet.line(_words(rng, (-84.0, y), rng.uniform(45, 70)), (40, 40, 44), 0.25, False)
    sheet.fill(box(78, -47, 102, -19), (96, 130, 160))
    sheet.fill(box(80, -45, 100, -21), (196, 208, 214))
    return sheet.face(0.5)


def phone() -> Face:
    """A dark telephone, its screen off."""
    sheet = Sheet((72.0, 148.0), RESOLUTION_PX_MM, (52, 54, 58))
    sheet.fill((rounded_rectangle(67, 143, 8),), (14, 15, 18))
    return sheet.face(10)


def pencil(from_mm: tuple[float, float], to_mm: tuple[float, float]) -> tuple[Part, ...]:
    """A sharpened pencil lying on the table, its point at `to_mm`."""
    tail, tip = (np.array([*p, 3.8]) for p in (from_mm, to_mm))
    way = (tip - tail) / np.linalg.norm(tip - tail)
    neck, lead = tip - 17 * way, tip - 4 * way
    return (
        Part((Limb(tail + 8 * way, neck, 3.6, 3.6),), 0.0, 0.0, (0.72, 0.36, 0.03), "plastic"),
        Part((Limb(tail, tail + 9 * way, 3.5, 3.7),), 0.0, 0.0, (0.55, 0.55, 0.56), "plastic"),
        Part((Limb(neck, lead, 3.5, 1.2),), 0.0, 0.0, (0.66, 0.44, 0.24), "cloth"),
        Part((Limb(lead, tip - [0, 0, 3.2], 1.2, 0.4),), 0.0, 0.0, (0.04, 0.04, 0.045), "plastic"),
    )
