"""Where the sample pictures and clips are: in the package when installed, in the repository when not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from visionset.errors import PictureError


def samples_folder() -> Path:
    """The folder of samples. Raises `PictureError`: neither the package nor the repository has it."""
    here = Path(__file__).parent
    for folder in (here / "samples", here.parent / "samples"):
        if folder.is_dir():
            return folder
    raise PictureError(f"expected samples in {here / 'samples'}, got no such folder; install visionset again")


def demo_clip() -> Path:
    """The clip that ``visionset demo`` plays: the largest picture size there is, the first by name.

    Raises `PictureError`: there is no clip among the samples.
    """
    clips = sorted(samples_folder().glob("**/*.mp4"))
    if not clips:
        raise PictureError(f"expected a clip in {samples_folder()}, got none; install visionset again, or name a video of your own")
    return next((clip for clip in clips if "1280" in clip.stem or "720" in clip.stem), clips[0])


def sample_truth() -> dict[str, Any]:
    """What lies in each sample picture, by file name, in the form of ``visionset score``."""
    truth: dict[str, Any] = json.loads((samples_folder() / "truth.json").read_text(encoding="utf-8"))
    return truth
