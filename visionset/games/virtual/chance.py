"""What the pack, the bag and the dice do next, from a seeded generator.

A pack whose order nobody knows is the same as a pack that is drawn from at random, so nothing is kept between calls:
the state knows which cards can still come. No source lists the faces of the SET dice one by one; 42 dice have 252
faces, which is nine for each of the 28, so every face is equally likely here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from visionset.games.base import Event, State
from visionset.games.crossword import rules as crossword
from visionset.games.cubed import rules as cubed
from visionset.games.english_sets import rules as english_sets
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.scramble import rules as scramble
from visionset.games.set_cards import rules as set_cards
from visionset.games.solitaire import rules as solitaire
from visionset.pieces import SET_DECK, SET_DIE_FACES, SetCard, SetDie


def roll_faces(count: int, rng: random.Random) -> tuple[SetDie, ...]:
    """Roll SET dice."""
    return tuple(rng.choices(SET_DIE_FACES, k=count))


def roll_pips(rng: random.Random) -> tuple[int, int]:
    """Roll two pip dice."""
    return rng.randint(1, pip_sets.ROWS), rng.randint(1, pip_sets.ROWS)


def _cards(table: Sequence[SetCard | None], seen: Sequence[SetCard], rng: random.Random) -> tuple[SetCard, ...]:
    out = set(seen)
    return tuple(rng.sample([card for card in SET_DECK if card not in out], sum(card is None for card in table)))


def _set_cards(state: set_cards.SetCardsState, rng: random.Random) -> Event | None:
    return set_cards.Deal(_cards(state.table, state.seen, rng)) if state.phase is set_cards.Phase.DEAL else None


def _solitaire(state: solitaire.SolitaireState, rng: random.Random) -> Event | None:
    return solitaire.Deal(_cards(state.table, state.seen, rng)) if None in state.table else None


def _scramble(state: scramble.ScrambleState, rng: random.Random) -> Event | None:
    if state.phase is scramble.Phase.ROLL:
        return scramble.Rolled(roll_faces(scramble.DICE, rng))
    return scramble.Rolled(roll_faces(state.roll_off_dice, rng)) if state.phase is scramble.Phase.TIE_ROLL else None


def _crossword(state: crossword.CrosswordState, rng: random.Random) -> Event | None:
    if any(state.hands):
        return None
    return crossword.Rolled(tuple(roll_faces(state.options.hand, rng) for _ in state.players))


def _cubed(state: cubed.CubedState, rng: random.Random) -> Event | None:
    match state.phase:
        case cubed.Phase.OPENING_ROLL:
            return cubed.Rolled(tuple(roll_faces(state.options.hand, rng) for _ in state.players))
        case cubed.Phase.OPENING if all(choice.event == "rolled" for choice in state.legal):
            return cubed.Rolled(tuple(roll_faces(state.options.hand, rng) for _ in state.players))
        case cubed.Phase.ROLL_ALL:
            return cubed.Rolled(tuple(roll_faces(len(hand), rng) for hand in state.hands))
        case cubed.Phase.DRAW:
            return cubed.Drawn(tuple(roll_faces(due, rng) for due in state.due))
        case cubed.Phase.WILD_ROLL:
            return cubed.RollWild(state.current, roll_faces(1, rng)[0])
    return None


def _english_sets(state: english_sets.EnglishSetsState, rng: random.Random) -> Event | None:
    if state.phase is english_sets.Phase.DEAL:
        eight = rng.sample(state.pack, 2 * english_sets.HAND)
        return english_sets.Deal((tuple(eight[: english_sets.HAND]), tuple(eight[english_sets.HAND :])))
    if state.phase is not english_sets.Phase.STARTER and not state.short:
        return None
    card = rng.choice(state.on_top)
    return english_sets.Starter(card) if state.phase is english_sets.Phase.STARTER else english_sets.Draw(state.short[0], card)


_CHANCE: dict[str, Callable[[Any, random.Random], Event | None]] = {
    "set": _set_cards,
    "solitaire": _solitaire,
    "cubed": _cubed,
    "scramble": _scramble,
    "crossword": _crossword,
    "sets-dice": lambda state, rng: None,  # a player rolls the dice (P6)
    "english-sets": _english_sets,
}


def chance(state: State, rng: random.Random) -> Event | None:
    """Give the event that pack, bag or dice bring now; None while the table waits for a player."""
    return None if state.is_over else _CHANCE[state.game](state, rng)
