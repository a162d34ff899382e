#!/usr/bin/env python3
"""Train the reader on straightened cards cut from rendered tables and write it as ONNX.

    python scripts/training/render_tables.py reader /tmp/tables
    python scripts/training/train_reader.py /tmp/tables /tmp/reader.onnx

Cards are cut out as the finder would cut them: a little off. Everything else a finder may bring is cut out too, and
labelled as no card. Only pictures rendered by this repository are used.
"""

import argparse
import pickle
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from networks import Reader, export, timed
from patch_set import exposed
from render_tables import CLUTTER
from unpack_weights import unpack

from visionset.pieces import SET_DECK, Color, Shading, Shape
from visionset.vision.engine import Network
from visionset.vision.finder import as_batch, decode
from visionset.vision.patches import SET_CARD_PATCH, Pyramid, cut_all, paper_white

SEEN, HIDDEN = 0.6, 0.42
EXPOSED = 0.5  # of the patches are seen by a camera that is set wrongly, or through haze
LABELS = np.array(
    [[c.number - 1, list(Color).index(c.color), list(Shading).index(c.shading), list(Shape).index(c.shape)] for c in SET_DECK]
)
GROUPS = ((0, 3), (3, 6), (6, 9), (9, 12))


def load(folder: Path):
    """Pictures with rows of what lies there: the outline, which card it is or `CLUTTER`, and its visible share."""
    tables = []
    for file in sorted([*folder.glob("reader_*.npy"), *folder.glob("elsewhere_*.npy")]):
        pictures = np.load(file)
        for picture, rows in zip(pictures, pickle.loads(file.with_suffix(".pkl").read_bytes()), strict=True):
            card = np.where(rows[:, 8] == CLUTTER, CLUTTER, rows[:, 9])
            tables.append((picture, np.column_stack([rows[:, :8], card, rows[:, 10]]).astype(np.float32)))
    return tables


def mine(tables, finder: Network):
    """Add to tables, as rows of index -2, the frames that the finder proposes where no card lies.

    All pictures without a card are searched, and one in four of the others.
    """
    mined = []
    for at, (picture, cards) in enumerate(tables):
        if len(cards) and (at % 4 or picture.shape[0] > 256):
            mined.append((picture, cards))
            continue
        found = decode(finder(as_batch(picture))[0], min_score=0.2)
        rows = [[*quad.ravel(), -2, 0] for quad in found.quads()[:40] if far_from(quad, cards)]
        mined.append((picture, np.concatenate([cards, np.array(rows, np.float32).reshape(-1, 10)])))
    return [(picture, cards) for picture, cards in mined if len(cards)]


def parallelogram(quad: np.ndarray) -> np.ndarray:
    """The affine frame that the finder would give for a quad."""
    center = quad.mean(axis=0)
    u = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    v = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    return np.stack([center - u - v, center - u + v, center + u + v, center + u - v])


def disturb(rng: np.random.Generator, quad: np.ndarray, strength: float) -> np.ndarray:
    center = quad.mean(axis=0)
    u = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    v = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    base = parallelogram(quad) if rng.random() < 0.6 else quad
    local = np.linalg.solve(np.stack([v, u]).T, (base - center).T).T
    local = local * np.exp(rng.normal(0, 0.08 * strength, 2))
    turn = rng.normal(0, 0.07 * strength)
    local = local + local[:, ::-1] * [-turn, turn] + rng.normal(0, 0.09 * strength, 2) + rng.normal(0, 0.04 * strength, (4, 2))
    return center + local @ np.stack([v, u])


def wrong_frame(rng: np.random.Generator, quad: np.ndarray) -> np.ndarray:
    """A frame near a card that does not hold it: shifted, turned, too large, too small."""
    center = quad.mean(axis=0)
    u = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    v = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    choice = rng.integers(4)
    if choice == 0:
        angle = rng.uniform(0, 2 * np.pi)
        step = rng.uniform(0.5, 1.3)
        center = center + 2 * step * (np.cos(angle) * u + np.sin(angle) * v)
    elif choice == 1:
        length, breadth = np.linalg.norm(u), np.linalg.norm(v)
        u, v = -v / breadth * length, u / length * breadth
    elif choice == 2:
        scale = rng.choice([rng.uniform(0.3, 0.6), rng.uniform(1.6, 2.8)])
        u, v = u * scale, v * scale
        center = center + rng.normal(0, 0.3, 2) @ np.stack([u, v])
    else:
        center = center + (rng.uniform(0.25, 0.5) * 2 * u if rng.random() < 0.5 else rng.uniform(0.3, 0.5) * 2 * v) * rng.choice([-1, 1])
    return disturb(rng, np.stack([center - u - v, center - u + v, center + u + v, center + u - v]), 1.0)


def anywhere(rng: np.random.Generator, size: int) -> np.ndarray:
    angle, length = rng.uniform(0, 2 * np.pi), size * rng.uniform(0.05, 0.35)
    u = length * np.array([np.cos(angle), np.sin(angle)])
    v = length * rng.uniform(0.3, 1.0) * np.array([-u[1], u[0]]) / length
    center = rng.uniform(0, size, 2)
    return np.stack([center - u - v, center - u + v, center + u + v, center + u - v])


def far_from(quad: np.ndarray, cards: np.ndarray) -> bool:
    center, reach = quad.mean(axis=0), np.linalg.norm(quad[2] - quad[0]) / 2
    for row in cards:
        if row[8] < 0:
            continue
        other = row[:8].reshape(4, 2)
        if (
            row[9] >= HIDDEN
            and np.linalg.norm(other.mean(axis=0) - center) < 0.35 * min(reach, np.linalg.norm(other[2] - other[0]) / 2) * 2
        ):
            return False
    return True


class Cards(torch.utils.data.Dataset):
    def __init__(self, tables, train: bool) -> None:
        self.tables, self.train = tables, train

    def __len__(self) -> int:
        return len(self.tables)

    def __getitem__(self, i: int):
        rng = np.random.default_rng() if self.train else np.random.default_rng(i)
        picture, cards = self.tables[i]
        size = picture.shape[0]
        row = cards[rng.integers(len(cards))]
        good = np.flatnonzero((cards[:, 9] >= SEEN) & (cards[:, 8] >= 0))
        pick = rng.random()
        hard = np.flatnonzero(cards[:, 8] == -2)
        label, is_card, shift = np.full(4, -1), 0.0, np.zeros(8, np.float32)
        mirror = rng.random() < 0.3
        if len(hard) and (not len(good) or rng.random() < 0.15):
            frame = disturb(rng, cards[rng.choice(hard)][:8].reshape(4, 2).astype(np.float64), 0.7)
        elif pick < 0.72 and len(good):
            row = cards[rng.choice(good)]
            quad = row[:8].reshape(4, 2).astype(np.float64)
            strength = rng.choice([0.25, 1.0, 1.0])
            frame = disturb(rng, quad, strength)
            label, is_card = LABELS[int(row[8])], 1.0
            image_from_patch = cv2.getPerspectiveTransform(SET_CARD_PATCH.quad.astype(np.float32), frame.astype(np.float32))
            true = cv2.perspectiveTransform(quad[None], np.linalg.inv(image_from_patch.astype(np.float64)))[0]
            shift = (true - SET_CARD_PATCH.quad) / SET_CARD_PATCH.shift_px
            if np.abs(shift).max() > 4:
                shift, is_card, label = np.zeros((4, 2)), -1.0, np.full(4, -1)
        elif pick < 0.84 and len(good):
            frame = wrong_frame(rng, cards[rng.choice(good)][:8].reshape(4, 2).astype(np.float64))
            if not far_from(frame, cards):
                is_card = 0.0 if np.linalg.norm(frame[2] - frame[0]) > 0 else -1.0
        elif row[8] < 0 and rng.random() < 0.8:
            quad = row[:8].reshape(4, 2).astype(np.float64)
            quad = np.roll(quad, int(rng.integers(4)), axis=0)
            frame = disturb(rng, quad, 1.0)
            if not far_from(frame, cards):
                is_card = -1.0
        elif row[8] >= 0 and row[9] < HIDDEN:
            frame = disturb(rng, row[:8].reshape(4, 2).astype(np.float64), 1.0)
        else:
            frame = anywhere(rng, size)
            if not far_from(frame, cards):
                is_card = -1.0
        if rng.random() < 0.5:
            frame, shift = np.roll(frame, 2, axis=0), np.roll(np.reshape(shift, (4, 2)), 2, axis=0) * -1.0
        patch = np.stack(cut_all(Pyramid(picture), frame[None], SET_CARD_PATCH), axis=-1)[0]
        if mirror:
            patch = patch[:, ::-1]
            shift = (np.reshape(shift, (4, 2)) * [-1, 1])[[1, 0, 3, 2]]
        patch = patch.astype(np.float32)
        if rng.random() < EXPOSED:
            patch = exposed(rng, patch[None])[0]
        patch = patch / paper_white(patch.transpose(2, 0, 1)[:, None])[0]
        if self.train and rng.random() < 0.5:
            patch = patch * np.exp(rng.normal(0, 0.05, 3)) + rng.normal(0, 0.03 * rng.random(), patch.shape)
        patch = np.ascontiguousarray(np.clip(patch, 0, 1.3).transpose(2, 0, 1), dtype=np.float32)
        return (
            torch.from_numpy(patch),
            torch.from_numpy(np.asarray(label, np.int64)),
            np.float32(is_card),
            np.reshape(shift, 8).astype(np.float32),
        )


def losses(out, label, is_card, shift):
    known = label[:, 0] >= 0
    total = out.new_zeros(())
    right = out.new_ones(int(known.sum()), dtype=torch.bool)
    for k, (start, stop) in enumerate(GROUPS):
        logits = out[known, start:stop]
        total = total + F.cross_entropy(logits, label[known, k], label_smoothing=0.01)
        right &= logits.argmax(1) == label[known, k]
    asked = is_card >= 0
    card = F.binary_cross_entropy_with_logits(out[asked, 12], is_card[asked])
    fit = F.smooth_l1_loss(out[known, 13:], shift[known], beta=0.1)
    sure = ((out[asked, 12] > 0) == (is_card[asked] > 0.5)).float().mean()
    return total, card, fit, right.float().mean(), sure


def held_out(net: Reader, test: Cards) -> list[float]:
    """Losses and right answers on tables that are not learned from."""
    net.eval()
    with torch.no_grad():
        scores = [losses(net(batch[0]), *batch[1:]) for batch in torch.utils.data.DataLoader(test, 64)]
    net.train()
    return [round(float(np.mean([float(score[k]) for score in scores])), 4) for k in range(5)]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("tables", type=Path)
    ask.add_argument("output", type=Path)
    ask.add_argument("--minutes", type=float, default=30)
    ask.add_argument("--batch", type=int, default=64)
    ask.add_argument("--rate", type=float, default=2e-3)
    ask.add_argument("--resume", type=Path, help="a state (.pt) or packed weights (.onnx.gz) to go on from")
    ask.add_argument("--finder", type=Path, help="weights whose false proposals are learned as no cards")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    tables = load(args.tables)
    if args.finder:
        tables = mine(tables, Network(args.finder.read_bytes(), threads=2))
    tables = [(picture, cards) for picture, cards in tables if len(cards)]
    print(len(tables), "tables", sum(int((cards[:, 8] == -2).sum()) for _, cards in tables), "frames mined", flush=True)
    held = min(600, len(tables) // 10)
    order = np.random.default_rng(0).permutation(len(tables))
    tables = [tables[k] for k in order]
    train, test = Cards(tables[held:], True), Cards(tables[:held], False)
    loader = torch.utils.data.DataLoader(train, args.batch, shuffle=True, drop_last=True, num_workers=1, prefetch_factor=8)
    net = Reader()
    if args.resume and args.resume.suffix == ".gz":
        unpack(net, args.resume, torch.cat([batch[0] for batch, _ in zip(loader, range(30), strict=False)]))
    elif args.resume:
        net.load_state_dict(torch.load(args.resume))
    if args.resume:
        print("held out:", held_out(net, test), flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    running = np.zeros(5)
    for step, seconds, batch in timed(loader, optimiser, args.rate, args.minutes):
        parts = losses(net(batch[0]), *batch[1:])
        optimiser.zero_grad()
        (parts[0] + parts[1] + 2 * parts[2]).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10)
        optimiser.step()
        running = 0.98 * running + 0.02 * np.array([p.item() for p in parts])
        if step % 100 == 0:
            print(
                f"{step} {seconds:.0f}s names {running[0]:.3f} card {running[1]:.3f} fit {running[2]:.4f} "
                f"right {running[3]:.4f} sure {running[4]:.4f}",
                flush=True,
            )
        if step % 1000 == 0:
            torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    print("held out:", held_out(net, test))
    args.output.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    export(net, args.output, (2, 3, SET_CARD_PATCH.height_px, SET_CARD_PATCH.width_px), {0: "count"})


if __name__ == "__main__":
    sys.exit(main())
