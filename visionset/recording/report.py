"""A recording as one page of HTML that needs nothing else: no script, no file, no network."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib import resources
from string import Template

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset import __version__
from visionset.messages import at_table
from visionset.recording.charts import Bar, life_chart, minutes, player_color, score_chart
from visionset.recording.game import Story, story_of
from visionset.recording.html import Html, joined_html, tag
from visionset.recording.lives import Difficulty, End, Life, LifeOptions, difficulties, lives_of, missed
from visionset.recording.recording import Recording, card_picture
from visionset.table import Sighting
from visionset.words import counted


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Sizes of the page."""

    card_px: tuple[int, int] = (76, 116)
    """Width and height of a card's picture: sharp on a fine screen at half the size."""
    table_px: int = 420
    """Width of a table's picture."""
    tables: int = 6
    """Pictures of the whole table, evenly over time."""
    most: int = 400
    """SETs with a picture; a long match has some hundred, 5 kB each."""
    quality: int = 80
    """Of JPEG; small pictures stay clear at 80."""
    life: LifeOptions = field(default_factory=LifeOptions)


def write_report(recording: Recording, options: ReportOptions | None = None, step: Callable[[], object] = lambda: None) -> str:
    """Write the page; `step` is called once a picture that was looked at, for a progress bar."""
    options = options or ReportOptions()
    story = story_of(recording)
    lives = lives_of(recording.layouts, story.takings, options.life)
    pictures = _pictures(recording, lives, options, step)
    times = [
        *(shot.time_s for shot in recording.shots),
        *(lay.time_s for lay in recording.layouts),
        *(h.time_s for h in recording.happenings),
    ]
    span_s = (min(times), max(times)) if times else (0.0, 1.0)
    body = [
        _head(recording, story),
        _section("Score", _scores(story, span_s)),
        _section("Hardest attribute", _hardest(story, lives)),
        _section("Each SET's life on the table", _lives(story, lives, span_s)),
        _section("Missed SETs", _missed(missed(lives, options.life), pictures.sets, span_s[0], options)),
        _section("SETs taken", _taken(story, lives, pictures.sets, span_s[0])),
        _section("The table", *(tag("figure", image, tag("figcaption", when)) for when, image in pictures.tables)),
    ]
    page = Template(resources.files("visionset.recording").joinpath("report.html").read_text(encoding="utf-8"))
    text = page.substitute(title=joined_html(recording.folder.resolve().name), body="\n".join(body))
    return text.encode("utf-8", "xmlcharrefreplace").decode()  # a name may hold half a character


@dataclass(slots=True)
class _Pictures:
    sets: dict[Life, Html] = field(default_factory=dict)
    tables: list[tuple[str, Html]] = field(default_factory=list)


def _pictures(recording: Recording, lives: Sequence[Life], options: ReportOptions, step: Callable[[], object]) -> _Pictures:
    """Go through the video once and cut out what the page shows."""
    wanted: dict[int, list[Life]] = {}
    for life in lives[: options.most]:
        wanted.setdefault(life.frame, []).append(life)
    layouts = {layout.frame: layout for layout in recording.layouts}
    settled = sorted(layouts)
    stride = max(1, len(settled) // options.tables)
    whole = set(settled[stride // 2 :: stride][: options.tables])
    start_s = recording.shots[0].time_s if recording.shots else 0.0
    found = _Pictures()
    for frame in recording.frames():
        step()
        if frame.index in whole:
            scale = min(1.0, options.table_px / frame.size_px[0])
            small = np.asarray(cv2.resize(frame.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
            found.tables.append((minutes(frame.time_s - start_s), _image(small, options.quality, "the table")))
        for life in wanted.get(frame.index, ()):
            sightings: dict[object, Sighting] = {s.piece: s for s in layouts[frame.index].table.sightings}
            if not life.cards <= sightings.keys():  # another settled frame claims the same number
                continue
            cards = [card_picture(frame, sightings[card].outline_px, options.card_px) for card in life.named]
            found.sets[life] = _image(np.hstack(cards), options.quality, ", ".join(map(at_table, life.named)))
    return found


def _image(image_bgr: NDArray[np.uint8], quality: int, told: str) -> Html:
    _, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return tag("img", alt=told, src=f"data:image/jpeg;base64,{base64.b64encode(data.tobytes()).decode()}")


def _head(recording: Recording, story: Story) -> Html:
    heading = recording.heading
    begun = datetime.fromtimestamp(heading.begun_s).strftime("%Y-%m-%d %H:%M") if heading.begun_s else ""
    facts = [begun, heading.game, f"{minutes(recording.duration_s)} long", counted(len(recording.shots), "picture")]
    facts += [f"recorded by visionset {heading.version}, reported by {__version__}"]
    lines = [tag("h1", recording.folder.resolve().name), tag("p", " · ".join(filter(None, facts)))]
    if story.trouble:
        lines.append(tag("p", story.trouble, class_="trouble"))
    return joined_html(*lines)


def _scores(story: Story, span_s: tuple[float, float]) -> Html:
    if not story.scores:
        return tag("p", "No game was followed: there are no scores.")
    final = story.scores[-1][1]
    named = (
        tag("li", tag("b", "■", style=f"color:{player_color(player)}"), f" {name}: {final[player]}")
        for player, name in enumerate(story.players)
    )
    return joined_html(tag("ul", *named, class_="key"), score_chart(story.players, story.scores, span_s))


def _hardest(story: Story, lives: Sequence[Life]) -> Html:
    if not story.takings:
        return tag("p", "Nobody is known to have taken a SET.")
    rows = [
        (name if place == 0 else "", _worst(found, place), str(found.wrong), _seconds(found.same_s), _seconds(found.different_s))
        for player, name in enumerate(story.players)
        for place, found in enumerate(difficulties(player, lives, story.takings))
    ]
    told = "Wrong takings that the attribute spoilt, and how old SETs were when they were taken (median), alike and all different in it."
    return joined_html(tag("p", told), _table(("player", "attribute", "wrong", "alike", "different"), rows))


def _worst(found: Difficulty, place: int) -> str:
    is_hardest = place == 0 and (found.wrong > 0 or found.extra_s > 0)
    return joined_html(tag("b", found.attribute), ", the hardest") if is_hardest else found.attribute


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} s"


def _lives(story: Story, lives: Sequence[Life], span_s: tuple[float, float]) -> Html:
    if not lives:
        return tag("p", "No SET was seen.")
    bars = [
        Bar(life.born_s, life.died_s, player_color(life.player), f"{_named(life)}: {life.lasted_s:.0f} s, {_end(story, life)}")
        for life in lives
    ]
    average = sum(life.lasted_s for life in lives) / len(lives)
    told = f"{counted(len(lives), 'SET')}, {average:.0f} s each on average; coloured by who took it, grey for nobody known."
    return joined_html(tag("p", told), life_chart(bars, span_s))


def _missed(lost: Sequence[Life], images: dict[Life, Html], start_s: float, options: ReportOptions) -> Html:
    if not lost:
        return tag("p", f"None: every SET that lay there for {options.life.overlooked_s:.0f} s was taken.")
    rows = [(images.get(life, ""), _named(life), minutes(life.born_s - start_s), f"{life.lasted_s:.0f} s", life.end.value) for life in lost]
    return _table(("", "SET", "from", "lay there", "then"), rows)


def _taken(story: Story, lives: Sequence[Life], images: dict[Life, Html], start_s: float) -> Html:
    rows = [
        (images.get(life, ""), _named(life), minutes(life.died_s - start_s), f"{life.lasted_s:.0f} s", _end(story, life))
        for life in lives
        if life.end is End.TAKEN
    ]
    return _table(("", "SET", "at", "after", "by"), rows) if rows else tag("p", "None.")


def _named(life: Life) -> str:
    return ", ".join(map(at_table, life.named))


def _end(story: Story, life: Life) -> str:
    return life.end.value if life.player is None else story.players[life.player]


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> Html:
    head = tag("tr", *(tag("th", name) for name in heads))
    return tag("table", head, *(tag("tr", *(tag("td", cell) for cell in row)) for row in rows))


def _section(title: str, *content: Html) -> Html:
    return tag("section", tag("h2", title), *content)
