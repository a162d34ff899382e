"""An evening as one page of HTML that needs nothing else: no script, no file, no network. Phones show it as well as projectors."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources

from visionset.games.registry import SPECS
from visionset.games.telling import event_words
from visionset.messages import Message, at_table, in_words, spoken
from visionset.piece_svg import Plain
from visionset.report.charts import life_bar, minutes, player_look, score_chart
from visionset.report.drawings import Drawings
from visionset.report.evening import Evening
from visionset.report.html import Html, joined_html, tag
from visionset.report.lives import Difficulty, End, Life, LifeOptions, difficulties, missed
from visionset.report.state_of_play import shown_state
from visionset.report.story import Counted, Judgement
from visionset.words import day_and_time

_FOLDED = 24
"""Lines of a list beyond which the rest is folded away."""


def report_page(evening: Evening, plain: Plain | None = None) -> str:
    """Write the page in the language that is spoken now; `plain` draws pieces for people who do not tell the colours apart."""
    return _Report(evening, Drawings(plain)).page


def page_policy() -> str:
    """The content security policy under which a browser may show the page: its own style and pictures, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@cache
def _style() -> str:
    return resources.files("visionset.report").joinpath("report.css").read_text(encoding="utf-8")


class _Report:
    def __init__(self, evening: Evening, drawings: Drawings) -> None:
        self._evening, self._drawings, self._options = evening, drawings, LifeOptions()
        self._story, self._lives = evening.story, evening.lives
        self._start_s = evening.span_s[0]

    @property
    def page(self) -> str:
        has_sets = bool(self._lives or self._story.takings)
        body = [
            self._head(),
            _section("score", self._scores()),
            _section("moves", self._moves()) if self._story.history or self._lives else "",
            _section("lives", self._all_lives()) if has_sets else "",
            _section("missed", self._missed()) if has_sets else "",
            _section("hardest", self._hardest()) if self._story.takings else "",
            _section("ended", self._last_table()) if self._story.history else "",
            _section("seen", self._seen()) if self._evening.tables else "",
        ]
        head = tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("title", in_words(Message("report.title", title=self._evening.title))),
            tag("style", Html(_style())),
        )
        main = tag("main", *body)
        text = f"<!doctype html>\n{tag('html', head, tag('body', main, self._drawings.drawn), lang=spoken())}\n"
        return text.encode("utf-8", "replace").decode()  # a name may hold half a character

    def _head(self) -> Html:
        begun_s = self._evening.begun_s
        begun = in_words(day_and_time(begun_s)) if begun_s else ""
        lines = [tag("h1", self._evening.title), tag("p", self._outcome(), class_="outcome")]
        lines.append(tag("p", " · ".join(filter(None, [begun, *map(in_words, self._evening.facts)]))))
        if self._story.trouble:
            lines.append(tag("p", in_words(self._story.trouble), class_="trouble"))
        return tag("header", *lines)

    def _outcome(self) -> str:
        history = self._story.history
        if history is None:
            return ""
        winners = history.state.names_of(history.state.winners)
        if winners:
            return in_words(Message("report.won", names=winners, count=len(winners)))
        return in_words(Message("report.over" if history.state.is_over else "report.open"))

    def _scores(self) -> Html:
        story = self._story
        if not story.scores:
            return tag("p", _words("no_scores"))
        final = story.scores[-1][1]
        winners = () if story.history is None else story.history.state.winners  # of who are level, by a roll-off
        order = sorted(range(len(final)), key=lambda player: (-final[player], player not in winners))
        heads = ["player", "points"] + ["taken", "wrong"] * bool(story.takings)
        rows = []
        for player in order:
            own = [taking.judgement for taking in story.takings if taking.player == player]
            counts = [str(own.count(Judgement.KEPT)), str(own.count(Judgement.WRONG))] if story.takings else []
            rows.append((self._named(player), str(final[player]), *counts))
        told = in_words(Message("report.chart", players=tuple(f"{story.players[player]} {final[player]}" for player in order)))
        return joined_html(_table(heads, rows), score_chart(story.scores, self._evening.span_s, told))

    def _named(self, player: int) -> Html:
        swatch = tag(
            "svg", tag("path", d="M1 6H31", class_=f"line {player_look(player)}"), viewBox="0 0 32 12", class_="swatch", aria_hidden="true"
        )
        return joined_html(swatch, self._story.players[player])

    def _moves(self) -> Html:
        if self._story.history is None:  # nobody followed a game: SETs that were seen to go
            return _list([self._life(life) for life in self._lives if life.end is End.TAKEN])
        return _list([self._move(one) for one in self._story.counted])

    def _move(self, one: Counted) -> Html:
        history = self._story.history
        assert history is not None
        notice = at_table(history.after(one.number).notice) or in_words(event_words(one.event, history.before[one.number]))
        gained = [(self._story.players[player], f" {points:+d}") for player, points in enumerate(one.gained) if points]
        told = [part for name, points in gained for part in (", ", tag("bdi", name), points)][1:]
        ends = (life for life in self._lives if life.number == one.number)
        words = [notice, *(in_words(Message("report.after", seconds=round(life.lasted_s))) for life in ends)]
        picture = self._evening.moves.get(one.number)
        if picture is None:
            seen = tag("div", self._drawings.row(one.pieces) if one.pieces else "", class_="seen")
        else:  # the pieces are in it, one picture or several
            seen = tag("div", picture, class_="seen", role="img", aria_label=", ".join(map(at_table, one.pieces)))
        head = joined_html(tag("span", self._clock(one.time_s), class_="when"), " ", tag("b", *told))
        return tag("li", seen, tag("div", tag("p", head), tag("p", " · ".join(words))))

    def _all_lives(self) -> Html:
        if not self._lives:
            return tag("p", _words("no_sets"))
        average = sum(life.lasted_s for life in self._lives) / len(self._lives)
        told = in_words(Message("report.average", count=len(self._lives), seconds=round(average)))
        return joined_html(tag("p", told), _list([self._life(life) for life in self._lives]))

    def _missed(self) -> Html:
        lost = missed(self._lives, self._options)
        told = in_words(Message("report.overlooked" if lost else "report.none_missed", seconds=round(self._options.overlooked_s)))
        return joined_html(tag("p", told), _list([self._life(life) for life in lost]))

    def _life(self, life: Life) -> Html:
        bar = life_bar(life.born_s, life.died_s, player_look(life.player), self._evening.span_s)
        when = f"{self._clock(life.born_s)} – {self._clock(life.died_s)}"
        told = in_words(Message("report.lay", seconds=round(life.lasted_s), end=self._end(life)))
        picture = self._evening.sets.get(life) or self._drawings.row(life.named)
        text = joined_html(tag("p", tag("span", when, class_="when")), tag("p", told))
        return tag("li", tag("div", picture, class_="seen"), tag("div", text, bar))

    def _end(self, life: Life) -> Message:
        return life.end.said if life.player is None else Message("report.taken_by", name=self._story.players[life.player])

    def _hardest(self) -> Html:
        parts = [tag("p", _words("difficulty"))]
        for player in range(len(self._story.players)):
            found = difficulties(player, self._lives, self._story.takings)
            rows = [
                (_worst(one, place), str(one.wrong), _seconds(one.same_s), _seconds(one.different_s)) for place, one in enumerate(found)
            ]
            parts += [tag("h3", self._named(player)), _table(("attribute", "wrong", "alike", "different"), rows)]
        return joined_html(*parts)

    def _last_table(self) -> Html:
        history = self._story.history
        assert history is not None
        return shown_state(SPECS[history.game.name].shown(history.state), self._drawings)

    def _seen(self) -> Html:
        figures = (tag("figure", image, tag("figcaption", self._clock(time_s))) for time_s, image in self._evening.tables)
        return tag("div", *figures, class_="figures")

    def _clock(self, time_s: float) -> str:
        return minutes(max(0.0, time_s - self._start_s))


def _words(what: str) -> str:
    return in_words(Message(f"report.{what}"))


def _section(name: str, *content: Html) -> Html:
    return tag("section", tag("h2", _words(f"section.{name}")), *content, id=name)


def _list(items: Sequence[Html]) -> Html:
    if not items:
        return tag("p", _words("none"))
    shown = tag("ol", *items[:_FOLDED], class_="told")
    if len(items) <= _FOLDED:
        return shown
    more = in_words(Message("report.more", count=len(items) - _FOLDED))
    return joined_html(shown, tag("details", tag("summary", more), tag("ol", *items[_FOLDED:], class_="told")))


def _worst(found: Difficulty, place: int) -> Html:
    told = in_words(Message(f"attribute.{found.attribute}"))
    is_hardest = place == 0 and (found.wrong > 0 or found.extra_s > 0)
    return joined_html(tag("b", told), " ", tag("span", _words("hardest"), class_="hardest")) if is_hardest else joined_html(told)


def _seconds(value: float | None) -> str:
    return "–" if value is None else in_words(Message("report.seconds", seconds=value))


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> Html:
    head = tag("thead", tag("tr", *(tag("th", _words(f"head.{name}"), scope="col") for name in heads)))
    lines = (tag("tr", tag("th", first, scope="row"), *(tag("td", cell) for cell in rest)) for first, *rest in rows)
    return tag("table", head, tag("tbody", *lines))
