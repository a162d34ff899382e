"""Charts as SVG text, for pages that load nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from visionset.recording.html import Html, joined_html, tag

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Hues of Okabe and Ito, told apart under every common colour blindness."""

NOBODY = "#999999"

_WIDTH, _LEFT, _RIGHT, _BAR = 900, 46, 12, 16
"""Pixels of the page: width of a chart, its margins, height of a row."""

_TICKS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600)
"""Steps in seconds that people read as round."""

_MOST_TICKS = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of time: from, to, colour and what it is."""

    start_s: float
    end_s: float
    color: str
    title: str


def minutes(time_s: float) -> str:
    """``3:07``."""
    return f"{int(time_s // 60)}:{int(time_s % 60):02d}"


def player_color(player: int | None) -> str:
    """The player's own."""
    return NOBODY if player is None else COLORS[player % len(COLORS)]


def score_chart(players: Sequence[str], scores: Sequence[tuple[float, tuple[int, ...]]], span_s: tuple[float, float]) -> Html:
    """Points of each player as steps over time."""
    height, top, bottom = 260, 12, 24
    most = max([1, *(max(points) for _, points in scores)])
    least = min([0, *(min(points) for _, points in scores)])

    def y(points: int) -> float:
        return top + (most - points) / (most - least) * (height - top - bottom)

    parts = [_axis(span_s, height - bottom)]
    for level in sorted({least, 0, most}):
        parts.append(tag("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=f"{y(level):.1f}", y2=f"{y(level):.1f}", class_="grid"))
        parts.append(tag("text", str(level), x=_LEFT - 8, y=f"{y(level) + 4:.1f}", text_anchor="end"))
    for player, name in enumerate(players):
        steps = f"M{_x(span_s[0], span_s):.1f},{y(0):.1f}"
        for time_s, points in scores:
            steps += f"H{_x(time_s, span_s):.1f}V{y(points[player]):.1f}"
        steps += f"H{_x(span_s[1], span_s):.1f}"
        # players with the same points lie beside each other, not on top
        beside = f"translate(0 {2 * (player - (len(players) - 1) / 2):.1f})"
        drawn = {"d": steps, "transform": beside, "fill": "none", "stroke": player_color(player), "stroke_width": 2}
        parts.append(tag("path", tag("title", name), **drawn))
    return _svg(height, parts)


def life_chart(bars: Sequence[Bar], span_s: tuple[float, float]) -> Html:
    """One row for each stretch of time."""
    height = len(bars) * _BAR + 30
    parts = [_axis(span_s, height - 24)]
    for row, bar in enumerate(bars):
        left, right = _x(bar.start_s, span_s), _x(bar.end_s, span_s)
        place = {"x": f"{left:.1f}", "y": row * _BAR + 2, "width": f"{max(2.0, right - left):.1f}", "height": _BAR - 4}
        parts.append(tag("rect", tag("title", bar.title), **place, rx=3, fill=bar.color))
    return _svg(height, parts)


def _x(time_s: float, span_s: tuple[float, float]) -> float:
    start, end = span_s
    return _LEFT + (time_s - start) / max(end - start, 1e-9) * (_WIDTH - _LEFT - _RIGHT)


def _axis(span_s: tuple[float, float], base: float) -> Html:
    start, end = span_s
    step = next(
        (step for step in _TICKS_S if (end - start) / step <= _MOST_TICKS), _TICKS_S[-1] * ceil((end - start) / _TICKS_S[-1] / _MOST_TICKS)
    )
    parts = [tag("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=base, y2=base, class_="axis")]
    for number in range(int((end - start) // step) + 1):
        x = f"{_x(start + number * step, span_s):.1f}"
        parts.append(tag("line", x1=x, x2=x, y1=0, y2=base, class_="grid"))
        parts.append(tag("text", minutes(number * step), x=x, y=base + 16, text_anchor="middle"))
    return joined_html(*parts)


def _svg(height: int, parts: Sequence[Html]) -> Html:
    return tag("svg", *parts, viewBox=f"0 0 {_WIDTH} {height}", role="img")
