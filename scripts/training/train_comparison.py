#!/usr/bin/env python3
"""Teach a network to compare the SET cards of a table, and write it as ONNX.

    python scripts/training/render_tables.py compared /tmp/tables --count 9500
    python scripts/training/train_comparison.py /tmp/tables /tmp/comparison.onnx --minutes 8

Each rendered table is seen in five lights: three of five tables where all of them are too bright, the others as they are, under coloured
lamps, through haze or in the dark too. What the reader in the package says of all cards there, and `visionset.vision.inks` measures,
is what the network sees; it learns to add to the log odds of colours and shadings what makes the true ones likeliest. What it would add
to colours is written, `--share` of it: how stripes look on real decks rendered ones do not tell.
"""

import argparse
import os
import pickle
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from distil import relit
from networks import Comparison, export, timed
from render_tables import SHARD
from train_reader import LABELS

from visionset.pieces import Kind
from visionset.vision import inks, pipeline, set_cards
from visionset.vision.engine import one_thread
from visionset.vision.options import ReadOptions
from visionset.vision.patches import SET_CARD_PATCH, Pyramid, straightened

SEEN = 0.5  # visible share of a card of which the truth says something
LIES_ON = 0.25  # distance of middles, in lengths of a true card, up to which what is read is that card
UNKNOWN = -1
BRIGHT_ALONE = 3  # of five tables, those that are seen in lights alone that are too bright
DARKEST, BRIGHTEST = 0.97, 1.6  # how bright the paper would be, in units of what a picture can show
MOST_CARDS = 30
BATCH = 64
HELD_OUT = 25  # of so many tables one
COLOR, SHADING = slice(3, 6), slice(6, 9)
NOISE = 0.3  # standard deviation of evidence that is another camera's, in its own; .7 of it is added to all cards of a table alike
HIDDEN = 0.15  # how often a table shows nothing of a part of the evidence
PARTS = ((12, 15), (16, 20), (20, 33), (33, 45), (46, 61), (61, 76), (76, 91))  # columns of the evidence that belong together
PULL = 0.05  # weight of the squares of what is added


@dataclass(frozen=True)
class Lesson:
    """All cards of a table in one light."""

    table: int
    evidence: np.ndarray  # (n, 91), what the network sees
    log: np.ndarray  # (n, 12), log probabilities of number, colour, shading, shape before
    card: np.ndarray  # (n,), which card it is, or `UNKNOWN`


def brightened(rng: np.random.Generator, picture: np.ndarray, white: np.ndarray) -> np.ndarray:
    """A picture whose paper, `white` (3,) of 255, would be brighter than a picture can show, or nearly."""
    level = np.float32(white.max() if rng.random() < 0.6 else white.mean())
    if rng.random() < 0.4:
        picture = picture * np.exp(rng.normal(0, 0.05, 3)).astype(np.float32)
    if rng.random() < 0.2:
        picture, level = 255 * (picture / 255) ** np.float32(rng.uniform(0.5, 1)), 255 * (level / 255) ** np.float32(0.75)
    bright = picture * np.float32(255 * np.exp(rng.uniform(np.log(DARKEST), np.log(BRIGHTEST))) / max(level, 20))
    if rng.random() < 0.2:  # a camera that bends what is bright
        knee = np.float32(rng.uniform(200, 245))
        bright = np.where(bright > knee, knee + (255 - knee) * (1 - np.exp((knee - bright) / (255 - knee))), bright)
    return bright


def below_a_lamp(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """A picture with a lamp's glow anywhere, added or multiplied."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    broad = rng.uniform(0.15, 0.6) * width
    glow = np.exp(-2 * ((x - rng.uniform(0, width)) ** 2 + (y - rng.uniform(0, height)) ** 2) / broad**2)[..., None]
    if rng.random() < 0.5:
        return picture + glow * np.float32(rng.uniform(60, 220)) * np.exp(rng.normal(0, 0.1, 3)).astype(np.float32)
    return picture * (1 + np.float32(rng.uniform(0.3, 2)) * glow)


def taken(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """What a camera makes of that light."""
    if rng.random() < 0.3:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 0.9))
    if rng.random() < 0.3:
        picture = picture + rng.normal(0, rng.uniform(1, 5), picture.shape)
    shown = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        _, code = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 98))])
        shown = cv2.imdecode(code, cv2.IMREAD_COLOR)
    return shown


def below_a_coloured_lamp(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """A picture with less blue and green, as below a candle, or with less red and green, as at night."""
    left = np.exp(-rng.uniform(0, 1) * np.array([1.0, rng.uniform(0.1, 0.6), 0.0])).astype(np.float32)
    return picture * (left if rng.random() < 0.5 else left[::-1])


def lights(rng: np.random.Generator, number: int, picture: np.ndarray, white: np.ndarray) -> Iterator[np.ndarray]:
    """A picture, whose paper is `white` (3,), as cameras see it in five lights."""
    plain = picture.astype(np.float32)
    if number % 5 < BRIGHT_ALONE:
        for _ in range(4):
            yield taken(rng, brightened(rng, plain, white))
        yield taken(rng, below_a_lamp(rng, plain))
        return
    yield picture
    for _ in range(2):
        lit = below_a_coloured_lamp(rng, plain) if rng.random() < 0.4 else plain
        yield relit(rng, lit.astype(np.uint8), white)
        yield taken(rng, brightened(rng, plain, white) if rng.random() < 0.8 else below_a_lamp(rng, plain))


def compared(picture: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Where the SET cards lie that could be compared when a picture is read, what of them is evidence, and their attributes before."""
    found, reader = [], set_cards.SetCardReader

    def spy(self, readings, inked):
        if len(readings):
            cards, read = self.beside_each_other(readings, inked)
            log = np.concatenate([cards.said.log[:, : COLOR.start], cards.color_log, cards.said.log[:, SHADING.start :]], axis=1)
            found.append((readings.quad_px, inks.evidence(cards, read), log))
        return inked

    compare, reader.compare = reader.compare, spy
    try:
        with one_thread():
            pipeline.read(picture, ReadOptions(kinds=frozenset({Kind.SET_CARD})))
    finally:
        reader.compare = compare
    return found[-1:]


def lessons(number: int, picture: np.ndarray, rows: np.ndarray) -> list[Lesson]:
    """A table in several lights, given rows of truth."""
    cv2.setNumThreads(1)
    rows = rows[(rows[:, 8] == 0) & (rows[:, 10] >= SEEN)]
    if not len(rows):
        return []
    rng, quads, found = np.random.default_rng([17, number]), rows[:, :8].reshape(-1, 4, 2).astype(np.float64), []
    white = np.median(straightened(Pyramid(picture), quads, SET_CARD_PATCH)[1], axis=0)
    for shown in lights(rng, number, picture, white):
        for quad_px, evidence, log in compared(shown):
            off = np.linalg.norm(quad_px.mean(axis=1)[:, None] - quads.mean(axis=1)[None], axis=2)
            near = off.argmin(axis=1)
            is_one = off.min(axis=1) < LIES_ON * np.ptp(quads, axis=1).max(axis=1)[near]
            card = np.where(is_one, rows[near, 9].astype(int), UNKNOWN)
            if is_one.any():
                found.append(Lesson(number, evidence, log, card))
    return found


def gathered(folder: Path, jobs: int) -> list[Lesson]:
    """All tables of a folder in their lights, read by all cores."""
    found = []
    with get_context("fork").Pool(jobs) as pool:
        for at, file in enumerate(sorted(folder.glob("compared_*.npy"))):
            pictures, truth = np.load(file, mmap_mode="r"), pickle.loads(file.with_suffix(".pkl").read_bytes())
            first = int(file.stem.rsplit("_", 1)[1]) * SHARD
            tables = [
                (first + place, np.ascontiguousarray(picture), rows)
                for place, (picture, rows) in enumerate(zip(pictures, truth, strict=True))
            ]
            found += [lesson for several in pool.starmap(lessons, tables, chunksize=8) for lesson in several]
            print(at + 1, "shards", len(found), "lessons", flush=True)
    return found


def batched(rng: np.random.Generator | None, chosen: list[Lesson]) -> tuple[torch.Tensor, ...]:
    """Evidence, which rows are cards, log probabilities before, which card each is, which are known; with a generator, of some cards."""
    parts = []
    for lesson in chosen:
        which = np.arange(len(lesson.card))
        if rng is not None and rng.random() < 0.4:
            which = rng.permutation(len(which))[: max(1, int(np.exp(rng.uniform(0, np.log(len(which) + 0.99)))))]
        if rng is not None and len(which) > MOST_CARDS:
            which = rng.permutation(which)[:MOST_CARDS]
        parts.append((lesson.evidence[which], lesson.log[which], lesson.card[which]))
    most = max(len(part[0]) for part in parts)
    padded = [
        np.stack([np.pad(one, [(0, most - len(one)), *[(0, 0)] * (one.ndim - 1)]) for one in column]) for column in zip(*parts, strict=True)
    ]
    is_card = np.array([[at < len(part[0]) for at in range(most)] for part in parts])
    evidence, log, card = padded
    counts = is_card & (card != UNKNOWN)
    as_tensors = (evidence.astype(np.float32), is_card, log.astype(np.float32), card, counts)
    return tuple(torch.from_numpy(np.ascontiguousarray(one)) for one in as_tensors)


def elsewhere(net: Comparison, evidence: torch.Tensor) -> torch.Tensor:
    """Evidence as it may be on other tables than rendered ones, so that little is believed of what only these show so exactly."""
    usual = (evidence - net.mean) / net.spread
    tables, _, columns = usual.shape
    usual = usual + NOISE * (torch.randn_like(usual) + 0.7 * torch.randn(tables, 1, columns))
    for start, stop in PARTS:
        usual[:, :, start:stop] *= torch.rand(tables, 1, 1) >= HIDDEN
    return usual * net.spread + net.mean


def told(net: Comparison, batch: tuple[torch.Tensor, ...], vary: bool) -> tuple[torch.Tensor, ...]:
    """Log probabilities of m colours and shadings after the comparison, the true ones, and the mean square of what was added."""
    evidence, is_card, log, card, counts = batch
    change = net(elsewhere(net, evidence) if vary else evidence, is_card)[counts]
    log = log[counts]
    color = torch.log_softmax(log[:, COLOR] + change[:, :3], 1)
    shading = torch.log_softmax(log[:, SHADING] + change[:, 3:], 1)
    return color, shading, torch.from_numpy(LABELS)[card[counts]], (change**2).mean()[None]


def held_out(net: Comparison, test: list[Lesson]) -> list[float]:
    """Loss, and the shares of colours and of shadings that are told wrongly."""
    net.eval()
    with torch.no_grad():
        parts = [told(net, batched(None, test[at : at + BATCH]), False) for at in range(0, len(test), BATCH)]
    net.train()
    color, shading, true, _ = (torch.cat(column) for column in zip(*parts, strict=True))
    loss = F.nll_loss(color, true[:, 1]) + F.nll_loss(shading, true[:, 2])
    wrong = [(log.argmax(1) != true[:, at]).float().mean() for log, at in ((color, 1), (shading, 2))]
    return [round(float(one), 4) for one in (loss, *wrong)]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("tables", type=Path, help="folder of shards")
    ask.add_argument("output", type=Path, help="the network; its state is written beside it (.pt)")
    ask.add_argument("--minutes", type=float, default=8, help="so long it learns, after all tables have been read")
    ask.add_argument("--rate", type=float, default=2e-3, help="of learning, at most")
    ask.add_argument(
        "--share", type=float, default=0.7, help="of what it would add, that it adds: real decks differ less than rendered ones"
    )
    ask.add_argument("--resume", type=Path, help="a state (.pt) to go on from")
    ask.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes that read tables")
    args = ask.parse_args()
    if not any(args.tables.glob("compared_*.npy")):
        ask.error(f"{args.tables}: expected shards of rendered tables, got none; make some with render_tables.py compared")
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    known = gathered(args.tables, args.jobs)
    test = [lesson for lesson in known if lesson.table % HELD_OUT == 0]
    train = [lesson for lesson in known if lesson.table % HELD_OUT]
    print(len(train), "lessons,", len(test), "held out", flush=True)
    net = Comparison(train[0].evidence.shape[1])
    net.measure(torch.from_numpy(np.concatenate([lesson.evidence for lesson in train])))
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    print("held out:", held_out(net, test), flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.05)
    batches = iter(partial(lambda: batched(rng, [train[at] for at in rng.integers(len(train), size=BATCH)])), None)
    running = 0.0
    for step, seconds, batch in timed(batches, optimiser, args.rate, args.minutes):
        color, shading, true, added = told(net, batch, True)
        loss = F.nll_loss(color, true[:, 1]) + F.nll_loss(shading, true[:, 2]) + PULL * added.squeeze()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1)
        optimiser.step()
        running += (loss.item() - running) / min(step, 100)
        if step % 500 == 0:
            print(f"{step} {seconds:.0f}s {running:.4f}", "held out:", held_out(net, test), flush=True)
            torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    print("held out:", held_out(net, test), flush=True)
    torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    colors = torch.nn.Linear(net.leave[1].in_features, 3)
    with torch.no_grad():
        colors.weight.copy_(args.share * net.leave[1].weight[:3])
        colors.bias.copy_(args.share * net.leave[1].bias[:3])
    net.leave[1] = colors
    export(net, args.output, (1, 12, train[0].evidence.shape[1]), {1: "cards"})


if __name__ == "__main__":
    sys.exit(main())
