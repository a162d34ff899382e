"""``visionset replay``: a recording again, through today's reader."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.many import add_jobs_options, mapped, progress
from visionset.commands.parts import Subparsers, add_command, complain, say
from visionset.commands.terminal import progress_bar
from visionset.errors import VisionsetError
from visionset.jobs import Lost

if TYPE_CHECKING:
    from visionset.recording.replay import Difference, Replay

_MORE = """\
examples
  visionset watch --record evening       make a recording; Ctrl-C or q ends it
  visionset replay evening               what is read otherwise today
  visionset replay --json evening        one JSON object a difference, then the summary
  visionset replay evening evening --jobs 2   several recordings, each by a process of its own

Every picture is followed in order, as it was live, looking for the same kinds of pieces; where the table is settled, then
and now, it is compared piece by piece.
Pictures are kept as MPEG-4, which loses a little: a card that was read with doubt may change for that alone.
The exit code is 0 when every name is the same, 1 when one is not, or when pictures are lost or none is left to compare.
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "replay", run, _MORE)
    parser.add_argument("recordings", nargs="+", type=Path, metavar="RECORDING", help="folder that visionset watch --record wrote")
    parser.add_argument("--json", action="store_true", help="print one JSON object per difference, and one for the summary")
    add_jobs_options(parser)


def run(args: argparse.Namespace) -> int:
    """Read all pictures again, print the differences and one line that sums up; several recordings one after the other."""
    if len(args.recordings) == 1 and not args.cluster:
        with progress_bar() as bar:
            task = bar.add_task("reading", total=None)
            lines, code = ReplayRecording(args.json, lambda count: bar.update(task, total=count, advance=1))(args.recordings[0])
        for line in lines:
            say(line)
        return code
    code = 0
    work = OneOfMany(args.json)
    with progress("reading", lambda: len(args.recordings)) as step:
        for folder, answer in zip(args.recordings, mapped(args, work, args.recordings), strict=True):
            step()
            if isinstance(answer, Lost):
                code = complain(
                    f"{folder}: expected a recording that can be read, got {answer.deaths} workers that died over it; leave it out"
                )
            elif isinstance(answer, str):
                code = complain(answer)
            else:
                if len(args.recordings) > 1:
                    say(json.dumps({"recording": str(folder)}) if args.json else f"{folder}:")
                for line in answer[0]:
                    say(line)
                code = max(code, answer[1])
    return code


@dataclass(frozen=True, slots=True)
class ReplayRecording:
    """Reads one recording again: the lines to be said, and the exit code."""

    as_json: bool
    step: Callable[[int], object] = lambda count: None
    """Called once a picture with how many there are."""

    def __call__(self, folder: Path) -> tuple[list[str], int]:
        """Read the recording in this folder."""
        from visionset.pieces import Kind
        from visionset.recording import Recording
        from visionset.recording.replay import Verdict, replay
        from visionset.session import SessionOptions
        from visionset.tracking import TableTracker
        from visionset.vision import pipeline

        recording = Recording.open(folder)
        heading = recording.heading
        options = SessionOptions(heading.decks, heading.min_confidence, frozenset(map(Kind, heading.pieces)) or None)
        reading = options.reading
        tracker = TableTracker(lambda frame: pipeline.read(frame.image_bgr, reading), options.tracking)
        outcome = replay(recording, tracker.see, lambda: self.step(len(recording.pictures)))
        lines = [_json(difference) if self.as_json else _text(difference) for difference in outcome.differences]
        counts = {verdict.value: count for verdict, count in outcome.counts.items()}
        told = {name: getattr(outcome, name) for name in ("frames", "unsettled", "readings", "lost", "damaged")} | counts
        lines.append(json.dumps(told) if self.as_json else replay_summary(outcome))
        is_whole = outcome.frames > 0 and not outcome.lost and not outcome.damaged
        return lines, int(not is_whole or any(count for verdict, count in outcome.counts.items() if verdict is not Verdict.SAME))


@dataclass(frozen=True, slots=True)
class OneOfMany:
    """Reads one recording among others: what is wrong with it costs a line."""

    as_json: bool

    def __call__(self, folder: Path) -> tuple[list[str], int] | str:
        """Read the recording in this folder; words where it cannot be read."""
        try:
            return ReplayRecording(self.as_json)(folder)
        except VisionsetError as error:
            return str(error)


def replay_summary(outcome: Replay) -> str:
    """One line that says how much is the same."""
    from visionset.recording.replay import Verdict
    from visionset.words import counted

    others = [f"{count} {verdict.value}" for verdict, count in outcome.counts.items() if count and verdict is not Verdict.SAME]
    names = f"{outcome.counts[Verdict.SAME]} of {counted(outcome.readings, 'name')} the same" if outcome.readings else "no piece lay there"
    later = f" ({outcome.unsettled} more not settled today)" if outcome.unsettled else ""
    read = f"{counted(outcome.frames, 'settled frame')} read again{later}, {names}"
    if not outcome.frames:
        read = f"nothing to compare: no picture of a table that was settled then{' and is today' if outcome.unsettled else ''}"
    if outcome.lost:
        read += f"; {counted(outcome.lost, 'picture')} of the recording cannot be read any more"
    if outcome.damaged:
        read += f"; {counted(outcome.damaged, 'line')} of it cannot be read and told nothing"
    return f"{read}; {', '.join(others)}, in {counted(len(outcome.differences), 'place')}" if others else read


def _text(difference: Difference) -> str:
    from visionset.commands.story import clock

    frames = f"frame {difference.first}" if difference.first == difference.last else f"frames {difference.first}-{difference.last}"
    x, y = difference.center_px
    was, now = difference.was or "nothing", difference.now or "nothing"
    return f"{clock(difference.first_s)}  {frames}  at ({x}, {y}): {was} -> {now}"


def _json(difference: Difference) -> str:
    return json.dumps({**asdict(difference), "verdict": difference.verdict.value})
