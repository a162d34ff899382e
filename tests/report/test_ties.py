"""S4 to S6 in the report: ties, late takes, calls without cards. It says what the points and the kept cards of the game say."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from functools import cache
from itertools import combinations, groupby
from statistics import median

import pytest

from tests.report.by_hand import calls_by_hand, lives_by_hand
from tests.report.reader import Report
from visionset.errors import RuleError
from visionset.games.base import Amend, Event
from visionset.games.game import History
from visionset.games.set_cards.chance import chance
from visionset.games.set_cards.rules import (
    GAME,
    Agree,
    Call,
    Deal,
    Discard,
    GiveUp,
    PayForHint,
    Penalty,
    Phase,
    SetCardsOptions,
    SetCardsState,
    Take,
)
from visionset.games.sets import find_sets
from visionset.games.virtual.bots import BotHabits, with_habits
from visionset.games.virtual.runner import next_event
from visionset.pieces import SET_DECK, SetCard
from visionset.report import match_evening, report_page
from visionset.report.evening import Evening
from visionset.report.lives import End
from visionset.report.story import Judgement, story_of_match
from visionset.store import EntryKind, Match, Origin

NAMES = ("Ann", "Bo", "Cy")
ATTRIBUTES = ("number", "color", "shading", "shape")
SEEDS = range(32)
EVERY_DAY = SEEDS[:8]
FEW = [*EVERY_DAY, *(pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS[8:])]


def begun(options: SetCardsOptions, players: int = 2) -> Match:
    return Match.begun(1, History.begin(GAME, options, NAMES[:players]), (), Origin.VIRTUAL, 1e9)


def with_events(match: Match, *events: Event) -> Match:
    for event in events:
        match = match.then(event, 1e9 + (event.at_s or 0.0))
    return match


def something(state: SetCardsState, now_s: float, rng: random.Random) -> Event:
    """What people do, hasty ones and slow ones, who like to call at the same time and to take what another has."""
    player = rng.choice(state.callers)
    if state.phase is Phase.OPEN:
        others: tuple[Event, ...] = (
            Agree(player, at_s=now_s),
            PayForHint(player, at_s=now_s),
            Discard(tuple(rng.sample(range(len(state.table)), 3)), at_s=now_s),
        )
        return rng.choices((Call(player, at_s=now_s), *others), (30, 6, 2, 1))[0]
    waiting = [claim.player for claim in state.claims if claim.is_open]
    others_called = [p for p in state.callers if p not in [claim.player for claim in state.claims]]
    if others_called and state._ties and rng.random() < 0.6:
        return Call(rng.choice(others_called), at_s=now_s)
    if rng.random() < 0.02:
        return Amend.of("void", now_s, claims=(), phase=Phase.OPEN)
    player = rng.choice(waiting)
    if rng.random() < 0.08:
        return GiveUp(player, at_s=now_s)
    shown = {place for claim in state.claims for place in claim.cards}
    sets = find_sets(state.table)
    near = [trio for trio in sets if shown & set(trio)]
    same = [claim.cards for claim in state.claims if claim.cards]
    wrong = tuple(rng.sample(range(len(state.table)), 3))
    return Take(player, rng.choice([*(same or [wrong]), *(near or [wrong])[:3], *(sets or [wrong])[:6]]), at_s=now_s)


@cache
def crowded(seed: int) -> Match:
    """A match of such people, in which events were taken back, calls were void and pieces were disputed; or one of simple players."""
    if seed % 8 == 7:
        return hasty(seed // 8)
    rng = random.Random(seed)
    players = rng.choice((2, 2, 3))
    rounds = 1 if seed % 4 else 2
    penalty = rng.choice(tuple(Penalty))
    match = begun(SetCardsOptions(dealer_plays=rng.random() < 0.7, penalty=penalty, rounds=rounds), players)
    now_s = 0.0
    has_disputes = seed % 4 == 1
    for _ in range(70 if has_disputes else rng.choice((40, 120, 400))):
        state = match.history.state
        if state.is_over:
            break
        is_tie = state.phase is Phase.CALLED and state._ties
        now_s += rng.choice((0.05, 0.1, 1.0, 4.0) if is_tie else (0.1, 1.0, 3.0, 6.0))
        with suppress(RuleError):
            event = chance(state, rng) if state.phase is Phase.DEAL else something(state, now_s, rng)
            assert event is not None
            match = match.then(Deal(event.cards, at_s=now_s) if isinstance(event, Deal) else event, 1e9 + now_s)
        dice = rng.random()
        with suppress(RuleError):
            if dice < 0.04:
                match = match.undone(1e9 + now_s)
            elif dice < 0.08 and has_disputes:
                match = disputed(match, now_s, rng)
    return match


def hasty(seed: int) -> Match:
    """A match of simple players who err and tie often, at their own times."""
    rng, match = random.Random(seed), begun(SetCardsOptions(dealer_plays=True, penalty=tuple(Penalty)[seed % 2], rounds=1), 2 + seed % 2)
    with with_habits(BotHabits(wrong=0.2, late=0.1, tie=0.7)):
        while not match.history.state.is_over:
            match = with_events(match, next_event(match.history.state, rng))
    return match


@cache
def evening_of(seed: int) -> Evening:
    return match_evening(crowded(seed))


@cache
def page_of(seed: int) -> Report:
    return Report(report_page(evening_of(seed)))


def disputed(match: Match, now_s: float, rng: random.Random) -> Match:
    """A card of one of the last takes was another one, which makes a SET of the three now and then."""
    history = match.history
    takes = [number for number, event in enumerate(history.standing) if event.name == "take"]
    if not takes:
        return match
    correct = history.correction(rng.choice(takes[-3:]), rng.randrange(3), rng.choice(SET_DECK))
    return match.then(correct, 1e9 + now_s)


@pytest.mark.parametrize("seeds", [EVERY_DAY, pytest.param(SEEDS, marks=pytest.mark.slow)])
def test_the_matches_have_all_that_can_happen(seeds: range) -> None:
    happened = Counter[str]()
    for seed in seeds:
        history = crowded(seed).history
        happened.update(event.name for event in history.standing)
        happened.update(event.name for event in history.events if event.name == "correct")
        happened["undone"] += any(entry.kind is EntryKind.UNDO for entry in crowded(seed).entries)
        happened["over"] += history.state.is_over
        for _, group in groupby(calls_by_hand(history), key=lambda call: call.judged_by):
            calls = list(group)
            happened["tie"] += len(calls) > 1
            happened["two kept"] += [call.judgement for call in calls].count(Judgement.KEPT) > 1
            happened["shared"] += any(call.judgement is Judgement.SHARED for call in calls)
            happened["same"] += len({call.cards for call in calls if call.judgement is Judgement.SHARED}) == 1
            late = [call.cards for call in calls if call.is_late]
            happened["late SET"] += any(len(cards) == 3 and bool(find_sets(tuple(cards))) for cards in late)
            happened["late for a SET of another"] += any(call.cards in late for call in calls if call.judgement is Judgement.KEPT)
    for what in ("amend", "mended", "give_up", "pay_for_hint", "discard", "correct", "undone", "over", "tie", "two kept", "shared", "same"):
        assert happened[what] > len(seeds) // 16, (what, happened)
    assert happened["late SET"] > 20
    assert happened["late for a SET of another"] > 0, happened


@pytest.mark.parametrize("seed", FEW)
def test_the_table_of_players_agrees_with_points_and_kept_cards(seed: int) -> None:
    match = crowded(seed)
    report, state, history = page_of(seed), match.history.state, match.history
    calls = list(calls_by_hand(history))
    hints = Counter(event.player for event in history.standing if isinstance(event, PayForHint))
    rows = {name: [int(number) for number in numbers] for name, *numbers in report.rows("score")}
    for player, name in enumerate(state.players):
        own = [call.judgement for call in calls if call.player == player]
        points, sets, wrong = (*rows[name], 0, 0)[:3]  # without any call there are no such columns
        assert (points, sets, wrong) == (state.scores[player], own.count(Judgement.KEPT), own.count(Judgement.WRONG))
        assert points == sets - wrong - hints[player] + (state.mended or (0,) * len(state.players))[player]
        if state.options.rounds == 1 and state.options.penalty is Penalty.POINT:
            assert (sets, wrong + hints[player]) == (len(state.kept[player]) // 3, state.errors[player])


@pytest.mark.parametrize("seed", FEW)
def test_points_over_time_are_those_of_what_stands(seed: int) -> None:
    """What was taken back is in no list of the page, and left a peak in its chart that nothing told of."""
    shown = groupby(points for _, points in evening_of(seed).story.scores)
    history = crowded(seed).history
    stood = groupby(tuple(history.after(number).scores) for number in range(len(history.standing)))
    assert [points for points, _ in shown] == [points for points, _ in stood]


@pytest.mark.parametrize("seed", FEW)
def test_lives_missed_sets_and_their_times_follow_from_the_rules(seed: int) -> None:
    match = crowded(seed)
    evening, report, by_hand = evening_of(seed), page_of(seed), lives_by_hand(match.history)
    assert Counter((life.cards, life.born_s, life.died_s, life.end, life.player) for life in evening.lives) == Counter(by_hand)
    lost = [cards for cards, born_s, died_s, end, _ in by_hand if end in (End.BROKEN, End.LEFT) and died_s - born_s >= 5]
    assert Counter(map(frozenset, report.pieces("missed"))) == Counter(frozenset(f"set-card-{card}" for card in cards) for cards in lost)
    heads = [attribute.capitalize() for attribute in ATTRIBUTES]
    rows = [[attribute.split()[0].capitalize(), *rest] for attribute, *rest in report.rows("hardest")]
    for player in range(len(rows) // len(ATTRIBUTES)):
        mine = {row[0]: row[1:] for row in rows[len(ATTRIBUTES) * player :][: len(ATTRIBUTES)]}
        for head, attribute in zip(heads, ATTRIBUTES, strict=True):
            ages: dict[bool, list[float]] = {True: [], False: []}
            for cards, born_s, died_s, _, taker in by_hand:
                if taker == player:
                    ages[len({getattr(card, attribute) for card in cards}) == 1].append(died_s - born_s)
            wrong = [c.cards for c in calls_by_hand(match.history) if c.player == player and c.judgement is Judgement.WRONG]
            spoilt = [cards for cards in wrong if len({getattr(card, attribute) for card in cards}) == 2]
            times = [f"{median(ages[alike]):.1f} s" if ages[alike] else "–" for alike in (True, False)]
            assert mine[head] == [str(len(spoilt)), *times]


def with_two_sets(shares: bool) -> tuple[tuple[SetCard, ...], tuple[int, ...], tuple[int, ...]]:
    """Twelve cards with two SETs that share a card, or none, and their places."""
    for seed in range(1000):
        cards = tuple(random.Random(seed).sample(SET_DECK, 12))
        for one, other in combinations(find_sets(cards), 2):
            if bool(set(one) & set(other)) is shares:
                return cards, one, other
    raise AssertionError


def ends_of(match: Match, *trios: tuple[SetCard, ...]) -> list[tuple[End, int | None, float]]:
    lives = {life.cards: life for life in match_evening(match).lives}
    return [(life.end, life.player, life.died_s) for life in (lives[frozenset(trio)] for trio in trios)]


def at(cards: tuple[SetCard, ...], places: tuple[int, ...]) -> tuple[SetCard, ...]:
    return tuple(cards[place] for place in places)


def test_both_keep_what_they_took_in_a_tie_without_a_shared_card() -> None:
    cards, one, other = with_two_sets(shares=False)
    calls = Deal(cards, at_s=1.0), Call(0, at_s=10.0), Call(1, at_s=10.1)
    match = with_events(begun(SetCardsOptions()), *calls, Take(0, one, at_s=12.0), Take(1, other, at_s=13.0))
    report = Report(report_page(match_evening(match)))
    assert report.rows("score") == [["Ann", "1", "1", "0"], ["Bo", "1", "1", "0"]]
    assert ends_of(match, at(cards, one), at(cards, other)) == [(End.TAKEN, 0, 13.0), (End.TAKEN, 1, 13.0)]
    assert [line.count("after 12 s") for line in report.lines("moves")] == [1, 1]


@pytest.mark.parametrize("is_same", [False, True])
def test_nobody_keeps_and_nobody_missed_what_two_shared_in_a_tie(is_same: bool) -> None:
    cards, one, other = with_two_sets(shares=True)
    other = one if is_same else other
    calls = Deal(cards, at_s=1.0), Call(0, at_s=10.0), Call(1, at_s=10.1)
    match = with_events(begun(SetCardsOptions()), *calls, Take(0, one, at_s=12.0), Take(1, other, at_s=13.0))
    report = Report(report_page(match_evening(match)))
    assert report.rows("score") == [["Ann", "0", "0", "0"], ["Bo", "0", "0", "0"]]
    assert ends_of(match, at(cards, one), at(cards, other)) == [(End.SHARED, None, 13.0)] * 2
    assert {f"set-card-{card}" for card in at(cards, one)} not in map(set, report.pieces("missed"))
    assert sum("called by several at once: nobody keeps it" in line for line in report.lines("lives")) == (1 if is_same else 2)


def test_a_set_that_was_taken_too_late_is_wrong_and_lies_there_still() -> None:
    cards, one, _ = with_two_sets(shares=False)
    match = with_events(begun(SetCardsOptions()), Deal(cards, at_s=1.0), Call(0, at_s=10.0), Take(0, one, at_s=15.5))
    assert Report(report_page(match_evening(match))).rows("score") == [["Bo", "0", "0", "0"], ["Ann", "-1", "0", "1"]]
    assert ends_of(match, at(cards, one)) == [(End.LEFT, None, 15.5)]


def test_a_call_without_cards_is_wrong_and_one_that_was_void_is_nothing() -> None:
    cards, one, _ = with_two_sets(shares=False)
    calls = Deal(cards, at_s=1.0), Call(0, at_s=10.0), Call(1, at_s=10.1), Take(0, one, at_s=12.0)
    match = with_events(begun(SetCardsOptions()), *calls, GiveUp(1, at_s=20.0))
    assert Report(report_page(match_evening(match))).rows("score") == [["Ann", "1", "1", "0"], ["Bo", "-1", "0", "1"]]
    match = with_events(begun(SetCardsOptions()), *calls, Amend.of("void", 12.5, claims=(), phase=Phase.OPEN))
    assert story_of_match(match).takings == ()
