"""SET Cubed before the camera: the board is seen, the hands are not (rules D5 to D11).

Dice in a hand lie wherever their player likes, so that nobody but the player is asked about them: in the game a hand that
the camera does not see holds WILDs, and each die gets its face when it is laid. Whether its dice can make a SET is therefore said by
the players. Longer than most modules: one turn is read in one go.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import cast

from visionset.errors import RuleError
from visionset.games.base import EVERYONE, Amend, Choice, Event, by_rule, swapped
from visionset.games.cubed.board_on_table import DiceBySquare, as_it_lies, board_difference, die_face, makes_a_set, why_no_set
from visionset.games.cubed.rules import CubedState
from visionset.games.cubed.terms import Drawn, EndTurn, ExtraRoll, NobodyCan, Open, Phase, Place, Replace, Rolled, RollWild
from visionset.games.game import History
from visionset.games.grid import Cell, Laid, Placing, groups, windows_of
from visionset.games.sets import WILD, find_sets
from visionset.geometry import Floats
from visionset.messages import Message, Words
from visionset.pieces import Kind, Piece, SetDie
from visionset.referee.game_referee import GameReferee, RefereeOptions
from visionset.referee.lattice_fit import CellsOf, Fit, grids, likeliest_grid, on_line
from visionset.referee.matching import SAID, is_likely, second_thought
from visionset.referee.naming import which_face
from visionset.referee.phrasing import briefly, first_allowed
from visionset.referee.player_input import CallSet, Move, NoSet, Said
from visionset.referee.recall import as_before, steps, thought_of
from visionset.referee.rulings import Differ, Option, Play, Question, Ruling, TakeBack, Unsure, Wait
from visionset.referee.shown import Mark, Told, Tone, outlined, scores
from visionset.referee.sightings import at, by_track, distance_px, doubtful, is_doubtful, moved_over_table, seen_from, track_of, tracks_of
from visionset.referee.wilds import Wilds
from visionset.table import Change, Sighting, Table

_SAME_PLACE = 0.3
"""A die that lies off by less than this share of its side is in the same square."""


_TURN = (Phase.TURN, Phase.WILD_ROLL)

_OPENS_S = 30.0
"""So long who has said SET first has for laying it on the logo; then another one may open, and nobody loses anything by it."""


class CubedReferee(GameReferee):
    """One board for all."""

    heard = frozenset({"set", "no_set"})
    kinds = frozenset({Kind.SET_DIE})

    def __init__(self, cells_of: CellsOf, options: RefereeOptions = RefereeOptions(), hints: bool = False) -> None:
        super().__init__(options, hints)
        self._cells_of = cells_of
        self._fit = Fit()
        self._wilds = Wilds()
        self._opener: int | None = None
        self._called_s = 0.0
        self._said_s = -math.inf  # by the clock of the stream, which no event puts forward
        self._lies = False
        self._of_turn: tuple[Event, ...] = ()
        self._all_rolled = False
        self._see_none: frozenset[int] = frozenset()
        self._where: DiceBySquare = {}
        self._lay = frozenset[int]()  # dice that came without a hand, or lay there when the match went on: perhaps nobody has laid them
        self._is_disturbed = True
        self._has_ended_turn = False

    def follow_view(self, image_from_before: Floats) -> None:
        """Look for the squares of the board where they are in the picture now."""
        self._where = {cell: replace(one, outline_px=seen_from(image_from_before, one.outline_px)) for cell, one in self._where.items()}

    def disturbed(self, now_s: float) -> None:
        """Hands are over the table: dice may be taken."""
        self._is_disturbed = True

    def changed(self, changes: Sequence[Change]) -> None:
        """Learn which dice somebody has moved."""
        self._lay -= moved_over_table(changes)

    def forget(self) -> None:
        """The turn is read anew."""
        self._of_turn, self._all_rolled, self._see_none, self._is_disturbed, self._lay = (), False, frozenset(), True, frozenset()

    def corrected(self, after: CubedState, table: Table) -> None:
        """An earlier die is told otherwise: the turn that runs is taken back with its dice all the same, and no hand has laid any."""
        kept = self._of_turn, self._all_rolled, self._is_disturbed, self._lay
        super().corrected(after, table)
        self._wilds.go_on()  # what was answered before a dispute is not what was said last
        self._of_turn, self._all_rolled, self._is_disturbed, self._lay = kept

    def recall(self, history: History) -> None:
        """Find the events of the running turn, and who has said SET first."""
        self._opener, self._said_s = None, -math.inf
        for before, event, after in steps(history):
            self._hear_call(event, after)
            self._count(before, event, after)

    def is_midway(self, state: CubedState) -> bool:
        """A die that is about to be laid, and whatever the game goes on from by itself."""
        return state.phase in (Phase.WILD_ROLL, Phase.DRAW, Phase.ROLL_ALL) or not state.hides_hands

    def counts_again(self, event: Event) -> bool:
        """Dice that were laid before "next" may be those of who is next."""
        return isinstance(event, EndTurn)

    def tracks_judged(self, state: CubedState, event: Event, table: Table) -> tuple[int, ...]:
        """Equal dice lie elsewhere on the board, and beside it."""
        cells: Sequence[Cell] = ()
        match event:
            case Open():
                cells = state.options.board.logo
            case Place():
                cells = [one.cell for one in event.dice]
            case Replace():
                cells = [(event.row, event.col)]
        return tracks_of(self._where[cell] for cell in cells if cell in self._where)

    def ends_turn(self, event: Event) -> bool:
        """Dice that are read later are those of who is next."""
        return isinstance(event, EndTurn)

    def unsure(self, state: CubedState, table: Table) -> tuple[int, ...]:
        """No die beside those that `read` asks about: of the board the game knows what lies there, of hands nobody asks."""
        return ()

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """Take dice on the board that are hardly read for those that the game has in their squares.

        A WILD is hardly ever misread as the very face that it stands for: a die that shows it was exchanged for the WILD (D9), and one that
        shows anything but a WILD may have been.
        """
        super().resumed(history, table)
        dice, sure = self._lattice(history.state, table), self.options.sure_roll
        self._lay = frozenset(tracks_of(table.sightings))
        there = [die for die in history.state.grid if die.cell in dice and not _may_be_exchanged(die, dice[die.cell])]
        found = [as_before([dice[die.cell]], [die.face], sure) for die in there]
        return {track: face for one in found for track, face in one.items()}

    def lying(self, state: CubedState) -> tuple[Piece, ...]:
        """The dice on the board."""
        return tuple(die.face for die in state.grid)

    def went_on(self, before: CubedState, event: Event, after: CubedState, table: Table) -> None:
        """Keep what belongs to the running turn: it is taken back as a whole."""
        self._see_none = frozenset()
        self._wilds.go_on()
        if isinstance(event, Open | NobodyCan):
            self._lies = False
        self._hear_call(event, after)
        if isinstance(event, EndTurn | Place | Replace):
            self._has_ended_turn = isinstance(event, EndTurn)
        self._count(before, event, after)

    def _hear_call(self, event: Event, after: CubedState) -> None:
        """Learn who opens, also from the log of a match that goes on."""
        is_over = isinstance(event, Amend) and event.reason == _in_vain(after.players[after.first])
        if isinstance(event, Open | NobodyCan) or is_over:
            self._opener = None
        elif isinstance(event, Amend) and event.reason == _says_set(after.players[after.first]):
            self._opener, self._called_s = after.first, after.clock_s

    def _count(self, before: CubedState, event: Event, after: CubedState) -> None:
        goes_on = before.phase in _TURN and after.phase in _TURN and after.current == before.current
        is_agreed = isinstance(event, Amend) and after.grid != before.grid  # the board as all agree that it lies stays
        self._of_turn = (*self._of_turn, event) if goes_on and not is_agreed else ()
        self._all_rolled = before.phase is Phase.ROLL_ALL or (goes_on and self._all_rolled)

    def read(self, state: CubedState, table: Table, now_s: float) -> Ruling:
        """Tell what was laid, or what does not fit."""
        match state.phase:
            case Phase.OPENING_ROLL:
                return Play(Rolled(tuple((WILD,) * state.options.hand for _ in state.players)))
            case Phase.OPENING:
                return self._opening(state, table, now_s)
            case Phase.WILD_ROLL:
                return Play(RollWild(state.current, WILD))
            case Phase.DRAW:
                return Play(Drawn(tuple((WILD,) * due for due in state.due)))
            case Phase.ROLL_ALL:
                return Play(Rolled(tuple((WILD,) * len(hand) for hand in state.hands)))
        dice = self._on_board(state, table)
        if isinstance(dice, Unsure):
            return dice
        if state.phase is Phase.EXTRA:
            return self._extra(state, dice)
        return self._turn(state, table, dice)

    def _on_board(self, state: CubedState, table: Table) -> DiceBySquare | Unsure:
        """The dice on the board by square: all that hang together with what the game has there."""
        known = {die.cell: die.face for die in state.grid}
        self._wilds.stated |= {die.cell: die.stated for die in state.grid if die.stated is not None}
        lying = self._lattice(state, table)
        mine = {cell for group in groups(lying) if group & set(known) for cell in group}
        dice = {cell: lying[cell] for cell in mine}
        dice |= self._stayed(known, dice, table)
        kept = {die.cell for die in state.grid if die.cell in dice and not _may_be_exchanged(die, dice[die.cell])}
        tracks = doubtful((one for cell, one in sorted(dice.items()) if cell not in kept), self.options.sure)
        self._wilds.forget(frozenset(dice))
        return Unsure(tracks) if tracks else dice

    def _lattice(self, state: CubedState, table: Table) -> DiceBySquare:
        """All dice that lie in line with the board, by square."""
        known = {die.cell: die.face for die in state.grid}
        self._fit, lying = likeliest_grid(self._cells_of, table, known, self._fit)
        return lying

    def _stayed(self, known: Mapping[Cell, SetDie], dice: DiceBySquare, table: Table) -> DiceBySquare:
        """Dice of the game that lie where they lay, though no lattice holds them, and those that nobody can have taken."""
        there, placed = by_track(table), set(tracks_of(dice.values()))
        found: DiceBySquare = {}
        for cell, before in self._where.items():
            track = track_of(before)
            now = there.get(track, None if self._is_disturbed else before)
            if cell not in known or cell in dice or track in placed or now is None:
                continue
            if distance_px(now.outline_px, before.outline_px) < _SAME_PLACE * before.long_side_px:
                found[cell] = now
        return found

    def _opening(self, state: CubedState, table: Table, now_s: float) -> Ruling:
        """Wait for the first SET on the logo (D5); who lays none in time has said it in vain."""
        lines = _lines_of_three(list(grids(self._cells_of, table)))
        if len(lines) != 1:
            self._lies = False
            if self._opener is None:
                return Wait(Message("cubed.wait.opening"))
            name, until_s = state.players[self._opener], self._called_s + _OPENS_S
            if now_s >= until_s:
                return Play(Amend.of(_in_vain(name)))  # in the log: after a pause nobody has that time once more
            return Wait(Message("cubed.wait.lay_opening"), name, until_s=until_s)
        (lying,), self._lies = lines, self._opener is not None
        if tracks := doubtful((lying[cell] for cell in sorted(lying)), self.options.sure):
            return Unsure(tracks)
        self._fit = on_line(tuple(lying), state.options.board.logo)
        dice = {self._fit.square(cell): one for cell, one in lying.items()}
        self._where |= dice
        if self._opener is None:
            return Wait(Message("cubed.wait.whose"), EVERYONE, tuple(track_of(one) for one in dice.values()))
        asked = self._ask_wilds(state, dice, sorted(dice))
        if asked is not None:
            return asked
        faces = [die_face(dice[cell]) for cell in state.options.board.logo]
        stated = self._stated(state.options.board.logo, faces)
        amend = self._with_faces(state, self._opener, faces)
        event = Open(self._opener, (0, 1, 2), (stated[0], stated[1], stated[2]))
        try:
            state.after(amend).after(event)
        except RuleError as error:
            asked = self._perhaps_misread(state, table, dice, sorted(dice))
            return asked or Wait(briefly(error), state.players[self._opener], tracks_of(dice.values()))
        return Play(event) if state.hands[self._opener][:3] == tuple(faces) else Play(amend)

    def _extra(self, state: CubedState, dice: DiceBySquare) -> Ruling:
        """Let everybody draw and roll once more, until the time is over or the first die lies (D10)."""
        waiting = [player for player in range(len(state.players)) if player not in state.rolled_extra]
        keep = tuple(ExtraRoll(player) for player in waiting)
        new = set(dice) - {die.cell for die in state.grid}
        if self._by_hand(dice, sorted(new)):
            return Play(keep[0])
        self._is_disturbed = False
        text = Message("cubed.text.draw_up", hand=state.options.hand, player=state.players[state.current])
        return Wait(text, EVERYONE, until_s=state.extra_from_s + state.options.extra_roll_s, then=keep)

    def _turn(self, state: CubedState, table: Table, dice: DiceBySquare) -> Ruling:
        known = {die.cell: die for die in state.grid}
        name = state.players[state.current]
        gone = [cell for cell in known if cell not in dice]
        seen = [cell for cell in known if cell in dice and not is_doubtful(dice[cell], self.options.sure)]
        changed = [cell for cell in seen if dice[cell].piece != known[cell].face]
        new = sorted(set(dice) - set(known))
        if changed and not gone:
            one, laid = dice[changed[0]], known[changed[0]]
            is_replaced = all(known[cell].face.is_wild and die_face(dice[cell]) == known[cell].stated for cell in changed)
            if is_replaced and not state.fresh:  # D9
                return self._replaced(state, laid)
            if len(changed) == 1 and is_likely(one, laid.face):
                return self._reread(state, table, dice, laid, one)
        swapped_in = {(event.row, event.col) for event in self._of_turn if isinstance(event, Replace)}
        if self._is_disturbed and self._of_turn and (gone or changed) and {*gone, *changed} <= {*state.fresh, *swapped_in}:
            return TakeBack(len(self._of_turn))
        if gone or changed:
            return self._differ(state, table, dice, gone, changed, [])
        self._where |= dice
        self._is_disturbed = self._is_disturbed and bool(new)
        if new:
            return self._placed(state, table, dice, new)
        left = state.options.per_turn - len(state.fresh)
        text = Message("cubed.text.at_most", left=left) if left else Message("cubed.text.say_next")
        if swapped_in:
            text = Message("cubed.text.roll_wild_first", text=text)
        # two people may say next after one turn: the second would end that of who is next
        warning = Message("cubed.notice.next_turn", name=name) if self._has_ended_turn else ""
        return Wait(text, name, then=(EndTurn(state.current),), warning=warning)

    def _reread(self, state: CubedState, table: Table, dice: DiceBySquare, laid: Laid, one: Sighting) -> Ruling:
        """One die is read a little otherwise: ask which it is, then put the turn or the board right."""
        if one.confidence < SAID:
            return which_face(table, one, laid.face, die_face(one))
        if laid.cell in state.fresh and self._of_turn:
            return TakeBack(len(self._of_turn))
        amend = as_it_lies(state, dice, self._wilds.stated)
        return Play(amend[0]) if amend else self._differ(state, table, dice, [], [laid.cell], [])

    def _differ(
        self, state: CubedState, table: Table, dice: DiceBySquare, gone: list[Cell], changed: list[Cell], new: list[Cell]
    ) -> Differ:
        return board_difference(state, table, dice, self._where, (gone, changed, new), self._wilds.stated)

    def _placed(self, state: CubedState, table: Table, dice: DiceBySquare, new: list[Cell]) -> Ruling:
        """Find the dice that are laid rightly, and say what is wrong with the others (D6)."""
        name = state.players[state.current]
        asked = self._ask_wilds(state, dice, new)
        if asked is not None:
            return asked
        by_hand = self._by_hand(dice, new)
        mine = by_hand or new  # what people have not vouched for is laid by nobody beside what somebody lays
        left, tracks = state.options.per_turn - len(state.fresh), tracks_of(dice[cell] for cell in new)
        too_many = len(mine) - min(left, len(state.hands[state.current]))
        differ = self._differ(state, table, dice, [], [], new)
        if too_many > 0 and left < len(mine):
            allowed = Message("cubed.text.per_turn", per_turn=state.options.per_turn, number=len(mine) + len(state.fresh))
            return Wait(Message("cubed.wait.take_back", allowed=allowed, too_many=too_many), name, tracks, then=differ)
        if too_many > 0:
            return differ
        events, reason = self._laid_rightly(state, dice, mine)
        if not events and len(mine) < len(new):  # a hand may have been overlooked: they score together or not at all
            events, reason = self._laid_rightly(state, dice, new)
        if events and not by_hand:
            what = Message("cubed.text.said", pieces=tuple(die_face(dice[cell]) for cell in new), where=at(table, dice[new[0]]))
            text = Message("cubed.text.no_hand", what=what)
            return replace(differ, message=text, table_right=events, warning=Message("cubed.notice.scores_nothing"))
        if events:
            return Play(events[0])
        fault = why_no_set(self._values(state, dice), new) or reason
        return self._perhaps_misread(state, table, dice, new) or Wait(Message("cubed.wait.lay_more", why=fault), name, tracks, then=differ)

    def _by_hand(self, dice: DiceBySquare, new: list[Cell]) -> list[Cell]:
        """The new dice that somebody has laid, as a hand was there; the others are remembered, and stay what they are until they move."""
        if not self._is_disturbed:
            self._lay |= {track_of(dice[cell]) for cell in new}
        return [cell for cell in new if track_of(dice[cell]) not in self._lay]

    def _laid_rightly(self, state: CubedState, dice: DiceBySquare, new: list[Cell]) -> tuple[tuple[Event, ...], Words]:
        """The most of the new dice that are laid rightly, as events; else why not."""

        def laid(some: tuple[Cell, ...]) -> tuple[Event, ...]:
            faces = [die_face(dice[cell]) for cell in some]
            said = enumerate(zip(some, self._stated(some, faces), strict=True))
            event = Place(state.current, tuple(Placing(die, *cell, word) for die, (cell, word) in said))
            is_known = state.hands[state.current][: len(faces)] == tuple(faces)
            return (event,) if is_known else (self._with_faces(state, state.current, faces), event)

        return first_allowed(state, (laid(some) for count in range(len(new), 0, -1) for some in combinations(new, count)))

    def _perhaps_misread(self, state: CubedState, table: Table, dice: DiceBySquare, new: list[Cell]) -> Question | None:
        """Ask about a new die that makes no SET as it is read, and makes one as the face that the reader thought of next."""
        for cell in new:
            one, values = dice[cell], self._values(state, dice)
            other = second_thought(one, die_face(one))
            if other is None or other.is_wild or die_face(one).is_wild:
                continue
            if makes_a_set(cell, {**values, cell: other}):
                return which_face(table, one, die_face(one), other)
        return None

    def _values(self, state: CubedState, dice: DiceBySquare) -> dict[Cell, SetDie]:
        values = {die.cell: die.value for die in state.grid}
        return {**{cell: self._wilds.stated.get(cell, die_face(one)) for cell, one in dice.items() if one.piece is not None}, **values}

    def _ask_wilds(self, state: CubedState, dice: DiceBySquare, new: list[Cell]) -> Question | None:
        for cell in new:
            if die_face(dice[cell]).is_wild:
                question = self._wilds.question(cell, track_of(dice[cell]), self._values(state, dice))
                if question is not None:
                    return question
        return None

    def _stated(self, cells: Sequence[Cell], faces: Sequence[SetDie]) -> tuple[SetDie | None, ...]:
        return tuple(self._wilds.stated[cell] if face.is_wild else None for cell, face in zip(cells, faces, strict=True))

    def _with_faces(self, state: CubedState, player: int, faces: list[SetDie]) -> Amend:
        """Give dice of an unseen hand the faces that they show now."""
        hand = (*faces, *(WILD,) * (len(state.hands[player]) - len(faces)))
        return Amend.of(
            Message("cubed.agreed.lays", player=state.players[player], pieces=tuple(faces)), hands=swapped(state.hands, player, hand)
        )

    def _replaced(self, state: CubedState, wild: Laid) -> Play:
        """A die of the hand lies where a WILD lay (D9)."""
        assert wild.stated is not None
        if state.hands[state.current][:1] != (wild.stated,):
            return Play(self._with_faces(state, state.current, [wild.stated]))
        return Play(Replace(state.current, 0, *wild.cell))

    def answered(self, question: Question, option: Option) -> None:
        """Learn what a WILD stands for."""
        self._wilds.answer(question, option)

    def calls(self, state: CubedState) -> tuple[Choice, ...]:
        """Who is first to see a SET among the own dice opens; nobody else sees these."""
        if state.phase not in (Phase.OPENING_ROLL, Phase.OPENING):
            return ()
        return tuple(Choice(Message("cubed.choice.set", player=name), "call", player) for player, name in enumerate(state.players))

    def hears(self, state: CubedState) -> frozenset[str]:
        """SET is said at the opening alone (D5), and that nobody can make one before a turn has begun (D11)."""
        if self.calls(state):
            return frozenset({"set"})
        return frozenset({"no_set"}) if state.phase is Phase.TURN and not state.fresh else frozenset()

    def hear(self, state: CubedState, said: Said, table: Table, now_s: float) -> tuple[Event, ...]:
        """Take the call of the opening, and that nobody can make a SET (D11)."""
        if isinstance(said, CallSet):
            if not self.calls(state):
                raise state.refusal("D5", "cubed.tried.late_call")
            is_earlier = said.said_s is not None and said.said_s < self._said_s
            is_open = self._opener is not None and (self._lies or now_s - self._called_s < _OPENS_S)
            if self._opener == said.player and is_open:  # who is eager presses twice
                return ()
            if is_open and not is_earlier:
                raise RuleError(by_rule("D5", Message("cubed.refused.said_first", player=state.players[cast(int, self._opener)])))
            self._opener, self._called_s, self._said_s = said.player, now_s, -math.inf if said.said_s is None else said.said_s
            says = _says_set(state.players[said.player])
            return (Amend.of(says, at_s=max(state.clock_s, now_s), first=said.player, current=said.player),)
        if isinstance(said, NoSet):
            if state.phase is not Phase.TURN or state.fresh:
                raise state.refusal("D11", "cubed.tried.late_nobody_can")
            self._see_none |= {said.player}
            return self._nobody_can(state, NobodyCan()) if len(self._see_none) == len(state.players) else ()
        if isinstance(said, Move) and isinstance(said.event, NobodyCan):
            return self._nobody_can(state, said.event)
        return super().hear(state, said, table, now_s)

    def unsay(self) -> Words:
        """Forget who says to see no SET, or who has said SET first."""
        if self._see_none:
            self._see_none = frozenset()
            return Message("cubed.notice.see_none_taken_back")
        return Message("referee.notice.asked_again") if self._wilds.unsay() else ""

    def ask_again(self) -> None:
        """The WILDs that nobody has laid are asked about again; what others stand for the game knows."""
        self._wilds = Wilds()

    def _nobody_can(self, state: CubedState, event: NobodyCan) -> tuple[Event, ...]:
        """All roll again; a die that a player showed and took back is unseen again."""
        hidden = tuple((WILD,) * len(hand) for hand in state.hands)
        return (event,) if state.hides_hands or state.fresh else (Amend.of(Message("cubed.agreed.all_rolled"), hands=hidden), event)

    def told(self, state: CubedState, now_s: float) -> tuple[Told, ...]:
        """What the rules want done; what needs the dice of a hand is left to its player."""
        if self._see_none:
            names = tuple(state.players[player] for player in sorted(self._see_none))
            return (Told(EVERYONE, Message("cubed.told.see_none", names=names)),)
        if self._all_rolled and not state.fresh:
            return (Told(EVERYONE, Message("cubed.told.roll_all")),)
        if state.phase in (Phase.TURN, Phase.OPENING, Phase.EXTRA):
            return ()
        return super().told(state, now_s)

    def marks(self, state: CubedState, table: Table) -> tuple[Mark, ...]:
        """Each new SET with its points, on its middle die; bonus squares of this turn."""
        marks: list[Mark] = []
        for made in state.made:
            dice = [self._where[cell] for cell in made.cells if cell in self._where]
            for number, die in enumerate(dice):
                marks += outlined(table, (track_of(die),), Tone.GOOD, f"+{made.points}" if number == 1 else "")
        for cell in state.fresh:
            bonus = state.options.board.bonus_at(cell)
            if bonus and cell in self._where:
                marks += outlined(table, (track_of(self._where[cell]),), Tone.GOOD, Message("cubed.mark.bonus", bonus=bonus))
        return tuple(marks)

    def status(self, state: CubedState, now_s: float) -> tuple[Words, ...]:
        """Points, whose turn, dice in the bag; until somebody says SET all may open."""
        is_anybodys = bool(self.calls(state)) and self._opener is None
        turn = () if is_anybodys else (Message("cubed.status.turn", player=state.players[state.current]),)
        return (*scores(state), *turn, Message("cubed.status.bag_dice", bag=state.bag))


def _lines_of_three(boards: Sequence[DiceBySquare]) -> list[DiceBySquare]:
    """Three dice in a line with none beside them; of several, as others wait in a row, those that are a SET or may be one."""
    lines = [{cell: lying[cell] for cell in group} for lying in boards for group in groups(lying) if len(group) == 3 and windows_of(group)]
    return lines if len(lines) < 2 else [line for line in lines if _may_be_set([one.piece for one in line.values()])]


def _may_be_set(faces: Sequence[Piece | None]) -> bool:
    return None in faces or bool(find_sets(faces))


def _says_set(name: str) -> Message:
    """Why the game is told who opens, which it knows from then on, though the match is closed before the SET lies there."""
    return Message("cubed.agreed.says_set", player=name)


def _in_vain(name: str) -> Message:
    """Why somebody else may open who says SET now."""
    return Message("cubed.agreed.in_vain", player=name)


def _may_be_exchanged(die: Laid, one: Sighting) -> bool:
    """Whether a WILD of the game is read as the face that it stands for, or hardly read, and as no WILD."""
    thoughts = thought_of(one)
    return die.face.is_wild and (one.piece == die.stated or (bool(thoughts) and WILD not in thoughts))


make_referee = CubedReferee
