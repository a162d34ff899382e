"""A refereed game told to a program, as one JSON object a line."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

from visionset.commands.parts import say
from visionset.messages import Message, Words, at_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from visionset.referee.news import Happened, News
    from visionset.referee.rulings import Exhibit
    from visionset.referee.shown import Showing
    from visionset.session import Snapshot
    from visionset.store import Match


class Teller:
    """A listener that tells what happens, one JSON object a line."""

    def __init__(self) -> None:
        self._last: tuple[Words, ...] = ("", "")
        self._told: tuple[Message, ...] = ()

    def __call__(self, snapshot: Snapshot, news: tuple[News, ...]) -> None:
        """Tell what happened, then what there is to do."""
        from visionset.referee.news import Happened, Refused, TakenBack

        for kind, alike in groupby(news, type):
            some = list(alike)
            if kind is TakenBack:
                scores = list(some[-1].state.scores)  # type: ignore[union-attr]
                say(json.dumps({"time_s": round(some[-1].time_s, 3), "undone": len(some), "scores": scores}))
            for one in some:
                if isinstance(one, Happened):
                    self._happened(one)
                elif isinstance(one, Refused):
                    say(json.dumps({"time_s": round(one.time_s, 3), "refused": at_table(one.why), **_said(one.why)}))
        if snapshot.showing is not None:
            self._shown(snapshot.showing, snapshot.frame.time_s)

    def _happened(self, one: Happened) -> None:
        """Tell an event that was just kept."""
        state = one.state
        line = {"time_s": round(one.time_s, 3), "event": one.event.to_json(), "scores": list(state.scores)}
        say(json.dumps({**line, "notice": str(state.notice), **_said(state.notice)}))

    def _shown(self, showing: Showing, time_s: float) -> None:
        """Tell differences and questions when they come up, and what people are to do whenever that changes."""
        from visionset.games.base import addressed
        from visionset.referee.phrasing import lasting

        told = tuple(addressed(one.to, lasting(one.message)) for one in showing.told)
        if told and told != self._told:
            say(json.dumps({"time_s": round(time_s, 3), "told": list(map(at_table, told)), **_said(*told)}))
        self._told = told
        now = (showing.differ, "" if showing.question is None else showing.question.said)
        for name, what, before in zip(("differ", "question"), now, self._last, strict=True):
            if what and what != before:
                line: dict[str, Any] = {"time_s": round(time_s, 3), name: at_table(what), **_said(what)}
                if name == "question" and showing.exhibits:
                    line["exhibits"] = [_exhibited(one) for one in showing.exhibits]
                say(json.dumps(line))
        self._last = now

    def end(self, match: Match, found: Sequence[tuple[str, int, int, int]]) -> None:
        """Tell how it stands, and the `places` among all games."""
        state = match.history.state
        line = {"match": match.id, "is_over": state.is_over, "scores": list(state.scores), "winners": list(state.winners)}
        say(json.dumps({**line, "places": [place for _, _, place, _ in found]} if found else line))


def _said(*several: Words) -> dict[str, Any]:
    """Codes and arguments, for those who put them into words of their own."""
    return {"said": [one.to_json() for one in several if isinstance(one, Message)]}


def _exhibited(one: Exhibit) -> dict[str, Any]:
    """A piece that is in doubt, as JSON."""
    runner_up = None if one.runner_up is None else str(one.runner_up)
    return {"piece": str(one.piece), "confidence": one.confidence, "runner_up": runner_up}
