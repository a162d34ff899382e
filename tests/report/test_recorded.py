from __future__ import annotations

import base64
import random
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.builders import NINE
from tests.recording.makers import FPS, frame_of, record, table_of
from tests.report.reader import Report
from visionset.cli import main
from visionset.codec import to_json
from visionset.games.set_cards.rules import Call, Deal, SetCardsOptions, Take
from visionset.games.sets import find_sets, is_set
from visionset.pieces import SET_DECK, SetCard
from visionset.recording import Heading, KeptLayout, Recorder, Recording
from visionset.report import recorded_evening, report_page
from visionset.report.charts import life_bar, score_chart
from visionset.report.cuttings import CardsSeen, CuttingOptions, cuttings
from visionset.report.lives import End, Life, difficulties, lives_of, missed
from visionset.report.story import Judgement, Taking, story_of
from visionset.table import Table

ATTRIBUTES = ("number", "color", "shading", "shape")
RED = tuple(SetCard.parse(f"{n}-red-solid-oval") for n in (1, 2, 3))
MIXED = tuple(SetCard.parse(f"{n}-{c}-open-diamond") for n, c in ((1, "red"), (2, "green"), (3, "purple")))
OTHERS = tuple(SetCard.parse(name) for name in ("1-green-striped-squiggle", "3-purple-solid-diamond"))


def layouts(*runs: tuple[float, float, tuple[SetCard, ...]]) -> list[KeptLayout]:
    """Settled frames ten times a second: from, to, and what lay there."""
    found = []
    for start_s, end_s, cards in runs:
        table = table_of([str(card) for card in cards])
        found += [KeptLayout(round(10 * start_s) + at, start_s + at / 10, table) for at in range(round(10 * (end_s - start_s)))]
    return found


def test_a_life_runs_from_the_last_card_laid_to_the_first_one_gone() -> None:
    found = lives_of(layouts((0, 2, RED[:2]), (3, 9, RED), (10, 12, RED[:1]), (12, 20, OTHERS)))
    assert [(life.named, life.born_s, life.died_s, life.end) for life in found] == [(RED, 3.0, 10.0, End.TAKEN)]
    assert found[0].frame == 30


def test_a_flicker_ends_no_life_and_a_return_begins_another() -> None:
    found = lives_of(layouts((0, 4, RED), (4, 5, RED[:2]), (5, 9, RED), (9, 14, ()), (14, 16, RED)))
    assert [(life.born_s, round(life.died_s, 1), life.end) for life in found] == [(0.0, 9.0, End.TAKEN), (14.0, 15.9, End.LEFT)]


def test_a_card_that_goes_with_another_set_breaks_one_up() -> None:
    shared = (RED[0], SetCard.parse("1-green-solid-oval"), SetCard.parse("1-purple-solid-oval"))
    found = lives_of(layouts((0, 8, (*RED, *shared[1:])), (8, 20, RED[1:])))
    ends = {life.cards: life.end for life in found}
    assert ends == {frozenset(RED): End.BROKEN, frozenset(shared): End.TAKEN}
    assert [life.named for life in missed(found)] == [RED]


def test_who_took_a_set_is_known_from_the_game() -> None:
    takings = [Taking(8.4, 1, RED, Judgement.KEPT, 7, 8)]
    (life,) = lives_of(layouts((0, 8, RED), (9, 12, ())), takings)
    assert (life.end, life.player, life.number) == (End.TAKEN, 1, 7)
    (life,) = lives_of(layouts((0, 8, RED), (9, 12, ())), [Taking(30.0, 1, RED, Judgement.KEPT)])
    assert (life.end, life.player) == (End.BROKEN, None)


def test_what_two_took_at_once_was_missed_by_nobody_and_a_late_take_is_none() -> None:
    seen = layouts((0, 8, RED), (9, 12, ()))
    (life,) = lives_of(seen, [Taking(8.4, 1, RED, Judgement.SHARED), Taking(8.6, 0, (RED[0], *OTHERS), Judgement.SHARED)])
    assert (life.end, life.player, life.number) == (End.SHARED, None, None)
    assert missed([life]) == ()
    (life,) = lives_of(seen, [Taking(8.4, 1, RED, Judgement.WRONG)])
    assert (life.end, life.player) == (End.BROKEN, None)
    (life,) = lives_of(seen, [Taking(8.4, 1, (), Judgement.WRONG)])
    assert (life.end, life.player) == (End.TAKEN, None), "a call without cards says nothing of those that left"


def test_what_lay_there_for_a_moment_was_not_missed() -> None:
    short = lives_of(layouts((0, 4, RED), (4, 12, RED[1:])))
    assert [life.end for life in short] == [End.BROKEN]
    assert missed(short) == ()


def test_the_hardest_attribute_is_the_one_that_spoilt_most_then_the_slowest() -> None:
    lives = [
        Life(frozenset(RED), 0.0, 4.0, 0, End.TAKEN, 0),
        Life(frozenset(MIXED), 10.0, 40.0, 0, End.TAKEN, 0),
        Life(frozenset(MIXED), 50.0, 99.0, 0, End.TAKEN, 1),
    ]
    assert next((d.attribute, d.extra_s) for d in difficulties(0, lives, [])) == ("color", 26.0)
    spoilt = (RED[0], RED[1], SetCard.parse("3-red-open-oval"))
    first = difficulties(0, lives, [Taking(5.0, 0, spoilt, Judgement.WRONG), Taking(6.0, 1, spoilt, Judgement.WRONG)])[0]
    assert (first.attribute, first.wrong) == ("shading", 1)


def two_and_one(cards: tuple[SetCard, ...], attribute: str) -> bool:
    """Whether one card differs from two that are alike, as each of the three is looked at in turn (S2)."""
    values = [str(getattr(card, attribute)) for card in cards]
    return any(values.count(value) == 1 and len({*values} - {value}) == 1 for value in values)


def test_each_attribute_is_counted_in_the_wrong_takings_that_it_spoilt() -> None:
    every = [(SET_DECK[0], *two) for two in combinations(SET_DECK[1:], 2)]  # all that three cards can have in common
    for cards in every:
        wrong = {found.attribute: found.wrong for found in difficulties(0, [], [Taking(0.0, 0, cards, Judgement.WRONG)])}
        assert wrong == {attribute: int(two_and_one(cards, attribute)) for attribute in ATTRIBUTES}
        assert any(wrong.values()) is not is_set(*cards)
    several = random.Random(1).sample(every, 200)
    for found in difficulties(0, [], [Taking(0.0, 0, cards, Judgement.WRONG) for cards in several]):
        assert found.wrong == sum(two_and_one(cards, found.attribute) for cards in several) > 50


def game_recording(folder: Path) -> Path:
    """Ann takes a SET, Ben takes three cards that are none and takes it back, then takes them again."""
    cards = SET_DECK[:12]
    right = find_sets(cards)[0]
    heading = Heading("camera 0", FPS, 1e9, game="set", game_options=to_json(SetCardsOptions(dealer_plays=True)), players=("Ann", "<Ben>"))
    with Recorder(folder, heading) as recorder:
        at = 0

        def show(names: list[str], count: int) -> None:
            nonlocal at
            for _ in range(count):
                table = table_of(names)
                recorder.write(frame_of(table, at), table)
                at += 1

        recorder.event(Deal(cards).to_json(), (0, 0))
        show([str(card) for card in cards], 60)
        recorder.event(Call(0, at_s=6.0).to_json(), (0, 0))
        recorder.event(Take(0, right, at_s=7.0).to_json(), (1, 0))
        show([str(card) for place, card in enumerate(cards) if place not in right], 20)
        new = SET_DECK[20:23]
        recorder.event(Deal(new).to_json(), (1, 0))
        lying = [*cards]
        for place, card in zip(right, new, strict=True):
            lying[place] = card
        show([str(card) for card in lying], 20)
        trios = [(a, b, c) for a in range(12) for b in range(a) for c in range(b)]
        wrong = next(trio for trio in trios if tuple(sorted(trio)) not in find_sets(lying))
        recorder.event(Call(1, at_s=10.0).to_json(), (1, 0))
        recorder.event(Take(1, wrong, at_s=11.0).to_json(), (1, -1))
        recorder.undo((1, 0))
        recorder.event(Take(1, wrong, at_s=12.0).to_json(), (1, -1))
    return folder


def test_scores_and_takings_follow_from_the_events(tmp_path: Path) -> None:
    story = story_of(Recording.open(game_recording(tmp_path / "evening")))
    assert story.trouble == ""
    assert [points for _, points in story.scores] == [(0, 0), (1, 0), (1, -1)]
    assert [(taking.player, taking.judgement) for taking in story.takings] == [(0, Judgement.KEPT), (1, Judgement.WRONG)]


def test_events_against_the_rules_end_the_story_with_a_word(tmp_path: Path) -> None:
    with Recorder(tmp_path / "evening", Heading("camera 0", game="set", players=("Ann", "Ben"))) as recorder:
        recorder.event({"event": "call", "player": 1})
    assert "cannot be followed" in str(story_of(Recording.open(tmp_path / "evening")).trouble)
    record(tmp_path / "other", [None], Heading("camera 0", game="chess"))
    assert "no game chess" in str(story_of(Recording.open(tmp_path / "other")).trouble)


def test_the_page_holds_everything_and_refers_to_nothing(tmp_path: Path) -> None:
    report = Report(report_page(recorded_evening(Recording.open(game_recording(tmp_path / "evening")))))
    report.check()
    assert report.sections == ["score", "moves", "lives", "missed", "hardest", "ended", "seen"]
    assert report.rows("score") == [["Ann", "1", "1", "0"], ["<Ben>", "-1", "0", "1"]]
    assert report.lines("moves") == [
        "0:05 Ann +1 | Ann: SET, +1 · after 6 s",
        "0:09 <Ben> -1 | <Ben>: no SET, two are striped, one is solid: shading is neither all the same nor all different: -1",
    ]
    assert report.images("moves") == 2
    assert report.images("seen") > 3
    assert "url(" not in report.text
    assert "&amp;" not in report.text  # nothing is escaped twice


def sizes(page: str) -> list[tuple[int, ...]]:
    """Height and width of the pictures in a page."""
    pictures = [base64.b64decode(picture) for picture in re.findall('base64,([^"]+)', page)]
    return [cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR).shape[:2] for picture in pictures]


@pytest.mark.parametrize(("table_px", "size"), [(160, (120, 160)), (720, (240, 320))])
def test_pictures_are_cut_out_evenly_over_time_and_never_made_larger(table_px: int, size: tuple[int, int], tmp_path: Path) -> None:
    recording = Recording.open(record(tmp_path / "evening", [NINE] * 30))
    nine = CardsSeen(7, recording.layouts[7].table.pieces[:3])
    strange = CardsSeen(8, OTHERS)
    cut = cuttings(recording, [nine, strange], CuttingOptions(table_px=table_px, tables=5), lambda: None)
    assert [round(time_s * FPS) for time_s, _ in cut.tables] == [3, 9, 15, 21, 27]
    assert sizes("".join(page for _, page in cut.tables)) == [size] * 5
    assert list(cut.cards) == [nine]
    assert sizes(cut.cards[nine]) == [(116, 3 * 76)]


def test_an_empty_recording_has_a_page_too(tmp_path: Path) -> None:
    report = Report(report_page(recorded_evening(Recording.open(record(tmp_path / "evening", [])))))
    report.check()
    assert report.sections == ["score"]


def test_the_clock_of_a_report_begins_with_the_recording_and_long_lists_are_folded(tmp_path: Path) -> None:
    evening = recorded_evening(Recording.open(record(tmp_path / "evening", [])))
    lives = lives_of(layouts((100, 108, RED), (109, 112, ()), (112, 116, MIXED)))
    page = report_page(replace(evening, lives=lives, span_s=(100.0, 116.0)))
    assert Report(page).lines("lives") == ["0:00 – 0:09 | 9 s, taken", "0:12 – 0:15 | 4 s, still there at the end"]
    assert "<summary>" not in page
    page = report_page(replace(evening, lives=(replace(lives[0], player=1), lives[1]), story=replace(evening.story, players=("Ann", "Bo"))))
    assert re.findall(r'<rect [^>]*class="(look-\d|nobody)"', page) == ["look-1", "look-1", "nobody"], "what was taken, then all"
    page = report_page(replace(evening, lives=(lives[0],) * 30, span_s=(100.0, 116.0)))
    assert len(Report(page).lines("lives")) == 30
    assert set(re.findall("<summary>([^<]*)", page)) == {"6 more"}


def test_one_attribute_alone_is_called_the_hardest_and_none_where_nothing_was_wrong(tmp_path: Path) -> None:
    evening = recorded_evening(Recording.open(record(tmp_path / "evening", [])))
    for taking, hardest in ((Taking(8.4, 0, (*RED[:2], OTHERS[0]), Judgement.WRONG), 1), (Taking(8.4, 0, RED, Judgement.KEPT), 0)):
        story = replace(evening.story, players=("Ann",), takings=(taking,))
        told = [row[0] for row in Report(report_page(replace(evening, story=story))).rows("hardest")]
        assert ["hardest" in one for one in told] == [True] * hardest + [False] * (4 - hardest)


@pytest.mark.parametrize("span_s", [(5.0, 9.0), (5.0, 4000.0), (5.0, 9e6)])
def test_charts_stay_within_their_frame(span_s: tuple[float, float]) -> None:
    chart = score_chart([(5.0, (0, 0)), (9.0, (3, -2)), (4000.0, (9, -2))], span_s, "points")
    places = [float(x) for x in re.findall(r'\b[xy][12]?="([-\d.]+)%"', chart + life_bar(5.0, 9.0, "nobody", span_s))]
    assert 0 <= min(places) <= max(places) <= 100
    assert len(re.findall('text-anchor="(?:middle|end)">[\\d:]+<', chart)) <= 8
    (line, *_) = re.findall(r' d="([^"]+)"', chart)
    assert all(0 <= float(x) <= 1000 for x in re.findall(r"[HV,]([-\d.]+)", line))


def test_charts_draw_points_and_times_where_the_numbers_beside_them_say() -> None:
    span_s, scores = (10.0, 250.0), [(10.0, (0, 0)), (70.0, (3, -2)), (130.0, (9, -2))]
    chart = score_chart(scores, span_s, "points")
    height = {int(number): 10 * float(y) for y, number in re.findall(r'y="([\d.]+)%" dy=".35em" text-anchor="end">(-?\d+)<', chart)}
    assert height.keys() == {9, 0, -2}
    a_point = (height[9] - height[-2]) / 11
    assert a_point < 0, "more points lie higher"
    assert height[0] == pytest.approx(height[9] - 9 * a_point, abs=0.2)
    left, width = map(float, *re.findall(r'<svg x="([\d.]+)%" width="([\d.]+)%"', chart))
    times = re.findall(r'<text x="([\d.]+)%" y="97%" text-anchor="\w+">(\d+):(\d\d)<', chart)
    assert len(times) == 5
    for x, minute, second in times:
        assert (float(x) - left) / width == pytest.approx((60 * int(minute) + int(second)) / 240, abs=1e-3)
    lines = re.findall(r'<path d="([^"]+)" class="line look-(\d)"', chart)
    assert [look for _, look in lines] == ["0", "1"]
    for player, (steps, _) in enumerate(lines):
        for (x, y), (time_s, points) in zip(re.findall(r"H([\d.]+)V(\d+)", steps), scores, strict=True):
            assert float(x) == pytest.approx(1000 * (time_s - 10) / 240, abs=0.1)
            assert float(y) == pytest.approx(height[0] + points[player] * a_point, abs=1)
    assert '<rect x="25.00%" width="25.00%"' in life_bar(70.0, 130.0, "nobody", span_s)


def test_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = game_recording(tmp_path / "evening")
    assert main(["report", str(folder)]) == 0
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "wrote" in capsys.readouterr().out
    assert main(["report", str(folder)]) == 0, "its own page is made anew"
    mine = tmp_path / "mine.html"
    mine.write_text("precious")
    assert main(["report", str(folder), "--out", str(mine)]) == 1
    assert mine.read_text() == "precious"
    assert main(["report", str(folder), "--out", str(mine), "--force"]) == 0
    assert main(["report", str(folder), "--out", str(tmp_path / "none" / "a.html")]) == 1
    assert "--out" in capsys.readouterr().err
    assert main(["report", str(folder), "--out", str(tmp_path / "a.png")]) == 1
    assert "a.png: expected a name that ends in .html, got .png; change the name\n" in capsys.readouterr().err
    assert not (tmp_path / "a.png").exists()


def test_pictures_that_cannot_be_read_any_more_are_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = game_recording(tmp_path / "evening")
    assert main(["report", str(folder)]) == 0
    assert not capsys.readouterr().err
    (folder / "video-001.avi").unlink()  # to save room, say
    assert main(["report", str(folder)]) == 0
    assert capsys.readouterr().err == (f"visionset: {folder}: 100 pictures cannot be read any more; the page is made without them\n")


def test_tables_without_names_have_no_sets() -> None:
    assert lives_of([KeptLayout(0, 0.0, Table((64, 48)))]) == ()
