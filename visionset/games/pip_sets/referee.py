"""Sets with two dice before the camera: values count when both rest, and the sheet fills itself (rules P1 to P6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from visionset.errors import RuleError
from visionset.games.base import EVERYONE, Event
from visionset.games.game import History
from visionset.games.pip_sets.advice import advice_words
from visionset.games.pip_sets.rules import EndTurn, PipSetsState, Roll
from visionset.games.pip_sets.view import sheets
from visionset.games.view import Stress
from visionset.messages import Message, Words
from visionset.pieces import Kind, Piece, PipDie
from visionset.referee.game_referee import RefereeOptions
from visionset.referee.player_input import AskHint, Said
from visionset.referee.resting import Resting, ThrowingReferee
from visionset.referee.rulings import Differ, Play, Ruling, Unsure, Wait
from visionset.referee.shown import Told
from visionset.referee.sightings import tracks_of
from visionset.table import Moved, Sighting, Table

_DICE = 2


class PipSetsReferee(ThrowingReferee):
    """Two dice that serve everybody; at the end each player has a place among all who played before."""

    kinds = frozenset({Kind.PIP_DIE})

    def __init__(self, options: RefereeOptions = RefereeOptions(), hints: bool = False) -> None:
        super().__init__(options, hints)
        self._last: tuple[int, ...] = ()
        self._is_to_be_thrown = False
        self._advice: Told | None = None

    def went_on(self, before: PipSetsState, event: Event, after: PipSetsState, table: Table) -> None:
        """From a roll to the end of its turn the dice that lie there are old, and at the end again, unless they were thrown meanwhile."""
        self._advice = None
        self._last = after.roll or self._last
        has_ended = after.roll is None and before.roll is not None
        if isinstance(event, Roll) or (has_ended and not (self._is_other(before, table) and not self._resting.old(table))):
            self._resting.begin(table)

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """Take dice between two turns for those of the last roll; within a turn `read` compares them with its roll."""
        known = super().resumed(history, table)
        self._resting = Resting()
        if history.state.roll is None:
            self._resting.go_on(table, self.lying(history.state), known, _DICE)
        return known

    def lying(self, state: PipSetsState) -> tuple[Piece, ...]:
        """The dice of the last roll."""
        return tuple(map(PipDie, state.roll or self._last))

    def counts_elsewhere(self, moved: Moved, table: Table) -> bool:
        """A die that was thrown too early is thrown again once the turn has ended, and may show the same."""
        return self._is_to_be_thrown

    def read(self, state: PipSetsState, table: Table, now_s: float) -> Ruling:
        """Tell the roll, or that it came too early."""
        self._is_to_be_thrown = state.roll is None
        if state.roll is not None:
            return self._early(state, table)
        if len(table.sightings) > _DICE:
            text = Message("sets-dice.text.too_many", count=len(table.sightings))
            return Wait(text, EVERYONE, tracks_of(table.sightings))
        asked = state.prompts[0].message
        if len(table.sightings) < _DICE:
            return Wait(asked if not table.sightings else Message("sets-dice.wait.one_missing"))
        if tracks := self.doubtful(table):
            return Unsure(tracks)
        roll = Roll(_values(table.sightings))
        old, turn = self._resting.old(table), Message("game.turn", number=state.tracker)
        if not old:
            return self._resting.question_of_pushed(table, turn) or Play(roll)
        text = asked if len(old) == _DICE else Message("sets-dice.text.not_thrown")
        return self._resting.question(table, turn) or Wait(text, EVERYONE, old, then=(roll,))

    def tracks_judged(self, state: PipSetsState, event: Event, table: Table) -> tuple[int, ...]:
        """A die that fell from the table may have shown the same."""
        return tracks_of(table.sightings) if isinstance(event, Roll) and table.pieces == tuple(map(PipDie, event.values)) else ()

    def _early(self, state: PipSetsState, table: Table) -> Ruling:
        """Find a throw before everybody has ended the turn."""
        thrown = self._resting.thrown(table, moved_counts=False)
        if len(table.sightings) != _DICE or len(thrown) < 1 or state.roll is None:
            return None
        if tracks := self.doubtful(table):
            return Unsure(tracks)
        if not self._is_other(state, table):
            return None
        values = _values(table.sightings)
        owing = [(state.players[player], sheet.due) for player, sheet in enumerate(state.sheets) if sheet.due]
        if owing:  # the turn of somebody whose bonus is due cannot be ended for them
            name, row = owing[0]
            return Wait(Message("sets-dice.wait.bonus_first", row=row), name, tracks_of(table.sightings))
        waiting = [player for player, sheet in enumerate(state.sheets) if not sheet.has_ended]
        names = tuple(state.players[player] for player in waiting)
        text = Message("sets-dice.text.early", shown=values, roll=state.roll, names=names)
        ends: tuple[Event, ...] = tuple(EndTurn(player) for player in waiting)
        right = (*ends, Roll(values)) if state.tracker > 1 else ends
        return Differ(text, tracks_of(table.sightings), table_right=right)

    def _is_other(self, state: PipSetsState, table: Table) -> bool:
        """Whether two dice lie there that show another roll."""
        shown = sorted(one.piece.value for one in table.sightings if isinstance(one.piece, PipDie))
        return len(shown) == _DICE and shown != sorted(state.roll or ())

    def hear(self, state: PipSetsState, said: Said, table: Table, now_s: float) -> tuple[Event, ...]:
        """Take circlings and ends of turns, and give advice."""
        if isinstance(said, AskHint):
            if not self.hints:
                raise RuleError(Message("game.refused.no_hints"))
            self._advice = Told(state.players[said.player], advice_words(state, said.player))
            return ()
        return super().hear(state, said, table, now_s)

    def unsay(self) -> Words:
        """Forget that the dice were not thrown."""
        return Message("referee.notice.asked_again") if self._resting.unsay() else ""

    def told(self, state: PipSetsState, now_s: float) -> tuple[Told, ...]:
        """What is to do, with the advice that was asked for."""
        return (*super().told(state, now_s), *([self._advice] if self._advice else []))

    def status(self, state: PipSetsState, now_s: float) -> tuple[Words, ...]:
        """Scores with places, and the turn; at the end the places among all games."""
        places = zip(state.players, state.scores, state.ranks, strict=True)
        lines = [Message("sets-dice.status.place", player=name, points=score, rank=rank) for name, score, rank in places]
        if state.is_over:
            table = self.earlier.with_scores(state.players, state.scores)
            ranks = [table.rank(score) for score in state.scores]
            return tuple(
                Message("sets-dice.status.of_all", line=line, rank=rank, count=len(table.lines))
                for line, rank in zip(lines, ranks, strict=True)
            )
        roll = Message("sets-dice.status.rolled", values=state.roll) if state.roll else Message("sets-dice.status.to_be_rolled")
        return (*lines, Message("sets-dice.status.turn", tracker=state.tracker, roll=roll))

    def sheet(self, state: PipSetsState) -> tuple[Words, ...]:
        """The rows of each player: values without and with a circle, and what may be done; rows that may be circled are starred."""
        lines: list[Words] = []
        grid = sheets(state)
        for column, name in enumerate(state.players, 1):
            lines.append(Message("sets-dice.status.circled", name=name))
            for row in grid.rows:
                star = "*" if row[column].stress is Stress.GOOD else ""
                lines.append(Message("sets-dice.status.row", row=row[0].text, star=star, text=row[column].text))
        return tuple(lines)


def _values(dice: Sequence[Sighting]) -> tuple[int, int]:
    first, second = (one.piece.value for one in dice if isinstance(one.piece, PipDie))
    return first, second


make_referee = PipSetsReferee.made
