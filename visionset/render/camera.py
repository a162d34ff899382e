"""The camera: a pinhole over the table, for flat things and for things that stand above it, and the chip behind it.

Table coordinates are millimetres, x to the right, y towards the player, z up from the table top.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, apply
from visionset.render.pixels import Field, Picture, painted_row, thrice


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Where the camera is and what it looks at."""

    size_px: tuple[int, int]  # width and height of the picture
    scale_px_mm: float  # pixels a millimetre at the table's origin, across the line of sight
    tilt_deg: float  # 0 looks straight down; the far side of the table is at the top of the picture
    turn_deg: float  # turn of the table in its plane, clockwise in the picture
    distance_mm: float  # from the camera to the table's origin; short ones give strong perspective
    center_px: tuple[float, float]  # where the origin is seen

    def finer(self, factor: int) -> Viewpoint:
        """Return the same view with `factor` times as many pixels along each side."""
        x, y = (factor * (c + 0.5) - 0.5 for c in self.center_px)
        width, height = self.size_px
        return replace(self, size_px=(factor * width, factor * height), scale_px_mm=factor * self.scale_px_mm, center_px=(x, y))

    @property
    def rotation(self) -> Floats:
        """Rows: the picture's right, the picture's down and the way to the camera, in table coordinates."""
        turn, tilt = np.radians([self.turn_deg, self.tilt_deg])
        about_z = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        return np.asarray(about_x @ about_z)

    @property
    def eye_mm(self) -> Floats:
        """Place of the camera, shape (3,)."""
        return np.asarray(self.distance_mm * self.rotation[2])

    @property
    def image_from_space(self) -> Floats:
        """Projection of table millimetres, shape (3, 4)."""
        lens = np.array([[self.scale_px_mm, 0, self.center_px[0]], [0, self.scale_px_mm, self.center_px[1]], [0, 0, 1]])
        toward = np.array([1, 1, -1 / self.distance_mm])[:, None] * self.rotation
        return np.asarray(lens @ np.column_stack([toward, [0, 0, 1]]))

    @property
    def image_from_table(self) -> Floats:
        """Homography of the table top."""
        return np.asarray(self.image_from_space[:, [0, 1, 3]])

    def image_from_plane(self, origin_mm: Floats, right: Floats, down: Floats) -> Floats:
        """Homography of a plane in space, given its origin and two unit vectors."""
        frame = np.column_stack([np.append(right, 0), np.append(down, 0), np.append(origin_mm, 1)])
        return np.asarray(self.image_from_space @ frame)

    def see(self, points_mm: Floats) -> tuple[Floats, Floats, Floats]:
        """Pixels of points, shape (n, 3), how much nearer to the camera than the table's origin each is, and its pixels a millimetre."""
        seen = points_mm @ self.rotation.T
        scale = self.scale_px_mm / (1 - seen[:, 2] / self.distance_mm)
        return seen[:, :2] * scale[:, None] + np.array(self.center_px), seen[:, 2], scale

    def table_mm(self) -> Floats:
        """Where the picture's corners meet the table, clockwise from the top left, shape (4, 2)."""
        width, height = self.size_px
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        table_from_image = np.asarray(np.linalg.inv(self.image_from_table), np.float64)
        depth = corners @ table_from_image[2, :2] + table_from_image[2, 2]
        if depth.min() <= 0:
            raise ValueError(f"expected a picture of the table alone, got the horizon at tilt {self.tilt_deg}; tilt the camera less")
        return apply(table_from_image, corners)


@dataclass(frozen=True, slots=True)
class Sensor:
    """One camera and its settings."""

    exposure: float = 0.95  # gain before clipping; 1 leaves white paper under full light just unclipped
    balance_rgb: tuple[float, float, float] = (1.0, 1.0, 1.0)  # white balance gains; a wrong one is a colour cast
    blur_px: float = 0.6  # standard deviation of the lens blur
    blur_far_px: float = 0.0  # more of it towards the top of the picture
    blur_near_px: float = 0.0  # and towards the bottom: little depth of field
    read_noise: float = 0.0015  # standard deviation of the noise in the dark
    shot_noise: float = 0.006  # its growth with the root of the light
    chroma_noise: float = 0.0  # coarse colour noise that the processing leaves, standard deviation on the 0 to 255 scale
    vignette: float = 0.15  # loss of light in the corners, 0 to 1
    contrast: float = 0.25  # strength of the S-shaped tone curve
    saturation: float = 1.05  # 1 keeps the colours
    sharpen: float = 0.4  # strength of the unsharp mask
    black: float = 0.004  # flare: light that is everywhere, as a share of white

    def take(self, rng: np.random.Generator, radiance: Picture, exposure: float = 1.0) -> NDArray[np.uint8]:
        """Take a picture of linear light; `exposure` multiplies the camera's own."""
        height, width = radiance.shape[:2]
        x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
        y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        corner = 1 - np.float32(self.vignette) * ((x * x + y * y) / 2) ** 1.5
        sharp = cv2.GaussianBlur(radiance, (0, 0), self.blur_px) if self.blur_px > 0.2 else radiance
        for sigma, share in ((self.blur_far_px, np.clip(-y, 0, 1)), (self.blur_near_px, np.clip(y, 0, 1))):
            if sigma > 0.2:
                soft = cv2.GaussianBlur(radiance, (0, 0), float(np.hypot(sigma, self.blur_px)))
                sharp = sharp + share[..., None] * (soft - sharp)
        light = np.asarray(sharp, np.float32) * thrice(corner * np.float32(self.exposure * exposure))
        light = light * painted_row(self.balance_rgb[::-1], width) + np.float32(self.black)
        if self.read_noise > 0 or self.shot_noise > 0:
            grain = cv2.GaussianBlur(rng.standard_normal(light.shape, dtype=np.float32), (0, 0), 0.55) * 1.8
            gray = _gray(grain)
            strength = np.sqrt(np.float32(self.read_noise**2) + np.float32(self.shot_noise**2) * np.clip(light, 0, 4))
            light = light + (gray * 1.2 + (grain - gray) * 0.7) * strength
        shoulder = np.float32(0.82)
        bright = light > shoulder  # few are
        light[bright] = shoulder + (1 - shoulder) * (1 - np.exp(-(light[bright] - shoulder) / (1 - shoulder) * np.float32(0.8)))
        tone = np.clip(light, 0, 1) ** np.float32(1 / 2.2)
        tone = tone + np.float32(self.contrast) * tone * (1 - tone) * (2 * tone - 1)
        gray = _gray(tone)
        tone = gray + (tone - gray) * np.float32(self.saturation)
        if self.sharpen > 0:
            tone = tone + np.float32(self.sharpen) * (tone - cv2.GaussianBlur(tone, (0, 0), 1.0))
        if self.chroma_noise > 0:
            small = rng.standard_normal((height // 4 + 2, width // 4 + 2, 3), dtype=np.float32) * np.float32(self.chroma_noise / 255)
            tone = tone + cv2.resize(small - small.mean(axis=2, keepdims=True), (width, height), interpolation=cv2.INTER_CUBIC)
        return np.asarray(np.clip(tone * 255 + 0.5, 0, 255), np.uint8)


def _gray(picture: Picture) -> Field:
    """The mean of the channels of each pixel, once for each of them."""
    blue, green, red = cv2.split(picture)
    return thrice((blue + green + red) / np.float32(3))
