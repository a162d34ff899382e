"""What a tuned number is judged by: names on rendered tables, labels on clips, tests. The package is imported when one is asked for."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import runpy
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
KINDS = {"set_cards": "SC", "playing_cards": "PC", "set_dice": "SD", "pip_dice": "PD"}


def lights() -> dict[str, Any]:
    """Ways to spoil a picture."""
    import cv2
    import numpy as np

    def lamp(picture: Any) -> Any:
        height, width = picture.shape[:2]
        rows, columns = np.mgrid[0:height, 0:width]
        away = np.hypot(rows - height / 2, columns - width / 2) / (0.06 * width)
        return picture + 600 * np.exp(-(away**2))[..., None]

    def pale(picture: Any) -> Any:
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None]
        return gray + 0.3 * (picture - gray.astype(float))

    ways = {
        "haze": lambda picture: 0.6 * picture + 90,
        "over-exposed": lambda picture: 1.3 * picture,
        "dark": lambda picture: 255 * (picture / 255) ** 2,
        "gray": lambda picture: np.repeat(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2),
        "pale": pale,
        "upside down": lambda picture: picture[::-1, ::-1],
        "lamp": lamp,
    }
    return {
        name: lambda picture, way=way: np.ascontiguousarray(np.clip(way(picture), 0, 255).astype(np.uint8)) for name, way in ways.items()
    }


def read_all(folder: Path, every: int) -> dict[str, Any]:
    """What is read of some tables: right, wrong and missed names of each kind, and all that was said of each picture."""
    import cv2

    from visionset import read
    from visionset.vision.engine import one_thread

    spoilt, score, said = lights(), {}, {}
    for kind, short in KINDS.items():
        photos = json.loads((folder / kind / "truth.json").read_text(encoding="utf-8"))["photos"]
        files = sorted(photos)
        chosen = [(file, "") for file in files[::every]]
        chosen += [(files[(7 + 11 * at) % len(files)], name) for at, name in enumerate(spoilt)]
        tally = Counter[str]()
        for file, light in chosen:
            picture = cv2.imread(str(folder / kind / file))
            with one_thread():
                table = read(spoilt[light](picture) if light else picture)
            got = Counter(str(piece) for piece in table.pieces if piece is not None)
            there, optional = Counter(photos[file]["pieces"]), Counter(photos[file]["optional"])
            tally["right"] += (got & there).total()
            tally["missed"] += (there - got).total()
            tally["wrong"] += (got - there - optional).total()
            said[f"{short} {file} {light}"] = [
                (
                    str(one.piece),
                    one.kind.value,
                    round(one.confidence, 3),
                    [round(float(x)) for x in one.outline_px.ravel()],
                    str(one.reason),
                )
                for one in table.sightings
            ]
        score[short] = dict(tally)
    return {"names": score, "said": said}


def follow_all(folder: Path, readings: Path) -> dict[str, Any]:
    """What becomes of the labels on each frame of the clips; what was read of a picture is kept in the folder `readings`."""
    glued = runpy.run_path(str(ROOT / "scripts" / "glued"))

    def read(frame: Any) -> Any:
        kept = readings / hashlib.sha256(frame.image_bgr.tobytes()).hexdigest()
        if not kept.exists():
            with tempfile.NamedTemporaryFile(dir=readings, delete=False) as file:
                pickle.dump(glued["read"](frame), file)
            Path(file.name).replace(kept)
        return pickle.loads(kept.read_bytes())

    clips = sorted((folder / "clips").glob("*.mp4"))
    if not clips:
        sys.exit(f"{folder}: expected a folder clips with videos in it, got none; make it by scripts/frozen_tables")
    return {"labels": sum((glued["measure"](clip, 1, reader=read) for clip in clips), Counter())}


def failing(paths: Sequence[str]) -> dict[str, Any]:
    """Which tests of some files or folders fail."""
    import pytest

    class Failures:
        def __init__(self) -> None:
            self.names: list[str] = []

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                self.names.append(report.nodeid)

        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            if report.failed:
                sys.exit(f"the tests cannot be collected: {report.longreprtext.splitlines()[-1]}")

    failures = Failures()
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
        status = pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *paths], [failures])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):  # else nothing would seem to fail
        sys.exit(f"expected tests in {' '.join(paths)}, got none that can run; check the names")
    return {"failed": sorted(set(failures.names))}
