"""The history of checks: one JSON line each, shown as a table."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from visionset.codec import from_known_json
from visionset.commands.parts import say
from visionset.commands.terminal import console, folding_table
from visionset.errors import OutputError, RecordError, reason
from visionset.untrusted import json_of, text_of


@dataclass(frozen=True, slots=True)
class Checked:
    """One check."""

    when: str
    profile: str
    camera: str
    size: str
    version: str
    """`when`, `profile`, `camera`, `size` and `version`: date and time, profile (empty for none), camera, picture size, version of the
    program."""
    frames: int
    """Pictures that were read."""
    found: float
    number: float
    color: float
    shading: float
    shape: float
    """`found`, `number`, `color`, `shading` and `shape`: shares of the cards that were found and named right, 0 to 1."""
    latency_ms: float
    p95_ms: float
    fps: float
    """`latency_ms`, `p95_ms` and `fps`: median and 95th percentile of reading a picture, and pictures a second with waiting for the
    camera."""


def read_history(folder: Path) -> tuple[Checked, ...]:
    """All checks, the oldest first; lines that cannot be read are left out."""
    path = folder / "checks.jsonl"
    found = []
    for line in text_of(path).splitlines() if path.is_file() else ():
        with suppress(RecordError):
            found.append(from_known_json(Checked, json_of(line)))
    return tuple(found)


def add_to_history(checked: Checked, folder: Path) -> None:
    """Add a check; raises `OutputError` when it cannot be written."""
    path = folder / "checks.jsonl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
            torn = b"" if file.read() in (b"", b"\n") else b"\n"  # a disk that was full, or a power cut
            file.write(torn + json.dumps(asdict(checked)).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise OutputError(f"{path}: expected a file to write to, got {reason(error)}; set VISIONSET_CONFIG to another folder") from None


def print_history(history: Sequence[Checked]) -> None:
    """Print a table; a line where there was no check."""
    from rich.table import Column

    if not history:
        say("no check yet; visionset calibrate check makes one")
        return
    figures = (Column(title, justify="right") for title in ("found", "number", "color", "shading", "shape", "ms", "p95", "fps"))
    shown = folding_table("when", "profile", "size", *figures, box=None, pad_edge=False, header_style="bold")
    for check in history:
        shares = (check.found, check.number, check.color, check.shading, check.shape)
        times = (check.latency_ms, check.p95_ms, check.fps)
        shown.add_row(check.when, check.profile or "-", check.size, *(f"{100 * s:.1f}%" for s in shares), *(f"{t:.0f}" for t in times))
    console().print(shown)
