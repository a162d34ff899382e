"""Sets with two dice: the best circlings and bonuses of a turn, and how well players do (rules P3, P4)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from visionset.errors import RecordError
from visionset.games.pip_sets.best_play import VALUES, Counts, DiceTable, Turn
from visionset.games.pip_sets.rules import ROWS, PipSetsOptions, PipSetsState, ScoreSheet
from visionset.messages import Message

SOURCE_RECORD = 133
"""Best score of the game's author, quoted in the source (P4)."""


@dataclass(frozen=True, slots=True)
class DiceAdvice:
    """The best play for the rest of a turn."""

    circlings: tuple[tuple[int, int], ...]
    """Row and bonus of each circling, in the order to be made; empty: end the turn."""
    expected: float
    """Final score to be expected with best play from here on."""
    if_ended: float
    """Final score to be expected if the turn is ended now."""


def load_table(options: PipSetsOptions, cache: Path | None = None) -> DiceTable:
    """Read the table of best play from a cache folder, or compute it in a few seconds and keep it there.

    Nothing is kept without a folder, or in one that cannot be written: the advice is the same.
    """
    if cache is None:
        return DiceTable.compute(options)
    path = cache / f"sets-dice-{options.turns}-{'start' if options.starting_values else 'empty'}.npz"
    table = DiceTable.load(path, options)
    if table is None:
        table = DiceTable.compute(options)
        with suppress(OSError):
            table.save(path)
    return table


def advise(state: PipSetsState, player: int, table: DiceTable) -> DiceAdvice:
    """Find the best play for the rest of a player's turn.

    Raises `RecordError` before the roll, or for a sheet that cannot come up in a game of these rules.
    """
    sheet = state.sheets[player]
    if state.roll is None or sheet.has_ended:
        raise RecordError(f"expected a turn of {state.players[player]} after the roll, got none; roll the dice first")
    if (table.turns, table.starting_values) != (state.options.turns, state.options.starting_values):
        raise RecordError("expected a table of best play for the same options, got another; load it for the options of the game")
    return best_turn(sheet, state.tracker, table)


def best_bonus(state: PipSetsState, player: int, table: DiceTable) -> int:
    """Give the bonus value to write where one is due."""
    sheet = state.sheets[player]
    return max(range(1, ROWS + 1), key=lambda bonus: best_turn(sheet.pay(bonus), state.tracker, table).expected)


def best_turn(sheet: ScoreSheet, turns_left: int, table: DiceTable) -> DiceAdvice:
    """Find the best play for the rest of a turn, this one counted among the turns left; see `advise`."""
    if sum(sheet.written) > table.most_values(turns_left) + 2:
        raise RecordError(f"expected a sheet that can come up with {turns_left} turns left, got {sum(sheet.written)} values; count them")
    space, expected = table.space(turns_left - 1), table.expected[turns_left - 1]
    known: dict[tuple[tuple[int, ...], int], tuple[float, tuple[tuple[int, int], ...]]] = {}

    def stop(written: tuple[int, ...]) -> float:
        return float(space.worth(expected, np.array([written], dtype=np.int64))[0])

    def best(written: tuple[int, ...], closed: int) -> tuple[float, tuple[tuple[int, int], ...]]:
        key = (written, closed)
        if key not in known:
            value = stop(written)
            plan: tuple[tuple[int, int], ...] = ()
            for row in range(1, ROWS + 1):
                if written[row - 1] >= row and not closed >> row & 1:
                    for bonus in range(1, ROWS + 1):
                        after = list(written)
                        after[row - 1] -= row
                        after[bonus - 1] += 1
                        further, rest = best(tuple(after), closed | 1 << row)
                        if row**2 + further > value + 1e-9:
                            value, plan = row**2 + further, ((row, bonus), *rest)
            known[key] = value, plan
        return known[key]

    circled = sum(row * count for row, count in enumerate(sheet.circled, 1))
    value, plan = best(sheet.written, sum(1 << row for row in sheet.closed))
    return DiceAdvice(plan, circled + value, circled + stop(sheet.written))


def simulate(table: DiceTable, games: int, seed: int, greedy: bool = False) -> Counts:
    """Play seeded games and give their scores, shape (games,); the same seed gives players who are to be compared the same rolls.

    A `greedy` player makes the sheet worth as much as possible at the end of each turn, and looks no further.
    """
    rng = np.random.default_rng(seed)
    written = np.full((games, ROWS), int(table.starting_values), dtype=np.int64)
    points = np.zeros(games, dtype=np.int64)
    everyone = np.arange(games)
    for left in range(table.turns, 0, -1):
        rolled = rng.integers(0, ROWS, size=(games, 2))
        for die in (0, 1):
            written[everyone, rolled[:, die]] += 1
        turn = table.turn(left)
        if greedy:
            turn = Turn(turn.space, -(turn.space.counts @ VALUES).astype(np.float64))
        points += _play_turn(turn, written)
    return points - written @ VALUES


def _play_turn(turn: Turn, written: Counts) -> Counts:
    """Play one turn of many games at once; changes the sheets and gives the points circled."""
    values = turn.values(keep_all=True)
    table = np.stack([values[closed] for closed in range(2**ROWS)])
    points = np.zeros(len(written), dtype=np.int64)
    closed = np.zeros(len(written), dtype=np.int64)
    active = np.arange(len(written))
    while len(active):
        best = turn.space.worth(turn.stop, written[active])
        choice = np.full((len(active), 2), -1, dtype=np.int64)
        for row in range(ROWS):
            able = np.flatnonzero((written[active, row] > row) & ((closed[active] >> row & 1) == 0))
            for bonus in range(ROWS):
                after = written[active[able]].copy()
                after[:, row] -= row + 1
                after[:, bonus] += 1
                value = (row + 1) ** 2 + turn.space.worth(table, after, closed[active[able]] | 1 << row)
                # Rounding must not make a player circle for nothing: a gain counts from here on.
                better = value > best[able] + 1e-6
                best[able[better]] = value[better]
                choice[able[better]] = row, bonus
        moving = choice[:, 0] >= 0
        active, choice = active[moving], choice[moving]
        rows, bonuses = choice[:, 0], choice[:, 1]
        written[active, rows] -= rows + 1
        written[active, bonuses] += 1
        closed[active] |= 1 << rows
        points[active] += (rows + 1) ** 2
    return points


def advice_words(state: PipSetsState, player: int = 0, cache: Path | None = None) -> Message:
    """Say what to circle and what to write, and what is to be expected at the end."""
    if state.roll is None or state.sheets[player].has_ended:
        return Message("sets-dice.advice.roll_first")
    table = load_table(state.options, cache)
    if state.sheets[player].due:
        return Message("sets-dice.advice.write", bonus=best_bonus(state, player, table))
    advice = advise(state, player, table)
    steps = tuple(Message("sets-dice.advice.circle", row=row, bonus=bonus) for row, bonus in advice.circlings)
    return Message("sets-dice.advice.turn", steps=(*steps, Message("sets-dice.advice.end_turn")), expected=advice.expected)
