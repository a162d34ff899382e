"""Sets with two dice: no pack and no bag."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from visionset.games.base import Event
from visionset.games.pip_sets.rules import ROWS, PipSetsState


def chance(state: PipSetsState, rng: random.Random) -> Event | None:
    """Nothing: a player rolls the dice (P6)."""
    return None


def roll_pips(rng: random.Random) -> tuple[int, int]:
    """Roll two pip dice."""
    return rng.randint(1, ROWS), rng.randint(1, ROWS)


def brings(event: str, values: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Roll the two dice."""
    return {"values": roll_pips(rng)}
