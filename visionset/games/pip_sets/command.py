"""``visionset advise sets-dice``: the best play of a turn, or how well players do."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from visionset.errors import RecordError
from visionset.games.advice import AdviceCommand
from visionset.messages import Message
from visionset.numbers import integer, whole_number

_MOST_WRITTEN = 999
"""Values in a row of a sheet."""

_TURNS_LEFT = 10
"""A whole game of the source's."""

_MOST_SEED = 2**32 - 1
"""More tells nobody anything."""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sheet", metavar="N,N,N,N,N,N", help="values without a circle in rows 1 to 6 after the roll; left out: how well players do"
    )
    parser.add_argument("--closed", metavar="ROW,ROW", help="with --sheet: rows circled in this turn already")
    parser.add_argument("--turns-left", type=integer, help=f"with --sheet: turns left, this one counted (default {_TURNS_LEFT})")
    parser.add_argument(
        "--preset", choices=("source", "empty-sheet"), default="source", help="rows start with their own value (default), or empty"
    )
    parser.add_argument("--games", type=whole_number(1, 10_000_000), default=10_000, help="games for the comparison (default 10000)")
    parser.add_argument("--seed", type=whole_number(0, _MOST_SEED), default=0, help="another seed is another comparison (default 0)")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where the table of best play is kept (default: the user's cache folder)")


def _answer(args: argparse.Namespace) -> Iterator[str]:
    from platformdirs import user_cache_path

    from visionset.games.pip_sets.advice import SOURCE_RECORD, best_turn, load_table, simulate
    from visionset.games.pip_sets.rules import GAME, ScoreSheet

    options = GAME.presets[args.preset]
    for option, said in (("--turns-left", args.turns_left), ("--closed", args.closed)):
        if args.sheet is None and said is not None:
            raise RecordError(f"expected {option} with --sheet, got it without; say what is written in rows 1 to 6, or leave it out")
    turns_left = _TURNS_LEFT if args.turns_left is None else args.turns_left
    written, closed = _numbers(args.sheet or "0,0,0,0,0,0"), _numbers(args.closed or "")
    if len(written) != 6 or not 0 <= min(written) <= max(written) <= _MOST_WRITTEN or not 1 <= turns_left <= options.turns:
        raise RecordError(
            f"expected six counts up to {_MOST_WRITTEN} and 1 to {options.turns} turns left, got {args.sheet!s:.60} and "
            f"{turns_left}; count the sheet again"
        )
    if not set(closed) <= set(range(1, len(written) + 1)):
        raise RecordError(f"expected rows from 1 to {len(written)}, got {args.closed!s:.60}; name those that were circled in this turn")
    table = load_table(options, args.cache or user_cache_path("visionset"))
    if args.sheet is None:
        yield str(Message("sets-dice.advice.start", expected=float(table.start)))
        for greedy in (False, True):
            name = Message("sets-dice.advice.greedy_player" if greedy else "sets-dice.advice.best_play")
            scores = simulate(table, args.games, args.seed, greedy)
            mean, error = float(scores.mean()), float(scores.std()) / len(scores) ** 0.5
            percent = 100 * float((scores >= SOURCE_RECORD).mean())
            yield str(Message("sets-dice.advice.mean", player=name, mean=mean, error=error, games=args.games, best=int(scores.max())))
            yield str(Message("sets-dice.advice.reach", player=name, percent=percent, record=SOURCE_RECORD))
        yield str(Message("sets-dice.advice.record", record=SOURCE_RECORD))
        return
    advice = best_turn(ScoreSheet(written, closed=closed), turns_left, table)
    for row, bonus in advice.circlings:
        yield str(Message("sets-dice.advice.circle", row=row, bonus=bonus))
    yield str(Message("sets-dice.advice.end_turn"))
    gain = advice.expected - advice.if_ended
    yield str(Message("sets-dice.advice.gain", expected=advice.expected, gain=gain))


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(",") if word.strip())
    except ValueError:
        raise RecordError(f"expected numbers with commas between them, got {text!r}; write them as 1,2,1,2,1,1") from None


COMMANDS = {"sets-dice": AdviceCommand("the best play with two dice", _add_arguments, _answer)}
