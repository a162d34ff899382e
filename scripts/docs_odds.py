"""Odds for the pages of the games: counted exactly where that is quick, else by play that a seed repeats."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb

from visionset.games.crossword.advice import CrosswordSearch, best_grid
from visionset.games.scramble.advice import best_takes
from visionset.games.set_cards.odds import QUOTED_ODDS, SETLESS, no_set_share, odds_to_one, simulate_play
from visionset.games.sets import DICE_COUNT, find_sets, is_set
from visionset.games.solitaire import rules as solitaire
from visionset.games.virtual.chance import chance, roll_faces
from visionset.pieces import SET_DIE_FACES

SEED = 2026
ROLLS = 2000
GRIDS = 60
ROUNDS = 300
"""As many as `visionset advise odds` plays."""


def number(value: float, language: str, digits: int = 1) -> str:
    """A number as people of a language write it."""
    text = f"{value:,.{digits}f}"
    return text.translate(str.maketrans(",.", ".,")) if language == "de" else text


def share(value: float | Fraction, language: str, digits: int = 1) -> str:
    """A share as a percentage."""
    least = 10.0**-digits
    return f"< {number(least, language, digits)} %" if 0 < 100 * value < least / 2 else f"{number(100 * float(value), language, digits)} %"


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    """A table of the pages."""
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    yield from (f"| {' | '.join(row)} |" for row in rows)


def setless() -> Iterator[str]:
    """How many layouts of n cards hold no SET."""
    rows = [
        (str(cards), f"{SETLESS[cards]:,}", f"{comb(81, cards):,}", share(no_set_share(cards), "en", 3))
        for cards in (3, 6, 9, 12, 15, 18, 20)
    ]
    yield from table(("cards", "layouts without a SET", "all layouts", "share"), rows)


def of_set(language: str) -> Iterator[str]:
    """How often there is no SET, fresh and in play, and how many there are."""
    german = language == "de"
    played = simulate_play(ROUNDS, 0)
    rows = []
    for cards in (12, 15, 18, 21):
        fresh = no_set_share(cards)
        one_in = f"{number(odds_to_one(fresh), language, 0)} : 1" if fresh else ("immer" if german else "always")
        box = f"{QUOTED_ODDS[cards]} : 1" if cards in QUOTED_ODDS else "–"
        told = share(played[cards].share, language) if cards in played and played[cards].looks > 100 else "–"
        mean = comb(cards, 3) * Fraction(1, 79)
        rows.append(
            (
                str(cards),
                number(float(mean), language, 2),
                share(fresh, language, 3) if fresh else ("nie" if german else "never"),
                one_in,
                box,
                told,
            )
        )
    head = (
        (
            "Karten",
            "SETs im Mittel",
            "kein SET, frisch gegeben",
            "Chance, dass eines liegt",
            "auf der Schachtel",
            "kein SET, mitten im Spiel",
        )
        if german
        else ("cards", "SETs on average", "no SET, fresh deal", "odds that there is one", "on the box", "no SET, in play")
    )
    yield from table(head, rows)


def of_solitaire(language: str) -> Iterator[str]:
    """How a player does who sees everything."""
    rng = random.Random(SEED)
    owed: Counter[int] = Counter()
    for _ in range(ROUNDS):
        state = solitaire.GAME.start()
        while not state.is_over:
            dealt = chance(state, rng)
            sets = find_sets(state.table)
            state = state.after(dealt or (solitaire.Take(rng.choice(sets)) if sets else solitaire.FindNone()))
        owed[state.penalty] += 1
    won = Fraction(owed[0], ROUNDS)
    if language == "de":
        yield "Wer nie ein SET übersieht und unter mehreren irgendeines nimmt, gewinnt"
        yield f"{share(won, language, 0)} der Spiele ({ROUNDS} gespielt)."
    else:
        yield "Somebody who never overlooks a SET, and takes any of several, wins"
        yield f"{share(won, language, 0)} of the games ({ROUNDS} played)."


def _roll_shares(count: int) -> tuple[Fraction, float]:
    """The share of rolls of this many dice with a SET, and how many there are on average."""
    rng = random.Random(SEED)
    rolls = [roll_faces(count, rng) for _ in range(ROLLS)]
    found = [len(find_sets(roll)) for roll in rolls]
    return Fraction(sum(map(bool, found)), ROLLS), sum(found) / ROLLS


def of_dice(language: str) -> Iterator[str]:
    """How often some dice hold a SET."""
    german = language == "de"
    faces = len(SET_DIE_FACES)
    exact = Fraction(sum(is_set(*three) for three in product(SET_DIE_FACES, repeat=3)), faces**3)
    rows = [("3", share(exact, language), number(float(exact), language, 2))]
    for count in (4, 5, 6, 8, 10):
        some, mean = _roll_shares(count)
        rows.append((str(count), share(some, language, 0), number(mean, language, 2)))
    head = ("Würfel", "mindestens ein SET", "SETs im Mittel") if german else ("dice", "at least one SET", "SETs on average")
    yield from table(head, rows)
    yield ""
    if german:
        yield f"Drei Würfel sind genau gezählt, mehr mit {ROLLS} Würfen."
    else:
        yield f"Three dice are counted exactly, more by {ROLLS} rolls."


def of_scramble(language: str) -> Iterator[str]:
    """How many SETs a whole roll holds."""
    rng = random.Random(SEED)
    most = Counter(len(best_takes(roll_faces(DICE_COUNT, rng))) for _ in range(GRIDS))
    mean = sum(sets * times for sets, times in most.items()) / GRIDS
    whole = share(Fraction(most[DICE_COUNT // 3], GRIDS), language, 0)
    single = sum(len(find_sets(roll_faces(DICE_COUNT, rng))) for _ in range(GRIDS)) / GRIDS
    if language == "de":
        yield f"Ein Wurf mit {DICE_COUNT} Würfeln enthält im Mittel {number(single, language, 0)} SETs, die einander Würfel wegnehmen;"
        yield f"höchstens {DICE_COUNT // 3} lassen sich nehmen."
        yield f"In {whole} von {GRIDS} Würfen geht das ganz auf, im Mittel sind es {number(mean, language)} SETs."
    else:
        yield f"A roll of all {DICE_COUNT} dice holds {number(single, language, 0)} SETs on average, which take dice from each other;"
        yield f"{DICE_COUNT // 3} can be taken at most."
        yield f"In {whole} of {GRIDS} rolls all dice can be taken, on average {number(mean, language)} SETs."


def of_crossword(language: str) -> Iterator[str]:
    """How often all ten dice can be laid without drawing."""
    rng = random.Random(SEED)
    used = Counter(len(best_grid(roll_faces(10, rng), CrosswordSearch(300)).dice) for _ in range(GRIDS))
    all_ten = share(Fraction(used[10], GRIDS), language, 0)
    mean = sum(dice * times for dice, times in used.items()) / GRIDS
    if language == "de":
        yield f"In {all_ten} von {GRIDS} Würfen lassen sich alle zehn Würfel ohne Nachziehen verbauen,"
        yield f"im Mittel {number(mean, language)} (das beste Gitter, das die Suche findet)."
    else:
        yield f"In {all_ten} of {GRIDS} rolls all ten dice can be laid without drawing,"
        yield f"on average {number(mean, language)} (the best grid that the search finds)."


def of_sets_dice(language: str) -> Iterator[str]:
    """What a roll of two dice brings."""
    german = language == "de"
    rows = [
        (
            "ein bestimmter Wert fällt mindestens einmal" if german else "a value that you need falls at least once",
            "11 : 36",
            share(Fraction(11, 36), language),
        ),
        (
            "einer von zwei bestimmten Werten fällt" if german else "one of two values that you need falls",
            "20 : 36",
            share(Fraction(20, 36), language),
        ),
        ("ein Pasch" if german else "a double", "6 : 36", share(Fraction(6, 36), language)),
        ("ein bestimmter Pasch" if german else "the double that you need", "1 : 36", share(Fraction(1, 36), language)),
        (
            "ein bestimmter Wert fällt in keinem von zehn Zügen" if german else "a value falls in none of ten turns",
            "–",
            share(Fraction(25, 36) ** 10, language),
        ),
    ]
    yield from table(("was" if german else "what", "Chance" if german else "chance", "Anteil" if german else "share"), rows)


def of_english_sets(language: str) -> Iterator[str]:
    """What a deal brings."""
    german = language == "de"
    deals = comb(52, 4)
    different = Fraction(comb(13, 4) * 4**4, deals)
    same_pair = sum(_pairs_of_both())
    rows = [
        ("vier verschiedene Werte auf einer Hand" if german else "four different ranks in one hand", share(different, language)),
        ("mindestens ein Paar" if german else "at least one pair", share(1 - different, language)),
        ("vier gleiche Karten sofort" if german else "four equal cards at once", share(Fraction(13, deals), language, 3)),
        (
            "beide Hände mit einem Paar desselben Werts (E1)" if german else "both hands with a pair of the same rank (E1)",
            share(same_pair, language, 2),
        ),
    ]
    yield from table(("beim Geben" if german else "at the deal", "Anteil" if german else "share"), rows)


def _pairs_of_both() -> Iterator[Fraction]:
    """Shares of deals with two equal cards of a rank in both hands: with one such rank, less with two, which were counted twice."""
    ways = comb(52, 4) * comb(48, 4)
    one = comb(4, 2) * comb(2, 2) * comb(48, 2) * comb(46, 2)
    two = comb(4, 2) ** 2
    yield Fraction(13 * one, ways)
    yield -Fraction(comb(13, 2) * two, ways)


ODDS: dict[str, Callable[[str], Iterator[str]]] = {
    "set": of_set,
    "solitaire": of_solitaire,
    "cubed": of_dice,
    "scramble": of_scramble,
    "crossword": of_crossword,
    "sets-dice": of_sets_dice,
    "english-sets": of_english_sets,
}
