"""Events from what lies on the table: one function a game, from pieces and cells to what must have happened.

Each function compares the table with the state and answers only when the table says it for sure: a piece that was not
read, or a difference that fits no event, gives None, and the game waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from visionset.games import cubed, english_sets, pip_sets, scramble, set_cards, solitaire
from visionset.games.crossword import CrosswordState, Lay, Placing
from visionset.games.grid import Cell, Laid, settle_wilds
from visionset.pieces import PipDie, PlayingCard, SetCard, SetDie

Dice = Mapping[Cell, SetDie | None]
"""Dice by cell of the lattice; None was not read."""


def set_event(
    state: set_cards.SetCardsState, cards: Sequence[SetCard | None], player: int | None = None, at_s: float | None = None
) -> set_cards.Deal | set_cards.Take | None:
    """Tell what was dealt, or which three cards the caller took (S4, S7).

    Parameters
    ----------
    state : SetCardsState
        Before the event.
    cards : sequence of SetCard or None
        What lies on the table now, in reading order.
    player : int, optional
        Who picks up; the only caller when left out.
    at_s : float, optional
        When.
    """
    if state.phase is set_cards.Phase.DEAL:
        dealt = _dealt(state.table, cards, state.seen)
        return None if dealt is None else set_cards.Deal(dealt, at_s=at_s)
    waiting = [claim.player for claim in state.claims if not (claim.cards or claim.is_late)]
    if player is None and len(waiting) == 1:
        player = waiting[0]
    taken = _taken(state.table, cards)
    if player not in waiting or player is None or taken is None:
        return None
    return set_cards.Take(player, taken, at_s=at_s)


def solitaire_event(state: solitaire.SolitaireState, cards: Sequence[SetCard | None]) -> solitaire.Deal | solitaire.Take | None:
    """Tell what was dealt, or which three cards the player took (S11)."""
    if None in state.table:
        dealt = _dealt(state.table, cards, state.seen)
        return None if dealt is None else solitaire.Deal(dealt)
    taken = _taken(state.table, cards)
    return None if taken is None else solitaire.Take(taken)


def _dealt(table: Sequence[SetCard | None], cards: Sequence[SetCard | None], seen: Iterable[SetCard]) -> tuple[SetCard, ...] | None:
    out = set(seen)
    new = [card for card in cards if card is not None and card not in out]
    missing = {card for card in table if card is not None} - set(cards)
    if None in cards or missing or len(set(new)) < len(new) or len(new) != sum(card is None for card in table):
        return None
    return tuple(new)


def _taken(table: Sequence[SetCard | None], cards: Sequence[SetCard | None]) -> tuple[int, ...] | None:
    gone = tuple(place for place, card in enumerate(table) if card not in cards)
    if None in cards or len(gone) != 3 or len(cards) != len(table) - 3:
        return None
    return gone


def pip_event(state: pip_sets.PipSetsState, dice: Sequence[PipDie | None]) -> pip_sets.Roll | None:
    """Tell the roll once two dice rest and are read (P1)."""
    if state.roll is not None or len(dice) != 2 or dice[0] is None or dice[1] is None:
        return None
    return pip_sets.Roll((dice[0].value, dice[1].value))


def scramble_event(
    state: scramble.ScrambleState, dice: Sequence[SetDie | None], player: int | None = None
) -> scramble.Rolled | scramble.Take | None:
    """Tell the roll, or which three dice a player took (D13)."""
    faces = [die for die in dice if die is not None]
    if len(faces) < len(dice):
        return None
    if state.phase in (scramble.Phase.ROLL, scramble.Phase.TIE_ROLL):
        count = scramble.DICE if state.phase is scramble.Phase.ROLL else state.roll_off_dice
        return scramble.Rolled(tuple(faces)) if len(faces) == count else None
    gone = Counter(state.table) - Counter(faces)
    if player is None or gone.total() != 3 or Counter(faces) - Counter(state.table):
        return None
    at: list[int] = []
    for face, count in gone.items():
        at += [place for place, die in enumerate(state.table) if die == face][:count]
    return scramble.Take(player, tuple(sorted(at)))


def crossword_event(state: CrosswordState, player: int, dice: Dice) -> Lay | None:
    """Tell how a player's grid lies, each WILD with the face that serves it best (D14)."""
    faces = {cell: die for cell, die in dice.items() if die is not None}
    if len(faces) < len(dice):
        return None
    placings = _from_hand(list(enumerate(state.hands[player])), settle_wilds([Laid(*cell, die) for cell, die in sorted(faces.items())]))
    return None if placings is None else Lay(player, placings)


def cubed_event(state: cubed.CubedState, dice: Dice, stated: Mapping[Cell, SetDie] | None = None) -> cubed.Place | cubed.Replace | None:
    """Tell which dice the player laid, or which WILD was replaced (D6, D9).

    Parameters
    ----------
    state : CubedState
        Before the event.
    dice : mapping of cell to SetDie or None
        What lies on the board now.
    stated : mapping of cell to SetDie, optional
        What the player said that WILDs stand for; where nothing was said, the face that fits the most SETs.
    """
    before = {laid.cell: laid for laid in state.grid}
    faces = {cell: die for cell, die in dice.items() if die is not None}
    if len(faces) < len(dice) or set(before) - set(faces):
        return None
    changed = [cell for cell, laid in before.items() if faces[cell] != laid.face]
    new = sorted(set(faces) - set(before))
    hand = list(enumerate(state.hands[state.current]))
    if len(changed) == 1 and not new and before[changed[0]].face.is_wild:
        die = next((place for place, face in hand if face == faces[changed[0]]), None)
        return None if die is None else cubed.Replace(state.current, die, *changed[0])
    if changed or not new:
        return None
    said = stated or {}
    laid = settle_wilds([*state.grid, *(Laid(*cell, faces[cell], said.get(cell)) for cell in new)])
    placings = _from_hand(hand, laid[len(state.grid) :])
    return None if placings is None else cubed.Place(state.current, placings)


def _from_hand(hand: list[tuple[int, SetDie]], laid: Sequence[Laid]) -> tuple[Placing, ...] | None:
    """Find a die of the hand for each die laid; None where the hand has none."""
    spare = list(hand)
    placings = []
    for one in laid:
        found = next((entry for entry in spare if entry[1] == one.face), None)
        if found is None:
            return None
        spare.remove(found)
        placings.append(Placing(found[0], one.row, one.col, one.stated))
    return tuple(placings)


def english_event(
    state: english_sets.EnglishSetsState, shown: PlayingCard | None, player: int | None = None
) -> english_sets.Starter | english_sets.Draw | None:
    """Tell the starter that was turned, or the card that a player drew (E2, E3).

    Parameters
    ----------
    state : EnglishSetsState
        Before the event.
    shown : PlayingCard or None
        The card in the starter's place, or the newest in a hand; None was not read.
    player : int, optional
        Whose hand; the only one who draws when left out.
    """
    if shown is None or shown not in state.pack:
        return None
    if state.phase is english_sets.Phase.STARTER:
        return english_sets.Starter(shown)
    if player is None and len(state.short) == 1:
        player = state.short[0]
    return english_sets.Draw(player, shown) if player in state.short and player is not None else None
