"""``visionset advise scramble``: the most SETs that some dice hold."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from visionset.games.advice import AdviceCommand, add_faces
from visionset.messages import Message
from visionset.pieces import Kind


def _answer(args: argparse.Namespace) -> Iterator[str]:
    from visionset.games.scramble.advice import best_takes
    from visionset.pieces import SetDie

    dice = [SetDie.parse(text) for text in args.dice]
    takes = best_takes(dice)
    yield str(Message("scramble.advice.sets_at_most", count=len(takes)))
    for take in takes:
        yield "  ".join(f"{position + 1} {dice[position]}" for position in take)  # from 1 on, as `visionset read` counts


COMMANDS = {"scramble": AdviceCommand("the most SETs that the dice hold", add_faces, _answer, Kind.SET_DIE)}
