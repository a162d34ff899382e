"""Archives: what was read is kept, gone on with after a stop at any point to the same bytes, and found again."""

from __future__ import annotations

import errno
import json
import os
import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from visionset import saving
from visionset.archive import writing
from visionset.archive.query import Query
from visionset.archive.reading import archived, fitting
from visionset.cli import main
from visionset.errors import OutputError, PieceError, RecordError
from visionset.table import Table

pytest.importorskip("pyarrow")

PIECES = [
    {
        "kind": "set_card",
        "name": "3-purple-solid-oval",
        "corners": [[1.5, 2.0], [30.1, 2.0], [30.1, 44.9], [1234.6, 4.9]],
        "confidence": 0.987,
    },
    {"kind": "set_die", "name": None, "corners": [[0.0, 0.0]] * 4, "confidence": 0.3, "reason": "glare", "guess": ["wild", 0.3]},
    {"kind": "set_die", "name": "wild", "corners": [[0.0, 0.0]] * 4, "confidence": 0.5, "guess": ["wild", 0.5, "1-red-oval", 0.25]},
    {"kind": "playing_card", "name": "QH", "corners": [[0.0, 0.0]] * 4, "confidence": 1.0},
]


def line(number: int) -> str:
    """An answer with all that an answer may have, in turn."""
    if number % 5 == 4:
        return json.dumps({"image": f"{number}.jpg", "width": 0, "height": 0, "pieces": [], "sets": [], "error": "no\u2028such file"})
    answer = {"image": f"{number}.jpg", "width": 640, "height": 360, "pieces": PIECES[: number % 5], "sets": [[0, 1, 2]][: number % 2]}
    if number % 3 == 0:
        answer |= {"lattice": [[0, 1], None], "set_count": 7}
    return json.dumps(answer | ({"reason": "no colour"} if number % 7 == 0 else {}))


def write(path: Path, lines: list[str], stop: int | None = None) -> None:
    """Keep the lines that are not kept yet, up to the one where somebody stops."""
    archive = writing.open_archive(path, resume=path.exists())
    try:
        for number, one in enumerate(writing.still_to_come(lines, lambda one: json.loads(one)["image"], archive, lambda is_error: None)):
            if number == stop:
                return
            archive.add(one)
        archive.finish()
    finally:
        archive.close()


def content(path: Path) -> dict[str, bytes]:
    return {part.name: part.read_bytes() for part in ([path] if path.is_file() else path.iterdir())}


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_run_that_was_stopped_ends_with_the_same_bytes(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "SHARD", 10)
    lines = [line(number) for number in range(34)]
    whole = tmp_path / "whole" / f"a.{ending}"
    whole.parent.mkdir()
    write(whole, lines)
    assert [json.dumps(answer) for answer in archived(whole)] == [json.dumps(json.loads(one)) for one in lines]
    rng = random.Random(3)
    for run in range(8):
        part = tmp_path / f"{run}.{ending}"
        for _ in range(rng.randint(1, 4)):
            write(part, lines, rng.randint(0, 15))
            seen = [answer["image"] for answer in archived(part)] if ending == "parquet" else []
            assert seen == [f"{number}.jpg" for number in range(len(seen))]
            torn = part if ending == "jsonl" else next(iter(part.glob("_*")), None)
            if torn is not None and torn.stat().st_size:  # killed in the middle of a line
                torn.write_bytes(torn.read_bytes()[: -rng.randint(1, min(60, torn.stat().st_size))])
        write(part, lines)
        assert list(content(part).values()) == list(content(whole).values())


def test_a_stop_between_a_file_of_parquet_and_the_end_of_its_lines_doubles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "SHARD", 4)
    lines = [line(number) for number in range(6)]
    archive = tmp_path / "a.parquet"
    write(archive, lines, stop=5)
    (archive / "_tables-00000.jsonl").write_text("\n".join(lines[:4]) + "\n")
    write(archive, lines)
    assert [answer["image"] for answer in archived(archive)] == [f"{number}.jpg" for number in range(6)]
    with pytest.raises(RecordError, match=r"expected 0.jpg as in the archive, got 1.jpg"):
        write(archive, lines[1:])


def test_a_name_that_was_mistyped_may_be_mended_and_one_that_could_not_be_read_left_out(tmp_path: Path) -> None:
    archive = tmp_path / "a.jsonl"
    write(archive, [line(0), line(4)])
    write(archive, [line(0), line(1), line(2)])
    write(archive, [line(0), line(1), line(2), line(3)])
    assert archive.read_text().splitlines() == [line(number) for number in (0, 4, 1, 2, 3)]


def test_mistyped_names_among_others_may_be_mended_where_they_stand(tmp_path: Path) -> None:
    archive = tmp_path / "a.jsonl"
    write(archive, [line(4), line(1), line(9), line(3)])
    for _ in range(2):  # what was mended is not read again
        write(archive, [line(0), line(1), line(2), line(3)])
        assert archive.read_text().splitlines() == [line(number) for number in (4, 1, 9, 3, 0, 2)]
    with pytest.raises(RecordError, match=r"expected 3\.jpg as in the archive, got 5\.jpg"):
        write(archive, [line(0), line(1), line(2), line(5)])


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_nobody_writes_to_an_archive_to_which_another_does(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the first answer, between two files of a folder, and at the last; after that who comes goes on."""
    monkeypatch.setattr(writing, "SHARD", 2)
    path, lines = tmp_path / f"a.{ending}", [line(number) for number in range(5)]
    archive = writing.open_archive(path, resume=False)
    assert list(archive.kept()) == []
    for one in lines:
        before = content(path)
        assert main(["read", "--out", str(path), "--resume", "samples"]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == (
            f"visionset: {path}: expected an archive to which nobody else writes, got one to which another visionset writes now; "
            "wait until it ends and go on by --resume, or name another\n"
        )
        assert content(path) == before
        archive.add(one)
    archive.finish()
    archive.close()
    assert [json.dumps(answer) for answer in archived(path)] == [json.dumps(json.loads(one)) for one in lines]
    write(path, [*lines, line(5)])
    assert len(list(archived(path))) == 6


def test_an_archive_is_written_where_the_file_system_knows_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(file: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(saving, "_take", unknown)
    write(tmp_path / "a.jsonl", [line(0)])
    assert len(list(archived(tmp_path / "a.jsonl"))) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to be had")
@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_full_disk_is_told_with_the_name_of_the_archive_and_how_to_go_on(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{ending}"
    write(path, [line(0)], stop=1)
    archive = writing.open_archive(path, resume=True)
    assert list(archive.kept()) == [("0.jpg", False)]
    with open("/dev/full", "wb") as full:
        lines = archive if isinstance(archive, writing.JsonLines) else archive._journal
        os.dup2(full.fileno(), lines._file.fileno())
    with pytest.raises(OutputError, match=rf"^{path}.*got no space left on device; make room, and go on by --resume$"):
        archive.add(line(1))
    archive.close()
    write(path, [line(0), line(1)])
    assert [answer["image"] for answer in archived(path)] == ["0.jpg", "1.jpg"]


@pytest.mark.skipif(os.name != "posix", reason="names are text there")
def test_parquet_has_a_name_that_is_text(tmp_path: Path) -> None:
    """What was read would be told to be no text once all is read."""
    path = Path(os.fsdecode(bytes(tmp_path) + b"/bad\xff.parquet"))
    with pytest.raises(OutputError, match="expected a name that is text"):
        write(path, [line(0)])
    assert not path.exists()
    write(tmp_path / "a.parquet", [line(0)])
    (tmp_path / "a.parquet").rename(path)
    with pytest.raises(RecordError, match="expected Parquet"):
        list(archived(path))


@pytest.mark.parametrize("theirs", ['{"a": 1}', "[1]", "not mine at all", '{"image": 3}\n{"ima'])
def test_what_is_no_archive_is_not_cut_off(theirs: str, tmp_path: Path) -> None:
    archive = tmp_path / "a.jsonl"
    archive.write_text(theirs)
    with pytest.raises(RecordError, match=r"expected a line as visionset read --json prints it, got '"):
        write(archive, [line(0)])
    assert archive.read_text() == theirs


@pytest.mark.parametrize("left", [1, 9, 12, 40])
def test_a_first_answer_that_was_cut_off_is_made_again(left: int, tmp_path: Path) -> None:
    archive = tmp_path / "a.jsonl"
    archive.write_text(line(0)[:left])
    write(archive, [line(0), line(1)])
    assert archive.read_text() == f"{line(0)}\n{line(1)}\n"


def test_read_keeps_resumes_and_finds(
    nine: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = []
    for number in range(3):
        photos.append(str(tmp_path / f"{number}.png"))
        cv2.imwrite(photos[-1], np.full((36, 64, 3), 90, np.uint8))
    Path(photos[1]).write_text("broken")
    for name in ("a.jsonl", "a.parquet"):
        out = tmp_path / name
        assert main(["read", "--out", str(out), *photos]) == 1
        told = capsys.readouterr()
        assert told.out == f"answers in {out}\n"
        assert len(told.err.splitlines()) == 1
        before = content(out)
        assert main(["read", "--out", str(out), "--resume", *photos]) == 1
        assert capsys.readouterr().err.endswith('got 1 before this run that cannot; their lines have an "error"\n')
        for other, told in (
            (["--decks", "2"], "with --decks 1, as it was made, got 2"),
            (["--min-confidence", "0.5"], "without --min-confidence, as it was made, got 0.5"),
            (["--whole-card"], "without --whole-card, as it was made, got it"),
            (["--pieces", "set-dice"], "with --pieces set-cards,set-dice,pip-dice,playing-cards, as it was made, got set-dice"),
        ):
            assert main(["read", "--out", str(out), "--resume", *other, *photos]) == 1
            assert f": expected to go on {told}; give the same, or begin another archive\n" in capsys.readouterr().err
        assert content(out) == before
        assert main(["read", "--out", str(out), *photos]) == 1
        assert "--resume" in capsys.readouterr().err
        assert main(["find", "1 red solid oval, 3x red", str(out)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [one.split(":")[0] for one in lines] == [photos[0], photos[2], "2 of 3 photos; 1 could not be read"]
        assert main(["find", "2x 1-red-solid-oval", str(out)]) == 1
        assert capsys.readouterr() == ("", "no photo of 3 holds 2x 1-red-solid-oval; 1 could not be read\n")
        assert main(["find", "red", "--json", str(out)]) == 0
        told = capsys.readouterr()
        assert [json.loads(one)["image"] for one in told.out.splitlines()] == [photos[0], photos[2]]
        assert told.err == "2 of 3 photos; 1 could not be read\n"
    (tmp_path / "no.jsonl").write_text("[1]\n")
    (tmp_path / "no.parquet").write_text("[1]\n")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    for name in ("no.jsonl", "no.parquet", "none", "x", "empty.jsonl"):
        (tmp_path / "x").mkdir(exist_ok=True)
        assert main(["find", "red", str(tmp_path / name)]) == 1
        assert "expected" in capsys.readouterr().err


def test_a_photo_that_is_found_is_one_line_whatever_it_is_called(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = {"image": "a\nb.jpg", "width": 640, "height": 360, "pieces": PIECES[-1:], "sets": []}
    write(tmp_path / "archive.jsonl", [json.dumps(answer)])
    assert main(["find", "QH", str(tmp_path / "archive.jsonl")]) == 0
    assert capsys.readouterr().out == "a\\nb.jpg: QH\n1 of 1 photo\n"


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_card_back_that_is_found_is_told_from_what_was_not_read(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    back = {"kind": "card_back", "name": None, "corners": [[0.0, 0.0]] * 4, "confidence": 0.9}
    answer = {"image": "a.jpg", "width": 640, "height": 360, "pieces": [*PIECES, back], "sets": []}
    write(tmp_path / f"archive.{ending}", [json.dumps(answer)])
    assert main(["find", "back, unread", str(tmp_path / f"archive.{ending}")]) == 0
    assert capsys.readouterr().out == "a.jpg: ?, card_back\n1 of 1 photo\n"


@pytest.mark.parametrize("name", ["none.parquet", "none.jsonl"])
def test_an_archive_that_is_not_there_is_told_in_our_words(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["find", "QH", str(tmp_path / name)]) == 1
    told = capsys.readouterr().err
    assert told == f"visionset: {tmp_path / name}: expected a file that can be read, got no such file or directory; name another\n"


def test_beside_a_file_of_something_else_nothing_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.bin"
    other.write_bytes(bytes(range(256)))
    assert main(["read", "samples/table-12.jpg", "--out", str(other), "--resume"]) == 1
    assert "expected" in capsys.readouterr().err
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("other.bin", bytes(range(256)))]


def test_options_that_are_left_out_when_an_archive_is_gone_on_with_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    made, now = {"--min-confidence": "0.5", "--whole-card": "yes"}, {"--min-confidence": "None", "--whole-card": "no"}
    archive = writing.open_archive(path, resume=False, options=made)
    archive.add(line(0))
    archive.close()
    for name, told in (("--min-confidence", "--min-confidence 0.5"), ("--whole-card", "--whole-card")):
        with pytest.raises(OutputError, match=f"expected to go on with {told}, as it was made, got none; give the same"):
            writing.open_archive(path, resume=True, options={name: now[name]})


@pytest.mark.parametrize("asked", ["red", "2x die", "wild, 2x set die", "QH, unread, die", "2x card, queen", "pip 5"])
def test_what_is_filtered_by_columns_is_what_is_found_row_by_row(asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "SHARD", 40)
    rng, lines = random.Random(5), []
    for number in range(130):
        answer = json.loads(line(4 if number % 9 == 0 else 1))
        answer |= {"image": f"{number}.jpg", "pieces": rng.choices(PIECES, k=rng.randint(0, 5)) if number % 9 else []}
        lines.append(json.dumps(answer))
    write(tmp_path / "a.parquet", lines, stop=125)  # some are lines yet
    query = Query.parse(asked)
    model = [(answer, at) for answer in archived(tmp_path / "a.parquet") if (at := query.found_in(answer["pieces"])) is not None]
    parts = list(fitting(tmp_path / "a.parquet", query, whole=True))
    assert (sum(part.count for part in parts), sum(part.unread for part in parts)) == (125, 14)
    assert [one for part in parts for one in part.fits] == model
    told = [(answer["image"], at) for part in fitting(tmp_path / "a.parquet", query) for answer, at in part.fits]
    assert told == [(answer["image"], at) for answer, at in model]


@pytest.mark.parametrize(
    ("asked", "at"),
    [
        ("3 purple solid", [0]),
        ("three purple ovals", [0]),
        ("wild", [2]),
        ("2x die", [1, 2]),
        ("dice, wild", [1, 2]),
        ("queen of hearts, set card", [0, 3]),
        ("QH", [3]),
        ("unread", [1]),
        ("2x wild", None),
        ("card face down", None),
        ("pip 5", None),
    ],
)
def test_pieces_are_asked_for_in_words_and_codes(asked: str, at: list[int] | None) -> None:
    assert Query.parse(asked).found_in(PIECES) == at


ACES = ["AC", "AD", "AH", "AS"]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        *((asked, ["AH"]) for asked in ("A of hearts", "a of hearts", "A hearts", "a hearts", "A heart", "the A of hearts", "hearts A")),
        *((asked, ["AH"]) for asked in ("AH", "A H", "a-h", "ace of hearts", "an ace of hearts", "A of hearts card", "1x A Hearts")),
        ("2x A", ACES),
        ("a", ACES),
        *((asked, [rank + "H" for rank in "23456789TJQKA"]) for asked in ("a heart", "hearts", "a card of hearts", "H")),
        *((asked, ["QC", "QD", "QH", "QS"]) for asked in ("a queen", "A queen", "A Q")),
        *((asked, ["TS"]) for asked in ("ten of spades", "10 of spades", "T spades")),
        *((asked, ["6D"]) for asked in ("six of diamonds", "a playing six of diamonds")),
        ("pip six", ["6"]),
    ],
)
def test_a_is_the_ace_or_an_article(asked: str, names: list[str]) -> None:
    """The ace before a suit or alone; small, before one of a suit, it is the article."""
    assert sorted(name or "" for _, name in Query.parse(asked).wanted[0]) == sorted(names)


@pytest.mark.parametrize("asked", ["{} red oval", "{} card", "{} die", "{} playing card", "{} wild", "{} 6", "{} red diamond"])
def test_before_anything_else_a_is_an_article(asked: str) -> None:
    assert Query.parse(asked.format("a")) == Query.parse(asked.format("A")) == Query.parse(asked.format(""))


def test_ranks_and_pips_are_asked_for_by_words_too() -> None:
    words = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    for word, rank in zip(words, "23456789T", strict=True):
        assert Query.parse(f"playing {word}") == Query.parse(f"playing {rank}")
    for word, pips in zip(("one", *words), "123456", strict=False):
        assert Query.parse(f"pip {word}") == Query.parse(f"pip {pips}")


@pytest.mark.parametrize("asked", ["", "purpel", "3 purple wild", "red,", "999x red", "2x", "0x wild"])
def test_what_no_piece_is_called_is_refused(asked: str) -> None:
    with pytest.raises(PieceError, match="expected"):
        Query.parse(asked)
