"""Somebody who plays by what a page shows alone: picks among the choices, and fills them in with what lies there."""

from __future__ import annotations

import random
from typing import Any

from visionset.games.sets import find_sets, third
from visionset.kinds import PIECE_TYPES
from visionset.pieces import Kind, Piece, SetDie

State = dict[str, Any]

HEED = 0.85
"""How often the clicker takes what is there; else anything."""


def pieces_of(shown: list[dict[str, Any] | None]) -> list[Piece | None]:
    return [None if one is None else PIECE_TYPES[Kind(one["kind"].replace("-", "_"))].parse(one["code"]) for one in shown]


def hand_of(state: State, player: int) -> list[Piece | None]:
    return next((pieces_of(part["pieces"]) for part in state["view"] if part.get("number") == player), [])


def choose(state: State, rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A choice and its values."""
    choice = rng.choice(state["choices"])
    values: dict[str, Any] = {}
    for need in choice["needs"]:
        values[need["field"]] = _value(state, choice, need, values, rng)
    return choice["id"], values


def _value(state: State, choice: dict[str, Any], need: dict[str, Any], values: dict[str, Any], rng: random.Random) -> Any:
    match need["form"]:
        case "list":
            return _places(state, choice, need, rng)
        case "placings":
            return _placings(state, choice["player"], rng)
        case "wilds":
            dice = hand_of(state, choice["player"])
            chosen = [dice[place] for place in next(iter(values.values()))]
            return _stated(chosen)
    return rng.choice(need["values"])


def _places(state: State, choice: dict[str, Any], need: dict[str, Any], rng: random.Random) -> list[int]:
    there = next((pieces_of(part["pieces"]) for part in state["view"] if part["part"] == "spread"), [])
    there = there or hand_of(state, choice["player"])
    sets = find_sets(there) if there else ()
    if need["count"] == 3 and sets and rng.random() < HEED:
        return list(rng.choice(sets))
    if need["count"] is None:
        return [place for place in range(len(there)) if rng.random() < 0.5] or [0]  # none at all is a choice of its own
    return rng.sample(need["values"], need["count"])


def _stated(dice: list[Any]) -> list[str | None]:
    """What WILDs among three dice stand for, so that they are a SET."""
    plain = [die for die in dice if not die.is_wild] or [SetDie.parse("1-red-oval")]
    while len(plain) < 3:
        plain.append(plain[0] if len(plain) == 1 else third(plain[0], plain[1]))
    missing = plain[sum(not die.is_wild for die in dice) :]
    return [str(missing.pop()) if die.is_wild else None for die in dice]


def _placings(state: State, player: int, rng: random.Random) -> list[dict[str, Any]]:
    """Dice of the hand that make a SET with what lies on the first grid: one with two, else two with one; anything where there is none."""
    hand = hand_of(state, player)
    lying = _lying(state)
    ones, twos = [], []
    for row, col in lying:
        for down, right in ((0, 1), (1, 0)):
            for back in (0, 1, 2):
                line = [(row + (step - back) * down, col + (step - back) * right) for step in range(3)]
                there, empty = [lying[at] for at in line if at in lying], [at for at in line if at not in lying]
                if any(die.is_wild for die in there):
                    continue
                if len(empty) == 1:
                    wanted = third(*there)
                    ones += [[_laid(die, empty[0], face, wanted)] for die, face in enumerate(hand) if face in (wanted, SetDie())]
                elif len(empty) == 2:
                    pairs = [(a, b) for a in range(len(hand)) for b in range(len(hand)) if a != b and not hand[a].is_wild]
                    wanted_by = {(a, b): third(there[0], hand[a]) for a, b in pairs}
                    fit = [(a, b) for a, b in pairs if hand[b] in (wanted_by[a, b], SetDie())]
                    twos += [[_laid(a, empty[0], hand[a], hand[a]), _laid(b, empty[1], hand[b], wanted_by[a, b])] for a, b in fit]
    return rng.choice(ones or twos or [[_laid(0, _corner(state), SetDie.parse("1-red-oval"), None)]])


def _laid(die: int, at: tuple[int, int], face: Any, stands_for: Any) -> dict[str, Any]:
    return {"die": die, "row": at[0], "col": at[1], "stated": str(stands_for) if face.is_wild else None}


def _corner(state: State) -> tuple[int, int]:
    """The first cell of the first grid."""
    grid = next((part for part in state["view"] if part["part"] == "grid"), None)
    return (0, 0) if grid is None else (int(grid["rows"][0][0]["text"]), int(grid["head"][1]))


def _lying(state: State) -> dict[tuple[int, int], Any]:
    """The dice of the first grid by their cells."""
    grid = next((part for part in state["view"] if part["part"] == "grid"), None)
    if grid is None:
        return {}
    return {
        (int(cells[0]["text"]), int(grid["head"][col])): SetDie.parse(cells[col]["piece"]["code"])
        for cells in grid["rows"]
        for col in range(1, len(cells))
        if cells[col]["piece"] is not None
    }
