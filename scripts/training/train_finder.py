#!/usr/bin/env python3
"""Train the finder on rendered tables and write it as ONNX.

    python scripts/training/render_tables.py finder /tmp/tables
    python scripts/training/train_finder.py /tmp/tables /tmp/finder.onnx

Only pictures rendered by this repository are used. Two cores take about an hour, a GPU and the cores that feed it minutes.
"""

import argparse
import pickle
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from networks import STRIDE, Finder, device, export, timed
from unpack_weights import unpack

UNIT_PX = 8.0
SIDE_PX = 256  # of the pictures that it learns from
SET, PLAYING, BACK, DIE, INDEX, PARTIAL = range(6)
WHAT = {0: SET, 1: PLAYING, 2: BACK, 3: DIE, 4: DIE, 5: INDEX}
# per class: share that must be seen to be asked for, below which it counts as absent; smallest and largest long half
# axis, smallest breadth across, in pixels. What is between is neither asked for nor punished.
ASKED = {
    SET: (0.62, 0.25, 9, 95, 3.2),
    PLAYING: (0.62, 0.25, 9, 95, 3.2),
    BACK: (0.62, 0.25, 9, 95, 3.2),
    DIE: (0.6, 0.3, 5.0, 50, 3.0),
    INDEX: (0.92, 0.5, 6.0, 34, 2.4),
}
HEATS = len(Finder.HEATS)
FIT = 0.5  # weight of the axes against the centres, which are harder
VAGUE = 0.15  # weight of partly hidden cards: where the middle of a strip lies is a matter of taste


def load(folder: Path):
    """Tables of `SIDE_PX`; those that are larger twice, whole and in part, shrunk to it: their pieces are the large ones."""
    pictures, truth = [], []
    for number, file in enumerate(sorted(folder.glob("*.npy"))):
        if file.stem.startswith("reader"):
            continue
        tables, rows = np.load(file, mmap_mode="r"), pickle.loads(file.with_suffix(".pkl").read_bytes())
        whole = tables.shape[1]
        if whole == SIDE_PX:
            pictures.append(np.asarray(tables))
            truth += rows
            continue
        rng = np.random.default_rng(number)
        for least in (whole, SIDE_PX):
            pairs = [shrunk(rng, table, own, least) for table, own in zip(tables, rows, strict=True)]
            pictures.append(np.stack([table for table, _ in pairs]))
            truth += [own for _, own in pairs]
    return np.concatenate(pictures), truth


def shrunk(rng: np.random.Generator, table: np.ndarray, rows: np.ndarray, least_px: int):
    """A square part of a table with its truth, `least_px` or more across, at `SIDE_PX`."""
    side = int(rng.integers(least_px, table.shape[0] + 1))
    corner = rng.integers(0, table.shape[0] - side + 1, 2)
    part = np.ascontiguousarray(table[corner[1] : corner[1] + side, corner[0] : corner[0] + side])
    rows = rows.copy()
    points = rows[:, [0, 1, 2, 3, 4, 5, 6, 7, 11, 12]].reshape(-1, 5, 2)
    points = (points - corner + 0.5) * (SIDE_PX / side) - 0.5
    rows[:, :8], rows[:, 11:13] = points[:, :4].reshape(-1, 8), points[:, 4]
    frame = np.array([[0, 0], [SIDE_PX - 1, 0], [SIDE_PX - 1, SIDE_PX - 1], [0, SIDE_PX - 1]], np.float32)
    for row in rows if side < table.shape[0] else ():
        quad = row[:8].reshape(4, 2)
        inside, _ = cv2.intersectConvexConvex(quad, frame)
        row[10] *= inside / max(cv2.contourArea(quad), 1e-6)
    return cv2.resize(part, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), rows


def die_axes(u: complex, v: complex) -> list[float]:
    """Form of a parallelogram's half axes that knows neither their order nor their signs."""
    size = abs(u * v) ** 0.5
    p, q = (u * u + v * v) / size, (u * v) ** 2 / size**3
    return [p.real, p.imag, q.real, q.imag]


def targets(rows: np.ndarray, size: int):
    """Heats, their weights, regression and its masks (centre, card axes, die axes) for one picture."""
    cells = size // STRIDE
    heat = np.zeros((HEATS, cells, cells), np.float32)
    weight = np.ones((HEATS, cells, cells), np.float32)
    value = np.zeros((12, cells, cells), np.float32)
    mask = np.zeros((3, cells, cells), np.float32)
    ys, xs = np.mgrid[0:cells, 0:cells].astype(np.float32)
    near = np.full((cells, cells), np.inf, np.float32)
    for row in rows:
        quad, visible = row[:8].reshape(4, 2), row[10]
        if row[8] < 0:  # something else, or a rough drawing of another piece: only SET cards are surely not there
            area = np.zeros((cells, cells), np.uint8)
            cv2.fillPoly(area, [np.round(quad / STRIDE).astype(np.int32)], 1)
            weight[1:, area > 0] = 0
            continue
        kind = WHAT[int(row[8])]
        # where the diagonals cross is the true centre under perspective
        p, r = quad[0], quad[2] - quad[0]
        q, s = quad[1], quad[3] - quad[1]
        cross = r[0] * s[1] - r[1] * s[0]
        if abs(cross) < 1e-3:
            continue
        t = ((q[0] - p[0]) * s[1] - (q[1] - p[1]) * s[0]) / cross
        center = (p + t * r) / STRIDE
        long_axis = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
        short_axis = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
        if kind == INDEX and np.linalg.norm(long_axis) < np.linalg.norm(short_axis):
            long_axis, short_axis = short_axis, long_axis
        length, breadth = np.linalg.norm(long_axis), np.linalg.norm(short_axis)
        longest = max(length, breadth)
        thin = min(length, breadth, abs(cross) / 4 / longest)
        seen, hidden, smallest, largest, thinnest = ASKED[kind]
        fits = smallest <= longest <= largest and thin >= thinnest
        if kind == PLAYING and 0.04 < visible < seen:
            at = row[11:13] / STRIDE
            d2 = (xs - at[0]) ** 2 + (ys - at[1]) ** 2
            if fits:
                heat[PARTIAL] = np.maximum(heat[PARTIAL], np.exp(-d2 / (2 * max(0.65, 0.1 * thin / STRIDE) ** 2)))
                cx, cy = round(float(at[0])), round(float(at[1]))
                if 0 <= cx < cells and 0 <= cy < cells:
                    heat[PARTIAL, cy, cx] = 1.0
            else:
                weight[PARTIAL, d2 < (0.8 * longest / STRIDE) ** 2] = 0
        dx, dy = xs - center[0], ys - center[1]
        d2 = dx * dx + dy * dy
        if visible < hidden or not (-1 < center[0] < cells and -1 < center[1] < cells):
            continue
        if visible < seen or not fits:
            weight[kind, d2 < (0.8 * longest / STRIDE) ** 2] = 0
            continue
        sigma = max(0.65, 0.16 * thin / STRIDE)
        heat[kind] = np.maximum(heat[kind], np.exp(-d2 / (2 * sigma * sigma)))
        cx, cy = round(float(center[0])), round(float(center[1]))
        if not (0 <= cx < cells and 0 <= cy < cells):
            continue
        heat[kind, cy, cx] = 1.0
        close = (np.abs(dx) < 1.6) & (np.abs(dy) < 1.6) & (d2 < near)
        near[close] = d2[close]
        mask[0][close], mask[1][close], mask[2][close] = 1.0, kind != DIE, kind == DIE
        value[0][close], value[1][close] = -dx[close], -dy[close]
        if kind == DIE:
            form = die_axes(complex(*long_axis), complex(*short_axis))
            for k in range(4):
                value[8 + k][close] = form[k] / UNIT_PX
            continue
        for at, axis, size_px in ((2, long_axis, length), (5, short_axis, breadth)):
            for k, product in enumerate((axis[0] * axis[0], axis[0] * axis[1], axis[1] * axis[1])):
                value[at + k][close] = product / size_px / UNIT_PX
    return heat, weight, value, mask


def jitter(rng: np.random.Generator, picture: np.ndarray, rows: np.ndarray):
    """Turn, mirror and tint one stored picture with its truth."""
    size = picture.shape[0]
    rows = rows.copy()
    points = np.concatenate([rows[:, :8], rows[:, 11:13]], axis=1).reshape(-1, 5, 2)
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
        points[..., 0] = size - 1 - points[..., 0]
    for _ in range(int(rng.integers(4))):
        picture = np.rot90(picture)
        points = np.stack([points[..., 1], size - 1 - points[..., 0]], axis=-1)
    rows[:, :8], rows[:, 11:13] = points[:, :4].reshape(-1, 8), points[:, 4]
    tint = np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * np.float32(np.exp(rng.normal(0, 0.15)))
    picture = picture.astype(np.float32) / 255 * tint + np.float32(rng.normal(0, 0.03))
    if rng.random() < 0.2:
        picture = picture + rng.normal(0, 0.03 * rng.random(), picture.shape).astype(np.float32)
    return np.clip(picture, 0, 1), rows


class Tables(torch.utils.data.Dataset):
    def __init__(self, pictures, truth, train: bool) -> None:
        cv2.setNumThreads(1)
        self.pictures, self.truth, self.train = pictures, truth, train

    def __len__(self) -> int:
        return len(self.truth)

    def __getitem__(self, i: int):
        picture, cards = self.pictures[i], self.truth[i]
        if self.train:
            picture, cards = jitter(np.random.default_rng(), picture, cards)
        else:
            picture = picture.astype(np.float32) / 255
        return torch.from_numpy(np.ascontiguousarray(picture.transpose(2, 0, 1))), *map(torch.from_numpy, targets(cards, picture.shape[1]))


def losses(out, heat, weight, value, mask):
    p = torch.sigmoid(out[:, :HEATS]).clamp(1e-5, 1 - 1e-5)
    hit = (heat >= 0.999).float()
    count = hit.sum().clamp(min=1)
    focal = -(hit * (1 - p) ** 2 * p.log() + (1 - hit) * (1 - heat) ** 4 * p**2 * (1 - p).log())
    focal[:, PARTIAL] *= VAGUE
    focal = (focal * weight).sum() / count
    off = F.smooth_l1_loss(out[:, HEATS:], value, beta=0.1, reduction="none")
    fit = sum(
        (off[:, first:last].sum(1) * mask[:, k]).sum() / mask[:, k].sum().clamp(min=1)
        for k, (first, last) in enumerate(((0, 2), (2, 8), (8, 12)))
    )
    return focal, fit


def held_out(net: Finder, test: Tables) -> list[float]:
    """Losses on tables that are not learned from."""
    net.eval()
    with torch.no_grad():
        batches = ([part.to(device()) for part in batch] for batch in torch.utils.data.DataLoader(test, 16))
        scores = [losses(net(batch[0]), *batch[1:]) for batch in batches]
    net.train()
    return [round(float(np.mean([float(score[k]) for score in scores])), 3) for k in (0, 1)]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("tables", type=Path)
    ask.add_argument("output", type=Path)
    ask.add_argument("--minutes", type=float, default=50)
    ask.add_argument("--batch", type=int, default=16)
    ask.add_argument("--resume", type=Path, help="a state (.pt) or packed weights (.onnx.gz) to go on from")
    ask.add_argument("--rate", type=float, default=1e-3)
    ask.add_argument("--threads", type=int, default=2, help="that learn, where no GPU does")
    ask.add_argument("--jobs", type=int, default=1, help="processes that turn and tint pictures")
    args = ask.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    pictures, truth = load(args.tables)
    order = np.random.default_rng(0).permutation(len(truth))
    pictures, truth = pictures[order], [truth[at] for at in order]
    held = min(300, len(truth) // 20)
    train = Tables(pictures[held:], truth[held:], True)
    test = Tables(pictures[:held], truth[:held], False)
    loader = torch.utils.data.DataLoader(
        train, args.batch, shuffle=True, drop_last=True, num_workers=args.jobs, prefetch_factor=4, persistent_workers=True
    )
    net = Finder()
    if args.resume and args.resume.suffix == ".gz":
        unpack(net, args.resume, torch.cat([batch[0] for batch, _ in zip(loader, range(25), strict=False)]))
    elif args.resume:
        net.load_state_dict(torch.load(args.resume))
    net = net.to(device(), memory_format=torch.channels_last)
    if args.resume:
        print("held out: focal, fit", held_out(net, test), flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-4)
    running = np.zeros(2)
    for step, seconds, batch in timed(loader, optimiser, args.rate, args.minutes):
        batch = [part.to(device()) for part in batch]
        out = net(batch[0].to(memory_format=torch.channels_last))
        focal, fit = losses(out, *batch[1:])
        optimiser.zero_grad()
        (focal + FIT * fit).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10)
        optimiser.step()
        running = 0.98 * running + 0.02 * np.array([focal.item(), fit.item()])
        if step % 100 == 0:
            print(f"{step} {seconds:.0f}s focal {running[0]:.3f} fit {running[1]:.3f}", flush=True)
        if step % 1000 == 0:
            torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    print("held out: focal, fit", held_out(net, test))
    args.output.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    export(net, args.output, (1, 3, 288, 512), {2: "height", 3: "width"})


if __name__ == "__main__":
    sys.exit(main())
