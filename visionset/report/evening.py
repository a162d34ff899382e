"""An evening as a report tells it, whether the store has it as a match or a folder as a recording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from visionset import __version__
from visionset.games.registry import GAMES
from visionset.kinds import CARD_FACES
from visionset.messages import Message, Words
from visionset.recording import Recording
from visionset.report.charts import minutes
from visionset.report.cuttings import CardsSeen, CuttingOptions, cuttings, embedded, last_shown
from visionset.report.html import Html, joined_html
from visionset.report.lives import Life, lives_by_events, lives_of
from visionset.report.story import Story, story_of, story_of_match
from visionset.store import Match, Origin


@dataclass(frozen=True, slots=True)
class Evening:
    """What there is to tell."""

    title: str
    facts: tuple[Words, ...]
    """When, how long, where from: a few words each."""
    begun_s: float
    """Seconds since 1970; 0 where nobody knows."""
    story: Story
    lives: tuple[Life, ...]
    span_s: tuple[float, float]
    """From when to when, by the times of story and lives."""
    moves: Mapping[int, Html] = field(default_factory=dict)
    """Pictures of what was taken, by the places of events among those that stand."""
    sets: Mapping[Life, Html] = field(default_factory=dict)
    """Pictures of SETs while they lay there."""
    tables: tuple[tuple[float, Html], ...] = ()
    """Pictures of the whole table, with their times."""


def match_evening(match: Match, pictures: Mapping[int, tuple[bytes, ...]] | None = None) -> Evening:
    """Tell a match of the store.

    Parameters
    ----------
    match : Match
        Over or not.
    pictures : mapping of int to tuple of bytes, optional
        JPEGs of the pieces by which an event was judged, by the places of events among those that stand.
    """
    story = story_of_match(match)
    span_s = 0.0, max([1.0, *(time_s for time_s, _ in story.scores), *story.times_s])
    summary = match.summary
    where = Message("report.camera") if summary.origin is Origin.CAMERA else Message("report.virtual")
    facts = (Message("report.match", number=match.id), where, _long(span_s))
    moves = {number: joined_html(*(embedded(one, "") for one in several)) for number, several in (pictures or {}).items()}
    lives = lives_by_events(story.tables, story.takings)
    return Evening(match.history.game.title, facts, summary.begun_s, story, lives, span_s, moves)


def recorded_evening(recording: Recording, options: CuttingOptions | None = None, step: Callable[[], object] = lambda: None) -> Evening:
    """Tell a recording, with pictures from its video; `step` is called once a picture that was looked at."""
    options, story = options or CuttingOptions(), story_of(recording)
    lives = lives_of(recording.layouts, story.takings)
    times = [one.time_s for part in (recording.pictures, recording.layouts, recording.events) for one in part]
    span_s = (min(times), max(times)) if times else (0.0, 1.0)
    moves = {
        one.number: shown
        for one in story.counted
        if one.pieces
        and all(piece.kind in CARD_FACES for piece in one.pieces)
        and (shown := last_shown(recording.layouts, one.pieces, one.time_s, options)) is not None
    }
    sets = {life: CardsSeen(life.frame, life.named) for life in lives if life.frame is not None}
    found = cuttings(recording, (*moves.values(), *sets.values()), options, step)
    heading, game = recording.heading, GAMES.get(recording.heading.game)
    title = heading.game if game is None else game.title
    facts = (
        recording.folder.resolve().name,
        _long(span_s),
        Message("report.pictures", count=len(recording.pictures)),
        Message("report.versions", recorded=heading.version, reported=__version__),
    )
    return Evening(
        title or recording.folder.resolve().name,
        facts,
        heading.begun_s,
        story,
        lives,
        span_s,
        {number: found.cards[shown] for number, shown in moves.items() if shown in found.cards},
        {life: found.cards[shown] for life, shown in sets.items() if shown in found.cards},
        tuple(found.tables),
    )


def _long(span_s: tuple[float, float]) -> Message:
    return Message("report.long", time=minutes(span_s[1] - span_s[0]))
