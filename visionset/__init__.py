"""visionset reads the cards and dice on a real table and finds the SETs.

>>> import visionset
>>> photo = visionset.sources.read_picture("table.jpg")   # doctest: +SKIP
>>> table = visionset.read(photo)                         # doctest: +SKIP
>>> visionset.find_sets(table.pieces)                     # doctest: +SKIP
((0, 3, 7),)
>>> cv2.imwrite("annotated.jpg", visionset.draw(photo, table))  # doctest: +SKIP

The names of `__all__` are the public interface; ``docs/api.md`` says what each does and what a version promises.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from visionset import errors as errors
    from visionset import session as session
    from visionset import sources as sources
    from visionset.annotate import draw as draw
    from visionset.games.sets import find_sets as find_sets
    from visionset.overlay.view import Reveal as Reveal
    from visionset.overlay.view import View as View
    from visionset.pieces import Kind as Kind
    from visionset.pieces import SetCard as SetCard
    from visionset.pieces import SetDie as SetDie
    from visionset.session import Session as Session
    from visionset.table import Guess as Guess
    from visionset.table import Sighting as Sighting
    from visionset.table import Table as Table
    from visionset.table import Unread as Unread
    from visionset.vision.options import ReadOptions as ReadOptions
    from visionset.vision.pipeline import read as read

__version__ = "0.1.0"
__all__ = [
    "Guess",
    "Kind",
    "ReadOptions",
    "Reveal",
    "Session",
    "SetCard",
    "SetDie",
    "Sighting",
    "Table",
    "Unread",
    "View",
    "__version__",
    "draw",
    "find_sets",
    "read",
]

_HOME = {
    "Guess": "visionset.table",
    "Kind": "visionset.pieces",
    "ReadOptions": "visionset.vision.options",
    "Reveal": "visionset.overlay.view",
    "Session": "visionset.session",
    "SetCard": "visionset.pieces",
    "SetDie": "visionset.pieces",
    "Sighting": "visionset.table",
    "Table": "visionset.table",
    "Unread": "visionset.table",
    "View": "visionset.overlay.view",
    "draw": "visionset.annotate",
    "find_sets": "visionset.games.sets",
    "read": "visionset.vision.pipeline",
}

_MODULES = ("errors", "session", "sources")
"""What `docs/api.md` names a part of."""


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: OpenCV alone takes longer to load than ``visionset --help`` may."""
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in _MODULES:
        return import_module(f"visionset.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
