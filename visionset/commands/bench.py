"""``visionset bench``: how fast this machine reads, beside the least that any such reader has to do."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from visionset.commands.measurement import Measurement, floor, median_ms, process_cost
from visionset.commands.parts import Subparsers, add_command, say
from visionset.commands.terminal import console, folding_table, progress_bar
from visionset.numbers import real

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_MORE = """\
The floor is cvtColor to gray, GaussianBlur 5x5, adaptiveThreshold and findContours on the same frame in the same run: the
least that any reader of such a frame does. Machines differ, so compare ratios. Times are medians; of dice and playing cards
three tables are read, and the middle one counts.

examples
  visionset bench
  visionset bench --json
  visionset bench --live            a sample clip as a camera would give it, to the drawn overlay
  visionset bench --soak 60         an hour of clips in a loop: memory and times, first part and last
"""


_SLOW_ROUNDS = 3
"""Repetitions of what takes a second."""

_LIVE_FPS = 25.0
"""What is wanted of a moving table, and what most webcams give indoors."""

_LIVE_S = 30.0
"""The sample clip nearly five times: the numbers repeat to a few per cent."""

_NOISE = 1.5
"""Standard deviation, in gray levels, of the noise between frames in which nothing changed: what a webcam shows by daylight."""


_OTHER_TABLES = {
    "6 pip dice": ("pip-dice", 6, 35.0),
    "12 playing cards": ("playing-cards", 12, 60.0),
    "42 SET dice": ("set-dice", 42, 90.0),
}
"""Tables of other pieces: kind, count, and the time that is wanted in milliseconds."""

_TABLES = 3
"""So many of each are measured; the middle one counts."""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "bench", run, _MORE)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    told = "play the sample clip as a camera of FPS frames per second (default: %(const)g) and measure up to the drawn overlay"
    parser.add_argument("--live", metavar="FPS", type=real(1, 1000), nargs="?", const=_LIVE_FPS, help=told)
    parser.add_argument(
        "--soak", metavar="MINUTES", type=real(0.01, 100_000), help="play the sample clips in a loop for MINUTES; watch memory and times"
    )


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    import cv2

    with progress_bar(auto_refresh=False) as progress:  # a bar that moves would be measured too
        task = progress.add_task("measuring", total=None)

        def tell(what: str) -> None:
            progress.update(task, description=f"measuring: {what}", refresh=True)

        rows = _asked(args, tell)
    if args.json:
        say(
            json.dumps(
                {"opencv": cv2.__version__, "threads": cv2.getNumThreads(), "rows": [asdict(row) | {"met": row.is_met} for row in rows]}
            )
        )
        return 0
    table = folding_table("what", "measured", "bar", "", title=f"OpenCV {cv2.__version__}, {cv2.getNumThreads()} threads")
    for row in rows:
        bar = "" if row.bar is None else f"<= {row.bar:g} {row.unit}"
        table.add_row(row.name, f"{row.value:.2f} {row.unit}", bar, "" if row.bar is None else "ok" if row.is_met else "above")
    console().print(table)
    return 0


def _asked(args: argparse.Namespace, tell: Callable[[str], None]) -> list[Measurement]:
    """Measure what the arguments ask for; `tell` is given what is measured next."""
    if args.live is None and args.soak is None:
        return measure(tell)
    from visionset.commands.bench_live import live_rows, soak_rows
    from visionset.sample_files import demo_clip, samples_folder

    fps, clip = args.live or _LIVE_FPS, demo_clip()
    if args.soak is None:
        tell(f"a clip as a camera gives it, {_LIVE_S:g} s")
        return live_rows(clip, fps, _LIVE_S)
    clips = sorted(samples_folder().glob("*.mp4"))
    return soak_rows(clips, fps, args.soak, tell=lambda line: None if args.json else say(line))


def measure(tell: Callable[[str], None] = lambda what: None) -> list[Measurement]:
    """Measure every row of the table on the samples; `tell` is given what is measured next."""
    from visionset.games.sets import find_sets
    from visionset.pieces import SET_DECK
    from visionset.vision import pipeline
    from visionset.vision.options import SET_CARDS_ALONE, ReadOptions

    rows: list[Measurement] = []
    tell("12 SET cards")
    frame_path, frame = _sample(12, (1280, 720))
    floor_ms = median_ms(lambda: floor(frame))
    cold_ms = median_ms(partial(pipeline.read, frame, SET_CARDS_ALONE))
    rows += [
        Measurement("floor, 1280x720", floor_ms, "ms", None),
        Measurement("12 SET cards, 1280x720, nothing known before", cold_ms, "ms", 30.0),
        Measurement("the same over the floor", cold_ms / floor_ms, "x", 8.0),
        Measurement("a frame in which nothing changed", _unchanged_ms(frame), "ms", 4.0),
    ]
    all_kinds = ReadOptions()
    rows.append(Measurement("12 SET cards and all other kinds looked for", median_ms(lambda: pipeline.read(frame, all_kinds)), "ms", 45.0))
    for name, (kind, count, bar_ms) in _OTHER_TABLES.items():
        tell(name)
        cold_ms = median(median_ms(partial(pipeline.read, table, all_kinds)) for table in _other_tables(kind, count))
        rows.append(Measurement(f"{name}, 1280x720, nothing known before", cold_ms, "ms", bar_ms))
    tell("81 cards")
    _, full = _sample(81, (1600, 1200))
    rows.append(Measurement("81 cards, 1600x1200", median_ms(partial(pipeline.read, full, SET_CARDS_ALONE)), "ms", 120.0))
    rows.append(Measurement("1080 SETs among 81 cards", median_ms(lambda: find_sets(SET_DECK)), "ms", 2.0))
    tell("the start of a command")
    start_ms, peak_mb = _start(frame_path)
    rows.append(Measurement("visionset read on one photo, from start", start_ms, "ms", 1500.0))
    if peak_mb:
        rows.append(Measurement("its peak memory", peak_mb, "MB", 350.0))
    return rows


def _other_tables(kind: str, count: int) -> Iterator[NDArray[np.uint8]]:
    """Some tables of one kind of piece, rendered for the purpose: an easy one is read in a fraction of the time of a hard one."""
    from visionset.render.table_plan import TableSpec
    from visionset.render.tables import render_table

    for seed in range(1, _TABLES + 1):
        spec = TableSpec(layout="scattered", kinds=(kind,), seed=seed, camera="above", count=count, size_px=(1280, 720))
        yield render_table(spec)[0]


def _unchanged_ms(image_bgr: NDArray[np.uint8]) -> float:
    """Median over frames of a still table that differ by the sensor's noise alone."""
    import numpy as np

    from visionset.geometry import Frame
    from visionset.tracking import TableTracker
    from visionset.vision import pipeline
    from visionset.vision.options import SET_CARDS_ALONE

    rng = np.random.default_rng(0)
    noise = [np.clip(image_bgr + rng.normal(0, _NOISE, image_bgr.shape), 0, 255).astype(np.uint8) for _ in range(4)]
    tracker, count = TableTracker(lambda frame: pipeline.read(frame.image_bgr, SET_CARDS_ALONE)), 0
    for count in range(30):  # until the tracker is sure of what it saw
        tracker.see(Frame(noise[count % 4], count, count / 30))

    def look() -> None:
        nonlocal count
        count += 1
        tracker.see(Frame(noise[count % 4], count, count / 30))

    return median_ms(look)


def _sample(cards: int, size_px: tuple[int, int]) -> tuple[Path, NDArray[np.uint8]]:
    """A sample picture with a number of cards, brought to a size."""
    import cv2
    import numpy as np

    from visionset.errors import PictureError
    from visionset.sample_files import sample_truth, samples_folder
    from visionset.sources.picture import read_picture

    fits = [name for name, entry in sample_truth()["photos"].items() if len(entry["pieces"]) == cards]
    if not fits:
        raise PictureError(f"expected a sample picture with {cards} cards, got none; install visionset again")
    for name in fits:
        image = read_picture(samples_folder() / name)
        if (image.shape[1], image.shape[0]) == size_px:
            return samples_folder() / name, image
    return samples_folder() / fits[0], np.asarray(cv2.resize(read_picture(samples_folder() / fits[0]), size_px), np.uint8)


def _start(photo: Path) -> tuple[float, float]:
    """Milliseconds from start to the end of ``visionset read`` on one photo, and its peak memory in MB."""
    costs = [process_cost([sys.executable, "-m", "visionset", "read", "--json", str(photo)]) for _ in range(_SLOW_ROUNDS)]
    return median(ms for ms, _ in costs), max(mb for _, mb in costs)
