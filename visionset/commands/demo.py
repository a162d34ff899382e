"""``visionset demo``: a recorded table through the whole pipeline, without camera or display."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.parts import Subparsers, add_command, add_read_options, card_text, headline, read_options, say, tracker_options

if TYPE_CHECKING:
    from visionset.assistant import Look

_MORE = """\
examples
  visionset demo                    writes visionset-demo/demo.mp4 and visionset-demo/demo.png
  visionset demo --save /tmp/demo   into another folder
  visionset demo game.mp4           with a video of your own
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "demo", run, "play a recorded table: no camera, no display needed", _MORE)
    parser.add_argument("clip", nargs="?", type=Path, metavar="CLIP", help="a video of your own instead of the sample")
    parser.add_argument(
        "--save", type=Path, default=Path("visionset-demo"), metavar="DIR", help="folder for video and still (default: %(default)s)"
    )
    add_read_options(parser)


def run(args: argparse.Namespace) -> int:
    """Read every frame of the clip, record it annotated, tell what happens, keep the best picture."""
    from visionset.assistant import Assistant, caption_of
    from visionset.commands.story import teller
    from visionset.overlay import View, with_caption
    from visionset.sample_files import demo_clip
    from visionset.sources.clip import Clip
    from visionset.tracking import TableTracker
    from visionset.video_writer import VideoWriter, writable_folder, write_picture
    from visionset.vision import pipeline

    folder, view = writable_folder(args.save), View()
    best: tuple[tuple[float, ...], Look] | None = None
    options = read_options(args)
    assistant = Assistant(TableTracker(lambda frame: pipeline.read(frame.image_bgr, options), tracker_options(args)), args.decks)
    spent_ms, tell = 0.0, teller()
    with Clip(args.clip or demo_clip()) as clip, VideoWriter(folder / "demo.mp4", clip.fps) as recording:
        say(f"{clip.name}: {clip.frame_count} frames")
        for look in assistant.looks(clip):
            text, asks = caption_of(look, view)
            recording.write(with_caption(assistant.draw(look, view), text, alert=asks), look.frame.time_s)
            tell(look)
            spent_ms += look.timings_ms["all"]
            if best is None or _worth(look) > best[0]:
                best = _worth(look), look
    if best is None:
        return 1
    look = best[1]
    text, asks = caption_of(look, view)
    write_picture(folder / "demo.png", with_caption(assistant.draw(look, view), text, alert=asks))
    say("")
    say(f"The picture kept, {headline(look.table, look.sets)}:")
    for number, sighting in enumerate(look.table.sightings, 1):
        say(f"  {number:2d}  {card_text(sighting)}")
    say("")
    say(f"{spent_ms / recording.frames:.1f} ms a frame, {1000 * recording.frames / max(spent_ms, 1e-9):.0f} frames per second at most")
    say(f"wrote {recording.path} and {folder / 'demo.png'}; now try: visionset watch")
    return 0


def _worth(look: Look) -> tuple[float, ...]:
    """How good a still this makes: with a SET, many cards, read for sure."""
    read = [sighting.confidence for sighting in look.table.sightings if sighting.piece is not None]
    return float(bool(look.sets)), float(len(read)), sum(read)
