"""``visionset doctor``: what is installed, what works, and what to do about the rest."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec

from visionset.commands.parts import Subparsers, add_command, data_folder, say
from visionset.errors import VisionsetError

_MORE = """\
example
  visionset doctor      a line per check; "->" says what to do

The exit code is 1 when visionset cannot read photos here; a missing camera or display is only noted.
"""

_NEEDED = {
    "numpy": (2, 0),
    "scikit-image": (0, 25),
    "scipy": (1, 13),
    "rich": (14, 3),
    "platformdirs": (4, 0),
    "pillow": (11, 3),
    "onnxruntime": (1, 20),
    "shtab": (1, 10),
}
"""Packages with the least version of each."""

_OPENCV = ("opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless")
_OPENCV_LEAST = (5, 0)

_FLUENT_MS = 33.0
"""A frame must be read in this time to follow a camera of 30 frames per second."""


class Grade(Enum):
    """Outcome of a check; the value is what is printed."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "PROBLEM"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report: what, how it stands, and what to do."""

    grade: Grade
    text: str
    todo: str = ""

    def __str__(self) -> str:
        return f"{self.grade.value:8s}{self.text}" + (f"\n        -> {self.todo}" if self.todo else "")


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    add_command(subparsers, "doctor", run, _MORE)


def run(args: argparse.Namespace) -> int:
    """Run all checks."""
    say(_headline())
    worst = 0
    for check in all_checks():
        say(str(check))
        worst |= check.grade is Grade.PROBLEM
    return worst


def report_lines() -> list[str]:
    """All that the command prints, for fault reports."""
    return [_headline(), *map(str, all_checks())]


def _headline() -> str:
    from visionset import __version__

    return f"visionset {__version__}, Python {platform.python_version()}, {platform.platform(terse=True)}"


def all_checks() -> Iterator[Check]:
    """Check one thing after the other; what needs OpenCV or the engine is left out when that does not load."""
    yield from check_packages(_installed)
    yield from check_system()
    loads = (check_opencv_loads(), check_engine())
    yield from loads
    if all(check.grade is not Grade.PROBLEM for check in loads):
        yield from (check_speed(), check_video(), check_display(), check_camera())


def _installed(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def check_packages(version_of: Callable[[str], str | None]) -> Iterator[Check]:
    """Check versions, and that there is one OpenCV; `version_of` a package is None where it is not installed."""
    found = [name for name in _OPENCV if version_of(name)]
    if not found:
        yield Check(Grade.PROBLEM, "OpenCV is not installed", f"{_pip()} install opencv-python")
    elif len(found) > 1:
        yield Check(
            Grade.PROBLEM,
            f"{' and '.join(found)} are installed together and overwrite each other",
            f"{_pip()} uninstall -y {' '.join(found)} && {_pip()} install opencv-python",
        )
    else:
        version = version_of(found[0]) or ""
        yield _versioned(found[0], version, _OPENCV_LEAST)
        if "headless" in found[0]:
            yield Check(Grade.NOTE, f"{found[0]} opens no windows", f"{_pip()} uninstall -y {found[0]} && {_pip()} install opencv-python")
    for name, least in _NEEDED.items():
        version = version_of(name) or ""
        if version:
            yield _versioned(name, version, least)
        else:
            yield Check(Grade.PROBLEM, f"{name} is not installed", f"{_pip()} install {name}")


def check_system() -> Iterator[Check]:
    """Look at what surrounds the program: path, extras, disk."""
    from visionset.commands.doctor_system import system_troubles

    for text, todo in system_troubles(data_folder(argparse.Namespace())):
        yield Check(Grade.NOTE, text, todo)


def _versioned(name: str, version: str, least: tuple[int, int]) -> Check:
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers >= least:
        return Check(Grade.OK, f"{name} {version}")
    wanted = ".".join(map(str, least))
    return Check(Grade.PROBLEM, f"{name} {version} is older than {wanted}", f"{_pip()} install -U '{name}>={wanted}'")


def _pip() -> str:
    return f"{sys.executable} -m pip"


def check_opencv_loads() -> Check:
    """Import OpenCV, which on a bare Debian lacks two libraries."""
    try:
        import cv2
    except ImportError as error:
        return Check(Grade.PROBLEM, f"OpenCV does not load: {error}", "sudo apt install libgl1 libglib2.0-0")
    return Check(Grade.OK, f"OpenCV {cv2.__version__} loads, {cv2.getNumThreads()} threads")


def check_engine() -> Check:
    """Import what runs the networks, which on Windows lacks a library now and then."""
    try:
        from visionset.vision import engine
    except ImportError as error:
        todo = "install Microsoft's Visual C++ Redistributable" if sys.platform == "win32" else f"{_pip()} install -U onnxruntime"
        return Check(Grade.PROBLEM, f"ONNX Runtime does not load: {error}", todo)
    return Check(Grade.OK, f"{engine.ENGINE} runs the networks, {engine.threads()} threads")


def check_speed() -> Check:
    """Read a sample picture, right and fast."""
    from visionset.commands.measurement import median_ms
    from visionset.sample_files import sample_truth, samples_folder
    from visionset.sources.picture import read_picture
    from visionset.vision import pipeline
    from visionset.vision.options import SET_CARDS_ALONE

    try:
        photos = sample_truth()["photos"]
        name = min(photos, key=lambda photo: abs(len(photos[photo]["pieces"]) - 12))
        image = read_picture(samples_folder() / name)
    except (VisionsetError, OSError) as error:
        return Check(Grade.PROBLEM, f"the samples are missing: {error}", "install visionset again")
    table = pipeline.read(image, SET_CARDS_ALONE)
    right = {str(piece) for piece in table.pieces} & set(photos[name]["pieces"])
    text = f"reads {len(right)} of {len(photos[name]['pieces'])} cards of the sample {name}"
    if len(right) < len(photos[name]["pieces"]) / 2:
        return Check(Grade.PROBLEM, text, "install visionset again; if that does not help, report it with this output")
    spent_ms = median_ms(lambda: pipeline.read(image, SET_CARDS_ALONE), rounds=7)
    if spent_ms > _FLUENT_MS:
        return Check(Grade.NOTE, f"{text}, {spent_ms:.0f} ms each time", "close other programs; live video will skip frames")
    return Check(Grade.OK, f"{text}, {spent_ms:.0f} ms each time")


def check_video() -> Check:
    """Write a short video and read it back."""
    import tempfile
    from pathlib import Path

    import numpy as np

    from visionset.sources.clip import Clip
    from visionset.video_writer import VideoWriter

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "test.mp4"
        try:
            with VideoWriter(path, 10.0) as recording:
                for number in range(3):
                    recording.write(np.full((64, 64, 3), 60 * number, np.uint8), number / 10)
            with Clip(path) as clip:
                count = sum(1 for _ in clip)
        except VisionsetError as error:
            return Check(
                Grade.NOTE, f"videos cannot be written: {error}", "install opencv-python from PyPI; reading photos is not affected"
            )
    return Check(Grade.OK, f"videos can be written and read ({count} frames)")


def check_display() -> Check:
    """Try to open a window, in another process."""
    from visionset.window.display import why_no_display

    trouble = why_no_display()
    if trouble:
        return Check(Grade.NOTE, f"no window: {trouble}", "visionset watch --save OUT.mp4 records without one; read and demo need none")
    return Check(Grade.OK, "windows can be opened")


def check_camera() -> Check:
    """Look for cameras and take a picture with the first."""
    from visionset.commands.doctor_system import SYSTEM_TROUBLES, camera_files, is_wsl, why_no_camera
    from visionset.sources import Camera, list_cameras

    cameras = list_cameras()
    trouble = why_no_camera(sys.platform, camera_files(), is_wsl())
    if trouble and (not cameras or sys.platform.startswith("linux")):
        return Check(Grade.NOTE, *trouble)
    if not cameras:
        hint = (
            "" if sys.platform == "linux" or find_spec("cv2_enumerate_cameras") else f" ({_pip()} install 'visionset[cameras]' finds more)"
        )
        return Check(Grade.NOTE, "no camera", f"plug one in to use visionset watch{hint}")
    first = cameras[0]
    try:
        with Camera(first.number) as camera:
            frame = camera.poll(2.0)
    except VisionsetError as error:
        return Check(Grade.NOTE, str(error), SYSTEM_TROUBLES.get(sys.platform, ""))
    size = f"{frame.size_px[0]}x{frame.size_px[1]}" if frame else "no picture"
    return Check(Grade.OK, f"camera {first.number}, {first.name}: {size}, {camera.fps:.0f} frames per second")
