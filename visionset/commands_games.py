"""The commands of the games: ``visionset play``, ``visionset advise`` and ``visionset rules``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from visionset.errors import OutputError, RecordError, RuleError

GAME_NAMES = ("set", "solitaire", "cubed", "scramble", "crossword", "sets-dice", "english-sets")
"""Names of the games; `visionset.games.registry.GAMES` holds the games themselves and is imported only when needed."""


def add_parsers(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the parsers of the games' commands; each sets ``run`` to its function."""
    play = subparsers.add_parser("play", help="play a game in the terminal")
    play.add_argument("game", choices=GAME_NAMES)
    play.add_argument("--virtual", action="store_true", help="play with a shuffled pack and a bag of dice instead of a camera")
    play.add_argument("--players", metavar="NAME,NAME", default="", help="people, in the order of the seats")
    play.add_argument("--bots", metavar="N", type=int, nargs="?", const=-1, default=0, help="simple players; alone: all players are simple")
    play.add_argument("--preset", metavar="NAME", help="house rules by name, see `visionset rules GAME`")
    play.add_argument("--board", metavar="FILE", type=Path, help="board of SET Cubed, a TOML file")
    play.add_argument("--seed", type=int, default=0, help="number that the chances follow from (default 0)")
    play.add_argument("--save", metavar="FILE", type=Path, help="write the last state as JSON, for `visionset advise`")
    play.set_defaults(run=run_play)

    rules = subparsers.add_parser("rules", help="print the rules of a game as the program holds them")
    rules.add_argument("game", choices=GAME_NAMES, nargs="?")
    rules.set_defaults(run=run_rules)

    _add_advise(subparsers.add_parser("advise", help="say what to play"))


def _add_advise(advise: argparse.ArgumentParser) -> None:
    kinds = advise.add_subparsers(dest="advice", required=True, metavar="GAME")
    cards = kinds.add_parser("set", help="hints about the cards on the table")
    cards.add_argument("cards", nargs="+", metavar="CARD", help="such as 2-red-striped-oval, or ? for one that was not read")
    cards.add_argument(
        "--level", type=int, choices=(1, 2, 3, 4), default=1, help="1 how many SETs, 2 one card, 3 two cards, 4 a SET (default 1)"
    )
    cards.add_argument("--seed", type=int, default=0, help="picks the SET (default 0)")
    cards.set_defaults(run=run_advise_set)

    odds = kinds.add_parser("odds", help="how often there is no SET, beside the odds on the box")
    odds.add_argument("--rounds", type=int, default=300, help="rounds to play for the odds in play (default 300)")
    odds.add_argument("--seed", type=int, default=0)
    odds.set_defaults(run=run_advise_odds)

    dice = kinds.add_parser("sets-dice", help="the best play with two dice")
    dice.add_argument(
        "--sheet", metavar="N,N,N,N,N,N", help="values without a circle in rows 1 to 6 after the roll; left out: how well players do"
    )
    dice.add_argument("--closed", metavar="ROW,ROW", default="", help="rows circled in this turn already")
    dice.add_argument("--turns-left", type=int, default=10, help="turns left, this one counted (default 10)")
    dice.add_argument("--preset", choices=("source", "empty-sheet"), default="source", help="rows start with their own value, or empty")
    dice.add_argument("--games", type=int, default=10_000, help="games for the comparison (default 10000)")
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


def run_rules(args: argparse.Namespace) -> int:
    """Print the rules of one game, or what games there are."""
    from dataclasses import fields

    from rich.console import Console
    from rich.text import Text

    from visionset.games.codec import to_json
    from visionset.games.registry import GAMES

    console = Console()
    if args.game is None:
        for game in GAMES.values():
            console.print(Text(f"{game.name:14}{game.title}, {game.min_players} to {game.max_players} players"))
        return 0
    game = GAMES[args.game]
    console.print(Text(game.title, style="bold"))
    for rule in game.rules:
        option = f"  [option: {', '.join(rule.options)}]" if rule.options else ""
        console.print(Text(f"{rule.number:>4}  {rule.text}{option}"))
    for name, preset in game.presets.items():
        simple = {f.name: to_json(getattr(preset, f.name)) for f in fields(preset) if f.name != "board"}
        console.print(Text(f"preset {name}: {', '.join(f'{key} {value}' for key, value in simple.items()) or 'no options'}", style="dim"))
    return 0


def run_play(args: argparse.Namespace) -> int:
    """Play a game in the terminal."""
    from dataclasses import replace

    from rich.console import Console

    from visionset.games.registry import GAMES
    from visionset.terminal_table import Seats, play

    game = GAMES[args.game]
    if not args.virtual:
        raise RuleError(f"expected --virtual, got none; to play {game.name} with a camera see `visionset watch --help`")
    names = [name.strip() for name in args.players.split(",") if name.strip()]
    bots = args.bots if args.bots >= 0 else max(game.min_players - len(names), 0 if names else 1)
    if not names and not args.bots:
        names = [f"Player {number}" for number in range(1, game.min_players + 1)]
    seats = Seats(len(names), bots, (*names, *(f"Bot {number}" for number in range(1, bots + 1))))
    presets = dict(game.presets)
    if args.preset is not None and args.preset not in presets:
        raise RuleError(f"expected a preset among {', '.join(presets)}, got {args.preset}; see `visionset rules {game.name}`")
    options = presets[args.preset] if args.preset else game.options()
    if args.board is not None:
        from visionset.games.board import load_board

        if game.name != "cubed":
            raise RuleError(f"expected a board only for cubed, got one for {game.name}; leave --board out")
        options = replace(options, board=load_board(args.board))
    record = play(game, seats, options, args.seed, Console(), input)
    if args.save is not None:
        _write(args.save, json.dumps(record.state.to_json()))
    if game.name == "sets-dice" and record.state.is_over:
        _keep_high_scores(record.state, seats.people)
    return 0


def _keep_high_scores(state: Any, people: int) -> None:
    """Add the people's scores to the table of all players so far, and print their places (P6)."""
    from platformdirs import user_data_path

    from visionset.games.codec import from_json, to_json
    from visionset.games.pip_sets import HighScores

    path = user_data_path("visionset") / "sets-dice-scores.json"
    try:
        table = from_json(HighScores, json.loads(path.read_text(encoding="utf-8"))) if path.exists() else HighScores()
    except (OSError, ValueError) as error:
        raise RecordError(f"expected a table of high scores in {path}, got {error}; move it away and play again") from error
    for name, score in list(zip(state.players, state.scores, strict=True))[:people]:
        table = table.with_score(name, score)
        print(f"{name}: {score} points, place {table.rank(score)} of {len(table.lines)}")
    if people:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, json.dumps(to_json(table)))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError(f"expected to write {path}, got {error.strerror}; name a file in a folder that you may write to") from error


def run_advise_set(args: argparse.Namespace) -> int:
    """Print a hint."""
    from visionset.games.advice.set_cards import HintLevel, hint
    from visionset.pieces import SetCard

    cards = [None if text == "?" else SetCard.parse(text) for text in args.cards]
    print(hint(cards, HintLevel(args.level), args.seed).text)
    return 0


def run_advise_odds(args: argparse.Namespace) -> int:
    """Print how often there is no SET, beside the odds quoted in the source."""
    from visionset.games.advice.odds import QUOTED_ODDS, no_set_share, odds_to_one, simulate_play

    for cards in (12, 15, 18, 21):
        share = no_set_share(cards)
        quoted = f", quoted {QUOTED_ODDS[cards]}:1" if cards in QUOTED_ODDS else ""
        print(f"{cards} cards, fresh deal, exact: no SET in {share:.5%}, odds {odds_to_one(share):.0f}:1{quoted}")
    for cards, found in simulate_play(args.rounds, args.seed).items():
        print(f"{cards} cards, in play, {found.looks} tables of {args.rounds} rounds: no SET in {found.share:.2%} +- {found.error:.2%}")
    return 0


def run_advise_dice(args: argparse.Namespace) -> int:
    """Print the best play of a turn with two dice, or how well players do."""
    from platformdirs import user_cache_path

    from visionset.games.advice.pip_sets import SOURCE_RECORD, best_turn, load_table, simulate
    from visionset.games.pip_sets import GAME, Sheet

    options = GAME.presets[args.preset]
    written, closed = _numbers(args.sheet or "0,0,0,0,0,0"), _numbers(args.closed)
    if len(written) != 6 or min(written) < 0 or not 1 <= args.turns_left <= options.turns:
        raise RecordError(
            f"expected six counts and 1 to {options.turns} turns left, got {args.sheet} and {args.turns_left}; count the sheet again"
        )
    table = load_table(options, args.cache or user_cache_path("visionset"))
    if args.sheet is None:
        print(f"best play: {table.start:.2f} points to be expected, exactly")
        for name, greedy in (("best play", False), ("greedy player", True)):
            scores = simulate(table, args.games, args.seed, greedy)
            error = scores.std() / len(scores) ** 0.5
            share = (scores >= SOURCE_RECORD).mean()
            print(f"{name}: {scores.mean():.2f} +- {error:.2f} over {args.games} games, best {scores.max()}")
            print(f"{name}: {share:.1%} of the games reach {SOURCE_RECORD}")
        print(f"best score quoted by the author: {SOURCE_RECORD}")
        return 0
    advice = best_turn(Sheet(written, closed=closed), args.turns_left, table)
    for row, bonus in advice.circlings:
        print(f"circle row {row}, write a {bonus}")
    print("end the turn")
    gain = advice.expected - advice.if_ended
    print(f"{advice.expected:+.2f} points still to come with best play, {gain:.2f} more than by ending the turn at once")
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
        from visionset.games.advice.scramble import best_takes

        takes = best_takes(dice)
        print(f"{len(takes)} SETs at most")
        for take in takes:
            print("  ".join(f"{position} {dice[position]}" for position in take))
        return 0
    from visionset.games.advice.crossword import best_grid

    answer = best_grid(dice)
    print(f"{len(answer.grid)} of {len(dice)} dice{'' if answer.is_proven else ', perhaps not the most'}")
    for die, laid in zip(answer.dice, answer.grid, strict=True):
        print(f"row {laid.row} column {laid.col}: die {die} {laid.face}{f' as {laid.stated}' if laid.stated else ''}")
    return 0


def run_advise_state(args: argparse.Namespace) -> int:
    """Print advice for a state of SET Cubed or English Sets."""
    from visionset.games.registry import GAMES

    state = GAMES[args.advice].parse_state(_read_json(args.state))
    for finding in state.findings:
        print(f"impossible: {finding}")
    if args.advice == "english-sets":
        from visionset.games.advice.english_sets import report, standing

        print(standing(state))
        for one in report(state):
            print(f"{one.rank.value}: {one.status.value}{'' if one.owner is None else f', {state.players[one.owner]}'}")
        return 0
    from visionset.games.advice.cubed import best_placement

    move = best_placement(state)
    hand = state.hands[state.current]
    print(
        f"{state.players[state.current]}: {move.points} points" if move.steps else f"{state.players[state.current]}: no play, skip the turn"
    )
    for step in move.steps:
        print("lay " + " and ".join(f"{hand[p.die]}{f' as {p.stated}' if p.stated else ''} in row {p.row}, column {p.col}" for p in step))
    return 0


def _read_json(path: Path) -> Any:
    try:
        return json.loads(sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordError(f"expected a state as JSON in {path}, got {error}; write one with `visionset play --save`") from error
