"""``visionset score``: how well photographs with known truth are read."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.codec import from_known_json
from visionset.commands.many import add_jobs_options, mapped, progress
from visionset.commands.parts import (
    Subparsers,
    add_command,
    add_read_options,
    add_whole_card_option,
    check_whole_card,
    complain,
    read_options,
    remark,
    say,
)
from visionset.commands.terminal import console, folding_table, in_a_line
from visionset.errors import PictureError, PieceError, RecordError, VisionsetError
from visionset.jobs import Lost
from visionset.kinds import KIND_SPECS, PIECE_TYPES
from visionset.pieces import Kind, Piece, SetCard
from visionset.untrusted import json_of, text_of

if TYPE_CHECKING:
    from visionset.table import Table
    from visionset.vision.options import ReadOptions

_ANY = "any"
"""The kind of a truth that has pieces of all kinds."""

_MORE = """\
The folder holds photos and a truth.json that says what lies in each:

  {"kind": "set_card", "photos": {
    "a.jpg": {"pieces": ["2-red-striped-oval", "1-green-open-diamond"], "optional": [], "note": "kitchen table, evening"}}}

"kind" is set_card, set_die, pip_die or playing_card: nothing else is looked for, unless --pieces says so; other kinds do not
count. With "any" all of them are looked for, and count. "optional" names pieces that are mostly hidden or cut off: reading them
counts neither way. A photo without "pieces" is passed over, and named on the standard error.

examples
  visionset score my-photos                  the table, and the photos with a fault
  visionset score my-photos --only evening   photos whose note contains a word
  visionset score my-crops --whole-card      each photo is one SET card
  visionset score my-photos --jobs 4         by four processes
"""


@dataclass(slots=True)
class Tally:
    """Counts over photos; pieces are compared as multisets, so that a misread one counts once as missed and once as wrong."""

    kind: Kind | None = Kind.SET_CARD
    """What counts; None for pieces of all kinds."""
    photos: int = 0
    hit: int = 0
    missed: int = 0
    wrong: int = 0
    perfect: int = 0
    sets_exact: int = 0
    seconds: float = 0.0
    confused: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)

    @property
    def attributes(self) -> tuple[str, ...]:
        """What can be confused."""
        return () if self.kind is None else KIND_SPECS[self.kind].attributes

    @property
    def recall(self) -> float:
        """Pieces read of pieces there."""
        return self.hit / max(1, self.hit + self.missed) if self.hit + self.missed else 1.0

    @property
    def precision(self) -> float:
        """Right ones of pieces named."""
        return self.hit / (self.hit + self.wrong) if self.hit + self.wrong else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of recall and precision."""
        return 2 * self.recall * self.precision / max(1e-9, self.recall + self.precision)

    def add(self, want: list[Piece], optional: list[Piece], got: list[Piece], sets_got: set[frozenset[Piece]]) -> str:
        """Count one photo and return its fault in words; empty when it is perfect."""
        there, maybe, named = Counter(want), Counter(optional), Counter(got)
        missed, wrong = there - named, named - there - maybe
        self.photos += 1
        self.hit += (there & named).total()
        self.missed += missed.total()
        self.wrong += wrong.total()
        self.perfect += not missed and not wrong
        self.sets_exact += _sets(want) <= sets_got <= _sets([*want, *optional])
        for was, read_as in _pair(list(missed.elements()), list(wrong.elements()), self.attributes):
            for name in self.attributes:
                self.confused.setdefault(name, Counter())[_value(was, name), _value(read_as, name)] += _value(was, name) != _value(
                    read_as, name
                )
        faults = [f"missed {', '.join(sorted(map(str, missed.elements())))}"] if missed else []
        faults += [f"wrong {', '.join(sorted(map(str, wrong.elements())))}"] if wrong else []
        return "; ".join(faults)


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "score", run, _MORE)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="photos and truth.json")
    parser.add_argument("--only", default="", metavar="WORD", help="photos whose note contains this word")
    parser.add_argument("--show", action="store_true", help="list every photo, not only those with a fault")
    add_whole_card_option(parser)
    add_read_options(parser)
    add_jobs_options(parser)


def run(args: argparse.Namespace) -> int:
    """Read every photo of the truth and print the table."""
    truth = load_truth(args.folder)
    photos = {name: photo for name, photo in truth.photos.items() if args.only in photo.note}
    if unlabelled := [name for name, photo in photos.items() if photo.pieces is None]:
        photos = {name: photo for name, photo in photos.items() if photo.pieces is not None}
        remark(f'passed over, without "pieces" in truth.json: {in_a_line(", ".join(unlabelled)):.300}')
    if not photos:
        raise PictureError(f"{args.folder}: expected labelled photos, got none that fit; check truth.json and --only")
    score, code = Tally(truth.kind), 0
    is_whole, options = args.whole_card or "--whole-card" in truth.options, read_options(args)
    check_whole_card(args, is_whole)
    if args.pieces is None and score.kind is not None:
        options = replace(options, kinds=frozenset({score.kind}))
    work = ScorePhoto(args.folder, options, is_whole, args.decks, score.kind)
    with progress("reading", lambda: len(photos)) as step:
        for name, got in zip(photos, mapped(args, work, photos), strict=True):
            step()
            if isinstance(got, Lost):
                code = complain(f"{name}: expected a picture that can be read, got {got.deaths} workers that died over it; leave it out")
                continue
            if isinstance(got, str):
                code = complain(f"{name}: {got}" if name not in got else got)
                continue
            try:
                both = photos[name].pieces, photos[name].optional
                want, optional = ([_piece(text, score.kind) for text in names or ()] for names in both)
            except VisionsetError as error:
                code = complain(f"{name}: {error}")
                continue
            pieces, sets, seconds = got
            score.seconds += seconds
            fault = score.add(want, optional, pieces, sets)
            if fault or args.show:
                say(f"{in_a_line(name)}: {fault or 'perfect'}")
    _print(score)
    return code


@dataclass(frozen=True, slots=True)
class ScorePhoto:
    """Reads one photo of a folder for a score, wherever it is asked to."""

    folder: Path
    options: ReadOptions
    is_whole_card: bool
    decks: int
    kind: Kind | None

    def __call__(self, name: str) -> tuple[list[Piece], set[frozenset[Piece]], float] | str:
        """What `answer` makes of the photo, and the seconds of reading; words where it cannot be read."""
        from visionset.sources.picture import read_picture
        from visionset.vision import pipeline

        try:
            image_bgr = read_picture(self.folder / name)
        except VisionsetError as error:
            return str(error)
        start_s = time.perf_counter()
        table = (pipeline.read_whole_card if self.is_whole_card else pipeline.read)(image_bgr, self.options)
        seconds = time.perf_counter() - start_s
        return *answer(table, self.decks, self.kind), seconds


@dataclass(frozen=True, slots=True)
class Photo:
    """What lies in a photo: names of pieces, None where nobody wrote them down, those that count neither way, and a note."""

    pieces: tuple[str, ...] | None = None
    optional: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Truth:
    """What lies in the photos of a folder; no kind for pieces of all kinds."""

    kind: Kind | None
    photos: dict[str, Photo]
    options: str = ""


def load_truth(folder: Path) -> Truth:
    """Read a folder's truth.json. Raises `PictureError`: it is not there, not JSON, or about a kind of piece that has no names."""
    path = folder / "truth.json"
    try:
        data = json_of(text_of(path))
        if not isinstance(data, dict) or not isinstance(data.get("photos"), dict) or "kind" not in data:
            raise RecordError('expected JSON with "kind" and "photos", got something else')
        if not data["photos"]:
            raise RecordError("expected photos, got none")
        known = [*(kind.value for kind in PIECE_TYPES), _ANY]
        if not isinstance(data["kind"], str) or data["kind"] not in known:
            raise RecordError(f"expected one of the kinds {', '.join(known)}, got {data['kind']!s:.40}")
        photos = {name: from_known_json(Photo, photo) for name, photo in data["photos"].items()}
        kind = None if data["kind"] == _ANY else data["kind"]
        return replace(from_known_json(Truth, {**data, "kind": kind, "photos": {}}), photos=photos)
    except RecordError as error:
        told = str(error) if str(path) in str(error) else f"{path}: {error!s:.200}"
        raise PictureError(f"{told}; see visionset score --help") from None


def _piece(name: str, kind: Kind | None) -> Piece:
    """The piece of a name; raises `PieceError` where none of that kind is called so."""
    if kind is not None:
        return PIECE_TYPES[kind].parse(name)
    for piece in PIECE_TYPES.values():
        with suppress(PieceError):
            return piece.parse(name)
    raise PieceError(f"expected a piece, got {name!r}; write it as 2-red-striped-oval, 2-red-oval, 5 or QH")


def answer(table: Table, decks: int, kind: Kind | None = Kind.SET_CARD) -> tuple[list[Piece], set[frozenset[Piece]]]:
    """The pieces of a kind that a table names, and the SETs that follow among SET cards alone, as `Tally.add` takes them."""
    from visionset.table_sets import sets_on_table

    pieces = [piece if piece is not None and kind in (None, piece.kind) else None for piece in table.pieces]
    trios = sets_on_table(pieces, decks) if kind is Kind.SET_CARD else ()
    sets = {frozenset(piece for position in trio if (piece := pieces[position]) is not None) for trio in trios}
    return [piece for piece in pieces if piece is not None], sets


def _sets(pieces: list[Piece]) -> set[frozenset[Piece]]:
    from visionset.games.sets import find_sets

    once = [piece for piece in dict.fromkeys(pieces) if isinstance(piece, SetCard)]
    return {frozenset(once[position] for position in trio) for trio in find_sets(once)}


def _value(card: Piece, name: str) -> str:
    value = getattr(card, name)
    return str(getattr(value, "value", value))


def _pair(missed: list[Piece], wrong: list[Piece], attributes: tuple[str, ...]) -> list[tuple[Piece, Piece]]:
    """Match each missed piece with the wrong one that differs least: most misreadings fail on one attribute."""
    pairs = []
    for was in missed:
        nearest = min(wrong, key=lambda card: sum(_value(was, name) != _value(card, name) for name in attributes), default=None)
        if nearest is not None:
            wrong.remove(nearest)
            pairs.append((was, nearest))
    return pairs


def _print(score: Tally) -> None:
    from rich.table import Column

    out = console()
    if not score.photos:
        return
    sets = ["SETs exact"] * (score.kind is Kind.SET_CARD)
    table = folding_table(
        "photos", "pieces", "recall", Column("precision", no_wrap=True, min_width=9), "F1", "perfect photos", *sets, "ms a photo"
    )
    share = f"{{}}/{score.photos}".format
    table.add_row(
        str(score.photos),
        str(score.hit + score.missed),
        f"{score.recall:.4f}",
        f"{score.precision:.4f}",
        f"{score.f1:.4f}",
        share(score.perfect),
        *[share(score.sets_exact)] * len(sets),
        f"{1000 * score.seconds / score.photos:.0f}",
    )
    out.print(table)
    columns = {name: [(pair, times) for pair, times in counter.most_common() if times] for name, counter in score.confused.items()}
    if any(columns.values()):
        confusion = folding_table(*columns, title="confused, by attribute")
        for row in zip_longest(*columns.values()):
            confusion.add_row(*(f"{cell[1]} x {cell[0][0]} as {cell[0][1]}" if cell else "" for cell in row))
        out.print(confusion)
