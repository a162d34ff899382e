"""What each reader of pieces is asked, from which pictures, and how truth becomes its labels."""

from dataclasses import dataclass

from render_tables import INDEX

from visionset.pieces import PACK, SET_DIE_FACES, Color, Rank, Shape, Suit
from visionset.vision.patches import CARD_PATCH, DIE_PATCH, INDEX_PATCH, Patch

SET, PLAYING, BACK, PIP, SYMBOLS = range(5)
UNKNOWN = -1
RANKS, SUITS, COLORS, SHAPES = list(Rank), list(Suit), list(Color), list(Shape)


def pack_labels(which: int) -> list[int]:
    return [RANKS.index(PACK[which].rank), SUITS.index(PACK[which].suit)]


def card_labels(what: int, which: int) -> list[int]:
    return [what + 1, *(pack_labels(which) if what == PLAYING else [UNKNOWN] * 2)]


def index_labels(what: int, which: int) -> list[int]:
    return [1, *pack_labels(which)]


def die_labels(what: int, which: int) -> list[int]:
    if what == PIP:
        return [1, which, UNKNOWN, UNKNOWN, UNKNOWN]
    face = SET_DIE_FACES[which]
    if face.number is None:
        return [3, *[UNKNOWN] * 4]
    return [2, UNKNOWN, face.number - 1, COLORS.index(face.color), SHAPES.index(face.shape)]


@dataclass(frozen=True)
class Task:
    """What a reader is asked. The first group says what it is, 0 for nothing."""

    what: tuple[int, ...]
    patch: Patch
    groups: tuple[int, ...]
    widths: tuple[int, ...]
    labels: object
    turns: int
    mirror: bool
    files: tuple[str, ...]
    smallest_px: float
    seen: float
    hidden: float


TASKS = {
    "card": Task(
        what=(SET, PLAYING, BACK),
        patch=CARD_PATCH,
        groups=(4, 13, 4),
        widths=(16, 32, 56, 72),
        labels=card_labels,
        turns=2,
        mirror=False,
        files=("cards", "reader", "dice-close", "elsewhere"),
        smallest_px=55,
        seen=0.6,
        hidden=0.2,
    ),
    "index": Task(
        what=(INDEX,),
        patch=INDEX_PATCH,
        groups=(2, 13, 4),
        widths=(16, 32, 48, 56),
        labels=index_labels,
        turns=2,
        mirror=False,
        files=("cards", "dice-close", "elsewhere"),
        smallest_px=11,
        seen=0.92,
        hidden=0.5,
    ),
    "die": Task(
        what=(PIP, SYMBOLS),
        patch=DIE_PATCH,
        groups=(4, 6, 3, 3, 3),
        widths=(24, 48, 80, 96),
        labels=die_labels,
        turns=4,
        mirror=True,
        files=("dice", "cards", "reader", "elsewhere"),
        smallest_px=13,
        seen=0.6,
        hidden=0.25,
    ),
}
