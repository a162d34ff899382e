"""The window of a table that is watched: cards and SETs, the caption, and its keys."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from visionset.errors import OutputError
from visionset.games.base import together
from visionset.messages import Message, Words, at_table
from visionset.overlay import paint, panel, with_caption
from visionset.overlay.painter import TablePainter, caption_of
from visionset.session import Session, Snapshot
from visionset.video_writer import write_picture
from visionset.window.keys import HELP, WatchState, press_view_key

_NOTICE_S = 2.5
"""Time that an answer to a key stays in the caption."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What the window shows: the picture with everything on it, and the part of it that is recorded."""

    window: NDArray[np.uint8]
    recorded: NDArray[np.uint8]


class TablePresenter:
    """Shows cards and SETs; a key lets the session pause, another saves the picture to a folder."""

    def __init__(self, session: Session, pictures: Path = Path(), clock: Callable[[], float] = time.monotonic) -> None:
        self.state = WatchState()
        self._session, self._pictures, self._clock = session, pictures, clock
        self._painter = TablePainter()
        self._notice_until_s = 0.0

    @property
    def is_done(self) -> bool:
        """The person wants to leave."""
        return self.state.done

    @property
    def wanted(self) -> object:
        """What the keys led to, and the answer to the last of them while it is shown."""
        return self.state, self._notice()

    def compose(self, snapshot: Snapshot, has_screen: bool) -> Shown:
        """Draw a snapshot as the state wants it; help and times are not recorded."""
        state = self.state
        picture = self._painter.paint(snapshot.frame.image_bgr, snapshot.settled, snapshot.sets, state.view)
        text, asks = caption_of(snapshot.settled, snapshot.sets, snapshot.found.count, snapshot.held_s, state.view)
        recorded = with_caption(picture, text, alert=asks)
        if not has_screen:
            return Shown(recorded, recorded)
        lines = tuple(map(at_table, HELP)) if state.help else self._timing_lines(snapshot) if state.timings else ()
        if lines:
            picture = paint(panel(lines, (picture.shape[1], picture.shape[0])), picture)
        notice = at_table(snapshot.trouble) or self._notice()
        return Shown(with_caption(picture, notice or text, right=at_table(Message("caption.help")), alert=bool(notice) or asks), recorded)

    def pressed(self, key: int, shown: Shown) -> None:
        """Answer a key."""
        before = self.state
        self.state = press_view_key(before, key)
        if self.state.saves > before.saves:
            self.state = replace(self.state, notice=self._save(shown))
        if self.state != before:
            self._notice_until_s = self._clock() + _NOTICE_S
            self._session.pause(self.state.paused)

    def _notice(self) -> str:
        answer = self.state.notice if self._clock() < self._notice_until_s else ""
        return at_table(together(answer, Message("watch.paused") if self.state.paused else ""))

    def _timing_lines(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Frames per second, then milliseconds of each stage."""
        times = {**snapshot.timings_ms, "draw": self._painter.spent_ms}
        stages = (Message("watch.time", time_ms=value, stage=Message(f"stage.{name}")) for name, value in times.items())
        return (at_table(Message("watch.fps", fps=snapshot.fps)), *map(at_table, stages))

    def _save(self, shown: Shown) -> Words:
        path = _free_name(self._pictures)
        try:
            write_picture(path, shown.recorded)
        except OutputError as error:
            return str(error)
        return Message("watch.saved", path=str(path))


def _free_name(folder: Path) -> Path:
    """The first name that no file has: ``visionset-001.png``, ``visionset-002.png``."""
    number = 1
    while (path := folder / f"visionset-{number:03d}.png").exists():
        number += 1
    return path
