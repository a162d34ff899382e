"""``visionset play``: any game in the terminal, with people and simple players."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visionset.commands.house_rules import add_house_options, asked, house_of, house_rules, refuse_when_resumed
from visionset.commands.parts import (
    Subparsers,
    add_command,
    add_data_option,
    add_force_option,
    agreed,
    check_new,
    complain,
    data_folder,
    open_kept,
    open_store,
    player_names,
    say_places,
    where_kept,
)
from visionset.commands.resuming import add_resume_option, going_on, resumed
from visionset.commands.terminal import console
from visionset.errors import RuleError
from visionset.games.registry import SPECS
from visionset.messages import Message, in_words
from visionset.numbers import integer, whole_number
from visionset.saving import check_can_save, save_text

if TYPE_CHECKING:
    from visionset.games.game import Game, History
    from visionset.messages import Words
    from visionset.store import Match, Store, Summary

_TO_TYPE_S = {"take_limit_s": 15.0, "extra_roll_s": 300.0}
"""Seconds to name three cards after a call, and to choose dice for the extra roll, where nobody says otherwise: they are typed."""

_MORE = f"""\
examples
  visionset play solitaire --virtual                      alone, with a shuffled pack
  visionset play set --virtual --players Ann --bots 2     with two simple players
  visionset play cubed --virtual --bots --save end.json   simple players alone; the last state as JSON
  visionset play --resume                                 go on with the last match that is not finished
  visionset play --resume 7                               go on with match 7; visionset matches lists them

Every move is on the disk before you see it. If the program or the computer stops, nothing is lost: start again,
and the match is offered. Undo is kept too, as a move of its own.
Moves are typed, so times are longer than by the rules unless --house says otherwise:
{", ".join(f"{name}={time_s:g}" for name, time_s in _TO_TYPE_S.items())}.
"""

_MOST_BOTS = 20
"""More than any game takes."""

_WHERE_TO_SAVE = "name a file in a folder that you may write to"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A new match: its game, house rules, all players, and the bots among them."""

    game: Game
    options: Any
    players: tuple[str, ...]
    bots: tuple[str, ...]


def add_parsers(subparsers: Subparsers) -> None:
    """Add ``visionset play``."""
    play = add_command(subparsers, "play", run_play, _MORE)
    play.add_argument("game", choices=SPECS, metavar="GAME", nargs="?", help="which game: %(choices)s; may be left out with --resume")
    play.add_argument("--virtual", action="store_true", help="with a shuffled pack and a bag of dice; the terminal knows nothing else")
    play.add_argument("--players", metavar="NAME,NAME", default="", help="people, in the order of the seats")
    play.add_argument(
        "--bots",
        metavar="N",
        type=whole_number(0, _MOST_BOTS),
        nargs="?",
        const=-1,
        default=0,
        help="simple players; alone: all players are simple",
    )
    add_house_options(play)
    play.add_argument(
        "--seed", type=integer, help="number that the chances follow from, to play the same deal again; another each time by default"
    )
    play.add_argument("--save", metavar="FILE", type=Path, help="write the last state as JSON, for `visionset advise`")
    add_force_option(play)
    kept = play.add_mutually_exclusive_group()
    add_resume_option(kept, "a game")
    kept.add_argument("--new", action="store_true", help="begin a new match without asking about one that is not finished")
    add_data_option(play)


def run_play(args: argparse.Namespace) -> int:
    """Play a game in the terminal."""
    from visionset.store import Origin, places
    from visionset.terminal_table import TerminalTable

    refuse_when_resumed(house_of(args), args.resume)
    if args.save is not None:
        check_new(args, args.save)
        check_can_save(args.save, _WHERE_TO_SAVE)  # not when the match is over
    wanted = _wanted(args) if args.resume is None else None  # what makes no sense is said before a file is made
    with (open_store if wanted else open_kept)(data_folder(args)) as store:
        if wanted is None:
            begin = "visionset play GAME --virtual"
            match = resumed(store, args.resume, Origin.VIRTUAL, args.game, lambda one: _same_people(args, one), begin)
        else:
            match = _offered(args, store, wanted) or _begun(store, _with_house_rules(args, wanted), args.seed)
        try:
            table = TerminalTable(store, console(), input, _advice, where_kept(args))
            match = table.play(match, match.seed if args.seed is None else args.seed)
        except KeyboardInterrupt:
            _save(args, store.load(match.id))
            raise
        say_places(places(store, match, complain))
    _save(args, match)
    return 0


def _save(args: argparse.Namespace, match: Match) -> None:
    """Write the last state, where that is wanted."""
    if args.save is not None:
        save_text(args.save, json.dumps(match.history.state.to_json()) + "\n", _WHERE_TO_SAVE)


def _wanted(args: argparse.Namespace) -> _Wanted:
    """The new match that the arguments describe."""
    from visionset.games.registry import GAMES

    if args.game is None:
        raise RuleError(f"expected a game among {', '.join(GAMES)}, got none; name one, or --resume a match")
    game = GAMES[args.game]
    names = player_names(args)
    count = args.bots if args.bots >= 0 else max(game.min_players - len(names), 0 if names else 1)
    if not names and not args.bots:
        names = game.start().players
    bots = tuple(f"Bot {number}" for number in range(1, count + 1))
    for part in ("chance", "bot", "view") if bots else ("chance", "view"):
        game.spec.part(part)  # what a game lacks is said before a match is kept that cannot be played
    wanted = _Wanted(game, _for_typing(house_rules(game, house_of(args)), args), (*names, *bots), bots)
    _dealt(wanted)  # who cannot play is told so before anybody is asked about house rules
    return wanted


def _for_typing(options: Any, args: argparse.Namespace) -> Any:
    """House rules with the times that it takes to type, unless somebody said how long."""
    said = {one.partition("=")[0].strip() for one in args.house}
    return replace(options, **{name: time_s for name, time_s in _TO_TYPE_S.items() if hasattr(options, name) and name not in said})


def _dealt(wanted: _Wanted) -> History:
    from visionset.games.game import History
    from visionset.games.virtual.chance import self_dealt

    return History.begin(wanted.game, self_dealt(wanted.game, wanted.options), wanted.players)


def _begun(store: Store, wanted: _Wanted, seed: int | None) -> Match:
    return store.begin(_dealt(wanted), wanted.bots, seed=seed)


def _with_house_rules(args: argparse.Namespace, wanted: _Wanted) -> _Wanted:
    """The same with the house rules that people want, where people play and have said nothing about them."""
    if args.preset or args.house or len(wanted.bots) == len(wanted.players):
        return wanted
    return replace(wanted, options=asked(wanted.game, wanted.options, len(wanted.players)))


def _offered(args: argparse.Namespace, store: Store, wanted: _Wanted) -> Match | None:
    """Offer the newest match that goes on and is what was asked for; None for a new one.

    Without a person to answer, a line says how to go on with it.
    """
    from visionset.codec import to_json
    from visionset.commands.matches import in_one_line
    from visionset.store import Origin

    if args.new or len(wanted.bots) == len(wanted.players):
        return None
    options = wanted.game.start(wanted.options, wanted.players).options
    house = json.dumps(to_json(options)) if args.preset or args.board or args.house else None
    going = (s for s in going_on(store, Origin.VIRTUAL) if s.game == wanted.game.name and _same_people(args, s))
    fitting = (s for s in going if house in (None, s.options))
    found = next(fitting, None)
    if found is None:
        return None
    if not sys.stdin.isatty():
        complain(in_words(Message("play.offered", match=in_one_line(found), resume=f"{found.id}{where_kept(args)}")))
        return None
    return store.load(found.id) if agreed(in_words(Message("play.go_on", match=in_one_line(found))), otherwise=True) else None


def _same_people(args: argparse.Namespace, summary: Summary) -> bool:
    """True where nobody was named, or the same people play with as many bots."""
    names = player_names(args)
    if not names:
        return True
    return names == tuple(name for name in summary.players if name not in summary.bots) and args.bots in (-1, len(summary.bots))


def _advice(state: Any, player: int, times: int) -> Words:
    """Say what to play to a player who asks so many times: a little, and more each time, where the game has such hints."""
    from platformdirs import user_cache_path

    from visionset.games.advice import advice_words
    from visionset.games.base import Hint

    spec = SPECS[state.game]
    if spec.find("hint") is not None:
        hint: Hint = spec.given("hint", Hint, state, player, times)
        return hint.message
    return advice_words(state, player, cache=user_cache_path("visionset"))
