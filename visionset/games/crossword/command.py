"""``visionset advise crossword``: a grid of some dice."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from visionset.errors import PieceError
from visionset.games.advice import AdviceCommand, add_faces
from visionset.messages import Message
from visionset.pieces import Kind


def _answer(args: argparse.Namespace) -> Iterator[str]:
    from visionset.games.crossword.advice import best_grid
    from visionset.games.sets import DICE_COUNT
    from visionset.pieces import SetDie

    if len(args.dice) > DICE_COUNT:
        raise PieceError(f"expected {DICE_COUNT} dice or fewer, as the box holds, got {len(args.dice)}; leave some out")
    answer = best_grid([SetDie.parse(text) for text in args.dice])
    count, hand = len(answer.grid), len(args.dice)
    yield str(Message("crossword.advice.most" if answer.is_proven else "crossword.advice.perhaps_most", count=count, hand=hand))
    for die, laid in zip(answer.dice, answer.grid, strict=True):
        # from 1 on, as `visionset read` counts
        face = Message("crossword.advice.stands_for", face=laid.face, stated=laid.stated) if laid.stated else laid.face
        yield str(Message("crossword.advice.place", row=laid.row + 1, col=laid.col + 1, die=die + 1, face=face))


COMMANDS = {"crossword": AdviceCommand("a grid that uses all dice, or the largest", add_faces, _answer, Kind.SET_DIE)}
