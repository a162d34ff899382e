"""Light, lens and sensor: what happens to a clean picture of a table before a program sees it.

Every function takes and returns a float32 BGR picture in linear light and leaves its input as it was.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.render.surfaces import Picture, fractal


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
    return np.asarray(picture * np.exp(strength * (field - field.mean()))[..., None], dtype=np.float32)


def shadow(rng: np.random.Generator, picture: Picture, strength: float) -> Picture:
    """One or two shadows with hard or soft edges (sun through a window, a hand, a head), bluish at times."""
    height, width = picture.shape[:2]
    span = max(height, width)
    for _ in range(int(rng.integers(1, 3))):
        mask: NDArray[np.float32] = np.zeros((height, width), np.float32)
        center = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        angle = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
        radius = span * rng.uniform(0.2, 1.0, len(angle))
        points = np.stack([np.cos(angle) * radius, np.sin(angle) * radius], axis=1) + center
        cv2.fillPoly(mask, [points.astype(np.int32)], 1.0, cv2.LINE_AA)
        soft = cv2.GaussianBlur(mask, (0, 0), float(np.exp(rng.uniform(np.log(0.7), np.log(span / 12)))))
        depth = 1 - strength * rng.uniform(0.2, 0.8) * np.exp(rng.normal(0, 0.08, 3))
        picture = picture * (1 + np.asarray(soft)[..., None] * (depth - 1)).astype(np.float32)
    return np.asarray(np.maximum(picture, 0), dtype=np.float32)


def glare(rng: np.random.Generator, picture: Picture, strength: float) -> Picture:
    """Light mirrored by the lacquer: added, soft-edged, near white."""
    height, width = picture.shape[:2]
    spot = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        center = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(rng.uniform(0.02, 0.2) * width) + 1, int(rng.uniform(0.02, 0.2) * height) + 1)
        cv2.ellipse(spot, center, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(spot, (0, 0), float(max(height, width) * rng.uniform(0.01, 0.08)))
    return np.asarray(picture + strength * rng.uniform(0.1, 0.7) * np.asarray(soft)[..., None], dtype=np.float32)


def cast(rng: np.random.Generator, picture: Picture, strength: float) -> Picture:
    """Colour of the light or a wrong white balance, even or drifting over the picture."""
    gains = np.exp(strength * rng.normal(0, 0.35, 3)).astype(np.float32)
    warm = rng.normal(0, 0.35) * strength
    gains *= np.exp(np.array([-warm, 0, warm], np.float32))
    picture = picture * (gains / gains.mean())
    if rng.random() < 0.25:
        ramp = np.linspace(-1, 1, picture.shape[1], dtype=np.float32)[None, :, None]
        picture = picture * np.exp(ramp * strength * rng.normal(0, 0.2, 3).astype(np.float32))
    return np.asarray(picture, dtype=np.float32)


def blur(rng: np.random.Generator, picture: Picture, strength: float) -> Picture:
    """Defocus, or the camera moving during the exposure."""
    sigma = strength * abs(rng.normal(0, 1.0))
    if rng.random() < 0.15:
        length = max(1, int(strength * rng.uniform(2, 7)))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        angle = rng.uniform(0, np.pi)
        tip = (int(length + length * np.cos(angle)), int(length + length * np.sin(angle)))
        cv2.line(kernel, (length, length), tip, 1.0, 1, cv2.LINE_AA)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma) if sigma > 0.3 else picture, dtype=np.float32)


def develop(rng: np.random.Generator, picture: Picture, strength: float) -> NDArray[np.uint8]:
    """Expose, add sensor noise, apply the camera's tone curve, saturation and sharpening; linear light to 8 bits."""
    bright = float(np.percentile(picture, 97)) + 1e-6
    exposure = np.exp(rng.normal(0, 0.3)) * 0.85
    linear = np.clip(picture * np.float32(exposure / bright), 0, None)
    grain = strength * abs(rng.normal(0, 0.02))
    noisy = rng.standard_normal(picture.shape, dtype=np.float32)
    if rng.random() < 0.5:
        noisy = np.asarray(cv2.GaussianBlur(noisy, (0, 0), rng.uniform(0.5, 1.2)), np.float32) * 2
    linear = linear + grain * np.sqrt(np.clip(linear, 0.02, 1)) * noisy
    tone = np.clip(linear, 0, 1) ** np.float32(1 / rng.uniform(1.8, 2.6))
    curve = rng.uniform(-0.4, 0.6)
    tone = tone + curve * tone * (1 - tone) * (2 * tone - 1)
    gray = tone.mean(axis=2, keepdims=True)
    tone = gray + (tone - gray) * np.float32(np.exp(rng.normal(0, 0.25)))
    if rng.random() < 0.35:
        tone = tone + rng.uniform(0.2, 1.5) * (tone - cv2.GaussianBlur(tone, (0, 0), rng.uniform(0.6, 1.8)))
    black = rng.uniform(0, 0.08) * (rng.random() < 0.4)
    return np.asarray(np.clip((black + (1 - black) * tone) * 255 + 0.5, 0, 255), dtype=np.uint8)


def code(rng: np.random.Generator, image: NDArray[np.uint8], strength: float) -> NDArray[np.uint8]:
    """JPEG artefacts, and the softness of a picture that was once smaller."""
    if rng.random() < 0.3 * strength:
        height, width = image.shape[:2]
        scale = rng.uniform(0.5, 0.95)
        small = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.uniform(98 - 65 * strength, 98))
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
    return image


def spoil(rng: np.random.Generator, picture: Picture, how: Spoil) -> NDArray[np.uint8]:
    """All of it, in the order in which light travels."""
    picture = lamp(rng, picture, how.light)
    if rng.random() < 0.5 * how.shadow:
        picture = shadow(rng, picture, 1.0)
    if rng.random() < 0.15:
        height, width = picture.shape[:2]
        picture = np.asarray(picture * np.exp(0.15 * fractal(rng, height, width, width / 4, 2))[..., None], dtype=np.float32)
    if rng.random() < 0.3 * how.light:
        picture = glare(rng, picture, 1.0)
    picture = cast(rng, picture, how.cast)
    picture = blur(rng, picture, how.blur)
    return code(rng, develop(rng, picture, how.noise), how.coding)
