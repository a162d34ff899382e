"""SET cards before the camera, whatever game is played with them: refills, cards that go back, won ones that still lie there, hints.

Longer than most modules: what is dealt, goes back or is put right by people hangs on the same few fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from visionset.errors import RuleError
from visionset.games.base import DEALER, EVERYONE, Amend, Event, Hint, by_rule, together, trios
from visionset.games.card_table.hints import STRONGEST, hint
from visionset.games.card_table.places import Deal, Discard, LayoutState, Places, wanted_cards
from visionset.games.card_table.spots import Compared, Spots, compare_layout, lies_at, replaced_in_place
from visionset.games.card_table.takes import cards_at, parted
from visionset.games.correction import Correct, piece_code, read_off
from visionset.games.game import History
from visionset.games.sets import find_sets
from visionset.geometry import Floats
from visionset.messages import Message, Words
from visionset.pieces import SET_DECK, Kind, Piece, SetCard
from visionset.referee.evidence import seen_as
from visionset.referee.game_referee import GameReferee, RefereeOptions
from visionset.referee.recall import as_before, have_left
from visionset.referee.rulings import Differ, Exhibit, Lying, Play, Ruling, Unsure, Wait
from visionset.referee.shown import Mark, Told, Tone, outlined, zone_marks
from visionset.referee.sightings import at, distance_px, reaches_out, track_of, tracks_of
from visionset.referee.zones import HEAP_ZONE, PACK_ZONE, Zones
from visionset.table import Sighting, Table


class Hints:
    """The hint that is shown now, and how many each player asked for."""

    def __init__(self) -> None:
        self._level = 0
        self._hint: Hint | None = None
        self._asked: Counter[int] = Counter()

    def next(self, cards: Sequence[SetCard | None], player: int | None) -> None:
        """Give the next stronger hint, that this player has asked for, or nobody alone."""
        self._level = min(self._level + 1, STRONGEST)
        self._hint = hint(cards, self._level, seed=len(cards))
        if player is not None:
            self._asked[player] += 1

    def forget(self) -> None:
        """The table is another one: the next hint is a weak one again."""
        self._level, self._hint = 0, None

    def put_away(self) -> bool:
        """Show it no longer, whether one is shown; the next one is stronger all the same."""
        was, self._hint = self._hint is not None, None
        return was

    def told(self) -> tuple[Told, ...]:
        """The hint in words."""
        return () if self._hint is None else (Told(EVERYONE, self._hint.message),)

    def marks(self, cards: Sequence[SetCard | None], table: Table) -> tuple[Mark, ...]:
        """Outlines of the cards that it gives away."""
        if self._hint is None:
            return ()
        wanted = {cards[place] for place in self._hint.at}
        return outlined(table, tracks_of(one for one in table.sightings if one.piece in wanted), Tone.HINT)

    def status(self, players: Sequence[str]) -> tuple[Words, ...]:
        """How many hints each player asked for."""
        return tuple(Message("set.status.hints", player=players[player], count=count) for player, count in sorted(self._asked.items()))


class CardReferee(GameReferee):
    """What all games with a layout of SET cards share: places, refills, cards that go back, hints."""

    take: type[Any]
    """Three cards leave the table; its ``at`` tells their places."""
    call: tuple[type[Event], ...] = ()
    give_up: tuple[type[Event], ...] = ()
    """`call` and `give_up`: somebody will take cards, and takes none in the end; empty where nobody calls."""
    kinds = frozenset({Kind.SET_CARD})
    is_face_up = True
    zones: Zones = Zones(())
    optional_zones = (PACK_ZONE, HEAP_ZONE)
    zones_file = "card-zones.toml"

    def __init__(self, options: RefereeOptions = RefereeOptions(), hints: bool = False) -> None:
        super().__init__(options, hints)
        self._spots = Spots()
        self._returning: frozenset[SetCard] = frozenset()
        self._gone: frozenset[SetCard] = frozenset()  # when it looked last
        self._places: Places = ()  # of the game at that time
        self._recalled: frozenset[SetCard] = frozenset()
        self._won: frozenset[Piece] = frozenset()  # or thrown away
        self._owed: frozenset[SetCard] = frozenset()
        self._covered: frozenset[int] = frozenset()  # tracks of cards on which something lies: nobody sees them leave
        self._under: frozenset[Piece] = frozenset()  # cards among those to be taken that may lie there covered, or may have left
        self._stale: frozenset[int] = frozenset()  # tracks of cards of the round before
        self._there: frozenset[int] = frozenset()  # tracks of all cards that lie there, also of such as are not in play
        self._aside: frozenset[int] = frozenset()  # of those that reach out of the picture and are none of the game's
        self._hints = Hints()

    def forget(self) -> None:
        """Drop what is remembered of cards that go back; a won card that nobody sees is none."""
        self._returning, self._stale, self._owed = frozenset(), self._stale & self._covered, self._owed & self._under

    def ask_again(self) -> None:
        """Cards that are gone may be those of what was taken back."""
        self._returning = frozenset()

    def follow_view(self, image_from_before: Floats) -> None:
        """Look for the places of cards where they are in the picture now."""
        self._spots.follow_view(image_from_before)

    def covered(self, tracks: frozenset[int]) -> None:
        """Learn on which cards something lies."""
        self._covered = tracks

    def in_play(self, table: Table) -> Table:
        """The table without cards of pack and heap, where people have said where those lie, and without won ones that nobody sees.

        It lacks those, too, that people have laid across the edge of the picture once they were won.
        """
        lying = list(table.sightings)
        if self.zones.zones:
            lying = [one for one in lying if not self.zones.at(one.center_px, table.size_px, self.profile)]
        self._there = frozenset(tracks_of(lying))
        under = [one for one in lying if one.track in self._covered and (one.piece in self._owed or one.track in self._stale)]
        self._under = frozenset(one.piece for one in under if one.piece is not None)
        self._aside = self._laid_aside(lying, table.size_px)
        return replace(table, sightings=tuple(one for one in lying if one not in under and one.track not in self._aside))

    def _laid_aside(self, lying: Sequence[Sighting], size_px: tuple[int, int]) -> frozenset[int]:
        """Tracks of cards that reach out of the picture and were won, or cannot be read and came while no card of the game was missing.

        Cards that are gone and fall into SETs are not missing: those are won, or about to be. What comes while cards are dealt may be one
        of them, but for what lies elsewhere than these are to lie.
        """
        out = [one for one in lying if reaches_out(one, size_px)]
        unread = frozenset(tracks_of(one for one in out if one.piece is None))
        known = {one.piece for one in lying}
        gone = [place for place, card in enumerate(self._places) if card is not None and card not in known]
        is_of_none = any(self._places) and (not gone or parted(self._places, gone))
        vacant = self._spots.open()
        is_dealing = None in self._places
        dealt = [one for one in out if is_dealing and (not vacant or any(lies_at(one, place) for place in vacant))]
        came = unread - set(tracks_of(dealt)) if is_of_none else frozenset[int]()
        return frozenset(tracks_of(one for one in out if one.piece in self._won)) | (unread & (self._aside | came))

    def excluded(self, state: LayoutState) -> frozenset[Piece]:
        """Cards that were won or thrown away."""
        return frozenset(state.off_table)

    def refuses(self, state: Any, event: Event) -> bool:
        """Three cards that are no SET."""
        return isinstance(event, self.take) and not find_sets(state.judged(event))

    def went_on(self, before: Any, event: Event, after: Any, table: Table) -> None:
        """Remember which places are empty, and which cards have to go back."""
        if event.stays:  # what is told anew after Undo moved no card
            return
        if before.table != after.table:
            self._hints.forget()
        lying = {one.piece for one in table.sightings}
        self._gone = frozenset()
        self._spots.leave(before.table, after.table)
        fresh_round = not any(card is not None for card in after.table) and not after.off_table
        self._stale = self._there if fresh_round else self._stale & self._covered
        self._won = frozenset(after.off_table)
        self._owed &= self._won
        if isinstance(event, (Amend, *self.call)):
            self._returning = frozenset()
        elif isinstance(event, (self.take, *self.give_up)) and not getattr(after, "claims", ()):
            self._returning = self._not_won(before, event, after) - lying
        self._recalled = frozenset()

    def recall(self, history: History) -> None:
        """Remember which cards of the last take have to go back, should they be in a hand, and which are won no more."""
        before, event = (history.before[-1], history.standing[-1]) if history.standing else (None, None)
        is_judged = isinstance(event, self.take) and not getattr(history.state, "claims", ())
        self._recalled = self._not_won(before, event, history.state) if is_judged else frozenset()
        self._won = frozenset(history.state.off_table)
        self._owed &= self._won

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """Before a round cards are those of the round before where all of them are: else they are being dealt."""
        known = super().resumed(history, table)
        if isinstance(history.events[-1], Correct):
            self._compared(history.undone().state, table)
            self.corrected(history.state, table)
        before, event = history.before[-1], history.standing[-1]
        old = {*before.table, *(event.cards if isinstance(event, Deal) else ())}
        if not {one.piece for one in table.sightings if one.track not in known} - {None} <= old:
            self._stale = frozenset()
        self._places = history.state.table
        seen = [known.get(track_of(one), one.piece) for one in table.sightings]
        if len(set(self.lying(history.state)) - self._returning - set(seen)) > seen.count(None):  # others left since: it had lain back
            self._returning = frozenset()
        there = [card for card in self.lying(history.state) if card not in self._returning]
        if have_left(table.sightings, there, self.options.sure_roll):
            return {}
        return {**as_before(table.sightings, there, self.options.sure_roll), **known}

    def lying(self, state: Any) -> tuple[Piece, ...]:
        """The cards on their places."""
        return tuple(card for card in state.table if card is not None)

    def disputable(self, history: History, table: Table) -> Sequence[Lying]:
        """Cards that lie there as they were dealt, or are gone: a misread one may hide the only SET, or be taken for one of a SET (S8)."""
        state = history.state
        if state.is_over:
            return ()
        came: dict[str | int, tuple[int, int]] = {}
        for number, (before, event) in enumerate(zip(history.before, history.told, strict=True)):
            if getattr(before, "finished", ()) == getattr(state, "finished", ()):
                came |= {code: (number, place) for place, code in enumerate(read_off(event))}
        seen = compare_layout(state.table, table)
        twice = {one.piece for one in seen.twice}
        own = [(card, self._read_as(card, seen)[0] if card in twice else one) for card, one in seen.lying.items() if card in state.table]
        lying = [(card, one) for card, one in own if track_of(one) >= 0 and (card not in twice or self._spots.of([card]))]
        exhibits = [*map(Exhibit, state.cards_at(seen.gone)), *(seen_as(card, one) for card, one in lying)]
        return [Lying(one, *came[code]) for one in exhibits if (code := piece_code(one.piece)) in came]

    def corrected(self, after: Any, table: Table) -> None:
        """Remember which cards have to go back, and which have been won and lie there."""
        lying = {one.piece for one in table.sightings}
        if not getattr(after, "claims", ()):
            otherwise = [pair for pair in zip(self._places, after.table, strict=False) if pair[0] != pair[1]]
            renamed = dict(otherwise) if len(otherwise) == 1 else {}
            # so they were before, for another reason, such as a take without a call
            gone = {renamed.get(card, card) for card in self._gone} - {renamed.get(card, card) for card in self._returning}
            self._returning = frozenset(card for card in after.table if card is not None and card not in lying | gone)
        self._won = frozenset(after.off_table)
        self._spots.correct(after.table, self._won)
        self._owed = frozenset(card for card in after.off_table if card in lying or card in self._owed & self._under)

    def _to_be_taken(self, state: Any, table: Table) -> Wait | None:
        """Wait for somebody whose won cards lie before the camera, such as who was given them by a dispute; None once they are taken."""
        seen = {one.piece for one in table.sightings}
        for cards in state.kept_by_player:  # a pile that somebody has laid before the camera
            won = frozenset(card for card in cards if card in seen)
            self._owed |= won if len(won) > 1 else frozenset()
        lying = tuple(one for one in table.sightings if one.piece in self._owed)
        if not lying:
            self._owed &= self._under
            return None
        owner = next((player for player, cards in enumerate(state.kept_by_player) if self._owed & set(cards)), None)
        to: Words = DEALER if owner is None else state.players[owner]
        return Wait(Message("set.wait.take_won", pieces=tuple(one.piece for one in lying)), to, tracks_of(lying))

    def _compared(self, state: LayoutState, table: Table) -> Compared:
        """Compare the table with the game, and remember where its cards lie."""
        seen = compare_layout(state.table, table)
        self._gone, self._places = cards_at(state.table, seen.gone), state.table
        twice = {one.piece for one in seen.twice}
        self._spots.see({card: one for card, one in seen.lying.items() if card in state.table and card not in twice})
        return seen

    def _layout_differs(self, state: LayoutState, table: Table, seen: Compared, closed: dict[str, Any]) -> Differ | None:
        """Say how the table differs from the game; None where every card of the game lies there and no other."""
        gone = state.cards_at(seen.gone)
        if seen.twice:
            return self._twice(gone, seen)
        pairs, extra = replaced_in_place(gone, seen.new, self._spots)
        swapped = tuple((track_of(one), card) for card, one in pairs)
        missing = [card for card in gone if card not in dict(pairs)]
        words = [Message("game.differ.other_piece", where=at(table, one), piece=one.piece, known=card) for card, one in pairs]
        again = [one for one in extra if one.piece in state.off_table]
        words += [Message("set.differ.already_won", card=one.piece, where=at(table, one)) for one in again]
        if others := [one for one in extra if one not in again]:
            belong = len(self.lying(state))
            cards, count = tuple(one.piece for one in others), belong + len(extra) - len(missing)
            where = at(table, others[0])
            many = Message("set.differ.cards_lie_where", count=count, belong=belong, cards=cards, where=where)
            words.append(many if count != belong else Message("set.differ.unknown", cards=cards, where=where))
        if missing:
            words.append(Message("set.differ.without_a_call", cards=tuple(missing), count=len(missing)))
        if not words:
            return None
        right = self._as_it_lies(state, seen, closed)
        return Differ(together(*words), tracks_of(extra), swapped, self._spots.ghosts(missing), right)

    def _twice(self, gone: Sequence[SetCard], seen: Compared) -> Differ:
        """Say which card was read twice; the one that lies further from where that card lay is another one, such as one that is gone."""
        card = seen.twice[0].piece
        other = self._read_as(card, seen)[-1]
        missing = gone if len(gone) < 3 else ()  # three were taken, and the other card was dealt
        pairs, extra = replaced_in_place(missing, [other], self._spots)
        swapped = tuple((track_of(one), known) for known, one in pairs)
        return Differ(Message("set.differ.twice", card=card), tracks_of(extra), swapped)

    def _read_as(self, card: Piece | None, seen: Compared) -> list[Sighting]:
        """Those that were read as this card, the one first that lies next to where it lay: that is the card of the game."""
        lay = self._spots.of([card] if isinstance(card, SetCard) else [])
        both = [one for one in seen.twice if one.piece == card]
        return sorted(both, key=lambda one: sum(distance_px(one.outline_px, place) for place in lay))

    def _dealing(self, state: Any, table: Table, closed: dict[str, Any]) -> Ruling:
        """Tell what the dealer laid so far (S7)."""
        stale = [one for one in table.sightings if one.track in self._stale]
        fresh = Table(table.size_px, tuple(one for one in table.sightings if one.track not in self._stale), table.frame_index)
        self._stale &= self._there
        if not any(state.table):
            self._spots.forget()
        seen = self._compared(state, fresh)
        wanted = state.table.count(None)
        if not wanted:
            return Play(Deal(()))
        again = [one for one in seen.new if one.piece in state.off_table]
        good = [one for one in seen.new if one not in again]
        if seen.twice:
            return self._layout_differs(state, table, seen, closed)
        if seen.unread and (seen.gone or len(good) + len(seen.unread) >= wanted):
            return Unsure(seen.unread)
        if again:
            back = tuple(Message("game.piece_where", piece=one.piece, where=at(table, one)) for one in again)
            return Differ(Message("set.differ.exchange", back=back), tracks_of(again), table_right=self._as_it_lies(state, seen, closed))
        # what lies in the place of one card or two, or of one that is put back, may be that card, misread
        several = len(seen.gone) > 2 and not self._returning & cards_at(state.table, seen.gone)
        _, apart = replaced_in_place(state.cards_at(seen.gone), good, self._spots)
        dealt = good if several and len(apart) < wanted else apart
        if len(dealt) == wanted or (several and wanted < len(dealt) <= wanted + len(seen.gone)):
            return Play(Deal(self._spots.in_order(dealt, wanted)))
        if seen.gone:
            prompt = state.prompts[0]
            returning = self._going_back(state, seen, prompt.to)
            gone = sorted(cards_at(state.table, seen.gone), key=str)
            if returning is None and len(gone) == 3 and not self._spots.covered(gone, good):
                return Wait(Message("set.wait.first", prompt=prompt.message, names=tuple(gone)), prompt.to, (), self._spots.open(good))
            without = replace(seen, new=tuple(one for one in good if one not in apart)) if len(apart) < wanted else seen
            differ = self._layout_differs(state, table, without, closed)  # what is dealt by now is no part of it
            return returning or (differ and replace(differ, table_right=self._as_it_lies(state, seen, closed)))
        if len(good) < wanted:
            return self._refill(state, wanted, seen, stale, closed)
        belong = len(state.table)
        too_many = len(seen.new) - wanted
        text = Message("set.text.too_many", number=belong + too_many, belong=belong, too_many=too_many)
        return Differ(text, tracks_of(seen.new[wanted:]), table_right=self._as_it_lies(state, seen, closed))

    def _refill(self, state: Any, wanted: int, seen: Compared, stale: list[Sighting], closed: dict[str, Any]) -> Wait:
        missing = wanted - len(seen.new) - len(seen.unread)
        to = state.prompts[0].to
        if stale:
            text = Message("set.text.old_cards", prompt=state.prompts[0].message, count=len(stale))
            return Wait(text, to, tracks_of(stale))
        text = state.prompts[0].message if missing == wanted else Message("set.text.more_deal", missing=missing)
        lying = (*self.lying(state), *(one.piece for one in seen.new))
        is_last = wanted == state.pack_left and not seen.unread
        lost = [card for card in SET_DECK if is_last and card not in (*lying, *state.off_table)]  # the deck lacks what nobody can deal
        less = Amend.of(Message("set.agreed.goes_on"), **{**closed, "table": lying, "heap": (*state.heap, *lost)})
        can_go_on = any(card is not None for card in state.table)
        return Wait(text, to, (), self._spots.open(seen.new), then=(less,) if can_go_on else ())

    def _as_it_lies(self, state: Any, seen: Compared, closed: dict[str, Any]) -> tuple[Event, ...]:
        """What "the table is right" does: these cards lie there; a SET of which a card lies there again is no longer won."""
        if seen.twice or seen.unread:
            return ()
        cards = [card for card in state.table if card is None or card in seen.lying]
        new = [one.piece for one in seen.new if isinstance(one.piece, SetCard)]
        while new and None in cards:
            cards[cards.index(None)] = new.pop(0)
        places = (*cards, *new)
        changes = {**closed, "table": places, **self._going_on(None in places), **self._without(state, frozenset(seen.lying))}
        return (Amend.of(Message("game.agreed.table_right"), **changes),)

    def _going_back(self, state: Any, seen: Compared, to: Words) -> Wait | Play | None:
        """Wait for cards that nobody won, or throw them away once others lie for them; None once they lie again, or may."""
        gone = cards_at(state.table, seen.gone)
        self._returning = gone if gone == self._recalled else self._returning & gone
        if not self._returning or seen.twice or len(gone) <= len(seen.unread):  # what is not read may be these
            return None
        open_now = None not in state.table
        wanted = wanted_cards(len(state.table) - len(gone), state.pack_left)
        if open_now and seen.new:
            if seen.unread:
                return None
            if gone == self._returning and len(gone) > 1 and 1 < wanted <= len(seen.new):  # a single one may be misread
                return Play(Discard(seen.gone))
            if len(seen.new) >= wanted:
                return None
        cards = sorted(gone, key=str)
        right = self._as_it_lies(state, seen, {})
        differ = Differ(Message("set.differ.not_back", pieces=tuple(cards)), missing=self._spots.ghosts(cards), table_right=right)
        return Wait(Message("set.wait.put_back", pieces=tuple(cards)), to, (), self._spots.of(cards), then=differ)

    def expect_all(self, state: Any, table: Table, rule: str) -> None:
        """Refuse a vote on cards of which some are in a hand; those that are not read may lie there."""
        seen = compare_layout(state.table, table)
        if len(seen.gone) > len(seen.unread):
            cards = tuple(sorted(cards_at(state.table, seen.gone), key=str))
            raise RuleError(by_rule(rule, Message("set.refused.put_back_first", cards=cards)))

    def _hint(self, state: Any, player: int | None) -> tuple[Event, ...]:
        if not self.hints:
            raise RuleError(Message("game.refused.no_hints"))
        self._hints.next(state.table, player)
        return ()

    def told(self, state: Any, now_s: float) -> tuple[Told, ...]:
        """What is to do, with the hint that was asked for."""
        return (*super().told(state, now_s), *self._hints.told())

    def marks(self, state: Any, table: Table) -> tuple[Mark, ...]:
        """The cards of a hint, and the zones."""
        return (*self._hints.marks(state.table, table), *zone_marks(self.zones, table, self.profile, state.players))

    def _keeping(self, kept: tuple[tuple[SetCard, ...], ...]) -> dict[str, Any]:
        """Fields of the state in which the players keep these."""
        return {"kept": kept}

    def _going_on(self, is_dealing: bool) -> dict[str, Any]:
        """Fields of the state that goes on with the cards that lie there, or waits for more of them."""
        return {}

    def _without(self, state: Any, lying: frozenset[SetCard]) -> dict[str, Any]:
        """Fields of the state after SETs of which a card lies on the table are no longer won; their other cards go to the heap.

        So do cards that have left the table once the pack is out: nobody will deal them again.
        """
        kept = tuple(tuple(card for trio in trios(cards) if not lying & set(trio) for card in trio) for cards in state.kept_by_player)
        still = {card for cards in kept for card in cards}
        off = state.off_table if state.pack_left else (*state.off_table, *state.table)
        return {**self._keeping(kept), "heap": tuple(card for card in off if card not in lying and card not in still)}

    def _not_won(self, before: Any, event: Any, after: Any) -> frozenset[SetCard]:
        """Cards that may be in a hand after a call was judged and that nobody won."""
        shown = {place for claim in getattr(before, "claims", ()) for place in claim.cards}
        hands = shown | set(event.at if isinstance(event, self.take) else range(len(before.table)))
        return cards_at(before.table, tuple(hands)) & frozenset(card for card in after.table if card is not None)
