"""Every line of every `sh` block in README, CONTRIBUTING and docs/ is run by a shell as it stands, in a folder where its files are.

The quick ones run here, all of them by --all; those that cannot run are named below, each with the reason.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from visionset.cli import build_parser

ROOT = Path(__file__).parents[1]
PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}

INSTALLS = "changes the machine, from a network; tests/test_wheel.py installs what is built into an empty environment"
CHECKS = "is what runs these tests"
CAMERA = "needs a camera; without one it says so in a line, see below"
MACHINES = "needs several machines; tests/jobs has a cluster on one"
NOT_HERE = {
    "sudo apt-get update && sudo apt-get install --yes pipx libgl1 libglib2.0-0": INSTALLS,
    "pipx ensurepath": INSTALLS,
    'pipx install "visionset[web,print]"': INSTALLS,
    "curl -LsSf https://astral.sh/uv/install.sh | sh": INSTALLS,
    '~/.local/bin/uv tool install "visionset[web,print]"': INSTALLS,
    "~/.local/bin/uv tool update-shell": INSTALLS,
    "scripts/setup && . .venv/bin/activate && visionset demo": INSTALLS + "; demo has tests of its own",
    "scripts/setup test && .venv/bin/pytest -n 3": INSTALLS,
    "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]'": INSTALLS,
    "scripts/check": CHECKS,
    "scripts/check --all": CHECKS,
    "scripts/check --versions": CHECKS,
    "visionset watch": CAMERA,
    "visionset table --camera 0": CAMERA,
    "visionset cameras": CAMERA,
    "dask scheduler": MACHINES,
    "dask worker tcp://host:8786 --nworkers 16 --nthreads 1": MACHINES,
    'visionset find "3 purple solid, 2x wild" archive.parquet': "needs such photos; tests/test_help_examples.py has one",
    "visionset read --cluster tcp://host:8786 --list all.txt --out archive.parquet --resume": MACHINES,
}
"""What no test runs, and why."""

QUICK = ("visionset read samples/table-12.jpg", "visionset rules cubed --language de", "visionset config")
PATIENCE_S = 120


def lines(page: Path) -> Iterator[str]:
    """What a page tells to type, line by line, with the remark beside it."""
    for block in re.findall(r"^ *```sh\n(.*?)^ *```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        yield from (line.strip() for line in block.splitlines() if line.strip())


def command(line: str) -> str:
    return re.split(r"\s+#", line)[0]


SHOWN = {name: list(lines(path)) for name, path in PAGES.items() if list(lines(path))}
ALL = [line for shown in SHOWN.values() for line in shown]


def is_server(line: str) -> bool:
    return command(line).startswith("visionset table")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a person would have it: `visionset` is found, samples and photos are there; nothing of theirs is touched."""
    if not (ROOT / "samples").is_dir():
        pytest.skip("no samples beside the tests")
    here = tmp_path / "here"
    for folder in (here / "evenings", tmp_path / "bin", tmp_path / "home"):
        folder.mkdir(parents=True)
    (here / "samples").symlink_to(ROOT / "samples")
    shutil.copy(ROOT / "samples" / "one-card.jpg", here / "evenings")
    program = tmp_path / "bin" / "visionset"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m visionset "$@"\n')
    program.chmod(0o755)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "VISIONSET_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path / "home"),
        "BROWSER": "true",
        "VISIONSET_DATA": str(tmp_path / "data"),
        "VISIONSET_CONFIG": str(tmp_path / "config"),
    }.items():
        monkeypatch.setenv(name, value)
    return here


def typed(line: str, place: Path) -> tuple[int, str, str]:
    """What a shell answers to a line; a page that is served is ended by Ctrl-C once it is there."""
    shell = subprocess.Popen(
        ["sh", "-c", f"{line}\n"],
        cwd=place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert shell.stdout is not None
    first = ""
    try:
        if is_server(line):
            while "The table is at " not in (heard := shell.stdout.readline()):
                assert heard, shell.communicate()[1]
            first = heard
            os.killpg(shell.pid, signal.SIGINT)
        out, err = shell.communicate(timeout=None if not is_server(line) else PATIENCE_S)
    finally:
        if shell.poll() is None:
            os.killpg(shell.pid, signal.SIGKILL)
            shell.communicate()
    return shell.returncode, first + out, err


def assert_works(line: str, place: Path) -> None:
    done, out, err = typed(line, place)
    assert done in ((130, -signal.SIGINT) if is_server(line) else (0,)), f"{line}\n{err}"  # Ctrl-C ends the shell too
    assert out, line
    assert "Traceback" not in err


def test_lines_that_are_not_run_are_told_somewhere_and_few() -> None:
    assert set(NOT_HERE) <= set(map(command, ALL))
    assert len(NOT_HERE) < len(set(map(command, ALL))) / 3
    assert set(QUICK) <= set(map(command, ALL))


@pytest.mark.parametrize("name", SHOWN)
def test_command_lines_of_a_page_are_accepted(name: str) -> None:
    for line in SHOWN[name]:
        for part in command(line).split("&&"):
            if (words := shlex.split(part))[0] == "visionset":
                assert callable(build_parser().parse_args(words[1:]).run), line


@pytest.mark.parametrize("name", SHOWN)
def test_each_block_is_shell_and_no_other_shell_finds_patterns_of_its_own(name: str) -> None:
    """An unquoted ? ends zsh with "no matches found", which is the shell of macOS."""
    for line in SHOWN[name]:
        assert subprocess.run(["sh", "-n", "-c", line], check=False).returncode == 0, line
        bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", command(line))
        assert not re.search(r"(^|\s)\S*[?\[{]", bare), line


@pytest.mark.parametrize("line", QUICK)
def test_quick_lines_work_as_they_stand(line: str, place: Path) -> None:
    assert_works(line, place)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_all_lines_of_a_page_work_as_they_stand(name: str, place: Path) -> None:
    """One after the other in one folder, for some read what those before them wrote."""
    for line in SHOWN[name]:
        if command(line) not in NOT_HERE:
            assert_works(line, place)


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line, why in NOT_HERE.items() if why == CAMERA])
def test_without_a_camera_there_is_one_line(line: str, place: Path) -> None:
    if any(Path("/dev").glob("video*")):
        pytest.skip("this machine has a camera")
    shell = subprocess.run(["sh", "-c", line], cwd=place, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert (shell.returncode, len(shell.stderr.splitlines())) == (1, 1)
