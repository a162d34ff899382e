"""SET Cubed: what rolled and drawn dice show, from a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from visionset.games.base import Event
from visionset.games.cubed.rules import CubedState
from visionset.games.cubed.terms import Drawn, ExtraRoll, Phase, Rolled, RollWild
from visionset.games.virtual.chance import Deadline, roll_faces


def chance(state: CubedState, rng: random.Random) -> Event | None:
    """Give what the dice bring."""
    match state.phase:
        case Phase.OPENING_ROLL:
            return Rolled(tuple(roll_faces(state.options.hand, rng) for _ in state.players))
        case Phase.OPENING if all(choice.event == "rolled" for choice in state.legal):
            return Rolled(tuple(roll_faces(state.options.hand, rng) for _ in state.players))
        case Phase.ROLL_ALL:
            return Rolled(tuple(roll_faces(len(hand), rng) for hand in state.hands))
        case Phase.DRAW:
            return Drawn(tuple(roll_faces(due, rng) for due in state.due))
        case Phase.WILD_ROLL:
            return RollWild(state.current, roll_faces(1, rng)[0])
    return None


def brings(event: str, values: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Roll the dice of the extra roll."""
    return {"faces": [str(face) for face in roll_faces(len(values["dice"]), rng)]}


def deadline(state: CubedState) -> Deadline | None:
    """Give the time for the extra roll of the first who has not decided (D10)."""
    left = [player for player in range(len(state.players)) if player not in state.rolled_extra]
    if state.phase is not Phase.EXTRA or not left:
        return None
    until_s = max(state.extra_from_s + state.options.extra_roll_s, state.clock_s)
    return Deadline(left[0], state.extra_from_s, until_s, ExtraRoll(left[0], (), (), at_s=until_s))
