"""``visionset watch --game``: a real game before the camera, refereed and kept."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.house_rules import add_house_options, asked, house_rules, refuse_when_resumed
from visionset.commands.parts import all_scores, complain, open_store, places, say
from visionset.commands.script import read_script
from visionset.commands.teller import Teller
from visionset.commands.watching import (
    calibrated,
    recorded_fps,
    recorded_in_full,
    recorder_of,
    telling_of_trouble,
    tracker_of,
    until_stopped,
)
from visionset.errors import OutputError, RecordError, RuleError, SourceError, StoreError
from visionset.games.registry import SPECS

if TYPE_CHECKING:
    from visionset.games.base import Event
    from visionset.games.game import History
    from visionset.recording import Recorder
    from visionset.referee.game_referee import GameReferee
    from visionset.referee.terms import TableTracker
    from visionset.referee.zones import Zones
    from visionset.sources import Source
    from visionset.store import Match, Store
    from visionset.table import Table

_LATEST = 0
"""``--resume`` without a number."""


class Kept:
    """A match in the store, as the log of a director; a recording that is made of it gets the same events."""

    def __init__(self, store: Store, match: Match, recorder: Recorder | None = None) -> None:
        self._store = store
        self._recorder = recorder
        self.match = match

    def append(self, event: Event) -> None:
        """Keep an event."""
        self.match = self._store.append(self.match, event)
        if self._recorder is not None:
            self._recorder.event(event.to_json(), self.match.history.state.scores)

    def undo(self) -> None:
        """Keep that the last event was taken back."""
        self.match = self._store.undo(self.match)
        if self._recorder is not None:
            self._recorder.undo(self.match.history.state.scores)


def run_game(args: argparse.Namespace) -> int:
    """Follow a game until the video ends, the person quits, or Ctrl-C; then say how to go on with it."""
    from visionset.referee.director import Director
    from visionset.sources import CameraOptions, Guarded, open_source
    from visionset.store import EntryKind
    from visionset.video_writer import VideoWriter
    from visionset.window.display import why_no_display
    from visionset.window.referee import Referee
    from visionset.window.screen import OpenCvScreen

    if args.source is not None and args.camera is not None:
        raise SourceError("expected a camera or a video, got both; leave out --camera or the video")
    refuse_when_resumed(args)
    script = read_script(args.say)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(args))
        resumed = _resumed(store, args) if args.resume is not None else None
        game = resumed.history.game.name if resumed else args.game
        large = SPECS[game].picture_px if game else None
        wanted = CameraOptions(size_px=large) if large else None
        source = stack.enter_context(open_source(args.source or args.camera or "0", wanted))
        profile, reading = calibrated(with_pieces(args, game), source)
        tracker = tracker_of(args, source, reading, stack)
        if source.is_live:
            source = Guarded(source)
        match = resumed or _begun(store, args, args.game or offered(source, tracker, len(players_of(args))))
        no_display = "no window wanted" if args.json else why_no_display()
        if no_display and not args.json:
            complain(f"{no_display}; going on without a window, Ctrl-C ends it")
        recording = stack.enter_context(VideoWriter(args.save, recorded_fps(source))) if args.save else None
        screen = None if no_display else stack.enter_context(OpenCvScreen())
        recorder = stack.enter_context(recorder_of(args, source, profile, reading, match.history)) if args.record else None
        kept = Kept(store, match, recorder)
        game_referee = make_referee(match.history.game.name, args)
        game_referee.earlier = all_scores(store, match)
        is_undone = match.entries[-1].kind is EntryKind.UNDO
        director = Director(match.history, game_referee, kept, tracker.correct, is_undone=is_undone)
        teller = Teller(director, args.json)
        write = None if recording is None else telling_of_trouble(recording)
        referee = Referee(
            source,
            tracker,
            director,
            screen,
            teller.tell,
            script,
            write,
            complain,
            teller.shown,
            recorder=recorder,
            refused=teller.refused,
            undone=teller.undone,
            keep_zones=lambda zones: _keep_zones(zones, args),
        )
        try:
            until_stopped(referee.run)
            if director.state.is_over and not kept.match.summary.is_finished:
                kept.match = store.finish(kept.match)
        finally:  # however the window ends, it is said how to go on
            teller.end(kept.match, places(store, kept.match))
    whole = recorded_in_full(recording)
    if recorder is not None and not args.json:
        say(f"{recorder.folder}: recorded; now try: visionset report {recorder.folder}")
    return 0 if whole else 1


def with_pieces(args: argparse.Namespace, game: str | None) -> argparse.Namespace:
    """The arguments; where ``--pieces`` is not given and the game is known, what it is played with is looked for."""
    if args.pieces is not None or game is None:
        return args
    return argparse.Namespace(**{**vars(args), "pieces": SPECS[game].pieces})


def cells_of(table: Table) -> tuple[tuple[int, int] | None, ...]:
    """The lattice cell of each die."""
    import numpy as np

    from visionset.vision.lattice import lattice

    if not table.sightings:
        return ()
    return tuple(lattice(np.stack([one.outline_px for one in table.sightings])).cells)


def make_referee(game: str, args: argparse.Namespace) -> GameReferee:
    """Make the referee of a game as the arguments want it."""
    from visionset.referee.terms import RefereeOptions
    from visionset.referee.zones import Zones

    path = _zones_path(args)
    game_referee: GameReferee = SPECS[game].part("referee")(cells_of, RefereeOptions(), args.hints != "off")
    game_referee.hint_costs = args.hints == "cost"
    if game_referee.zones is not None:
        if args.zones is not None and not path.exists():
            game_referee.zones.save(path)
            say(f"{path}: the usual zones are written there; press z in the window to drag them, or edit them")
        try:
            game_referee.zones = Zones.load(path) if path.exists() else game_referee.zones
        except RecordError as error:
            if args.zones is not None:
                raise
            complain(f"{error}; passed over, the usual zones are taken")
    return game_referee


def _zones_path(args: argparse.Namespace) -> Path:
    """File of the zones: of ``--zones``, else in the user's folder for settings."""
    from visionset.calibration import config_folder

    return Path(args.zones) if args.zones is not None else config_folder() / "zones.toml"


def _keep_zones(zones: Zones, args: argparse.Namespace) -> str:
    """Save zones that were dragged; what the window says about it."""
    path = _zones_path(args)
    try:
        zones.save(path)
    except OutputError as error:
        return str(error)
    return f"zones saved: {path}"


def offered(source: Source, tracker: TableTracker, players: int) -> str:
    """Look at the table until it is clear which game lies there.

    Raises
    ------
    RuleError
        The video ended before that.
    """
    from visionset.referee.recognize_game import offer

    for frame in source:
        settled = tracker.see(frame)
        name = None if settled.held else offer(settled.table, cells_of, players)
        if name is not None:
            say(f"this looks like {name}; --game NAME overrules")
            return name
    raise RuleError("expected a table that shows which game is played, got none; name it with --game")


def players_of(args: argparse.Namespace) -> tuple[str, ...]:
    """Names as ``--players`` gives them."""
    return tuple(part.strip() for part in args.players.split(",") if part.strip())


def _begun(store: Store, args: argparse.Namespace, name: str) -> Match:
    from visionset.games.game import History
    from visionset.games.registry import GAMES
    from visionset.store import Origin

    names, game = players_of(args), GAMES[name]
    options = house_rules(game, args)
    if not (args.json or args.preset or args.house):
        options = asked(game, options, len(names) or game.min_players)
    history: History = History.begin(game, options, names)
    return store.begin(history, origin=Origin.CAMERA)


def _resumed(store: Store, args: argparse.Namespace) -> Match:
    """The match that ``--resume`` names, or the newest before a camera that goes on."""
    from visionset.store import Origin

    if args.resume != _LATEST:
        match = store.load(args.resume)
        if match.summary.is_finished or match.summary.origin is not Origin.CAMERA:
            raise StoreError(f"expected a match before a camera that goes on, got match {match.id}; `visionset matches` lists them")
        return match
    going = (one for one in store.summaries() if not one.is_finished and one.origin is Origin.CAMERA and args.game in (None, one.game))
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


def wants_game(args: argparse.Namespace) -> bool:
    """Tell whether the arguments ask for a game; refuse options that need one."""
    if args.game or args.players or args.resume is not None:
        return True
    needing = [name for name in ("preset", "house", "board", "zones", "say") if getattr(args, name) not in (None, [])]
    if needing or args.json or args.hints != "off":
        raise OutputError(f"expected --game with --{(needing or ['json' if args.json else 'hints'])[0]}, got none; name the game")
    return False
