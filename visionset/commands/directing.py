"""``visionset watch --game``: a real game before the camera, refereed and kept."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.house_rules import House, add_house_options, asked, house_of, house_rules, refuse_when_resumed
from visionset.commands.parts import complain, data_folder, open_store, say
from visionset.commands.script import read_script
from visionset.commands.teller import Teller
from visionset.commands.watching import (
    WatchOptions,
    recorded_fps,
    recorded_in_full,
    recorder_of,
    watch_window,
)
from visionset.errors import OutputError, StoreError
from visionset.games.registry import SPECS

if TYPE_CHECKING:
    from visionset.calibration import Calibration
    from visionset.referee.zones import Zones
    from visionset.store import Match, Store

_LATEST = 0
"""``--resume`` without a number."""


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
    as_json: bool = False
    """Tell in JSON, without a window."""
    script: Path | None = None
    """What is said and when, instead of keys."""
    data: Path = Path()
    """Folder of the matches."""


def run_game(options: WatchOptions, game: GameOptions) -> int:
    """Follow a game until the video ends, the person quits, or Ctrl-C; then say how to go on with it."""
    from visionset.session import Session, tracker_of
    from visionset.session.refereed import KeptMatch, calibrated, director_of, for_game, offered, open_for_game, referee_of
    from visionset.sources import Guarded
    from visionset.store import places
    from visionset.video_writer import VideoWriter
    from visionset.window.display import why_no_display
    from visionset.window.referee import GamePresenter
    from visionset.window.screen import OpenCvScreen

    refuse_when_resumed(game.house, game.resume)
    script = read_script(game.script)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(game.data))
        resumed = _resumed(store, game) if game.resume is not None else None
        name = resumed.history.game.name if resumed else game.name
        source = stack.enter_context(open_for_game(options.source, name))
        wanted = for_game(calibrated(options.session, source, options.profile, say, complain), name)
        tracker = tracker_of(wanted, source.is_live, stack)
        if source.is_live:
            source = Guarded(source)
        if name is None:
            name = offered(source, tracker, len(game.players))
            say(f"this looks like {name}; --game NAME overrules")
        match = resumed or _begun(store, game, name)
        no_display = "no window wanted" if game.as_json else why_no_display()
        if no_display and not game.as_json:
            complain(f"{no_display}; going on without a window, Ctrl-C ends it")
        recording = stack.enter_context(VideoWriter(options.save, recorded_fps(source))) if options.save else None
        screen = None if no_display else stack.enter_context(OpenCvScreen())
        recorder = stack.enter_context(recorder_of(options.record, source, wanted, match.history)) if options.record else None
        kept = KeptMatch(store, match)
        game_referee = referee_of(name, game.hints)
        if game_referee.zones is not None:
            game_referee.zones = _zones(game_referee.zones, game, wanted.profile)
        director = director_of(kept, store, game_referee, tracker, complain)
        session = stack.enter_context(Session(source, tracker, director, wanted, complain))
        teller = Teller(game.as_json)
        session.listen(teller)
        for one in script:
            session.say(one.said, one.time_s)
        face = GamePresenter(session, lambda zones: complain(_keep_zones(zones, game)))
        try:
            watch_window(session, face, screen, recording, recorder)
            kept.close_if_over()
        finally:  # however the window ends, it is said how to go on
            teller.end(kept.match, places(store, kept.match, complain))
    whole = recorded_in_full(recording)
    if recorder is not None and not game.as_json:
        say(f"{recorder.folder}: recorded; now try: visionset report {recorder.folder}")
    return 0 if whole and not session.gave_up else 1


def _zones(usual: Zones, game: GameOptions, profile: Calibration | None) -> Zones:
    """The zones of ``--zones``, which are written there first where the file is new, else those of the settings, else the usual ones."""
    from visionset.referee.zones import Zones
    from visionset.session.refereed import kept_zones

    if game.zones is None:
        return kept_zones(profile, complain) or usual
    if not game.zones.exists():
        usual.save(game.zones)
        say(f"{game.zones}: the usual zones are written there; press z in the window to drag them, or edit them")
    zones = Zones.load(game.zones)
    zones.check(profile)
    return zones


def _keep_zones(zones: Zones, game: GameOptions) -> str:
    """Save zones that were dragged; what is said about it."""
    from visionset.session.refereed import zones_path

    path = game.zones or zones_path()
    try:
        zones.save(path)
    except OutputError as error:
        return str(error)
    return f"zones saved: {path}"


def _begun(store: Store, game: GameOptions, name: str) -> Match:
    from visionset.games.game import History
    from visionset.games.registry import GAMES
    from visionset.store import Origin

    played = GAMES[name]
    options = house_rules(played, game.house)
    if not (game.as_json or game.house):
        options = asked(played, options, len(game.players) or played.min_players)
    history: History = History.begin(played, options, game.players)
    return store.begin(history, origin=Origin.CAMERA)


def _resumed(store: Store, game: GameOptions) -> Match:
    """The match that ``--resume`` names, or the newest before a camera that goes on."""
    from visionset.store import Origin

    if game.resume is not None and game.resume != _LATEST:
        match = store.load(game.resume)
        if match.summary.is_finished or match.summary.origin is not Origin.CAMERA:
            raise StoreError(f"expected a match before a camera that goes on, got match {match.id}; `visionset matches` lists them")
        return match
    going = (one for one in store.summaries() if not one.is_finished and one.origin is Origin.CAMERA and game.name in (None, one.game))
    found = next(going, None)
    if found is None:
        raise StoreError("expected a match before a camera that goes on, got none; begin one with `visionset watch --game NAME`")
    return store.load(found.id)


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a refereed game."""
    group = parser.add_argument_group("a game, refereed")
    told = "follow this game: %(choices)s; with --players alone, the game that lies there"
    group.add_argument("--game", choices=SPECS, metavar="GAME", help=told)
    group.add_argument("--players", metavar="NAME,NAME", default="", help="names, in the order of the seats")
    told = "hints on request: free, or for a point each"
    group.add_argument("--hints", choices=("off", "free", "cost"), nargs="?", const="free", default="off", help=told)
    add_house_options(group)
    group.add_argument(
        "--zones", metavar="FILE", type=Path, help="zones, a TOML file, where the game has some (default: in the user's settings)"
    )
    group.add_argument("--resume", metavar="ID", type=int, nargs="?", const=_LATEST, help="go on with a match; without ID with the newest")
    group.add_argument("--json", action="store_true", help="no window: print each event as one line of JSON")
    group.add_argument("--say", metavar="FILE", type=Path, help="what is said and when, one JSON object a line, instead of keys")


def game_options(args: argparse.Namespace) -> GameOptions | None:
    """The options of a refereed game; None where none is asked for, and then no option may need one."""
    if not (args.game or args.players or args.resume is not None):
        needing = [name for name in ("preset", "house", "board", "zones", "say") if getattr(args, name) not in (None, [])]
        if needing or args.json or args.hints != "off":
            raise OutputError(f"expected --game with --{(needing or ['json' if args.json else 'hints'])[0]}, got none; name the game")
        return None
    players = tuple(part.strip() for part in args.players.split(",") if part.strip())
    data = data_folder(args)
    return GameOptions(args.game, players, args.hints, house_of(args), args.zones, args.resume, args.json, args.say, data)
