"""How a camera saw the pieces by which a match was judged: pictures in a folder beside the store, as films of matches are."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

_NAME = re.compile(r"(\d{1,6})-(\d{1,3})\.jpg")

_FOLDER = re.compile(r"(?:pictures/|films/match-)(\d{1,9})(?:-\d+)?")
"""Of the pictures of a match, or of a part of its film."""

_MOST, _MOST_BYTES = 2000, 300_000
"""Pictures of a match that are read, and bytes of one: the longest match has some hundred, 5 kB each."""


def largest_pictured(store: Path) -> int:
    """The largest number of a match of which pictures or films lie beside a store; 0 where none do."""
    folders = (path for kind in ("pictures", "films") for path in store.parent.glob(f"{kind}/*"))
    found = (_FOLDER.fullmatch(f"{path.parent.name}/{path.name}") for path in folders)
    return max((int(name[1]) for name in found if name is not None), default=0)


class Album:
    """The pictures of one match, by the places of events among those that stand; `store` is the store's file.

    What cannot be written or read is left out: a match is whole without its pictures.
    """

    def __init__(self, store: Path, match: int) -> None:
        self.folder = store.parent / "pictures" / str(match)

    def keep(self, number: int, jpegs: Sequence[bytes]) -> None:
        """Keep the pictures of an event, in the order of its pieces; those of it and of later events that were there go."""
        self.cut(number)
        try:
            if jpegs:
                self.folder.mkdir(parents=True, exist_ok=True)
            for place, jpeg in enumerate(jpegs):
                (self.folder / f"{number}-{place}.jpg").write_bytes(jpeg)
        except OSError:  # a full disk stops no game
            self.cut(number)

    def cut(self, number: int) -> None:
        """Delete those of an event and of all later ones: they do not stand any more."""
        for (at, _), path in self._found().items():
            if at >= number:
                path.unlink(missing_ok=True)

    def read(self) -> dict[int, tuple[bytes, ...]]:
        """All that are there."""
        found: dict[int, tuple[bytes, ...]] = {}
        for (number, _), path in sorted(self._found().items())[:_MOST]:
            try:
                if path.stat().st_size <= _MOST_BYTES:
                    found[number] = (*found.get(number, ()), path.read_bytes())
            except OSError:
                continue
        return found

    def delete(self) -> None:
        """Delete them all."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _found(self) -> dict[tuple[int, int], Path]:
        try:
            named = [(_NAME.fullmatch(path.name), path) for path in self.folder.iterdir()]
        except OSError:
            return {}
        return {(int(name[1]), int(name[2])): path for name, path in named if name is not None}
