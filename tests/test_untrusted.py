"""Text with limits: plain data, or an error in one line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from visionset.errors import RecordError
from visionset.untrusted import MOST_BYTES, json_of, text_of, toml_of


@pytest.mark.parametrize("text", ['{"a": [1, -2.5, "b", true, null]}', "9007199254740992", '"\\u0000\\u001b"', "[" * 30 + "]" * 30])
def test_plain_json_is_read(text: str) -> None:
    import json

    assert json_of(text) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    ["", "{", "NaN", "[Infinity]", "-Infinity", "1e999", "9" * 400, "9" * 5000, "[" * 100_000, "[" * 50 + "]" * 50, "9007199254740993"],
)
def test_what_cannot_be_counted_with_is_refused(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        json_of(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    "text", ["a", "a = inf", "a = nan", "a = 1979-05-27", "a = 07:32:00", "a = 0x" + "f" * 20_000, "a = " + "[" * 5000, "[a]\n[a]"]
)
def test_toml_that_no_value_takes_is_refused(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        toml_of(text)
    assert "\n" not in str(caught.value)


def test_toml_is_read() -> None:
    assert toml_of("a = [1, 2.5]\n[b]\nc = 'd'") == {"a": [1, 2.5], "b": {"c": "d"}}


def test_files_are_read_whole_or_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"\xef\xbb\xbfa\xc3\xa9")
    assert text_of(tmp_path / "text") == "aé"
    (tmp_path / "latin").write_bytes(b"\xe9")
    (tmp_path / "huge").touch()
    with (tmp_path / "huge").open("r+b") as file:
        file.truncate(MOST_BYTES + 1)
    for name in ("latin", "huge", "none", ".", "a\0b", "/dev/zero", "/dev/null"):
        with pytest.raises(RecordError) as caught:
            text_of(tmp_path / name)
        assert len(str(caught.value).splitlines()) == 1


def test_a_hyphen_is_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\xc3\xa9")))
    assert text_of(Path("-")) == "aé"
    monkeypatch.setattr("sys.stdin", io.StringIO("b"))
    assert text_of(Path("-")) == "b"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    with pytest.raises(RecordError, match="UTF-8"):
        text_of(Path("-"))
