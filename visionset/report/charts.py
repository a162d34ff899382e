"""Charts as SVG whose text keeps its size: places across are shares of the width, so that a phone shows the same as a projector.

Nothing in them is styled in place: colours and dashes come by classes from the style sheet, which a strict policy lets pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from visionset.report.html import Html, joined_html, tag

LOOKS = 6
"""Colours, and dashes, by which the style sheet tells players apart."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 13.0, 97.0, 5.0, 84.0
"""Edges of what is drawn, in percent of the chart: beside and below stand the numbers."""

_TICKS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)
"""Steps in seconds that people read as round."""

_MOST_STEPS = 4
"""Between the times that are written below a chart: five times of seven signs fit on a phone."""

_APART = 9.0
"""Percent of the height that two lines of numbers keep from each other."""


def minutes(time_s: float) -> str:
    """``3:07``, ``1:02:05``."""
    hours, rest = divmod(int(time_s), 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"


def player_look(player: int | None) -> str:
    """Class of what is the player's own; of nobody's."""
    return "nobody" if player is None else f"look-{player % LOOKS}"


def score_chart(scores: Sequence[tuple[float, tuple[int, ...]]], span_s: tuple[float, float], told: str) -> Html:
    """Points of each player as steps over time; `told` says in words what is drawn."""
    most = max([1, *(max(points) for _, points in scores)])
    least = min([0, *(min(points) for _, points in scores)])

    def y(points: float) -> float:
        return _TOP + (most - points) / (most - least) * (_BOTTOM - _TOP)

    parts, levels = list(_times(span_s)), [most, least]
    if min(y(0) - y(most), y(least) - y(0)) >= _APART:
        levels.append(0)
    for level in levels:
        parts.append(tag("line", x1=_percent(_LEFT), x2=_percent(_RIGHT), y1=_percent(y(level)), y2=_percent(y(level)), class_="grid"))
        parts.append(tag("text", str(level), x=_percent(_LEFT - 2), y=_percent(y(level)), dy=".35em", text_anchor="end"))
    lines = []
    for player in range(len(scores[0][1]) if scores else 0):
        steps = f"M0,{10 * y(scores[0][1][player]):.0f}"
        for time_s, points in scores:
            steps += f"H{1000 * _share(time_s, span_s):.1f}V{10 * y(points[player]):.0f}"
        lines.append(tag("path", d=steps + "H1000", class_=f"line {player_look(player)}"))
    box = {
        "x": _percent(_LEFT),
        "width": _percent(_RIGHT - _LEFT),
        "height": "100%",
        "viewBox": "0 0 1000 1000",
        "preserveAspectRatio": "none",
    }
    return tag("svg", *parts, tag("svg", *lines, **box), class_="chart", role="img", aria_label=told)


def life_bar(start_s: float, end_s: float, look: str, span_s: tuple[float, float]) -> Html:
    """A stretch of time within the whole; what it is stands beside it in words."""
    left, right = 100 * _share(start_s, span_s), 100 * _share(end_s, span_s)
    wide = max(1.0, right - left)
    rail = tag("rect", width="100%", height="100%", class_="rail")
    return tag(
        "svg",
        rail,
        tag("rect", x=_percent(min(left, 100 - wide)), width=_percent(wide), height="100%", class_=look),
        class_="bar",
        aria_hidden="true",
    )


def _share(time_s: float, span_s: tuple[float, float]) -> float:
    start, end = span_s
    return min(1.0, max(0.0, (time_s - start) / max(end - start, 1e-9)))


def _percent(value: float) -> str:
    return f"{value:.2f}%"


def _times(span_s: tuple[float, float]) -> Sequence[Html]:
    whole = span_s[1] - span_s[0]
    longest = _TICKS_S[-1]
    step = next((step for step in _TICKS_S if whole / step <= _MOST_STEPS), longest * ceil(whole / longest / _MOST_STEPS))
    parts = []
    for number in range(int(whole // step) + 1):
        share = number * step / max(whole, 1e-9)
        x, anchor = _percent(_LEFT + share * (_RIGHT - _LEFT)), "end" if share > 0.9 else "middle"
        line = tag("line", x1=x, x2=x, y1=_percent(_TOP), y2=_percent(_BOTTOM), class_="grid")
        parts.append(joined_html(line, tag("text", minutes(number * step), x=x, y="97%", text_anchor=anchor)))
    return parts
