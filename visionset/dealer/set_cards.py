"""SET with cards before the camera: calls by key, three cards that leave, refills, votes and ties (rules S3 to S9)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from visionset.dealer.card_steward import CardSteward, won
from visionset.dealer.naming import all_named
from visionset.dealer.said import AskHint, Call, NoSet, Said
from visionset.dealer.set_layout import Compared, compare, unlike
from visionset.dealer.steward import scores
from visionset.dealer.terms import DealerOptions, Differ, Option, Play, Question, Reading, Told, Unsure, Wait
from visionset.errors import RuleError
from visionset.games import set_cards
from visionset.games.base import DEALER, Amend, Event
from visionset.games.set_cards import Agree, Claim, Deal, GiveUp, Phase, SetCardsState, Take
from visionset.games.sets import find_sets
from visionset.pieces import SetCard
from visionset.table import Table


class SetSteward(CardSteward):
    """SET with players.

    Attributes
    ----------
    hint_costs : bool
        Each hint costs the asker a point.
    """

    def __init__(self, options: DealerOptions = DealerOptions(), hints: bool = False, hint_costs: bool = False) -> None:
        super().__init__(options, hints)
        self.hint_costs = hint_costs
        self._picked_s: float | None = None
        self._turn_s = 0.0
        self._takers: dict[frozenset[SetCard], int] = {}
        self._chosen: dict[frozenset[SetCard], tuple[SetCard, ...]] = {}

    def forget(self) -> None:
        """Drop what is remembered of a call."""
        super().forget()
        self._picked_s = None
        self._takers, self._chosen = {}, {}

    def went_on(self, before: SetCardsState, event: Event, after: SetCardsState, table: Table) -> None:
        """Start the time of the next caller."""
        super().went_on(before, event, after, table)
        self._picked_s = None
        if after.phase is not Phase.CALLED:
            self._takers, self._chosen = {}, {}

    def read(self, state: SetCardsState, table: Table, now_s: float) -> Reading:
        """Tell what was dealt, who took what, and what is wrong."""
        if state.phase is Phase.DEAL:
            closed = {"table": tuple(card for card in state.table if card is not None), "phase": Phase.OPEN, "claims": (), "agreed": ()}
            return self._dealing(state, table, Deal, closed)
        seen = compare(state.table, table)
        self._spots.see({card: one for card, one in seen.lying.items() if card in state.table})
        if state.phase is Phase.CALLED:
            return self._called(state, table, seen, now_s)
        back = self._going_back(state, seen, f"{DEALER} ({state.players[state.dealer]})")
        if back is not None:
            return back
        if seen.unread and (seen.gone or seen.new):
            return Unsure(seen.unread)
        right = self._as_it_lies(state, table, seen, {"claims": (), "agreed": (), "phase": Phase.OPEN})
        differ = unlike(state.table, seen, self._spots, table, frozenset(won(state)), right)
        if differ is not None and len(seen.gone) == 3 and not seen.new:
            return replace(differ, text=f"{differ.text}: whoever took them presses the key now", a_call_settles=True)
        return differ

    def _called(self, state: SetCardsState, table: Table, seen: Compared, now_s: float) -> Reading:
        waiting = [claim for claim in state.claims if not (claim.cards or claim.is_late)]
        shown = {place for claim in state.claims for place in claim.cards}
        fresh = tuple(place for place in seen.gone if place not in shown)
        first = waiting[0]
        if seen.twice or seen.new:
            if seen.unread:
                return Unsure(seen.unread)
            void = self._as_it_lies(state, table, seen, {"claims": (), "agreed": (), "phase": Phase.OPEN})
            return unlike(state.table, seen, self._spots, table, frozenset(won(state)), void)
        if self._picked_s is None and len(table.sightings) <= len(state.table) - len(shown) - 3:
            self._picked_s = now_s - self.options.settle_s
        if seen.unread and fresh:
            return Unsure(seen.unread)
        if len(waiting) > 1 and len(fresh) in (3, 6):
            return self._tied(state, waiting, fresh, now_s)
        if len(fresh) == 3:
            return Play(self._take(state, first, fresh, now_s))
        if len(fresh) > 3 * len(waiting):
            text = f"{len(fresh)} cards have left the table and a SET has three: put the others back"
            missing = self._spots.ghosts([state.table[place] for place in fresh])
            return Differ(text, missing=missing, table_right=(GiveUp(first.player, at_s=self._at(state, first, now_s)),))
        limit = state.options.take_limit_s
        begins = max(first.called_s, self._turn_s if shown else 0.0)
        then = self._at_the_limit(state, first, fresh, shown)
        names = " or ".join(state.players[claim.player] for claim in waiting)
        text = "pick up your three cards" if not shown else "pick up your cards; press your key again if it is the same SET"
        return Wait(text, names, until_s=begins + limit + self.options.settle_s, then=(then,))

    def _take(self, state: SetCardsState, claim: Claim, places: tuple[int, ...], now_s: float) -> Take:
        self._turn_s = now_s
        return Take(claim.player, places, at_s=self._at(state, claim, now_s))

    def _at(self, state: SetCardsState, claim: Claim, now_s: float) -> float:
        """When the caller was done: when the hand left; who had to wait for another caller loses no time by that (S4, S6)."""
        done_s = now_s - self.options.settle_s if self._picked_s is None else self._picked_s
        limit = state.options.take_limit_s
        if any(other.cards or other.is_late for other in state.claims) and done_s - self._turn_s <= limit:
            done_s = min(done_s, claim.called_s + limit)
        return max(state.clock_s, done_s)

    def _at_the_limit(self, state: SetCardsState, claim: Claim, fresh: tuple[int, ...], shown: set[int]) -> Event:
        """What an overdue caller gets; in a tie the cards that make a SET with those in the other caller's hand count (S6)."""
        over_s = max(state.clock_s, claim.called_s + state.options.take_limit_s)
        if fresh:
            mine = set(fresh)
            whole = next((trio for trio in find_sets(state.table) if mine < set(trio) <= mine | shown), None)
            if whole is not None:
                return Take(claim.player, whole, at_s=over_s)
        return GiveUp(claim.player, at_s=over_s)

    def _tied(self, state: SetCardsState, waiting: list[Claim], fresh: tuple[int, ...], now_s: float) -> Reading:
        """Find out whose cards left after a tie of calls (S6)."""
        cards = frozenset(card for place in fresh if (card := state.table[place]) is not None)
        if len(fresh) == 6:
            return self._both(state, waiting, fresh, cards, now_s)
        if cards in self._takers:
            claim = next(claim for claim in waiting if claim.player == self._takers[cards])
            return Play(self._take(state, claim, fresh, now_s))
        options = tuple(Option(state.players[claim.player], claim.player) for claim in waiting)
        return Question(("taker", cards), f"Who took {all_named(sorted(cards, key=str))}?", options)

    def _both(self, state: SetCardsState, waiting: list[Claim], fresh: tuple[int, ...], cards: frozenset[SetCard], now_s: float) -> Reading:
        sets = [trio for trio in combinations(fresh, 3) if trio in find_sets(state.table)]
        parted = next((one for one in sets if tuple(place for place in fresh if place not in one) in sets), None)
        mine = parted if parted is not None else None if sets else fresh[:3]
        if mine is None and cards in self._chosen:
            mine = tuple(place for place in fresh if state.table[place] in self._chosen[cards])
        if mine is not None:
            return Play(self._take(state, waiting[0], mine, now_s))
        ways = [*sets, *(tuple(place for place in fresh if place not in one) for one in sets)]
        name = state.players[waiting[0].player]
        options = tuple(
            Option(all_named(state.table[place] for place in way), tuple(state.table[place] for place in way)) for way in ways[:9]
        )
        return Question(("trio", cards), f"Which three did {name} take?", options)

    def answered(self, question: Question, option: Option) -> None:
        """Learn who took what in a tie."""
        kind, cards = question.key
        if kind == "taker":
            self._takers[cards] = option.value  # type: ignore[index, assignment]
        else:
            self._chosen[cards] = option.value  # type: ignore[index, assignment]

    def hear(self, state: SetCardsState, said: Said, table: Table, now_s: float) -> tuple[Event, ...]:
        """Take calls, votes and requests for hints."""
        at_s = max(state.clock_s, now_s)
        match said:
            case Call():
                return self._call(state, said.player, at_s)
            case NoSet():
                return (Agree(said.player, at_s=at_s),)
            case AskHint():
                if state.phase is not Phase.OPEN:
                    raise state.refusal("S2", "asking for a hint")
                self._hint(state, said.player)
                if self.hint_costs:
                    lost = tuple(value + (place == said.player) for place, value in enumerate(state.errors))
                    return (Amend.of(f"{state.players[said.player]} asked for a hint: -1", errors=lost),)
                return ()
        return super().hear(state, said, table, now_s)

    def _call(self, state: SetCardsState, player: int, at_s: float) -> tuple[Event, ...]:
        if self._returning:
            raise RuleError("rule S5: the cards of the last call have to lie again first")
        mine = next((claim for claim in state.claims if claim.player == player), None)
        other = next((claim for claim in state.claims if claim.cards and claim.player != player), None)
        if mine is not None and other is not None and not mine.cards and not mine.is_late:
            return (Take(player, other.cards, at_s=self._at(state, mine, at_s)),)
        return (set_cards.Call(player, at_s=at_s),)

    def told(self, state: SetCardsState, now_s: float) -> tuple[Told, ...]:
        """What is to do, with the hint that was asked for."""
        hint = self._hints.told(state.players)
        if state.phase is Phase.CALLED:
            return hint
        return (*(Told(prompt.to, prompt.text) for prompt in state.prompts), *hint)

    def status(self, state: SetCardsState, now_s: float) -> tuple[str, ...]:
        """Scores, the deal, the caller's time."""
        lines = [*scores(state), f"round {len(state.finished) + 1}\t{state.players[state.dealer]} deals", f"pack\t{state.pack_left}"]
        lines += [f"{state.players[p]}\tsays there is no SET" for p in state.agreed]
        for claim in state.claims:
            if not (claim.cards or claim.is_late):
                begins = max(claim.called_s, self._turn_s if any(other.cards for other in state.claims) else 0.0)
                lines.append(f"{state.players[claim.player]} called\t{max(0.0, begins + state.options.take_limit_s - now_s):.1f} s")
        return (*lines, *self._hints.status(state.players))
