"""What the plain watch and a refereed game share: the profile, how the table is followed, the recording, the way to stop."""

from __future__ import annotations

import argparse
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import FrameType
from typing import TYPE_CHECKING

from visionset.commands.parts import complain, read_options, say, tracker_options
from visionset.commands.process import INTERRUPTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from visionset.calibration import Calibration
    from visionset.games.game import History
    from visionset.recording import Recorder
    from visionset.sources import Source
    from visionset.tracking import TableTracker
    from visionset.video_writer import VideoWriter
    from visionset.vision.options import ReadOptions


def calibrated(args: argparse.Namespace, source: Source) -> tuple[Calibration | None, ReadOptions]:
    """The profile that fits, and how to read by it; without one cards are read as well."""
    from visionset import calibration
    from visionset.commands.calibrate_live import camera_name, with_profile

    options, camera = read_options(args), camera_name(source)
    if args.profile:
        profile: Calibration | None = calibration.load(args.profile).fitting(camera, source.size_px)
    else:
        profile = calibration.chosen(calibration.listed(tell=complain), camera, source.size_px)
    if profile is not None:
        say(f"calibrated by profile {profile.name}")
    return profile, with_profile(options, profile)


def tracker_of(args: argparse.Namespace, source: Source, reading: ReadOptions, stack: ExitStack) -> TableTracker:
    """Follow a source: a camera is read aside, so that no frame waits for a reading; a file at once, the same each time."""
    from visionset.frame import Frame
    from visionset.sources import Aside
    from visionset.table import Table
    from visionset.tracking import TableTracker, dithered
    from visionset.vision import pipeline
    from visionset.vision.engine import one_thread

    @dithered
    def read(frame: Frame) -> Table:
        return pipeline.read(frame.image_bgr, reading)

    return TableTracker(stack.enter_context(Aside(one_thread()(read))) if source.is_live else read, tracker_options(args))


def recorder_of(
    args: argparse.Namespace, source: Source, profile: Calibration | None, reading: ReadOptions, history: History | None = None
) -> Recorder:
    """Open the recording that ``--record`` names; of a game that goes on it begins with what happened before."""
    from visionset.codec import to_json
    from visionset.games.game import History
    from visionset.recording import Heading, Recorder

    heading = Heading(
        source.name,
        recorded_fps(source),
        time.time(),
        args.decks,
        args.min_confidence,
        "" if history is None else history.game.name,
        None if history is None else to_json(history.options),
        () if history is None else history.players,
        tuple(sorted(kind.value for kind in reading.kinds)),
    )
    recorder = Recorder(args.record, heading, profile.crop_px if profile else None)
    if history is not None:
        so_far = History.begin(history.game, history.options, history.players)
        for event in history.events:
            so_far = so_far.then(event)
            recorder.event(event.to_json(), so_far.state.scores)
    return recorder


def recorded_fps(source: Source) -> float:
    """Frames per second of a video of this source."""
    return source.fps if source.fps > 0 else 30.0


def telling_of_trouble(recording: VideoWriter) -> Callable[[NDArray[np.uint8], float], None]:
    """Write to a recording, and tell when the disk fills up and when there is room again."""
    trouble = ""

    def write(image_bgr: NDArray[np.uint8], time_s: float) -> None:
        nonlocal trouble
        recording.write(image_bgr, time_s)
        if recording.trouble != trouble:
            trouble = recording.trouble
            complain(trouble or "there is room on the disk again: the video goes on")

    return write


def recorded_in_full(recording: VideoWriter | None) -> bool:
    """Tell how much of the video with the drawing was recorded; False where the disk was too full for some of it."""
    if recording is None or not (recording.frames or recording.missing):
        return True
    told = f"{recording.path}: {recording.frames / recording.fps:.1f} s recorded"
    if recording.missing == 0:
        say(told)
        return True
    complain(f"{told}, {recording.missing / recording.fps:.1f} s left out while the disk was nearly full; free some space before the next")
    return False


def until_stopped(run: Callable[[], None]) -> None:
    """Run; Ctrl-C and the system's request to end are ordinary ways to stop and keep what was recorded."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    INTERRUPTS.keeps = True
    before = signal.signal(signal.SIGTERM, stop)
    try:
        run()
    except KeyboardInterrupt:
        say("stopped")
    finally:
        signal.signal(signal.SIGTERM, before)
