"""A round of Crossword SET as it was: when a die of it was misread, what happened is told again with its right face."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from visionset.games.base import Amend, Event, swapped
from visionset.games.crossword.rules import CrosswordState, Draw, Lay, Rolled, Stuck
from visionset.games.grid import Cell, Placing
from visionset.pieces import SetDie
from visionset.referee.sightings import track_of
from visionset.table import Sighting, Table


class SaidStuck:
    """How the grids lay when somebody said to be stuck, and what has been laid since."""

    def __init__(self) -> None:
        self._lay: tuple[frozenset[tuple[Cell, SetDie]], ...] | None = None
        self._since = 0

    def note(self, event: Event, after: CrosswordState) -> None:
        """Learn what happened."""
        if isinstance(event, Stuck):
            self._lay, self._since = _lying(after), 0
        elif isinstance(event, Lay):
            self._since += 1
        else:
            self._lay = None

    def events_since(self, grids: CrosswordState) -> int:
        """How many events have led from grids like these to others: with them back, none of that stood. 0 where it cannot be so."""
        return self._since if self._lay is not None and _lying(grids) == self._lay else 0


def _lying(state: CrosswordState) -> tuple[frozenset[tuple[Cell, SetDie]], ...]:
    return tuple(frozenset((die.cell, die.face) for die in state.laid(player)) for player in range(len(state.players)))


class Round:
    """What happened since the roll, and which die of a hand each track is."""

    def __init__(self) -> None:
        self.events: tuple[Event, ...] = ()
        self.last: Event | None = None
        self._dice: dict[int, tuple[int, int]] = {}

    def forget(self) -> None:
        """What happened is no longer known; a track is the die that it was all the same."""
        self.events = ()

    def keep(self, hands: Sequence[Sequence[SetDie]]) -> None:
        """Forget which tracks were dice that these hands do not have: their draw was taken back."""
        self._dice = {track: (player, die) for track, (player, die) in self._dice.items() if die < len(hands[player])}

    def add(self, event: Event, hands: Sequence[Sequence[SetDie]], parts: Sequence[Table]) -> None:
        """Learn what happened while the dice of each player lay as given, after which the players have these `hands`."""
        self.last = event
        if isinstance(event, Amend):  # dice may have changed hands
            shown = {track_of(one): one.piece for mine in parts for one in mine.sightings}
            self._dice = {
                track: (player, die)
                for track, (player, die) in self._dice.items()
                if die < len(hands[player]) and shown.get(track) in (None, hands[player][die])
            }
        if isinstance(event, Rolled | Amend):
            for player, (mine, hand) in enumerate(zip(parts, hands, strict=True)):
                if mine.pieces == tuple(hand):
                    self._dice |= {track_of(one): (player, die) for die, one in enumerate(mine.sightings)}
        if isinstance(event, Rolled):
            self.events = (event,)
            return
        if not self.events:
            return
        self.events = (*self.events, event)
        if isinstance(event, Draw):
            new = [one for one in parts[event.player].sightings if track_of(one) not in self._dice and one.piece == event.face]
            if len(new) == 1:
                self._dice[track_of(new[0])] = event.player, self._count(event.player) - 1

    def _count(self, player: int) -> int:
        rolled, *later = self.events
        assert isinstance(rolled, Rolled)
        return len(rolled.hands[player]) + sum(isinstance(event, Draw) and event.player == player for event in later)

    def die(self, player: int, one: Sighting, face: SetDie, hand: Sequence[SetDie], there: Collection[int]) -> int:
        """Position in a hand of a die that has this face in the game; what another track that is `there` is, this one is not."""
        owner, die = self._dice.get(track_of(one), (-1, 0))
        if owner == player and die < len(hand) and hand[die] == face:
            return die
        taken = {die for track, (owner, die) in self._dice.items() if owner == player and track in there}
        fitting = [die for die, mine in enumerate(hand) if mine == face]
        return next((die for die in fitting if die not in taken), fitting[0])

    def placings(
        self, state: CrosswordState, player: int, lying: Mapping[Cell, Sighting], free: Iterable[int], there: Collection[int]
    ) -> tuple[Placing, ...]:
        """Name the dice of a player among those that lie in a grid; dice that are known to be another's are left out.

        `free` are positions in the hand of dice that may lie there, `there` the tracks of all dice about: what another one of them
        is, none of these is.
        """
        hand, left, found = state.hands[player], list(free), []
        for cell, one in sorted(lying.items()):
            fitting = [die for die in left if hand[die] == one.piece]
            if isinstance(one.piece, SetDie) and fitting and self._dice.get(track_of(one), (player, 0))[0] == player:
                die = self.die(player, one, one.piece, hand, there)
                die = die if die in fitting else fitting[0]
                left.remove(die)
                found.append(Placing(die, *cell))
        return tuple(found)

    def lay(self, state: CrosswordState, player: int, grid: Mapping[Cell, Sighting], there: Collection[int]) -> Lay | None:
        """Give a player's grid as it lies; None where the game has it like that (D14). For the parameters see `placings`."""
        guests = {p.cell for p in state.grids[player] if p.player != player}
        before = {die.cell: die.face for die in state.laid(player) if die.cell not in guests}
        now = {cell: one for cell, one in grid.items() if isinstance(one.piece, SetDie) and cell not in guests}
        old = {p.cell: p.placing.die for p in state.grids[player] if p.player == player}
        stay = {cell: old[cell] for cell, one in now.items() if before.get(cell) == one.piece and cell in old}
        free = [die for die in sorted({*state.spare(player), *old.values()}) if die not in stay.values()]
        new = self.placings(state, player, {cell: one for cell, one in now.items() if cell not in stay}, free, there)
        if not new and len(stay) == len(old):
            return None
        return Lay(player, tuple(sorted((*new, *(Placing(die, *cell) for cell, die in stay.items())), key=lambda one: (one.row, one.col))))


def as_it_was(events: Sequence[Event], player: int, die: int, face: SetDie) -> tuple[Event, ...]:
    """Give the events of a round, from the roll on, with another face of one die; empty where it is not known how the die came.

    `die` is its position in the player's hand: first those of the roll, then each that was drawn.
    """
    meant: list[Event] = []
    count = 0
    for event in events:
        match event:
            case Rolled():
                count = len(event.hands[player])
                if die < count:
                    event = Rolled(swapped(event.hands, player, swapped(event.hands[player], die, face)), at_s=event.at_s)
            case Draw() if event.player == player:
                count += 1
                event = replace(event, face=face) if count == die + 1 else event
            case Amend():
                return ()
        meant.append(event)
    return tuple(meant)
