"""What the rules refuse, in words for people at the table: what is not allowed, what may be done instead, the rule last."""

from __future__ import annotations

import re

from visionset.errors import RuleError
from visionset.pieces import SetDie
from visionset.referee.naming import named

_MOST_CHOICES = 3
"""So many things that may be done instead are told; people who need more look at the menu."""

_DIE = re.compile(r"\b[123]-(?:red|green|purple)-(?:oval|squiggle|diamond)\b")
_SQUARE = re.compile(r"\bin \(-?\d+, -?\d+\),?")
_RULE_FIRST = re.compile(r"^rule ([A-Z]\d+): (.*)$")
_CELL = re.compile(r" in row -?\d+, column -?\d+")


def in_plain_words(text: str) -> str:
    """Name dice as people do, and squares not by numbers that nobody sees on the table."""
    return _CELL.sub("", _SQUARE.sub("in a square", _DIE.sub(lambda found: named(SetDie.parse(found[0])), text)))


def plain(error: RuleError) -> str:
    """Say a refusal for players; an error that is no refusal of the rules stays as it is."""
    if not error.tried:
        return in_plain_words(_RULE_FIRST.sub(r"\2 (rule \1)", str(error)))
    allowed = "; ".join(error.allowed[:_MOST_CHOICES]) or "nothing, the game is over"
    what = in_plain_words(error.tried.replace("_", " "))
    return f"not allowed: {what}. Allowed now: {in_plain_words(allowed)} (rule {error.rule})"
