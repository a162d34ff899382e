"""What happens to the light of a table before a program sees it: shadows and glare, a camera drawn by chance, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.render.pixels import Picture, fractal
from visionset.render.sensor import Sensor
from visionset.render.tables import smear


@dataclass(frozen=True, slots=True)
class Spoil:
    """How bad a picture is, each from 0 (not at all) to 1 (the worst that a reader should survive)."""

    light: float = 0.5
    shadow: float = 0.5
    cast: float = 0.5
    blur: float = 0.5
    noise: float = 0.5
    coding: float = 0.5


def lamp(rng: np.random.Generator, picture: Picture, strength: float) -> Picture:
    """Fall-off of one lamp, as a soft quadratic field."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
    cx, cy = rng.uniform(-1.2, 1.2, 2)
    field = rng.normal(0, 0.5) * x + rng.normal(0, 0.5) * y - rng.uniform(0, 0.6) * ((x - cx) ** 2 + (y - cy) ** 2)
    return np.asarray(picture * np.exp(strength * (field - field.mean()))[..., None], np.float32)


def shadow(rng: np.random.Generator, picture: Picture) -> Picture:
    """One or two shadows with hard or soft edges (sun through a window, a hand, a head), bluish at times."""
    height, width = picture.shape[:2]
    span = max(height, width)
    for _ in range(int(rng.integers(1, 3))):
        mask = np.zeros((height, width), np.float32)
        angle = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
        radius = span * rng.uniform(0.2, 1.0, len(angle))
        points = np.stack([np.cos(angle) * radius + rng.uniform(0, width), np.sin(angle) * radius + rng.uniform(0, height)], axis=1)
        cv2.fillPoly(mask, [points.astype(np.int32)], 1.0, cv2.LINE_AA)
        soft = cv2.GaussianBlur(mask, (0, 0), float(np.exp(rng.uniform(np.log(0.7), np.log(span / 12)))))
        depth = 1 - rng.uniform(0.2, 0.8) * np.exp(rng.normal(0, 0.08, 3))
        picture = picture * (1 + np.asarray(soft)[..., None] * (depth - 1)).astype(np.float32)
    return np.asarray(np.maximum(picture, 0), np.float32)


def glare(rng: np.random.Generator, picture: Picture) -> Picture:
    """Light mirrored by the lacquer: added, soft-edged, near white."""
    height, width = picture.shape[:2]
    spot = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        center = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(rng.uniform(0.02, 0.2) * width) + 1, int(rng.uniform(0.02, 0.2) * height) + 1)
        cv2.ellipse(spot, center, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(spot, (0, 0), float(max(height, width) * rng.uniform(0.01, 0.08)))
    return np.asarray(picture + rng.uniform(0.1, 0.7) * np.asarray(soft)[..., None], np.float32)


def random_sensor(rng: np.random.Generator, how: Spoil) -> Sensor:
    """A camera with its settings, right ones or wrong ones."""
    gains = np.exp(how.cast * rng.normal(0, 0.35, 3) + how.cast * rng.normal(0, 0.35) * np.array([1, 0, -1]))
    red, green, blue = (float(gain) for gain in gains / gains.mean())
    grain = float(how.noise * abs(rng.normal(0, 0.03)))
    return Sensor(
        exposure=float(np.exp(rng.normal(0, 0.3)) * 0.85),
        balance_rgb=(red, green, blue),
        blur_px=float(how.blur * abs(rng.normal(0, 1.0))),
        read_noise=0.2 * grain,
        shot_noise=grain,
        chroma_noise=float(how.noise * abs(rng.normal(0, 4))) if rng.random() < 0.4 else 0.0,
        vignette=float(rng.uniform(0, 0.35)),
        contrast=float(rng.uniform(-0.4, 0.6)),
        saturation=float(np.exp(rng.normal(0, 0.25))),
        sharpen=float(rng.uniform(0.2, 1.5)) if rng.random() < 0.35 else 0.0,
        black=float(rng.uniform(0, 0.02)) if rng.random() < 0.4 else 0.0,
    )


def code(rng: np.random.Generator, image: NDArray[np.uint8], strength: float) -> NDArray[np.uint8]:
    """JPEG artefacts, and the softness of a picture that was once smaller."""
    if rng.random() < 0.3 * strength:
        height, width = image.shape[:2]
        scale = rng.uniform(0.5, 0.95)
        small = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.7:
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(98 - 65 * strength, 98))])[1]
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return image


def spoil(rng: np.random.Generator, picture: Picture, how: Spoil) -> NDArray[np.uint8]:
    """All of it, in the order in which light travels; linear light to 8 bits."""
    picture = lamp(rng, picture, how.light)
    if rng.random() < 0.5 * how.shadow:
        picture = shadow(rng, picture)
    if rng.random() < 0.15:
        height, width = picture.shape[:2]
        picture = np.asarray(picture * np.exp(0.15 * fractal(rng, height, width, width / 4, 2))[..., None], np.float32)
    if rng.random() < 0.3 * how.light:
        picture = glare(rng, picture)
    if rng.random() < 0.15:
        angle, length = rng.uniform(0, np.pi), how.blur * rng.uniform(4, 14)
        picture = smear(picture, (float(length * np.cos(angle)), float(length * np.sin(angle))))
    bright = float(np.percentile(picture, 97)) + 1e-6
    return code(rng, random_sensor(rng, how).take(rng, picture, 1 / bright), how.coding)
