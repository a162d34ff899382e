from __future__ import annotations

import argparse
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np
import pytest

from visionset import cli
from visionset.cli import build_parser, main
from visionset.commands import COMMANDS
from visionset.errors import VisionsetError


def subcommands() -> list[str]:
    (actions,) = [action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return list(actions.choices)  # type: ignore[arg-type]


def test_help_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "visionset demo" in capsys.readouterr().out


@pytest.mark.parametrize("command", [None, *subcommands()])
def test_every_help_prints_and_fits_a_terminal(
    command: str | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"] if command else ["--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert "example" in out or command == "doctor" or command is None
    assert max(map(len, out.splitlines())) <= 130


@pytest.mark.parametrize("command", subcommands())
def test_example_lines_in_help_are_accepted(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = build_parser()
    with pytest.raises(SystemExit):
        parser.parse_args([command, "--help"])
    out = capsys.readouterr().out
    examples = [line.strip().split("   ")[0] for line in out.splitlines() if line.startswith("  visionset ")]
    assert examples
    for example in examples:
        parser.parse_args(example.partition(" > ")[0].split()[1:])


HEAVY = "cv2 numpy scipy skimage onnxruntime rich PIL reportlab pypdfium2 dask distributed pyarrow fsspec starlette uvicorn duckdb mitsuba"


def loaded_by(words: list[str]) -> set[str]:
    """What a process of its own has loaded after a command line that ends in the parser."""
    code = (
        "import sys; from visionset.cli import main\ntry: main(sys.argv[1:])\nexcept SystemExit: pass\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_of_every_command_loads_nothing_heavy() -> None:
    code = "import sys; from visionset.cli import build_parser; from visionset.commands.completion import _parsers\n"
    code += "for parser in _parsers(build_parser()): parser.format_help()\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert loaded >= {f"visionset.commands.{name}" for name in COMMANDS}
    assert loaded & set(HEAVY.split()) == set()


def test_help_loads_the_command_that_is_named_alone() -> None:
    commands = {f"visionset.commands.{name}" for name in COMMANDS}
    assert loaded_by(["--help"]) & commands == set()
    assert loaded_by(["config", "--help"]) & commands == {"visionset.commands.config"}
    assert loaded_by(["config", "--help"]) & {"visionset.pieces", "importlib.metadata", "ctypes"} == set()
    assert not loaded_by(["play", "--help"]) & {"secrets", "tomllib"}


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["reed", "a.jpg"], ["-v", "--log", "read", "config", "--help"]])
def test_parser_of_named_commands_says_what_that_of_all_says(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for parser in (build_parser(), build_parser(words)):
        with pytest.raises(SystemExit) as caught:
            parser.parse_args(words)
        said.append((caught.value.code, capsys.readouterr()))
    assert said[0] == said[1]


def test_commands_keep_the_contract() -> None:
    for name in COMMANDS:
        assert callable(import_module(f"visionset.commands.{name}").add_parsers)
    needed = {
        "read": ["x"],
        "find": ["x", "x"],
        "score": ["x"],
        "play": ["set"],
        "advise": ["odds"],
        "replay": ["x"],
        "report": ["x"],
        "bundle": ["x"],
        "render": ["grid"],
        "completion": ["bash"],
    }
    for name in subcommands():
        assert callable(build_parser().parse_args([name, *needed.get(name, [])]).run)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["read", "table.jpg", "--jsno", "other.jpg"], "visionset read: error: unrecognized arguments: --jsno\n"),
        (["matches", "show", "1", "2"], "visionset matches show: error: unrecognized arguments: 2\n"),
    ],
)
def test_what_nobody_knows_is_told_under_the_name_of_the_command(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert capsys.readouterr().err.endswith(f"\n{told}")


def test_names_out_of_several_are_taken_in_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "Sets-Dice"]) == 0
    assert "Sets, with two dice" in capsys.readouterr().out
    assert build_parser().parse_args(["watch", "--game", "SET", "--pieces", "SET-cards"]).game == "set"
    assert build_parser().parse_args(["read", "READ"]).photos == ["READ"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play", "cubd"], "got 'cubd'; perhaps cubed is meant\n"),
        (["advise", "english_sets"], "got 'english_sets'; perhaps english-sets is meant\n"),
        (["READ", "table.jpg"], "got 'READ'; perhaps read is meant\n"),
        (["help"], "got 'help'; perhaps --help is meant\n"),
        (["version"], "got 'version'; perhaps --version is meant\n"),
        (["calibrate", "help"], "got 'help'; perhaps --help is meant\n"),
        (["play", "help"], "sets-dice, solitaire, got 'help'\n"),
        (["play", "poker"], "sets-dice, solitaire, got 'poker'\n"),
    ],
)
def test_a_name_that_is_nearly_one_of_several_is_told_which(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert capsys.readouterr().err.endswith(told)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    from visionset import __version__

    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"visionset {__version__}\n"


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (VisionsetError("expected a, got b; do c"), 1, "visionset: expected a, got b; do c\n"),
        (KeyboardInterrupt(), 130, "visionset: stopped\n"),
        (OSError(28, "No space left on device"), 1, "got no space left on device"),
        (PermissionError(13, "Permission denied", "a.txt"), 1, "visionset: a.txt: expected to read and write, got permission denied"),
        (ImportError("libGL.so.1: cannot open shared object file", name="cv2"), 1, "sudo apt install libgl1 libglib2.0-0"),
        (ImportError("libxcb.so.1: cannot open shared object file", name="cv2"), 1, "sudo apt install libgl1 libglib2.0-0"),
    ],
)
def test_errors_become_one_line_and_a_code(
    error: BaseException, code: int, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(args: object) -> int:
        raise error

    monkeypatch.setattr("visionset.commands.cameras.run", run)
    assert cli.main(["cameras"]) == code
    err = capsys.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 1


def test_of_what_is_very_long_the_beginning_is_quoted_and_what_to_do_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", f"{'evening' * 60}.mp4"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("visionset: eveningevening")
    assert "ning.mp4: expected" in told
    assert len(told) < 300
    names = " ".join(["Bartholomew"] * 200)
    assert main(["play", "set", "--players", f"{names},{names}", "--bots", "0"]) == 1
    told = capsys.readouterr().err
    assert "expected different names, got Bartholomew Bartholomew" in told
    assert told.endswith("tell them apart\n")
    assert len(told) < 1100
    with pytest.raises(SystemExit):
        main(["read", "--nothing" * 60, "a.jpg"])
    assert len(capsys.readouterr().err.splitlines()[-1]) < 300


def test_library_names_are_found_and_others_are_not() -> None:
    import visionset
    from visionset.games.sets import find_sets
    from visionset.table import Table

    assert visionset.find_sets is find_sets
    assert visionset.Table is Table
    assert callable(visionset.read)
    with pytest.raises(AttributeError, match="no attribute 'write'"):
        _ = visionset.write  # type: ignore[attr-defined]


def test_ctrl_c_that_a_library_took_for_its_own_fault_still_ends_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(args: object) -> int:
        monkeypatch.setattr(cli.INTERRUPTS, "asked", True)
        return 0

    def changed(args: object) -> int:
        lost(args)
        raise ImportError("numpy failed to load")

    for run in (lost, changed):
        monkeypatch.setattr("visionset.commands.cameras.run", run)
        assert cli.main(["cameras"]) == 130
        assert capsys.readouterr().err == "visionset: stopped\n"
        monkeypatch.setattr(cli.INTERRUPTS, "asked", False)


def test_a_reader_that_left_is_no_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def run(args: object) -> int:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("visionset.commands.cameras.run", run)
    assert cli.main(["cameras"]) == 141
    assert capsys.readouterr().err == ""


def loaded(code: str, *arguments: str) -> set[str]:
    """The modules that are loaded after some code."""
    command = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)", *arguments]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_help_loads_no_numpy_and_reading_a_photo_neither_scipy_nor_what_tracks_a_table(tmp_path: Path) -> None:
    """To load them takes longer than to read."""
    cv2.imwrite(str(tmp_path / "table.jpg"), np.full((90, 120, 3), 90, np.uint8))
    modules = loaded("from visionset.cli import main; main(sys.argv[1:])", "read", str(tmp_path / "table.jpg"))
    assert not {"scipy", "visionset.tracking", "visionset.session"} & modules
    assert "numpy" not in loaded("import visionset.cli")


def test_a_terminal_of_no_columns_is_shown_something(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    assert main(["rules", "cubed"]) == 0
    assert capsys.readouterr().out.startswith("SET Cubed\n")
