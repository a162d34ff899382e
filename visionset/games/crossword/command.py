"""``visionset advise crossword``: a grid of some dice."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from visionset.errors import PieceError
from visionset.games.advice import AdviceCommand, add_faces
from visionset.pieces import Kind


def _answer(args: argparse.Namespace) -> Iterator[str]:
    from visionset.games.crossword.advice import best_grid
    from visionset.games.sets import DICE
    from visionset.pieces import SetDie

    if len(args.dice) > DICE:
        raise PieceError(f"expected {DICE} dice or fewer, as the box holds, got {len(args.dice)}; leave some away")
    answer = best_grid([SetDie.parse(text) for text in args.dice])
    yield f"{len(answer.grid)} of {len(args.dice)} dice{'' if answer.is_proven else ', perhaps not the most'}"
    for die, laid in zip(answer.dice, answer.grid, strict=True):
        # from 1 on, as `visionset read` counts
        yield f"row {laid.row + 1} column {laid.col + 1}: die {die + 1} {laid.face}{f' as {laid.stated}' if laid.stated else ''}"


COMMANDS = {"crossword": AdviceCommand("a grid that uses all dice, or the largest", add_faces, _answer, Kind.SET_DIE)}
