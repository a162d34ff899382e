"""The virtual table in the terminal: draws any game with rich text and asks people for their moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from visionset.errors import RecordError, RuleError, VisionsetError
from visionset.games.base import Choice, Event, Need, State
from visionset.games.game import Game
from visionset.games.pip_sets.rules import Row, Standing
from visionset.games.virtual.bots import bot_move
from visionset.games.virtual.chance import chance, roll_faces, roll_pips
from visionset.pieces import SetCard, SetDie
from visionset.store import Match, Store

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
_STANDINGS = {
    Standing.SHORT: ("", ""),
    Standing.ELIGIBLE: (": may be circled", "bold green"),
    Standing.CIRCLED: (": circled in this turn", "dim"),
    Standing.BONUS_DUE: (": the bonus is due", "bold yellow"),
}
"""What is said of a row beside its values, and its style."""

_COLUMNS = 3
_DICE_COLUMNS = 7


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits at the table.

    Attributes
    ----------
    people, bots : int
        People take the first seats, simple players the others.
    names : tuple of str
        All names, in the order of the seats.
    """

    people: int
    bots: int
    names: tuple[str, ...]

    @classmethod
    def of(cls, match: Match) -> Self:
        """Seats of a match in the store."""
        names, bots = match.history.players, match.summary.bots
        return cls(len(names) - len(bots), len(bots), names)


def piece_text(piece: SetCard | SetDie | None) -> Text:
    """Draw a card or a die on one line."""
    if piece is None:
        return Text("·", style="dim")
    if isinstance(piece, SetDie):
        if piece.color is None or piece.shape is None or piece.number is None:
            return Text("WILD", style="bold yellow")
        return Text(_SYMBOLS["solid", piece.shape.value] * piece.number, style=f"bold {_INK[piece.color.value]}")
    return Text(" ".join(_SYMBOLS[piece.shading.value, piece.shape.value] * piece.number), style=f"bold {_INK[piece.color.value]}")


def _spread(pieces: Sequence[SetCard | SetDie | None], columns: int, title: str) -> Table:
    grid = Table(title=title, show_header=False, pad_edge=False)
    cells = [Text.assemble((f"{place:>2} ", "dim"), piece_text(piece)) for place, piece in enumerate(pieces)]
    for start in range(0, len(cells), columns):
        grid.add_row(*cells[start : start + columns])
    return grid


def _lattice(dice: Sequence[Any], title: str, marks: dict[tuple[int, int], int] | None = None) -> Table:
    """Draw dice by cell; `marks` are the printed numbers of a board."""
    where = {die.cell: die for die in dice}
    rows = range(min(r for r, _ in where) - 2, max(r for r, _ in where) + 3)
    columns = range(min(c for _, c in where) - 2, max(c for _, c in where) + 3)
    grid = Table("", *(str(column) for column in columns), title=title)
    for row in rows:
        cells = [
            piece_text(where[row, c].value) if (row, c) in where else Text(str((marks or {}).get((row, c), "·")), style="dim")
            for c in columns
        ]
        grid.add_row(str(row), *cells)
    return grid


def _show_sheets(console: Console, state: Any) -> None:
    sheets = Table("row", *state.players, title=f"turn {state.tracker}, roll {state.roll}" if state.roll else f"turn {state.tracker}")
    for rows in zip(*(state.rows(player) for player in range(len(state.players))), strict=True):
        sheets.add_row(str(rows[0].number), *(_row_text(row) for row in rows))
    console.print(sheets)


def _row_text(row: Row) -> Text:
    now, style = _STANDINGS[row.standing]
    return Text(f"{row.written} open, {row.circled} circled{now}", style=style)


def _show_english(console: Console, state: Any) -> None:
    for name, hand, graves in zip(state.players, state.hands, state.graveyards, strict=True):
        laid = "  ".join(f"[{' '.join(map(str, grave.cards))}]{' complete' if grave.is_complete else ''}" for grave in graves)
        console.print(Text(f"{name}: {' '.join(map(str, hand))}   {laid}"))


def show(console: Console, state: Any) -> None:
    """Print what lies on the table, the scores and what to do now."""
    if state.game in ("set", "solitaire") and state.table:
        console.print(_spread(state.table, _COLUMNS, f"{state.pack_left} cards in the pack"))
    elif state.game == "scramble" and state.table:
        console.print(_spread(state.table, _DICE_COLUMNS, f"{len(state.table)} dice"))
    elif state.game == "sets-dice":
        _show_sheets(console, state)
    elif state.game == "english-sets":
        _show_english(console, state)
    elif state.game == "cubed":
        marks = {(b.row, b.col): b.points for b in state.options.board.bonuses}
        if state.grid:
            console.print(_lattice(state.grid, f"board, {state.bag} dice in the bag", marks))
        _show_hands(console, state)
    elif state.game == "crossword":
        for player, name in enumerate(state.players):
            if state.grids[player]:
                console.print(_lattice(state.laid(player), name))
        _show_hands(console, state)
    lines = [*([Text(state.notice, style="bold")] if state.notice else []), *(Text(str(prompt)) for prompt in state.prompts)]
    scores = "   ".join(f"{name} {score}" for name, score in zip(state.players, state.scores, strict=True))
    console.print(Panel(Text("\n").join(lines), title=Text(scores)))


def _show_hands(console: Console, state: Any) -> None:
    for name, hand in zip(state.players, state.hands, strict=True):
        console.print(
            Text(f"{name}: ") + Text("   ").join(Text(f"{place} ", style="dim") + piece_text(die) for place, die in enumerate(hand))
        )


def play_match(store: Store, match: Match, seed: int, console: Console, ask: Callable[[str], str], advice: Callable[[State], str]) -> Match:
    """Play a match to its end, or until the people stop; whatever happens is in the store before it is shown.

    Parameters
    ----------
    store : Store
        Where the match is kept.
    match : Match
        Begun or resumed; its bots are simple players, in the last seats.
    seed : int
        For pack, dice and simple players.
    console : Console
        Where to draw.
    ask : function
        Gives the answer to a question; raises EOFError when there are no more.
    advice : function
        Says what to play, for people who ask.

    Raises
    ------
    OutputError
        The store cannot be written; the match is there as it was last shown.
    StoreError
        Another program went on with the match.
    """
    rng = random.Random(seed if len(match.entries) == 1 else f"{seed} {len(match.entries)}")  # a resumed match rolls no old dice again
    game, seats = match.history.game, Seating.of(match)
    while not match.history.state.is_over:
        state = match.history.state
        move: Event | str | None = chance(state, rng)
        if move is None:
            if seats.people:
                show(console, state)
            try:
                move = _next_move(state, game, seats, rng, console, ask, advice)
            except EOFError:
                console.print(f"stopped; `visionset play --resume {match.id}` goes on")
                return match
        try:
            match = store.append(match, move) if isinstance(move, Event) else _taken_back(store, match, rng)
        except (RuleError, RecordError) as error:
            console.print(Text(str(error), style="red"))
            continue
        if not seats.people and match.history.state.notice:
            console.print(Text(match.history.state.notice))
    show(console, match.history.state)
    return store.finish(match)


def _taken_back(store: Store, match: Match, rng: random.Random) -> Match:
    """Take events back until the table waits for a player again: a deal taken back alone would only be dealt anew.

    Raises
    ------
    RuleError
        Nobody has moved yet.
    """
    earlier, steps = match.history, 0
    while steps == 0 or chance(earlier.state, rng) is not None:
        if not earlier.events:
            raise RuleError("expected a move to take back, got none yet; play on")
        earlier, steps = earlier.undone(), steps + 1
    for _ in range(steps):
        match = store.undo(match)
    return match


def _next_move(
    state: State,
    game: Game,
    seats: Seating,
    rng: random.Random,
    console: Console,
    ask: Callable[[str], str],
    advice: Callable[[State], str],
) -> Event | str:
    """Give the next move, a person's where one has a choice, else a simple player's; "undo" to take one back."""
    mine = [choice for choice in state.legal if choice.player is None or choice.player < seats.people] if seats.people else []
    others = list(range(seats.people, len(seats.names)))
    while mine:
        for number, choice in enumerate(mine, 1):
            console.print(Text(f"  {number}  {choice.label}"))
        answer = ask(f"1-{len(mine)}, u undo, h help{', w let the others move' if others else ''}, q quit: ").strip()
        if answer == "q":
            raise EOFError
        if answer == "u":
            return "undo"
        if answer == "h":
            console.print(Text(advice(state), style="bold"))
        elif answer == "w" and others:
            move = _others_move(state, others, rng)
            if move is not None:
                return move
            console.print("the others wait for you")
        elif answer.isdecimal() and 1 <= int(answer) <= len(mine):
            try:
                choice = mine[int(answer) - 1]
                values = {need.field: _value(choice, need, rng, ask) for need in choice.needs if need.field != "faces"}
                return game.parse_event(choice.filled(**values, **_more(state, choice, values, rng, ask)))
            except VisionsetError as error:
                console.print(Text(str(error), style="red"))
    move = _others_move(state, others, rng)
    if move is None:
        raise EOFError
    return move


def _others_move(state: State, others: list[int], rng: random.Random) -> Event | None:
    moves = (bot_move(state, player, rng) for player in rng.sample(others, len(others)))
    return next((move for move in moves if move is not None), None)


def _value(choice: Choice, need: Need, rng: random.Random, ask: Callable[[str], str]) -> Any:
    """Ask for one value of an event, or roll it."""
    if choice.event == "draw" and need.field == "face":
        return str(roll_faces(1, rng)[0])
    if choice.event == "roll":
        return roll_pips(rng)
    if need.field == "grid" or (choice.event, need.field) == ("place", "dice"):
        return [_placing(word) for word in ask(f"{need.text}, as 0@7,9 or 2@3,4=1-red-oval for a WILD: ").split()]
    answer = ask(f"{need.text}{f' ({need.count})' if need.count else ''}: ").replace(",", " ").split()
    values = [int(word) if word.lstrip("-").isdecimal() else word for word in answer]
    many = need.count is not None or need.field == "dice"
    return values if many else (values[0] if values else None)


def _more(state: Any, choice: Choice, values: dict[str, Any], rng: random.Random, ask: Callable[[str], str]) -> dict[str, Any]:
    """Fill what follows from the other values: faces rolled again, and what WILDs stand for."""
    if choice.event == "extra_roll" and values:
        return {"faces": [str(face) for face in roll_faces(len(values["dice"]), rng)]}
    if choice.event == "open":
        hand = state.hands[choice.player]
        wild = [0 <= die < len(hand) and hand[die].is_wild for die in values["dice"] if isinstance(die, int)]
        return {"stated": [ask(f"what does WILD {die} stand for: ").strip() if is_wild else None for die, is_wild in enumerate(wild)]}
    return {}


def _placing(word: str) -> dict[str, Any]:
    """Read ``0@7,9`` or ``2@3,4=1-red-oval``."""
    place, _, stated = word.partition("=")
    die, _, cell = place.partition("@")
    row, _, col = cell.partition(",")
    try:
        return {"die": int(die), "row": int(row), "col": int(col), "stated": stated or None}
    except ValueError:
        raise VisionsetError(
            f"expected a die and its cell as 0@7,9, got {word!r}; write the position in your hand, row and column"
        ) from None
