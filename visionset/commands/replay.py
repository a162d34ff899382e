"""``visionset replay``: a recording again, through today's reader."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.parts import Subparsers, add_command, say
from visionset.commands.terminal import console

if TYPE_CHECKING:
    from visionset.recording.replay import Difference, Replay

_MORE = """\
examples
  visionset watch --record evening       make a recording; Ctrl-C or q ends it
  visionset replay evening               what is read otherwise today
  visionset replay --json evening        one JSON object a difference, then the summary

Every picture is followed in order, as it was live, looking for the same kinds of pieces; where the table is settled, then
and now, it is compared piece by piece.
Pictures are kept as MPEG-4, which loses a little: a card that was read with doubt may change for that alone.
The exit code is 0 when every name is the same, 1 when one is not.
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "replay", run, "run a recording again and tell what is read otherwise", _MORE)
    parser.add_argument("recording", type=Path, metavar="RECORDING", help="folder that visionset watch --record wrote")
    parser.add_argument("--json", action="store_true", help="print one JSON object per difference, and one for the summary")


def run(args: argparse.Namespace) -> int:
    """Read all pictures again, print the differences and one line that sums up."""
    import json

    from rich.progress import Progress

    from visionset.pieces import Kind
    from visionset.recording import Recording
    from visionset.recording.replay import Verdict, replay
    from visionset.session import SessionOptions
    from visionset.tracking import TableTracker
    from visionset.vision import pipeline

    recording = Recording.open(args.recording)
    heading = recording.heading
    options = SessionOptions(heading.decks, heading.min_confidence, frozenset(map(Kind, heading.pieces)) or None)
    reading = options.reading
    tracker = TableTracker(lambda frame: pipeline.read(frame.image_bgr, reading), options.tracking)
    with Progress(console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("reading", total=len(recording.shots))
        outcome = replay(recording, tracker.see, lambda: progress.advance(task))
    for difference in outcome.differences:
        say(_json(difference) if args.json else _text(difference))
    counts = {verdict.value: count for verdict, count in outcome.counts.items()}
    told = {"frames": outcome.frames, "unsettled": outcome.unsettled, "readings": outcome.readings, **counts}
    say(json.dumps(told) if args.json else replay_summary(outcome))
    return int(any(count for verdict, count in outcome.counts.items() if verdict is not Verdict.SAME))


def replay_summary(outcome: Replay) -> str:
    """One line that says how much is the same."""
    from visionset.recording.replay import Verdict
    from visionset.words import counted

    others = [f"{count} {verdict.value}" for verdict, count in outcome.counts.items() if count and verdict is not Verdict.SAME]
    same = f"{outcome.counts[Verdict.SAME]} of {counted(outcome.readings, 'name')} the same"
    later = f" ({outcome.unsettled} more not settled today)" if outcome.unsettled else ""
    read = f"{counted(outcome.frames, 'settled frame')} read again{later}, {same}"
    return f"{read}; {', '.join(others)}, in {counted(len(outcome.differences), 'place')}" if others else read


def _text(difference: Difference) -> str:
    from visionset.commands.story import clock

    frames = f"frame {difference.first}" if difference.first == difference.last else f"frames {difference.first}-{difference.last}"
    x, y = difference.center_px
    was, now = difference.was or "nothing", difference.now or "nothing"
    return f"{clock(difference.first_s)}  {frames}  at ({x}, {y}): {was} -> {now}"


def _json(difference: Difference) -> str:
    import json
    from dataclasses import asdict

    return json.dumps({**asdict(difference), "verdict": difference.verdict.value})
