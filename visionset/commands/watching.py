"""What the plain watch and a refereed game share: their options, the profile, the recording, the way to stop."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.parts import complain, say, session_options
from visionset.commands.process import INTERRUPTS
from visionset.errors import OutputError, SourceError
from visionset.messages import Message

if TYPE_CHECKING:
    from visionset.recording import Recorder
    from visionset.session import Session, SessionOptions
    from visionset.video_writer import VideoWriter
    from visionset.window.watch import TablePresenter
    from visionset.window.window import Screen


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What is watched, and what is kept of it, as the arguments of ``visionset watch`` say."""

    source: str
    """A camera, a stream or a file."""
    session: SessionOptions
    profile: str | None = None
    """Name of a calibration; None for the newest that fits."""
    save: Path | None = None
    record: Path | None = None
    """`save` and `record`: video of what is drawn, and folder of the recording."""


def watch_options(args: argparse.Namespace) -> WatchOptions:
    """The options of ``visionset watch``."""
    from visionset.sources import is_camera
    from visionset.sources.camera import without_password

    if args.source is not None and args.camera is not None:
        raise SourceError("expected a camera or a video, got both; leave out --camera or the video")
    if args.camera is not None and not is_camera(args.camera):
        raise SourceError(
            f"expected the number of a camera, got {without_password(args.camera)}; visionset cameras lists them, "
            "and a video is named without --camera"
        )
    source = args.camera or "0" if args.source is None else args.source  # an empty one, as of a variable that is not set, is none
    return WatchOptions(source, session_options(args), args.profile, args.save, args.record)


def watch_window(
    session: Session, presenter: TablePresenter, screen: Screen | None, recording: VideoWriter | None, recorder: Recorder | None
) -> None:
    """Show a session in a window, or without a screen, until it is over or the person leaves, and keep what is wanted of it."""
    from visionset.session.recorded import recording_in
    from visionset.window.window import TableWindow

    if recorder is not None:
        session.listen(recording_in(recorder))
    for keeper in (recorder, recording):
        if keeper is not None:
            session.watch_over(keeper)
    until_stopped(TableWindow(session, presenter, screen, recording.write if recording else None).run)


def recorded_in_full(recording: VideoWriter | None) -> bool:
    """Finish the video with the drawing and tell how much of it was recorded; False where the disk was too full for some of it."""
    if recording is None:
        return True
    try:
        recording.close()
    except OutputError as error:
        return not complain(str(error))
    if not (recording.frames or recording.missing):
        return True
    path, time_s, missing_s = str(recording.path), recording.frames / recording.fps, recording.missing / recording.fps
    if recording.missing == 0:
        say(str(Message("watch.recorded_s", path=path, time_s=time_s)))
        return True
    complain(str(Message("watch.recorded_partly", path=path, time_s=time_s, missing_s=missing_s)))
    return False


def until_stopped(run: Callable[[], None], tell: Callable[[str], None] = say) -> None:
    """Run; Ctrl-C, the system's request to end and a terminal that is closed are ordinary ways to stop and keep what was recorded."""
    INTERRUPTS.keeps = True
    try:
        run()
    except KeyboardInterrupt:
        tell(str(Message("watch.stopped")))
