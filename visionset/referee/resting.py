"""Dice that were thrown since a moment, and dice that have only lain there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from visionset.games.game import History
from visionset.messages import Message
from visionset.pieces import Piece
from visionset.referee.game_referee import GameReferee, RefereeOptions
from visionset.referee.rulings import Option, Question
from visionset.referee.sightings import doubtful, is_doubtful, track_of
from visionset.table import Appeared, Change, Moved, Sighting, Swapped, Table, Thrown


class Resting:
    """Remembers what the dice showed at a moment, to tell later which were thrown.

    Which lie elsewhere is told by the tracker: in the picture all of them lie elsewhere once the camera was bumped.
    """

    def __init__(self) -> None:
        self._old: dict[int, Piece | None] = {}
        self._rolled: set[int] = set()
        self._moved: set[int] = set()
        self._touched: dict[int, int] = {}  # by track: after how much motion over the table it lay otherwise last
        self._motions = 0
        self._pushed: tuple[Sighting, ...] = ()
        self._perhaps_thrown = False
        self._is_taken_back = False
        self._before_no: tuple[dict[int, Piece | None], set[int], set[int], bool] | None = None

    def begin(self, table: Table) -> None:
        """From now on."""
        self._old = {track_of(one): one.piece for one in table.sightings}
        self._rolled, self._moved, self._touched, self._pushed = set(), set(), {}, ()
        self._perhaps_thrown, self._before_no = False, None
        self._is_taken_back = False

    def take_back(self, table: Table) -> None:
        """What lies there was taken back: it counts all the same where people say so, but not with dice that are thrown from now on."""
        self.begin(table)
        self._is_taken_back = True

    def go_on(self, table: Table, old: Iterable[Piece], known: Mapping[int, Piece], wanted: int) -> None:
        """From now on, in a match that goes on: what lies there are the old dice, unless other faces show, or a throw may be under way.

        The old dice showed `old`, and those that are hardly read show what is `known` by track; a whole throw are the `wanted` dice: while
        fewer lie there, the others may be rolling.
        """
        self.begin(table)
        shown = Counter(known.get(track_of(one), one.piece) for one in table.sightings)
        self._perhaps_thrown = shown.total() < wanted or bool(shown - Counter({None: shown[None]}) - Counter(old))

    def question(self, table: Table, what_for: Message) -> Question | None:
        """Ask whether dice were thrown while nobody looked on; None where they lay there, or were thrown since."""
        if not self._perhaps_thrown or not self.old(table):
            return None
        self._pushed = ()
        return _whether_thrown(what_for)

    def question_of_pushed(self, table: Table, what_for: Message) -> Question | None:
        """Ask about dice that show what they showed: they may just have been pushed.

        Nobody is asked where others show something else and were touched together with them.
        """
        motions = {self._touched.get(track_of(one)) for one in table.sightings}
        same = [one for one in table.sightings if one.piece is not None and self._old.get(track_of(one)) == one.piece]
        is_perhaps_pushed = len(motions) > 1 or len(same) == len(table.sightings)
        self._pushed = tuple(same) if is_perhaps_pushed and self.thrown(table) else ()
        return _whether_thrown(what_for, tuple(map(track_of, self._pushed))) if self._pushed else None

    def answered(self, option: Option) -> None:
        """Learn whether they were."""
        before, self._perhaps_thrown = (self._old, self._rolled, self._moved, self._perhaps_thrown), False
        if option.value:
            self._old = {}
            return
        self._before_no = before
        pushed = {track_of(one): one.piece for one in self._pushed}
        self._old, self._rolled, self._moved = self._old | pushed, self._rolled - pushed.keys(), self._moved - pushed.keys()

    def unsay(self) -> bool:
        """Forget that they were not, as long as nobody has touched them since; False where nobody has said so."""
        before, self._before_no = self._before_no, None
        if before is not None:
            self._old, self._rolled, self._moved, self._perhaps_thrown = before
        return before is not None

    def disturbed(self) -> None:
        """Hands or dice move: what lies otherwise after that was not touched with what lay otherwise before."""
        self._motions += 1

    def changed(self, changes: Sequence[Change]) -> None:
        """Learn what was seen to roll; of dice that are thrown together one may be read later than the other."""
        self._before_no = None
        self._rolled |= {track_of(one.after) for one in changes if isinstance(one, Thrown | Swapped)}
        self._moved |= {track_of(one.after) for one in changes if isinstance(one, Moved)}
        self._touched |= {track_of(one.after): self._motions for one in changes if isinstance(one, Appeared | Thrown | Swapped | Moved)}

    def thrown(self, table: Table, moved_counts: bool = True) -> tuple[Sighting, ...]:
        """The dice that were thrown: new ones, and those that rolled, lie elsewhere or show another face.

        Where moving does not count, a die that shows the same face elsewhere was pushed.
        """
        return tuple(one for one in table.sightings if self._is_thrown(one, moved_counts))

    def old(self, table: Table) -> tuple[int, ...]:
        """The tracks of the dice that were not thrown."""
        thrown = self.thrown(table)
        if self._is_taken_back and not thrown:
            return ()
        return tuple(track_of(one) for one in table.sightings if one not in thrown)

    def _is_thrown(self, one: Sighting, moved_counts: bool) -> bool:
        track = track_of(one)
        if track not in self._old or track in self._rolled:
            return True
        if None not in (self._old[track], one.piece) and self._old[track] != one.piece:
            return True
        return moved_counts and track in self._moved


def _whether_thrown(what_for: Message, tracks: tuple[int, ...] = ()) -> Question:
    options = (Option(Message("referee.answer.no_they_thrown"), False), Option(Message("referee.answer.yes_they_count"), True))
    return Question(("thrown", what_for), Message("referee.ask.thrown", what_for=what_for), options, tracks)


class ThrowingReferee(GameReferee):
    """A referee of a game in which all dice that lie there are thrown together, again and again."""

    def __init__(self, options: RefereeOptions = RefereeOptions(), hints: bool = False) -> None:
        super().__init__(options, hints)
        self._resting = Resting()

    def corrected(self, after: Any, table: Table) -> None:
        """The dice lie as they lay: nobody has thrown them because one is called otherwise."""
        super().corrected(after, table)
        self._resting.begin(table)

    def lies_from_before(self, table: Table) -> None:
        """What lies there was not thrown for this game."""
        self._resting.begin(table)

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """Where another die lies than the game has, dice may have been thrown: then none that is hardly read is known."""
        known = super().resumed(history, table)
        shown = Counter(one.piece for one in table.sightings if not is_doubtful(one, self.options.sure_roll))
        return known if shown <= Counter(self.lying(history.state)) else {}

    def doubtful(self, table: Table) -> tuple[int, ...]:
        """Tracks of the dice that are not read well enough to count as thrown."""
        return doubtful(table.sightings, self.options.sure_roll)

    def disturbed(self, now_s: float) -> None:
        """Hands or dice move over the table."""
        self._resting.disturbed()

    def changed(self, changes: Sequence[Change]) -> None:
        """Learn which dice rolled."""
        self._resting.changed(changes)

    def forget(self) -> None:
        """Whatever lies there may have been thrown."""
        self._resting = Resting()

    def rests(self, table: Table) -> None:
        """What lies there was taken back."""
        self._resting.take_back(table)

    def answered(self, question: Question, option: Option) -> None:
        """Learn whether the dice were thrown."""
        self._resting.answered(option)
