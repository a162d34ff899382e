"""A game before a camera, set up: what every surface needs that lets a game be refereed, in a window, on a page or without any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from visionset import calibration
from visionset.calibration import Calibration
from visionset.errors import RecordError, RuleError
from visionset.games.base import Event
from visionset.games.registry import SPECS
from visionset.geometry import outlines_of
from visionset.kinds import kinds_of
from visionset.messages import Message
from visionset.referee.director import Director
from visionset.referee.game_referee import GameReferee, RefereeOptions
from visionset.referee.game_tracker import Log
from visionset.referee.recognize_game import offer
from visionset.referee.zones import Zones
from visionset.saving import config_folder
from visionset.session.options import SessionOptions
from visionset.sources import CameraOptions, Source, camera_name, open_source
from visionset.store import EntryKind, Match, Store, all_scores
from visionset.table import Table
from visionset.tracking import TableTracker
from visionset.vision.lattice import lattice

Tell = Callable[[str], object]
"""Takes a line for people."""


class KeptMatch(Log):
    """A match in the store, as the log of a director.

    Attributes
    ----------
    match : Match
        As it stands.
    """

    def __init__(self, store: Store, match: Match) -> None:
        self._store = store
        self.match = match

    def append(self, event: Event) -> None:
        """Keep an event."""
        self.match = self._store.append(self.match, event)

    def undo(self) -> None:
        """Keep that the last event was taken back."""
        self.match = self._store.undo(self.match)

    def close_if_over(self) -> Match:
        """Close the match where its game is over; the match as it stands."""
        if self.match.history.state.is_over and not self.match.is_closed:
            self.match = self._store.finish(self.match)
        return self.match


def open_for_game(source: str, game: str | None) -> Source:
    """Open a camera, a stream or a video; a camera is asked for pictures as large as the game needs them, None where it is not known."""
    large = SPECS[game].picture_px if game else None
    return open_source(source, CameraOptions(size_px=large) if large else None)


def calibrated(options: SessionOptions, source: Source, profile: str | None, say: Tell, complain: Tell) -> SessionOptions:
    """The options with the profile of that name, or the newest that fits the camera; without one cards are read as well."""
    camera = camera_name(source)
    if profile:
        found: Calibration | None = calibration.load(profile).fitting(camera, source.size_px)
    else:
        found = calibration.chosen(calibration.listed(tell=complain), camera, source.size_px)
    if found is not None:
        say(str(Message("watch.calibrated", name=found.name)))
    return replace(options, profile=found)


def for_game(options: SessionOptions, game: str | None) -> SessionOptions:
    """The options for a game; where nobody says which pieces lie there, what it is played with is looked for."""
    if game is None:
        return options
    return replace(options, is_refereed=True, kinds=options.kinds or kinds_of(SPECS[game].pieces))


def offered(source: Source, tracker: TableTracker, players: int) -> str:
    """Look at the table until it is clear which game lies there.

    Raises
    ------
    RuleError
        The video ended before that.
    """
    for frame in source:
        settled = tracker.see(frame)
        name = None if settled.held or settled.passing else offer(settled.table, cells_of, players)
        if name is not None:
            return name
    raise RuleError("expected a table that shows which game is played, got none; name it with --game")


def cells_of(table: Table) -> tuple[tuple[int, int] | None, ...]:
    """The lattice cell of each sighting; None for one that is no part of a grid."""
    return lattice(outlines_of(table.sightings))


def referee_of(name: str, hints: str = "off") -> GameReferee:
    """Make the referee of a game, with its usual zones where it has some; hints are ``off``, ``free`` or ``cost`` a point each."""
    game_referee: GameReferee = SPECS[name].given("referee", GameReferee, cells_of, RefereeOptions(), hints != "off")
    game_referee.hint_costs = hints == "cost"
    return game_referee


def director_of(
    kept: KeptMatch, earlier: Store, game_referee: GameReferee, tracker: TableTracker, complain: Tell, is_again: bool = False
) -> Director:
    """Make the director of a match that begins, perhaps `is_again` where another has ended, or goes on.

    `earlier` has the games of before, for games that keep scores.
    """
    match = kept.match
    game_referee.earlier = all_scores(earlier, match, complain)
    is_undone = match.entries[-1].kind is EntryKind.UNDO
    return Director(match.history, game_referee, kept, tracker.correct, is_undone=is_undone, is_again=is_again)


def zones_path(game_referee: GameReferee) -> Path:
    """File of a game's zones in the user's folder for settings."""
    return config_folder() / game_referee.zones_file


def zones_in(path: Path, game_referee: GameReferee, profile: Calibration | None) -> Zones:
    """The zones of a file; raises `RecordError` where the game cannot be followed by them before this camera."""
    zones = Zones.load(path)
    try:
        zones.suit(game_referee.needed_zones, game_referee.optional_zones)
        zones.check(profile)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    return zones


def kept_zones(game_referee: GameReferee, profile: Calibration | None, complain: Tell) -> Zones | None:
    """The zones that people keep in their settings; None where there are none, or none that can be used before this camera."""
    path = zones_path(game_referee)
    if not path.exists():
        return None
    try:
        return zones_in(path, game_referee, profile)
    except RecordError as error:
        complain(f"{error}; passed over, the usual zones are taken")
        return None
