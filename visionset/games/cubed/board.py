"""The board of SET Cubed as data: size, logo squares, bonus squares (rules D5, D8)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

from visionset.codec import from_json
from visionset.errors import RecordError
from visionset.games.grid import Cell, InCell, windows_of
from visionset.numbers import int_or_none
from visionset.untrusted import text_of, toml_of

_MOST_SIDE, _MOST_POINTS = 200, 1000
"""Squares of a side of a board that fits on a table, and points of a square on it."""


@dataclass(frozen=True, slots=True)
class Bonus(InCell):
    """A square that adds points the first time that a die lies on it (D8)."""

    row: int
    col: int
    points: int


@dataclass(frozen=True, slots=True)
class _BoardFile:
    """A board as its TOML has it: bonus squares by their points."""

    name: str
    rows: int
    cols: int
    logo: tuple[Cell, ...]
    bonus: dict[str, tuple[Cell, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Board:
    """The board of SET Cubed.

    Raises `RecordError` for a square that is off the board, a logo that is not three neighbours in a line, or a board that no table holds.
    """

    name: str
    rows: int
    cols: int
    logo: tuple[Cell, ...]
    """The three squares for the first SET, in reading order."""
    bonuses: tuple[Bonus, ...] = ()

    def __post_init__(self) -> None:
        if not (0 < self.rows <= _MOST_SIDE and 0 < self.cols <= _MOST_SIDE):
            raise RecordError(f"expected a board of 1 to {_MOST_SIDE} rows and columns, got {self.rows} x {self.cols}; make it smaller")
        if not all(abs(bonus.points) <= _MOST_POINTS for bonus in self.bonuses):
            raise RecordError(f"expected at most {_MOST_POINTS} points on a square, got more; write fewer")
        squares = [*self.logo, *(bonus.cell for bonus in self.bonuses)]
        off = [square for square in squares if not self.holds(square)]
        if off:
            raise RecordError(f"expected squares on a board of {self.rows} x {self.cols}, got {off[0]}; move it or enlarge the board")
        if len(self.logo) != 3 or not windows_of(self.logo):
            raise RecordError(f"expected a logo of three neighbouring squares in a line, got {self.logo}; name three such squares")

    def holds(self, cell: Cell) -> bool:
        """Tell whether a square is on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def bonus_at(self, cell: Cell) -> int:
        """Points printed on a square, 0 for a plain one."""
        return _bonus_points(self).get(cell, 0)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read a board from TOML, in the form of ``visionset/games/cubed/board.toml``."""
        try:
            plain = from_json(_BoardFile, toml_of(text))
            bonuses = tuple(Bonus(*cell, _points(points)) for points, cells in plain.bonus.items() for cell in cells)
            return cls(plain.name, plain.rows, plain.cols, plain.logo, bonuses)
        except RecordError as error:
            raise RecordError(
                f"expected a board in TOML with name, rows, cols, logo and bonus, got none ({error!s:.160}); change a copy of "
                "ours, which `visionset print board --help` names"
            ) from None

    def __str__(self) -> str:
        by_points: dict[int, list[Cell]] = {}
        for bonus in self.bonuses:
            by_points.setdefault(bonus.points, []).append(bonus.cell)
        lines = [f"name = {self.name!r}", f"rows = {self.rows}", f"cols = {self.cols}", f"logo = {_squares(self.logo)}", "", "[bonus]"]
        return "\n".join([*lines, *(f"{points} = {_squares(cells)}" for points, cells in by_points.items())]) + "\n"


def _points(text: str) -> int:
    points = int_or_none(text)
    if points is None or len(text) > 5:
        raise RecordError(f"expected points as a number, got {text!r:.60}; write points = [[row, column], ...]")
    return points


def _squares(cells: tuple[Cell, ...] | list[Cell]) -> str:
    return str([list(cell) for cell in cells])


@cache
def _bonus_points(board: Board) -> dict[Cell, int]:
    return {bonus.cell: bonus.points for bonus in board.bonuses}


def load_board(path: Path) -> Board:
    """Read a board from a TOML file; raises `RecordError` for one that is no board."""
    text = text_of(path)
    try:
        return Board.parse(text)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


@cache
def default_board() -> Board:
    """Return our own board, since the source does not print one."""
    return Board.parse(files("visionset.games.cubed").joinpath("board.toml").read_text(encoding="utf-8"))
