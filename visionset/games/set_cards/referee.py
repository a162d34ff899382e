"""SET with cards before the camera: calls by key, three cards that leave, refills, votes and ties (rules S3 to S9).

Longer than most modules: a call, what is taken by it and what is asked about it hang on the same few fields.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import combinations
from typing import Any, cast

from visionset.errors import RuleError
from visionset.games.base import EVERYONE, Amend, Event, by_rule
from visionset.games.card_table.places import wanted_cards
from visionset.games.card_table.referee import CardReferee
from visionset.games.card_table.spots import Compared, compare_layout
from visionset.games.card_table.takes import (
    Trio,
    cards_at,
    held_by_several,
    lying_unseen,
    parted,
    sets_among,
    taken_first,
    tied_with_unseen,
    with_unseen,
)
from visionset.games.game import History
from visionset.games.set_cards.rules import Agree, Call, Claim, GiveUp, PayForHint, Phase, SetCardsState, Take
from visionset.games.sets import find_sets
from visionset.messages import Message, Words
from visionset.pieces import Kind, Piece, SetCard
from visionset.referee.game_referee import RefereeOptions
from visionset.referee.player_input import AskHint, CallSet, NoSet, Said
from visionset.referee.recall import steps
from visionset.referee.rulings import Differ, Option, Play, Question, Ruling, Unsure, Wait
from visionset.referee.shown import Told, scores
from visionset.referee.sightings import distance_px, track_of, tracks_of
from visionset.table import Change, Sighting, Table, TurnedOver


class SetCardsReferee(CardReferee):
    """SET with players."""

    heard = frozenset({"set", "no_set"})

    take, call, give_up = Take, (Call,), (GiveUp,)

    def __init__(self, options: RefereeOptions = RefereeOptions(), hints: bool = False, hint_costs: bool = False) -> None:
        super().__init__(options, hints)
        self.hint_costs = hint_costs
        self._turn_s = 0.0
        self._is_stopped = False
        self._late_until_s: float | None = -math.inf
        self._lifted: frozenset[SetCard] = frozenset()
        self._lay_at: dict[Piece, Sighting] = {}
        self._turned_down: set[int] = set()  # tracks of cards that show a back since the call
        self._takers: dict[frozenset[SetCard], int] = {}
        self._declined: frozenset[frozenset[SetCard]] = frozenset()
        self._asked: tuple[frozenset[SetCard], float] | None = None
        self._before_answer: tuple[dict[frozenset[SetCard], int], frozenset[frozenset[SetCard]], frozenset[SetCard]] | None = None

    def forget(self) -> None:
        """Drop what is remembered of a call."""
        super().forget()
        self._is_stopped, self._late_until_s = False, -math.inf
        self._takers, self._declined, self._before_answer, self._asked = {}, frozenset(), None, None

    def is_midway(self, state: SetCardsState) -> bool:
        """A call and what is taken by it are one."""
        return state.phase is Phase.CALLED

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """The pause is nobody's time, and hints that were paid for are known still."""
        self._turn_s = history.state.clock_s
        known = super().resumed(history, table)
        for before, event, after in steps(history):
            if before.table != after.table:
                self._hints.forget()
            if isinstance(event, PayForHint):
                self._hints.next(after.table, event.player)
        return known

    def changed(self, changes: Sequence[Change]) -> None:
        """Learn which cards show a back, and which a face again."""
        for one in (one for one in changes if isinstance(one, TurnedOver)):
            if one.after.kind is Kind.CARD_BACK:
                self._turned_down.add(track_of(one.after))
            else:
                self._turned_down.discard(track_of(one.after))

    def corrected(self, after: SetCardsState, table: Table) -> None:
        """What was answered before a dispute is not what was said last."""
        super().corrected(after, table)
        self._before_answer = None

    def went_on(self, before: SetCardsState, event: Event, after: SetCardsState, table: Table) -> None:
        """Drop the answers about a call that is judged."""
        super().went_on(before, event, after, table)
        self._before_answer = None
        self._late_until_s = None if isinstance(event, GiveUp) else -math.inf
        if isinstance(event, Call):
            self._lifted = cards_at(after.table, range(len(after.table))) - {one.piece for one in table.sightings}
            self._lay_at = {one.piece: one for one in table.sightings if one.piece is not None}
            self._turned_down = set()
            self._is_stopped = True  # the call may have waited for cards to be read, which is nobody's time
        if isinstance(event, Agree):  # nobody votes before all cards lie there again
            self._returning = frozenset()
        if isinstance(event, Take):
            self._owed |= frozenset(before.judged(event)) & frozenset(after.off_table) & {one.piece for one in table.sightings}
        if after.phase is not Phase.CALLED:
            self._is_stopped = False
            self._takers, self._declined = {}, frozenset()

    def read(self, state: SetCardsState, table: Table, now_s: float) -> Ruling:
        """Tell what was dealt, who took what, and what is wrong."""
        owed = self._to_be_taken(state, table)
        if owed is not None:
            self._is_stopped = state.phase is Phase.CALLED
            return owed
        if state.phase is Phase.DEAL:
            closed = {"table": tuple(card for card in state.table if card is not None), "phase": Phase.OPEN, "claims": (), "agreed": ()}
            return self._dealing(state, table, closed)
        seen = self._compared(state, table)
        if state.phase is Phase.CALLED:
            reading = self._called(state, table, seen, now_s)
            self._is_stopped = isinstance(reading, Differ | Unsure | Question)
            return reading
        if not seen.gone:  # an answer of who took what is of no more use
            self._before_answer = None
        if self._late_until_s is None:  # a hand that was there when the time ran out may take cards all the same
            is_there = now_s - state.clock_s >= self.options.settle_s + self.options.hand_s
            self._late_until_s = now_s + self.options.hand_s if is_there else -math.inf
        if not seen.new and now_s <= self._late_until_s:
            self._returning |= cards_at(state.table, seen.gone)
        back = self._going_back(state, seen, EVERYONE)  # nobody can call before
        if back is not None:
            return back
        if seen.unread and (seen.gone or seen.new):
            return Unsure(seen.unread)
        trio = None if seen.twice else taken_first(state.table, with_unseen(state.table, seen), seen.new, self._spots)
        if trio is not None:
            return self._whose(state, cards_at(state.table, trio), now_s)
        differ = self._unlike(state, table, seen)
        if differ is not None and 0 < len(seen.gone) <= 3 and not seen.new:
            return replace(differ, a_call_settles=True)
        return differ

    def _going_on(self, is_dealing: bool) -> dict[str, Any]:
        return {"phase": Phase.DEAL if is_dealing else Phase.OPEN, "look_again": False}

    def _unlike(self, state: SetCardsState, table: Table, seen: Compared) -> Differ | None:
        return self._layout_differs(state, table, seen, {"claims": (), "agreed": (), "phase": Phase.OPEN})

    def _whose(self, state: SetCardsState, cards: frozenset[SetCard], now_s: float) -> Ruling:
        """Find out who took three cards without a call: the call is made up for (S4)."""
        if cards in self._takers:
            return Play(Call(self._takers[cards], at_s=max(state.clock_s, now_s)))
        if self._asked is None or self._asked[0] != cards:
            self._asked = cards, now_s
        options = tuple(Option(state.players[player], player) for player in state.callers)
        return Question(
            ("whose", cards), Message("set.ask.who_took", pieces=tuple(sorted(cards, key=str))), options, none=Message("set.answer.nobody")
        )

    def _called(self, state: SetCardsState, table: Table, seen: Compared, now_s: float) -> Ruling:
        waiting = [claim for claim in state.claims if claim.is_open]
        shown = {place for claim in state.claims for place in claim.cards}
        fresh = tuple(place for place in seen.gone if place not in shown)
        if len(state.claims) > 1 and (shown or len(fresh) > 1):  # people say whose: nobody else gets them when the first is late
            seen = replace(seen, lying={card: self._unseen_if_covered(one) for card, one in seen.lying.items()})
        whole = tuple(place for place in with_unseen(state.table, replace(seen, gone=fresh)) if place not in shown)
        void = Amend.of(Message("set.agreed.void"), claims=(), phase=Phase.OPEN)
        if not seen.twice:
            if seen.unread and (fresh or seen.new):
                return Unsure(seen.unread)
            reading: Ruling = self._known(state, waiting, {*whole, *shown, *lying_unseen(state.table, seen)}, now_s)
            if reading is None and len(waiting) > 1:
                reading = self._tied(state, waiting, whole, seen, now_s)
            elif reading is None:  # who is alone may be about to take a third card that is seen, unless others are dealt for it
                is_dealt = len(fresh) + len(seen.new) > 2  # a single one may be misread
                reading = self._alone(state, waiting, self._with_covered(state, fresh, seen) if is_dealt else fresh, seen, now_s)
            if reading is not None:
                return replace(reading, game_right=(void,)) if isinstance(reading, Differ) else reading
        # a back may be a new card in the place of one that was taken, or that one turned over: its face will tell
        is_down = not self._turned_down.isdisjoint(tracks_of(table.sightings))
        if not is_down and (seen.twice or len(seen.new) > len(shown) or (seen.new and fresh and not shown)):
            differ = self._unlike(state, table, seen)
            return None if differ is None else replace(differ, game_right=(void,))
        first = waiting[0]
        if len(waiting) == 1 and len(fresh) == 2 and (shared := self._with_shared(state, fresh, shown)) is not None:
            return self._take(state, first, shared, now_s)
        moved = self._moved(state, table) if len(state.claims) == 1 else ()
        taken = fresh if moved else self._with_covered(state, whole, seen)
        then = self._at_the_limit(state, first, taken, (shown, lying_unseen(state.table, seen)), moved, now_s)
        names = tuple(state.players[claim.player] for claim in waiting)
        text = Message("set.text.pick_up") if not shown else Message("set.text.pick_up_tied")
        if moved:
            text = Message("set.text.out_of_picture")
        until_s = self._until_s(state, first, now_s)
        if is_down and now_s >= until_s:
            return Wait(Message("set.text.face_down"), then=(then,))
        ends = () if is_down else (then,)
        return Wait(text, Message("to.either", names=names), until_s=until_s, then=ends, is_own_time=isinstance(then, GiveUp))

    def _known(self, state: SetCardsState, waiting: list[Claim], gone: set[int], now_s: float) -> Play | None:
        """Play what people said about who took what."""
        for cards, player in self._takers.items():
            places = tuple(place for place, card in enumerate(state.table) if card in cards)
            claim = next((claim for claim in waiting if claim.player == player), None)
            if claim is not None and gone.issuperset(places) and len(places) == 3:
                return self._take(state, claim, places, now_s)
        return None

    def _alone(self, state: SetCardsState, waiting: list[Claim], fresh: Trio, seen: Compared, now_s: float) -> Ruling:
        """Tell which cards the only caller took; None while too few are gone."""
        first, (caller,) = cards_at(state.table, fresh), waiting
        trio = None if len(fresh) > 5 else taken_first(state.table, fresh, seen.new, self._spots)
        wanted = wanted_cards(len(state.table) - 3, state.pack_left)
        is_half_dealt = len(fresh) == 3 and 0 < len(seen.new) < wanted  # or a card is misread
        is_others = 0 < len(first & self._lifted) < 3 and not sets_among(state.table, fresh)
        if trio is not None and cards_at(state.table, trio) in self._declined:  # people said that the caller did not take them
            return None
        if trio is not None and seen.new and not sets_among(state.table, trio) and self._may_be_covered(state, trio, seen):
            return None
        if trio is not None and (is_half_dealt or is_others):
            to = state.dealer_named if is_half_dealt else EVERYONE
            text = (
                Message("set.text.deal")
                if is_half_dealt
                else Message("set.text.unless_caller", pieces=tuple(sorted(first & self._lifted, key=str)))
            )
            take = Take(caller.player, trio, at_s=self._at(state, now_s))
            return Wait(text, to, until_s=self._until_s(state, caller, now_s), then=(take,))
        if trio is not None:
            return self._take(state, caller, trio, now_s)
        if len(fresh) == 6 and sets_among(state.table, fresh) and first not in self._declined:
            return self._which(state, caller, fresh)
        if len(seen.gone) > 3 * len(state.claims):
            text = Message("set.text.too_many_gone", count=len(fresh))
            missing = self._spots.ghosts([state.table[place] for place in fresh])
            return Differ(text, missing=missing, table_right=(GiveUp(caller.player, at_s=self._at(state, now_s)),))
        return None

    def _take(self, state: SetCardsState, claim: Claim, places: Trio, now_s: float) -> Play:
        self._turn_s = now_s
        return Play(Take(claim.player, places, at_s=self._at(state, now_s)))

    def _begins_s(self, claim: Claim) -> float:
        """When the time of a caller begins: who had to wait for another caller, or for an answer, loses none by that (S4, S6)."""
        return max(claim.called_s, self._turn_s)

    def _until_s(self, state: SetCardsState, claim: Claim, now_s: float) -> float:
        """When the time of a caller is over; what was asked or put right meanwhile takes none of it."""
        if self._is_stopped:
            self._turn_s = now_s
        return self._begins_s(claim) + state.options.take_limit_s + self.options.settle_s

    def _at(self, state: SetCardsState, now_s: float) -> float:
        """When a caller was done: before anybody's time ran out, since the waiting ends the call of who is late, hands and all (S4)."""
        called_s = min(claim.called_s for claim in state.claims if claim.is_open)
        return max(state.clock_s, min(now_s - self.options.settle_s, called_s + state.options.take_limit_s))

    def _with_shared(self, state: SetCardsState, fresh: Trio, shown: set[int], unseen: Set[int] = frozenset()) -> Trio | None:
        """The SET of cards that one caller of a tie has lifted with some that the other one holds (S6), or that nobody sees.

        None that people said nobody who waits took.
        """
        mine = set(fresh)
        ways = [trio for trio in find_sets(state.table) if mine < set(trio) <= mine | shown | unseen and shown & set(trio)]
        ways = sorted((one for one in ways if cards_at(state.table, one) not in self._declined), key=lambda trio: len(unseen & set(trio)))
        return ways[0] if ways and (len(ways) == 1 or not unseen & set(ways[0])) else None

    def _moved(self, state: SetCardsState, table: Table) -> Trio:
        """Places of up to three cards that the only caller has laid elsewhere, where the camera still sees them."""
        lying = {one.piece: one for one in table.sightings}
        moved = []
        for place, card in enumerate(state.table):
            one, before = lying.get(card), self._lay_at.get(card) if card is not None else None
            if one is not None and before is not None and distance_px(one.outline_px, before.outline_px) > before.long_side_px:
                moved.append(place)
        return tuple(moved) if len(moved) <= 3 else ()

    def _unseen_if_covered(self, one: Sighting) -> Sighting:
        """A card as if people had said that it lies there, where something lies in its place."""
        return replace(one, track=-1) if one.track in self._covered else one

    def _with_covered(self, state: SetCardsState, gone: Trio, seen: Compared) -> Trio:
        """With cards that are gone the others of their SET, where something lies in their places, which may have come as they left."""
        others = {place for place, card in enumerate(state.table) if card in seen.lying and track_of(seen.lying[card]) in self._covered}
        least = 1 if len(state.claims) == 1 else 2  # of one card nobody knows which of two callers has it
        ways = [trio for trio in find_sets(state.table) if len(gone) >= least and set(gone) < set(trio) <= {*gone, *others}]
        return ways[0] if len(ways) == 1 else gone

    def _may_be_covered(self, state: SetCardsState, trio: Trio, seen: Compared) -> bool:
        """Whether a card that nobody sees makes a SET with two of three cards that make none: the other one may lie there misread."""
        return any(self._with_covered(state, two, seen) != two for two in combinations(trio, 2))

    def _at_the_limit(
        self, state: SetCardsState, claim: Claim, gone: Trio, besides: tuple[set[int], set[int]], moved: Trio, now_s: float
    ) -> Event:
        """What an overdue caller gets; cards that nobody sees count, and in a tie those that make a SET with the other caller's (S6)."""
        taken = tuple(sorted({*gone, *moved}))
        if len(taken) == 3 and cards_at(state.table, taken) not in self._declined:
            return Take(claim.player, taken, at_s=self._at(state, now_s))
        if gone and (whole := self._with_shared(state, gone, *besides)) is not None:
            return Take(claim.player, whole, at_s=self._at(state, now_s))
        return GiveUp(claim.player, at_s=max(state.clock_s, claim.called_s + state.options.take_limit_s))

    def _tied(self, state: SetCardsState, waiting: list[Claim], fresh: Trio, seen: Compared, now_s: float) -> Ruling:
        """Find out whose cards left after a tie of calls (S6); None while too few are gone."""
        sets, cards = sets_among(state.table, fresh), cards_at(state.table, fresh)
        if len(fresh) == 5 and len(sets) == len(waiting):  # each has one of them, and the card that both share is in one hand
            for claim, trio in zip(waiting, sets, strict=False):
                self._takers[cards_at(state.table, trio)] = claim.player
            return self._known(state, waiting, set(fresh), now_s)
        shown = {place for claim in state.claims for place in claim.cards}
        several = held_by_several(state.table, fresh, shown, len(waiting)) if len(state.claims) > 2 else ()
        if len(fresh) == 6 and not (sets or several):  # nobody has a SET, whosever the cards are, unless one that lies there is misread
            if 0 < len(seen.new) < 3:
                return None
            return self._take(state, waiting[0], fresh[:3], now_s)
        if cards in self._declined:
            return None
        if len(fresh) in (4, 5) and not sets:
            ways = tied_with_unseen(state.table, fresh, seen)
        elif len(fresh) == 6:
            ways = parted(state.table, fresh)
        else:
            ways = sets if len(sets) == 1 else (fresh,) if len(fresh) == 3 else ()
        ways = tuple(dict.fromkeys((*several, *ways)))
        if len(fresh) == 6 and not ways:
            return self._which(state, waiting[0], fresh)
        whole = next((one for trio in ways if (one := cards_at(state.table, trio)) not in self._declined), None)
        if whole is None and ways:
            self._declined |= {cards}  # and so it stays when one of them is late
        if whole is None:
            return None
        options = tuple(Option(state.players[claim.player], claim.player) for claim in waiting)
        return Question(
            ("taker", whole), Message("set.ask.who_took", pieces=tuple(sorted(whole, key=str))), options, none=Message("set.answer.neither")
        )

    def _which(self, state: SetCardsState, claim: Claim, fresh: Trio) -> Question:
        """Ask which of six cards a caller took: SETs, and what is left beside them."""
        sets = sets_among(state.table, fresh)
        ways = dict.fromkeys([*sets, *(tuple(place for place in fresh if place not in one) for one in sets)])
        options = tuple(
            Option(Message("game.pieces", pieces=tuple(state.table[place] for place in way)), (claim.player, cards_at(state.table, way)))
            for way in list(ways)[:9]
        )
        text = Message("set.text.which_three", player=state.players[claim.player])
        return Question(("trio", cards_at(state.table, fresh)), text, options, none=Message("referee.answer.none_of_these"))

    def answered(self, question: Question, option: Option) -> None:
        """Learn who took what."""
        kind, cards = cast(tuple[str, frozenset[SetCard]], question.key)
        self._before_answer = (dict(self._takers), self._declined, self._returning)
        if option.value is None and kind == "whose":
            self._returning |= cards
        elif option.value is None:
            self._declined |= {cards}
        elif kind == "trio":
            player, cards = cast(tuple[int, frozenset[SetCard]], option.value)
            self._takers[cards] = player
        else:
            self._takers[cards] = cast(int, option.value)

    def unsay(self) -> Words:
        """Forget the last answer about who took what, where no event has come of it."""
        if self._before_answer is None:
            return ""
        (self._takers, self._declined, self._returning), self._before_answer = self._before_answer, None
        return Message("referee.notice.asked_again")

    def put_away(self) -> bool:
        """Show no hint any more."""
        return self._hints.put_away()

    def hear(self, state: SetCardsState, said: Said, table: Table, now_s: float) -> tuple[Event, ...]:
        """Take calls, votes and requests for hints."""
        at_s = max(state.clock_s, now_s)
        match said:
            case CallSet():
                return self._call(state, said.player, table, at_s)
            case NoSet():
                if state.phase is Phase.OPEN:
                    self.expect_all(state, table, "S8")
                return (Agree(said.player, at_s=at_s),)
            case AskHint():
                if state.phase is not Phase.OPEN:
                    raise state.refusal("S2", "set.tried.asking_hint")
                if not self.hint_costs:
                    self._hint(state, None)  # a free one is for all
                    return ()
                paid = PayForHint(said.player, at_s=at_s)
                state.after(paid)  # who cannot pay, such as a dealer who sits out, is given none
                self._hint(state, said.player)
                return (paid,)
        return super().hear(state, said, table, now_s)

    def _call(self, state: SetCardsState, player: int, table: Table, at_s: float) -> tuple[Event, ...]:
        if self._returning - {one.piece for one in table.sightings}:
            raise RuleError(by_rule("S5", Message("set.refused.cards_lie_first")))
        seen = compare_layout(state.table, table)
        if state.phase is Phase.OPEN and (trio := taken_first(state.table, with_unseen(state.table, seen), seen.new, self._spots)):
            cards = cards_at(state.table, trio)
            is_asked = self._asked is not None and self._asked[0] == cards and at_s >= self._asked[1]
            if seen.new or is_asked:  # the call may be that of somebody who sees another SET
                raise RuleError(by_rule("S4", Message("set.refused.say_who_took", pieces=tuple(sorted(cards, key=str)))))
        mine = next((claim for claim in state.claims if claim.player == player), None)
        other = next((claim for claim in state.claims if claim.cards and claim.player != player), None)
        if mine is not None and other is not None and not mine.cards and not mine.is_late:
            return (Take(player, other.cards, at_s=self._at(state, at_s)),)
        if mine is not None and mine.is_open and not mine.cards:  # whoever is eager presses twice
            return ()
        return (Call(player, at_s=at_s),)

    def told(self, state: SetCardsState, now_s: float) -> tuple[Told, ...]:
        """What is to do, with the hint that was asked for; of a call its time is shown."""
        told = self._hints.told() if state.phase is Phase.CALLED else super().told(state, now_s)
        return (*told, Told(EVERYONE, Message("set.text.misread"))) if state.look_again else told

    def is_timed(self, state: SetCardsState) -> bool:
        """While somebody's call runs."""
        return bool(state.claims)

    def status(self, state: SetCardsState, now_s: float) -> tuple[Words, ...]:
        """Scores, the deal, the caller's time."""
        deals = Message("set.status.deals" if state.options.dealer_plays else "set.status.sits_out", player=state.players[state.dealer])
        lines = [
            *scores(state),
            Message("set.status.round", number=len(state.finished) + 1, deals=deals),
            Message("set.status.pack", pack_left=state.pack_left),
        ]
        lines += [Message("set.status.says_no_set", player=state.players[p]) for p in state.agreed]
        for claim in state.claims:
            if claim.is_open:
                left_s = self._begins_s(claim) + state.options.take_limit_s - now_s
                lines.append(Message("set.status.called_s", player=state.players[claim.player], points=max(0.0, left_s)))
        return (*lines, *self._hints.status(state.players))


make_referee = SetCardsReferee.made
