"""Films of matches before a camera: recordings beside the store, one folder each time that a match goes on."""

from __future__ import annotations

import logging
import re
import shutil
from itertools import count
from pathlib import Path

from visionset.errors import OutputError, reason
from visionset.games.game import History
from visionset.recording import Recorder
from visionset.saving import writable_folder
from visionset.session import SessionOptions
from visionset.session.recorded import recorder_of
from visionset.sources import Source

_LOG = logging.getLogger(__name__)


class Films:
    """The films that are kept.

    Parameters
    ----------
    folder : Path
        Where matches are kept; the films are in its folder ``films``.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "films"

    def make_folder(self) -> None:
        """Make the folder of the films; raises `OutputError` where there is none to write to."""
        writable_folder(self._folder)

    def next_part(self, match: int) -> Path:
        """Folder for what is filmed of a match from now on."""
        return next(path for number in count(1) if not (path := self._folder / f"match-{match}-{number}").exists())

    def is_filmed(self, match: int) -> bool:
        """Whether anything of a match was filmed."""
        return bool(self._parts(match))

    def videos(self, match: int) -> tuple[Path, ...]:
        """The video files of a match, in the order in which they were taken."""
        return tuple(video for part in self._parts(match) for video in sorted(part.glob("video-*.avi")))

    def delete(self, match: int) -> None:
        """Delete all that was filmed of a match; raises `OutputError` where that fails."""
        for part in self._parts(match):
            try:
                shutil.rmtree(part)
            except OSError as error:
                raise OutputError(
                    f"{part}: expected a film that can be deleted, got {reason(error)}; close what shows it, or delete it yourself"
                ) from None

    def _parts(self, match: int) -> list[Path]:
        """Folders of a match, in the order in which they were filmed; what lies beside them, such as a bundle of one, is none."""
        parts = (path for path in self._folder.glob(f"match-{match}-*") if re.fullmatch(r"match-\d+-\d+", path.name))
        return sorted(parts, key=lambda path: (len(path.name), path.name))


def begun_film(folder: Path, source: Source, options: SessionOptions, history: History) -> Recorder | None:
    """Begin a recording; None where the disk takes none: the match goes on without it."""
    try:
        return recorder_of(folder, source, options, history)
    except OutputError as error:
        _LOG.warning("%s", error)
        return None


def finish_film(recorder: Recorder) -> None:
    """Close a recording; lines that a full disk did not take are lost, and the match goes on without them."""
    try:
        recorder.close()
    except OutputError as error:
        _LOG.warning("%s", error)
