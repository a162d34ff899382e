"""A session that is recorded: what every surface needs that keeps a recording of what it looks at."""

from __future__ import annotations

import time
from pathlib import Path

from visionset.codec import to_json
from visionset.games.game import History
from visionset.recording import Heading, Recorder
from visionset.referee.news import Happened, News, TakenBack
from visionset.session.options import SessionOptions
from visionset.session.snapshot import Listener, Snapshot
from visionset.sources import Source
from visionset.sources.camera import without_password

_USUAL_FPS = 30.0
"""Of a source that does not say how many frames it gives."""


def recorder_of(folder: Path, source: Source, options: SessionOptions, record: History | None = None) -> Recorder:
    """Open a recording; of a game that goes on it begins with what happened before."""
    heading = Heading(
        without_password(source.name),  # recordings are given to others
        recorded_fps(source),
        time.time(),
        options.decks,
        options.min_confidence,
        "" if record is None else record.game.name,
        None if record is None else to_json(record.options),
        () if record is None else record.players,
        tuple(sorted(kind.value for kind in options.reading.kinds)),
    )
    recorder = Recorder(folder, heading, options.profile.crop_px if options.profile else None)
    if record is not None:
        so_far = History.begin(record.game, record.options, record.players)
        for event in record.events:
            so_far = so_far.then(event)
            recorder.event(event.to_json(), so_far.state.scores)
    return recorder


def recording_in(recorder: Recorder) -> Listener:
    """A listener that records every frame, what lay there when the table was settled, and what happened in the game."""

    def keep(news: News) -> None:
        if isinstance(news, Happened):
            recorder.event(news.event.to_json(), news.state.scores)
        elif isinstance(news, TakenBack):
            recorder.undo(news.state.scores)

    def listen(snapshot: Snapshot, news: tuple[News, ...]) -> None:
        frame = snapshot.frame
        for one in news:
            if one.time_s < frame.time_s:  # somebody pressed a key while the frame before was shown
                keep(one)
        if snapshot.is_fresh:
            settled = snapshot.settled
            recorder.write(frame, None if settled.held or settled.passing else settled.table)
        for one in news:
            if one.time_s >= frame.time_s:
                keep(one)

    return listen


def recorded_fps(source: Source) -> float:
    """Frames per second of a video of this source."""
    return source.fps if source.fps > 0 else _USUAL_FPS
