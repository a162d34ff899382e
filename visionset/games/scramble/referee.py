"""Scramble SET before the camera: 42 dice, three that leave after a call, the end only when every die is sure (rule D13).

Longer than most modules: a call, what leaves and what is asked about it hang on the same few fields.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import cast

from visionset.errors import RuleError
from visionset.games.base import EVERYONE, Amend, Choice, Event, by_rule
from visionset.games.correction import Correct, read_off
from visionset.games.game import History
from visionset.games.scramble.rules import MOST_LOST, Phase, Rolled, ScrambleState, Take
from visionset.games.sets import find_sets, is_set
from visionset.messages import Message, Words
from visionset.pieces import Kind, Piece, SetDie
from visionset.referee.evidence import seen_as
from visionset.referee.game_referee import RefereeOptions
from visionset.referee.player_input import AskHint, CallSet, Said
from visionset.referee.recall import as_before, have_left
from visionset.referee.resting import ThrowingReferee
from visionset.referee.rulings import Differ, Lying, Option, Play, Question, Ruling, Unsure, Wait
from visionset.referee.shown import Mark, Told, Tone, outlined, scores
from visionset.referee.sightings import dice_of, reaches_out, showing, track_of, tracks_of, unread
from visionset.table import Sighting, Table

_TAKING = (Phase.OPEN, Phase.TIE)
_CALL_S = 8.0
"""A call without dice is forgotten after this time: nobody loses anything by it."""

_AGAIN_S = 4.0
"""The same of the second call of somebody who has let one pass, unless dice are in a hand; a third holds nobody up.

Nobody keeps the table by calling.
"""

_HAND_S = 2.0
"""So long a hand may need to leave with dice: whose they are is asked where another called meanwhile."""

_SAME_HAND_S = 1.0
"""A hand that is seen again so soon has not been away."""


class ScrambleReferee(ThrowingReferee):
    """All dice at once, no turns."""

    heard = frozenset({"set"})
    kinds = frozenset({Kind.SET_DIE})
    judges_what_left = True

    def __init__(self, options: RefereeOptions = RefereeOptions(), hints: bool = False) -> None:
        super().__init__(options, hints)
        self._order: list[int] = []
        self._known: tuple[SetDie, ...] = ()  # dice of the game that lay there when it looked last, while SETs are taken
        self._wanted = 0  # dice that were to be thrown when it looked last
        self._aside: frozenset[int] = frozenset()  # tracks of dice that reach out of the picture and are none of those
        self._caller: int | None = None
        self._passed: Counter[int] = Counter()
        self._before: tuple[int, float] | None = None
        self._called_s = 0.0
        self._roll_s = -math.inf  # when dice were to be thrown last: the time of a call that waited for them begins then
        self._hand_s = -math.inf, -math.inf  # since when a hand is over the table, and when it was seen last
        self._returning: Counter[SetDie] = Counter()
        self._won: Counter[SetDie] = Counter()  # by a dispute, though they lie there
        self._differed: tuple[Counter[SetDie], Counter[SetDie]] = Counter(), Counter()  # dice that were gone and new when it looked last
        self._taker: tuple[Counter[SetDie], int] | None = None
        self._is_declined = False
        self._asked: tuple[Counter[SetDie], float] | None = None
        self._spots: dict[int, Sighting] = {}
        self._hint: tuple[SetDie, ...] = ()

    def forget(self) -> None:
        """Drop what is remembered of a call and of where dice lay."""
        super().forget()
        self._order, self._caller, self._returning, self._won = [], None, Counter(), Counter()
        self._taker, self._is_declined = None, False

    def is_midway(self, state: ScrambleState) -> bool:
        """A call that runs is no time for a dispute: by one the caller would lose it."""
        return self._caller is not None

    def disturbed(self, now_s: float) -> None:
        """Remember since when a hand is over the table."""
        since_s, last_s = self._hand_s
        self._hand_s = (since_s if now_s - last_s <= _SAME_HAND_S else now_s), now_s

    def went_on(self, before: ScrambleState, event: Event, after: ScrambleState, table: Table) -> None:
        """Remember which die lies where, and which have to go back."""
        self._hint = ()
        self._returning = Counter()
        self._taker, self._is_declined = None, False
        self._passed = Counter()
        if isinstance(event, Rolled) or (isinstance(event, Amend) and after.table == dice_of(table)):
            self._order = [track_of(one) for one in table.sightings]
        elif isinstance(event, Take):
            self._caller = None
            if before.table == after.table:
                shown = Counter(before.table[place] for place in event.at)
                self._returning = shown & (Counter(after.table) - Counter(dice_of(table)))
            else:
                self._order = [track for place, track in enumerate(self._order) if place not in event.at]
        if after.phase not in _TAKING:
            self._differed = Counter(), Counter()
        if after.phase is Phase.ROLL:
            self._aside = frozenset()
        if after.phase in (Phase.ROLL, Phase.TIE_ROLL, Phase.OVER) and (after.phase is not before.phase or isinstance(event, Rolled)):
            self._resting.begin(table)

    def corrected(self, after: ScrambleState, table: Table) -> None:
        """Remember which dice have to go back, those of a take that was none, and which have been won and lie there."""
        gone, new = self._differed[0] - self._returning, self._differed[1] - self._won  # so it was before, for another reason
        super().corrected(after, table)
        known, lying = Counter(after.table), Counter(dice_of(table))
        self._returning, self._won = known - lying - gone, lying - known - new
        if after.phase not in _TAKING:
            self._returning, self._won = Counter(), Counter()
        self._order = []
        self._reorder(after, table)

    def disputable(self, history: History, table: Table) -> Sequence[Lying]:
        """Dice of the last roll that lie as they lay: a misread one may hide the last SET, or be taken for one of a SET (D13).

        What people have said of the whole table is like a roll; in matches of before nobody knows which of its dice is which.
        """
        state: ScrambleState = history.state
        if len(state.row) != len(state.table):
            return ()
        whole = (number for number, event in enumerate(history.standing) if isinstance(event, Rolled | Amend) and read_off(event))
        number = max(whole, default=0)
        place_of = self._place_of(state)
        still = None if state.phase in _TAKING else self._resting.old(table)
        return [
            Lying(seen_as(one.piece, one), number, state.row[place])
            for one in table.sightings
            if one.piece is not None and (place := place_of.get(track_of(one))) is not None and state.table[place] == one.piece
            if still is None or track_of(one) in still
        ]

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """Take dice between two rounds for those that were left over; which track is which of equal dice is read anew."""
        known = super().resumed(history, table)
        self._order = []
        state = history.state
        if isinstance(history.events[-1], Correct) and len(history.undone().state.table) != len(state.table):  # a take is judged otherwise
            back = self._returning + (Counter(state.table) - Counter(history.undone().state.table))
            self.corrected(state, table)
            self._returning &= back  # others that are gone may be those of a take that was taken back
        self._reorder(state, table)
        if state.phase in (Phase.ROLL, Phase.TIE_ROLL):
            self._resting.go_on(table, self.lying(state), known, state.to_roll)
            return known
        there = Counter[Piece](self.lying(state)) - Counter[Piece](self._returning)
        if have_left(table.sightings, there.elements(), self.options.sure_roll):
            return {}
        return {**as_before(table.sightings, there.elements(), self.options.sure_roll), **known}

    def in_play(self, table: Table) -> Table:
        """The table without dice that people have laid across the edge of the picture once they were won.

        Such a die reaches out of the picture and came while all dice of the game lay there, or a SET was gone that nobody puts back, or
        lies there beside all that were to be thrown.
        """
        own, back = set(self._order), self._returning
        out = [one for one in table.sightings if reaches_out(one, table.size_px) and track_of(one) not in own and one.piece not in back]
        rest = [one for one in table.sightings if one not in out]
        gone = tuple((Counter(self._known) - Counter(dice_of(replace(table, sightings=tuple(rest))))).elements())
        is_of_none = len(rest) == self._wanted or (bool(self._known) and (not gone or (len(gone) == 3 and is_set(*gone))))
        self._aside = frozenset(track for track in tracks_of(out) if is_of_none or track in self._aside)
        return replace(table, sightings=tuple(one for one in table.sightings if one.track not in self._aside))

    def unsure(self, state: ScrambleState, table: Table) -> tuple[int, ...]:
        """Of dice that are to be thrown none but those of a whole roll, about which `read` asks."""
        return super().unsure(state, table) if state.phase in _TAKING else ()

    def lying(self, state: ScrambleState) -> tuple[Piece, ...]:
        """The dice that nobody has taken."""
        return state.table

    def read(self, state: ScrambleState, table: Table, now_s: float) -> Ruling:
        """Tell the roll, or who took what."""
        self._known = state.table if state.phase in _TAKING else ()
        if state.phase in (Phase.ROLL, Phase.TIE_ROLL):
            self._roll_s, self._wanted = now_s, state.to_roll
            return self._roll(state, table)
        self._wanted = 0
        self._spots |= {track_of(one): one for one in table.sightings}
        unread_tracks = unread(table)
        lying, known = Counter(dice_of(table)), Counter(state.table)
        gone, new = self._differed = known - lying, lying - known
        if unread_tracks and (gone or new):
            return Unsure(unread_tracks)
        self._returning &= gone
        self._won &= new
        until_s = self._begins_s + max(self._held_s(gone), _AGAIN_S) + self.options.settle_s
        if now_s >= until_s:
            self._pass_on(now_s)
        if new - self._won:
            return self._unlike(state, table, gone, new)
        if new and not gone:
            whose = next((player for player, dice in enumerate(state.taken) if Counter(dice) & new), None)
            to = EVERYONE if whose is None else state.players[whose]
            text, tracks = Message("scramble.wait.take_won", pieces=tuple(new.elements())), tracks_of(self._unexpected(state, table, new))
            return Wait(text, to, tracks, until_s=None if self._caller is None else until_s)
        if not gone:
            self._is_declined = False
            self._reorder(state, table)
            if self._caller is not None:
                return Wait(Message("scramble.wait.take"), state.players[self._caller], until_s=until_s, then=())
            return None
        if self._returning and not gone - self._returning:
            text = Message("scramble.text.put_back", pieces=tuple(gone.elements()))
            return Wait(text, EVERYONE, then=self._missing(state, table, gone, text))
        return self._gone(state, table, gone, now_s, until_s)

    def _roll(self, state: ScrambleState, table: Table) -> Ruling:
        count = state.to_roll
        to, text = state.prompts[0].to, state.prompts[0].message
        seen = len(table.sightings)
        lost = state.lost + count - seen
        if seen > count:
            if 0 <= lost < state.lost:
                return Play(Amend.of(Message("scramble.agreed.lost", count=seen), lost=lost))
            return Wait(Message("scramble.wait.too_many", text=text, seen=seen, count=count), to)
        if seen < count:
            fewer = Amend.of(Message("scramble.agreed.lost", count=seen), lost=lost)
            warning = Message("scramble.notice.perhaps_lost", count=count - seen)
            told = text if seen < count // 2 else Message("scramble.wait.dice_seen", text=text, seen=seen, count=count)
            then = (fewer,) if seen > 0 and lost <= MOST_LOST else ()
            return Wait(told, to, then=then, warning=warning, is_always_warned=True)
        if tracks := self.doubtful(table):
            return Unsure(tracks)
        rolled, old = Rolled(dice_of(table)), self._resting.old(table)
        if not old:
            return Play(rolled)
        is_tie = state.phase is Phase.TIE_ROLL
        what_for = Message("scramble.text.roll_off") if is_tie else Message("game.round", number=len(state.finished) + 1)
        waiting = Wait(Message("scramble.wait.not_thrown", text=text, count=len(old)), to, old, then=(rolled,))
        return self._resting.question(table, what_for) or waiting

    def _gone(self, state: ScrambleState, table: Table, gone: Counter[SetDie], now_s: float, until_s: float) -> Ruling:
        whole = _with_unseen(table, gone)
        if self._caller is None:  # a caller may be about to take a third die that is seen
            gone = whole
        count = gone.total()
        names = tuple(gone.elements())
        if count > 3:
            return self._missing(state, table, gone, Message("scramble.differ.all_but_one", names=names))
        if count < 3:
            who = EVERYONE if self._caller is None else state.players[self._caller]
            text = Message("scramble.wait.take_more", number=3 - count, names=names)
            if whole != gone:
                return Wait(text, who, until_s=until_s)
            return Wait(text, who, then=self._missing(state, table, gone, Message("game.differ.left_table", pieces=names)))
        if self._taker is not None and self._taker[0] == gone:
            return Play(Take(self._taker[1], self._places(state, table, gone)))
        if self._caller is not None and not self._may_be_of_another(now_s):
            return Play(Take(self._caller, self._places(state, table, gone)))
        if self._asked is None or self._asked[0] != gone:
            self._asked = gone, now_s
        options = tuple(Option(state.players[player], player) for player in state.takers)
        text = Message("scramble.ask.who_took", pieces=names)
        return Question(("whose", tuple(sorted(names, key=str))), text, options, none=Message("scramble.answer.nobody"))

    def answered(self, question: Question, option: Option) -> None:
        """Learn who took three dice without a call, or whether dice were thrown."""
        if question.key[0] != "whose":
            super().answered(question, option)
            return
        dice = Counter(cast(tuple[SetDie, ...], question.key[1]))
        if option.value is None:
            self._returning, self._is_declined = dice, True
        else:
            self._taker = dice, cast(int, option.value)

    def unsay(self) -> Words:
        """Forget a call of which nothing has come, or that nobody took the dice."""
        if self._is_declined:
            self._returning, self._is_declined = Counter(), False
            return Message("referee.notice.asked_again")
        if self._caller is None:
            return ""
        self._caller = None
        return Message("referee.notice.call_taken_back")

    def _places(self, state: ScrambleState, table: Table, gone: Counter[SetDie]) -> tuple[int, ...]:
        """Positions of the dice that are gone: of equal dice those whose track is gone."""
        there = {track for track in tracks_of(table.sightings) if track >= 0}
        at: list[int] = []
        for face, count in gone.items():
            fitting = [place for place, die in enumerate(state.table) if die == face]
            fitting.sort(key=lambda place: place < len(self._order) and self._order[place] in there)
            at += fitting[:count]
        return tuple(sorted(at))

    def _reorder(self, state: ScrambleState, table: Table) -> None:
        """Dice that were put back have new tracks: they take the places of equal dice that left."""
        there = set(tracks_of(table.sightings))
        loose = [one for one in table.sightings if track_of(one) not in self._order]
        self._order = self._order if len(self._order) == len(state.table) else [min(there, default=0) - 1] * len(state.table)
        for place, die in enumerate(state.table):
            if self._order[place] not in there:
                back = next((one for one in loose if one.piece == die), None)
                if back is not None:
                    loose.remove(back)
                    self._order[place] = track_of(back)

    def _ghosts(self, table: Table, gone: Counter[SetDie]) -> tuple[Sighting, ...]:
        there = set(tracks_of(table.sightings))
        return showing((one for track, one in reversed(self._spots.items()) if track not in there), gone.elements())

    def _missing(self, state: ScrambleState, table: Table, gone: Counter[SetDie], text: Message) -> Differ:
        return Differ(text, missing=self._ghosts(table, gone), table_right=self._as_it_lies(state, table))

    def _unlike(self, state: ScrambleState, table: Table, gone: Counter[SetDie], new: Counter[SetDie]) -> Differ:
        """A die shows another face than it had, or does not belong to this round; what somebody takes meanwhile is judged after it."""
        place_of = self._place_of(state)
        swapped, extra, left, turned = [], [], list(gone.elements()), list(state.table)
        for one in self._unexpected(state, table, new):
            place = place_of.get(track_of(one))
            own = left[0] if place is None and len(left) == 1 else None if place is None else state.table[place]
            if own not in left or track_of(one) < 0:
                extra.append(one)
                continue
            left.remove(own)
            swapped.append((track_of(one), own))
            turned[turned.index(own) if place is None else place] = cast(SetDie, one.piece)
        if swapped and not extra and left:
            shown, known = tuple(new.elements()), tuple(face for _, face in swapped)
            right = Amend.of(Message("game.agreed.table_right"), table=tuple(turned), row=tuple(range(len(turned))))
            return Differ(Message("scramble.differ.other_dice", shown=shown, known=known), (), tuple(swapped), table_right=(right,))
        shown, known = tuple(new.elements()), tuple(gone.elements())
        others = Message("scramble.differ.other_dice", shown=shown, known=known)
        text = others if gone else Message("scramble.differ.too_many", shown=shown)
        missing = self._ghosts(table, Counter(left))
        return Differ(text, tracks_of(extra), tuple(swapped), missing, self._as_it_lies(state, table))

    def _place_of(self, state: ScrambleState) -> dict[int, int]:
        return {track: place for place, track in enumerate(self._order)} if len(self._order) == len(state.table) else {}

    def _unexpected(self, state: ScrambleState, table: Table, new: Counter[SetDie]) -> list[Sighting]:
        """As many dice as are new: of equal ones first those that nobody sees, then those that showed another face.

        Those come last that lie there as they lay.
        """
        place_of, left, found = self._place_of(state), Counter(new), []

        def trust(one: Sighting) -> int:
            place = place_of.get(track_of(one))
            if track_of(one) < 0:
                return -1
            return 1 if place is None else 2 * (state.table[place] == one.piece)

        for one in sorted(table.sightings, key=trust):
            if isinstance(one.piece, SetDie) and left[one.piece] > 0:
                left[one.piece] -= 1
                found.append(one)
        return found

    def _as_it_lies(self, state: ScrambleState, table: Table) -> tuple[Event, ...]:
        """The dice that lie there count, as long as 42 are in the game: a round that lost dice goes on in the tie phase only."""
        if unread(table) or (state.phase is Phase.OPEN and len(table.sightings) != len(state.table)):
            return ()
        return (Amend.of(Message("game.agreed.table_right"), table=dice_of(table), row=tuple(range(len(table.sightings)))),)

    def hear(self, state: ScrambleState, said: Said, table: Table, now_s: float) -> tuple[Event, ...]:
        """Take calls and requests for hints."""
        if isinstance(said, CallSet):
            if state.phase not in _TAKING:
                raise state.refusal("D13", "scramble.tried.early_call")
            if said.player not in state.takers:
                raise state.refusal("D13", "scramble.tried.not_level", name=state.players[said.player])
            self._call(state, said.player, table, now_s)
            return ()
        if isinstance(said, AskHint):
            if not self.hints:
                raise RuleError(Message("game.refused.no_hints"))
            sets = find_sets(state.table)
            self._hint = tuple(state.table[place] for place in sets[0]) if sets else ()
            return ()
        return super().hear(state, said, table, now_s)

    def _call(self, state: ScrambleState, player: int, table: Table, now_s: float) -> None:
        """Take a call: who said it first has it, whoever is heard first."""
        gone = Counter(state.table) - Counter(dice_of(table))
        if self._returning & gone:
            raise RuleError(by_rule("D13", Message("scramble.refused.dice_lie_first")))
        if self._caller is not None and now_s - self._begins_s > max(self._held_s(gone), _AGAIN_S):
            self._pass_on(now_s)
        if self._caller == player and now_s - self._called_s >= 0:
            return  # who is eager presses twice, and has no longer for it
        if self._caller is not None and self._called_s <= now_s <= self._begins_s + self._held_s(gone):
            raise RuleError(by_rule("D13", Message("scramble.refused.said_first", player=state.players[self._caller])))
        whole = _with_unseen(table, gone)
        is_asked = self._asked is not None and self._asked[0] == whole and now_s >= self._asked[1]
        if self._caller is None and whole.total() == 3 and is_asked:  # the call may be that of somebody who sees another SET
            raise RuleError(by_rule("D13", Message("scramble.refused.say_who_took", pieces=tuple(whole.elements()))))
        if self._caller is not None and now_s >= self._called_s:  # who holds nobody up, and may hold dice
            self._before = self._caller, now_s
        self._caller, self._called_s = player, now_s

    def _pass_on(self, now_s: float) -> None:
        """The time of the caller is over: until somebody takes a SET, another call by the same player holds others up for less long."""
        if self._caller is not None:
            self._passed[self._caller] += 1
            self._before = self._caller, now_s
        self._caller = None

    def _may_be_of_another(self, now_s: float) -> bool:
        """Whether dice that left may be those of who called before: a hand that was over the table already is seen to take them later.

        So it is where the hand came before that call was over, and where one call follows the other so fast that nobody can tell.
        """
        if self._before is None or self._before[0] == self._caller:
            return False
        since_s, last_s = self._hand_s
        was_there = since_s <= self._before[1] and now_s - last_s <= _SAME_HAND_S
        return was_there or max(self._called_s - self._before[1], now_s - self._called_s) <= _HAND_S

    @property
    def _begins_s(self) -> float:
        """When the time of the caller begins."""
        return max(self._called_s, self._roll_s)

    def _held_s(self, gone: Counter[SetDie]) -> float:
        """So long the call holds others up: who has let one pass may call once more, and so has whoever holds dice."""
        passed = 0 if self._caller is None or gone else self._passed[self._caller]
        return (_CALL_S, _AGAIN_S, -math.inf)[min(passed, 2)]

    def calls(self, state: ScrambleState) -> tuple[Choice, ...]:
        """Whoever may take says SET first."""
        return tuple(Choice(one.message, "call", one.player) for one in state.legal if one.event == Take.name)

    def refuses(self, state: ScrambleState, event: Event) -> bool:
        """Three dice that are no SET."""
        return isinstance(event, Take) and not find_sets([state.table[place] for place in event.at])

    def told(self, state: ScrambleState, now_s: float) -> tuple[Told, ...]:
        """What is to do, with the hint that was asked for."""
        hint = (Told(EVERYONE, Message("scramble.told.set", pieces=tuple(self._hint))),) if self._hint else ()
        return (*super().told(state, now_s), *hint)

    def marks(self, state: ScrambleState, table: Table) -> tuple[Mark, ...]:
        """The dice of a hint."""
        return outlined(table, tracks_of(showing(table.sightings, self._hint)), Tone.HINT)

    def status(self, state: ScrambleState, now_s: float) -> tuple[Words, ...]:
        """Points, each player's pile, dice on the table."""
        piles = [
            Message("scramble.status.s_pile_dice", name=name, count=len(dice))
            for name, dice in zip(state.players, state.taken, strict=True)
        ]
        return (*scores(state), *piles, Message("scramble.status.round_dice_table", number=len(state.finished) + 1, count=len(state.table)))


def _with_unseen(table: Table, gone: Counter[SetDie]) -> Counter[SetDie]:
    """The dice that are gone, with as many that people said lie there unseen as make a SET of them, where there is one way alone."""
    unseen = [one.piece for one in table.sightings if track_of(one) < 0 and isinstance(one.piece, SetDie)]
    if gone.total() == 1:  # a WILD that lies unseen makes a SET of many
        unseen = [die for die in unseen if not die.is_wild]
    some = combinations(sorted(unseen, key=str), 3 - gone.total()) if gone.total() in (1, 2) else ()
    ways = {dice for dice in some if find_sets([*gone.elements(), *dice])}
    return gone + Counter(ways.pop()) if len(ways) == 1 else gone


make_referee = ScrambleReferee.made
