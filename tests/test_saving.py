from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from visionset.cli import main
from visionset.errors import OutputError
from visionset.saving import check_can_save, clear_unfinished, save_text, saved, saving_for, unfinished, writable_folder


def test_a_file_that_fails_leaves_the_old_one_and_no_half_one(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")

    def fail() -> None:
        with saved(path) as part:
            part.write_text("half")
            raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match="no space left") as caught:
        fail()
    assert "\n" not in str(caught.value)
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]
    assert path.read_text() == "before"


def test_an_interruption_leaves_no_half_file(tmp_path: Path) -> None:
    def interrupted() -> None:
        with saved(tmp_path / "page.html") as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_what_is_tried_leaves_nothing_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "end.json"
    check_can_save(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("before")
    check_can_save(path)
    assert path.read_text() == "before"
    for wrong in (tmp_path / "none" / "end.json", tmp_path):
        with pytest.raises(OutputError, match="expected a file to write to"):
            check_can_save(wrong)
    assert [one.name for one in tmp_path.iterdir()] == ["end.json"]


def test_a_link_leads_to_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("before")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    save_text(tmp_path / "link.txt", "after")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "after"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_device_is_written_to_and_stays_one() -> None:
    save_text(Path("/dev/null"), "nothing")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(OutputError, match="no space left"):
        save_text(Path("/dev/full"), "too much")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no such folder here")
def test_a_pipe_is_written_to_by_its_name() -> None:
    """As by ``--out /dev/stdout | less``: where that name leads to there is no file."""
    reading, writing = os.pipe()
    save_text(Path(f"/dev/fd/{writing}"), "told")
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        assert pipe.read() == "told"


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_what_is_private_is_so_before_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("open")
    with saved(tmp_path / "secret", private=True) as part:
        assert stat.S_IMODE(part.stat().st_mode) == 0o600
        part.write_text("closed")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["folder", "none/page.html", "file/page.html", "loop"])
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="expected a file to write to") as caught:
        save_text(tmp_path / name, "text")
    assert "\n" not in str(caught.value)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "folder", "loop"]


def test_a_folder_is_made_where_wanted(tmp_path: Path) -> None:
    save_text(tmp_path / "a" / "b" / ("n" * 250 + ".txt"), "text", make_folder=True)
    assert len(list((tmp_path / "a" / "b").iterdir())) == 1


def test_what_workers_left_unfinished_is_removed_and_nobody_elses(tmp_path: Path) -> None:
    left = []
    for run in ("a1", "b2"):
        with saving_for(run):
            left.append(unfinished(tmp_path / f"{'x' * 90}.jpg"))
    left.append(unfinished(tmp_path / "page.html"))
    for part in (*left, tmp_path / ".a1-.jpg"):
        part.write_text("half")
    clear_unfinished(tmp_path, "a1")
    assert sorted(tmp_path.iterdir()) == sorted([*left[1:], tmp_path / ".a1-.jpg"])
    clear_unfinished(tmp_path / "none", "a1")


def test_who_named_no_place_is_told_the_option_that_names_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("visionset-demo").write_text("in the way")
    for name in ("deck-a4.pdf", "grid-0.jpg"):
        Path(name).mkdir()
    for words, option in ((["demo"], "--save"), (["print", "deck"], "--out"), (["render", "grid"], "--out")):
        assert main(words) == 1
        told = capsys.readouterr().err
        assert told.endswith(f"; name another with {option}\n")
        assert told.count("\n") == 1


def test_folders_are_made_and_files_in_their_way_are_said(tmp_path: Path) -> None:
    assert writable_folder(tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="expected a folder to write to, got a file; name another"):
        writable_folder(tmp_path / "file")
