#!/usr/bin/env python3
"""Render the pictures that the networks are trained on.

    python scripts/training/render_tables.py finder /tmp/tables --count 12000
    python scripts/training/render_tables.py reader /tmp/tables --count 2500

Writes shards of 500 pictures (.npy) with their truth beside them (.pkl): one array a picture, a row a card with its
eight corner coordinates, its place in the deck (-1: clutter) and its visible share. The same seed gives the same shard.
"""

import argparse
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from visionset.scene.scene import random_scene
from visionset.scene.spoil import Spoil

SHARD = 500
# seed, smallest and largest card (long side in pixels, drawn evenly in its logarithm), side of the picture
KINDS = {"finder": (7, 24.0, 140.0, 256), "reader": (8, 130.0, 400.0, 448)}


def shard(kind: str, number: int, folder: Path) -> None:
    cv2.setNumThreads(1)
    seed, low, high, side = KINDS[kind]
    pictures, truth = [], []
    for place in range(number * SHARD, (number + 1) * SHARD):
        rng = np.random.default_rng([seed, place])
        card_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        scene = random_scene(rng, (side, side), card_px, Spoil(*rng.uniform(0, 1, 6)), with_cards=rng.random() < 0.92)
        rows = [[*lying.outline_px.ravel(), lying.card.index, lying.visible] for lying in scene.cards]
        rows += [[*quad.ravel(), -1, 0] for quad in scene.clutter_px]
        pictures.append(scene.image_bgr)
        truth.append(np.array(rows, np.float32).reshape(-1, 10))
    np.save(folder / f"{kind}_{number:03d}.npy", np.stack(pictures))
    (folder / f"{kind}_{number:03d}.pkl").write_bytes(pickle.dumps(truth))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("kind", choices=KINDS)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--count", type=int, default=2000)
    args = ask.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as pool:
        jobs = [pool.submit(shard, args.kind, number, args.folder) for number in range(-(-args.count // SHARD))]
        for job in track(jobs, "rendering"):
            job.result()


if __name__ == "__main__":
    sys.exit(main())
