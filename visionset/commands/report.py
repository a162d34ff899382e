"""``visionset report``: a recording as one page."""

from __future__ import annotations

import argparse
from pathlib import Path

from visionset.commands.parts import Subparsers, add_command, say
from visionset.commands.terminal import console
from visionset.saving import save_text

_MORE = """\
examples
  visionset watch --record evening            make a recording; Ctrl-C or q ends it
  visionset report evening                    writes evening/report.html
  visionset report evening --out game.html    another file

One HTML file with everything in it, to be opened in any browser or sent by mail: score over time, how long each SET lay
there, the SETs that nobody took, which attribute each player finds hardest, and small pictures.
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "report", run, "write one page about a recording", _MORE)
    parser.add_argument("recording", type=Path, metavar="RECORDING", help="folder that visionset watch --record wrote")
    parser.add_argument("--out", type=Path, metavar="FILE.html", help="the page (default: report.html in the recording)")


def run(args: argparse.Namespace) -> int:
    """Write the page."""
    from rich.progress import Progress

    from visionset.recording import Recording
    from visionset.recording.report import write_report

    recording = Recording.open(args.recording)
    path: Path = args.out or args.recording / "report.html"
    with Progress(console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("looking", total=len(recording.shots))
        page = write_report(recording, step=lambda: progress.advance(task))
    save_text(path, page, "name another with --out")
    say(f"wrote {path} ({max(1, len(page) // 1000)} kB)")
    return 0
