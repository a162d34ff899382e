"""Commands whose output nobody takes, or whose words would command the terminal."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import visionset
from tests.hostile.runs import Runs
from visionset.cli import main
from visionset.commands.terminal import console, escaped

SHORT = (["--help"], ["--version"], ["rules", "set"], ["matches", "list"], ["advise", "set", "1-red-solid-oval"], ["calibrate", "list"])
LONG = (
    ["doctor"],
    ["cameras"],
    ["advise", "odds", "--rounds", "2"],
    ["advise", "scramble", "1-red-oval", "2-red-oval", "wild"],
    ["read", str(Path(visionset.__file__).parents[1] / "samples" / "table-12.jpg")],
    ["play", "solitaire", "--virtual", "--bots", "--seed", "3"],
    ["matches", "show", "1"],
    ["matches", "export", "1"],
    ["score", "nowhere"],
    ["report", "nowhere"],
    ["calibrate", "history"],
)


def started(words: list[str], folder: Path, **streams: int | None) -> subprocess.Popen[bytes]:
    root = Path(visionset.__file__).parents[1]
    settings = {**os.environ, "VISIONSET_DATA": str(folder), "VISIONSET_CONFIG": str(folder), "PYTHONPATH": str(root)}
    return subprocess.Popen([sys.executable, "-m", "visionset", *words], env=settings, cwd=folder, **streams)  # type: ignore[call-overload, no-any-return]


def full(words: list[str], folder: Path) -> None:
    with open("/dev/full", "wb") as disk:
        process = started(words, folder, stdout=disk.fileno(), stderr=subprocess.PIPE)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert 1 <= len(err.splitlines()) <= 2
    assert b"Traceback" not in err


def left(words: list[str], folder: Path) -> None:
    process = started(words, folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) in (141, 1)
    assert b"Traceback" not in err
    assert b"Exception" not in err
    if process.returncode == 141:
        assert err == b""


def shut(words: list[str], folder: Path) -> None:
    """Run with the three streams closed, as a service may be; files get none of their numbers."""
    command = 'exec "$0" -m visionset "$@" <&- >&- 2>&-'
    root = Path(visionset.__file__).parents[1]
    settings = {**os.environ, "VISIONSET_DATA": str(folder), "VISIONSET_CONFIG": str(folder), "PYTHONPATH": str(root)}
    done = subprocess.run(["sh", "-c", command, sys.executable, *words], env=settings, cwd=folder, timeout=60)
    assert done.returncode in (0, 1)


def unheard(words: list[str], folder: Path) -> None:
    """Run with the standard output closed: who asked for an answer is told that there is none."""
    root = Path(visionset.__file__).parents[1]
    settings = {**os.environ, "VISIONSET_DATA": str(folder), "VISIONSET_CONFIG": str(folder), "PYTHONPATH": str(root)}
    command = ["sh", "-c", 'exec "$0" -m visionset "$@" >&-', sys.executable, *words]
    done = subprocess.run(command, env=settings, cwd=folder, timeout=60, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert b"got a closed standard output" in done.stderr
    assert len(done.stderr.splitlines()) <= 2


def slow(words: list[str], folder: Path) -> None:
    """Read the output a few bytes at a time: all of it comes."""
    process = started(words, folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    while os.read(process.stdout.fileno(), 7):
        continue
    process.stdout.close()
    assert process.wait(60) in (0, 1)


@pytest.mark.parametrize("run", [full, left, shut, unheard])
@pytest.mark.parametrize("words", SHORT[1:3], ids=" ".join)
def test_output_that_nobody_takes(run: object, words: list[str], tmp_path: Path) -> None:
    assert callable(run)
    run(words, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("run", [full, left, shut, unheard, slow])
def test_output_of_every_command_that_nobody_takes(run: object, tmp_path: Path) -> None:
    assert callable(run)
    assert started(["play", "scramble", "--virtual", "--bots"], tmp_path, stdout=subprocess.DEVNULL).wait() == 0
    for words in (*SHORT, *LONG):
        if not (run in (full, unheard) and words[0] in ("score", "report", "cameras")):  # they print nothing there
            run(words, tmp_path)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\nb", "a\nb"),
        ("\x9b31m", r"\x9b31m"),
        ("\ud800", r"\ud800"),
        ("\u202e", r"\u202e"),
        ("é😀", "é😀"),
    ],
)
def test_what_a_terminal_would_obey_is_spelled(text: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert escaped(text) == shown
    console().print(text)
    assert capsys.readouterr().out.strip() == shown


def test_names_do_not_command_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str], runs: Runs) -> None:
    evil = "\x1b]0;owned\a\x1b[2J[/red]:smile:\udc80"
    runs("play", "set", "--virtual", "--bots", "2", "--players", evil, "--data", tmp_path)
    assert runs("matches", "list", "--data", tmp_path) == 0
    assert runs("matches", "show", "1", "--data", tmp_path) == 0
    assert runs("matches", "export", "1", "--data", tmp_path) == 0
    assert runs("read", f"{tmp_path}/{evil}.jpg") == 1
    assert runs("report", f"{tmp_path}/{evil}") == 1
    assert main(["matches", "--data", str(tmp_path)]) == 0
    assert "[/red]:smile:" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["matches", "show", "\x1b[31m"])
    with pytest.raises(SystemExit):
        main(["matches", "list", "\x1b[31m"])
    assert "\x1b" not in capsys.readouterr().err


def test_only_the_seam_prints() -> None:
    """Whatever else printed by itself would print names as they are."""
    source = Path(visionset.__file__).parent
    found = []
    for path in sorted(source.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "print(" in text or "Console(" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "Console"):
                found.append(f"{path.relative_to(source)}")
    assert set(found) <= {"cli.py", "commands/parts.py"}
