"""``visionset demo``: a recorded table through the whole pipeline, without camera or display."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.parts import (
    Subparsers,
    add_command,
    add_read_options,
    card_text,
    check_another,
    complain,
    headline,
    say,
    session_options,
)
from visionset.messages import Message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from visionset.session import Snapshot

_MORE = """\
examples
  visionset demo                  writes visionset-demo/demo.mp4 and visionset-demo/demo.png
  visionset demo --save my-demo   into another folder
  visionset demo game.mp4         with a video of your own
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "demo", run, _MORE)
    parser.add_argument("clip", nargs="?", type=Path, metavar="CLIP", help="a video of your own instead of the sample")
    parser.add_argument(
        "--save", type=Path, default=Path("visionset-demo"), metavar="DIR", help="folder for video and still (default: %(default)s)"
    )
    add_read_options(parser)


def run(args: argparse.Namespace) -> int:
    """Read every frame of the clip, record it annotated, tell what happens, keep the best picture."""
    from visionset.commands.story import Narrator
    from visionset.overlay import View, with_caption
    from visionset.overlay.painter import TablePainter, caption_of
    from visionset.sample_files import demo_clip
    from visionset.saving import writable_folder
    from visionset.session import Session, tracker_of
    from visionset.sources.clip import Clip
    from visionset.video_writer import VideoWriter, write_picture

    view, options = View(), session_options(args)
    best: tuple[tuple[float, ...], Snapshot, NDArray[np.uint8]] | None = None
    painter, spent_ms = TablePainter(), 0.0
    with ExitStack() as stack:
        clip = stack.enter_context(Clip(args.clip or demo_clip()))
        folder = writable_folder(args.save, "name another with --save")  # of a clip that is none nothing is left behind
        check_another(folder / "demo.mp4", clip.path)
        recording = stack.enter_context(VideoWriter(folder / "demo.mp4", clip.fps))
        session = stack.enter_context(Session(clip, tracker_of(options, False, stack), options=options, complain=complain))
        session.listen(Narrator())
        say(str(Message("demo.frames", name=clip.name, count=clip.frame_count)))
        for snapshot in session:
            text, asks = caption_of(snapshot.settled, snapshot.sets, snapshot.found.count, snapshot.held_s, view)
            picture = with_caption(painter.paint(snapshot.frame.image_bgr, snapshot.settled, snapshot.sets, view), text, alert=asks)
            recording.write(picture, snapshot.frame.time_s)
            spent_ms += snapshot.timings_ms["all"] + painter.spent_ms
            if best is None or _worth(snapshot) > best[0]:
                best = _worth(snapshot), snapshot, picture
    if best is None:
        return 1
    _, snapshot, picture = best
    write_picture(folder / "demo.png", picture)
    say("")
    say(str(Message("demo.kept", what=headline(snapshot.table, snapshot.sets))))
    for number, sighting in enumerate(snapshot.table.sightings, 1):
        say(f"  {number:2d}  {card_text(sighting)}")
    say("")
    say(str(Message("demo.pace", time_ms=spent_ms / recording.frames, fps=1000 * recording.frames / max(spent_ms, 1e-9))))
    say(str(Message("demo.wrote", video=str(recording.path), picture=str(folder / "demo.png"))))
    return 1 if clip.trouble else 0  # it was cut short


def _worth(snapshot: Snapshot) -> tuple[float, ...]:
    """How good a still this makes: with a SET, many cards, read for sure."""
    read = [sighting.confidence for sighting in snapshot.table.sightings if sighting.piece is not None]
    return float(bool(snapshot.sets)), float(len(read)), sum(read)
