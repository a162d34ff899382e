"""A match without a camera: pack, dice, simple players and the clock go on by themselves, people by what their pages say.

Longer than most modules: whatever happens at the table happens under one lock, and is read together.
"""

from __future__ import annotations

import logging
import math
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from visionset.errors import RequestError, RuleError, VisionsetError
from visionset.games.advice import advice_words
from visionset.games.base import Choice, Event, Hint
from visionset.games.game import History, undone_words
from visionset.games.registry import SPECS
from visionset.games.virtual.bots import STRENGTHS, BotHabits, bot_move, thought_s, with_habits
from visionset.games.virtual.chance import chance, deadline
from visionset.games.virtual.undoing import SameChance, brought_anew, steps_back
from visionset.messages import Message, Words, at_table
from visionset.store import Match, Origin, Store, all_scores
from visionset.web.callers import SAID_AS, Callers, has_called, refuse_after_another
from visionset.web.first_come import WITHIN_S, FirstCome, claims, closed_up
from visionset.web.in_languages import InLanguages
from visionset.web.notices import Notices
from visionset.web.offered import Offered, chosen_event
from visionset.web.showing import Json, rank_json
from visionset.web.virtual_showing import VirtualShowing
from visionset.web.wire import FromPage, MakeMove, SayWord

_LOG = logging.getLogger(__name__)

_DEAL_S = 0.6
"""From a move to what pack or dice bring: what was taken is seen before it is gone."""

_NEXT_DEAL_S = 1.5
"""Between two things that pack or dice bring one after the other, so that people can follow them."""

_BOT_S = 1.2
"""Between two things that a simple player does: its cards are seen before they are gone."""

_AGAIN_S = 5.0
"""Until something is tried again that the disk refused."""


class VirtualTable:
    """A match with a shuffled pack and a bag of dice.

    Parameters
    ----------
    store : Store
        Where the match is kept; everything is there before it is shown. It is closed with the table.
    match : Match
        Begun or resumed.
    clock : callable
        Gives seconds that only grow, such as ``time.monotonic``.
    seed : int
        For pack, dice and simple players.
    strengths : mapping of str to int
        How strong each simple player is, 1 to 3.
    cache : Path, optional
        Folder of what advice takes long to reckon.

    Notes
    -----
    All methods may be called on any thread. Nothing happens by itself before `wake` is called, at `due_s` or later.
    """

    def __init__(
        self,
        store: Store,
        match: Match,
        clock: Callable[[], float],
        seed: int | str,
        strengths: Mapping[str, int] | None = None,
        cache: Path | None = None,
    ) -> None:
        self._store, self._match, self._clock, self._cache = store, match, clock, cache
        self._lock = threading.RLock()
        self._chances, self._rng = SameChance(seed), random.Random(f"{seed} players {len(match.entries)}")
        self._began_s = clock() - match.history.state.clock_s
        self._bots: dict[int, BotHabits] = {
            player: STRENGTHS[(strengths or {}).get(name, 2)]
            for player, name in enumerate(match.history.players)
            if name in match.summary.bots
        }
        self._listeners: list[Callable[[], None]] = []
        self._plans: dict[int, tuple[float, Event]] = {}
        self._acted_s: dict[int, float] = {}
        self._chance_s: float | None = None
        self._brought: Event | None = None
        self._is_round_shown = False
        self._paused_s: float | None = None
        self._again_s = 0.0
        self._hints: dict[int | None, tuple[int, Words, tuple[int, ...]]] = {}
        self._first, self._callers, self._notices, self._offered = FirstCome(), Callers(), Notices(), Offered()
        self._trouble: Words = ""
        self.pictures: Any = None
        self._is_closed = False
        self._snapshot: tuple[int, InLanguages, dict[int | None, tuple[int, Words, tuple[int, ...]]]] = (0, InLanguages(dict), {})
        self._look_ahead(0.0)
        self._publish()

    @property
    def match(self) -> Match:
        """The match as the store has it."""
        return self._match

    @property
    def version(self) -> int:
        """Of what is shown; it only grows."""
        return self._snapshot[0]

    @property
    def due_s(self) -> float | None:
        """When something happens by itself, by the clock; None while the table waits for people alone."""
        with self._lock:
            due = None if self._is_closed or self._paused_s is not None else self._due()
            return None if due is None else max(due[0], self._again_s) + self._began_s

    @property
    def is_resting(self) -> bool:
        """Whether nobody plays just now: the host lets no time pass, a round that is over is looked at, or all is over."""
        return self._paused_s is not None or self._is_round_shown or bool(self._match.history.state.is_over)

    def listen(self, listener: Callable[[], None]) -> None:
        """Tell somebody about each new version, on any thread."""
        self._listeners.append(listener)

    def showing(self, player: int | None = None) -> Json:
        """The state for everybody, with the hint of one player."""
        _, shown, hints = self._snapshot  # without the lock: whoever draws never waits for somebody who thinks
        level, text, at = hints.get(player, (0, "", ()))
        return {**shown(), "hints": {"level": level, "text": at_table(text), "at": list(at)} if level else None}

    def do(self, seat_player: int | None, message: FromPage, at_s: float | None = None) -> None:
        """Do what a page asks for.

        Parameters
        ----------
        seat_player : int or None
            Who asks; None for the host, who may act for all.
        message : MakeMove or SayWord
            What for.
        at_s : float, optional
            When it was said, by the clock; None for now.

        Raises
        ------
        VisionsetError
            It is not done; the words say why.
        """
        if isinstance(message, SayWord) and message.what == "hint":
            self._hint(message.player if seat_player is None else seat_player)
            return
        with self._lock:
            self._refuse_when_closed()
            now_s = self._now_s() if at_s is None else min(self._now_s(), at_s - self._began_s)
            match message:
                case MakeMove():
                    event = self._event(seat_player, message)
                    if event is None:
                        return
                    if self._first.holds_up(event):
                        self._publish()
                    else:
                        self._refuse_late(event, at_s)
                        self._keep(event, now_s)
                case SayWord(what="set" | "no_set"):
                    spoken = self._spoken(seat_player, message, now_s)
                    if spoken is not None:
                        self._refuse_late(spoken, at_s)
                        self._keep_spoken(spoken, now_s)
                case SayWord(what="undo"):
                    self._refuse_all_but_host(seat_player)
                    self.undo()
                case SayWord(what="next"):
                    self._hurry()
                    self.wake()
                case SayWord(what="pause" | "go_on"):
                    self._refuse_all_but_host(seat_player)
                    self.pause(message.what == "pause")
                case _:
                    raise RequestError("camera", Message("web.refused.no_camera"))

    def undo(self) -> None:
        """Take back what happened last; raises `RuleError` where there is nothing, `RequestError` where a camera saw it."""
        with self._lock:
            if self._match.summary.origin is Origin.CAMERA:  # only its end is shown here
                raise RequestError("match", Message("web.refused.finished", number=self._match.id))
            before = self._match.history
            for _ in range(steps_back(before, now_s=math.inf)):
                self._match = self._store.undo(self._match)
            self._notices.say_aside(undone_words(before, self._match.history))
            self._plans, self._first = {}, FirstCome()  # simple players look at the table anew, as people do
            self._changed()

    def _hurry(self) -> None:
        """Let what comes by itself come now; nobody thinks faster where people are in the race."""
        self._is_round_shown = False
        if self._chance_s is not None:
            self._chance_s = 0.0
        elif self._is_hurried:
            self._plans = {player: (0.0, event) for player, (_, event) in self._plans.items()}
        else:
            self._publish()

    @property
    def _is_hurried(self) -> bool:
        """Whether people wait for nothing but what comes by itself."""
        is_anybodys = any(one.player not in self._bots for one in self._match.history.state.legal)
        return not self._is_round_shown and (self._chance_s is not None or (bool(self._plans) and not is_anybodys))

    def pause(self, is_paused: bool) -> None:
        """Let no time pass, or let it pass again: whoever reads what lies over the table does not see it."""
        with self._lock:
            if is_paused == (self._paused_s is not None):
                return
            if self._paused_s is None:
                self._paused_s = self._now_s()
            else:
                self._began_s, self._paused_s = self._clock() - self._paused_s, None
            self._publish()

    def wake(self) -> None:
        """Let happen what is due by now."""
        with self._lock:
            while not self._is_closed and self._paused_s is None and (due := self._due()) is not None:
                if max(due[0], self._again_s) + self._began_s > self._clock():
                    return
                try:
                    due[1](self._now_s())
                except Exception as error:
                    self._trip(error)
                    self._publish()

    def exhibit(self, id: str) -> bytes | None:
        """No picture: there is no camera."""
        return None

    def close(self) -> None:
        """End: the match stays in the store, and is closed there where its game is over."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                if self._match.history.state.is_over and not self._match.is_closed:
                    self._match = self._store.finish(self._match)
                self._store.close()

    def _now_s(self) -> float:
        return self._clock() - self._began_s if self._paused_s is None else self._paused_s

    def _refuse_late(self, event: Event, at_s: float | None) -> None:
        self._callers.refuse_late(event, self._match.history, self._clock() if at_s is None else at_s)

    def _keep(self, event: Event, at_s: float, pause_s: float = _DEAL_S) -> None:
        """Write an event; only then is it shown."""
        before = self._match.history.state
        at_s = max(at_s, before.clock_s)
        self._match = self._store.append(self._match, replace(event, at_s=at_s))
        self._notices.aside = ""
        waiting = self._first.after(event, before, self._match.history.state)
        self._changed(pause_s)
        self._keep_all(waiting, at_s)

    def _keep_all(self, waiting: Sequence[Event], at_s: float) -> None:
        """Write what was taken in the time of who said SET first, as far as it can still be taken."""
        while waiting:
            event, *rest = waiting
            before = self._match.history.state
            with suppress(RuleError):
                self._keep(event, at_s)
            waiting = closed_up(rest, event, before, self._match.history.state)

    def _let_pass(self, now_s: float) -> None:
        waiting = self._first.pass_on()
        self._publish()
        self._keep_all(waiting, now_s)

    def _changed(self, pause_s: float = _DEAL_S) -> None:
        self._trouble = ""
        self._hints.clear()
        try:
            self._look_ahead(pause_s)
        except Exception as error:
            self._trip(error)
        self._publish()

    def _look_ahead(self, pause_s: float) -> None:
        """Plan what pack, dice and simple players do next."""
        state, now_s = self._match.history.state, self._now_s()
        read_s = self._notices.follow(state.notice, now_s)
        self._brought = None  # where the game's own pack fails, nothing is on its way
        self._brought = chance(state, random.Random(0))
        self._chance_s = None if self._brought is None else now_s + pause_s
        self._is_round_shown = len(self._bots) < len(state.players) and _ended_a_round(self._match.history)
        plans: dict[int, tuple[float, Event]] = {}
        for player, habits in self._bots.items() if self._chance_s is None else ():
            with with_habits(habits):
                event = bot_move(state, player, self._rng)
                later_s = now_s + thought_s(self._rng)
            if event is None:
                continue
            wanted_s = later_s if event.at_s is None else event.at_s
            soonest_s = self._acted_s.get(player, -_BOT_S) + _BOT_S
            planned_s = self._plans.get(player, (wanted_s, None))[0]
            plans[player] = max(min(wanted_s, max(planned_s, now_s)), soonest_s, read_s), event
        self._plans = plans

    def _trip(self, error: Exception) -> None:
        """Say what keeps the game from going on, and try again later: people may still move, take back and leave.

        It is a full disk, or a fault of a game's own pack or simple player.
        """
        self._plans = {}
        self._again_s = self._now_s() + _AGAIN_S
        if isinstance(error, VisionsetError):
            self._trouble = getattr(error, "message", str(error))
        else:
            _LOG.error("a game goes on by itself", exc_info=error)
            self._trouble = Message("web.refused.fault", error=type(error).__name__)

    def _due(self) -> tuple[float, Callable[[float], None]] | None:
        """What happens by itself next, and when in the game."""
        found: list[tuple[float, Callable[[float], None]]] = []
        if self._chance_s is not None and not self._is_round_shown:
            found.append((self._chance_s, self._deal))
        ends = deadline(self._match.history.state)
        if ends is not None:
            found.append((ends.until_s, lambda now_s: self._keep(ends.event, ends.until_s)))
        until_s = 0.0
        if self._first.player is not None:
            until_s = self._first.until_s
            found.append((until_s, self._let_pass))
        for player, (at_s, event) in self._plans.items():
            found.append((max(at_s, until_s) if claims(event) else at_s, partial(self._let_move, player, event)))
        return min(found, key=lambda one: one[0], default=None)

    def _deal(self, now_s: float) -> None:
        event = chance(self._match.history.state, self._chances.at(self._match.history))
        assert event is not None
        self._keep(event, now_s, _NEXT_DEAL_S)
        if self._chance_s is not None:  # one after the other: each is read before the next is told
            self._chance_s = max(self._chance_s, self._notices.until_s)

    def _let_move(self, player: int, event: Event, now_s: float) -> None:
        self._acted_s[player] = now_s
        history = self._match.history
        self._callers.note(event, history.state, now_s + self._began_s)
        try:
            self._keep(brought_anew(history, event, self._chances.at(history)), now_s)
        except RuleError:  # it was right when it was planned, and its time is over
            self._plans = {}
            self._look_ahead(0.0)

    def _event(self, seat_player: int | None, message: MakeMove) -> Event | None:
        """What a move means; None where somebody else has just made the same."""
        choice = self._offered.chosen(message, self._match.history)
        if choice is None:
            return None
        self._refuse_others(seat_player, choice.player)
        return self._event_of(choice, msgspec.to_builtins(message.values))

    def _is_early(self, player: int | None) -> bool:
        """Whether a call of somebody comes before all lies there, so that everybody waits a moment: that is no fault."""
        state = self._match.history.state
        knows = any(event.name in SAID_AS["set"] for event in state.events)
        return knows and self._chance_s is not None and player in range(len(state.players)) and player not in self._bots

    def _spoken(self, seat_player: int | None, message: SayWord, now_s: float) -> Event | None:
        """What a word means; None where it comes too early, which is told to all, or twice, or where who says it first takes first."""
        player = message.player if seat_player is None else seat_player
        if message.what == "set" and player is not None and self._first.counts(self._match.history.state):
            self._refuse_others(seat_player, player)
            self._first.say(self._match.history.state, player, now_s)
            self._publish()
            return None
        wanted = [one for one in self._match.history.state.legal if one.event in SAID_AS[message.what] and not one.needs]
        mine = [one for one in wanted if one.player in (None, player)]
        if not mine and message.what == "set" and has_called(player, self._match.history.state):
            return None  # whoever is eager says it twice
        if not mine and message.what == "set" and self._is_early(player):
            self._notices.aside = Message("game.notice.early_call", name=self._match.history.players[player or 0])
            self._publish()
            return None
        if not mine:
            raise RequestError("word", Message("web.refused.word"))
        self._refuse_others(seat_player, mine[0].player)
        return self._event_of(mine[0], {})

    def _keep_spoken(self, event: Event, at_s: float) -> None:
        """Write what somebody said; whoever called a moment too late for a tie hears who was first, and no rule's number."""
        try:
            self._keep(event, at_s)
        except RuleError:
            refuse_after_another(event, self._match.history)
            raise

    def _event_of(self, choice: Choice, values: dict[str, Any]) -> Event:
        return chosen_event(choice, values, self._match.history, self._chances)

    def _refuse_others(self, seat_player: int | None, player: int | None) -> None:
        if player is None:
            return
        if player in self._bots:
            raise RequestError("seat", Message("web.refused.bot", name=self._match.history.players[player]))
        if seat_player not in (None, player):
            raise RequestError("seat", Message("web.refused.seat", name=self._match.history.players[player]))

    def _refuse_all_but_host(self, seat_player: int | None) -> None:
        if seat_player is not None and len(self._match.history.players) - len(self._bots) > 1:
            raise RequestError("host", Message("web.refused.host"))

    def _hint(self, player: int | None) -> None:
        """Give a hint, the next stronger one where the game has several; what it takes to reckon one holds nobody up."""
        with self._lock:
            self._refuse_when_closed()
            state, level = self._match.history.state, self._hints.get(player, (0, "", ()))[0] + 1
        asker = 0 if player is None else player
        if not 0 <= asker < len(state.players):
            raise RequestError("seat", Message("web.refused.no_player"))
        spec = SPECS[state.game]
        is_graded = spec.find("hint") is not None
        if not is_graded and level > 1:
            return
        given = spec.given("hint", Hint, state, asker, level) if is_graded else None
        text, at = (advice_words(state, asker, self._cache), ()) if given is None else (given.message, given.at)
        with self._lock:
            if state is self._match.history.state:
                self._hints[player] = level, text, at
                self._publish()

    def _refuse_when_closed(self) -> None:
        if self._is_closed:
            raise RequestError("no_match", Message("web.refused.no_match"))

    def _publish(self) -> None:
        version = self.version + 1
        shown = InLanguages(self._shown())
        shown()  # a fault of the game is found here, and no page draws it first
        self._offered.note(version, self._match.history)
        self._snapshot = version, shown, dict(self._hints)
        for listener in tuple(self._listeners):
            listener()

    def _shown(self) -> VirtualShowing:
        """The match as it is now."""
        history, bots = self._match.history, self._match.summary.bots
        rank = None
        if history.state.is_over and history.game.keeps_scores:
            rank = rank_json(all_scores(self._store, self._match, _LOG.warning), history, bots)
        return VirtualShowing(
            history=history,
            bots=bots,
            match=self._match.id,
            clock=self._running(),
            has_said_set=self._first.player,
            brought=self._brought,
            told=self._notices.words,
            trouble=self._trouble,
            is_round_over=self._is_round_shown,
            is_hurried=self._is_hurried,
            is_paused=self._paused_s is not None,
            rank=rank,
        )

    def _running(self) -> Json | None:
        """The time that somebody has."""
        now_s, ends, first = self._now_s(), deadline(self._match.history.state), self._first
        if first.player is not None:
            of, until_s, of_s = first.player, first.until_s, WITHIN_S
        elif ends is not None:
            of, until_s, of_s = ends.player, ends.until_s, ends.until_s - ends.from_s
        else:
            return None
        return {"player": of, "left_s": max(0.0, until_s - now_s), "of_s": of_s, "stands": self._paused_s is not None}


def _ended_a_round(history: History) -> bool:
    """Whether a round is over with what happened last, and the match is not."""
    rounds = [len(getattr(state, "finished", ())) for state in (*history.before[-1:], history.state)]
    return not history.state.is_over and rounds[-1] > rounds[0]
