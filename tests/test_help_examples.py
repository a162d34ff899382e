"""Every example of every ``--help`` is run as it stands, in a folder where its files are: the quick ones here, the others by --all."""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from visionset.cli import build_parser, main
from visionset.commands import advise
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.store import Store

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "samples"

ELSEWHERE = {
    "visionset table": "the page runs until Ctrl-C, see tests/web/test_command.py",
    "visionset watch": "needs a camera or a window, see tests/commands/test_watch_demo.py",
    "visionset cameras": "needs a camera, see tests/commands/test_machine.py",
    "visionset calibrate": "needs a camera, see tests/commands/test_calibrate.py",
    "visionset render board --physical": "needs Mitsuba, see tests/render",
    "visionset bench --soak": "takes an hour",
    "visionset advise sets-dice": "reckons the table of best play once, see tests/commands/test_games.py",
}
"""Beginnings of examples that are not run here, each with the reason."""

QUICK = ("read", "play", "matches", "rules", "config", "completion", "desktop")
"""Commands whose examples take a second or so."""


FOUND = {"set_card": ["3-purple-solid-oval"], "set_die": ["wild", "wild", "3-red-oval"], "playing_card": ["QH", "QS"]}
"""What lies in the only photo of the archive."""


def examples() -> Iterator[str]:
    """All example lines, without what stands beside them."""
    (commands,) = (action for action in build_parser()._actions if isinstance(action.choices, dict))
    for parser in dict.fromkeys(commands.choices.values()):  # type: ignore[union-attr]
        for line in (parser.epilog or "").splitlines():
            if line.startswith("  visionset "):
                yield line.strip().partition("   ")[0]


def is_elsewhere(example: str) -> bool:
    return any(example.startswith(start) for start in ELSEWHERE) and not example.startswith("visionset calibrate sheet")


HERE = [one for one in dict.fromkeys(examples()) if not is_elsewhere(one)]


def is_quick(example: str) -> bool:
    """One of each command that takes a second or so, lest the suite becomes slow."""
    command = example.split()[1]
    return command in QUICK and example == next(one for one in HERE if one.split()[1] == command)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file that an example names, and a store with seven matches that go on."""
    if not SAMPLES.is_dir():
        pytest.skip("no samples beside the tests")
    folder = tmp_path_factory.mktemp("examples")
    small = cv2.resize(cv2.imread(str(SAMPLES / "table-12.jpg")), (960, 540), interpolation=cv2.INTER_AREA)
    for name in ("table.jpg", "a.jpg", "b.jpg"):
        cv2.imwrite(str(folder / name), small)
    one = cv2.imread(str(SAMPLES / "one-card.jpg"))
    cv2.imwrite(str(folder / "card.png"), one[:: one.shape[0] // 300 or 1, :: one.shape[0] // 300 or 1])
    shutil.copy(SAMPLES / "pip_dice" / "throw-320x180.mp4", folder / "game.mp4")
    photos = {"a.jpg": {**json.loads((SAMPLES / "truth.json").read_text())["photos"]["table-12.jpg"], "note": "in the evening"}}
    for name in ("my-photos", "my-crops"):
        (folder / name).mkdir()
        shutil.copy(folder / "a.jpg", folder / name)
        (folder / name / "truth.json").write_text(json.dumps({"kind": "set_card", "photos": photos}))
    shutil.copy(ROOT / "visionset" / "games" / "cubed" / "board.toml", folder / "mine.toml")
    (folder / "evenings").mkdir()
    shutil.copy(folder / "a.jpg", folder / "evenings")
    pieces = [{"kind": kind, "name": name} for kind, names in FOUND.items() for name in names]
    (folder / "archive.jsonl").write_text(json.dumps({"image": "a.jpg", "pieces": pieces}) + "\n")
    with Store(folder / "data" / "matches.sqlite3", lambda: 0.0) as store:
        for _ in range(7):
            match = store.begin(History.begin(GAMES["solitaire"], players=("Ann",)))
        (folder / "game.jsonl").write_text("".join(f"{line}\n" for line in store.export_lines(match.id)))
    history = History.begin(GAMES["cubed"], players=("Ann", "Bo"))
    (folder / "end.json").write_text(json.dumps(history.state.to_json()))
    return folder


@pytest.fixture
def place(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, in which the command runs."""
    here = tmp_path / "here"
    shutil.copytree(filled, here)
    monkeypatch.chdir(here)
    for name, folder in (("DATA", "data"), ("CONFIG", "config")):
        monkeypatch.setenv(f"VISIONSET_{name}", str(here / folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(here / "share"))
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: here / "cache")

    def somebody(question: str) -> str:
        if "y/N" in question:
            return "y"
        raise EOFError

    monkeypatch.setattr("builtins.input", somebody)
    return here


def run_example(example: str, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = [name for word in shlex.split(example.partition(" > ")[0])[1:] for name in expanded(word)]
    if words[0] == "matches" and words[1:2] == ["export"]:
        (place / words[-1]).unlink()
    if "--save" in words:  # what another example begins with
        (place / words[words.index("--save") + 1]).unlink(missing_ok=True)
    if words[0] in ("replay", "report", "bundle") and "evening" in words:
        assert main(["watch", "game.mp4", "--record", "evening", "--save", "annotated.mp4"]) == 0
    capfd.readouterr()
    assert main(words) == 0, capfd.readouterr()
    said = capfd.readouterr()
    assert said.out
    assert "Traceback" not in said.err


def expanded(word: str) -> list[str]:
    """As a shell does it: a pattern that nothing fits stays."""
    return sorted(str(path) for path in Path().glob(word)) or [word] if "*" in word else [word]


def test_every_example_is_run_or_has_a_reason() -> None:
    assert len(HERE) >= 30
    assert {one.split()[1] for one in HERE} >= set(QUICK)
    assert all(any(one.startswith(start) for one in examples()) for start in ELSEWHERE)


@pytest.mark.parametrize("example", [one for one in HERE if is_quick(one)])
def test_quick_examples_run_as_they_stand(example: str, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run_example(example, place, capfd)


@pytest.mark.slow
@pytest.mark.parametrize("example", [one for one in HERE if not is_quick(one)])
def test_slow_examples_run_as_they_stand(example: str, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run_example(example, place, capfd)


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
def test_completion_is_redirected_where_the_help_says(place: Path) -> None:
    lines = [one for one in HERE if " > " in one]
    assert len(lines) == 3
    assert all(line.split()[-1].startswith("~/") for line in lines)
    done = subprocess.run([sys.executable, "-m", "visionset", "completion", "--help"], capture_output=True, text=True, check=True, cwd=ROOT)
    for line in lines:
        folder = line.split()[-1].rpartition("/")[0]
        assert f"mkdir -p {folder}" in done.stdout


def silent_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Options and words, of a parser and of those below it, that say nothing of themselves."""
    for action in parser._actions:
        if isinstance(action.choices, dict):
            for below in action.choices.values():
                yield from silent_options(below)
        elif not action.help:
            yield f"{parser.prog} {action.dest}"


def test_every_option_says_what_it_is_for() -> None:
    assert list(silent_options(build_parser())) == []
    for about in advise._Subjects():
        parser = argparse.ArgumentParser(prog=f"visionset advise {about}")
        advise._command(about, []).add_arguments(parser)
        assert list(silent_options(parser)) == []
