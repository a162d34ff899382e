"""What a WILD stands for: asked once, of its player, by one key (rule D3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from visionset.games.grid import Cell, windows_through
from visionset.games.sets import DIE_FACE_INDEX, DIE_THIRD, WILD_INDEX
from visionset.messages import Message
from visionset.pieces import SET_DIE_FACES, SetDie
from visionset.referee.naming import open_attribute
from visionset.referee.rulings import MOST_ANSWERS, Option, Question


def fitting_faces(cell: Cell, values: Mapping[Cell, SetDie]) -> tuple[SetDie, ...]:
    """Faces with which a die makes a SET through a cell; all faces where there are no two dice beside it, or one is an open WILD."""
    found = set()
    for window in windows_through(cell):
        others = [DIE_FACE_INDEX[values[other]] for other in window if other != cell and other in values]
        if len(others) == 2:
            # An open WILD beside it can be what completes the SET, whatever this one is.
            found |= set(range(WILD_INDEX)) if WILD_INDEX in others else {DIE_THIRD[others[0]][others[1]]}
    return tuple(SET_DIE_FACES[index] for index in sorted(found or range(WILD_INDEX)))


class Wilds:
    """What the players said of each WILD, by square."""

    def __init__(self) -> None:
        self.stated: dict[Cell, SetDie] = {}
        self._left: dict[Cell, tuple[SetDie, ...]] = {}
        self._before: tuple[Cell, tuple[SetDie, ...]] | None = None  # the last answer: of which, and what it could be before

    def forget(self, squares: frozenset[Cell]) -> None:
        """Keep only what was said of WILDs that still lie in these squares."""
        self.stated = {cell: face for cell, face in self.stated.items() if cell in squares}
        self._left = {cell: faces for cell, faces in self._left.items() if cell in squares}
        if self._before is not None and self._before[0] not in squares:
            self._before = None

    def question(self, cell: Cell, track: int, values: Mapping[Cell, SetDie]) -> Question | None:
        """Ask about a WILD; None once it is known, also where one face alone makes a SET."""
        if cell in self.stated:
            return None
        faces = self._left.get(cell) or fitting_faces(cell, values)
        if len(faces) == 1:
            self.stated[cell] = faces[0]
            return None
        self._left[cell] = faces
        if len(faces) <= MOST_ANSWERS:
            options = tuple(Option(face, (None, face)) for face in faces)
            return Question(("wild", cell), Message("referee.ask.wild"), options, (track,))
        attribute = open_attribute(faces)
        values_left = tuple(dict.fromkeys(getattr(face, attribute) for face in faces))
        options = tuple(Option(value, (attribute, value)) for value in values_left)
        return Question(
            ("wild", cell, attribute), Message("referee.ask.wild_attribute", attribute=Message(f"attribute.{attribute}")), options, (track,)
        )

    def answer(self, question: Question, option: Option) -> None:
        """Take an answer."""
        cell = cast(Cell, question.key[1])
        attribute, value = cast("tuple[str | None, Any]", option.value)
        self._before = cell, self._left[cell]
        if attribute is None:
            self.stated[cell] = value
            return
        self._left[cell] = tuple(face for face in self._left[cell] if getattr(face, attribute) == value)
        if len(self._left[cell]) == 1:
            self.stated[cell] = self._left[cell][0]

    def unsay(self) -> bool:
        """Forget the last answer, where nothing has come of it; False where there is none."""
        if self._before is None:
            return False
        (cell, left), self._before = self._before, None
        self.stated.pop(cell, None)
        self._left[cell] = left
        return True

    def go_on(self) -> None:
        """Something has come of the answers."""
        self._before = None
