#!/usr/bin/env python3
"""Train one of the readers of playing cards, corner indices and dice, and write it as ONNX.

    python scripts/training/train_pieces.py card /tmp/tables /tmp/card.onnx
    python scripts/training/train_pieces.py index /tmp/tables /tmp/index.onnx
    python scripts/training/train_pieces.py die /tmp/tables /tmp/die.onnx

Pieces are cut out as the finder would cut them: a little off. Everything else a finder may bring is cut out too, and
labelled as nothing. Only pictures rendered by this repository are used. All patches are cut before the training begins:
cutting one takes longer than learning from it, and each is worth several looks.
"""

import argparse
import os
import pickle
import sys
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from networks import PieceReader, device, export, timed
from patch_set import Batches, Patches
from piece_tasks import TASKS, UNKNOWN, Task
from render_tables import CLUTTER, MINED
from train_reader import anywhere, disturb, wrong_frame
from unpack_weights import unpack

from visionset.vision.engine import Network
from visionset.vision.finder import as_batch, decode
from visionset.vision.patches import Pyramid, cut_all, paper_white

MINED_SHARE = 0.25  # of the frames cut from a picture that has some
FURTHEST = 0.35  # a corner further off, as a share of the patch's height, is not asked for
NAMED = 0.25  # a frame whose corner is further off, as a share of the diagonal, is not asked for its name; from 0.3 on it is nothing
SIDES_PX = (160, 256, 384)  # a die is looked for at several sizes
SEEDS_APART = 10**4  # more than chunks are cut with one seed
CHUNK = 500  # patches cut at a time
STRENGTHS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0)  # how far off frames are: the finder errs by a third of a die at worst
CLOSE = 2  # pictures of large pieces count so often: they are fewer, and phones see most pieces large
UPRIGHT = 0.95  # of the dice's frames begin at their uppermost side, the others at any


_tables: list = []  # what the processes that mine and cut inherit


def load(folder: Path, task: Task) -> list[tuple[np.ndarray, np.ndarray]]:
    tables = []
    for file in sorted(folder.glob("*.npy")):
        if not file.stem.startswith(task.files):
            continue
        pictures = np.load(file, mmap_mode="r")
        for picture, rows in zip(pictures, pickle.loads(file.with_suffix(".pkl").read_bytes()), strict=True):
            if good(task, rows).any() or (np.random.default_rng(len(tables)).random() < 0.7):
                tables += [(picture, rows)] * (CLOSE if "close" in file.stem else 1)
    return tables


def sides_px(rows: np.ndarray) -> np.ndarray:
    quads = rows[:, :8].reshape(-1, 4, 2)
    return np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).max(axis=1)


def good(task: Task, rows: np.ndarray) -> np.ndarray:
    return np.isin(rows[:, 8], task.what) & (rows[:, 10] >= task.seen) & (sides_px(rows) >= task.smallest_px)


def clear(task: Task, quad: np.ndarray, rows: np.ndarray) -> bool:
    """No piece of the task, seen or half seen, has its centre near the quad's and about its size, nor does a rough drawing lie there."""
    middle = tuple(map(float, quad.mean(axis=0)))
    if any(cv2.pointPolygonTest(row[:8].reshape(4, 2).astype(np.float32), middle, False) >= 0 for row in rows[rows[:, 8] == CLUTTER]):
        return False
    near = rows[np.isin(rows[:, 8], task.what) & (rows[:, 10] >= task.hidden)]
    if not len(near):
        return True
    reach = np.linalg.norm(quad[2] - quad[0])
    diagonals = np.linalg.norm(near[:, 4:6] - near[:, 0:2], axis=1)
    away = np.linalg.norm(near[:, :8].reshape(-1, 4, 2).mean(axis=1) - quad.mean(axis=0), axis=1)
    size = reach / diagonals
    return bool(np.all((away > 0.3 * np.minimum(reach, diagonals)) | (size < 0.5) | (size > 2.2)))


def side_face(rng: np.random.Generator, quad: np.ndarray) -> np.ndarray:
    """About where a side face of the die with this top face is seen; pictures are rendered upright, so it lies below."""
    u = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    v = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    long, axes = np.linalg.eigh(np.outer(u, u) + np.outer(v, v))
    down = 2 * np.sqrt(max(long[1] - long[0], 0.02 * long[1])) * axes[:, 0] * np.sign(axes[1, 0] or 1.0)
    edges = [(quad[(k + 1) % 4], quad[k]) for k in range(4)]
    near = sorted(edges, key=lambda edge: -(edge[0] + edge[1]) @ down)[: 2 if rng.random() < 0.5 else 1]
    left, right = near[-1]
    return np.array([left, right, right + down, left + down])


def beside(rng: np.random.Generator, quad: np.ndarray) -> np.ndarray:
    """A side face, a frame like the top one where a side face is seen, or the next square of the grid that the die lies in."""
    side, pick = side_face(rng, quad), rng.random()
    if pick < 0.5:
        return disturb(rng, side, 0.7)
    if pick < 0.8:
        return disturb(rng, quad + (side - quad).mean(axis=0), 0.7)
    at = int(rng.integers(4))
    return disturb(rng, quad + quad[(at + 1) % 4] - quad[at], 0.7)


def proposed(picture: np.ndarray, side_px: int, finder: Network) -> np.ndarray:
    """What the finder brings from a picture seen at a size."""
    scale = side_px / picture.shape[0]
    seen = cv2.resize(np.ascontiguousarray(picture), (side_px, side_px), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    return (decode(finder(as_batch(seen))[0], 0.2).quads()[:30] + 0.5) / scale - 0.5


def _mined(job: tuple[str, str, int, int]):
    name, path, first, last = job
    cv2.setNumThreads(1)
    task, finder = TASKS[name], Network(Path(path).read_bytes())
    done = []
    for at in range(first, last):
        picture, rows = _tables[at]
        if len(rows) and at % 3:
            done.append(rows)
            continue
        quads = np.concatenate([proposed(picture, side, finder) for side in (SIDES_PX if task.turns == 4 else (256,))])
        extra = [[*quad.ravel(), MINED, 0, 0, 0, 0] for quad in quads if clear(task, quad, rows)]
        done.append(np.concatenate([rows, np.array(extra, np.float32).reshape(-1, 13)]))
    return done


def mine(name: str, finder: Path, processes: int) -> None:
    """Add the frames that the finder proposes where no piece lies, as rows of kind `MINED`."""
    step = 200
    jobs = [(name, str(finder), at, min(at + step, len(_tables))) for at in range(0, len(_tables), step)]
    with get_context("fork").Pool(processes) as pool:
        rows = [one for part in pool.imap(_mined, jobs) for one in part]
    _tables[:] = [(picture, more) for (picture, _), more in zip(_tables, rows, strict=True)]


def one(rng: np.random.Generator, picture: np.ndarray, rows: np.ndarray, task: Task):
    """A patch, uint8, with its labels, whether its corrections are asked for, and these."""
    quads = rows[:, :8].reshape(-1, 4, 2).astype(np.float64)
    nothing, unknown = [0] + [UNKNOWN] * (len(task.groups) - 1), [UNKNOWN] * len(task.groups)
    labels, shift, asked = nothing, np.zeros((4, 2)), False
    mine_here = np.flatnonzero(rows[:, 8] == MINED)
    fit = np.flatnonzero(good(task, rows))
    pick = rng.random()
    if len(mine_here) and (not len(fit) or rng.random() < MINED_SHARE):
        frame = disturb(rng, quads[rng.choice(mine_here)], 0.7)
    elif pick < 0.72 and len(fit):
        at = rng.choice(fit)
        frame = disturb(rng, quads[at], float(rng.choice(STRENGTHS)))
        patch_from_image = cv2.getPerspectiveTransform(frame.astype(np.float32), task.patch.quad.astype(np.float32))
        shift_px = cv2.perspectiveTransform(quads[at][None], patch_from_image.astype(np.float64))[0] - task.patch.quad
        furthest = np.abs(shift_px).max()
        asked = bool(furthest < FURTHEST * task.patch.height_px)
        diagonal = np.linalg.norm(task.patch.quad[2] - task.patch.quad[0])
        labels = task.labels(int(rows[at, 8]), int(rows[at, 9])) if furthest < NAMED * diagonal else unknown
        shift = shift_px / task.patch.shift_px
    elif pick < 0.88 and len(fit):
        quad = quads[rng.choice(fit)]
        frame = beside(rng, quad) if task.turns == 4 and rng.random() < 0.8 else wrong_frame(rng, quad)
    elif pick < 0.95 and len(rows):  # something of another kind
        at = rng.integers(len(rows))
        frame = disturb(rng, np.roll(quads[at], int(rng.integers(4)), axis=0), 1.0)
        if rows[at, 8] == CLUTTER:  # may be a rough drawing of what is asked for
            labels = unknown
    else:
        frame = anywhere(rng, picture.shape[0])
    if labels[0] == 0 and not clear(task, frame, rows):
        labels = unknown
    turn = int(rng.integers(task.turns)) * (4 // task.turns)
    if task.turns == 4 and rng.random() < UPRIGHT:  # as the reader cuts them
        turn = int((frame[:, 1] + np.roll(frame[:, 1], -1)).argmin())
    angle = np.array([[0, 1], [-1, 0]])
    for _ in range(turn):  # the piece's own top left is another corner now
        frame = np.roll(frame, -1, axis=0)
        shift = np.roll(shift, -1, axis=0)
        if task.turns == 4:
            shift = shift @ angle.T
    if task.turns == 2 and turn:
        shift = -shift
    patch = np.stack(cut_all(Pyramid(np.asarray(picture)), frame[None], task.patch), axis=-1)[0]
    return patch, labels, asked, shift.ravel()


def _chunk(job: tuple[str, int, int, int]):
    name, seed, first, last = job
    cv2.setNumThreads(1)
    task, rng = TASKS[name], np.random.default_rng(seed)
    made = [one(rng, *_tables[int(rng.integers(first, last))], task) for _ in range(CHUNK)]
    cuts, labels, asked, shift = (np.array(part) for part in zip(*made, strict=True))
    white = paper_white(cuts.transpose(3, 0, 1, 2), task.patch)
    return cuts, white, labels.astype(np.int64), asked.astype(np.float32), shift.astype(np.float32)


def prepare(name: str, first: int, last: int, count: int, seed: int, gray: float, processes: int) -> Patches:
    """Cut `count` patches from the tables `first` to `last`, a share `gray` of them to be seen without colour."""
    jobs = [(name, seed + at, first, last) for at in range(-(-count // CHUNK))]
    with get_context("fork").Pool(processes) as pool:
        parts = [np.concatenate(part) for part in zip(*pool.imap(_chunk, jobs), strict=True)]
    return Patches(*parts, TASKS[name].patch, TASKS[name].mirror, gray)


def losses(out, labels, asked, shift, groups):
    total, right, known, start = out.new_zeros(()), out.new_ones(len(out), dtype=torch.bool), labels[:, 0] > 0, 0
    scores = []
    for k, size in enumerate(groups):
        here = labels[:, k] >= 0
        logits = out[here, start : start + size]
        start += size
        if here.any():
            total = total + F.cross_entropy(logits, labels[here, k], label_smoothing=0.01)
            hit = logits.argmax(1) == labels[here, k]
            scores.append(hit.float().mean().item())
            right[here] &= hit
        else:
            scores.append(1.0)
    fits = asked > 0
    fit = F.smooth_l1_loss(out[fits, start:], shift[fits], beta=0.1) if fits.any() else out.new_zeros(())
    return total, fit, right[known].float().mean(), scores


def report(net: PieceReader, test: Patches, groups: tuple[int, ...]) -> None:
    """Print losses and shares of right answers on patches that were not learned from, in colour and without."""
    net.eval()
    for title, gray in (("held out", 0.0), ("held out, gray", 1.0)):
        shown = replace(test, gray=gray)
        with torch.no_grad():
            hundreds = [shown.batch(np.arange(at, at + 100), None) for at in range(0, len(test), 100)]
            marks = [losses(net(b[0].to(device())), *(part.to(device()) for part in b[1:]), groups) for b in hundreds]
        right, scores = float(np.mean([float(m[2]) for m in marks])), np.mean([m[3] for m in marks], axis=0)
        print(f"{title}: right", round(right, 4), scores.round(4), flush=True)
        print(f"{title}: names, fit", [round(float(np.mean([float(m[k]) for m in marks])), 4) for k in (0, 1)], flush=True)
    net.train()


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("task", choices=TASKS)
    ask.add_argument("tables", type=Path)
    ask.add_argument("output", type=Path)
    ask.add_argument("--minutes", type=float, default=30)
    ask.add_argument("--batch", type=int, default=128)
    ask.add_argument("--cuts", type=int, default=300_000, help="patches to learn from")
    ask.add_argument("--rate", type=float, default=2e-3)
    ask.add_argument("--resume", type=Path, help="a state (.pt) or packed weights (.onnx.gz) to go on from")
    ask.add_argument("--finder", type=Path, help="weights whose false proposals are learned as nothing")
    ask.add_argument("--gray", type=float, default=0.0, help="share learned from without colour: .25 for the readers of gray pictures")
    ask.add_argument("--threads", type=int, default=2, help="that learn, where no GPU does")
    ask.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes that cut patches and light them")
    ask.add_argument("--seed", type=int, default=0, help="another one cuts other patches from the same tables; the held-out ones stay")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    task = TASKS[args.task]
    rng = np.random.default_rng(0)
    tables = load(args.tables, task)
    _tables.extend(tables[at] for at in rng.permutation(len(tables)))
    if args.finder:
        mine(args.task, args.finder, args.jobs)
    print(len(_tables), "tables", sum(int(good(task, rows).sum()) for _, rows in _tables), "pieces", flush=True)
    print(sum(int((rows[:, 8] == MINED).sum()) for _, rows in _tables), "frames mined", flush=True)
    held = min(600, len(tables) // 10)
    test = prepare(args.task, 0, held, 3000, 10**6, args.gray, args.jobs)
    train = prepare(args.task, held, len(tables), args.cuts, SEEDS_APART * args.seed, args.gray, args.jobs)
    print(len(train), "patches", flush=True)
    net = PieceReader(task.groups, (task.patch.height_px, task.patch.width_px), task.widths)
    if args.resume and args.resume.suffix == ".gz":
        unpack(net, args.resume, train.batch(rng.permutation(len(train))[:2000], rng)[0])
    elif args.resume:
        known = torch.load(args.resume)
        net.load_state_dict({name: value for name, value in known.items() if net.state_dict()[name].shape == value.shape}, strict=False)
    net = net.to(device(), memory_format=torch.channels_last)
    if args.resume:
        report(net, test, task.groups)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    running = np.zeros(3 + len(task.groups))
    loader = torch.utils.data.DataLoader(Batches(train, args.batch, args.seed), batch_size=None, num_workers=args.jobs, prefetch_factor=4)
    for step, seconds, batch in timed(loader, optimiser, args.rate, args.minutes):
        batch = [part.to(device()) for part in batch]
        with torch.autocast(device(), torch.bfloat16):  # `card` nearly twice as fast; weights and losses stay as exact as they were
            out = net(batch[0].to(memory_format=torch.channels_last))
        names, fit, right, scores = losses(out.float(), *batch[1:], task.groups)
        optimiser.zero_grad()
        (names + 2 * fit).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10)
        optimiser.step()
        running = 0.98 * running + 0.02 * np.array([names.item(), fit.item(), right.item(), *scores])
        if step % 100 == 0:
            print(f"{step} {seconds:.0f}s", *(f"{value:.4f}" for value in running), flush=True)
        if step % 500 == 0:
            torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    report(net, test, task.groups)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    export(net, args.output, (2, 3, task.patch.height_px, task.patch.width_px), {0: "count"})


if __name__ == "__main__":
    sys.exit(main())
