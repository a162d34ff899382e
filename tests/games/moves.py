"""Moves for games against a model: many that the rules allow, and as many that they do not."""

from __future__ import annotations

import random
from itertools import combinations, islice, permutations
from typing import Any

from tests.games.model_crossword import Crossword
from tests.games.model_cubed import HAND as CUBED_HAND
from tests.games.model_cubed import PER_TURN, Cubed
from tests.games.model_grid import FACES, WILD, Cell, Face, can_be_set, completing, spelled
from tests.games.model_scramble import DICE, Scramble

Event = dict[str, Any]


def rolled(count: int, rng: random.Random, most_wilds: int = 42) -> list[str]:
    """Faces of a roll; WILDs come more often than they do, since they are what is easily got wrong."""
    faces = [rng.choice(FACES) for _ in range(count)]
    wilds = min(sum(rng.random() < 0.1 for _ in faces), most_wilds)
    return [spelled(face) for face in rng.sample([*faces[wilds:], *[WILD] * wilds], count)]


def scramble(model: Scramble, rng: random.Random) -> list[Event]:
    table, count = model.table, len(model.table)
    away = rng.choice([DICE, DICE, count, count, 0, 3, 41])
    events: list[Event] = []
    if not model.is_open or rng.random() < 0.05:
        # Few colours leave many dice over, few SETs make ties.
        events.append({"event": "rolled", "faces": rolled(away, rng) if rng.random() < 0.3 else rng.choices(rolled(3, rng), k=away)})
    mixed = combinations(rng.sample(range(count), count), 3)
    takes = [
        *islice((at for at in mixed if can_be_set(*(table[place] for place in at))), 3),
        tuple(rng.randrange(-1, count + 1) for _ in range(rng.choice([2, 3, 3, 3, 4]))),
    ]
    if table and rng.random() < 0.2:
        takes.append(tuple(range(min(3, count))))
    events += [{"event": "take", "player": rng.randrange(len(model.players) + (rng.random() < 0.1)), "at": list(at)} for at in takes]
    return rng.sample(events, len(events))


def crossword(model: Crossword, rng: random.Random) -> list[Event]:
    """Grids that grow SET by SET, dice of guests, and what is wrong with any of it."""
    players, player = len(model.players), rng.randrange(len(model.players))
    if not any(model.hands):
        size = model.hand if rng.random() < 0.8 else rng.randint(0, 12)
        return [{"event": "rolled", "hands": [rolled(size, rng, 1) for _ in range(players - (rng.random() < 0.1))]}]
    ways = [lambda: {"event": "lay", "player": player, "grid": _lay(model, player, rng)}] * 6
    ways += [lambda: {"event": "draw", "player": player, "face": rolled(1, rng, 0)[0]}] * (6 if model.bag > 0 else 1)
    ways += [lambda: _add(model, player, rng)] * (12 if model.bag == 0 and players > 2 else 1)
    ways += [lambda: {"event": "done", "player": player}, lambda: {"event": "rolled", "hands": [rolled(model.hand, rng)] * players}]
    ways += [lambda: {"event": "stuck", "player": player}] * (rng.random() < 0.1)
    return [rng.choice(ways)()]


def _lay(model: Crossword, player: int, rng: random.Random) -> list[Event]:
    mine = {cell: die[1] for cell, (die, _) in model.grids[player].items() if die[0] == player}
    said = {cell: stated for cell, (_, stated) in model.grids[player].items()}
    faces = model.faces(player)
    if rng.random() < 0.1 and not model.guests(player):
        mine, faces = {}, {}
    elsewhere = {die for o in model.players for (p, die), _ in model.grids[o].values() if p == player}
    spare = [die for die in range(len(model.hands[player])) if die not in elsewhere]
    for _ in range(rng.choice([1, 1, 2, 4])):
        step = grown(faces, model.hands[player], spare, rng)
        mine |= step
        faces |= {cell: model.hands[player][die] for cell, die in step.items()}
        spare = [die for die in spare if die not in step.values()]
    placings = [_placing(die, cell, said.get(cell)) for cell, die in mine.items()]
    return _spoiled(placings, model.hands[player], rng)


def grown(faces: dict[Cell, Face | None], hand: list[Face | None], spare: list[int], rng: random.Random) -> dict[Cell, int]:
    """One to three spare dice that are a SET with what lies, where some are found; WILDs are taken for anything."""
    for _ in range(60):
        row, col = rng.choice(sorted(faces) or [(0, 0)])
        back, (down, right) = rng.randint(0, 2), rng.choice(((0, 1), (1, 0)))
        line = [(row + (step - back) * down, col + (step - back) * right) for step in range(3)]
        empty = [cell for cell in line if cell not in faces]
        if not empty or len(empty) > len(spare) or (faces and len(empty) == 3):
            continue
        dice = rng.sample(spare, len(empty))
        three = [faces[cell] if cell in faces else hand[dice[empty.index(cell)]] for cell in line]
        if can_be_set(*three):
            return dict(zip(empty, dice, strict=True))
        plain = [face for face in three[:2] if face is not WILD]
        last = [die for die in spare if len(plain) == 2 and die not in dice[:-1] and hand[die] == completing(plain[0], plain[1])]
        if line[2] in empty and last:
            return dict(zip(empty, [*dice[:-1], last[0]], strict=True))
    return {}


def _placing(die: int, cell: Cell, stated: Face | None = None) -> Event:
    return {"die": die, "row": cell[0], "col": cell[1], "stated": None if stated is None else spelled(stated)}


def _spoiled(placings: list[Event], hand: list[Face | None], rng: random.Random) -> list[Event]:
    """Now and then something is changed at random: often against the rules, sometimes not."""
    if placings and rng.random() < 0.4:
        one = rng.randrange(len(placings))
        match rng.randrange(6):
            case 0:
                placings[one]["row"] += rng.randint(-2, 2)
            case 1:
                placings[one]["col"] += rng.randint(-2, 2)
            case 2:
                placings[one]["die"] = rng.randint(-1, len(hand))
            case 3:
                placings.append(dict(placings[one]))
            case 4:
                del placings[one]
            case 5:
                placings[one]["stated"] = rng.choice([None, "wild", *(spelled(rng.choice(FACES)) for _ in range(4))])
    for placing in placings:
        if placing["die"] in range(len(hand)) and hand[placing["die"]] is WILD and rng.random() < 0.1:
            placing["stated"] = spelled(rng.choice(FACES))
    return placings


def _add(model: Crossword, player: int, rng: random.Random) -> Event:
    others = [other for other in model.players if other != player and model.grids[other]]
    owner = rng.choice(others) if others and rng.random() < 0.9 else rng.randrange(-1, len(model.players) + 1)
    elsewhere = {die for o in model.players for (p, die), _ in model.grids[o].values() if p == player}
    hand = model.hands[player]
    spare = [die for die in range(len(hand)) if die not in elsewhere or rng.random() < 0.02]
    faces = model.faces(owner) if owner in model.players else {}
    added: dict[Cell, int] = {}
    for _ in range(rng.choice([1, 1, 2])):
        step = grown(faces, hand, spare, rng)
        added |= step
        faces |= {cell: hand[die] for cell, die in step.items()}
        spare = [die for die in spare if die not in step.values()]
    placings = [_placing(die, cell) for cell, die in added.items()]
    if faces and spare and rng.random() < 0.1:
        placings.append(_placing(rng.choice(spare), rng.choice(sorted(faces))))
    return {"event": "add", "player": player, "owner": owner, "grid": _spoiled(placings, hand, rng)}


def cubed(model: Cubed, rng: random.Random) -> list[Event]:
    """What the game waits for, mostly, and a move of any other kind now and then."""
    due = {
        "opening roll": "rolled",
        "opening": rng.choice(["open", "open", "rolled"]),
        "turn": rng.choice(["place"] * (8 if len(model.fresh) < PER_TURN else 1) + ["replace", "end_turn"]),
        "roll of the WILD": "roll_wild",
        "draw": "drawn",
        "extra roll": "extra_roll",
        "roll of all": "rolled",
    }
    kinds = ["rolled", "open", "place", "replace", "roll_wild", "end_turn", "drawn", "extra_roll"]
    kind = due[model.waits_for] if rng.random() < 0.9 else rng.choice(kinds)
    player = rng.randrange(-1, len(model.players) + 1) if rng.random() < 0.1 else model.current
    whose = {} if kind in ("rolled", "drawn") else {"player": player}
    event = {"event": kind, **whose, **_CUBED[kind](model, rng)}
    if kind == "place" and not event["dice"] and rng.random() < 0.9:
        event = {"event": "end_turn", **whose}
    if rng.random() < 0.5:
        event["at_s"] = model.now_s + rng.choice([1.0, 5.0, 29.0, 31.0, -1.0])
    return [event]


def _hands(model: Cubed, rng: random.Random) -> Event:
    sizes = [len(hand) for hand in model.hands] if model.waits_for == "roll of all" else [CUBED_HAND] * len(model.players)
    if rng.random() < 0.1:
        sizes[-1] += rng.choice([-1, 1])
    return {"hands": [rolled(max(size, 0), rng) for size in sizes]}


def _open(model: Cubed, rng: random.Random) -> Event:
    player = rng.choice(model.players)
    hand = model.hands[player]
    sets = [dice for dice in permutations(range(len(hand)), 3) if can_be_set(*(hand[die] for die in dice))]
    dice = rng.choice(sets) if sets and rng.random() < 0.8 else [rng.randrange(-1, CUBED_HAND + 1) for _ in range(3)]
    faces = [hand[die] if 0 <= die < len(hand) else WILD for die in dice]
    return {"player": player, "dice": list(dice), "stated": _stated(faces, rng)}


def _stated(faces: list[Face | None], rng: random.Random) -> list[str | None]:
    """Say for each WILD what makes three faces a SET, where they can be one; now and then something else."""
    values = list(faces)
    for place, face in enumerate(faces):
        if face is WILD:
            others = [other for other in values if other is not WILD]
            values[place] = completing(others[0], others[1]) if len(others) == 2 else rng.choice(FACES)
    said = [spelled(value) if face is WILD else None for face, value in zip(faces, values, strict=True)]
    if rng.random() < 0.1:
        said[rng.randrange(len(said))] = rng.choice([None, "wild", spelled(rng.choice(FACES))])
    return said


def _place(model: Cubed, rng: random.Random) -> Event:
    """One die, two or three at once, in SETs with what lies there."""
    hand, board, free = model.hands[model.current], dict(model.board), list(range(len(model.hands[model.current])))
    dice: list[Event] = []
    for _ in range(rng.choice([1, 1, PER_TURN - len(model.fresh)])):
        step = _beside(model, board, hand, free, rng)
        dice += step
        for one in step:
            free.remove(one["die"])
            face = hand[one["die"]]
            if face is not WILD:
                board[one["row"], one["col"]] = face
    if dice and rng.random() < 0.2:
        dice[rng.randrange(len(dice))][rng.choice(["row", "col", "die"])] += rng.choice([-1, 1, 2])
    return {"dice": rng.sample(dice, len(dice))}


def _beside(model: Cubed, board: dict[Cell, Face], hand: list[Face | None], free: list[int], rng: random.Random) -> list[Event]:
    lines = sorted({line for cell in board for line in model.lines(cell)})
    for line in rng.sample(lines, len(lines)):
        there = [board[cell] for cell in line if cell in board]
        empty = [cell for cell in line if cell not in board]
        for dice in permutations(free, len(empty)):
            faces = [hand[die] for die in dice]
            if len(empty) in (1, 2) and can_be_set(*there, *faces):
                said = _stated([*there, *faces], rng)[len(there) :]
                return [
                    {"die": die, "row": row, "col": col, "stated": word} for die, (row, col), word in zip(dice, empty, said, strict=True)
                ]
    return []


def _replace(model: Cubed, rng: random.Random) -> Event:
    hand = model.hands[model.current]
    ways = [(die, cell) for cell in sorted(model.board) for die, face in enumerate(hand) if face == model.board[cell]]
    good = [(die, cell) for die, cell in ways if cell in model.wilds]
    die, (row, col) = rng.choice(good or ways or [(0, (0, 0))])
    return {"die": die if rng.random() < 0.9 else rng.randint(-1, len(hand)), "row": row, "col": col}


def _extra(model: Cubed, rng: random.Random) -> Event:
    player = rng.choice(model.players)
    dice = [rng.randrange(-1, CUBED_HAND + 1) for _ in range(2)] if rng.random() < 0.1 else []
    dice = dice or rng.sample(range(len(model.hands[player])), rng.randint(0, len(model.hands[player])))
    return {"player": player, "dice": dice, "faces": rolled(len(dice) + (rng.random() < 0.05), rng)}


_CUBED = {
    "rolled": _hands,
    "open": _open,
    "place": _place,
    "replace": _replace,
    "roll_wild": lambda model, rng: {"face": rolled(1, rng)[0]},
    "end_turn": lambda model, rng: {},
    "drawn": lambda model, rng: {"faces": [rolled(max(due + rng.choice([0] * 20 + [-1, 1]), 0), rng) for due in model.due()]},
    "extra_roll": _extra,
}
"""How the fields of each event of SET Cubed are made up."""
