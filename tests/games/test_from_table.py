"""What lies on the table after an event tells the event again, in whole games of simple players."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from visionset.games import crossword, cubed, english_sets, pip_sets, scramble, set_cards, solitaire
from visionset.games.base import Event
from visionset.games.from_table import crossword_event, cubed_event, english_event, pip_event, scramble_event, set_event, solitaire_event
from visionset.games.registry import GAMES
from visionset.games.virtual.runner import play
from visionset.pieces import SET_DECK, PipDie, PlayingCard, SetDie


def steps(name: str, seed: int) -> Iterator[tuple[Any, Event, Any]]:
    game = GAMES[name]
    before = game.start()
    for event, after in play(game, random.Random(seed)):
        yield before, event, after
        before = after


def without(table: tuple[Any, ...], at: tuple[int, ...]) -> list[Any]:
    return [piece for place, piece in enumerate(table) if place not in at]


def test_set_cards() -> None:
    told = Counter()
    for before, event, _ in steps("set", 1):
        if isinstance(event, set_cards.Deal):
            lying = [card for card in before.table if card is not None]
            found = set_event(before, [*lying, *event.cards])
            assert found == event
            assert set_event(before, [*lying, *event.cards[1:]]) is None
            assert set_event(before, [*lying, *event.cards[1:], None]) is None
        elif isinstance(event, set_cards.Take):
            cards = without(before.table, event.at)
            found = set_event(before, cards, event.player, event.at_s)
            assert found == replace(event, at=tuple(sorted(event.at)))
            assert set_event(before, [*cards, None], event.player) is None
            assert set_event(before, before.table, event.player) is None
        told[event.name] += 1
    assert told["deal"] > 20
    assert told["take"] > 20


def test_solitaire() -> None:
    for before, event, _ in steps("solitaire", 2):
        if isinstance(event, solitaire.Deal):
            assert solitaire_event(before, [*(card for card in before.table if card), *event.cards]) == event
        elif isinstance(event, solitaire.Take):
            assert solitaire_event(before, without(before.table, event.at)) == replace(event, at=tuple(sorted(event.at)))


def test_a_card_that_was_won_already_tells_nothing() -> None:
    state = GAMES["solitaire"].start().after(solitaire.Deal(SET_DECK[:12])).after(solitaire.Take((0, 1, 2)))
    assert solitaire_event(state, [*SET_DECK[3:12], *SET_DECK[:3]]) is None


def test_two_dice() -> None:
    state = GAMES["sets-dice"].start()
    assert pip_event(state, [PipDie(3), PipDie(5)]) == pip_sets.Roll((3, 5))
    assert pip_event(state, [PipDie(3), None]) is None
    assert pip_event(state, [PipDie(3)]) is None
    assert pip_event(state.after(pip_sets.Roll((3, 5))), [PipDie(3), PipDie(5)]) is None


def test_scramble() -> None:
    for before, event, _ in steps("scramble", 3):
        if isinstance(event, scramble.Rolled):
            assert scramble_event(before, event.faces) == event
            assert scramble_event(before, event.faces[1:]) is None
        elif isinstance(event, scramble.Take) and before.phase is scramble.Phase.OPEN:
            found = scramble_event(before, without(before.table, event.at), event.player)
            assert isinstance(found, scramble.Take)
            assert Counter(before.table[place] for place in found.at) == Counter(before.table[place] for place in event.at)
            assert scramble_event(before, [*without(before.table, event.at), None], event.player) is None


@pytest.mark.parametrize("seed", range(3))
def test_cubed(seed: int) -> None:
    told = Counter()
    for before, event, after in steps("cubed", seed):
        dice = {laid.cell: laid.face for laid in after.grid}
        if isinstance(event, cubed.Place):
            stated = {laid.cell: laid.stated for laid in after.grid if laid.stated is not None}
            found = cubed_event(before, dice, stated)
            assert found is not None
            assert before.after(found).grid[-len(event.dice) :] == tuple(sorted(after.grid[-len(event.dice) :], key=lambda laid: laid.cell))
            assert cubed_event(before, {**dice, after.grid[-1].cell: None}, stated) is None
            assert cubed_event(after, dice) is None
        elif isinstance(event, cubed.Replace):
            found = cubed_event(before, dice)
            assert found is not None
            assert before.after(found).grid == after.grid
        told[event.name] += 1
    assert told["place"] > 10


def test_cubed_states_a_wild_that_fits() -> None:
    line = tuple(cubed.Laid(7, 6 + col, SetDie.parse(f"{col + 1}-red-oval")) for col in range(3))
    state = replace(GAMES["cubed"].start(), phase=cubed.Phase.TURN, grid=line, hands=((SetDie(),), ()))
    found = cubed_event(state, {**{laid.cell: laid.face for laid in line}, (7, 9): SetDie()})
    assert isinstance(found, cubed.Place)
    assert str(found.dice[0].stated) == "1-red-oval"
    foreign = cubed_event(state, {**{laid.cell: laid.face for laid in line}, (7, 9): SetDie.parse("1-red-oval")})
    assert foreign is None


def test_crossword() -> None:
    for before, event, after in steps("crossword", 4):
        if isinstance(event, crossword.Lay):
            dice = {laid.cell: laid.face for laid in after.laid(event.player)}
            found = crossword_event(before, event.player, dice)
            assert found is not None
            assert before.after(found).faults(event.player) == ()
            assert crossword_event(before, event.player, {**dice, (50, 50): None}) is None


def test_english_sets() -> None:
    for before, event, _ in steps("english-sets", 5):
        if isinstance(event, english_sets.Starter):
            assert english_event(before, event.card) == event
        elif isinstance(event, english_sets.Draw):
            assert english_event(before, event.card, event.player) == event
    assert english_event(before, None) is None
    assert english_event(GAMES["english-sets"].start(), PlayingCard.parse("QH")) is None
