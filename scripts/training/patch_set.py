"""Patches that a reader learns from, each time under another light."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import torch

from visionset.vision.patches import Patch, paper_white

EXPOSED = 0.25  # of the patches are seen by a camera that is set wrongly, or through haze


def relit(rng: np.random.Generator, pieces: np.ndarray) -> np.ndarray:
    """Half of the patches, shape (n, height, width, 3), under another light: contrast, a slope of brightness, less colour, blur."""
    n, height, width, _ = pieces.shape

    def half(spread: np.ndarray) -> np.ndarray:
        return spread.astype(np.float32).reshape(n, 1, 1, 1) * (rng.random((n, 1, 1, 1)) < 0.5)

    pieces = np.maximum(pieces, 0) ** np.exp(half(rng.normal(0, 0.25, n)))
    across = np.linspace(-1, 1, width, dtype=np.float32)[None, None, :, None]
    down = np.linspace(-1, 1, height, dtype=np.float32)[None, :, None, None]
    pieces = pieces * (1 + half(rng.normal(0, 0.2, n)) * across + half(rng.normal(0, 0.2, n)) * down)
    gray = pieces.mean(axis=3, keepdims=True)
    pieces = gray + (pieces - gray) * (1 + half(rng.uniform(-0.4, 0.3, n)))
    soft = rng.random(n) < 0.15
    if soft.any():
        pieces[soft] = np.stack([cv2.GaussianBlur(piece, (0, 0), float(rng.uniform(0.5, 1.3))) for piece in pieces[soft]])
    return pieces


def exposed(rng: np.random.Generator, pieces: np.ndarray) -> np.ndarray:
    """Patches, shape (n, height, width, 3), 0 to 255, from a camera that is set wrongly or looks through haze or at a mirrored window.

    Such a camera changes all of a patch alike: a curve, too long an exposure, a colour of the light, a veil that lifts what is dark.
    """
    n = len(pieces)

    def some(share: float, values: np.ndarray, else_: float) -> np.ndarray:
        return np.where(rng.random((n, 1)) < share, values, else_).astype(np.float32)[:, None, None]

    curve = some(0.5, np.exp(rng.normal(0, 0.4, (n, 1)).clip(-1, 0.9)), 1)
    gain = some(0.3, rng.uniform(0.6, 1.6, (n, 1)), 1) * some(0.3, np.exp(rng.normal(0, 0.3, (n, 3))), 1)
    black = some(0.5, rng.uniform(0, 0.5, (n, 1)) * np.exp(rng.normal(0, 0.1, (n, 3))), 0)
    light = np.minimum((pieces / 255) ** curve * gain, 1)
    light = black + light * (1 - black) * some(0.5, rng.uniform(0.6, 1, (n, 1)), 1)
    return np.round(255 * np.clip(light, 0, 1)).astype(np.float32)


LUMINANCE = np.array([0.114, 0.587, 0.299])
"""Shares of blue, green and red in what the eye calls bright."""

SENSORS = 8.0
"""How alike sensors without colour are: the larger, the closer to the eye."""


def without_colour(rng: np.random.Generator, pieces: np.ndarray, white: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Patches, shape (n, height, width, 3), and their paper, (n, 3), as seen without colour: by any sensor, printed in any tone."""
    n = len(pieces)
    sees = rng.dirichlet(SENSORS * LUMINANCE, n).astype(np.float32)
    curve = np.exp(rng.normal(0, 0.3, (n, 1)) + rng.normal(0, 0.15, (n, 3)) * (rng.random((n, 1)) < 0.4)).astype(np.float32)
    gray, paper = np.einsum("nhwc,nc->nhw", pieces, sees)[..., None], np.einsum("nc,nc->n", white, sees)[:, None]
    return 255 * (gray / 255) ** curve[:, None, None], 255 * (paper / 255) ** curve


@dataclass(frozen=True)
class Patches:
    """What a reader learns from: (n, height, width, 3) uint8, the brightness of its paper, labels, corrections.

    A share `gray` of them is seen without colour.
    """

    cuts: np.ndarray
    white: np.ndarray
    labels: np.ndarray
    asked: np.ndarray
    shift: np.ndarray
    patch: Patch
    mirror: bool
    gray: float = 0.0

    def __len__(self) -> int:
        return len(self.cuts)

    def batch(self, which: np.ndarray, rng: np.random.Generator | None):
        """Some of them as tensors, half of them tinted and noisy where they are for learning."""
        pieces, white = self.cuts[which].astype(np.float32), self.white[which].astype(np.float32)
        draws = np.random.default_rng(0) if rng is None else rng
        some = draws.random(len(which)) < self.gray
        if some.any():
            pieces[some], white[some] = without_colour(draws, pieces[some], white[some])
        some = draws.random(len(which)) < EXPOSED
        if rng is not None and some.any():
            pieces[some] = exposed(draws, pieces[some])
            white[some] = paper_white(pieces[some].transpose(3, 0, 1, 2), self.patch)
        pieces /= white[:, None, None]
        shift = self.shift[which]
        if rng is not None and self.mirror:
            flip = rng.random(len(which)) < 0.5
            pieces[flip] = pieces[flip, :, ::-1]
            shift = np.where(flip[:, None], (shift.reshape(-1, 4, 2) * np.float32([-1, 1]))[:, [1, 0, 3, 2]].reshape(-1, 8), shift)
        if rng is not None:
            pieces = relit(rng, pieces)
            some = rng.random((len(which), 1, 1, 1)) < 0.5
            tint = np.exp(rng.normal(0, 0.05, (len(which), 1, 1, 3)) * some).astype(np.float32)
            noise = rng.standard_normal(pieces.shape, np.float32) * (0.03 * rng.random((len(which), 1, 1, 1)) * some).astype(np.float32)
            pieces = pieces * tint + noise
        pieces = np.ascontiguousarray(np.clip(pieces, 0, 1.3).transpose(0, 3, 1, 2))
        rest = (self.labels[which], self.asked[which], shift.astype(np.float32))
        return torch.from_numpy(pieces), *map(torch.from_numpy, rest)


class Batches(torch.utils.data.IterableDataset):
    """Batches of so many patches without end, each process that makes them with chances of its own."""

    def __init__(self, patches: Patches, size: int, seed: int) -> None:
        self.patches, self.size, self.seed = patches, size, seed

    def __iter__(self) -> Iterator:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        cv2.setNumThreads(1)
        while True:
            order = rng.permutation(len(self.patches))
            for at in range(0, len(order) - self.size + 1, self.size):
                yield self.patches.batch(order[at : at + self.size], rng)
