"""What the rules refuse, for people at the table: what is not allowed, what may be done instead."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import cast

from visionset.errors import RuleError
from visionset.games.base import Event, State, by_rule, refused
from visionset.messages import Message, Words

_MOST_CHOICES = 3
"""How many of the things that may be done instead are told; people who need more look at the menu."""


def briefly(error: RuleError) -> Words:
    """Say a refusal with a few of the things that are allowed, and how many more there are."""
    if not error.tried:
        return error.message
    some, more = error.allowed[:_MOST_CHOICES], len(error.allowed) - _MOST_CHOICES
    return by_rule(error.rule, refused(error.tried, (*some, Message("more_are_allowed", count=more)) if more > 0 else some))


def is_early_call(error: RuleError) -> bool:
    """Whether a call is refused because the table does not lie yet: whoever called is in no doubt about a rule."""
    return isinstance(error.tried, Message) and error.tried.code.endswith(".early_call")


def waits_for_pieces(error: RuleError) -> bool:
    """Whether a call is refused because pieces do not lie yet, or not again: as they do it would be none too early."""
    return is_early_call(error) or _why_code(error).endswith("_lie_first")


def is_about_taker(error: RuleError) -> bool:
    """Whether a call is refused because it is asked first who took the pieces that are gone."""
    return _why_code(error).endswith(".say_who_took")


def _why_code(error: RuleError) -> str:
    """Code of the reason that a refusal gives; empty where it gives none."""
    reason = dict(error.message.args).get("why") if isinstance(error.message, Message) else None
    return reason.code if isinstance(reason, Message) else ""


def why(error: RuleError) -> Message:
    """Say why something that lies there is not allowed."""
    return Message("referee.why", tried=error.tried, rule=error.rule)


def first_allowed(state: State, attempts: Iterable[tuple[Event, ...]]) -> tuple[tuple[Event, ...], Words]:
    """Give the events that the rules allow first, of several attempts; none where they allow none, and why not the first."""
    reason: Words = ""
    for events in attempts:
        try:
            reduce(type(state).after, events, state)
        except RuleError as error:
            reason = reason or why(error)
        else:
            return events, ""
    return (), reason


def lasting(what: Words) -> Words:
    """Leave out of what is told how long it has been waited for: it changes every second."""
    if isinstance(what, Message) and what.code == "referee.told.reminded":
        return cast(Words, dict(what.args)["what"])
    return what
