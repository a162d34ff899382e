"""The window of a refereed game: live picture, outlines, scores, words, keys and clicks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from visionset.errors import OutputError
from visionset.frame import Frame
from visionset.games.base import EVERYONE, Event
from visionset.overlay import paint, panel
from visionset.overlay.showing import ShownBoard, draw_showing
from visionset.recording import Recorder
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, Said
from visionset.referee.terms import Mark, Showing, TableTracker, Told, Tone
from visionset.referee.zones import Zones
from visionset.sources import Source
from visionset.window.exhibits import Exhibits
from visionset.window.seats import HELP, SeatKeys, press_seat_key
from visionset.window.zone_drag import Dragging, Pull

_WAIT_S = 0.02
"""Longest wait for a frame before keys are looked at again; shorter than anybody notices."""

_LEAST_WAIT_S = 0.001
"""OpenCV draws its window while it waits for a key, so that it has to wait a little."""


class RefereeScreen(Protocol):
    """A window with keys and clicks; tests bring their own."""

    def show(self, image_bgr: NDArray[np.uint8]) -> None:
        """Show a picture."""

    def key(self, wait_s: float) -> int:
        """Wait for a key and return its code; negative for none."""

    def click(self) -> tuple[float, float] | None:
        """Where in the picture somebody clicked since the last call; None for nowhere."""

    def pull(self) -> Pull | None:
        """The mouse with its button down; told once more when the button was let go, None else."""

    def is_open(self) -> bool:
        """False after the person closed the window."""


@dataclass(frozen=True, slots=True)
class Timed:
    """Something that is said at a time of the stream, from a script."""

    time_s: float
    said: Said


class Referee:
    """One game before a camera or a clip.

    Parameters
    ----------
    source : Source
        Where frames come from.
    tracker : TableTracker
        Follows the table.
    director : Director
        Follows the game.
    screen : RefereeScreen or None
        None without a display.
    tell : callable
        Told each event with the time of the stream, as soon as it is in the log.
    script : sequence of Timed
        What is said without keys, in the order of time.
    write : callable, optional
        Takes each picture as it is shown, for a recording.
    say : callable
        Takes one line for the terminal, about trouble with the source or the disk.
    refused : callable
        Told what somebody said and the game did not take, in words, with the time of the stream.
    undone : callable
        Told how many events were taken back, with the time of the stream.
    shown : callable, optional
        Told what there is to show after each frame, with the time of the stream.
    clock : callable
        Seconds that only grow; for tests.
    recorder : Recorder, optional
        Keeps every frame, and what lay there when the table was settled; the log keeps the events.
    keep_zones : callable
        Saves zones that were dragged, and says so in a line.
    """

    def __init__(
        self,
        source: Source,
        tracker: TableTracker,
        director: Director,
        screen: RefereeScreen | None,
        tell: Callable[[Event, float], None],
        script: Sequence[Timed] = (),
        write: Callable[[NDArray[np.uint8], float], None] | None = None,
        say: Callable[[str], object] = print,
        shown: Callable[[Showing, float], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        recorder: Recorder | None = None,
        keep_zones: Callable[[Zones], str] = lambda zones: "",
        refused: Callable[[str, float], None] = lambda text, time_s: None,
        undone: Callable[[int, float], None] = lambda count, time_s: None,
    ) -> None:
        self._shown, self._recorder, self._keep_zones, self._refused, self._undone = shown, recorder, keep_zones, refused, undone
        self.source, self.tracker, self.director, self.screen = source, tracker, director, screen
        self.seats = SeatKeys()
        self.frames = 0
        self._tell, self._script, self._write, self._say, self._clock = tell, list(script), write, say, clock
        self._time_s = 0.0
        self._excluded: frozenset[object] = frozenset()
        self._exhibits = Exhibits()
        self._board: ShownBoard | None = None
        self._dragging: Dragging | None = None
        self._trouble = self._source_trouble = self._recorder_trouble = self._unkept = ""
        self._due_s = clock()

    def run(self) -> None:
        """Follow the game until the source ends or the person leaves."""
        frame: Frame | None = None
        while not self.seats.done and (self.screen is None or self.screen.is_open()):
            fresh = self.source.poll(_WAIT_S)
            self._report_trouble()
            if fresh is not None:
                frame = fresh
                self._look(fresh)
            elif self.source.ended:
                break
            if frame is not None and (self.screen is not None or (fresh is not None and self._write is not None)):
                self._show(frame, fresh is not None)

    def _report_trouble(self) -> None:
        """Tell the terminal of trouble with source or recording, and of its end; the window shows it meanwhile."""
        source, recorder = self.source.trouble, "" if self._recorder is None else self._recorder.trouble
        if bool(source) != bool(self._source_trouble):
            self._say(source or f"{self.source.name} is back")
        if bool(recorder) != bool(self._recorder_trouble):
            self._say(recorder or "there is room on the disk again: all is recorded")
        self._source_trouble, self._recorder_trouble = source, recorder
        self._trouble = source or recorder

    def _look(self, frame: Frame) -> None:
        self.frames += 1
        self._time_s = max(self._time_s, frame.time_s)
        while self._script and self._script[0].time_s <= self._time_s:
            self._hear(self._script.pop(0).said)
        settled = self.tracker.see(frame)
        self._exhibits.look(frame, settled)
        if self._recorder is not None:
            self._recorder.write(frame, None if settled.held else settled.table)
        if self._dragging is None:
            self._keep(lambda: self.director.see(settled, self._time_s))
        excluded = self.director.excluded
        if excluded != self._excluded:
            self._excluded = frozenset(excluded)
            self.tracker.exclude(excluded)
        if self._shown is not None:
            self._shown(self.director.showing, self._time_s)

    def _hear(self, said: Said) -> None:
        self._keep(lambda: self.director.hear(said, self._time_s))
        if self.director.refused:
            self._refused(self.director.refused, self._time_s)

    def _keep(self, step: Callable[[], Sequence[Event]]) -> None:
        """Do a step; where the log cannot be written the game stands still, and goes on once it can."""
        before = self.director.history.events
        try:
            step()
        except OutputError as error:
            if not self._unkept:
                self._say(str(error))
            self._unkept = str(error)
        else:
            self._unkept = ""
        events = self.director.history.events
        pairs = enumerate(zip(before, events, strict=False))
        same = next((at for at, (one, event) in pairs if one is not event), min(len(before), len(events)))
        if same < len(before):
            self._undone(len(before) - same, self._time_s)
        for event in events[same:]:
            self._tell(event, self._time_s)

    def compose(self, frame: Frame) -> NDArray[np.uint8]:
        """Draw what is to be seen over a frame."""
        size_px, showing = frame.size_px, self.director.showing
        if self.seats.menu is not None:
            showing = replace(showing, question=self.seats.menu)
        if self._dragging is not None:
            showing = _with_zones(showing, self._dragging, size_px)
        if self._trouble or self._unkept:
            showing = replace(showing, remarks=(self._trouble or self._unkept, *showing.remarks))
        self._board = draw_showing(showing, self.director.state.players, size_px)
        drawing = self._board.drawing + panel(HELP, size_px) if self.seats.help else self._board.drawing
        if showing.exhibits:
            picture = frame.image_bgr.copy()
            return paint(self._exhibits.over(showing.exhibits, picture) + drawing, picture)
        return paint(drawing, frame.image_bgr)

    def _show(self, frame: Frame, is_fresh: bool) -> None:
        picture = self.compose(frame)
        if is_fresh and self._write is not None:
            self._write(picture, frame.time_s)
        if self.screen is None:
            return
        self.screen.show(picture)
        asked = self.seats.menu
        said = self._pressed(self.screen.key(self._wait_s(is_fresh)))
        click, pull = self.screen.click(), self.screen.pull()
        self._drag(pull, frame.size_px)
        if self._dragging is None and said is None and click is not None and self._board is not None:
            said = self._board.clicked(*click)
            if asked is not None and isinstance(said, Answer):  # an answer to the menu, which the director does not know
                said = self._pressed(ord(str(said.number)))
        if said is not None:
            self._hear(said)

    def _drag(self, pull: Pull | None, size_px: tuple[int, int]) -> None:
        """Begin, go on with, or end the dragging of zones; the game goes by them only when it has ended."""
        game_referee = self.director.referee
        if game_referee.zones is None:
            self.seats = replace(self.seats, zones=False)
        elif self.seats.zones and self._dragging is None:
            self._dragging = Dragging(game_referee.zones, game_referee.table_from_image)
        elif self._dragging is not None and not self.seats.zones:
            zones, self._dragging = self._dragging.zones, None
            self.director.rearrange(zones)
            self._say(self._keep_zones(zones))
        elif self._dragging is not None and pull is not None:
            self._dragging = self._dragging.pulled(pull, size_px)

    def _pressed(self, key: int) -> Said | None:
        self.seats, said = press_seat_key(self.seats, key, self.director.history.game, self.director.state)
        return said

    def _wait_s(self, is_fresh: bool) -> float:
        """Time to wait for a key: until a clip's next frame is due, hardly at all for a camera, which waits by itself."""
        if self.source.is_live or self.source.fps <= 0 or not is_fresh:
            return _LEAST_WAIT_S
        now_s = self._clock()
        self._due_s = max(self._due_s + 1 / self.source.fps, now_s)
        return max(_LEAST_WAIT_S, self._due_s - now_s)


def _with_zones(showing: Showing, dragging: Dragging, size_px: tuple[int, int]) -> Showing:
    """What is shown while zones are dragged: the zones as they are now, and how to go on."""
    zones, held = dragging.zones, dragging.grip
    marks = tuple(
        Mark(
            zones.outline_px(zone.name, size_px, dragging.table_from_image),
            Tone.GOOD if held is not None and held.zone.name == zone.name else Tone.ZONE,
            zone.name,
        )
        for zone in zones.zones
    )
    told = (Told(EVERYONE, "drag a zone by its middle, an edge or a corner; z keeps them. The game rests"),)
    return Showing(told, marks=marks, status=showing.status)
