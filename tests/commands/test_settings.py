"""Commands about the program itself: completion, log, what is set where, the entry in a menu, troubles of systems."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from visionset.cli import main
from visionset.commands import COMMANDS
from visionset.commands.completion import SHELLS
from visionset.commands.desktop import desktop_entry
from visionset.commands.doctor_system import system_troubles, why_no_camera, why_not_on_path


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_completed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for command in COMMANDS:
        assert command in script
    assert "--min-confidence" in script or "min-confidence" in script
    found = shutil.which(shell)
    if found:
        assert subprocess.run([found, "-n"], input=script, text=True, check=False).returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("adv", "advise"),
        ("read ta", "table-12.jpg"),
        ("read --json one.jpg ta", "table-12.jpg"),
        ("read --list ta", "table-12.jpg"),
        ("watch ta", "table-12.jpg"),
        ("table --camera ta", "table-12.jpg"),
        ("calibrate lens ta", "table-12.jpg"),
        ("advise set ta", "table-12.jpg"),
        ("watch --game sol", "solitaire"),
    ],
)
def test_bash_completes_commands_and_names_of_files(typed: str, found: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", "bash"])
    line, at = f"visionset {typed}", len(typed.split())
    asked = f"COMP_WORDS=({line}); COMP_CWORD={at}; COMP_LINE='{line}'; COMP_POINT={len(line)}"
    script = f"{capsys.readouterr().out}\n{asked}; _shtab_visionset; echo ${{COMPREPLY[@]}}"
    (tmp_path / "table-12.jpg").touch()
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.split() == [found]


def test_a_log_has_one_object_a_line_and_leaves_output_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    assert main(["rules"]) == 0
    plain = capsys.readouterr()
    assert main(["rules", "--log", str(log)]) == 0
    assert capsys.readouterr() == plain
    assert main(["--log", str(log), "read", str(tmp_path / "none.jpg")]) == 1
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [line["event"] for line in lines] == ["begins", "ends", "begins", "photo read", "ends"]
    assert [line.get("code") for line in lines] == [None, 0, None, None, 1]
    assert "got no such file" in lines[3]["error"]
    assert all(set(line) >= {"time", "level", "logger", "event"} for line in lines)
    assert not logging.getLogger("visionset").handlers


def test_a_log_holds_no_password_of_a_stream(tmp_path: Path) -> None:
    log, address = tmp_path / "log.jsonl", "ftp://ann:pw@nowhere.example/table.mp4"
    assert main(["--log", str(log), "watch", address, "--say", "nowhere"]) == 1
    assert json.loads(log.read_text(encoding="utf-8").splitlines()[0])["arguments"][3] == "ftp://nowhere.example/table.mp4"
    assert "pw" not in log.read_text(encoding="utf-8")


def test_verbose_goes_to_the_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["-v", "rules"], ["rules", "-v"]):
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert err.startswith("visionset: begins version=")
        assert "begins" not in out


def test_a_log_that_cannot_be_written_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--log", str(tmp_path / "no" / "log")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_photo_is_no_log_and_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = tmp_path / "table.jpg"
    photo.write_bytes(b"\xff\xd8")
    assert main(["rules", "--log", str(photo)]) == 1
    assert "expected a log or a new name, got another kind of file" in capsys.readouterr().err
    assert photo.read_bytes() == b"\xff\xd8"


@pytest.mark.skipif(not Path("/dev/stderr").exists(), reason="no name for the standard error")
def test_a_log_goes_to_the_standard_error_whatever_its_file_holds(capfd: pytest.CaptureFixture[str]) -> None:
    os.write(2, b"said before\n")
    assert main(["rules", "--log", "/dev/stderr"]) == 0
    assert [line[:1] for line in capfd.readouterr().err.splitlines()] == ["s", "{", "{"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to be had")
def test_a_full_disk_ends_the_log_and_not_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--log", "/dev/full"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 7
    assert "the log ends here" in err
    assert "Traceback" not in err


def test_config_says_what_is_set_and_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    monkeypatch.delenv("VISIONSET_LANGUAGE", raising=False)
    (tmp_path / "settings.toml").write_text('language = "de"\n')

    def told(*words: str) -> dict[str, dict[str, str]]:
        assert main(["config", "--json", *words]) == 0
        return {line["name"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}

    assert (told()["language"]["value"], told()["language"]["source"]) == ("de", str(tmp_path / "settings.toml"))
    assert told()["folder of settings"]["source"] == "$VISIONSET_CONFIG"
    monkeypatch.setenv("VISIONSET_LANGUAGE", "en")
    assert told()["language"]["source"] == "$VISIONSET_LANGUAGE"
    assert told("--language", "de")["language"]["source"] == "--language"
    assert told("--data", str(tmp_path / "new"))["folder of matches"]["is_there"] is False
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "no caches yet"))
    assert main(["config"]) == 0
    assert all(len(line) <= 80 or "/" in line for line in capsys.readouterr().out.splitlines())


def test_config_says_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "kitchen.toml").write_text("error_px = 0,162\n")
    monkeypatch.setattr("visionset.commands.config.find_spec", lambda module: None if module == "distributed" else object())
    assert main(["config", "--json"]) == 0
    out, err = capsys.readouterr()
    told = {line["name"]: line for line in map(json.loads, out.splitlines())}
    assert "kitchen.toml" in err
    assert (told["extra cluster"]["is_there"], told["extra archive"]["is_there"]) == (False, True)
    assert "visionset[cluster]" in told["extra cluster"]["source"]
    with open("pyproject.toml", "rb") as file:
        extras = set(tomllib.load(file)["project"]["optional-dependencies"])
    assert {name.removeprefix("extra ") for name in told if name.startswith("extra ")} == extras - {"test", "docs", "dev"}


def test_folders_that_nobody_can_look_into_are_told_of_as_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    closed, looked_at = tmp_path / "closed", os.stat

    def refused(path: int | str | os.PathLike[str], **options: Any) -> os.stat_result:  # a superuser would be let in
        if closed in Path(str(path)).parents:
            raise PermissionError(13, "Permission denied", str(path))
        return looked_at(path, **options)

    closed.mkdir()
    monkeypatch.setattr("os.stat", refused)
    for variable in ("VISIONSET_CONFIG", "VISIONSET_DATA", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(closed / "within"))
    monkeypatch.delenv("VISIONSET_LANGUAGE", raising=False)
    for option in ((), ("--data", str(closed / "matches"))):
        assert main(["config", "--json", *option]) == 0
        out, err = capsys.readouterr()
        told = {line["name"]: line["is_there"] for line in map(json.loads, out.splitlines())}
        assert not any(told[name] for name in ("settings", "folder of matches", "folder of caches"))
        assert not err
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert any(text.startswith(f"{closed} may not be written to") for text, _ in system_troubles(closed / "within"))


@pytest.mark.parametrize("text", ['lang = "de"\n', 'language = "en"\nlanguages = "de"\n', "language = de\n"])
def test_a_setting_that_is_none_is_said(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    monkeypatch.delenv("VISIONSET_LANGUAGE", raising=False)
    (tmp_path / "settings.toml").write_text(text)
    assert main(["rules"]) == 1
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "settings.toml: expected " in error
    assert error.endswith('; write its one line as language = "de", or remove the file\n')


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="menus of Linux")
def test_an_entry_is_made_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert main(["desktop"]) == 0
    entry = tmp_path / "share" / "applications" / "visionset.desktop"
    keys = dict(line.split("=", 1) for line in entry.read_text(encoding="utf-8").splitlines()[1:])
    assert Path(keys["Icon"]).read_text(encoding="utf-8").startswith("<svg")
    assert keys["Exec"].endswith(' "table"')
    assert main(["desktop", "--remove"]) == 0
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert main(["desktop", "--remove"]) == 0
    assert "there was no entry" in capsys.readouterr().out


def test_an_entry_quotes_what_a_menu_would_read_otherwise() -> None:
    text = desktop_entry(["/opt/a b/$x%/visionset"], Path("/icon.svg"))
    assert 'Exec="/opt/a b/\\\\$x%%/visionset" "table"' in text


def test_troubles_of_systems_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    text, todo = why_no_camera("linux", [Path("/dev/video0")], False) or ("", "")
    assert text == "no right to /dev/video0"
    assert "usermod" in todo
    for system, is_wsl, word in (("linux", True, "--lan"), ("darwin", False, "System Settings"), ("win32", False, "Privacy")):
        assert word in (why_no_camera(system, [], is_wsl) or ("", ""))[1]
    assert why_no_camera("linux", [], False) is None
    assert why_not_on_path("/usr/bin/visionset") is None
    assert "pipx ensurepath" in (why_not_on_path(None) or ("", ""))[1]
    assert any("may not be written to" in text for text, _ in system_troubles(tmp_path / "new"))
