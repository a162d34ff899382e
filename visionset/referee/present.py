"""How a match stands in words and marks: what is told to whom, what differs, what is asked and shown of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from visionset.games.base import EVERYONE
from visionset.messages import Message, Words
from visionset.referee.dispute import DOUBT
from visionset.referee.game_tracker import GameTracker
from visionset.referee.rulings import Differ, Exhibit, Question, Unsure, Wait
from visionset.referee.shown import Mark, Showing, Told, Tone, outlined


def _reminder(wait: Wait, waited_s: float) -> Message:
    """What is waited for, for how long, and how to go on without it, where there is a way."""
    return Message("referee.told.reminded" if wait.then else "referee.told.still", what=wait.message, seconds=waited_s)


def present(game: GameTracker, question: Question | None, remarks: tuple[Words, ...], told_first: Words = "") -> Showing:
    """Tell what is drawn now, and something to all before the rest."""
    ruling = game.pending.ruling
    told = list(game.referee.told(game.state, game.now_s))
    differ: Words = ""
    differ_id = None
    if game.is_resumed:
        told = [Told(EVERYONE, Message("referee.told.goes_on"))]
    if isinstance(ruling, Wait):
        waited_s = game.pending.reminded_s
        reminder = ruling.message if waited_s is None else _reminder(ruling, waited_s)
        told = [Told(ruling.to, reminder), *_beside(game, ruling, told)]
    elif isinstance(ruling, Unsure):
        told = [Told(EVERYONE, Message("referee.told.unread")), *told]
    elif isinstance(ruling, Differ) and game.pending.is_told_differ:
        differ, differ_id = ruling.message, game.differ_id
    down = game.eyes.face_down
    if down:
        told.insert(0, Told(EVERYONE, Message("referee.told.face_down", pieces=tuple(one.piece for one in down), count=len(down))))
    if told_first:
        told.insert(0, Told(EVERYONE, told_first))
    return Showing(
        tuple(told),
        game.notice,
        question,
        differ,
        differ_id,
        tuple(_marks(game, question)),
        game.referee.status(game.state, game.now_s),
        game.referee.sheet(game.state),
        remarks,
        _exhibits(game, question),
    )


def _exhibits(game: GameTracker, question: Question | None) -> tuple[Exhibit, ...]:
    """The pieces that are asked about: all by which was judged, or the one that is said to be another."""
    if game.dispute is not None:
        return game.dispute.shown
    return () if question is None or question.key[0] != DOUBT else (cast(Exhibit, question.key[2]),)


def _beside(game: GameTracker, wait: Wait, told: list[Told]) -> list[Told]:
    """What is told beside what is waited for: of the rules' own prompts none to the same people, nor to all that one holds up."""
    prompted = {prompt.message for prompt in game.state.prompts}
    others = {one.to for one in told} - {wait.to, EVERYONE} if wait.to != EVERYONE else set()
    return [one for one in told if one.message != wait.message and (one.message not in prompted or one.to in others)]


def _marks(game: GameTracker, question: Question | None) -> Iterator[Mark]:
    ruling = game.pending.ruling
    yield from game.referee.marks(game.state, game.table)
    if isinstance(ruling, Wait):
        yield from outlined(game.table, ruling.tracks, Tone.TODO)
        yield from (Mark(place, Tone.TODO) for place in ruling.places_px)
    if isinstance(ruling, Differ) and game.pending.is_told_differ:
        yield from outlined(game.table, (*ruling.extra, *(track for track, _ in ruling.swapped)), Tone.WRONG)
        yield from (Mark(one.outline_px, Tone.WRONG) for one in ruling.missing)
    if question is not None:
        yield from outlined(game.table, question.tracks, Tone.ASKED, "?")
