"""``visionset watch --game --json``: a real game before the camera, refereed, kept, and told to a program."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.house_rules import House, add_house_options, house_of, house_rules, refuse_when_resumed
from visionset.commands.parts import complain, data_folder, open_store, player_names, remark
from visionset.commands.resuming import add_resume_option, resumed
from visionset.commands.teller import Teller
from visionset.commands.watching import WatchOptions, until_stopped
from visionset.errors import OutputError, RecordError
from visionset.games.registry import SPECS
from visionset.messages import Message

if TYPE_CHECKING:
    from visionset.calibration import Calibration
    from visionset.games.game import History
    from visionset.referee.game_referee import GameReferee
    from visionset.referee.zones import Zones


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Which game is followed and how it is told, as the arguments of ``visionset watch`` say."""

    name: str | None = None
    """None for the game that lies there, or that is resumed."""
    players: tuple[str, ...] = ()
    """Names, in the order of the seats."""
    hints: str = "off"
    """``off``, ``free`` or ``cost``."""
    house: House = field(default_factory=House)
    zones: Path | None = None
    """File of zones; None for that of the user's settings."""
    resume: int | None = None
    """Number of a match that goes on; 0 for the newest."""
    script: Path | None = None
    """What is said and when."""
    data: Path = Path()
    """Folder of the matches."""


def run_game(options: WatchOptions, game: GameOptions) -> int:
    """Follow a game until the video ends or Ctrl-C; then tell how it stands."""
    from visionset.commands.script import read_script
    from visionset.session import Session, tracker_of
    from visionset.session.recorded import recorder_of, recording_in
    from visionset.session.refereed import KeptMatch, calibrated, director_of, for_game, offered, open_for_game, referee_of
    from visionset.sources import Guarded
    from visionset.store import Origin, places

    refuse_when_resumed(game.house, game.resume)
    script = read_script(game.script)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(game.data))
        match = None
        if game.resume is not None:
            begin = "visionset table --camera SOURCE"
            match = resumed(store, game.resume, Origin.CAMERA, game.name, lambda one: game.players in ((), tuple(one.players)), begin)
        name = match.history.game.name if match else game.name
        source = stack.enter_context(open_for_game(options.source, name))
        wanted = for_game(calibrated(options.session, source, options.profile, remark, complain), name)
        tracker = tracker_of(wanted, source.is_live, stack)
        if source.is_live:
            source = Guarded(source)
        if name is None:
            name = offered(source, tracker, len(game.players))
            remark(str(Message("watch.looks_like", game=name)))
            wanted = replace(wanted, is_refereed=True)  # what it has settled until now stays
            tracker.options = wanted.tracking
        game_referee = referee_of(name, game.hints)
        game_referee.zones = _zones(game_referee, game, name, wanted.profile)
        history = match.history if match else _begun(game, name)
        recorder = stack.enter_context(recorder_of(options.record, source, wanted, history)) if options.record else None
        kept = KeptMatch(store, match or store.begin(history, origin=Origin.CAMERA))  # once nothing is in its way
        director = director_of(kept, store, game_referee, tracker, complain)
        session = stack.enter_context(Session(source, tracker, director, wanted, complain))
        if recorder is not None:
            session.listen(recording_in(recorder))
            session.watch_over(recorder)
        teller = Teller()
        session.listen(teller)
        for one in script:
            session.say(one.said, one.time_s)
        try:
            until_stopped(session.run, remark)
            kept.close_if_over()
        finally:  # however it ends, it is said how it stands
            teller.end(kept.match, places(store, kept.match, complain))
        is_cut_short = bool(session.source.trouble) and not source.is_live
    return 1 if session.gave_up or is_cut_short else 0


def _zones(game_referee: GameReferee, game: GameOptions, name: str, profile: Calibration | None) -> Zones | None:
    """The zones of ``--zones``, which are written there first where the file is new, else those of the settings, else the usual ones.

    Raises `RecordError`: the game has no zones, or cannot be followed by these.
    """
    from visionset.session.refereed import kept_zones, zones_in

    if game_referee.zones is None:
        if game.zones is not None:
            raise RecordError(f"expected a game with zones for --zones, got {name}; leave --zones out")
        return None
    if game.zones is None:
        return kept_zones(game_referee, profile, complain) or game_referee.zones
    if not game.zones.exists():
        game_referee.zones.save(game.zones)
        if game_referee.zones.zones:
            remark(str(Message("watch.zones_written", path=str(game.zones))))
        else:
            remark(str(Message("watch.no_zones_written", path=str(game.zones), names=game_referee.optional_zones)))
    return zones_in(game.zones, game_referee, profile)


def _begun(game: GameOptions, name: str) -> History:
    from visionset.games.game import History
    from visionset.games.registry import GAMES

    played = GAMES[name]
    return History.begin(played, house_rules(played, game.house), game.players)


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a refereed game."""
    group = parser.add_argument_group("a game, refereed")
    told = "follow this game: %(choices)s; with --players alone, the game that lies there"
    group.add_argument("--game", choices=SPECS, metavar="GAME", help=told)
    group.add_argument("--players", metavar="NAME,NAME", default="", help="names, in the order of the seats")
    told = "hints on request: free, also where nothing follows, or for a point each (default: %(default)s)"
    group.add_argument("--hints", choices=("off", "free", "cost"), nargs="?", const="free", default="off", help=told)
    add_house_options(group)
    group.add_argument(
        "--zones",
        metavar="FILE",
        type=Path,
        help="zones, a TOML file, where the game has some; into a new one the usual ones are written (default: in the user's settings)",
    )
    add_resume_option(group, "the video")
    group.add_argument("--json", action="store_true", help="print each event as one line of JSON; for people there is `visionset table`")
    group.add_argument(
        "--say", metavar="IN.jsonl", type=Path, help="read what players say, and when, from a file of one JSON object a line"
    )


def game_options(args: argparse.Namespace) -> GameOptions | None:
    """The options of a refereed game; None where none is asked for, and then no option may need one."""
    if not (args.game or args.players or args.resume is not None):
        needing = [name for name in ("preset", "house", "board", "zones", "say") if getattr(args, name) not in (None, [])]
        if needing or args.json or args.hints != "off":
            raise OutputError(f"expected --game with --{(needing or ['json' if args.json else 'hints'])[0]}, got none; name the game")
        return None
    if not args.json:
        raise OutputError("expected --json with a game, got none; people play before the camera at a page: visionset table --camera SOURCE")
    if args.save is not None:
        raise OutputError("expected --record with a game, got --save; a recording keeps what the camera saw and what happened")
    data = data_folder(args)
    return GameOptions(args.game, player_names(args), args.hints, house_of(args), args.zones, args.resume, args.say, data)
