from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.builders import clip
from tests.vision.pattern import pattern_photo
from tests.vision.sheets import LENS, photo
from visionset.calibration import listed, load
from visionset.cli import main
from visionset.commands.calibrate_history import Checked, add_to_history, read_history
from visionset.commands.sheet_guide import SheetGuide
from visionset.vision.charuco import CharucoView


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "config"


@pytest.fixture(scope="module")
def sheet_photos(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("photos")
    names = [str(folder / f"{at}.png") for at in range(5)]
    for at, name in enumerate(names):
        cv2.imwrite(name, photo(at))
    return names


def test_photos_of_the_sheet_become_a_profile(sheet_photos: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "lens", "--name", "kitchen", "--for-camera", "HD Webcam", *sheet_photos]) == 0
    profile = load("kitchen")
    assert profile.lens is not None
    assert profile.lens.focal_px[0] == pytest.approx(LENS.focal_px[0], rel=0.02)
    assert (profile.camera, profile.size_px) == ("HD Webcam", (640, 480))
    assert main(["calibrate"]) == 0
    assert "kitchen: HD Webcam, 640x480, focal length" in capsys.readouterr().out
    assert main(["calibrate", "lens", "--name", "kitchen", "--for-camera", "Other", *sheet_photos]) == 1
    assert "got Other" in capsys.readouterr().err
    assert load("kitchen") == profile


def test_too_few_photos_cost_one_line(sheet_photos: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "lens", "--for-camera", "HD Webcam", *sheet_photos[:2]]) == 1
    assert "expected 4 views of the sheet or more, got 2" in capsys.readouterr().err
    assert listed() == ()


@pytest.mark.parametrize("is_video", [False, True])
def test_the_table_is_not_where_the_sheet_was_held_last(
    is_video: bool, sheet_photos: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = sheet_photos
    if is_video:
        held = [cv2.imread(name) for name in sheet_photos for _ in range(3)]
        shown = [str(clip(tmp_path / "held.mp4", held))]
    else:
        cv2.imwrite(str(tmp_path / "blurred.png"), np.full((480, 640, 3), 128, np.uint8))
        shown = [*sheet_photos, str(tmp_path / "blurred.png")]
    assert main(["calibrate", "lens", "--for-camera", "HD Webcam", *shown]) == 1
    assert "expected the sheet flat on the table at last, never saw it so" in capsys.readouterr().err
    assert listed() == ()


def test_photos_that_add_nothing_write_over_no_profile(sheet_photos: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The same photo four times has a focal length of a quarter of the true one that fits it as well as any."""
    asked = ["calibrate", "lens", "--name", "kitchen", "--for-camera", "HD Webcam"]
    assert main([*asked, *sheet_photos]) == 0
    kept = load("kitchen")
    one, other, third = sheet_photos[:3]
    nudged = "nudged.png"
    cv2.imwrite(nudged, photo(0, hold=(40, 12)))
    capsys.readouterr()
    for photos, slants, told in (
        ([one] * 4, 1, f"{one}, {one}, {one}"),
        ([one] * 6, 1, f"{one}, {one}, {one} and 2 more"),
        ([one, other, nudged, third], 3, nudged),
    ):
        assert main([*asked, *photos]) == 1
        said = capsys.readouterr()
        assert (
            f"expected views of the sheet at 4 slants or more, got {slants} in {len(photos)} views, nothing new in {told}; tilt" in said.err
        )
        assert said.err.count("\n") == 1
        assert load("kitchen") == kept
    assert main([*asked, nudged, *sheet_photos]) == 0, "a photo too many does no harm"


def view_at(shift: float, jitter: float = 0.0, slant: float = 0.0) -> CharucoView:
    """A sheet that is held somewhere, with its right side nearer by a share."""
    places = np.array([[x, y] for y in range(4) for x in range(5)], float)
    return CharucoView(np.arange(20), places * 20 * (1 + slant * places[:, :1]) + shift + jitter, places * 25)


def test_the_guide_asks_for_views_that_differ_and_then_for_the_table() -> None:
    guide = SheetGuide(640)
    assert "hold it into the picture" in guide.see(None)
    for at in range(10):
        assert f"{at} of 10" in guide.see(view_at(50.0 * at, slant=at / 40))  # on its way
        said = guide.see(view_at(50.0 * at, 0.3, at / 40))  # held still
    assert "flat on the table" in said or "10 of 10" in said
    for _ in range(3):
        assert "flat on the table" in guide.see(view_at(600.0))
        guide.see(None)  # the hand that lets go
    said = [guide.see(view_at(600.0)) for _ in range(9)]
    assert said[-1] == "done"
    assert guide.done
    assert len(guide.views) == 11


def test_the_guide_leaves_room_for_the_slants_without_which_there_is_no_lens() -> None:
    guide = SheetGuide(640)
    for at in range(12):
        guide.see(view_at(50.0 * at))
        said = guide.see(view_at(50.0 * at, 0.3))  # it is only moved
    assert len(guide.views) == 7
    assert "tilt it more" in said
    for at in range(3):
        for jitter in (0.0, 0.3):
            said = guide.see(view_at(50.0 * (12 + at), jitter, (at + 1) / 20))
    assert len(guide.views) == 10
    assert "flat on the table" in said or "10 of 10" in said


def test_the_guide_does_not_take_the_same_view_twice() -> None:
    guide = SheetGuide(640)
    for _ in range(30):
        guide.see(view_at(0.0))
    assert len(guide.views) == 1


def test_deck_and_check_on_the_pattern(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite("nine.png", pattern_photo())
    assert main(["calibrate", "deck", "--name", "blue", "--for-camera", "HD Webcam", "nine.png"]) == 0
    deck = load("blue").deck
    assert deck is not None
    assert deck.ink_deg is not None
    video = clip(Path("nine.mp4"), [pattern_photo()] * 9)
    capsys.readouterr()
    assert main(["calibrate", "check", str(video), "--frames", "3"]) == 0
    (checked,) = read_history(config)
    assert (checked.frames, checked.found, checked.color, checked.size) == (3, 1.0, 1.0, "960x720")
    assert 0 < checked.latency_ms <= checked.p95_ms
    assert checked.fps > 0
    assert "100.0%" in capsys.readouterr().out
    assert main(["calibrate", "history"]) == 0
    assert "100.0%" in capsys.readouterr().out


def test_cards_give_focal_length_and_table(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.vision.test_camera_calibration import cards
    from visionset.pieces import SET_DECK, Kind
    from visionset.table import Sighting, Table

    quads, _ = cards((57.0, 87.0))
    table = Table((1280, 720), tuple(Sighting(Kind.SET_CARD, quad, SET_DECK[at], 0.9) for at, quad in enumerate(quads)))
    monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options=None: table)
    cv2.imwrite("table.png", np.zeros((720, 1280, 3), np.uint8))
    assert main(["calibrate", "cards", "--name", "attic", "--for-camera", "HD Webcam", "table.png"]) == 0
    profile = load("attic")
    assert profile.lens is not None
    assert profile.lens.focal_px[0] == pytest.approx(1000, rel=0.06)
    assert profile.crop_px is not None
    left, top, right, bottom = profile.crop_px
    assert 0 <= left < quads[..., 0].min()
    assert quads[..., 1].max() < bottom <= 720
    assert right > left
    assert bottom > top


def cards_at(monkeypatch: pytest.MonkeyPatch, counts: list[int]) -> list[np.ndarray]:
    """Let the pictures that are read one after the other show so many of the same cards; gives the size of each that was read."""
    from tests.vision.test_camera_calibration import cards
    from visionset.pieces import SET_DECK, Kind
    from visionset.table import Sighting, Table

    quads, _ = cards((57.0, 87.0))
    lying = [Sighting(Kind.SET_CARD, quad, SET_DECK[at], 0.9) for at, quad in enumerate(quads)]
    read: list[np.ndarray] = []

    def see(image: np.ndarray, options: object = None) -> Table:
        read.append(image)
        return Table((1280, 720), tuple(lying[: counts[min(len(read), len(counts)) - 1]]))

    monkeypatch.setattr("visionset.vision.pipeline.read", see)
    return read


def test_cards_are_waited_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    read = cards_at(monkeypatch, [0, 0, 2, 12, 3, 12])  # laid one after the other; an arm hides some for a moment
    video = clip(Path("late.mp4"), [np.full((720, 1280, 3), 60, np.uint8)] * 20)
    assert main(["calibrate", "cards", "--name", "late", str(video)]) == 0
    assert len(read) == 10, "five in a row from the sixth on"
    said = capsys.readouterr().out
    assert "2 cards seen, 6 are wanted" in said
    assert said.count("no card seen, 6 are wanted") == 1
    assert load("late").lens is not None


def test_a_card_that_is_seen_five_times_is_one_card(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cards_at(monkeypatch, [2])
    video = clip(Path("two.mp4"), [np.full((720, 1280, 3), 60, np.uint8)] * 8)
    assert main(["calibrate", "cards", "--name", "two", str(video)]) == 1
    assert "expected 6 cards or more in one picture, got 2" in capsys.readouterr().err
    assert listed() == ()


def test_all_photos_are_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    read = cards_at(monkeypatch, [12])
    cv2.imwrite("table.png", np.zeros((720, 1280, 3), np.uint8))
    photos = ["--for-camera", "HD Webcam", *["table.png"] * 7]
    assert main(["calibrate", "cards", *photos]) == 0
    assert len(read) == 7
    assert main(["calibrate", "cards", *photos, "missing.png"]) == 1
    assert "missing.png" in capsys.readouterr().err


def test_a_profile_is_for_a_camera(sheet_photos: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for action in ("lens", "cards", "deck"):
        assert main(["calibrate", action, *sheet_photos]) == 1
        assert "give it with --for-camera" in capsys.readouterr().err
        assert main(["calibrate", action, "--camera", "0", *sheet_photos]) == 1
        assert "expected a camera or pictures, got both" in capsys.readouterr().err
    assert listed() == ()


@pytest.mark.parametrize("action", ["lens", "cards", "deck", "check"])
def test_a_name_that_is_none_is_said_before_anything_is_asked_for(
    action: str, sheet_photos: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", action, "--name", "Kitchen", "--for-camera", "HD Webcam", *sheet_photos]) == 1
    said = capsys.readouterr()
    assert "expected a name of small letters" in said.err
    assert said.out == ""


def test_a_profile_that_cannot_be_read_is_not_written_over(
    config: Path, sheet_photos: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = config / "profiles" / "kitchen.toml"
    damaged.parent.mkdir(parents=True)
    damaged.write_text("error_px = 0,162  # mine\n")
    assert main(["calibrate", "lens", "--name", "kitchen", "--for-camera", "HD Webcam", *sheet_photos]) == 1
    assert "expected" in capsys.readouterr().err
    assert damaged.read_text() == "error_px = 0,162  # mine\n"


def test_cards_do_not_replace_the_lens_of_a_sheet(
    sheet_photos: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from visionset.calibration import Calibration, Lens, save

    by_sheet = Lens((1100.0, 1100.0), (640.0, 360.0), (-0.006, 0.034, 0.0, 0.0, 0.0))
    save(Calibration("kitchen", "HD Webcam", (1280, 720), lens=by_sheet))
    cards_at(monkeypatch, [12])
    cv2.imwrite("table.png", np.zeros((720, 1280, 3), np.uint8))
    by_cards = ["calibrate", "cards", "--name", "kitchen", "--for-camera", "HD Webcam", "table.png"]
    assert main(by_cards) == 1
    assert "the lens of a sheet" in capsys.readouterr().err
    assert load("kitchen").lens == by_sheet
    assert main([*by_cards, "--force"]) == 0
    assert load("kitchen").lens != by_sheet
    assert main(by_cards) == 0, "what cards told may be told again"


def test_an_empty_table_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite("dark.png", np.full((240, 320, 3), 40, np.uint8))
    assert main(["calibrate", "deck", "--for-camera", "HD Webcam", "dark.png"]) == 1
    said = capsys.readouterr()
    assert "one red solid" in said.out
    assert "never saw them so" in said.err
    assert main(["calibrate", "cards", "--for-camera", "HD Webcam", "dark.png"]) == 1
    assert "6 cards or more in one picture, got 0" in capsys.readouterr().err


def test_sheets_are_written_profiles_shown_and_deleted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from visionset.calibration import Calibration, save

    assert main(["calibrate", "sheet", "sheet.pdf", "--paper", "letter"]) == 0
    assert Path("sheet.pdf").read_bytes().startswith(b"%PDF")
    assert main(["calibrate", "sheet", "sheet.pdf"]) == 1, "another one of that name is not written over"
    assert main(["calibrate", "sheet", "sheet.pdf", "--force"]) == 0
    assert main(["calibrate", "sheet", "none/sheet.pdf"]) == 1
    assert main(["calibrate"]) == 0
    assert "no profile yet" in capsys.readouterr().out
    save(Calibration("attic", "camera 0", (640, 480)))
    assert main(["calibrate", "show", "attic"]) == 0
    assert 'camera = "camera 0"' in capsys.readouterr().out
    for answer in ("", "n"):
        monkeypatch.setattr("builtins.input", lambda question, answer=answer: answer)
        assert main(["calibrate", "delete", "attic"]) == 1
    assert load("attic").camera == "camera 0", "it took nine views of a sheet to make"
    monkeypatch.setattr("builtins.input", lambda question: "y")
    assert main(["calibrate", "delete", "attic"]) == 0
    assert main(["calibrate", "delete", "attic"]) == 1
    save(Calibration("attic", "camera 0", (640, 480)))
    assert main(["calibrate", "delete", "attic", "--yes"]) == 0
    assert listed() == ()


def test_a_damaged_history_keeps_its_good_lines(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "history"]) == 0
    assert "no check yet" in capsys.readouterr().out
    checked = Checked("2026-01-02 03:04", "", "camera 0", "640x480", "0", 1, 1.0, 1.0, 1.0, 1.0, 1.0, 20.0, 25.0, 9.0)
    add_to_history(checked, config)
    with (config / "checks.jsonl").open("a") as file:
        file.write('{"when": 3\n')
    add_to_history(checked, config)
    with (config / "checks.jsonl").open("a") as file:
        file.write('{"when": "2026')  # the disk was full
    add_to_history(checked, config)
    assert read_history(config) == (checked, checked, checked)


def test_watch_uses_the_profile_that_fits_and_refuses_another(capsys: pytest.CaptureFixture[str], nine: object) -> None:
    from visionset.calibration import Calibration, save
    from visionset.recording import Recording

    video = clip(Path("table.mp4"), [np.full((360, 640, 3), 90, np.uint8)] * 3)
    save(Calibration("attic", "table.mp4", (640, 360), crop_px=(40, 20, 600, 340)))
    save(Calibration("other", "table.mp4", (1280, 720)))
    assert main(["watch", str(video), "--record", "evening"]) == 0
    assert "calibrated by profile attic" in capsys.readouterr().out
    assert next(Recording.open("evening").frames()).size_px == (560, 320)
    assert main(["watch", str(video), "--record", "again", "--profile", "other"]) == 1
    assert "expected pictures of 1280x720" in capsys.readouterr().err
