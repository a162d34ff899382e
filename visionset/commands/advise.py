"""``visionset advise``: hints, odds and best plays."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from visionset.commands.numbers import whole_number
from visionset.commands.parts import Subparsers, complain, say
from visionset.errors import RecordError
from visionset.untrusted import json_of, text_of

_MORE = """\
examples
  visionset advise odds                                        how often there is no SET
  visionset advise set 1-red-solid-oval 2-red-solid-oval ? 3-red-solid-oval --level 4
  visionset advise sets-dice --sheet 1,2,1,2,1,1               the best play after the first roll, a 2 and a 4
  visionset advise scramble 1-red-oval 2-red-oval wild         the most SETs
"""

_MOST_WRITTEN = 999
"""Values in a row of a sheet."""


def add_parsers(subparsers: Subparsers) -> None:
    """Add ``visionset advise``."""
    advise = subparsers.add_parser(
        "advise",
        help="say what to play",
        description="Say what to play.",
        epilog=_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = advise.add_subparsers(dest="advice", required=True, metavar="GAME")
    cards = kinds.add_parser("set", help="hints about the cards on the table")
    cards.add_argument("cards", nargs="+", metavar="CARD", help="such as 2-red-striped-oval, or ? for one that was not read")
    cards.add_argument(
        "--level", type=int, choices=(1, 2, 3, 4), default=1, help="1 how many SETs, 2 one card, 3 two cards, 4 a SET (default 1)"
    )
    cards.add_argument("--seed", type=int, default=0, help="picks the SET (default 0)")
    cards.set_defaults(run=run_advise_set)

    odds = kinds.add_parser("odds", help="how often there is no SET, beside the odds on the box")
    odds.add_argument("--rounds", type=whole_number(1, 10_000_000), default=300, help="rounds to play for the odds in play (default 300)")
    odds.add_argument("--seed", type=int, default=0)
    odds.set_defaults(run=run_advise_odds)

    dice = kinds.add_parser("sets-dice", help="the best play with two dice")
    dice.add_argument(
        "--sheet", metavar="N,N,N,N,N,N", help="values without a circle in rows 1 to 6 after the roll; left out: how well players do"
    )
    dice.add_argument("--closed", metavar="ROW,ROW", default="", help="rows circled in this turn already")
    dice.add_argument("--turns-left", type=int, default=10, help="turns left, this one counted (default 10)")
    dice.add_argument("--preset", choices=("source", "empty-sheet"), default="source", help="rows start with their own value, or empty")
    dice.add_argument("--games", type=whole_number(1, 10_000_000), default=10_000, help="games for the comparison (default 10000)")
    dice.add_argument("--seed", type=int, default=0)
    dice.add_argument("--cache", type=Path, metavar="DIR", help="where the table of best play is kept (default: the user's cache folder)")
    dice.set_defaults(run=run_advise_dice)

    for name, what in (("scramble", "the most SETs that the dice hold"), ("crossword", "a grid that uses all dice, or the largest")):
        faces = kinds.add_parser(name, help=what)
        faces.add_argument("dice", nargs="+", metavar="DIE", help="such as 2-red-oval or wild")
        faces.set_defaults(run=run_advise_faces)

    for name, what in (("cubed", "the placement with the most points"), ("english-sets", "who is ahead and which ranks are dead")):
        state = kinds.add_parser(name, help=what)
        state.add_argument(
            "state", type=Path, metavar="STATE", help="state as JSON, as `visionset play --save` writes it; - for standard input"
        )
        state.set_defaults(run=run_advise_state)


def run_advise_set(args: argparse.Namespace) -> int:
    """Print a hint."""
    from visionset.games.set_cards.advice import HintLevel, hint
    from visionset.pieces import SetCard

    cards = [None if text == "?" else SetCard.parse(text) for text in args.cards]
    say(hint(cards, HintLevel(args.level), args.seed).text)
    return 0


def run_advise_odds(args: argparse.Namespace) -> int:
    """Print how often there is no SET, beside the odds quoted in the source."""
    from visionset.games.set_cards.odds import QUOTED_ODDS, no_set_share, odds_to_one, simulate_play

    for cards in (12, 15, 18, 21):
        share = no_set_share(cards)
        quoted = f", quoted {QUOTED_ODDS[cards]}:1" if cards in QUOTED_ODDS else ""
        say(f"{cards} cards, fresh deal, exact: no SET in {share:.5%}, odds {odds_to_one(share):.0f}:1{quoted}")
    for cards, found in simulate_play(args.rounds, args.seed).items():
        say(f"{cards} cards, in play, {found.looks} tables of {args.rounds} rounds: no SET in {found.share:.2%} +- {found.error:.2%}")
    return 0


def run_advise_dice(args: argparse.Namespace) -> int:
    """Print the best play of a turn with two dice, or how well players do."""
    from platformdirs import user_cache_path

    from visionset.games.pip_sets.advice import SOURCE_RECORD, best_turn, load_table, simulate
    from visionset.games.pip_sets.rules import GAME, ScoreSheet

    options = GAME.presets[args.preset]
    written, closed = _numbers(args.sheet or "0,0,0,0,0,0"), _numbers(args.closed)
    if len(written) != 6 or not 0 <= min(written) <= max(written) <= _MOST_WRITTEN or not 1 <= args.turns_left <= options.turns:
        raise RecordError(
            f"expected six counts up to {_MOST_WRITTEN} and 1 to {options.turns} turns left, got {args.sheet!s:.60} and "
            f"{args.turns_left}; count the sheet again"
        )
    if not set(closed) <= set(range(1, len(written) + 1)):
        raise RecordError(f"expected rows from 1 to {len(written)}, got {args.closed:.60}; name those that were circled in this turn")
    table = load_table(options, args.cache or user_cache_path("visionset"))
    if args.sheet is None:
        say(f"best play: {table.start:.2f} points to be expected, exactly")
        for name, greedy in (("best play", False), ("greedy player", True)):
            scores = simulate(table, args.games, args.seed, greedy)
            error = scores.std() / len(scores) ** 0.5
            share = (scores >= SOURCE_RECORD).mean()
            say(f"{name}: {scores.mean():.2f} +- {error:.2f} over {args.games} games, best {scores.max()}")
            say(f"{name}: {share:.1%} of the games reach {SOURCE_RECORD}")
        say(f"best score quoted by the author: {SOURCE_RECORD}")
        return 0
    advice = best_turn(ScoreSheet(written, closed=closed), args.turns_left, table)
    for row, bonus in advice.circlings:
        say(f"circle row {row}, write a {bonus}")
    say("end the turn")
    gain = advice.expected - advice.if_ended
    say(f"{advice.expected:+.2f} points still to come with best play, {gain:.2f} more than by ending the turn at once")
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(",") if word.strip())
    except ValueError:
        raise RecordError(f"expected numbers with commas between them, got {text!r}; write them as 1,2,1,2,1,1") from None


def run_advise_faces(args: argparse.Namespace) -> int:
    """Print the most SETs or the best grid of some dice."""
    from visionset.pieces import SetDie

    dice = [SetDie.parse(text) for text in args.dice]
    if args.advice == "scramble":
        from visionset.games.scramble.advice import best_takes

        takes = best_takes(dice)
        say(f"{len(takes)} SETs at most")
        for take in takes:
            say("  ".join(f"{position} {dice[position]}" for position in take))
        return 0
    from visionset.games.crossword.advice import best_grid

    answer = best_grid(dice)
    say(f"{len(answer.grid)} of {len(dice)} dice{'' if answer.is_proven else ', perhaps not the most'}")
    for die, laid in zip(answer.dice, answer.grid, strict=True):
        say(f"row {laid.row} column {laid.col}: die {die} {laid.face}{f' as {laid.stated}' if laid.stated else ''}")
    return 0


def run_advise_state(args: argparse.Namespace) -> int:
    """Print advice for a state of SET Cubed or English Sets."""
    from visionset.games.registry import GAMES

    state = GAMES[args.advice].parse_state(_read_json(args.state))
    for finding in state.findings:
        say(f"impossible: {finding}")
    if state.findings:
        return complain("expected a state that the rules allow, got none, about which there is no advice; correct it")
    if args.advice == "english-sets":
        from visionset.games.english_sets.advice import rank_report, standing

        say(standing(state))
        for one in rank_report(state):
            say(f"{one.rank.value}: {one.status.value}{'' if one.owner is None else f', {state.players[one.owner]}'}")
        return 0
    from visionset.games.cubed.advice import best_placement

    move = best_placement(state)
    hand = state.hands[state.current]
    say(
        f"{state.players[state.current]}: {move.points} points" if move.steps else f"{state.players[state.current]}: no play, skip the turn"
    )
    for step in move.steps:
        say("lay " + " and ".join(f"{hand[p.die]}{f' as {p.stated}' if p.stated else ''} in row {p.row}, column {p.col}" for p in step))
    return 0


def _read_json(path: Path) -> Any:
    try:
        return json_of(text_of(path))
    except RecordError as error:
        raise RecordError(f"expected a state as JSON in {path}, got {error}; write one with `visionset play --save`") from error
