"""Probabilities, odds and their logarithms, in numpy alone: to load scipy.special takes longer than to read a small picture."""

from __future__ import annotations

import numpy as np

from visionset.geometry import Floats


def log_softmax(logits: Floats) -> Floats:
    """Log probabilities along the last axis."""
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True))


def expit(log_odds: Floats) -> Floats:
    """Probabilities from log odds."""
    return np.asarray(1 / (1 + np.exp(-log_odds)))


def logit(share: Floats) -> Floats:
    """Log odds from probabilities between 0 and 1."""
    return np.asarray(np.log(share / (1 - share)))
