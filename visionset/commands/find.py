"""``visionset find``: photographs of an archive in which some pieces lay."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from visionset.commands.parts import Subparsers, add_command, complain, remark, say
from visionset.commands.terminal import in_a_line

_MORE = """\
What is asked for is pieces with commas between, all in one photo and each a different one. A piece is named by its code or
by some of its words: those of its attributes, its kind (card, die, pip, playing, back) or unread; 2x before it asks for two. A is
the ace before a suit and alone ("A of hearts", "2x A"), else the article, as in "a heart" or "a red oval".

examples
  visionset find wild archive.jsonl                     photos with a WILD; archive.jsonl is what visionset read --out wrote
  visionset find QH,QS --json archive.jsonl             both queens in one photo, as the lines that read wrote
  visionset find 3-purple-solid-oval archive.jsonl      by a code; "3 purple solid" in quotes for all such cards

The exit code is 0 where there is such a photo; it is 1 where there is none, which a line on the standard error says. The last
line tells how many photos could not be read: nobody knows what lay there.
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "find", run, _MORE)
    parser.add_argument("pieces", metavar="PIECES", help="what lay there, see below")
    parser.add_argument("archives", nargs="+", type=Path, metavar="ARCHIVE", help="what visionset read --out wrote")
    parser.add_argument("--json", action="store_true", help="print the whole answer of each photo, one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Print each photo that fits, then how many do; beside them that none does."""
    import json

    from visionset.archive.query import Query
    from visionset.archive.reading import fitting
    from visionset.words import counted

    query = Query.parse(args.pieces)
    photos = unread = fits = 0
    for archive in args.archives:
        for part in fitting(archive, query, args.json):
            photos += part.count
            unread += part.unread
            fits += len(part.fits)
            for answer, positions in part.fits:
                names = (_named(answer["pieces"][at]) for at in positions)
                say(json.dumps(answer) if args.json else f"{in_a_line(answer['image'])}: {', '.join(names)}")
    if not photos:
        return complain("expected photos in an archive, got none; name what visionset read --out wrote")
    lost = f"; {unread} could not be read" if unread else ""
    if not fits:
        remark(f"no photo of {photos} holds {args.pieces}{lost}")
    elif not args.json:
        say(f"{fits} of {counted(photos, 'photo')}{lost}")
    elif lost:
        remark(f"{fits} of {counted(photos, 'photo')}{lost}")
    return int(not fits)


def _named(piece: dict[str, Any]) -> str:
    """The code of a piece, "?" where it was not read; a card back, which has none, is called by its kind."""
    from visionset.pieces import Kind

    return str(piece.get("name") or (piece["kind"] if piece["kind"] == Kind.CARD_BACK.value else "?"))
