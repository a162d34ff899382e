"""Advice for the state of any game, in plain words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from visionset.games.base import State
from visionset.games.crossword.advice import best_grid
from visionset.games.cubed.advice import best_placement
from visionset.games.cubed.rules import CubedState, Phase
from visionset.games.english_sets.advice import standing
from visionset.games.pip_sets.advice import advise, best_bonus, load_table
from visionset.games.scramble.advice import best_takes
from visionset.games.set_cards.advice import HintLevel, hint


def _cards(state: Any, player: int, level: HintLevel, cache: Path | None) -> str:
    return hint(state.table, level).text


def _dice(state: Any, player: int, level: HintLevel, cache: Path | None) -> str:
    if state.roll is None or state.sheets[player].has_ended:
        return "roll the dice first"
    table = load_table(state.options, cache)
    if state.sheets[player].due:
        return f"write a {best_bonus(state, player, table)}"
    advice = advise(state, player, table)
    steps = [f"circle row {row} and write a {bonus}" for row, bonus in advice.circlings]
    return f"{', '.join([*steps, 'end the turn'])}; {advice.expected:.1f} points to be expected at the end"


def _cubed(state: CubedState, player: int, level: HintLevel, cache: Path | None) -> str:
    if state.phase is not Phase.TURN:
        return state.prompts[0].text
    move, hand = best_placement(state), state.hands[state.current]
    laid = [f"{hand[p.die]}{f' as {p.stated}' if p.stated else ''} in row {p.row}, column {p.col}" for p in move.placings]
    return f"{move.points} points: {', '.join(laid)}" if laid else "no play"


def _scramble(state: Any, player: int, level: HintLevel, cache: Path | None) -> str:
    return f"{len(best_takes(state.table))} SETs can be taken at most"


def _crossword(state: Any, player: int, level: HintLevel, cache: Path | None) -> str:
    hand = state.hands[player]
    answer = best_grid(hand)
    cells = [
        f"{die}@{laid.row},{laid.col}{f'={laid.stated}' if laid.stated else ''}" for die, laid in zip(answer.dice, answer.grid, strict=True)
    ]
    return f"{len(cells)} of {len(hand)} dice: {' '.join(cells)}"


def _english(state: Any, player: int, level: HintLevel, cache: Path | None) -> str:
    return standing(state)


_WORDS: dict[str, Callable[[Any, int, HintLevel, Path | None], str]] = {
    "set": _cards,
    "solitaire": _cards,
    "cubed": _cubed,
    "scramble": _scramble,
    "crossword": _crossword,
    "sets-dice": _dice,
    "english-sets": _english,
}


def advice_words(state: State, player: int = 0, level: HintLevel = HintLevel.COUNT, cache: Path | None = None) -> str:
    """Say what to play, in one line.

    Parameters
    ----------
    state : State
        Of any game.
    player : int
        Who asks.
    level : HintLevel
        How much a hint about SET cards gives away.
    cache : Path, optional
        Folder of the table of best play with two dice.
    """
    return "the game is over" if state.is_over else _WORDS[state.game](state, player, level, cache)
