"""Each kind of piece, described in one place: what it is called, which pieces there are, and how they behave on a table.

How a kind looks stands elsewhere: in `visionset.art`, in the networks of `visionset.vision`, in the renderer. docs/adding-a-kind.md
names the places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, Piece, PipDie, PlayingCard, SetCard, SetDie


@dataclass(frozen=True, slots=True)
class KindSpec:
    """What everything but readers and painters knows of a kind."""

    kind: Kind
    choice: str
    """Its name after ``--pieces``; kinds of the same name are looked for together."""
    noun: str = "card"
    """What people at a table call it."""
    piece: type[Piece] | None = None
    """Its pieces, which ``parse`` and ``str`` know by name; None for a kind that shows no piece."""
    faces: tuple[Piece, ...] = ()
    """Every piece there is; of cards, a deck."""
    attributes: tuple[str, ...] = ()
    """What a person is asked about one after the other, where a piece cannot be read."""
    is_die: bool = False
    """It may show any of its faces again after it moved, and there are many alike; else it is a card, and a deck holds each once."""
    is_by_ink: bool = False
    """Its names tell the colour of its ink."""


_SET_CARD = KindSpec(
    Kind.SET_CARD,
    "set-cards",
    piece=SetCard,
    faces=SET_DECK,
    attributes=("number", "color", "shading", "shape"),
    is_by_ink=True,
)
_SET_DIE = KindSpec(
    Kind.SET_DIE,
    "set-dice",
    noun="die",
    piece=SetDie,
    faces=SET_DIE_FACES,
    attributes=("number", "color", "shape"),
    is_die=True,
    is_by_ink=True,
)
_PIP_DIE = KindSpec(
    Kind.PIP_DIE,
    "pip-dice",
    noun="die",
    piece=PipDie,
    faces=tuple(map(PipDie, range(1, 7))),
    attributes=("value",),
    is_die=True,
)
_PLAYING_CARD = KindSpec(Kind.PLAYING_CARD, "playing-cards", piece=PlayingCard, faces=PACK, attributes=("suit", "rank"))
_CARD_BACK = KindSpec(Kind.CARD_BACK, "playing-cards")

KIND_SPECS: Mapping[Kind, KindSpec] = {one.kind: one for one in (_SET_CARD, _SET_DIE, _PIP_DIE, _PLAYING_CARD, _CARD_BACK)}
"""Every kind of piece."""

PIECE_TYPES: Mapping[Kind, type[Piece]] = {kind: spec.piece for kind, spec in KIND_SPECS.items() if spec.piece is not None}
"""The pieces of each kind that shows some."""

DICE = frozenset(kind for kind, spec in KIND_SPECS.items() if spec.is_die)
"""Kinds of dice."""

CARD_FACES = frozenset(PIECE_TYPES) - DICE
"""Kinds of cards that lie face up: a deck holds each piece once."""

BY_INK = frozenset(kind for kind, spec in KIND_SPECS.items() if spec.is_by_ink)
"""Kinds whose names tell the colour of their ink."""

CHOICES = tuple(dict.fromkeys(spec.choice for spec in KIND_SPECS.values()))
"""What can be looked for on a table, as ``--pieces`` names it."""

MOST_DECKS = 100
"""On one table."""


def kinds_of(choices: Iterable[str]) -> frozenset[Kind]:
    """The kinds that some `CHOICES` mean.

    >>> sorted(kind.value for kind in kinds_of(["playing-cards"]))
    ['card_back', 'playing_card']
    """
    wanted = frozenset(choices)
    return frozenset(kind for kind, spec in KIND_SPECS.items() if spec.choice in wanted)
