#!/usr/bin/env python3
"""Render the pictures that the networks are trained on.

    python scripts/training/render_tables.py finder /tmp/tables --count 12000
    python scripts/training/render_tables.py reader /tmp/tables --count 2000
    python scripts/training/render_tables.py elsewhere /tmp/tables --count 4000
    python scripts/training/render_tables.py dice /tmp/tables --count 4500
    python scripts/training/render_tables.py dice-close /tmp/tables --count 1500

Writes shards of 500 pictures (.npy) with their truth beside them (.pkl): one array a picture, a row a piece with its
eight corner coordinates, what it is (`WHAT`), which one it is, its visible share and the middle of what is visible.
The same seed gives the same shard.
"""

import argparse
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np
from free_faces import FreeFace, load_deck
from rich.progress import track

from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, PipDie, PlayingCard
from visionset.render.card_tables import DrawnPack, card_table
from visionset.render.faces import Face
from visionset.render.mixed import Known, dice_table
from visionset.render.negatives import rough_or_empty
from visionset.render.playing_style import random_playing_style
from visionset.render.scene import random_scene
from visionset.render.spoil import Spoil

SHARD = 500
# seed, smallest and largest card (long side in pixels, drawn evenly in its logarithm), side of the picture
KINDS = {
    "finder": (7, 24.0, 140.0, 256),
    "reader": (8, 130.0, 400.0, 448),
    "elsewhere": (9, 0.0, 0.0, 256),
    "dice": (10, 7.0, 60.0, 256),
    "dice-close": (11, 22.0, 180.0, 448),
    "cards": (12, 22.0, 320.0, 256),
    "cards-close": (13, 110.0, 520.0, 448),
}
CLUTTER = -1
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


def row(known: Known, what: int | None = None) -> list[float]:
    return [
        *known.outline_px.ravel(),
        WHAT[known.kind] if what is None else what,
        NAMES[known.kind][known.piece],
        known.visible,
        *known.seen_at_px,
    ]


class FreePack:
    """A free deck as `card_table` wants it, its paper and inks a little different each time."""

    def __init__(self, faces: tuple[FreeFace, ...]) -> None:
        self.faces = {face.card: face for face in faces}
        self.size_mm = faces[0].face.size_mm
        self.gamma, self.tint = 1.0, np.ones(3, np.float32)

    def another(self, rng: np.random.Generator) -> "FreePack":
        self.gamma = float(np.exp(rng.normal(0, 0.15)))
        self.tint = np.float32(rng.uniform(0.8, 0.95)) * np.array([1 - abs(rng.normal(0, 0.05)), 1, 1], np.float32)
        return self

    def face(self, card: PlayingCard, px_mm: float) -> Face:
        face = self.faces[card].face
        return Face(np.maximum(face.picture, 0) ** np.float32(self.gamma) * self.tint, face.cover, face.size_mm)

    def boxes_mm(self, card: PlayingCard) -> list[tuple[float, ...]]:
        return [box[:4] for box in self.faces[card].boxes]


def shard(kind: str, number: int, folder: Path, decks: Path | None) -> None:
    cv2.setNumThreads(1)
    packs = [FreePack(load_deck(file.parent, 4)) for file in sorted(decks.glob("*/boxes.json"))] if decks else []
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
        if kind.startswith("dice"):
            which = Kind.PIP_DIE if rng.random() < 0.55 else Kind.SET_DIE
            how = Spoil(*rng.uniform(0, 1, 6) * rng.uniform(0, 1))  # most tables are seen well
            table = dice_table(rng, (side, side), piece_px, how, which)
            pictures.append(table.image_bgr)
            truth.append(np.array([row(known) for known in table.known], np.float32).reshape(-1, COLUMNS))
            continue
        if kind.startswith("cards"):
            pack = (
                packs[int(rng.integers(len(packs)))].another(rng)
                if packs and rng.random() < 0.45
                else DrawnPack(random_playing_style(rng, fonts))
            )
            table = card_table(rng, (side, side), piece_px, Spoil(*rng.uniform(0, 1, 6)), pack)
            pictures.append(table.image_bgr)
            rows = [row(known) for known in table.known] + [row(known, INDEX) for known in table.indices]
            truth.append(np.array(rows, np.float32).reshape(-1, COLUMNS))
            continue
        scene = random_scene(rng, (side, side), piece_px, Spoil(*rng.uniform(0, 1, 6)), with_cards=rng.random() < 0.92)
        rows = [[*lying.outline_px.ravel(), 0, lying.card.index, lying.visible, *lying.outline_px.mean(axis=0)] for lying in scene.cards]
        rows += [[*quad.ravel(), CLUTTER, 0, 0, *quad.mean(axis=0)] for quad in scene.clutter_px]
        pictures.append(scene.image_bgr)
        truth.append(np.array(rows, np.float32).reshape(-1, COLUMNS))
    np.save(folder / f"{kind}_{number:03d}.npy", np.stack(pictures))
    (folder / f"{kind}_{number:03d}.pkl").write_bytes(pickle.dumps(truth))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("kind", choices=KINDS)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--count", type=int, default=2000)
    ask.add_argument("--decks", type=Path, help="folder of free card faces, see free_faces.py; else our own drawing alone")
    ask.add_argument("--first", type=int, default=0, help="number of the first shard")
    args = ask.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as pool:
        jobs = [
            pool.submit(shard, args.kind, number, args.folder, args.decks)
            for number in range(args.first, args.first + -(-args.count // SHARD))
        ]
        for job in track(jobs, "rendering"):
            job.result()


if __name__ == "__main__":
    sys.exit(main())
