"""The four hues of the overlay stay apart for every common kind of colour vision."""

from itertools import combinations

import numpy as np
import pytest
from skimage.color import deltaE_ciede2000, rgb2lab

from visionset.overlay.drawing import OKABE_ITO

# Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}
APART = 15.0  # CIEDE2000; about 1 is just noticeable side by side


def seen_lab(rgb: np.ndarray, sight: str) -> np.ndarray:
    """Colours from 0 to 255, shape (n, 3), as somebody sees them, in CIELAB."""
    rgb = rgb / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ SIGHT[sight].T, 0, 1)
    return np.asarray(rgb2lab(np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)[None])[0])


@pytest.mark.parametrize("sight", SIGHT)
def test_any_two_hues_differ_clearly(sight):
    for one, other in combinations(seen_lab(np.array(OKABE_ITO, float)[:, ::-1], sight), 2):
        assert deltaE_ciede2000(one, other) >= APART
