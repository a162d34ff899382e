"""A refereed game told on the terminal: in words, or as one JSON object a line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from visionset.commands.parts import say, say_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from visionset.games.base import Event
    from visionset.referee.terms import Exhibit, Showing
    from visionset.store import Match


_REMINDED = re.compile(r" \(or say next: .*\)$")
"""What is told anew every second."""


class Teller:
    """Tells events on the terminal: in words, or one JSON object a line."""

    def __init__(self, director: Any, as_json: bool) -> None:
        self._director, self._json = director, as_json
        self._last = ("", "")
        self._told: tuple[str, ...] = ()

    def tell(self, event: Event, time_s: float) -> None:
        """Tell an event that was just kept."""
        from visionset.games.telling import event_words

        state = self._director.state
        if self._json:
            line = {"time_s": round(time_s, 3), "event": event.to_json(), "scores": list(state.scores), "notice": state.notice}
            say(json.dumps(line))
            return
        told = state.notice or event_words(event, state)
        points = ", ".join(f"{name} {score}" for name, score in zip(state.players, state.scores, strict=True))
        say(f"{int(time_s) // 60}:{time_s % 60:04.1f}  {told}  ({points})")

    def refused(self, text: str, time_s: float) -> None:
        """Tell what somebody said and the game did not take; the window shows it by itself."""
        if self._json:
            say(json.dumps({"time_s": round(time_s, 3), "refused": text}))

    def undone(self, count: int, time_s: float) -> None:
        """Tell that the last events were taken back."""
        state = self._director.state
        if self._json:
            say(json.dumps({"time_s": round(time_s, 3), "undone": count, "scores": list(state.scores)}))
        else:
            points = ", ".join(f"{name} {score}" for name, score in zip(state.players, state.scores, strict=True))
            say(f"{int(time_s) // 60}:{time_s % 60:04.1f}  taken back  ({points})")

    def shown(self, showing: Showing, time_s: float) -> None:
        """Tell differences and questions when they come up; as JSON also what people are to do, whenever that changes."""
        told = tuple(_REMINDED.sub("", str(one)) for one in showing.told)
        if self._json and told and told != self._told:
            say(json.dumps({"time_s": round(time_s, 3), "told": list(told)}))
        self._told = told
        now = (showing.differ, "" if showing.question is None else str(showing.question))
        for name, text, before in zip(("differ", "question"), now, self._last, strict=True):
            if text and text != before:
                line: dict[str, Any] = {"time_s": round(time_s, 3), name: text}
                if name == "question" and showing.exhibits:
                    line["exhibits"] = [_exhibited(one) for one in showing.exhibits]
                say(json.dumps(line) if self._json else f"{name}: {text}")
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


def _exhibited(one: Exhibit) -> dict[str, Any]:
    """A piece that is in doubt, as JSON."""
    runner_up = None if one.runner_up is None else str(one.runner_up)
    return {"piece": str(one.piece), "confidence": one.confidence, "runner_up": runner_up}
