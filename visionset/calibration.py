"""Calibration: what is known of one camera at one picture size, over one table, and of the deck. Value, load, save."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from visionset.codec import from_json, to_toml
from visionset.errors import CalibrationError, RecordError, without_passwords
from visionset.geometry import Floats, apply
from visionset.saving import config_folder, save_text
from visionset.untrusted import text_of, toml_of

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_UNTIL = (cv2.TERM_CRITERIA_COUNT, 20, 0.0)
"""Steps of the inverse of the lens; each takes off nine tenths of the error or more for lenses of cameras."""

CARD_MM = 57.0, 87.0
"""Width and height of a card of a usual deck."""

_MOST_PX = 100_000
"""Width or height of a picture that any camera takes."""

_MOST_FOCAL_PX, _MOST_BENT = 1e7, 1e4
"""Of a lens: a telescope's focal length; a distortion of which r to the sixth is still a number: a fish eye has less than 10."""

_FLAT = 1e14
"""Condition of a table's homography that cannot be turned round: all of the table would be a line or a point."""

_MOST_MM = 1e4
"""Side of a card."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with distortion, in OpenCV's terms."""

    focal_px: tuple[float, float]
    """Focal length across and down."""
    center_px: tuple[float, float]
    """Where the optical axis meets the picture."""
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    """k1, k2, p1, p2, k3."""

    def __post_init__(self) -> None:
        if not all(1e-3 < focal < _MOST_FOCAL_PX for focal in self.focal_px) or not all(abs(at) < _MOST_FOCAL_PX for at in self.center_px):
            raise CalibrationError("expected a focal length and a centre in pixels, got none that a lens has; calibrate again")
        if not all(abs(bent) < _MOST_BENT for bent in self.distortion):
            raise CalibrationError("expected the distortion of a lens, got more than any lens has; calibrate again")

    @property
    def matrix(self) -> Floats:
        """Camera matrix, shape (3, 3)."""
        (fx, fy), (cx, cy) = self.focal_px, self.center_px
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    def distorted(self, points_px: Floats) -> Floats:
        """Where points of the straight picture, shape (n, 2), lie in the camera's."""
        rays = cv2.convertPointsToHomogeneous((points_px - self.center_px) / self.focal_px)
        return np.asarray(cv2.projectPoints(rays, np.zeros(3), np.zeros(3), self.matrix, np.array(self.distortion))[0][:, 0], np.float64)

    def undistorted(self, points_px: Floats) -> Floats:
        """Where points of the camera's picture, shape (n, 2), would lie if the lens were straight."""
        seen = np.asarray(points_px, np.float64)[:, None]
        straight = cv2.undistortPoints(seen, self.matrix, np.array(self.distortion), P=self.matrix, criteria=_UNTIL)
        return np.asarray(straight[:, 0], np.float64)


@dataclass(frozen=True, slots=True)
class Deck:
    """What an unusual deck looks like."""

    card_mm: tuple[float, float] = CARD_MM
    """Width and height of a card."""
    ink_deg: tuple[float, float, float] | None = None
    """Hues of its red, green and purple, as `visionset.vision.inks.InkOptions.usual_deg` wants them."""
    fill: tuple[float, float, float] | None = None
    """Ink on a solid, striped and open symbol, the solid one at 1."""

    def __post_init__(self) -> None:
        if not all(0 < side < _MOST_MM for side in self.card_mm):
            raise CalibrationError("expected width and height of a card in millimetres, got none that a card has; measure it again")
        if not all(abs(value) <= 360 for values in (self.ink_deg, self.fill) for value in values or ()):
            raise CalibrationError("expected hues in degrees and shares of ink, got others; run visionset calibrate deck")


@dataclass(frozen=True, slots=True)
class Calibration:
    """A profile."""

    name: str
    """Small letters, digits and hyphens."""
    camera: str
    size_px: tuple[int, int]
    """Width and height of the pictures that it holds for."""
    made: str = ""
    """Date, for people."""
    lens: Lens | None = None
    """None where only the deck is known."""
    image_from_table: tuple[float, ...] | None = None
    """Homography by rows from table millimetres to the straight picture; x to the right, y towards the camera."""
    error_px: float = 0.0
    """Root mean square distance of the points it was made from to where they should be."""
    crop_px: tuple[int, int, int, int] | None = None
    """Left, top, right and bottom of the table in the picture."""
    deck: Deck | None = None
    """None for a common deck."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise CalibrationError(f"expected a name of small letters, digits and hyphens, got {self.name!r}; write it as kitchen-table")
        if not all(0 < side <= _MOST_PX for side in self.size_px):
            raise CalibrationError("expected width and height of a picture, got none that a picture has; calibrate again")
        plane = self.image_from_table
        if plane is not None and (len(plane) != 9 or self.lens is None or np.linalg.cond(np.reshape(plane, (3, 3))) > _FLAT):
            raise CalibrationError("expected a table plane of nine numbers and a lens, got other; calibrate again")

    def fitting(self, camera: str, size_px: tuple[int, int]) -> Self:
        """Return the profile when it holds for a camera and picture size. Raises `CalibrationError`: it was made for others."""
        if self.camera != camera:
            raise CalibrationError(
                f"expected {without_passwords(self.camera)}, for which profile {self.name} was made, got {without_passwords(camera)}; "
                "name another profile, or run visionset calibrate lens"
            )
        if self.size_px != size_px:
            made, came = ("x".join(map(str, size)) for size in (self.size_px, size_px))
            raise CalibrationError(
                f"expected pictures of {made}, for which profile {self.name} was made, got {came}; "
                "set the camera to that size, or run visionset calibrate lens"
            )
        return self

    @property
    def summary(self) -> str:
        """The profile in one line."""
        parts = [f"{self.name}: {without_passwords(self.camera)}, {self.size_px[0]}x{self.size_px[1]}"]
        if self.lens is not None:
            parts.append(f"focal length {self.lens.focal_px[0]:.0f} px, points {self.error_px:.2f} px off")
        if self.deck is not None and self.deck.ink_deg is not None:
            parts.append("a deck of its own")
        return ", ".join([*parts, self.made])

    def table_mm(self, points_px: Floats) -> Floats:
        """Where points of the picture, shape (n, 2), lie on the table. Raises `CalibrationError`: the profile knows no table."""
        lens, image_from_table = self._plane()
        return apply(np.asarray(np.linalg.inv(image_from_table), np.float64), lens.undistorted(points_px))

    def image_px(self, points_mm: Floats) -> Floats:
        """Where points of the table, shape (n, 2), are seen; raises as `table_mm` does."""
        lens, image_from_table = self._plane()
        return lens.distorted(apply(image_from_table, points_mm))

    def _plane(self) -> tuple[Lens, Floats]:
        if self.lens is None or self.image_from_table is None:
            raise CalibrationError(f"expected profile {self.name} to know the table, got none; run visionset calibrate lens")
        return self.lens, np.array(self.image_from_table).reshape(3, 3)

    def __str__(self) -> str:
        return to_toml(self)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a profile from TOML, as ``str`` writes it; raises `CalibrationError` for what is none."""
        try:
            return from_json(cls, toml_of(text))
        except (RecordError, CalibrationError) as error:
            raise CalibrationError(f"expected a profile, got none ({error!s:.160}); delete it and run visionset calibrate lens") from None


def save(profile: Calibration, folder: Path | None = None) -> Path:
    """Write a profile, over the one of its name; raises `OutputError` when that fails."""
    path = _path(profile.name, folder)
    save_text(path, str(profile), "set VISIONSET_CONFIG to another folder", make_folder=True)
    return path


def is_kept(name: str, folder: Path | None = None) -> bool:
    """Whether there is a profile of that name, readable or not; raises `CalibrationError` for what is no name."""
    return _path(name, folder).is_file()


def load(name: str, folder: Path | None = None) -> Calibration:
    """Read a profile; raises `CalibrationError` when there is none of that name or it is damaged."""
    return _read(path_of(name, folder))


def path_of(name: str, folder: Path | None = None) -> Path:
    """Where a profile is kept; raises `CalibrationError` when there is none of that name."""
    path = _path(name, folder)
    if not path.is_file():
        names = ", ".join(profile.name for profile in listed(folder)) or "none yet"
        raise CalibrationError(f"expected a profile among these: {names}; got {name!r}; see visionset calibrate list")
    return path


def listed(folder: Path | None = None, tell: Callable[[str], object] = lambda line: None) -> tuple[Calibration, ...]:
    """All profiles that can be read, the newest last; `tell` is given a line about each that cannot."""
    found = []
    profiles = (folder or config_folder()) / "profiles"
    for path in profiles.glob("*.toml") if os.path.isdir(profiles) else ():  # `glob` alone fails in a folder that nobody may look into
        try:
            found.append((path.stat().st_mtime if path.exists() else 0.0, path.name, _read(path)))
        except CalibrationError as error:
            tell(f"{error}; passed over")
    return tuple(profile for _, _, profile in sorted(found, key=lambda one: one[:2]))


def _read(path: Path) -> Calibration:
    try:
        return Calibration.parse(text_of(path))
    except RecordError as error:  # of the file, which names it
        raise CalibrationError(str(error)) from None
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from None


def delete(name: str, folder: Path | None = None) -> None:
    """Delete a profile; raises `CalibrationError` when there is none of that name."""
    path_of(name, folder).unlink()


def chosen(profiles: Iterable[Calibration], camera: str, size_px: tuple[int, int]) -> Calibration | None:
    """The newest profile of a camera and picture size; None where there is none."""
    fitting = [profile for profile in profiles if (profile.camera, profile.size_px) == (camera, size_px)]
    return fitting[-1] if fitting else None


def _path(name: str, folder: Path | None) -> Path:
    if not _NAME.fullmatch(name):
        raise CalibrationError(f"expected a name of small letters, digits and hyphens, got {name!r}; write it as kitchen-table")
    return (folder or config_folder()) / "profiles" / f"{name}.toml"
