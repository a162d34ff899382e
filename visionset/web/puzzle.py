"""Without a match: the puzzle of the day, and dice for people who keep their sheets on paper."""

from __future__ import annotations

import hashlib
import secrets
from datetime import date
from functools import lru_cache
from itertools import count

from visionset.errors import PieceError, RequestError
from visionset.games.pip_sets.advice import SOURCE_RECORD
from visionset.games.scramble.advice import best_takes
from visionset.games.sets import DICE_COUNT, find_sets, is_set
from visionset.kinds import DICE, KIND_SPECS
from visionset.messages import Message
from visionset.pieces import SET_DECK, Kind, SetCard, SetDie
from visionset.web.showing import Json, explained, piece_json

_CARDS = 12
_SETS = 6
"""As the puzzles in newspapers have it."""


@lru_cache(maxsize=64)
def puzzle_of(day: date) -> tuple[SetCard, ...]:
    """Twelve cards that hold exactly six SETs, the same for everybody on a day.

    The deck is put in the order of hashes of the day and of each card, which no other version of Python deals otherwise.

    >>> print(*puzzle_of(date(2026, 1, 1))[:2])
    1-purple-striped-oval 3-red-striped-squiggle
    """
    for attempt in count():
        order = sorted(SET_DECK, key=lambda card: hashlib.sha256(f"{day.isoformat()} {attempt} {card}".encode()).digest())
        if len(find_sets(order[:_CARDS])) == _SETS:
            return tuple(order[:_CARDS])
    raise AssertionError("there are such layouts")


def day_of(text: str | None, today: date) -> date:
    """The day that is asked for; raises `RequestError` for what is none."""
    if not text:
        return today
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        raise RequestError("day", Message("web.refused.day")) from None


def puzzle_json(day: date) -> Json:
    """The puzzle of a day for a page."""
    return {"date": day.isoformat(), "sets": _SETS, "cards": [piece_json(card) for card in puzzle_of(day)]}


def puzzle_answer(day: date, at: str) -> Json:
    """Whether three cards of a puzzle, named by their places from 0, are a SET, and why; raises `RequestError` where they are not three."""
    places = [int(one) for one in at[:20].split(",") if one.isascii() and one.isdecimal()]
    if len(set(places)) != 3 or max(places) >= _CARDS:
        raise RequestError("places", Message("web.refused.places", most=_CARDS - 1))
    three = [puzzle_of(day)[place] for place in places]
    lines = explained(three) or []
    return {"is_set": all(line["is_right"] for line in lines), "explain": lines}


def rolled(kind: str, number: str) -> Json:
    """Dice that the server rolls, with what is to be beaten where two pip dice are rolled: the best of the source."""
    known = {one.value.replace("_", "-"): one for one in Kind if one in DICE}
    if kind not in known or not (number.isascii() and number.isdecimal() and 1 <= int(number) <= DICE_COUNT):
        raise RequestError("dice", Message("web.refused.dice", kinds=tuple(known), most=DICE_COUNT))
    dice = [secrets.choice(KIND_SPECS[known[kind]].faces) for _ in range(int(number))]
    return {"dice": [piece_json(die) for die in dice], "to_beat": SOURCE_RECORD if known[kind] is Kind.PIP_DIE else None}


def dice_check(codes: str) -> Json:
    """Whether three SET dice are a SET, and why, where none of them is WILD; raises `RequestError` where they are not three."""
    dice = _set_dice(codes)
    if len(dice) != 3:
        raise RequestError("dice", Message("web.refused.three_dice"))
    return {"is_set": is_set(*dice), "explain": explained(dice) or []}


def dice_laid_out(codes: str) -> Json:
    """As many SETs as SET dice hold at most, no die in two of them, each with why it is one; raises `RequestError` for what are none."""
    dice = _set_dice(codes)
    return {"sets": [{"at": list(at), "explain": explained([dice[place] for place in at]) or []} for at in best_takes(dice)]}


def _set_dice(codes: str) -> list[SetDie]:
    """SET dice by their names, with commas between."""
    try:
        dice = [SetDie.parse(code) for code in codes.split(",")]
    except PieceError:
        dice = []
    if not 0 < len(dice) <= DICE_COUNT:
        raise RequestError("dice", Message("web.refused.dice", kinds=("set-die",), most=DICE_COUNT))
    return dice
