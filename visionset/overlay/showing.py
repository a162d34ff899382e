"""What the referee shows, drawn: outlines on the table, scores at the side, words for everybody below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from visionset.messages import Message, at_table
from visionset.overlay.drawing import (
    DARK,
    LINE_HEIGHT,
    SILVER,
    SKY,
    VERMILLION,
    WHITE,
    YELLOW,
    Bgr,
    Box,
    Drawing,
    Line,
    PanelStyle,
    Tag,
    text_width,
)
from visionset.referee.player_input import Answer, CallSet, GameIsRight, Said, TableIsRight
from visionset.referee.terms import Mark, Showing, Tone

_TONES: dict[Tone, Bgr] = {
    Tone.TODO: SKY,
    Tone.GOOD: YELLOW,
    Tone.WRONG: VERMILLION,
    Tone.ASKED: WHITE,
    Tone.HINT: YELLOW,
    Tone.ZONE: SILVER,
}


@dataclass(frozen=True, slots=True)
class ShowingStyle:
    """Sizes of what is drawn of it."""

    line: float = 0.003
    """Width of an outline in shares of the picture (square root of its area): 3 px at 720p."""
    dash: float = 5.0
    """Length of a dash in line widths; what is asked and what is empty is dashed."""
    wide: float = 0.98
    """Most of the picture's width that words may take."""
    stop: float = 1.6
    """Size of the words that stop the game over that of all others."""


@dataclass(frozen=True, slots=True)
class Target:
    """A part of the picture that says something when it is clicked."""

    box: Box
    said: Said


@dataclass(frozen=True, slots=True)
class _Words:
    """A line below the table: what it says when it is clicked, and its size over that of usual lines."""

    text: str
    ink_bgr: Bgr
    said: Said | None = None
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """The drawing, and where it can be clicked."""

    drawing: Drawing
    targets: tuple[Target, ...] = ()

    def clicked(self, x: float, y: float) -> Said | None:
        """What a click says; None beside everything."""
        for target in self.targets:
            box = target.box
            if box.left <= x < box.left + box.width and box.top <= y < box.top + box.height:
                return target.said
        return None


def draw_showing(
    showing: Showing,
    players: Sequence[str],
    size_px: tuple[int, int],
    words: PanelStyle | None = None,
    style: ShowingStyle | None = None,
) -> ShownBoard:
    """Draw what the referee shows over a picture of the table; players are clicked in their lines of the status to call."""
    style = style or ShowingStyle()
    width_px = max(1.0, style.line * sqrt(size_px[0] * size_px[1]))
    font = (words or PanelStyle()).size_px(size_px)
    marks = tuple(part for mark in showing.marks for part in _mark(mark, width_px, font, style))
    side, targets = _side(showing, players, size_px, font)
    below, answers = _below(showing, size_px, font, style)
    return ShownBoard(Drawing(size_px, (*marks, *side, *below)), (*targets, *answers))


def _mark(mark: Mark, width_px: float, font: float, style: ShowingStyle) -> tuple[Line | Tag, ...]:
    color = _TONES[mark.tone]
    thin = mark.tone is Tone.ZONE
    dashed = mark.tone in (Tone.TODO, Tone.ASKED)
    line = Line(mark.outline_px, color, width_px / 2 if thin else width_px, style.dash * width_px if dashed else 0.0)
    text = at_table(mark.text)
    if not text:
        return (line,)
    x, y = (float(value) for value in mark.outline_px.min(axis=0))
    box = Box(x, y, text_width(text, font, True) + 0.6 * font, LINE_HEIGHT * font)
    ink = DARK if mark.tone in (Tone.GOOD, Tone.HINT, Tone.ASKED) else WHITE
    return line, Tag(box, (text,), font, WHITE if thin else ink, DARK if thin else color, bold=True)


def _side(showing: Showing, players: Sequence[str], size_px: tuple[int, int], font: float) -> tuple[tuple[Tag, ...], tuple[Target, ...]]:
    """Scores and the sheet, in lines at the top right; a line that begins with a player's name is that player's button."""
    rows = [at_table(line).partition("\t")[::2] for line in (*showing.status, *showing.sheet)]
    if not rows:
        return (), ()
    first = max(text_width(name, font) for name, _ in rows) + font
    width = first + max(text_width(value, font) for _, value in rows) + font
    left, step = size_px[0] - width - font / 2, LINE_HEIGHT * font
    plate = Tag(Box(left, font / 2, width, step * len(rows)), ("",), font)
    tags, targets = [plate], []
    for number, (name, value) in enumerate(rows):
        top = font / 2 + number * step
        tags.append(Tag(Box(left + font / 2, top, text_width(name, font), step), (name,), font, YELLOW, opacity=0.0))
        if value:
            tags.append(Tag(Box(left + first, top, text_width(value, font), step), (value,), font, WHITE, opacity=0.0))
        if name in players and number < len(players):
            targets.append(Target(Box(left, top, width, step), CallSet(players.index(name))))
    return tuple(tags), tuple(targets)


def _below(showing: Showing, size_px: tuple[int, int], font: float, style: ShowingStyle) -> tuple[tuple[Tag, ...], tuple[Target, ...]]:
    """Words at the bottom left, the most pressing last and lowest; answers are clicked."""
    lines = [_Words(at_table(remark), SKY) for remark in showing.remarks]
    if showing.notice:
        lines.append(_Words(at_table(showing.notice), SILVER))
    if showing.differ:
        lines.append(_Words(at_table(Message("showing.stop", differ=showing.differ)), VERMILLION, None, style.stop))
        lines.append(_Words(at_table(Message("showing.table_is_right")), WHITE, TableIsRight()))
        lines.append(_Words(at_table(Message("showing.game_is_right")), WHITE, GameIsRight()))
    elif showing.question is not None:
        lines.append(_Words(showing.question.text, YELLOW))
        lines += [_Words(f"{number}  {option.text}", WHITE, Answer(number)) for number, option in enumerate(showing.question.options, 1)]
        lines.append(_Words(f"0  {at_table(showing.question.none or Message('referee.answer.none_of_these'))}", WHITE, Answer(0)))
    else:
        lines += [_Words(str(told), WHITE) for told in showing.told]
    tags, targets, bottom = [], [], size_px[1] - font / 2
    for words in reversed(lines):
        size = font * words.scale
        for text in reversed(_wrapped(words.text, size, style.wide * size_px[0] - font)):
            bottom -= LINE_HEIGHT * size
            box = Box(font / 2, bottom, text_width(text, size) + font, LINE_HEIGHT * size)
            tags.append(Tag(box, (text,), size, words.ink_bgr))
            if words.said is not None:
                targets.append(Target(box, words.said))
    return tuple(tags), tuple(targets)


def _wrapped(text: str, size: float, room: float) -> list[str]:
    """Break a text into lines that have room, between words: nothing that people must read is made smaller."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip() if lines[-1] else word
        if lines[-1] and text_width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
