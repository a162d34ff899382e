"""What a match without a camera shows, as JSON for pages; pure, as `showing` is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from visionset.games.base import EVERYONE, Event
from visionset.games.game import History
from visionset.games.telling import event_words
from visionset.messages import Message, Words, at_table
from visionset.web.showing import EMPTY, Json, history_json, prompt_json, prompted


@dataclass(frozen=True, slots=True)
class VirtualShowing:
    """A match at one moment: its game, and what follows from more than that. It is put into words for each language that asks."""

    history: History
    bots: Sequence[str]
    match: int
    clock: Json | None
    """The time that somebody has."""
    has_said_set: int | None
    """Who takes first, where nobody calls."""
    brought: Event | None
    """What pack or dice bring next, by themselves."""
    told: Words
    """What stands there in place of what the game says."""
    trouble: Words
    """What keeps the game from going on."""
    is_round_over: bool
    """A round that is over is looked at."""
    is_hurried: bool
    """People wait for nothing but what comes by itself."""
    is_paused: bool
    rank: list[Json] | None
    """Places among all who played, at the end."""

    def __call__(self) -> Json:
        """The state in the language that is spoken here."""
        shown: Json = {**EMPTY, **history_json(self.history, self.bots)}
        state, players, brought = self.history.state, self.history.players, self.brought
        waits = self.is_paused and (brought is not None or self.is_hurried)  # for whoever has paused it, and nobody else knows
        shown |= {"match": self.match, "clock": self.clock, "differ": at_table(self.trouble), "is_round_over": self.is_round_over}
        shown["is_hurried"] = self.is_hurried and not waits
        if self.has_said_set is not None:
            shown["prompts"] = [prompt_json(players[self.has_said_set], at_table(Message("web.first_come")), players)]
        if self.told:
            shown["notice"] = at_table(self.told)
        if brought is not None:  # nobody is told to do what comes by itself, or has a button for it where the next one will be
            shown["choices"] = [one for one in shown["choices"] if one["event"] != brought.name]
            shown["prompts"] = [prompt_json(EVERYONE, at_table(event_words(brought, state)), players)]
        if waits:
            shown["prompts"] = [prompt_json(EVERYONE, at_table(Message("web.waits")), players)]
        if self.is_round_over:  # nobody is told to deal, or may: the next round begins with one button
            prompts = [prompt_json(EVERYONE, at_table(Message("web.round_is_over")), players)]
            if getattr(state, "tied", ()):  # what comes is no round, but settles the tie
                prompts = [prompt_json(one.to, at_table(one.message), players) for one in state.prompts]
            shown |= {"prompts": prompts, "choices": []}
        if self.rank is not None:
            shown["over"] = {"winners": list(state.winners), "text": prompted(state), "rank": self.rank}
        return shown
