"""A state in the language of whoever asks: each browser at a table has its own."""

from __future__ import annotations

from collections.abc import Callable

from visionset.messages import spoken
from visionset.web.showing import Json


class InLanguages:
    """A state that is put into words once for each language in which somebody asks for it.

    Parameters
    ----------
    tell : callable
        Puts it into the words that are spoken where it is called; what it tells of never changes.
    """

    def __init__(self, tell: Callable[[], Json]) -> None:
        self._tell = tell
        self._told: dict[str, Json] = {}

    def __call__(self) -> Json:
        """The state in the language that is spoken here; on any thread."""
        language = spoken()
        if language not in self._told:
            self._told[language] = self._tell()
        return self._told[language]
