"""Simple players: they keep the rules, err now and then where a person would, and do not think ahead."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from visionset.games.base import Event, State
from visionset.games.crossword import rules as crossword
from visionset.games.crossword.advice import CrosswordSearch, best_grid
from visionset.games.crossword.rules import Placing
from visionset.games.cubed import rules as cubed
from visionset.games.english_sets import rules as english_sets
from visionset.games.grid import face_indices, open_windows
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.scramble import rules as scramble
from visionset.games.set_cards import rules as set_cards
from visionset.games.sets import DIE_FACE_INDEX, DIE_THIRD, WILD_INDEX, find_sets, third
from visionset.games.solitaire import rules as solitaire
from visionset.games.virtual.chance import roll_faces, roll_pips
from visionset.pieces import SET_DIE_FACES, SetDie


@dataclass(frozen=True, slots=True)
class BotHabits:
    """How often a simple player errs.

    Attributes
    ----------
    wrong : float
        Share of takes that are no SET.
    late : float
        Share of calls after which nothing is picked up.
    overlook : float
        Share of looks at the table in which a SET is not seen.
    tie : float
        Share of calls that a second player makes too, within the tie window.
    crossword_steps : int
        Grids that a player of Crossword SET tries before drawing another die.
    """

    wrong: float = 0.05
    late: float = 0.02
    overlook: float = 0.02
    tie: float = 0.05
    crossword_steps: int = 40


HABITS = BotHabits()

_THINKING_S = 3.0
_REACTION_S = 0.1
"""Mean time until somebody calls, and the lag of the second call in a tie: of the order that people show."""


def _pick(state: Any, sets: tuple[tuple[int, int, int], ...], rng: random.Random) -> tuple[int, ...]:
    if not sets or rng.random() < HABITS.wrong:
        return tuple(rng.sample(range(len(state.table)), 3))
    return rng.choice(sets)


def _set_cards(state: set_cards.SetCardsState, player: int, rng: random.Random) -> Event | None:
    if player not in state.callers:
        return None
    claim = next((claim for claim in state.claims if claim.player == player), None)
    if state.phase is set_cards.Phase.CALLED:
        if claim is None:
            ties = len(state.claims) == 1 and state.clock_s == state.claims[0].called_s and rng.random() < HABITS.tie
            return set_cards.Call(player, at_s=state.clock_s + _REACTION_S) if ties else None
        if claim.cards or claim.is_late:
            return None
        if rng.random() < HABITS.late or len(state.table) < 3:
            return set_cards.GiveUp(player, at_s=state.clock_s + 2 * state.options.take_limit_s)
        return set_cards.Take(player, _pick(state, find_sets(state.table), rng), at_s=state.clock_s + _REACTION_S)
    if find_sets(state.table) and rng.random() >= HABITS.overlook:
        return set_cards.Call(player, at_s=state.clock_s + rng.expovariate(1 / _THINKING_S))
    return None if player in state.agreed else set_cards.Agree(player, at_s=state.clock_s + rng.expovariate(1 / _THINKING_S))


def _solitaire(state: solitaire.SolitaireState, player: int, rng: random.Random) -> Event | None:
    sets = find_sets(state.table)
    if sets and rng.random() >= HABITS.overlook:
        return solitaire.Take(_pick(state, sets, rng))
    return solitaire.FindNone() if state.pack_left or not sets else solitaire.Take(sets[0])


def _pip_sets(state: pip_sets.PipSetsState, player: int, rng: random.Random) -> Event | None:
    if state.roll is None:
        return pip_sets.Roll(roll_pips(rng))
    sheet = state.sheets[player]
    if sheet.has_ended:
        return None
    if sheet.due:
        return pip_sets.WriteBonus(player, rng.randint(1, pip_sets.ROWS))
    if not sheet.ready or rng.random() < HABITS.overlook:
        return pip_sets.EndTurn(player)
    return pip_sets.Circle(player, rng.choice(sheet.ready), rng.randint(1, 6))


def _scramble(state: scramble.ScrambleState, player: int, rng: random.Random) -> Event | None:
    if state.phase is scramble.Phase.TIE and player not in state.tied:
        return None
    return scramble.Take(player, _pick(state, find_sets(state.table), rng))


def _crossword(state: crossword.CrosswordState, player: int, rng: random.Random) -> Event | None:
    if not state.unused(player) and not state.faults(player):
        return crossword.Done(player)
    hand, mine = state.hands[player], state.grids[player]
    answer = best_grid(hand, CrosswordSearch(HABITS.crossword_steps, max_wilds=1))
    lies = [(owner == player, placed.player == player) for owner, grid in enumerate(state.grids) for placed in grid]
    is_bound = (True, False) in lies or (False, True) in lies  # dice of others here, or mine there, stay as they lie (D15)
    if len(answer.dice) > len(mine) and not is_bound:
        placed = zip(answer.dice, answer.grid, strict=True)
        return crossword.Lay(player, tuple(Placing(die, laid.row, laid.col, laid.stated) for die, laid in placed))
    if state.bag:
        return crossword.Draw(player, roll_faces(1, rng)[0])
    return None if player in state.stuck else crossword.Stuck(player)


def _cubed(state: cubed.CubedState, player: int, rng: random.Random) -> Event | None:
    hand = state.hands[player]
    if state.phase is cubed.Phase.OPENING:
        sets = find_sets(hand)
        return _opening(player, rng.choice(sets), hand) if sets else None
    if state.phase is cubed.Phase.EXTRA:
        if player in state.rolled_extra:
            return None
        dice = tuple(die for die in range(len(hand)) if rng.random() < 0.5)
        return cubed.ExtraRoll(player, dice, roll_faces(len(dice), rng))
    if player != state.current:
        return None
    swaps = [choice for choice in state.legal if choice.event == "replace"]
    if swaps and rng.random() < 0.5:
        fixed: dict[str, Any] = dict(rng.choice(swaps).fixed)
        return cubed.Replace(player, **fixed)
    placings = list(_single_placings(state)) if len(state.fresh) < state.options.per_turn else []
    return cubed.Place(player, rng.choice(placings)) if placings and rng.random() >= HABITS.overlook else cubed.EndTurn(player)


def _opening(player: int, dice: tuple[int, int, int], hand: tuple[SetDie, ...]) -> Event:
    """State each WILD in turn: the first of two as the face beside it."""
    values = [hand[die] for die in dice]
    plain = [face for face in values if not face.is_wild] or [SET_DIE_FACES[0]]
    while len(plain) < 3:
        plain.append(plain[0] if len(plain) == 1 else third(plain[0], plain[1]))
    missing = plain[sum(not face.is_wild for face in values) :]
    stated = [missing.pop() if face.is_wild else None for face in values]
    return cubed.Open(player, dice, (stated[0], stated[1], stated[2]))


def _single_placings(state: cubed.CubedState) -> list[tuple[Placing, ...]]:
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


def _english_sets(state: english_sets.EnglishSetsState, player: int, rng: random.Random) -> Event | None:
    ways = {"exchange": english_sets.Exchange(), "shuffle": english_sets.Shuffle(), "stop": english_sets.Stop()}
    return ways[rng.choice([choice.event for choice in state.legal])]


_BOTS: dict[str, Callable[[Any, int, random.Random], Event | None]] = {
    "set": _set_cards,
    "solitaire": _solitaire,
    "cubed": _cubed,
    "scramble": _scramble,
    "crossword": _crossword,
    "sets-dice": _pip_sets,
    "english-sets": _english_sets,
}


def bot_move(state: State, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now; None while there is nothing for this player to do.

    Parameters
    ----------
    state : State
        A game that does not wait for chance.
    player : int
        Whose move.
    rng : random.Random
        Where whims come from.
    """
    return None if state.is_over else _BOTS[state.game](state, player, rng)
