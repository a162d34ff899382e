"""SET Cubed: a simple player."""

from __future__ import annotations

import random
from typing import Any

from visionset.games.base import Event
from visionset.games.cubed.rules import CubedState
from visionset.games.cubed.terms import EndTurn, ExtraRoll, Open, Phase, Place, Replace
from visionset.games.grid import Placing, face_indices, open_windows
from visionset.games.sets import DIE_FACE_INDEX, DIE_THIRD, WILD_INDEX, find_sets, third
from visionset.games.virtual.bots import habits
from visionset.games.virtual.chance import roll_faces
from visionset.pieces import SET_DIE_FACES, SetDie


def move(state: CubedState, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now."""
    hand = state.hands[player]
    if state.phase is Phase.OPENING:
        sets = find_sets(hand)
        return _opening(player, rng.choice(sets), hand) if sets else None
    if state.phase is Phase.EXTRA:
        if player in state.rolled_extra:
            return None
        dice = tuple(die for die in range(len(hand)) if rng.random() < 0.5)
        return ExtraRoll(player, dice, roll_faces(len(dice), rng))
    if player != state.current:
        return None
    swaps = [choice for choice in state.legal if choice.event == "replace"]
    if swaps and rng.random() < 0.5:
        fixed: dict[str, Any] = dict(rng.choice(swaps).fixed)
        return Replace(player, **fixed)
    placings = list(_single_placings(state)) if len(state.fresh) < state.options.per_turn else []
    return Place(player, rng.choice(placings)) if placings and rng.random() >= habits().overlook else EndTurn(player)


def _opening(player: int, dice: tuple[int, int, int], hand: tuple[SetDie, ...]) -> Event:
    """State each WILD in turn: the first of two as the face beside it."""
    values = [hand[die] for die in dice]
    plain = [face for face in values if not face.is_wild] or [SET_DIE_FACES[0]]
    while len(plain) < 3:
        plain.append(plain[0] if len(plain) == 1 else third(plain[0], plain[1]))
    missing = plain[sum(not face.is_wild for face in values) :]
    stated = [missing.pop() if face.is_wild else None for face in values]
    return Open(player, dice, (stated[0], stated[1], stated[2]))


def _single_placings(state: CubedState) -> list[tuple[Placing, ...]]:
    """List the ways to lay one die, and two dice beside one where none has a place alone."""
    codes = [DIE_FACE_INDEX[face] for face in state.hands[state.current]]
    faces = face_indices(state.grid)
    singles: list[tuple[Placing, ...]] = []
    pairs: list[tuple[Placing, ...]] = []
    for there, empty in open_windows(faces, state.options.board.holds):
        if len(empty) == 1:
            needed = DIE_THIRD[faces[there[0]]][faces[there[1]]]
            for die, code in enumerate(codes):
                if code in (needed, WILD_INDEX):
                    singles.append((Placing(die, *empty[0], None if code == needed else SET_DIE_FACES[needed]),))
        elif len(state.fresh) + 2 <= state.options.per_turn:
            base = faces[there[0]]
            for i, a in enumerate(codes):
                for j, b in enumerate(codes):
                    if i != j and a != WILD_INDEX and b in (DIE_THIRD[base][a], WILD_INDEX):
                        stated = None if b != WILD_INDEX else SET_DIE_FACES[DIE_THIRD[base][a]]
                        pairs.append((Placing(i, *empty[0]), Placing(j, *empty[1], stated)))
    return singles or pairs
