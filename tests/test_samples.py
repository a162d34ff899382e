"""Every sample is there, its truth is possible, it is what its recipe gives, and it is no easy prey."""

import itertools
import json
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest
from sample_recipes.clips import CLIPS, script_clip
from sample_recipes.stills import STILLS, render_still

from visionset.geometry import is_convex
from visionset.pieces import SetCard
from visionset.sample_files import demo_clip

SAMPLES = Path(__file__).parent.parent / "samples"
PHOTOS = json.loads((SAMPLES / "truth.json").read_text())["photos"]
TRUTHS = {name: json.loads((SAMPLES / f"{name}.json").read_text()) for name in CLIPS}

LEVELS = range(90, 230, 20)
"""Thresholds that a simple reader might have been written with."""

FOUND_IOU = 0.8
LEAST_AREA_PX = 400
SIZE_LIMIT_BYTES = 15e6


def read_clip(name: str) -> list[np.ndarray]:
    clip = cv2.VideoCapture(str(SAMPLES / f"{name}.mp4"))
    frames = []
    while True:
        there, frame = clip.read()
        if not there:
            return frames
        frames.append(frame)


def bright_quads(image: np.ndarray, level: int) -> list[np.ndarray]:
    """What most first programs do: threshold, contours, keep those with four corners."""
    _, mask = cv2.threshold(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), level, 255, cv2.THRESH_BINARY)
    quads = []
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        corners = cv2.approxPolyDP(contour, 0.02 * cv2.arcLength(contour, True), True)
        if cv2.contourArea(contour) >= LEAST_AREA_PX and len(corners) == 4 and cv2.isContourConvex(corners):
            quads.append(corners.reshape(4, 2).astype(np.float32))
    return quads


def hits(quads: list[np.ndarray], truth: list[list[list[float]]]) -> int:
    """How many cards some quad covers well."""

    def iou(a: np.ndarray, b: np.ndarray) -> float:
        common = cv2.intersectConvexConvex(a, b)[0]
        return common / (cv2.contourArea(a) + cv2.contourArea(b) - common)

    return sum(any(iou(np.array(card, np.float32), quad) > FOUND_IOU for quad in quads) for card in truth)


def difference(first: np.ndarray, second: np.ndarray) -> float:
    """Mean difference in levels, but for the finest noise, which codecs do not keep."""
    soft = [cv2.GaussianBlur(image, (0, 0), 1.5) for image in (first, second)]
    return float(np.mean(cv2.absdiff(*soft)))


def test_truth_names_the_recipes_and_nothing_else():
    assert set(PHOTOS) == {f"{name}.jpg" for name in STILLS}
    assert {path.stem for path in SAMPLES.glob("*.mp4")} == set(CLIPS)


def test_samples_stay_small():
    assert sum(path.stat().st_size for path in SAMPLES.iterdir()) < SIZE_LIMIT_BYTES


@pytest.mark.parametrize("name", PHOTOS)
def test_still_and_its_truth_fit(name):
    truth = PHOTOS[name]
    height, width = cv2.imread(str(SAMPLES / name)).shape[:2]
    assert (width, height) == STILLS[Path(name).stem].view.size_px
    names = truth["pieces"] + truth["optional"]
    assert [str(SetCard.parse(piece)) for piece in names] == names
    assert len(set(names)) == len(names), "one deck holds each card once"
    assert len(truth["pieces"]) == len(truth["corners"]) == len(truth["visible"])
    for corners, visible in zip(truth["corners"], truth["visible"], strict=True):
        quad = np.array(corners)
        assert 0 <= visible <= 1
        assert is_convex(quad)
        inside = np.all(quad >= -0.5) and np.all(quad <= [width - 0.5, height - 0.5])
        assert inside or visible < 1


def test_samples_hold_what_tables_hold():
    counts = {name: len(truth["pieces"]) for name, truth in PHOTOS.items()}
    assert counts["deck-81.jpg"] == 81
    assert counts["table-12.jpg"] == 12
    assert counts["one-card.jpg"] == 1
    assert counts["no-card.jpg"] == 0
    sizes = [np.linalg.norm(np.subtract(c[1], c[2])) for c in PHOTOS["laptop-lid.jpg"]["corners"]]
    areas = [abs(cv2.contourArea(np.array(c, np.float32))) for c in PHOTOS["laptop-lid.jpg"]["corners"]]
    assert max(sizes) > 2 * min(sizes)
    assert max(areas) > 9 * min(areas), "far cards are a third the size of near ones"


def test_a_fixed_threshold_misses_a_good_part():
    images = {name: cv2.imread(str(SAMPLES / name)) for name in PHOTOS}
    whole = sum(len(truth["corners"]) for truth in PHOTOS.values())
    for level in LEVELS:
        found = sum(hits(bright_quads(image, level), PHOTOS[name]["corners"]) for name, image in images.items())
        assert found < 0.7 * whole, f"threshold {level} finds {found} of {whole} cards"


def test_the_threshold_reader_is_a_fair_one():
    image = cv2.imread(str(SAMPLES / "table-12.jpg"))
    assert max(hits(bright_quads(image, level), PHOTOS["table-12.jpg"]["corners"]) for level in LEVELS) >= 10


@pytest.mark.parametrize("name", ["webcam-dim", pytest.param("white-on-white", marks=pytest.mark.slow)])
def test_still_is_what_its_recipe_gives(name):
    image_bgr, cards = render_still(STILLS[name])
    stored = cv2.imread(str(SAMPLES / f"{name}.jpg"))
    assert difference(image_bgr, stored) < 2
    truth = PHOTOS[f"{name}.jpg"]
    assert [str(card.piece) for card in cards] == truth["pieces"]
    np.testing.assert_allclose([card.outline_px for card in cards], truth["corners"], atol=0.06)


@pytest.mark.parametrize("name", CLIPS)
def test_clip_and_its_truth_fit(name):
    truth = TRUTHS[name]
    frames = read_clip(name)
    assert len(frames) == truth["frames"]
    height, width = frames[0].shape[:2]
    assert [width, height] == truth["size_px"]
    intervals = truth["intervals"]
    assert intervals[0]["first"] == 0
    assert intervals[-1]["last"] == truth["frames"] - 1
    for interval, later in itertools.pairwise(intervals):
        assert later["first"] == interval["last"] + 1
        assert len(set(interval["pieces"]) ^ set(later["pieces"])) == 1, "one card comes or goes at a time"
    for interval in intervals:
        assert len(set(interval["pieces"])) == len(interval["pieces"]) == len(interval["corners"])
        assert all(is_convex(np.array(corners)) for corners in interval["corners"])
    assert all(0 <= share <= 1 for shares in truth["hidden"].values() for share in shares.values())


@pytest.mark.parametrize("name", CLIPS)
def test_quiet_frames_are_quiet(name):
    truth = TRUTHS[name]
    frames = read_clip(name)
    quiet = [frame for first, last in truth["quiet"] for frame in range(first, last + 1)]
    assert len(quiet) > 1.5 * truth["fps"], "there is time to read the table"
    assert not {str(frame) for frame in quiet} & set(truth["hidden"])
    for first, last in truth["quiet"]:
        for before, after in itertools.pairwise(cv2.GaussianBlur(frame, (0, 0), 3) for frame in frames[first : last + 1]):
            assert cv2.absdiff(before, after).mean() < 2.5


@pytest.mark.parametrize(("name", "index"), [("deal-640x480", 14), pytest.param("round-1280x720", 5, marks=pytest.mark.slow)])
def test_clip_frame_is_what_its_script_gives(name, index):
    shown = script_clip(CLIPS[name]()).frame(index)
    stored = read_clip(name)[index]
    assert difference(shown.image_bgr, stored) < 4
    lying = next(i for i in TRUTHS[name]["intervals"] if i["first"] <= index <= i["last"])
    assert [str(card.piece) for card in shown.lying] == lying["pieces"]


def test_readme_names_every_sample_with_its_seed():
    readme = (SAMPLES / "README.md").read_text()
    for name, still in STILLS.items():
        assert f"| `{name}.jpg` | {still.seed} | {still.note} |" in readme
    for name, script in CLIPS.items():
        assert f"| `{name}.mp4` | {script().plan.seed} |" in readme


def test_the_wheel_carries_what_its_commands_show_read_and_measure():
    carried = tomllib.loads((SAMPLES.parent / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert demo_clip().name in {Path(name).name for name in carried}
    assert all((SAMPLES.parent / name).is_file() and target == f"visionset/{name}" for name, target in carried.items())
    there = [PHOTOS[Path(name).name]["pieces"] for name in carried if name.endswith(".jpg")]
    assert sorted(map(len, there)) == [12, 81]
