"""Ghost SET before the camera: six cards that rest are laid, what people say is judged."""

from __future__ import annotations

from typing import ClassVar

from ghost_set import CARDS
from ghost_set.rules import Deal, Ghost, GhostState, Pass, is_ghost
from visionset.games.base import Amend, Event
from visionset.messages import Message
from visionset.pieces import Kind, Piece, SetCard
from visionset.referee.game_referee import GameReferee, RefereeOptions
from visionset.referee.lattice_fit import CellsOf
from visionset.referee.player_input import CallSet, NoSet, Said
from visionset.referee.rulings import Differ, Play, Ruling, Unsure, Wait
from visionset.referee.sightings import in_reading_order, tracks_of, unread
from visionset.table import Table


class GhostReferee(GameReferee):
    """Six cards at a time."""

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.SET_CARD})
    is_face_up = True

    def __init__(self, options: RefereeOptions, hints: bool) -> None:
        super().__init__(options, hints)
        self._played: frozenset[Piece] = frozenset()

    def went_on(self, before: GhostState, event: Event, after: GhostState, table: Table) -> None:
        """Remember which cards have been played, which lie there until people take them."""
        if not after.table:
            self._played = frozenset(before.table)

    def lying(self, state: GhostState) -> tuple[Piece, ...]:
        """The six cards."""
        return state.table

    def read(self, state: GhostState, table: Table, now_s: float) -> Ruling:
        """Tell which cards were laid."""
        if unread(table):
            return Unsure(unread(table))
        cards = tuple(one.piece for one in in_reading_order(table.sightings) if isinstance(one.piece, SetCard))
        if state.table:
            if set(cards) == set(state.table):
                return None
            right = (Amend.of(Message("ghost-set.agreed.table_is_right"), table=cards),) if len(set(cards)) == len(cards) == CARDS else ()
            return Differ(Message("ghost-set.differ.other_cards"), tracks_of(table.sightings), table_right=right)
        if len(cards) != CARDS or set(cards) & self._played:
            return Wait(state.prompts[0].message)
        return Play(Deal(cards))

    def hear(self, state: GhostState, said: Said, table: Table, now_s: float) -> tuple[Event, ...]:
        """The key of a seat says ghost."""
        if isinstance(said, CallSet):
            return (Ghost(said.player),)
        return (Pass(said.player),) if isinstance(said, NoSet) else super().hear(state, said, table, now_s)

    def refuses(self, state: GhostState, event: Event) -> bool:
        """A ghost that is none."""
        return isinstance(event, Ghost) and bool(state.table) and not is_ghost(state.table)


def make_referee(cells_of: CellsOf, options: RefereeOptions, hints: bool) -> GhostReferee:
    """Make the referee of this game."""
    return GhostReferee(options, hints)
