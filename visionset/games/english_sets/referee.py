"""English Sets before the camera: hands, graveyards, starter and pack by zones (rules E1 to E6).

Longer than most modules: what lies in one zone is read by what lies in the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from visionset.games.base import DEALER, Amend, Event, together
from visionset.games.correction import piece_code, read_off
from visionset.games.english_sets.rules import HAND, Deal, Draw, EnglishSetsState, Grave, Phase, Starter
from visionset.games.game import History
from visionset.geometry import Floats, Quad
from visionset.messages import Message, Words
from visionset.pieces import Kind, Piece, PlayingCard
from visionset.referee.evidence import seen_as
from visionset.referee.game_referee import GameReferee, RefereeOptions
from visionset.referee.recall import as_before, steps, thought_of
from visionset.referee.rulings import Differ, Lying, Play, Ruling, Unsure, Wait
from visionset.referee.shown import Mark, scores, zone_marks
from visionset.referee.sightings import by_track, distance_px, is_doubtful, seen_from, track_of, tracks_of, unread
from visionset.referee.zones import ENGLISH_ZONES, PACK_ZONE, STARTER_ZONE, Zones, grave_zone, hand_zone, zone_named
from visionset.table import Moved, Sighting, Table

_PLAYERS = 2
_MOST_LOST = 3
"""A deck may lack so many cards: as long as more are to come "next", which anybody may say by a slip, does not end the pack."""

_GRAVES = frozenset(grave_zone(player) for player in range(_PLAYERS))


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What lies on the table, and what the game has there."""

    table: Table
    lying: dict[PlayingCard, Sighting]
    zones: dict[int, str]
    """By track."""
    expected: dict[PlayingCard, str]
    """The zone of each card that the game has on the table."""

    def zone_of(self, card: PlayingCard) -> str:
        """Where a card lies."""
        return self.zones[track_of(self.lying[card])]

    def tracks_of(self, cards: Iterable[PlayingCard]) -> tuple[int, ...]:
        """The tracks of cards that lie there."""
        return tracks_of(self.lying[card] for card in cards)


class EnglishSetsReferee(GameReferee):
    """Two players, 52 cards: hands, graveyards, starter and pack lie in zones."""

    kinds = frozenset({Kind.PLAYING_CARD})
    zones: Zones = ENGLISH_ZONES
    needed_zones = tuple(zone.name for zone in ENGLISH_ZONES.zones)

    def __init__(self, options: RefereeOptions = RefereeOptions(), hints: bool = False, zones: Zones = ENGLISH_ZONES) -> None:
        super().__init__(options, hints)
        self.zones = zones
        self._leaving: dict[PlayingCard, tuple[str, int | None]] = {}  # the zone where each lay, and its track if that is known
        self._spots: dict[PlayingCard, Quad] = {}
        self._tracks: dict[PlayingCard, int] = {}  # under which each was seen last
        # what was about to leave after each event, so that one that is taken back leaves nothing of it
        self._left_after: list[tuple[EnglishSetsState, dict[PlayingCard, tuple[str, int | None]]]] = []
        self._is_as_before = False
        self._there_before: frozenset[int] = frozenset()

    def forget(self) -> None:
        """Drop which cards are about to leave."""
        self._leaving = {}

    def recall(self, history: History) -> None:
        """What was about to leave before an event that is taken back is so still."""
        super().recall(history)
        while self._left_after and self._left_after[-1][0] != history.state:
            self._left_after.pop()
        if self._left_after:
            self._leaving = dict(self._left_after[-1][1])

    def follow_view(self, image_from_before: Floats) -> None:
        """Look for the places of cards where they are in the picture now."""
        self._spots = {card: seen_from(image_from_before, spot) for card, spot in self._spots.items()}

    def disturbed(self, now_s: float) -> None:
        """What comes to lie from now on may be new."""
        self._is_as_before = False

    def counts_elsewhere(self, moved: Moved, table: Table) -> bool:
        """A card that came to the wrong place is laid in the right one."""
        return self._zone(table, moved.before) != self._zone(table, moved.after)

    def unsure(self, state: EnglishSetsState, table: Table) -> tuple[int, ...]:
        """No card beside those that `read` asks about: of the others the game knows which they are."""
        return ()

    def went_on(self, before: EnglishSetsState, event: Event, after: EnglishSetsState, table: Table) -> None:
        """Cards that lie there and are in the pack again are about to leave."""
        staying = set(self._expected(after)) | (set(before.lost) - set(after.lost))
        if isinstance(event, Deal | Draw | Starter):
            staying |= self._not_yet(after, event, table)
        self._leave(after, staying, table, self._expected(before) | _laid(event))

    def corrected(self, after: EnglishSetsState, table: Table) -> None:
        """Nobody has moved a card: what lies there and is in the pack again is about to leave."""
        self._leave(after, set(self._expected(after)), table, {})

    def _leave(self, after: EnglishSetsState, staying: set[PlayingCard], table: Table, before: Mapping[PlayingCard, str]) -> None:
        """Remember which cards are about to leave, also those that lay in a zone `before` where one is not read now."""
        lying, unclear = _lying(table), {self._zone(table, one) for one in table.sightings if one.piece is None}
        leaving: dict[PlayingCard, tuple[str, int | None]] = {card: (zone, None) for card, zone in before.items() if zone in unclear}
        leaving |= {card: was for card, was in self._leaving.items() if card not in lying}  # lifted
        leaving |= {card: (self._zone(table, one), one.track) for card, one in lying.items()}
        self._leaving = {card: was for card, was in leaving.items() if card not in staying}
        self._left_after.append((after, self._leaving))

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """What went under the pack, or back into it since the starter before, and lies there still is about to leave.

        Elsewhere than it lay it has come again, and so has the next card of a pack of which all cards went under. What is unread is taken
        for such a card where that card lay, and in a graveyard for a card of that graveyard alone. What is unread in a graveyard then was
        there before (`_was_there`).
        """
        back: dict[PlayingCard, str] = {}
        for before, event, after in steps(history):
            back = {card: back.get(card, STARTER_ZONE) for card in before.bottom} if isinstance(event, Starter) else back
            lay, stay = back | self._expected(before) | _laid(event), self._expected(after)
            back = {card: zone for card, zone in lay.items() if card not in stay}
        if not history.state.above:  # this one has been under it while the others came
            back = {card: zone for card, zone in back.items() if card not in history.state.on_top}
        elsewhere = {
            one.piece for one in table.sightings if isinstance(one.piece, PlayingCard) and back.get(one.piece) != self._zone(table, one)
        }
        self._leaving = {card: (zone, None) for card, zone in back.items() if card not in elsewhere}
        self._is_as_before = True
        where = back | self._expected(history.state)

        def may_be(one: Sighting, piece: Piece) -> bool:
            zone = self._zone(table, one)
            lay_there = isinstance(piece, PlayingCard) and where.get(piece) == zone
            return lay_there or not (piece in back or zone in _GRAVES)

        return as_before(table.sightings, self.lying(history.state), self.options.sure_roll, perhaps=self._leaving.keys(), may_be=may_be)

    def lying(self, state: EnglishSetsState) -> tuple[Piece, ...]:
        """The cards of hands and graveyards."""
        return tuple(self._expected(state))

    def disputable(self, history: History, table: Table) -> Sequence[Lying]:
        """Cards that lie there as they came: one that was dealt is judged by no event, and a starter may match it unseen (E1, E2)."""
        if history.state.is_over:
            return ()
        readings = ((number, place, code) for number, event in enumerate(history.told) for place, code in enumerate(read_off(event)))
        came = {code: (number, place) for number, place, code in readings}
        known = self._expected(history.state)
        lying = ((piece_code(card), seen_as(card, one)) for card, one in _lying(table).items() if card in known)
        return [Lying(exhibit, *came[code]) for code, exhibit in lying if code in came]

    def tracks_judged(self, state: EnglishSetsState, event: Event, table: Table) -> tuple[int, ...]:
        """A card that went back into the pack may come again."""
        lying = _lying(table)
        return tracks_of(lying[card] for card in state.judged(event) if isinstance(card, PlayingCard) and card in lying)

    def out_of_reach(self, state: EnglishSetsState) -> frozenset[Piece]:
        """Cards under the pack."""
        return frozenset(state.bottom) - set(state.on_top)

    def _not_yet(self, after: EnglishSetsState, event: Event, table: Table) -> frozenset[PlayingCard]:
        """Cards that came at the same look and have their own event still to come: new ones in a hand or a graveyard."""
        out = set(after.pack) - set(after.bottom)
        old = set(self._spots) | ({event.card} if isinstance(event, Draw | Starter) else set())
        return frozenset(_lying(table)) & out - old

    def _zone(self, table: Table, one: Sighting) -> str:
        return self.zones.at(one.center_px, table.size_px, self.profile)

    def _expected(self, state: EnglishSetsState) -> dict[PlayingCard, str]:
        """The zone of each card that the game has on the table."""
        where = {card: hand_zone(player) for player, hand in enumerate(state.hands) for card in hand}
        return where | {
            card: grave_zone(player) for player, graves in enumerate(state.graveyards) for grave in graves for card in grave.cards
        }

    def read(self, state: EnglishSetsState, table: Table, now_s: float) -> Ruling:
        """Tell what was dealt, turned or drawn, and which cards are in the wrong place."""
        places = {track_of(one): self._zone(table, one) for one in table.sightings}
        lying, expected = _lying(table), self._expected(state)
        look = _Look(table, lying, places, expected)
        leaving = self._still_to_leave(table, lying, places)
        to_leave = {track for _, track in leaving.values()}  # of these nobody is asked when they are not read for a while
        unread_tracks = tuple(track for track in unread(table) if places[track] not in ("", PACK_ZONE) and track not in to_leave)
        awaited = [card for card in leaving.keys() & lying.keys() - set(state.bottom) if places[track_of(lying[card])] != PACK_ZONE]
        if awaited:  # before all are back nobody shuffles, and none of them that was seen to be lifted comes again
            lifted = {card: was for card, was in self._leaving.items() if card not in lying and was[1] is not None}
            leaving |= {card: was for card, was in lifted.items() if card not in state.bottom}
        self._leaving = leaving
        if state.phase is Phase.DEAL:
            return self._deal(state, look, unread_tracks)
        unseen = {card: zone for card, zone in expected.items() if card not in lying}
        there, coming = by_track(table), _coming(state)
        if self._is_as_before:
            old = (track for track, zone in places.items() if zone in _GRAVES)
            self._there_before |= {track for track in old if self._was_there(there[track], look, coming)}
        unread_tracks, believed = _believed(unread_tracks, places, unseen, graves_are_closed=state.phase is Phase.STARTER)
        in_graves = tuple(track for track in unread_tracks if places[track] in _GRAVES)
        if len(in_graves) < len(unread_tracks):
            return Unsure(tuple(track for track in unread_tracks if track not in in_graves))
        in_graves = tuple(track for track in in_graves if track not in self._there_before and not _is_seen_twice(there[track], coming))
        self._spots = {card: spot for card, spot in self._spots.items() if card in lying or card in expected}
        under = self._under(state, look) | believed
        missing = [card for card in expected if card not in lying and card not in under]
        unknown = [one for card, one in lying.items() if card not in expected and card not in self._leaving and not self._is_old(one, look)]
        new = [one for one in unknown if places[track_of(one)] not in ("", PACK_ZONE)]
        swapped = self._swapped(missing, new)
        if swapped:
            words = [Message("english-sets.differ.other_card", piece=one.piece, known=card) for card, one in swapped]
            tracks = tuple((track_of(one), card) for card, one in swapped)
            return Differ(together(*words), (), tracks, table_right=self._as_it_lies(state, look))
        told = [self._new(state, one, look) for one in new]
        # what may come is taken first: a card that is misread elsewhere must not hold the game until the one that came has gone on
        reading = next((said for said in told if isinstance(said, Play)), told[0] if told else None)
        if reading is None:
            reading = self._tidy(state, look, missing)
        if reading is None and in_graves:
            return Unsure(in_graves)
        reading = reading or _last_of_pack(state)
        self._spots |= {card: one.outline_px for card, one in lying.items() if card in expected or card in self._leaving}
        self._tracks = {card: track for card, track in self._tracks.items() if card in expected}
        self._tracks |= {card: track_of(one) for card, one in lying.items() if card in expected}
        return reading

    def _was_there(self, one: Sighting, look: _Look, coming: frozenset[Piece]) -> bool:
        """Whether a piece of a graveyard lay there when the match stopped: it looks first of all like no card that may come there.

        One that is hardly read did so too where it looks at all like a card of that graveyard: in a fan one card may be seen as two.
        """
        first = one.piece if one.piece is not None or one.guess is None else one.guess.piece
        return first not in coming or self._is_of_zone(one, look)

    def _is_of_zone(self, one: Sighting, look: _Look) -> bool:
        """Whether a piece is hardly read, and looks at all like a card that is known to lie in its zone."""
        known = {card for card, zone in look.expected.items() if zone == look.zones[track_of(one)]}
        return is_doubtful(one, self.options.sure_roll) and not thought_of(one).isdisjoint(known)

    def _is_old(self, one: Sighting, look: _Look) -> bool:
        """Whether a card that nobody expects lay there when the match stopped, as another one of its zone that is seen as two."""
        return track_of(one) in self._there_before and self._is_of_zone(one, look)

    def _still_to_leave(
        self, table: Table, lying: Mapping[PlayingCard, Sighting], places: Mapping[int, str]
    ) -> dict[PlayingCard, tuple[str, int | None]]:
        """Cards that were to leave and lie there still, perhaps not read."""
        hardly_read = {(places[track], known) for track in unread(table) for known in (track, None)}

        def lies_still(card: PlayingCard, zone: str, track: int | None) -> bool:
            if card not in lying:
                return (zone, track) in hardly_read
            if track is None:
                return places[track_of(lying[card])] == zone
            return not _came_again((zone, track), lying[card], places)

        return {card: was for card, was in self._leaving.items() if lies_still(card, *was)}

    def _under(self, state: EnglishSetsState, look: _Look) -> frozenset[PlayingCard]:
        """Cards of a set in a graveyard where another card of its rank is seen: people lay them on top of each other.

        One that is read as a card that the game does not have is seen, and misread.
        """
        seen = {(look.zone_of(card), card.rank) for card in look.lying}
        graves = ((grave_zone(player), grave) for player, mine in enumerate(state.graveyards) for grave in mine)
        covered = {card for zone, grave in graves if (zone, grave.rank) in seen for card in grave.cards if card not in look.lying}
        unknown = {track_of(one) for card, one in look.lying.items() if card not in look.expected}
        return frozenset(card for card in covered if self._tracks.get(card) not in unknown)

    def _deal(self, state: EnglishSetsState, look: _Look, unread_tracks: tuple[int, ...]) -> Ruling:
        hands = [[one for one in look.table.sightings if look.zones[track_of(one)] == hand_zone(player)] for player in range(_PLAYERS)]
        if all(len(hand) == HAND for hand in hands):
            if unread_tracks:
                return Unsure(unread_tracks)
            first, second = (tuple(one.piece for one in hand if isinstance(one.piece, PlayingCard)) for hand in hands)
            self._spots = {one.piece: one.outline_px for hand in hands for one in hand if isinstance(one.piece, PlayingCard)}
            return Play(Deal((first, second)))
        held = zip(state.players, hands, strict=True)
        counts = tuple(Message("english-sets.wait.cards_of", name=name, count=len(hand)) for name, hand in held)
        return Wait(Message("english-sets.wait.deal", prompt=state.prompts[0].message, counts=counts), state.prompts[0].to)

    def _swapped(self, missing: list[PlayingCard], new: list[Sighting]) -> list[tuple[PlayingCard, Sighting]]:
        """New cards that lie exactly where a card of the game lay that is gone."""
        known = [(card, self._spots[card]) for card in missing if card in self._spots]
        near = [(card, [one for one in new if distance_px(spot, one.outline_px) < one.long_side_px / 4]) for card, spot in known]
        return [(card, there[0]) for card, there in near if there]

    def _new(self, state: EnglishSetsState, one: Sighting, look: _Look) -> Ruling:
        """A card that came from the pack: a starter, or drawn (E2, E3)."""
        card, zone = one.piece, look.zones[track_of(one)]
        assert isinstance(card, PlayingCard)
        if card in state.lost:
            return Play(_found(state, card))
        right = self._as_it_lies(state, look)
        if state.phase is Phase.STARTER and zone == STARTER_ZONE:
            return _from_top(state, one, Starter(card))
        owner = next((player for player in range(_PLAYERS) if zone == hand_zone(player)), None)
        joins = any(grave.rank is card.rank and not grave.is_complete for graves in state.graveyards for grave in graves)
        if state.short and (owner in state.short or (joins and owner is None)):
            return _from_top(state, one, Draw(owner if owner is not None else state.short[0], card))
        is_starting = state.phase is Phase.STARTER
        who, code = DEALER if owner is None or is_starting else state.players[owner], "back_on_pack"
        if _is_under_pack(state, card):
            code = "back_under_pack"
        elif is_starting:
            code = "not_turned_there"
        elif owner is None and state.short:
            code = "to_a_hand"
        text = Message(f"english-sets.text.{code}", piece=card, zone=zone_named(zone, state.players))
        return Wait(text, who, (track_of(one),), then=Differ(text, (track_of(one),), table_right=right))

    def _tidy(self, state: EnglishSetsState, look: _Look, missing: list[PlayingCard]) -> Ruling:
        """Say where cards have to go: to a graveyard, under the pack, upright."""
        right = self._as_it_lies(state, look)
        largest = max((one.long_side_px for one in look.lying.values()), default=0.0)
        # where only the corner with the index is seen, nobody knows how the card lies
        whole = {card: one for card, one in look.lying.items() if one.long_side_px > largest / 2}
        for player, name in enumerate(state.players):
            for grave in state.graveyards[player]:
                astray = [card for card in grave.cards if card in look.lying and look.zone_of(card) != grave_zone(player)]
                if astray:
                    how = Message("english-sets.text.upright" if grave.is_complete else "english-sets.text.sideways")
                    text = Message("english-sets.text.lay_graveyard", pieces=tuple(astray), how=how, name=name)
                    return Wait(text, name, look.tracks_of(astray))
                turned = [card for card in grave.cards if card in whole and _is_upright(whole[card]) is not grave.is_complete]
                if turned and not missing:
                    four, some = Message("english-sets.text.turn_four", rank=grave.rank), tuple(turned)
                    sideways = Message("english-sets.text.lay_sideways", pieces=some)
                    return Wait(four if grave.is_complete else sideways, name, look.tracks_of(some))
        there = {card: track for card, (_, track) in self._leaving.items() if track is not None and track in unread(look.table)}
        there |= {card: track_of(look.lying[card]) for card in self._leaving if card in look.lying}
        under = [card for card in state.bottom if card in there]
        back = sorted(there.keys() - set(under), key=str)
        if under or back:
            words = [Message("english-sets.wait.into_pack", cards=tuple(back))] if back else []
            words += [Message("english-sets.wait.under_pack", cards=tuple(under))] if under else []
            tracks = tuple(there[card] for card in (*back, *under))
            return Wait(Message("english-sets.wait.put", words=tuple(words)), DEALER, tracks)
        if missing:
            ghosts = tuple(Sighting(Kind.PLAYING_CARD, self._spots[card], card, 1.0) for card in missing if card in self._spots)
            differ = Differ(Message("english-sets.differ.left_table", pieces=tuple(missing)), missing=ghosts, table_right=right)
            return Wait(Message("english-sets.text.unseen", pieces=tuple(missing)), then=differ)
        wrong = tuple(card for card, zone in look.expected.items() if card in look.lying and look.zone_of(card) not in (zone, ""))
        return Differ(Message("english-sets.text.other_zone", pieces=wrong), table_right=right) if wrong else None

    def _as_it_lies(self, state: EnglishSetsState, look: _Look) -> tuple[Event, ...]:
        """Hands and graveyards as they lie in their zones; equal cards of a graveyard are one set."""
        by_zone: dict[str, list[PlayingCard]] = {}
        for one in look.table.sightings:
            if isinstance(one.piece, PlayingCard):
                by_zone.setdefault(look.zones[track_of(one)], []).append(one.piece)
        hands = tuple(tuple(by_zone.get(hand_zone(player), ())) for player in range(_PLAYERS))
        graves = []
        under = self._under(state, look)
        for player in range(_PLAYERS):
            covered = [card for grave in state.graveyards[player] for card in grave.cards if card in under]
            cards = [*covered, *by_zone.get(grave_zone(player), [])]
            ranks = dict.fromkeys(card.rank for card in cards)
            graves.append(tuple(Grave(tuple(card for card in cards if card.rank is rank)) for rank in ranks))
        phase = Phase.REPLENISH if any(len(hand) < HAND for hand in hands) else Phase.STARTER
        lying = {card for cards in (*hands, *(grave.cards for mine in graves for grave in mine)) for card in cards}
        bottom = tuple(card for card in state.bottom if card not in lying)
        lost = tuple(card for card in state.lost if card not in lying)
        right = Message("game.agreed.table_right")
        return (Amend.of(right, hands=hands, graveyards=tuple(graves), phase=phase, bottom=bottom, lost=lost),)

    def marks(self, state: EnglishSetsState, table: Table) -> tuple[Mark, ...]:
        """The zones, thin, with their names."""
        return zone_marks(self.zones, table, self.profile, state.players)

    def status(self, state: EnglishSetsState, now_s: float) -> tuple[Words, ...]:
        """Complete sets, cards in the pack."""
        return (*scores(state), Message("english-sets.status.pack_cards", count=len(state.pack)))


def _from_top(state: EnglishSetsState, one: Sighting, event: Starter | Draw) -> Play | Differ:
    """A card that comes from the pack; one that the game has under the pack may come where the pack was shuffled."""
    if not _is_under_pack(state, event.card):
        return Play(event)
    what = Message("english-sets.text.under_pack", piece=event.card)
    text = Message("english-sets.text.put_back", what=what)
    return Differ(text, (track_of(one),), table_right=(Amend.of(Message("english-sets.agreed.pack_was_shuffled"), bottom=()), event))


def _last_of_pack(state: EnglishSetsState) -> Wait | None:
    """Wait for one of the last cards above those that went under the pack: the deck may lack what nobody can turn or draw."""
    prompts = state.prompts if state.phase is Phase.STARTER or state.short else ()
    lost = (*state.lost, *state.above)
    if not prompts or not state.above or len(lost) > _MOST_LOST:
        return None
    pack_is_out = Amend.of(Message("english-sets.agreed.lost", cards=state.above), lost=lost)
    warning = Message("english-sets.notice.perhaps_lost", cards=state.above)
    return Wait(prompts[0].message, prompts[0].to, then=(pack_is_out,), warning=warning, is_always_warned=True)


def _found(state: EnglishSetsState, card: PlayingCard) -> Amend:
    """A card that was said to be lost comes from the pack, which is not out."""
    drawing = Phase.REPLENISH if any(len(hand) < HAND for hand in state.hands) else Phase.STARTER
    phase = drawing if state.phase is Phase.STALEMATE else state.phase
    lost = tuple(other for other in state.lost if other != card)
    return Amend.of(Message("english-sets.agreed.found", card=card), lost=lost, phase=phase)


def _is_under_pack(state: EnglishSetsState, card: PlayingCard) -> bool:
    """Whether the game has a card under the pack, so that it cannot come from its top."""
    return card in state.bottom and card not in state.on_top


def _believed(
    unread_tracks: tuple[int, ...], places: Mapping[int, str], unseen: Mapping[PlayingCard, str], graves_are_closed: bool
) -> tuple[tuple[int, ...], frozenset[PlayingCard]]:
    """Take unread cards of a zone for those that the game has there and nobody sees.

    Left over are the tracks of zones where one may be new: more are unread in a hand than the game misses there. In a graveyard,
    where cards lie on each other, one card may be seen as two; none comes there from the pack where `graves_are_closed`. Believed
    are the cards that are there, though it is not known which is which.
    """
    unread = Counter(places[track] for track in unread_tracks)
    wanted = Counter(unseen.values())
    known = {zone for zone, count in unread.items() if count <= wanted[zone] or (zone in _GRAVES and (wanted[zone] or graves_are_closed))}
    left = tuple(track for track in unread_tracks if places[track] not in known)
    return left, frozenset(card for card, zone in unseen.items() if zone in known)


def _is_seen_twice(one: Sighting, coming: frozenset[Piece]) -> bool:
    """Whether an unread piece of a graveyard looks like none that may come there now: in a fan one card may be seen as two."""
    likely = thought_of(one)
    return bool(likely) and not likely & coming


def _came_again(was: tuple[str, int | None], now: Sighting, places: Mapping[int, str]) -> bool:
    """Whether a card that was to leave lies in another zone now, and what it was read from lies there still: that was misread."""
    zone, track = was
    return track in places and track_of(now) != track and places[track_of(now)] not in (zone, "", PACK_ZONE)


def _laid(event: Event) -> dict[PlayingCard, str]:
    """The zone of each card that comes from the pack."""
    match event:
        case Deal():
            return {card: hand_zone(player) for player, hand in enumerate(event.hands) for card in hand}
        case Draw():
            return {event.card: hand_zone(event.player)}
        case Starter():
            return {event.card: STARTER_ZONE}
    return {}


def _coming(state: EnglishSetsState) -> frozenset[Piece]:
    """Cards of the pack that go to a graveyard when they come."""
    open_ranks = {grave.rank for graves in state.graveyards for grave in graves if not grave.is_complete}
    return frozenset(card for card in state.pack if card.rank in open_ranks)


def _lying(table: Table) -> dict[PlayingCard, Sighting]:
    return {one.piece: one for one in table.sightings if isinstance(one.piece, PlayingCard)}


def _is_upright(one: Sighting) -> bool:
    """The long side runs up and down in the picture."""
    sides = one.outline_px - one.outline_px[[1, 2, 3, 0]]
    longest = max(sides, key=lambda side: float(side @ side))
    return bool(abs(longest[1]) > abs(longest[0]))


make_referee = EnglishSetsReferee.made
