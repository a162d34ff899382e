"""What is shown of a match: who is to do what, the difference between table and game, outlines, scores."""

from __future__ import annotations

from collections.abc import Iterator

from visionset.games.base import EVERYONE
from visionset.messages import Message, Words
from visionset.referee.game_referee import outlined
from visionset.referee.game_tracker import GameTracker
from visionset.referee.terms import Differ, Mark, Question, Showing, Told, Tone, Unsure, Wait


def present(game: GameTracker, question: Question | None, remarks: tuple[Words, ...]) -> Showing:
    """Tell what is drawn now."""
    ruling = game.pending.ruling
    told = list(game.referee.told(game.state, game.now_s))
    differ: Words = ""
    if game.is_resumed:
        told = [Told(EVERYONE, Message("referee.told.goes_on"))]
    if isinstance(ruling, Wait):
        waited_s = game.pending.reminded_s(game.now_s)
        reminder = ruling.message if waited_s is None else Message("referee.told.reminded", what=ruling.message, seconds=waited_s)
        told = [Told(ruling.to, reminder), *_beside(game, ruling, told)]
    elif isinstance(ruling, Unsure):
        told = [Told(EVERYONE, Message("referee.told.unread")), *told]
    elif isinstance(ruling, Differ) and game.pending.is_told_differ(game.now_s):
        differ = ruling.message
    down = game.eyes.face_down
    if down:
        told.insert(0, Told(EVERYONE, Message("referee.told.face_down", pieces=tuple(one.piece for one in down), count=len(down))))
    return Showing(
        tuple(told),
        game.notice,
        question,
        differ,
        tuple(_marks(game, question)),
        game.referee.status(game.state, game.now_s),
        game.referee.sheet(game.state),
        remarks,
        game.disputes.exhibits(question),
    )


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
    if isinstance(ruling, Differ) and game.pending.is_told_differ(game.now_s):
        yield from outlined(game.table, (*ruling.extra, *(track for track, _ in ruling.swapped)), Tone.WRONG)
        yield from (Mark(one.outline_px, Tone.WRONG) for one in ruling.missing)
    if question is not None:
        yield from outlined(game.table, question.tracks, Tone.ASKED, "?")
