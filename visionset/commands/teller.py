"""A refereed game told on the terminal: in words, or as one JSON object a line."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

from visionset.commands.parts import say, say_places
from visionset.commands.story import clock
from visionset.messages import Message, Words, at_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from visionset.referee.terms import Exhibit, Happened, News, Showing
    from visionset.session import Snapshot
    from visionset.store import Match


class Teller:
    """A listener that tells events on the terminal: in words, or one JSON object a line."""

    def __init__(self, as_json: bool) -> None:
        self._json = as_json
        self._last: tuple[Words, ...] = ("", "")
        self._told: tuple[Message, ...] = ()

    def __call__(self, snapshot: Snapshot, news: tuple[News, ...]) -> None:
        """Tell what happened, then what there is to do."""
        from visionset.referee.terms import Happened, Refused, TakenBack

        for kind, alike in groupby(news, type):
            some = list(alike)
            if kind is TakenBack:
                self._undone(len(some), some[-1].state, some[-1].time_s)  # type: ignore[union-attr]
            for one in some:
                if isinstance(one, Happened):
                    self._happened(one)
                elif isinstance(one, Refused) and self._json:  # the window shows it by itself
                    say(json.dumps({"time_s": round(one.time_s, 3), "refused": at_table(one.why), **_said(one.why)}))
        if snapshot.showing is not None:
            self._shown(snapshot.showing, snapshot.frame.time_s)

    def _happened(self, one: Happened) -> None:
        """Tell an event that was just kept."""
        from visionset.games.telling import event_words

        state = one.state
        if self._json:
            line = {"time_s": round(one.time_s, 3), "event": one.event.to_json(), "scores": list(state.scores)}
            say(json.dumps({**line, "notice": str(state.notice), **_said(state.notice)}))
            return
        told = at_table(state.notice or event_words(one.event, state))
        say(f"{clock(one.time_s)}  {told}  ({_points(state)})")

    def _undone(self, count: int, state: Any, time_s: float) -> None:
        """Tell that the last events were taken back."""
        if self._json:
            say(json.dumps({"time_s": round(time_s, 3), "undone": count, "scores": list(state.scores)}))
        else:
            say(f"{clock(time_s)}  {at_table(Message('teller.taken_back'))}  ({_points(state)})")

    def _shown(self, showing: Showing, time_s: float) -> None:
        """Tell differences and questions when they come up; as JSON also what people are to do, whenever that changes."""
        from visionset.games.base import addressed
        from visionset.referee.phrasing import lasting

        told = tuple(addressed(one.to, lasting(one.message)) for one in showing.told)
        if self._json and told and told != self._told:
            say(json.dumps({"time_s": round(time_s, 3), "told": list(map(at_table, told)), **_said(*told)}))
        self._told = told
        now = (showing.differ, "" if showing.question is None else showing.question.said)
        for name, what, before in zip(("differ", "question"), now, self._last, strict=True):
            if what and what != before:
                line: dict[str, Any] = {"time_s": round(time_s, 3), name: at_table(what), **_said(what)}
                if name == "question" and showing.exhibits:
                    line["exhibits"] = [_exhibited(one) for one in showing.exhibits]
                say(json.dumps(line) if self._json else at_table(Message(f"teller.{name}", what=what)))
        self._last = now

    def end(self, match: Match, found: Sequence[tuple[str, int, int, int]]) -> None:
        """Tell how it stands, the `places` among all games, and how to go on."""
        state = match.history.state
        if self._json:
            line = {"match": match.id, "is_over": state.is_over, "scores": list(state.scores), "winners": list(state.winners)}
            say(json.dumps({**line, "places": [place for _, _, place, _ in found]} if found else line))
            return
        say_places(found)
        if not state.is_over:
            say(f"match {match.id} is kept: visionset watch --resume {match.id} goes on")


def _points(state: Any) -> str:
    return ", ".join(f"{name} {score}" for name, score in zip(state.players, state.scores, strict=True))


def _said(*several: Words) -> dict[str, Any]:
    """Codes and arguments, for those who put them into words of their own."""
    return {"said": [one.to_json() for one in several if isinstance(one, Message)]}


def _exhibited(one: Exhibit) -> dict[str, Any]:
    """A piece that is in doubt, as JSON."""
    runner_up = None if one.runner_up is None else str(one.runner_up)
    return {"piece": str(one.piece), "confidence": one.confidence, "runner_up": runner_up}
