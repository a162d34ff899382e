"""The watch window: live picture, keys, recording."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from visionset.assistant import Assistant, Look, caption_of
from visionset.errors import OutputError
from visionset.overlay import paint, panel, with_caption
from visionset.recording import Recorder
from visionset.sources import Source
from visionset.video_writer import VideoWriter, write_picture
from visionset.window.keys import HELP, WatchState, press_view_key

_WAIT_S = 0.02
"""Longest wait for a frame before keys are looked at again; shorter than anybody notices."""

_LEAST_WAIT_S = 0.001
"""OpenCV draws its window while it waits for a key, so that it has to wait a little."""

_NOTICE_S = 2.5
"""Time that an answer to a key stays in the caption."""


class Screen(Protocol):
    """A window; tests bring their own."""

    def show(self, image_bgr: NDArray[np.uint8]) -> None:
        """Show a picture."""

    def key(self, wait_s: float) -> int:
        """Wait for a key and return its code; negative for none."""

    def is_open(self) -> bool:
        """False after the person closed the window."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the window shows: the picture with everything on it, and the part of it that is recorded."""

    window: NDArray[np.uint8]
    recorded: NDArray[np.uint8]


class Watch:
    """One session at the window.

    Parameters
    ----------
    source : Source
        Where frames come from; a clip is played at its own pace.
    assistant : Assistant
        Reads them.
    screen : Screen or None
        None without a display: everything else goes on.
    recording : VideoWriter or None
        Takes the annotated picture, without help and times.
    pictures : path
        Folder for the key that saves the picture.
    say : callable
        Takes one line for the terminal, about trouble with the source.
    tell : callable, optional
        Called with every look, for those who follow without a window.
    clock : callable
        Seconds that only grow; for tests.
    recorder : Recorder, optional
        Keeps every frame, and what lay there when the table was settled.
    """

    def __init__(
        self,
        source: Source,
        assistant: Assistant,
        screen: Screen | None,
        recording: VideoWriter | None = None,
        pictures: Path = Path(),
        say: Callable[[str], object] = print,
        tell: Callable[[Look], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        recorder: Recorder | None = None,
    ) -> None:
        self.source = source
        self.assistant = assistant
        self.screen = screen
        self.recording = recording
        self.pictures = pictures
        self.say = say
        self.tell = tell
        self.clock = clock
        self.recorder = recorder
        self.state = WatchState()
        self.frames = 0
        self._trouble = self._source_trouble = self._recorder_trouble = ""
        self._notice_until_s = 0.0
        self._due_s = clock()

    def run(self) -> None:
        """Show frames until the source ends or the person leaves."""
        look: Look | None = None
        shown: Shown | None = None
        shown_for: tuple[WatchState, str] | None = None
        while not self.state.done and (self.screen is None or self.screen.is_open()):
            fresh = None if self.state.paused else self.source.poll(_WAIT_S)
            self._report_trouble()
            if fresh is not None:
                look = self.assistant.look(fresh)
                self.frames += 1
                if self.tell is not None:
                    self.tell(look)
                if self.recorder is not None:
                    self.recorder.write(fresh, None if look.settled.held else look.table)
            elif self.source.ended and not self.state.paused:
                return
            if look is None:
                continue
            wanted = self.state, self._notice()
            if shown is None or fresh is not None or wanted != shown_for:
                shown, shown_for = self.compose(look), wanted
                if self.recording is not None and fresh is not None:
                    self.recording.write(shown.recorded, fresh.time_s)
                if self.screen is not None:
                    self.screen.show(shown.window)
            if self.screen is not None:
                self._answer_key(shown, self.screen.key(self._wait_s(fresh is not None)))

    def compose(self, look: Look) -> Shown:
        """Draw a look as the state wants it."""
        state = self.state
        picture = self.assistant.draw(look, state.view)
        text, asks = caption_of(look, state.view)
        recorded = with_caption(picture, text, alert=asks)
        if self.screen is None:
            return Shown(recorded, recorded)
        lines = HELP if state.help else timing_lines(look) if state.timings else ()
        if lines:
            picture = paint(panel(lines, (picture.shape[1], picture.shape[0])), picture)
        notice = self._notice()
        return Shown(with_caption(picture, notice or text, right="? help", alert=bool(notice) or asks), recorded)

    def _notice(self) -> str:
        """What is more pressing than the count of cards: trouble with the camera, the answer to a key just pressed."""
        if self._trouble:
            return self._trouble
        return self.state.notice if self.state.paused or self.clock() < self._notice_until_s else ""

    def _answer_key(self, shown: Shown, key: int) -> None:
        before = self.state
        self.state = press_view_key(before, key)
        if self.state.saves > before.saves:
            self.state = replace(self.state, notice=self._save(shown))
        if self.state != before:
            self._notice_until_s = self.clock() + _NOTICE_S

    def _wait_s(self, is_fresh: bool) -> float:
        """Time to wait for a key: until a clip's next frame is due, hardly at all for a camera, which waits by itself."""
        if self.state.paused:
            return _WAIT_S
        if self.source.is_live or self.source.fps <= 0 or not is_fresh:
            return _LEAST_WAIT_S
        now_s = self.clock()
        self._due_s = max(self._due_s + 1 / self.source.fps, now_s)  # a clip that fell behind does not hurry to catch up
        return max(_LEAST_WAIT_S, self._due_s - now_s)

    def _save(self, shown: Shown) -> str:
        path = _free_name(self.pictures)
        try:
            write_picture(path, shown.recorded)
        except OutputError as error:
            return str(error)
        return f"saved {path}"

    def _report_trouble(self) -> None:
        """Tell the terminal of trouble with source or recording, and of its end; the window's caption shows it meanwhile."""
        keepers = [keeper for keeper in (self.recorder, self.recording) if keeper is not None]
        source, recorder = self.source.trouble, next((keeper.trouble for keeper in keepers if keeper.trouble), "")
        if bool(source) != bool(self._source_trouble):
            self.say(source or f"{self.source.name} is back")
        if bool(recorder) != bool(self._recorder_trouble):
            self.say(recorder or "there is room on the disk again: all is recorded")
        self._source_trouble, self._recorder_trouble = source, recorder
        self._trouble = source or recorder


def timing_lines(look: Look) -> tuple[str, ...]:
    """Lines of the timing panel: frames per second, then milliseconds of each stage."""
    return (f"{look.fps:.0f}\tframes per second", *(f"{value:.1f} ms\t{name}" for name, value in look.timings_ms.items()))


def _free_name(folder: Path) -> Path:
    """The first name that no file has: ``visionset-001.png``, ``visionset-002.png``."""
    number = 1
    while (path := folder / f"visionset-{number:03d}.png").exists():
        number += 1
    return path
