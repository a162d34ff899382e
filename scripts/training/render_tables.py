#!/usr/bin/env python3
"""Render the pictures that the networks are trained on.

    python scripts/training/render_tables.py finder /tmp/tables --count 12000
    python scripts/training/render_tables.py reader /tmp/tables --count 2000
    python scripts/training/render_tables.py elsewhere /tmp/tables --count 4000
    python scripts/training/render_tables.py dice /tmp/tables --count 4500
    python scripts/training/render_tables.py dice-close /tmp/tables --count 1500

Writes shards of 500 pictures (.npy) with their truth beside them (.pkl): one array a picture, a row a piece with its
eight corner coordinates, what it is (`WHAT`), which one it is, its visible share and the middle of what is visible.
The same seed gives the same shard. A worker that dies costs nothing; after a stop the same command with `--resume` leaves
the shards that are there: use it with the same decks and the same renderer alone. With `--cluster` each machine has this
folder on its PYTHONPATH, and the same files under the same names.
"""

import argparse
import os
import pickle
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from free_faces import FreeFace, load_deck
from rich.progress import track
from scenes.clutter import flat_of
from scenes.negatives import rough_or_empty
from scenes.other_cards import other_pack
from scenes.recipes import Pack, table
from scenes.setting import Spoil

from visionset.commands.many import add_jobs_options, mapped
from visionset.errors import VisionsetError
from visionset.jobs import Lost
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, PipDie, PlayingCard
from visionset.render.faces import Face
from visionset.render.table_pieces import Flat
from visionset.render.table_truth import TruePiece
from visionset.saving import saved

SHARD = 500
# seed, smallest and largest card (long side in pixels, drawn evenly in its logarithm), side of the picture
KINDS = {
    "finder": (7, 24.0, 140.0, 256),
    "reader": (8, 130.0, 400.0, 448),
    "elsewhere": (9, 0.0, 0.0, 256),
    "dice": (10, 7.0, 60.0, 256),
    "dice-close": (11, 22.0, 180.0, 448),
    "dice-boards": (14, 9.0, 60.0, 256),
    "cards": (12, 22.0, 320.0, 256),
    "cards-close": (13, 110.0, 520.0, 448),
    "cards-letters": (15, 35.0, 320.0, 256),
    "compared": (16, 60.0, 150.0, 512),
    "dice-others": (17, 7.0, 60.0, 256),
    "dice-others-close": (18, 22.0, 180.0, 448),
    "reader-others": (19, 130.0, 400.0, 448),
}
LEAST = 4  # cards that are to be compared
CLUTTER = -1
MINED = -2  # nothing that is easily taken for something
SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
WHAT = {Kind.SET_CARD: 0, Kind.PLAYING_CARD: 1, Kind.CARD_BACK: 2, Kind.PIP_DIE: 3, Kind.SET_DIE: 4}
INDEX = 5  # the corner index of a playing card
COLUMNS = 13
NAMES = {
    kind: {piece: at for at, piece in enumerate(pieces)}
    for kind, pieces in (
        (Kind.SET_CARD, SET_DECK),
        (Kind.PLAYING_CARD, PACK),
        (Kind.SET_DIE, SET_DIE_FACES),
        (Kind.CARD_BACK, (None,)),
        (Kind.PIP_DIE, tuple(PipDie(value) for value in range(1, 7))),
    )
}


def row(known: TruePiece, what: int | None = None) -> list[float]:
    return [
        *known.outline_px.ravel(),
        WHAT[known.kind] if what is None else what,
        NAMES[known.kind][known.piece],
        known.visible,
        *known.seen_at_px,
    ]


def free_pack(rng: np.random.Generator, faces: tuple[FreeFace, ...]) -> Pack:
    """A free deck as `table` wants it, its paper and inks a little different each time."""
    known = {face.card: face for face in faces}
    gamma = np.float32(np.exp(rng.normal(0, 0.15)))
    tint = np.float32(rng.uniform(0.8, 0.95)) * np.array([1 - abs(rng.normal(0, 0.05)), 1, 1], np.float32)

    def flat(card: PlayingCard) -> Flat:
        free = known[card]
        face = Face(np.maximum(free.face.picture, 0) ** gamma * tint, free.face.cover, free.face.size_mm)
        indices = tuple(SQUARE * (width / 2, height / 2) + (x, y) for x, y, width, height, *_ in free.boxes)
        return replace(flat_of(face), kind=card.kind, piece=card, indices_mm=indices)

    return flat


def files(kind: str, folder: Path, number: int) -> tuple[Path, Path]:
    """Pictures of a shard, and their truth, which is written last."""
    return folder / f"{kind}_{number:03d}.npy", folder / f"{kind}_{number:03d}.pkl"


def shard(kind: str, folder: Path, decks: Path | None, number: int) -> None:
    cv2.setNumThreads(1)
    decks_faces = [load_deck(file.parent, 4) for file in sorted(decks.glob("*/boxes.json"))] if decks else []
    fonts = [Path(line) for line in (decks / "fonts.txt").read_text().split("\n") if line] if decks else []
    seed, low, high, side = KINDS[kind]
    pictures, truth = [], []
    for place in range(number * SHARD, (number + 1) * SHARD):
        rng = np.random.default_rng([seed, place])
        if kind == "elsewhere":
            picture, rough = rough_or_empty(rng, (side, side), Spoil(*rng.uniform(0, 1, 6)))
            pictures.append(picture)
            whole = [0, 0, side, 0, side, side, 0, side, CLUTTER, 0, 0, side / 2, side / 2]
            truth.append(np.array([whole] * rough, np.float32).reshape(-1, COLUMNS))
            continue
        piece_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        how = Spoil(*rng.uniform(0, 1, 6) * (rng.uniform(0, 1) if kind.startswith(("dice", "compared")) else 1.0))  # most are seen well
        pack = None
        if kind.startswith("dice"):
            which = Kind.PIP_DIE if rng.random() < 0.55 and kind != "dice-boards" else Kind.SET_DIE
        elif kind.startswith("cards"):
            which = Kind.PLAYING_CARD
            is_foreign = kind == "cards-letters"
            is_free = not is_foreign and bool(decks_faces) and rng.random() < 0.45
            pack = free_pack(rng, decks_faces[int(rng.integers(len(decks_faces)))]) if is_free else other_pack(rng, fonts, is_foreign)
        else:
            which = Kind.SET_CARD
        boards = 1.0 if kind == "dice-boards" else None
        laid = which is not Kind.SET_CARD or kind == "compared" or rng.random() < 0.92
        least = LEAST if kind == "compared" else 1
        learned = table(rng, (side, side), piece_px, how, which, pack, laid, fonts, boards, least, "-others" in kind)
        rows = [row(known) for known in learned.known] + [row(index, INDEX) for index in learned.indices]
        if which is Kind.SET_CARD:
            rows += [[*quad.ravel(), CLUTTER, 0, 0, *quad.mean(axis=0)] for quad in learned.clutter_px]
        rows += [[*quad.ravel(), MINED, 0, 0, 0, 0] for quad in learned.prints_px]
        pictures.append(learned.image_bgr)
        truth.append(np.array(rows, np.float32).reshape(-1, COLUMNS))
    pictures_file, truth_file = files(kind, folder, number)
    with saved(pictures_file) as part:
        np.save(part, np.stack(pictures))
    with saved(truth_file) as part:
        part.write_bytes(pickle.dumps(truth))


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("kind", choices=KINDS)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--count", type=int, default=2000)
    ask.add_argument(
        "--decks", type=Path, help="folder of free card faces, see free_faces.py, with a fonts.txt that names a font file a line"
    )
    ask.add_argument("--first", type=int, default=0, help="number of the first shard")
    ask.add_argument("--resume", action="store_true", help="leave the shards that are there")
    add_jobs_options(ask)
    args = ask.parse_args()
    if args.decks and not (args.decks / "fonts.txt").is_file():
        ask.error(f"--decks {args.decks}: expected a file fonts.txt in there, a font file a line")
    if args.kind.startswith("cards") and not (args.decks and any(args.decks.glob("*/boxes.json"))):
        print("render_tables: no free decks: readers that learn from these cards alone take spades for clubs; see --decks", file=sys.stderr)
    args.folder.mkdir(parents=True, exist_ok=True)
    numbers = list(range(args.first, args.first + -(-args.count // SHARD)))
    if args.resume:
        numbers = [one for one in numbers if not all(file.exists() for file in files(args.kind, args.folder, one))]
    if args.jobs is None and not args.cluster:
        args.jobs = os.cpu_count()
    missing = 0
    try:
        answers = mapped(args, partial(shard, args.kind, args.folder, args.decks), numbers, args.folder)
        for number, answer in zip(numbers, track(answers, "rendering", total=len(numbers)), strict=True):
            if isinstance(answer, Lost):
                missing += 1
                print(f"render_tables: shard {number}: {answer.deaths} workers died over it; try it with fewer --jobs", file=sys.stderr)
    except VisionsetError as error:
        print(f"render_tables: {error}", file=sys.stderr)
        return 1
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
