"""visionset reads the cards on a real table and finds the SETs.

>>> import cv2, visionset
>>> table = visionset.read(cv2.imread("table.jpg"))       # doctest: +SKIP
>>> visionset.find_sets(table.pieces)                     # doctest: +SKIP
((0, 3, 7),)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from visionset.games.sets import find_sets as find_sets
    from visionset.table import Table as Table
    from visionset.vision.pipeline import read as read

__version__ = "0.1.0"
__all__ = ["Table", "__version__", "find_sets", "read"]

_HOME = {"read": "visionset.vision.pipeline", "find_sets": "visionset.games.sets", "Table": "visionset.table"}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: OpenCV alone takes longer to load than ``visionset --help`` may."""
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
