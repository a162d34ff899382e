"""What any game shows, drawn as text for terminals: pieces, grids and hands, the scores and what to do now."""

from __future__ import annotations

from typing import Any

from rich.columns import Columns
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Column, Table
from rich.text import Text

from visionset.games.base import addressed
from visionset.games.registry import SPECS
from visionset.games.view import Grid, Spread, Stress, ViewPart
from visionset.messages import Message, at_table, in_words
from visionset.pieces import Piece, SetCard, SetDie
from visionset.words import label_lines

_INK = {"red": "red", "green": "green", "purple": "magenta"}
_SYMBOLS = {
    ("solid", "oval"): "●",
    ("striped", "oval"): "◍",
    ("open", "oval"): "○",
    ("solid", "diamond"): "◆",
    ("striped", "diamond"): "◈",
    ("open", "diamond"): "◇",
    ("solid", "squiggle"): "▰",
    ("striped", "squiggle"): "▨",
    ("open", "squiggle"): "▱",
}
_MOST_COLUMNS = 10
"""Of a grid with room for whole dice in 80 columns: ten of seven places, and the numbers of the rows."""

_FRAME = 6  # cells that the title of a panel leaves to its frame
_STRESSES = {Stress.NONE: "", Stress.FAINT: "dim", Stress.GOOD: "bold green", Stress.DUE: "bold yellow"}


def piece_text(piece: Piece | None, *, is_short: bool = False) -> Text:
    """Draw a card or a die on one line; letters say what its colour does, for terminals and people without colours.

    Short, a die takes three places: ``R3●`` for three red ovals.
    """
    if piece is None:
        return Text("·", style="dim")
    if isinstance(piece, SetCard):
        drawn = " ".join(_SYMBOLS[piece.shading.value, piece.shape.value] * piece.number)
        return Text(f"{drawn:5} {label_lines(piece)[-1][0]}", style=f"bold {_INK[piece.color.value]}")
    if not isinstance(piece, SetDie):
        return Text(str(piece))
    if piece.color is None or piece.shape is None or piece.number is None:
        return Text(label_lines(piece)[-1][0] if is_short else at_table(piece), style="bold yellow")
    letter, symbol = in_words(Message(f"short.{piece.color.value}")), _SYMBOLS["solid", piece.shape.value]
    return Text(letter + (f"{piece.number}{symbol}" if is_short else symbol * piece.number), style=f"bold {_INK[piece.color.value]}")


def draw_part(shown: ViewPart) -> Columns | Group | Text:
    """Draw one part of what a state shows; a title stands above its table, which would break it at its own width."""
    match shown:
        case Spread(title, pieces, columns, is_numbered):
            table = Table(*(Column(overflow="fold") for _ in range(columns)), show_header=False, pad_edge=False)
            numbers = [f"{place:>2} " if is_numbered else " " for place in range(1, len(pieces) + 1)]
            cells = [Text.assemble((number, "dim"), piece_text(piece)) for number, piece in zip(numbers, pieces, strict=True)]
            for start in range(0, len(cells), columns):
                table.add_row(*cells[start : start + columns])
            return Group(Text(in_words(title), style="italic"), table)
        case Grid(title, head, rows):
            is_wide = len(head) > _MOST_COLUMNS
            table = Table(*(Column(in_words(name), overflow="fold") for name in head), padding=(0, 0 if is_wide else 1))
            for row in rows:
                table.add_row(
                    *(
                        Text.assemble(piece_text(one.piece, is_short=is_wide), style="underline" if one.text else "")
                        if one.piece
                        else Text(in_words(one.text), style=_STRESSES[one.stress])
                        for one in row
                    )
                )
            return Group(Text(in_words(title), style="italic"), table)
    after = [Text(in_words(shown.after))] if shown.after else []
    if shown.is_numbered:  # a line that is broken anywhere would part a number from its die
        places = [Text(f"{place} ", style="dim") + piece_text(piece) for place, piece in enumerate(shown.pieces, 1)]
        name = Text(f"{shown.player}: ")
        return Columns([name + places[0], *places[1:], *after] if places else [name, *after], padding=(0, 3))
    return Text("   ").join([Text(f"{shown.player}: ") + Text(" ").join(map(piece_text, shown.pieces)), *after])


def show(console: Console, state: Any) -> None:
    """Print what lies on the table, the scores and what to do now."""
    for shown in SPECS[state.game].shown(state):
        console.print(draw_part(shown))
    notice = [Text(at_table(state.notice), style="bold")] if state.notice else []
    lines = [*notice, *(Text(at_table(addressed(prompt.to, prompt.message))) for prompt in state.prompts)]
    scores = [f"{name} {score}" for name, score in zip(state.players, state.scores, strict=True)]
    title = Text("   ".join(scores))
    if title.cell_len + _FRAME <= console.width:
        console.print(Panel(Text("\n").join(lines), title=title))
    else:  # a title is cut off where a panel ends
        console.print(Panel(Group(Columns(map(Text, scores), padding=(0, 3)), *lines)))
