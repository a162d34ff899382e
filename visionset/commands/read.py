"""``visionset read``: the pieces and SETs in photographs.

Longer than most modules: what is said of a photograph, to people and to programs, is read together.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.logs import log_event
from visionset.commands.many import (
    add_jobs_options,
    add_list_option,
    apart,
    check_named,
    counting,
    mapped,
    named,
    progress,
)
from visionset.commands.parts import (
    Subparsers,
    add_command,
    add_read_options,
    add_whole_card_option,
    card_text,
    check_whole_card,
    complain,
    headline,
    read_options,
    remark,
    say,
)
from visionset.commands.terminal import in_a_line, in_unicode
from visionset.errors import PictureError, VisionsetError
from visionset.jobs import Lost
from visionset.messages import Message, at_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from visionset.table import Table
    from visionset.table_sets import TableSets
    from visionset.vision.options import ReadOptions

NO_COLOUR = "no colour in the picture: SET cards and SET dice cannot be named"
"""What programs are told once for a picture instead of names; people are told the same in their language."""

_MOST_SAID = 26
"""SETs that are listed for people, A to Z: nobody reads the 1080 of a whole deck."""

_MORE = """\
examples
  visionset read table.jpg                   cards in reading order, then the SETs by their numbers
  visionset read *.jpg --save annotated      also draw them: annotated/table-sets.jpg
  visionset read --json a.jpg b.jpg          one JSON object a line, in order
  visionset read --whole-card card.png       a scan or crop of one SET card
  visionset read --stages steps table.jpg    one picture per step, to see where a reading goes wrong
  visionset read --json --jobs 4 evenings    all photos of a folder and those in it, by four processes
  visionset read --jobs 4 evenings --out archive.parquet --resume     kept, and gone on with where it was stopped

JSON: {"image", "width", "height", "pieces": [{"kind", "name", "corners", "confidence", "guess"}], "sets": [[0, 3, 7]]}.
Corners are pixels of a picture of that width and height, clockwise; photos above 26 megapixels are read smaller.
A kind is set_card, set_die, pip_die, playing_card or card_back, a card that lies face down and has no name.
A guess is the likeliest name and the next one, each with its confidence; a card back has none, nor has a piece of which
nothing tells. A name is null where another piece was not read for sure, and its "reason" is "no colour", "cut off",
"too small", "glare" or "doubtful". A photo that cannot be read has an "error" and no pieces.
Of a gray picture a "reason" says that SET cards and SET dice cannot be named.
A SET is three places in "pieces", counted from 0. With SET dice there are also "lattice", for each piece its [row, column],
from 0, in the grid that the dice form (null outside), and "set_count". In a grid the SETs are those along its lines; of
scattered dice the first 200 are in "sets".
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "read", run, _MORE)
    parser.add_argument(
        "photos",
        nargs="*",
        metavar="PHOTO",
        help="JPEG, PNG, WebP, TIFF, ..., a folder, a pattern, an address such as s3://..., @LIST, or - for standard input",
    )
    add_list_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per photo and line")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep the JSON in a file; where it ends in .parquet, Parquet in a folder")
    parser.add_argument("--resume", action="store_true", help="go on with --out where it was stopped: name the same photos and options")
    parser.add_argument(
        "--save", type=Path, metavar="DIR", help="write each photo with cards and SETs drawn on it, not into a folder that is read itself"
    )
    parser.add_argument("--stages", type=Path, metavar="DIR", help="write one numbered picture per step of reading")
    add_whole_card_option(parser)
    add_read_options(parser)
    add_jobs_options(parser)


def run(args: argparse.Namespace) -> int:
    """Read photo after photo; a bad one is reported and the rest goes on."""
    from visionset.archive.writing import open_archive, still_to_come
    from visionset.saving import writable_folder
    from visionset.sources.address import expanded

    check_named(args, args.photos)
    check_whole_card(args, args.whole_card)
    if args.resume and args.out is None:
        args.misused("expected --resume with --out FILE, got it alone; name the file to go on with")
    if args.out == Path("-"):
        args.misused("expected --out with the name of a file, got -; --json alone prints the answers")
    written = [writable_folder(folder) for folder in (args.save, args.stages) if folder is not None]
    as_json = args.json or args.out is not None
    archive = None if args.out is None else open_archive(args.out, args.resume, _decisive(args))
    work = ReadPhoto(read_options(args), args.decks, args.whole_card, as_json, args.save, args.stages)

    def photos() -> Iterator[str]:  # listed twice: to count, and to read
        return apart(expanded(named(args, args.photos)), written, args.photos)

    tasks = stems_of(photos()) if args.save or args.stages else ((photo, "") for photo in photos())
    is_shown = archive is not None or not sys.stdout.isatty()
    with progress("reading", counting(args, args.photos, photos), is_shown=is_shown) as step:
        if archive is None:
            return _tell(mapped(args, work, tasks, args.save, args.stages), as_json, say, step)
        try:
            unread = 0

            def known(is_error: bool) -> None:
                nonlocal unread
                unread += is_error
                step()

            missing = still_to_come(tasks, lambda task: in_unicode(task[0]), archive, known)
            code = _tell(mapped(args, work, missing, args.save, args.stages), as_json, archive.add, step)
            archive.finish()
        except KeyboardInterrupt:
            remark(str(Message("read.kept", path=str(args.out))))
            raise
        finally:
            archive.close()
    say(str(Message("read.answers", path=str(args.out))))
    if unread:
        return complain(
            f'{args.out}: expected photos that can be read, got {unread} before this run that cannot; their lines have an "error"'
        )
    return code


def _decisive(args: argparse.Namespace) -> dict[str, str]:
    """On what answers depend besides the photos."""
    from visionset import __version__
    from visionset.kinds import KIND_SPECS

    kinds = read_options(args).kinds
    return {
        "visionset": __version__,
        "--pieces": ",".join(dict.fromkeys(spec.choice for kind, spec in KIND_SPECS.items() if kind in kinds)),
        "--decks": str(args.decks),
        "--min-confidence": str(args.min_confidence),
        "--whole-card": "yes" if args.whole_card else "no",
    }


def _tell(
    answers: Iterator[PhotoAnswer | Lost[tuple[str, str]]], as_json: bool, keep: Callable[[str], None], step: Callable[[], None]
) -> int:
    """Say or keep what comes, and return the exit code."""
    tell = remark if as_json else say  # JSON lines stay alone
    code = 0
    for answer in answers:
        told = lost_photo(answer, as_json) if isinstance(answer, Lost) else answer
        log_event("photo read", answer=told.line.partition("\n")[0], error=told.error or None)
        if told.line:
            keep(told.line)
        for note in told.notes:
            tell(note)
        if told.error:
            code = complain(told.error)
        step()
    return code


@dataclass(frozen=True, slots=True)
class PhotoAnswer:
    """What is to be said of one photo."""

    line: str = ""
    notes: tuple[str, ...] = ()
    """Where pictures of it were written."""
    error: str = ""


@dataclass(frozen=True, slots=True)
class ReadPhoto:
    """Reads one photo, wherever it is asked to."""

    options: ReadOptions
    decks: int
    is_whole_card: bool
    as_json: bool
    save: Path | None
    stages: Path | None

    def __call__(self, task: tuple[str, str]) -> PhotoAnswer:
        """Read the photo of this name; what is written about it is called as the second says."""
        from visionset.annotate import draw, drawn_note
        from visionset.sources.picture import read_picture
        from visionset.table_sets import sets_of
        from visionset.video_writer import write_picture

        photo, stem = task
        try:
            image_bgr = read_picture(photo)
            table = self._read(photo, image_bgr, stem)
        except PictureError as error:
            return bad_photo(photo, str(error), self.as_json)
        found = sets_of(table, self.decks)
        notes = []
        if self.save is not None:
            path, note = self.save / f"{stem}-sets.jpg", drawn_note(found)
            write_picture(path, draw(image_bgr, table, decks=self.decks))
            where = in_a_line(str(path))
            notes.append(f"      {Message('read.drawn_and', path=where, note=note) if note else Message('read.drawn', path=where)}")
        if self.stages is not None:
            notes.append(f"      {Message('read.steps', path=in_a_line(str(self.stages / stem)))}")
        return PhotoAnswer(json_line(photo, table, found) if self.as_json else as_text(photo, table, found), tuple(notes))

    def _read(self, photo: str, image_bgr: NDArray[np.uint8], stem: str) -> Table:
        from visionset.vision import pipeline

        read = pipeline.read_whole_card if self.is_whole_card else pipeline.read
        try:
            return read(image_bgr, self.options, stages=StageWriter(self.stages, stem) if self.stages else None)
        except VisionsetError:
            raise
        except Exception as error:  # one picture in a million that nobody thought of shall not stop the others
            told = f"{type(error).__name__}: {error!s:.200}"
            raise PictureError(f"{photo}: expected a picture that can be read, got {told}; leave it out, and report it") from error


def lost_photo(lost: Lost[tuple[str, str]], as_json: bool) -> PhotoAnswer:
    """What is said of a photo over which workers died."""
    photo, _ = lost.task
    told = f"{photo}: expected a picture that can be read, got {lost.deaths} workers that died over it; leave it out"
    return bad_photo(photo, told, as_json)


def bad_photo(photo: str, error: str, as_json: bool) -> PhotoAnswer:
    """What is said of a photo that could not be read."""
    return PhotoAnswer(json_error(photo, error) if as_json else "", (), error)


def json_line(image: str, table: Table, found: TableSets) -> str:
    """One photo's answer as a line of JSON."""
    import json

    answer = {"image": in_unicode(image), **table.to_json(), "sets": [list(trio) for trio in found.sets]}
    if found.cells is not None:
        answer |= {"lattice": [None if cell is None else list(cell) for cell in found.cells], "set_count": found.count}
    if table.lacks_colour:
        answer["reason"] = NO_COLOUR
    return json.dumps(answer)


def json_error(image: str, error: str) -> str:
    """The line for a photo that could not be read."""
    import json

    return json.dumps({"image": in_unicode(image), "width": 0, "height": 0, "pieces": [], "sets": [], "error": in_unicode(error)})


def as_text(image: str, table: Table, found: TableSets) -> str:
    """One photo's answer for people: a numbered piece a line, then each SET by those numbers."""
    lines = [f"{in_a_line(image)}: {headline(table, found.sets, found.count)}"]
    if table.lacks_colour:
        lines.append(f"      {at_table(Message('remark.no_colour'))}")
    lines += _about_dice(found)
    for number, sighting in enumerate(table.sightings):
        lines.append(f"  {number + 1:2d}  {_place(found, number)}{card_text(sighting)}")
    for number, trio in enumerate(found.sets[:_MOST_SAID]):
        name = chr(ord("A") + number) if number < 26 else str(number + 1)
        named = ", ".join(f"{position + 1} {card_text(table.sightings[position])}" for position in trio)
        lines.append(f"  SET {name}: {named}")
    if found.count > _MOST_SAID:
        is_all = len(found.sets) == found.count
        listed = Message("read.all_listed") if is_all else Message("read.some_listed", count=len(found.sets))
        lines.append(f"  {at_table(Message('read.more_sets', count=found.count - _MOST_SAID))}; {at_table(listed)}")
    return "\n".join(lines)


def _about_dice(found: TableSets) -> list[str]:
    """Say how SET dice lie and which SETs are listed; nothing without such dice."""
    if found.cells is None:
        return []
    if found.grid_size is None:
        return [f"      {at_table(Message('read.scattered'))}"]
    rows, columns = found.grid_size
    return [f"      {at_table(Message('read.grid', rows=rows, columns=columns))}"]


def _place(found: TableSets, position: int) -> str:
    """Cell of a die in a grid, counted from 1; before the die, since what is said of one without a name ends with what to do."""
    cell = found.cells[position] if found.cells else None
    return "" if cell is None else f"{at_table(Message('read.cell', row=cell[0] + 1, column=cell[1] + 1))}: "


class StageWriter:
    """Writes each step's picture as ``DIR/PHOTO-01-STEP.png``."""

    def __init__(self, folder: Path, stem: str) -> None:
        self._folder, self._stem, self._count = folder, stem, 0

    def __call__(self, step: str, image_bgr: NDArray[np.uint8]) -> None:
        """Write the next step's picture."""
        from visionset.video_writer import write_picture

        self._count += 1
        write_picture(self._folder / f"{self._stem}-{self._count:02d}-{step.replace(' ', '-')}.png", image_bgr)


def stems_of(photos: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each photo with a name for what is written about it: its own without the ending, with a number where that was taken."""
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    for photo in photos:
        stem = own = Path(photo).stem
        while stem in taken:
            numbers[own] = numbers.get(own, 1) + 1
            stem = f"{own}-{numbers[own]}"
        taken.add(stem)
        yield photo, stem
