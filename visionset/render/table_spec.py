"""What a rendered table is asked to be: pieces, layout, camera, light and table top, each by name, and one seed for the rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from visionset.errors import SceneError
from visionset.pieces import Kind
from visionset.render.camera import Sensor
from visionset.render.materials import MATERIALS
from visionset.render.stage import Light

_ANY = "any"  # name of a choice that the seed makes
# kinds of pieces by the name that people give them
KINDS: dict[str, Kind] = {
    "set-cards": Kind.SET_CARD,
    "set-dice": Kind.SET_DIE,
    "pip-dice": Kind.PIP_DIE,
    "playing-cards": Kind.PLAYING_CARD,
    "card-backs": Kind.CARD_BACK,
}
DICE = (Kind.SET_DIE, Kind.PIP_DIE)


class CameraRange(NamedTuple):
    """Where a camera of one name stands, as ranges that the seed draws from."""

    tilt_deg: tuple[float, float]  # 0 looks straight down, 90 along the table
    focal_widths: tuple[float, float]
    """Focal length in picture widths: 0.8 is a wide webcam (64 degrees across), 1.5 a telephone held farther away."""
    aperture_mm: tuple[float, float]
    """Radius of the lens opening: what is nearer or farther than the middle of the table blurs (physical renderer only)."""


# cameras by name; a laptop's lid looks down from about 35 degrees above the table
CAMERAS: dict[str, CameraRange] = {
    "above": CameraRange((0.0, 16.0), (0.9, 1.7), (0.3, 1.2)),
    "oblique": CameraRange((28.0, 46.0), (0.9, 1.6), (0.3, 1.4)),
    "laptop-lid": CameraRange((50.0, 56.0), (0.95, 1.2), (0.2, 0.7)),
}
_NOISY = {"read_noise": 0.005, "shot_noise": 0.03, "chroma_noise": 3.5}
_DULL = {"blur_px": 0.8, "vignette": 0.3, "contrast": 0.1, "sharpen": 0.8, "black": 0.012}

# lights by name, with the camera settings that go with them
LIGHTS: dict[str, tuple[Light, Sensor]] = {
    "window": (Light((-900.0, -700.0, 900.0), (0.62, 0.63, 0.64), (0.31, 0.33, 0.36), 320.0), Sensor(0.9)),
    "ceiling": (Light((200.0, -300.0, 1500.0), (0.5, 0.47, 0.43), (0.42, 0.4, 0.37), 180.0), Sensor(0.95)),
    "overcast": (Light((-300.0, -500.0, 1600.0), (0.28, 0.29, 0.3), (0.62, 0.64, 0.68), 500.0), Sensor(contrast=0.1)),
    "sun": (Light((1100.0, -900.0, 1300.0), (0.82, 0.78, 0.7), (0.17, 0.19, 0.24), 14.0), Sensor(0.92, contrast=0.35)),
    "lamp": (Light((420.0, -380.0, 560.0), (0.72, 0.56, 0.36), (0.16, 0.13, 0.09), 60.0), Sensor(0.95, (0.92, 1.0, 1.25), shot_noise=0.01)),
    "dim": (Light((300.0, -500.0, 800.0), (0.58, 0.54, 0.48), (0.32, 0.3, 0.28), 150.0), Sensor(0.6, (1.08, 1.0, 0.82), **_NOISY, **_DULL)),
}
_COUNT_LIMIT = 120  # more pieces than any game puts on a table
_SIZE_LIMIT_PX = (160, 4096)  # least and most pixels along a side of a picture


@dataclass(frozen=True, slots=True)
class Layout:
    """A sort of table: what lies there unless other kinds are asked for, the least and the most pieces, and what can lie like that."""

    kinds: tuple[str, ...]
    count: tuple[int, int]
    fits: tuple[Kind, ...] = tuple(Kind)


_CARDS = (Kind.SET_CARD, Kind.PLAYING_CARD, Kind.CARD_BACK)

# layouts by name
LAYOUTS: dict[str, Layout] = {
    "scattered": Layout(("set-dice",), (42, 42)),
    "grid": Layout(("set-dice",), (9, 30), DICE),
    "board": Layout(("set-dice",), (9, 24), DICE),
    "row": Layout(("playing-cards",), (4, 12)),
    "fan": Layout(("playing-cards",), (5, 9), _CARDS),
    "columns": Layout(("playing-cards",), (12, 24), _CARDS),
    "mixed": Layout(tuple(KINDS), (14, 20)),
}


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table to render; "any" leaves a choice to the seed.

    Raises
    ------
    SceneError
        A name that does not exist, or a number or size out of range.
    """

    layout: str = "scattered"  # one of `LAYOUTS`
    kinds: tuple[str, ...] = ()  # names out of `KINDS`; empty: those usual for the layout
    seed: int = 0  # decides everything that is not named here
    camera: str = _ANY
    light: str = _ANY
    table: str = _ANY  # out of `CAMERAS`, `LIGHTS` and `visionset.render.materials.MATERIALS`, or "any"
    count: int | None = None  # pieces; None draws a usual number
    size_px: tuple[int, int] = (1280, 720)  # width and height of the picture

    def __post_init__(self) -> None:
        for what, name, names in (
            ("scene", self.layout, LAYOUTS),
            ("camera", self.camera, (_ANY, *CAMERAS)),
            ("light", self.light, (_ANY, *LIGHTS)),
            ("table", self.table, (_ANY, *MATERIALS)),
            *(("kinds", kind, KINDS) for kind in self.kinds),
        ):
            if name not in names:
                raise SceneError(f"expected a {what} out of {', '.join(names)}, got {name!r}; choose one of them")
        fit, (least, most) = [name for name, kind in KINDS.items() if kind in LAYOUTS[self.layout].fits], _SIZE_LIMIT_PX
        wrong, size = [kind for kind in self.kinds if kind not in fit], "x".join(map(str, self.size_px))
        kinds, small = f"kinds that can lie as a {self.layout} ({', '.join(fit)})", not all(least <= side <= most for side in self.size_px)
        for is_wrong, wanted, got, rather in (
            (wrong, kinds, ", ".join(wrong), "choose another scene or kind"),
            (
                self.count is not None and not 1 <= self.count <= _COUNT_LIMIT,
                f"1 to {_COUNT_LIMIT} pieces",
                self.count,
                "ask for fewer or more",
            ),
            (self.seed < 0, "a seed of 0 or more", self.seed, "leave the sign away"),
            (small, f"a picture with sides of {least} to {most} pixels", size, "try 1280x720"),
        ):
            if is_wrong:
                raise SceneError(f"expected {wanted}, got {got}; {rather}")

    @property
    def words(self) -> str:
        """What is asked for."""
        place = f"camera {self.camera}, light {self.light}, table {self.table}"
        return f"{self.layout} of {' and '.join(self.kinds)}, {place}, seed {self.seed}"

    def settled(self, rng: np.random.Generator) -> tuple[TableSpec, int]:
        """Return the same with every choice made, and how many pieces there are."""

        def drawn(name: str, names: Iterable[str]) -> str:
            chosen = str(rng.choice(list(names)))
            return chosen if name == _ANY else name

        layout = LAYOUTS[self.layout]
        camera, light, table = drawn(self.camera, CAMERAS), drawn(self.light, LIGHTS), drawn(self.table, MATERIALS)
        usual = int(rng.integers(layout.count[0], layout.count[1] + 1))
        return replace(self, kinds=self.kinds or layout.kinds, camera=camera, light=light, table=table), self.count or usual
