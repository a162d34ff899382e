"""SET solitaire before the camera: three cards that leave, and what is owed (rule S11)."""

from __future__ import annotations

from typing import Any

from visionset.games.base import Event
from visionset.games.card_table.referee import CardReferee
from visionset.games.card_table.takes import cards_at, sets_among, taken_first, with_unseen
from visionset.games.solitaire.rules import FindNone, SolitaireState, Take
from visionset.messages import Message, Words
from visionset.pieces import SetCard
from visionset.referee.game_referee import RefereeOptions
from visionset.referee.player_input import AskHint, Move, NoSet, Said
from visionset.referee.rulings import Differ, Play, Ruling, Unsure, Wait
from visionset.table import Table


class SolitaireReferee(CardReferee):
    """SET for one player (S11)."""

    heard = frozenset({"no_set"})
    take = Take

    def __init__(self, options: RefereeOptions = RefereeOptions(), hints: bool = False) -> None:
        super().__init__(options, hints)
        self._many: frozenset[SetCard] = frozenset()  # more cards than a SET that were gone at once, until all lie there again

    def forget(self) -> None:
        """Drop what is remembered of cards that were gone."""
        super().forget()
        self._many = frozenset()

    def _keeping(self, kept: tuple[tuple[SetCard, ...], ...]) -> dict[str, Any]:
        return {"kept": kept[0]}

    def read(self, state: SolitaireState, table: Table, now_s: float) -> Ruling:
        """Tell what was dealt or taken."""
        owed = self._to_be_taken(state, table)
        if owed is not None:
            return owed
        if None in state.table:
            closed = {"table": tuple(card for card in state.table if card is not None)}
            return self._dealing(state, table, closed)
        seen = self._compared(state, table)
        gone = cards_at(state.table, seen.gone)
        is_set = len(gone) == 3 and bool(sets_among(state.table, seen.gone))  # perhaps with a card that had to go back
        if len(gone) == 3 and gone < self._many:  # somebody tidies the table, and these are the last that are laid again
            self._returning = gone
        self._many = gone if len(gone) > 3 else self._many if gone else frozenset()
        back = None if is_set else self._going_back(state, seen, state.players[0])
        if back is not None:
            return back
        if seen.unread and (seen.gone or seen.new):
            return Unsure(seen.unread)
        trio = None if seen.twice else taken_first(state.table, with_unseen(state.table, seen), seen.new, self._spots)
        if trio is not None:
            return Play(Take(trio))
        if seen.new or seen.twice or len(seen.gone) > 3:
            return self._layout_differs(state, table, seen, {"table": ()})
        if seen.gone:
            cards = [state.table[place] for place in seen.gone]
            right = self._as_it_lies(state, seen, {"table": ()})
            differ = Differ(Message("game.differ.left_table", pieces=tuple(cards)), missing=self._spots.ghosts(cards), table_right=right)
            return Wait(Message("solitaire.wait.take_more", number=3 - len(cards), pieces=tuple(cards)), state.players[0], then=differ)
        return None

    def hear(self, state: SolitaireState, said: Said, table: Table, now_s: float) -> tuple[Event, ...]:
        """Take "I find none" and requests for hints."""
        if isinstance(said, NoSet) or (isinstance(said, Move) and isinstance(said.event, FindNone)):
            if None not in state.table:
                self.expect_all(state, table, "S11")
            return (FindNone(),)
        if isinstance(said, AskHint):
            return self._hint(state, 0)
        return super().hear(state, said, table, now_s)

    def status(self, state: SolitaireState, now_s: float) -> tuple[Words, ...]:
        """SETs found and owed."""
        found = len(state.kept) // 3
        lines = (
            Message("solitaire.status.sets", found=found),
            Message("solitaire.status.owed", penalty=state.penalty),
            Message("solitaire.status.wrong", wrong=state.wrong),
            Message("solitaire.status.pack", pack_left=state.pack_left),
        )
        return (*lines, *self._hints.status(state.players))


make_referee = SolitaireReferee.made
