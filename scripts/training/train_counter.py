#!/usr/bin/env python3
"""Teach a small network to count the symbols of a SET card by its ink alone, and write it as ONNX.

    python scripts/training/render_tables.py reader /tmp/tables --count 1000
    python scripts/training/render_tables.py compared /tmp/tables --count 1000
    python scripts/training/train_counter.py /tmp/tables /tmp/counter.onnx --minutes 6

It sees how dark each place of a card is, relative to the darkest, and neither colour nor paper: what is left is how many shapes
lie one above the other, which rendered cards show as real ones do. Cards are cut a little beside where they lie, in another exposure,
blurred or noisy.
"""

import argparse
import os
import pickle
import sys
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from distil import jittered, relit
from networks import Counter, export, timed
from piece_tasks import SET
from train_reader import LABELS

from visionset.vision.inks import ink_map, optical_density
from visionset.vision.patches import SET_CARD_PATCH, Pyramid, padded, straightened
from visionset.vision.set_cards import unburnt

SEEN = 0.9  # visible share of a card whose symbols can be counted
BESIDE = (0.005, 0.06)  # how far beside a card it is cut, as a share of its size
VIEWS = 3  # of each table
LOST = 0.2  # share of lessons in which faint ink is lost
SMALLER = (np.log(0.5), np.log(1.1))  # how large symbols are, and how far apart, of what they were
BATCH = 256
HELD_OUT = 20  # of so many tables one


def lessons(table: tuple[int, np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Ink of the cards of one table, shape (n, 34, 22), and how many symbols less one each bears."""
    cv2.setNumThreads(1)
    number, picture, rows = table
    rng = np.random.default_rng(number)
    rows = rows[(rows[:, 8] == SET) & (rows[:, 10] >= SEEN)]
    inks, counts = [np.empty((0, 34, 22), np.float16)], [np.empty(0, np.int64)]
    for _ in range(VIEWS if len(rows) else 0):
        quads = jittered(rng, rows[:, :8].reshape(-1, 4, 2).astype(np.float64), float(rng.uniform(*BESIDE)))
        quads = quads[:, [2, 3, 0, 1]] if rng.random() < 0.5 else quads
        shown = picture
        if rng.random() < 0.6:
            shown = relit(rng, picture, straightened(Pyramid(padded(picture)), quads, SET_CARD_PATCH)[1][0])
        if rng.random() < 0.3:
            shown = cv2.GaussianBlur(shown, (0, 0), float(rng.uniform(0.5, 1.5)))
        cards = unburnt(*straightened(Pyramid(padded(shown)), quads, SET_CARD_PATCH))
        inks.append(ink_map(optical_density(cards))[:, 0].astype(np.float16))
        counts.append(LABELS[rows[:, 9].astype(int), 0])
    return np.concatenate(inks), np.concatenate(counts)


def gathered(folder: Path, jobs: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Lessons of all tables of a folder, read by all cores."""
    found = []
    with get_context("fork").Pool(jobs) as pool:
        for file in sorted([*folder.glob("compared_*.npy"), *folder.glob("reader_*.npy")]):
            pictures, truth = np.load(file, mmap_mode="r"), pickle.loads(file.with_suffix(".pkl").read_bytes())
            tables = [
                (len(found) + at, np.ascontiguousarray(one), rows) for at, (one, rows) in enumerate(zip(pictures, truth, strict=True))
            ]
            found += pool.map(lessons, tables, chunksize=8)
            print(file.stem, sum(len(counts) for _, counts in found), "frames", flush=True)
    return found


def varied(rng: np.random.Generator, ink: np.ndarray) -> np.ndarray:
    """Ink of n cards as other prints have it: symbols half as large or as they are, mirrored, the faint fainter or fuller, noisy."""
    stretch = np.exp(rng.uniform(*SMALLER, 2) if rng.random() < 0.6 else rng.normal(0, 0.08, 2))
    power = float(np.exp(rng.normal(0, 0.4)))
    height, width = ink.shape[1:]
    taken = np.array([[stretch[0], 0, (1 - stretch[0]) * (width - 1) / 2], [0, stretch[1], (1 - stretch[1]) * (height - 1) / 2]])
    seen = np.stack([cv2.warpAffine(one, taken, (width, height), flags=cv2.INTER_LINEAR) for one in ink])
    seen = np.clip(seen, 0, None) ** np.float32(power)
    if rng.random() < LOST:  # the faintest ink is paper where a picture is too bright
        least = rng.uniform(0, 0.6)
        seen = np.clip(seen - least, 0, None) / (1 - least)
    seen = seen + rng.normal(0, rng.uniform(0, 0.12), seen.shape)
    return seen[:, :, ::-1] if rng.random() < 0.5 else seen


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("tables", type=Path, help="folder of shards")
    ask.add_argument("output", type=Path, help="the network; its state is written beside it (.pt)")
    ask.add_argument("--minutes", type=float, default=6, help="so long it learns, after all tables have been read")
    ask.add_argument("--rate", type=float, default=3e-3, help="of learning, at most")
    ask.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes that read tables")
    args = ask.parse_args()
    if not any(args.tables.glob("compared_*.npy")):
        ask.error(f"{args.tables}: expected shards of rendered tables, got none; make some with render_tables.py compared")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    known = gathered(args.tables, args.jobs)
    test, train = known[::HELD_OUT], [one for at, one in enumerate(known) if at % HELD_OUT]
    ink, count = (np.concatenate(part) for part in zip(*train, strict=True))
    tested = [
        torch.from_numpy(np.concatenate(part).astype(kind))
        for part, kind in zip(zip(*test, strict=True), (np.float32, np.int64), strict=True)
    ]
    net = Counter()

    def held_out() -> list[float]:
        net.eval()
        with torch.no_grad():
            out = net(tested[0][:, None])
        net.train()
        return [round(float(one), 4) for one in (F.cross_entropy(out, tested[1]), (out.argmax(1) != tested[1]).float().mean())]

    def batch() -> tuple[torch.Tensor, torch.Tensor]:
        which = rng.integers(len(count), size=BATCH)
        seen = np.concatenate([varied(rng, ink[some].astype(np.float32)) for some in np.split(which, 8)])
        return torch.from_numpy(np.ascontiguousarray(seen, np.float32))[:, None], torch.from_numpy(count[which])

    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    for step, seconds, (seen, true) in timed(iter(partial(batch), None), optimiser, args.rate, args.minutes):
        loss = F.cross_entropy(net(seen), true, label_smoothing=0.01)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 1000 == 0:
            print(f"{step} {seconds:.0f}s {loss.item():.4f}", "held out:", held_out(), flush=True)
            torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    print("held out:", held_out(), flush=True)
    torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    export(net, args.output, (2, 1, 34, 22), {0: "cards"})


if __name__ == "__main__":
    sys.exit(main())
