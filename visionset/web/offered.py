"""What pages were offered to do, and the event that follows when somebody chooses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from visionset.errors import RecordError, RequestError
from visionset.games.base import Choice, Event, Form, Need, State
from visionset.games.game import History
from visionset.games.registry import SPECS
from visionset.games.view import Hand, ViewPart
from visionset.games.virtual.chance import chance
from visionset.games.virtual.undoing import SameChance
from visionset.messages import Message, Words
from visionset.web.showing import choices_by_id
from visionset.web.wire import MakeMove

_KEPT_VERSIONS = 200
"""Versions from which a page may still move: those of a minute of the fastest game."""


class Offered:
    """What may be done at a table, by the versions that pages have seen."""

    def __init__(self) -> None:
        self._versions: dict[int, tuple[dict[str, Choice], tuple[ViewPart, ...], int]] = {}

    def note(self, version: int, history: History) -> None:
        """Remember what pages are offered that show a version."""
        self._versions[version] = choices_by_id(history.state.legal), _view(history.state), len(history.standing)
        self._versions.pop(version - _KEPT_VERSIONS, None)

    def chosen(self, message: MakeMove, history: History) -> Choice | None:
        """What a page has chosen; None where the same was done since it saw the table: somebody else did, or it was pressed twice.

        Raises `RequestError`: the page shows a version of before, in which that was something else.
        """
        choices, view, count = self._versions.get(message.version, ({}, (), 0))
        choice = choices.get(message.choice)
        if choice is not None and not _asked(choice) and _is_done(choice, history.standing[count:]):
            return None
        is_offered = choice is not None and choice in choices_by_id(history.state.legal).values()
        owner = message.values.get("owner")
        if choice is None or not is_offered or _named(choice, owner, view, history) != _named(choice, owner, _view(history.state), history):
            raise RequestError("stale", Message("web.refused.stale"))
        return choice


def chosen_event(choice: Choice, values: dict[str, Any], history: History, chances: SameChance) -> Event:
    """The event of a choice, with the values that people have said; what pack and dice bring is added.

    Raises `RequestError`: the values are others than those that are asked for.
    """
    if set(values) != {need.field for need in _asked(choice)}:
        raise RequestError("values", Message("web.refused.values", fields=_asked_words(choice)))
    if any(need.form is Form.CHANCE for need in choice.needs):
        rng = chances.at(history)
        brought = chance(history.state, rng)
        if brought is not None and brought.name == choice.event:
            return brought
        try:
            values = values | SPECS[history.state.game].given("brings", dict, choice.event, values, rng)
        except (TypeError, KeyError):
            raise RequestError("values", Message("web.refused.values", fields=_asked_words(choice))) from None
    try:
        return history.game.parse_event(choice.filled(**values))
    except RecordError as error:
        raise RequestError("values", Message("web.refused.value", error=str(error))) from error


def _view(state: State) -> tuple[ViewPart, ...]:
    return SPECS[state.game].shown(state)


def _is_done(choice: Choice, since: Sequence[Event]) -> bool:
    """Whether what happened since is what this choice wants."""
    wanted = (("name", choice.event), ("player", choice.player), *choice.fixed)
    return any(all(getattr(one, field, None) == value for field, value in wanted) for one in since)


def _named(choice: Choice, owner: object, view: tuple[ViewPart, ...], history: History) -> list[ViewPart]:
    """What a choice names by its places: nothing that others hold or lay at the same time, but what the owner of a board lays there."""
    if not any(need.form in (Form.LIST, Form.PLACINGS) for need in choice.needs):
        return []
    others = [name for player, name in enumerate(history.players) if player not in (choice.player, owner)]
    return [part for part in view if (part.player if isinstance(part, Hand) else part.title) not in others]


def _asked(choice: Choice) -> tuple[Need, ...]:
    """What people say to make a choice; pack and dice bring the rest."""
    return tuple(need for need in choice.needs if need.form is not Form.CHANCE)


def _asked_words(choice: Choice) -> tuple[Words, ...]:
    """What people say to make a choice, in words."""
    return tuple(need.message for need in _asked(choice)) or (Message("none"),)
