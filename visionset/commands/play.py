"""``visionset play``: any game in the terminal, with people and simple players."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from visionset.commands.parts import GAME_NAMES, Subparsers, add_command
from visionset.errors import OutputError, RecordError, RuleError

_MORE = """\
examples
  visionset play solitaire --virtual                      alone, with a shuffled pack
  visionset play set --virtual --players Ann --bots 2     with two simple players
  visionset play cubed --virtual --bots --save end.json   simple players alone; the last state as JSON
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Add ``visionset play``."""
    play = add_command(subparsers, "play", run_play, "play a game in the terminal", _MORE)
    play.add_argument("game", choices=GAME_NAMES, help="which game")
    play.add_argument("--virtual", action="store_true", help="play with a shuffled pack and a bag of dice instead of a camera")
    play.add_argument("--players", metavar="NAME,NAME", default="", help="people, in the order of the seats")
    play.add_argument("--bots", metavar="N", type=int, nargs="?", const=-1, default=0, help="simple players; alone: all players are simple")
    play.add_argument("--preset", metavar="NAME", help="house rules by name, see `visionset rules GAME`")
    play.add_argument("--board", metavar="FILE", type=Path, help="board of SET Cubed, a TOML file")
    play.add_argument("--seed", type=int, default=0, help="number that the chances follow from (default 0)")
    play.add_argument("--save", metavar="FILE", type=Path, help="write the last state as JSON, for `visionset advise`")


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
    record = play(game, seats, options, args.seed, Console(), input, _advice)
    if args.save is not None:
        _write(args.save, json.dumps(record.state.to_json()))
    if game.name == "sets-dice" and record.state.is_over:
        _keep_high_scores(record.state, seats.people)
    return 0


def _advice(state: Any) -> str:
    """Say what to play, with a hint that does not give the SET away."""
    from platformdirs import user_cache_path

    from visionset.games.advice.words import in_words

    return in_words(state, getattr(state, "current", 0), cache=user_cache_path("visionset"))


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
