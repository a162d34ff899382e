"""Crossword SET before the camera: each player's dice lie in a part of the table, grids among them (rules D14 to D16).

Longer than most modules: roll, draw and grids of one round are read in one go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from visionset.games.base import Amend, Event, swapped
from visionset.games.crossword.guests import added_dice, moved_guest
from visionset.games.crossword.round import Round, SaidStuck, as_it_was
from visionset.games.crossword.rules import CrosswordState, Done, Draw, Lay, Rolled
from visionset.games.game import History
from visionset.games.grid import Cell, used_cells
from visionset.messages import Message, Words
from visionset.pieces import Kind, Piece, SetDie
from visionset.referee.game_referee import RefereeOptions
from visionset.referee.lattice_fit import CellsOf, Fit, likeliest_grid
from visionset.referee.matching import SAID, Agreed, DiceMatch, is_likely, matched, second_thought
from visionset.referee.naming import which_face
from visionset.referee.pool import Pool, used
from visionset.referee.recall import steps
from visionset.referee.resting import ThrowingReferee
from visionset.referee.rulings import Differ, Play, Question, Ruling, TakeBack, Unsure, Wait
from visionset.referee.seats import seat_by_side
from visionset.referee.shown import Mark, Tone, outlined, scores
from visionset.referee.sightings import at, dice_of, doubtful, in_reading_order, is_doubtful, track_of, tracks_of
from visionset.table import Change, Sighting, Table

_HOME_S = 10.0
"""So soon after it was drawn a die that rolled into another one's part is taken home; later it has been moved there."""


class CrosswordReferee(ThrowingReferee):
    """Every player builds a grid in a part of the table, see `seat_by_side`."""

    kinds = frozenset({Kind.SET_DIE})

    def __init__(self, cells_of: CellsOf, options: RefereeOptions = RefereeOptions(), hints: bool = False) -> None:
        super().__init__(options, hints)
        self._cells_of = cells_of
        self._fits: dict[int, Fit] = {}
        self._where: dict[tuple[int, Cell], int] = {}
        self._agreed = Agreed()
        self._round, self._stuck = Round(), SaidStuck()
        self._pool = Pool()
        self._old: tuple[tuple[SetDie, ...], ...] = ()

    def disturbed(self, now_s: float) -> None:
        """Hands are over the table: what was new may be in one of them."""
        self._agreed.disturb()

    def changed(self, changes: Sequence[Change]) -> None:
        """Learn which dice were thrown, and which were moved to a grid."""
        super().changed(changes)
        self._pool.changed(changes)

    def forget(self) -> None:
        """Grids are read anew."""
        super().forget()
        self._fits, self._agreed = {}, Agreed()
        self._round.forget()

    def recall(self, history: History) -> None:
        """Find who said to be stuck, and how the grids lay."""
        self._stuck, self._round.last = SaidStuck(), None
        for _, event, after in steps(history):
            self._stuck.note(event, after)
            self._round.last = event
        self._round.keep(history.state.hands)

    def unsure(self, state: CrosswordState, table: Table) -> tuple[int, ...]:
        """No die beside those that `read` asks about: of the others the game knows what they are."""
        return ()

    def went_on(self, before: CrosswordState, event: Event, after: CrosswordState, table: Table) -> None:
        """When a round ends, the dice that lie there are old; what happens in it is kept, should a die turn out to be misread."""
        self._round.add(event, after.hands, self._parts(after, table))
        self._stuck.note(event, after)
        if isinstance(event, Rolled | Draw):
            self._pool.throw(table.sightings)
        if len(after.finished) > len(before.finished):
            self._old = before.hands
            self._resting.begin(table)
            self._fits, self._pool = {}, Pool()
            self._round.forget()

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """Take dice between two rounds for those of the round before, and within a round those beside the grids for waiting ones."""
        known = super().resumed(history, table)
        if not any(history.state.hands):
            self._resting.go_on(table, self.lying(history.state), known, history.state.options.hand * len(history.state.players))
            return known
        self._pool = Pool()
        for player, mine in enumerate(self._parts(history.state, table)):
            grid = {die.cell for die in history.state.laid(player)}
            laid = [one for cell, one in self._in_line(history.state, player, mine).items() if cell in grid]
            self._pool.throw([one for one in mine.sightings if one not in laid])
        return known

    def lying(self, state: CrosswordState) -> tuple[Piece, ...]:
        """All dice of the round, or of the one before."""
        return tuple(face for hand in (state.hands if any(state.hands) else self._old) for face in hand)

    def _parts(self, state: CrosswordState, table: Table) -> tuple[Table, ...]:
        """The dice of each player as a table of their own."""
        count = len(state.players)
        dice: list[list[Sighting]] = [[] for _ in range(count)]
        for one in table.sightings:
            dice[seat_by_side(table, one, count)].append(one)
        return tuple(Table(table.size_px, tuple(mine), table.frame_index) for mine in dice)

    def read(self, state: CrosswordState, table: Table, now_s: float) -> Ruling:
        """Tell the roll, what was drawn, and how the grids lie."""
        parts = self._parts(state, table)
        if not any(state.hands):
            return self._roll(state, table, parts)
        matches = [matched(mine.sightings, self._belongs(state, player), self._agreed.known) for player, mine in enumerate(parts)]
        for player, match in enumerate(matches):
            if (reading := self._odd(state, table, parts, player, match)) is not None:
                return reading
        for player, match in enumerate(matches):
            matches[player] = self._agreed.overlooked(match)
            if matches[player].missing:
                return self._missing(state, parts, player, matches, now_s)
        for player, match in enumerate(matches):
            if match.extra:
                return self._extra(state, table, parts, player, match.extra, now_s)
        self._agreed.agree(matches)
        for player, match in enumerate(matches):
            if (lay := self._lay(state, player, parts[player], match)) is not None:
                since = self._stuck.events_since(state.after(lay))  # overlooked for a moment: who was stuck is so still
                return TakeBack(since) if since else Play(lay)
        for player, match in enumerate(matches):
            if (asked := self._perhaps_misread(state, table, player, match)) is not None:
                return asked
        return moved_guest(state, self._where)

    def _perhaps_misread(self, state: CrosswordState, table: Table, player: int, match: DiceMatch) -> Question | None:
        """Ask about a die that is in no SET as it is read, and would be in one as the face that the reader thought of next."""
        laid = state.laid(player)
        alone = {self._where.get((player, laid[number].cell)): number for fault in state.faults(player) for number in fault.at[:1]}
        for one, face in match.pairs:
            number, other = alone.get(track_of(one)), second_thought(one, face)
            if number is None or other is None:
                continue
            as_other = (*laid[:number], replace(laid[number], face=other), *laid[number + 1 :])
            joins = state.options.touching_joins
            if len(used_cells(as_other, joins)) > len(used_cells(laid, joins)):
                return which_face(table, one, face, other)
        return None

    def _odd(self, state: CrosswordState, table: Table, parts: tuple[Table, ...], player: int, match: DiceMatch) -> Ruling:
        """Dice that are read otherwise than the game has them: dice keep their faces, so one of the readings is wrong."""
        unclear = tuple(track_of(one) for one, face in match.odd if self._is_unclear(one, face, match))
        swaps = []
        for one, face in match.odd:
            if not isinstance(one.piece, SetDie) or track_of(one) in unclear:
                continue
            if one.confidence >= SAID and face in state.hands[player]:
                return self._misread(state, table, player, one, face)
            if one.confidence >= self.options.sure:
                if is_likely(one, face):
                    return which_face(table, one, face, one.piece)
                swaps.append((one, face))
        if swaps:
            lying, has = (pieces for pieces in zip(*((one.piece, face) for one, face in swaps), strict=True))
            text = Message("crossword.text.swapped", player=state.players[player], lying=lying, has=has)
            swapped_tracks = tuple((track_of(one), face) for one, face in swaps)
            return Differ(text, (), swapped_tracks, table_right=self._hands(state, parts, player))
        return Unsure(unclear) if unclear else None

    def _is_unclear(self, one: Sighting, face: SetDie, match: DiceMatch) -> bool:
        """Whether a die could be another one: it was hardly read, is nothing like its face, and others are open as well."""
        if not is_doubtful(one, self.options.sure):
            return False
        return self._agreed.known.get(track_of(one)) != face and not is_likely(one, face) and len(match.odd) + len(match.extra) > 1

    def _misread(self, state: CrosswordState, table: Table, player: int, one: Sighting, face: SetDie) -> Ruling:
        """People say that a die shows another face than the one that was read when it was rolled: it was rolled like that."""
        assert isinstance(one.piece, SetDie)
        hand = state.hands[player]
        die = self._round.die(player, one, face, hand, tracks_of(table.sightings))
        meant = as_it_was(self._round.events, player, die, one.piece)
        if meant:
            return TakeBack(len(meant), meant)
        hands = swapped(state.hands, player, swapped(hand, die, one.piece))
        agreed = Message("crossword.agreed.has_was_read", player=state.players[player], piece=one.piece, piece2=face)
        return Play(Amend.of(agreed, hands=hands))

    def _roll(self, state: CrosswordState, table: Table, parts: tuple[Table, ...]) -> Ruling:
        prompt, count = state.prompts[0].message, state.options.hand
        seen = [(name, len(mine.sightings)) for name, mine in zip(state.players, parts, strict=True)]
        odd = tuple(Message("crossword.wait.dice_of", player=name, count=dice) for name, dice in seen if dice != count)
        if any(dice < count for _, dice in seen):
            return Wait(Message("crossword.wait.in_parts", prompt=prompt, odd=odd, count=count))
        if odd:
            best = tuple(sorted(mine.sightings, key=lambda one: -one.confidence)[:count] for mine in parts)
            hands = tuple(tuple(one.piece for one in mine if isinstance(one.piece, SetDie)) for mine in best)
            then = (Rolled(hands),) if all(len(hand) == count for hand in hands) else ()
            return Wait(Message("crossword.wait.too_many", odd=odd, count=count), then=then)
        if tracks := self.doubtful(table):
            return Unsure(tracks)
        rolled = Rolled(tuple(dice_of(mine) for mine in parts))
        old = len(self._resting.old(table))
        if not old:
            return Play(rolled)
        question = self._resting.question(table, Message("game.round", number=len(state.finished) + 1))
        return question or Wait(Message("crossword.wait.not_thrown", prompt=prompt, old=old), then=(rolled,))

    def _belongs(self, state: CrosswordState, player: int) -> list[SetDie]:
        """Faces that lie in a player's part: of the hand, less dice added to other grids, and the guests' dice."""
        hand = state.hands[player]
        away = {p.placing.die for owner, grid in enumerate(state.grids) if owner != player for p in grid if p.player == player}
        guests = [state.hands[p.player][p.placing.die] for p in state.grids[player] if p.player != player]
        return [face for die, face in enumerate(hand) if die not in away] + guests

    def _extra(
        self, state: CrosswordState, table: Table, parts: tuple[Table, ...], player: int, extra: tuple[Sighting, ...], now_s: float
    ) -> Ruling:
        """A die that was drawn (D15), once it is sure that it is one: the bag is not touched without a hand, nor by a hand still there."""
        if any(track < 0 for track in tracks_of(extra)):
            return Differ(Message("crossword.differ.elsewhere"), tracks_of(extra))
        if tracks := doubtful(extra, self.options.sure):
            return Unsure(tracks)
        name, faces = state.players[player], [one.piece for one in extra if isinstance(one.piece, SetDie)]
        what = Message("crossword.text.has_more", name=name, count=len(faces), faces=tuple(faces), where=at(table, extra[0]))
        if len(faces) > state.bag:
            return Differ(Message("crossword.differ.bag_empty", what=what), tracks_of(extra), table_right=self._hands(state, parts, player))
        drawn = tuple(Draw(player, face) for face in faces)
        if not self._agreed.is_disturbed:
            text = Message("crossword.text.no_hand", what=what)
            return Differ(text, tracks_of(extra), table_right=drawn)
        since_s = self._agreed.since(extra, now_s)
        text = Message("crossword.text.hands_off", what=what)
        return Wait(text, name, tracks_of(extra), until_s=since_s + len(faces) * self.options.rest_s, then=drawn, is_hands_off=True)

    def _missing(self, state: CrosswordState, parts: tuple[Table, ...], player: int, matches: Sequence[DiceMatch], now_s: float) -> Ruling:
        """Dice that lie in another's part now (D15), or are gone."""
        missing, name = matches[player].missing, state.players[player]
        text, ghosts = Message("crossword.differ.s_gone", name=name, pieces=tuple(missing)), self._agreed.ghosts(missing, matches)
        differ = Differ(text, missing=ghosts, table_right=self._hands(state, parts, player))
        for owner, match in enumerate(matches):
            extra = [one for one in match.extra if one.piece in missing]
            if owner != player and extra and not state.bag and len(state.players) > 2:
                if (lay := self._lay(state, player, parts[player], matches[player])) is not None:
                    return Play(lay)
                known = {die.cell for die in state.laid(owner)}
                lying = self._grid(state, owner, parts[owner])
                new = {cell: one for cell, one in lying.items() if cell not in known and one.piece in missing}
                tracks = tracks_of(one for part in parts for one in part.sightings)
                added, reason = added_dice(state, player, owner, self._round.placings(state, player, new, state.spare(player), tracks))
                if added:
                    return Play(added[0])
                if reason:
                    tracks = tracks_of(extra)
                    return Wait(Message("crossword.wait.lay_more", reason=reason), name, tracks, then=replace(differ, extra=tracks))
        if (home := self._taken_home(state, player, matches, now_s)) is not None:
            return home
        for owner, match in enumerate(matches):
            there = [one for one in match.extra if owner != player and self._agreed.known.get(track_of(one)) == one.piece in missing]
            if there:
                text = Message("crossword.wait.lies_with", pieces=tuple(one.piece for one in there), player=state.players[owner])
                return Wait(text, name, tracks_of(there), then=differ)
        return Wait(Message("crossword.wait.unseen", pieces=tuple(missing)), name, then=differ)

    def _taken_home(self, state: CrosswordState, player: int, matches: Sequence[DiceMatch], now_s: float) -> TakeBack | None:
        """The die that was drawn last rolled into the part of another one, and who drew it has taken it home (D15): nobody else drew."""
        hand, last = state.hands[player], self._round.last
        if not (isinstance(last, Draw) and last.player == player) or now_s - (last.at_s or 0.0) > _HOME_S:
            return None
        for owner, match in enumerate(matches):
            if owner != player and any(self._agreed.known.get(track_of(one)) == one.piece == hand[-1] for one in match.extra):
                return TakeBack(1, (Draw(owner, hand[-1]),))
        return None

    def _hands(self, state: CrosswordState, parts: tuple[Table, ...], player: int) -> tuple[Event, ...]:
        """The dice that lie in a player's part are the hand, and the grid is read anew."""
        grids = tuple(() if owner == player else tuple(p for p in grid if p.player != player) for owner, grid in enumerate(state.grids))
        return (Amend.of(Message("game.agreed.table_right"), hands=swapped(state.hands, player, dice_of(parts[player])), grids=grids),)

    def _grid(self, state: CrosswordState, player: int, mine: Table) -> dict[Cell, Sighting]:
        """The dice of a part that were laid side by side, by the cells that the game gave them."""
        grid = self._pool.grid(self._in_line(state, player, mine), mine.sightings, state.options.touching_joins)
        self._where = {place: track for place, track in self._where.items() if place[0] != player}
        self._where |= {(player, cell): track_of(one) for cell, one in grid.items()}
        return grid

    def _lay(self, state: CrosswordState, player: int, mine: Table, match: DiceMatch) -> Lay | None:
        """A player's grid as it lies, where the game has another one."""
        told = in_reading_order([replace(one, piece=face) for one, face in match.pairs])
        return self._round.lay(state, player, self._grid(state, player, replace(mine, sightings=told)), tracks_of(told))

    def _in_line(self, state: CrosswordState, player: int, mine: Table) -> dict[Cell, Sighting]:
        """All dice of a part that lie in line with its grid."""
        known = {die.cell: die.face for die in state.laid(player)}

        def in_sets(lying: Mapping[Cell, Sighting]) -> int:
            return len(used(lying, state.options.touching_joins))

        before = self._fits.get(player, Fit())
        self._fits[player], lying = likeliest_grid(self._cells_of, mine, known, before, turns=False, worth=in_sets)
        return lying

    def tracks_judged(self, state: CrosswordState, event: Event, table: Table) -> tuple[int, ...]:
        """Equal dice lie in several parts, and beside a grid: it is judged by its own."""
        cells = [(event.player, one.cell) for one in event.grid] if isinstance(event, Lay) else []
        return tuple(self._where[cell] for cell in cells if cell in self._where)

    def judges_table(self, event: Event) -> bool:
        """All build at once: what lies under a hand counts as well."""
        return isinstance(event, Done)

    def marks(self, state: CrosswordState, table: Table) -> tuple[Mark, ...]:
        """Faults, each with its reason."""
        marks: list[Mark] = []
        for player in range(len(state.players)):
            laid = state.laid(player)
            for number, fault in enumerate(state.faults(player), 1):
                tracks = [self._where[player, laid[at].cell] for at in fault.at if (player, laid[at].cell) in self._where]
                marks += outlined(table, tracks, Tone.WRONG, str(number))
        return tuple(marks)

    def status(self, state: CrosswordState, now_s: float) -> tuple[Words, ...]:
        """Points, dice to lay, dice in the bag."""
        rolled = enumerate(state.players) if any(state.hands) else ()
        unused = (Message("crossword.status.has_lay_dice", player=name, count=len(state.unused(player))) for player, name in rolled)
        return (*scores(state), *unused, Message("crossword.status.round_dice_bag", number=len(state.finished) + 1, bag=state.bag))


make_referee = CrosswordReferee
