"""The board of SET Cubed on paper, of the same file that the rules read."""

from __future__ import annotations

import numpy as np

from visionset.art import symbol_outline
from visionset.games.cubed.board import Board
from visionset.messages import Message
from visionset.pieces import Shape
from visionset.printing.pdf import BLACK, GREY, Pages, Paper, Rgb8
from visionset.printing.tiles import Tiling, tiled_pdf, tiling

_TINTS: tuple[tuple[int, Rgb8], ...] = ((5, (206, 217, 240)), (3, (209, 233, 216)), (2, (255, 229, 190)), (1, (255, 246, 207)))
"""Of squares of so many points and more; the number says it too."""

_OTHER_TINT: Rgb8 = (238, 226, 226)


def board_tiles(paper: Paper, board: Board, square_mm: float) -> Tiling:
    """How the board is cut up, no square in two."""
    return tiling(paper, (board.cols, board.rows), (square_mm, square_mm))


def board_pdf(paper: Paper, board: Board, square_mm: float = 17.5) -> bytes:
    """The board with its logo and bonus squares, on as many sheets as it takes."""
    return tiled_pdf(board_tiles(paper, board, square_mm), Message("print.board.title"), lambda pages: draw_board(pages, board, square_mm))


def draw_board(pages: Pages, board: Board, square_mm: float) -> None:
    """The whole board, its top left corner at the origin."""
    for bonus in board.bonuses:
        left, top = bonus.col * square_mm, bonus.row * square_mm
        tint = next((tint for least, tint in _TINTS if bonus.points >= least), _OTHER_TINT)
        pages.rectangle(left, top, square_mm, square_mm, tint)
        pages.middle(left + square_mm / 2, top + square_mm / 2, f"{bonus.points:+d}", 0.36 * square_mm, paint=(70, 70, 70))
    for (row, column), shape in zip(board.logo, Shape, strict=True):
        left, top = column * square_mm, row * square_mm
        pages.rectangle(left, top, square_mm, square_mm, (228, 228, 228))
        outline = symbol_outline(shape, 0.6 * square_mm, 0.28 * square_mm, 1.3)
        pages.outline(outline + np.array([left, top]) + square_mm / 2, line=0.02 * square_mm, paint=GREY)
    width, height = board.cols * square_mm, board.rows * square_mm
    lines = [[[0.0, row * square_mm], [width, row * square_mm]] for row in range(1, board.rows)]
    lines += [[[column * square_mm, 0.0], [column * square_mm, height]] for column in range(1, board.cols)]
    if lines:
        pages.lines(np.array(lines), 0.25, GREY)
    pages.outline(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]), line=0.5, paint=BLACK)
