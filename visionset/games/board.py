"""The board of SET Cubed as data: size, logo squares, bonus squares (rules D5, D8)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from visionset.errors import RecordError
from visionset.games.grid import Cell, windows_of


@dataclass(frozen=True, slots=True)
class Bonus:
    """A square that adds points the first time that a die lies on it (D8)."""

    row: int
    col: int
    points: int


@dataclass(frozen=True, slots=True)
class Board:
    """The board of SET Cubed.

    Attributes
    ----------
    name : str
        What it is called.
    rows, cols : int
        Size in squares.
    logo : tuple of Cell
        The three squares for the first SET, in reading order.
    bonuses : tuple of Bonus
        The bonus squares.

    Raises
    ------
    RecordError
        For a square that is off the board or a logo that is not three neighbours in a line.
    """

    name: str
    rows: int
    cols: int
    logo: tuple[Cell, ...]
    bonuses: tuple[Bonus, ...] = ()

    def __post_init__(self) -> None:
        squares = [*self.logo, *((bonus.row, bonus.col) for bonus in self.bonuses)]
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
        """Read a board from TOML, in the form of ``visionset/games/data/board.toml``."""
        try:
            data: Mapping[str, Any] = tomllib.loads(text)
            bonuses = tuple(Bonus(row, col, int(points)) for points, squares in data.get("bonus", {}).items() for row, col in squares)
            logo = tuple((int(row), int(col)) for row, col in data["logo"])
            return cls(str(data["name"]), int(data["rows"]), int(data["cols"]), logo, bonuses)
        except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError(
                f"expected a board in TOML with name, rows, cols, logo and bonus, got {error}; see the default board"
            ) from error

    def __str__(self) -> str:
        by_points: dict[int, list[Cell]] = {}
        for bonus in self.bonuses:
            by_points.setdefault(bonus.points, []).append((bonus.row, bonus.col))
        lines = [f"name = {self.name!r}", f"rows = {self.rows}", f"cols = {self.cols}", f"logo = {_squares(self.logo)}", "", "[bonus]"]
        return "\n".join([*lines, *(f"{points} = {_squares(cells)}" for points, cells in by_points.items())]) + "\n"


def _squares(cells: tuple[Cell, ...] | list[Cell]) -> str:
    return str([list(cell) for cell in cells])


@cache
def _bonus_points(board: Board) -> dict[Cell, int]:
    return {(bonus.row, bonus.col): bonus.points for bonus in board.bonuses}


def load_board(path: Path) -> Board:
    """Read a board from a TOML file; raises `RecordError` for one that is no board."""
    try:
        return Board.parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"expected a TOML file with a board at {path}, got {error}; name a file that can be read") from error


@cache
def default_board() -> Board:
    """Return our own board, since the source does not print one."""
    return Board.parse(files("visionset.games").joinpath("data/board.toml").read_text(encoding="utf-8"))
