"""Each SET's life on the table, and which attribute a player finds hardest."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from statistics import median

from visionset.games.sets import find_sets
from visionset.kinds import KIND_SPECS
from visionset.messages import Message
from visionset.pieces import Kind, SetCard
from visionset.recording import KeptLayout
from visionset.report.story import Judgement, Taking

ThreeCards = frozenset[SetCard]


class End(Enum):
    """How a SET left the table."""

    TAKEN = "taken"
    SHARED = "shared"
    """Several called at once and took a card of it, so that nobody keeps it."""
    BROKEN = "broken"
    LEFT = "left"

    @property
    def said(self) -> Message:
        """What became of it."""
        return Message(f"report.end.{self.value}")


@dataclass(frozen=True, slots=True)
class Life:
    """A SET from when its last card lay there to when its first was gone."""

    cards: ThreeCards
    born_s: float
    died_s: float
    frame: int | None = None
    """The settled frame in which it was first seen whole; None where no camera saw it."""
    end: End = End.LEFT
    player: int | None = None
    """Who took it; None where nobody did or the recording does not say."""
    number: int | None = None
    """Place of the event by which it was taken, among those that stand; None as for `player`."""

    @property
    def lasted_s(self) -> float:
        """Seconds on the table."""
        return self.died_s - self.born_s

    @property
    def named(self) -> tuple[SetCard, ...]:
        """The cards in the order of the deck."""
        return tuple(sorted(self.cards, key=lambda card: card.index))


@dataclass(frozen=True, slots=True)
class LifeOptions:
    """How lives are told from flickers."""

    gap_s: float = 2.0
    """A SET that is there again within this many seconds was there all the time: a hand, a misread frame."""
    lift_s: float = 5.0
    """Seconds in which three cards leave when they are taken together; players pick them up one by one."""
    overlooked_s: float = 5.0
    """A SET that lay there for less was not missed: nobody had a chance."""


def lives_of(layouts: Sequence[KeptLayout], takings: Iterable[Taking] = (), options: LifeOptions = LifeOptions()) -> tuple[Life, ...]:
    """Follow every SET through the settled frames, which are in order, and sort them by birth; who took what counts where it is known."""
    there: dict[ThreeCards, Life] = {}
    resting: dict[ThreeCards, Life] = {}
    ended: list[Life] = []
    now: set[ThreeCards] = set()
    last: KeptLayout | None = None
    for layout in layouts:
        if last is None or layout.table is not last.table:  # a still table is one value
            now = {frozenset(trio) for trio in _sets(layout)}
        last = layout
        for trio in now - there.keys():
            before = resting.pop(trio, None)
            if before is not None and layout.time_s - before.died_s > options.gap_s:
                ended.append(before)
                before = None
            there[trio] = before or Life(trio, layout.time_s, layout.time_s, layout.frame)
        for trio in there.keys() - now:
            resting[trio] = replace(there.pop(trio), died_s=layout.time_s)
        for trio in now:
            there[trio] = replace(there[trio], died_s=layout.time_s)
    takings = tuple(taking for taking in takings if taking.cards)
    ended = [_closed(life, layouts, takings, options) for life in (*ended, *resting.values())] + list(there.values())
    return _by_birth(ended)


def _by_birth(lives: Iterable[Life]) -> tuple[Life, ...]:
    return tuple(sorted(lives, key=lambda life: (life.born_s, life.died_s, tuple(card.index for card in life.named))))


def lives_by_events(tables: Sequence[tuple[float, Sequence[SetCard]]], takings: Iterable[Taking] = ()) -> tuple[Life, ...]:
    """Follow every SET through the tables after each event, with their times, and sort them by birth."""
    right = (taking for taking in takings if taking.judgement is not Judgement.WRONG)
    taken = {(taking.judged_by, frozenset(taking.cards)): taking for taking in right}
    there: dict[ThreeCards, Life] = {}
    ended: list[Life] = []
    for number, (time_s, cards) in enumerate(tables):
        now = {frozenset(cards[at] for at in trio) for trio in find_sets(cards)}
        for trio in there.keys() - now:
            ended.append(_ended(replace(there.pop(trio), died_s=time_s), taken.get((number, trio))))
        for trio in now - there.keys():
            there[trio] = Life(trio, time_s, time_s)
    ended += [replace(life, died_s=tables[-1][0]) for life in there.values()]
    return _by_birth(ended)


def missed(lives: Iterable[Life], options: LifeOptions = LifeOptions()) -> tuple[Life, ...]:
    """SETs that lay there long enough and that nobody took, the longest first; those that several took at once are none."""
    lost = (life for life in lives if life.end not in (End.TAKEN, End.SHARED) and life.lasted_s >= options.overlooked_s)
    return tuple(sorted(lost, key=lambda life: -life.lasted_s))


def _sets(layout: KeptLayout) -> Iterable[tuple[SetCard, ...]]:
    cards = [piece if isinstance(piece, SetCard) else None for piece in layout.table.pieces]
    for trio in find_sets(cards):
        yield tuple(card for at in trio if (card := cards[at]) is not None)


def _closed(life: Life, layouts: Sequence[KeptLayout], takings: Sequence[Taking], options: LifeOptions) -> Life:
    for taking in takings:
        is_near = frozenset(taking.cards) == life.cards and abs(taking.time_s - life.died_s) <= options.lift_s
        if is_near and taking.judgement is not Judgement.WRONG:
            return _ended(life, taking)
    if not takings:
        first = bisect_left(layouts, life.died_s, key=lambda layout: layout.time_s)
        after = bisect_right(layouts, life.died_s + options.lift_s, key=lambda layout: layout.time_s)
        if any(life.cards.isdisjoint(layout.table.pieces) for layout in layouts[first:after]):
            return replace(life, end=End.TAKEN)
    return replace(life, end=End.BROKEN)


def _ended(life: Life, taking: Taking | None) -> Life:
    """How a life ended; the taking of its three cards was right, and is None where nobody took them."""
    if taking is None:
        return replace(life, end=End.BROKEN)
    if taking.judgement is Judgement.SHARED:
        return replace(life, end=End.SHARED)
    return replace(life, end=End.TAKEN, player=taking.player, number=taking.number)


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How one attribute treated one player."""

    attribute: str
    wrong: int
    """Wrong takings that this attribute spoilt."""
    same_s: float | None
    different_s: float | None
    """`same_s` and `different_s`: median age of the SETs taken, those alike and those all different in it; None where there were none."""

    @property
    def extra_s(self) -> float:
        """Seconds that all-different SETs took longer; 0 where that cannot be said."""
        return 0.0 if self.same_s is None or self.different_s is None else self.different_s - self.same_s


def difficulties(player: int, lives: Iterable[Life], takings: Iterable[Taking]) -> tuple[Difficulty, ...]:
    """What each attribute cost a player, the hardest first: by wrong takings, then by seconds."""
    own = [life for life in lives if life.player == player]
    wrong = [taking.cards for taking in takings if taking.player == player and taking.judgement is Judgement.WRONG and taking.cards]
    found = []
    for attribute in KIND_SPECS[Kind.SET_CARD].attributes:
        spoilt = sum(len({getattr(card, attribute) for card in cards}) == 2 for cards in wrong)  # two are and one is not (S2)
        ages: dict[bool, list[float]] = {True: [], False: []}
        for life in own:
            ages[len({getattr(card, attribute) for card in life.cards}) == 1].append(life.lasted_s)
        same, different = (median(ages[alike]) if ages[alike] else None for alike in (True, False))
        found.append(Difficulty(attribute, spoilt, same, different))
    return tuple(sorted(found, key=lambda d: (-d.wrong, -d.extra_s)))
