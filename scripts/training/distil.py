#!/usr/bin/env python3
"""Teach a reader to read in another light as it reads the same pieces well lit.

    python scripts/training/distil.py die /tmp/tables /tmp/die.onnx --minutes 30

The reader in the package is the teacher: of each patch that it is asked about when rendered tables are read, what it says
of it as it is, mirrored or upside down, and from a little beside is averaged. The student, who begins as the teacher, sees
the same patch in another exposure, through haze, in a coloured light, blurred, noisy or badly coded, and learns to say the
same. A third of the patches it sees as they are. Labels take no part, so that nothing that was learned from other tables
than these is unlearned; but of tables with the letters of other tongues (`render_tables.py cards-letters`) the truth says
the ranks, and the teacher no more than the suits: of suits as others draw them these tables know nothing. Of SET cards the
truth says how many symbols they bear, since those of some decks lie closer than the teacher knows, that they are cards, and that a
die is none; of cards that others print (`reader-others`) it says their shading, shape and corners too. Of dice seen from below it says
where their top faces lie and what they show, and that all else is none.

Longer than most modules: what is taught of each kind, and in which light, are steps of one lesson.
"""

import argparse
import gzip
import os
import pickle
import sys
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from networks import PieceReader, Reader, export, timed
from piece_tasks import PIP, SET, SYMBOLS, TASKS, UNKNOWN
from train_pieces import clear, good
from train_reader import GROUPS as SET_GROUPS
from train_reader import LABELS, SEEN
from unpack_weights import unpack

from visionset.vision import dice, pipeline, playing_cards, set_cards
from visionset.vision.engine import Network, expit, log_softmax, one_thread
from visionset.vision.patches import SET_CARD_PATCH, Patch, Pyramid, corrected, padded, straightened
from visionset.vision.quads import picture_from_rectangle, projected

FILES = {
    "reader": ("reader", "elsewhere", "dice"),
    "card": ("cards", "elsewhere"),
    "index": ("cards", "elsewhere"),
    "die": ("dice", "elsewhere"),
}
AS_IT_IS, BURNT_OUT, DARK = 0.3, 0.3, 0.1  # shares of the patches; the rest is seen through haze, a wrong curve, a coloured light
MOST = 60  # patches of one picture
LETTERS = "cards-letters"
DICE = ("dice", "dice-close", "dice-boards", "dice-others", "dice-others-close", "elsewhere")
TRUE = {"reader": ("reader", "dice"), "index": (LETTERS,), "card": (LETTERS,), "die": DICE}  # tables whose truth takes part
FEW = {"reader": {"elsewhere": 4, "dice": 4}, "die": {"elsewhere": 2}}  # of these sorts this part of a share
LIES_ON = 0.45  # a frame and a true outline are of one piece where no corner is further off, in roots of the true area
SHOWS = 0.35  # the same of a top face, for the truth to say what it shows
NUMBER, SHADING, SHAPE = 0, 2, 3  # groups of answers about a SET card
IS_ONE = 0.15  # the same of a SET card, for the truth to say that it is one: a frame that is further off is to lose to a better one
PALE = {"card": 0.2, "index": 0.2}  # share of the patches whose colours are mostly lost: a spade is told from a heart by its shape too
BELIEVED = 0.995  # how surely the truth says something; three names of a SET die are together to be surer than .9
TURNED = 0.3  # share of the tables of dice that are seen from another side than below


def asked(name: str, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The picture, which may be stretched for that, and quads in it, shape (n, 4, 2), that a reader is asked about when it is read."""
    cut_from, seen = [picture], []
    ask, call = playing_cards.ask, set_cards.SetCardReader.__call__
    stretched, quarters_for_dice = pipeline.stretched, pipeline.quarters_for_dice

    def spy(picture, quads, which, *rest):
        if which == name and (name != "die" or (crossed(quads) > 0).all()):  # not those in a mirror
            seen.append(quads)
        return ask(picture, quads, which, *rest)

    def called(self, quads):
        if name == "reader":
            seen.append(quads)
        return call(self, quads)

    def widened(image_bgr, factors):
        cut_from.append(stretched(image_bgr, factors))
        return cut_from[-1]

    playing_cards.ask = dice.ask = spy
    set_cards.SetCardReader.__call__ = called
    pipeline.stretched, pipeline.quarters_for_dice = widened, lambda *_: 0
    try:
        pipeline.read(picture)
    finally:
        playing_cards.ask = dice.ask = ask
        set_cards.SetCardReader.__call__ = call
        pipeline.stretched, pipeline.quarters_for_dice = stretched, quarters_for_dice
    return cut_from[-1], np.concatenate([np.empty((0, 4, 2)), *seen])


def enlarged(rows: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Rows of truth as they lie in a picture whose width and height are multiplied by these, shape (2,)."""
    outlines = (rows[:, :8].reshape(-1, 4, 2) + 0.5) * factors - 0.5
    return np.concatenate([outlines.reshape(-1, 8), rows[:, 8:]], axis=1).astype(np.float32)


def crossed(quads: np.ndarray) -> np.ndarray:
    """Twice the signed area of quads, shape (n, 4, 2): more than 0 where corners go with the clock."""
    (x, y), (x2, y2) = np.moveaxis(quads, 2, 0), np.moveaxis(np.roll(quads, -1, axis=1), 2, 0)
    return (x * y2 - x2 * y).sum(axis=1)


def jittered(rng: np.random.Generator, quads: np.ndarray, strength: float) -> np.ndarray:
    """The same quads, shape (n, 4, 2), moved, turned and stretched a little, each corner a little more."""
    middle = quads.mean(axis=1, keepdims=True)
    local = quads - middle
    reach = np.sqrt((local**2).sum(axis=2).mean(axis=1))[:, None, None]
    turn = rng.normal(0, strength, (len(quads), 1))
    turned = local + np.stack([-local[..., 1] * turn, local[..., 0] * turn], axis=2)
    stretched = turned * np.exp(rng.normal(0, strength, (len(quads), 1, 1)))
    return middle + stretched + reach * (rng.normal(0, strength, (len(quads), 1, 2)) + rng.normal(0, strength / 2, quads.shape))


@dataclass(frozen=True)
class Lesson:
    """A picture, what a reader is asked about in it, and what it says there on the whole."""

    picture: np.ndarray
    quads: np.ndarray  # (n, 4, 2)
    said: np.ndarray  # (n, answers), probabilities of each group of answers
    corners: np.ndarray  # (n, 4, 2) in the picture


def taught(rng: np.random.Generator, name: str, teacher: Network, picture: np.ndarray, quads: np.ndarray) -> Lesson:
    """What the teacher says of quads as they are, in a mirror or upside down, and from a little beside: on the whole it errs less."""
    patch = patch_of(name)
    pictures = Pyramid(padded(picture))
    said, corners = [], []
    for frame, order in views(rng, name, quads):
        patches, _ = straightened_as(name, pictures, frame)
        out = teacher(patches)
        said.append(probabilities(name, out))
        shift = out[:, len(said[-1][0]) :].reshape(-1, 4, 2) * patch.shift_px
        corners.append(corrected(frame.astype(np.float64), shift.astype(np.float64), patch)[:, order])
    return Lesson(picture, quads, np.mean(said, axis=0), np.mean(corners, axis=0))


def lies_on(lesson: Lesson, rows: np.ndarray, most: float = LIES_ON, step: int = 2) -> list[tuple[int, np.ndarray]]:
    """Which quads of a lesson lie on one of these pieces, either way up, and on which; with corners as the quad has them.

    A piece may begin at every corner where `step` is 1, as dice may.
    """
    true = rows[:, :8].reshape(-1, 4, 2)
    ways = np.stack([np.roll(true, turn, axis=1) for turn in range(0, 4, step)], axis=1)
    off = np.linalg.norm(ways[None] - lesson.quads[:, None, None], axis=4).max(axis=3)
    off = (off / np.sqrt(np.abs(crossed(true)) / 2)[:, None]).reshape(len(lesson.quads), -1)
    found = []
    for at in np.flatnonzero(off.min(axis=1, initial=np.inf) < most):
        piece, way = np.unravel_index(off[at].argmin(), ways.shape[:2])
        found.append((int(at), np.concatenate([ways[piece, way].ravel(), rows[piece, 8:]])))
    return found


def believed(count: int, which: int) -> np.ndarray:
    """Probabilities of so many answers of which the truth says one."""
    said = np.full(count, (1 - BELIEVED) / (count - 1))
    said[which] = BELIEVED
    return said


def spelled(name: str, lesson: Lesson, truth: np.ndarray) -> Lesson:
    """A lesson in which the truth, rows as `render_tables.row` gives them, says the ranks of playing cards."""
    rows = truth[np.isin(truth[:, 8], TASKS[name].what) & (truth[:, 10] >= TASKS[name].seen)]
    start, stop = groups_of(name)[1]
    said = lesson.said.copy()
    for at, row in lies_on(lesson, rows):
        there, rank, _ = TASKS[name].labels(int(row[8]), int(row[9]))
        if rank != UNKNOWN:
            said[at, :start] = np.eye(start)[there]
            said[at, start:stop] = believed(stop - start, rank)
    return replace(lesson, said=said)


def counted(lesson: Lesson, truth: np.ndarray, others: bool) -> Lesson:
    """A lesson in which the truth says which are SET cards and how many symbols they bear, and that dice are none.

    Of cards that `others` print it says how these are shaded and shaped as well, and where their corners are: the teacher takes small
    symbols for those of a smaller card. Colours are told beside each other.
    """
    said, corners = lesson.said.copy(), lesson.corners.copy()
    cards = truth[(truth[:, 8] == SET) & (truth[:, 10] >= SEEN)]
    for at, row in lies_on(lesson, cards):
        for group in (NUMBER, SHADING, SHAPE) if others else (NUMBER,):
            start, stop = SET_GROUPS[group]
            said[at, start:stop] = believed(stop - start, LABELS[int(row[9]), group])
        if others:
            corners[at] = row[:8].reshape(4, 2)
    for at, _ in lies_on(lesson, cards, IS_ONE):
        said[at, 12] = BELIEVED
    middles = lesson.quads.mean(axis=1)
    for row in truth[np.isin(truth[:, 8], (PIP, SYMBOLS))]:
        outline = row[:8].reshape(4, 2)
        on = [cv2.pointPolygonTest(outline, tuple(map(float, middle)), False) >= 0 for middle in middles]
        said[on, 12] = 1 - BELIEVED
    return replace(lesson, said=said, corners=corners)


def topped(lesson: Lesson, truth: np.ndarray) -> Lesson:
    """A lesson in which the truth says where top faces of dice lie and what they show, and that what is far from all of them is none."""
    task, said, corners = TASKS["die"], lesson.said.copy(), lesson.corners.copy()
    for at, quad in enumerate(lesson.quads):
        if clear(task, quad, truth):
            said[at, : task.groups[0]] = believed(task.groups[0], 0)
    for at, row in lies_on(lesson, truth[good(task, truth)], SHOWS, step=1):
        for (start, stop), label in zip(groups_of("die"), task.labels(int(row[8]), int(row[9])), strict=True):
            if label != UNKNOWN:
                said[at, start:stop] = believed(stop - start, label)
        corners[at] = row[:8].reshape(4, 2)
    return replace(lesson, said=said, corners=corners)


def views(rng: np.random.Generator, name: str, quads: np.ndarray):
    """Frames of the same pieces, and which of their corners are those of `quads`."""
    same, mirror, half = [0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1]
    orders = {"reader": [same, half, mirror], "card": [same, half], "index": [same, half], "die": [same, mirror]}[name]
    for order in orders:
        yield quads[:, order], order
        yield jittered(rng, quads, 0.03)[:, order], order


def straightened_as(name: str, pictures: Pyramid, quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Patches as a reader is given them, shape (n, 3, height, width), and the brightness of their paper."""
    patches, white = straightened(pictures, quads, patch_of(name))
    return (set_cards.unburnt(patches, white) if name == "reader" else patches), white


def patch_of(name: str) -> Patch:
    return SET_CARD_PATCH if name == "reader" else TASKS[name].patch


def probabilities(name: str, out: np.ndarray) -> np.ndarray:
    """Probabilities of each group of answers; of a SET card the last is whether it is one."""
    parts = [np.exp(log_softmax(out[:, start:stop].astype(np.float64))) for start, stop in groups_of(name)]
    return np.concatenate([*parts, *([expit(out[:, 12:13].astype(np.float64))] if name == "reader" else [])], axis=1).astype(np.float32)


def corrected_by(name: str, lesson: Lesson, truth: np.ndarray, others: bool) -> Lesson:
    """A lesson in which the truth, rows as `render_tables.row` gives them, says what it knows better than the teacher."""
    if name == "reader":
        return counted(lesson, truth, others)
    return topped(lesson, truth) if name == "die" else spelled(name, lesson, truth)


def gathered(name: str, teaching: Path, folders: list[Path], most: int, jobs: int) -> list[Lesson]:
    """Lessons from the tables of each folder and sort, in an order that has nothing to do with these."""
    files = [file for folder in folders for kind in FILES[name] for file in sorted(folder.glob(f"{kind}*.npy"))]
    if not files:
        sys.exit(f"distil: no shards of {' or '.join(FILES[name])} in {', '.join(map(str, folders))}; render_tables.py makes them")
    shares = [(name, teaching, file, most // len(files) // FEW.get(name, {}).get(sort_of(name, file), 1)) for file in files]
    lessons: list[Lesson] = []
    with get_context("fork").Pool(jobs) as pool:
        for some in pool.imap(lessons_of, shares):
            lessons += some
            print(len(lessons), "tables read", flush=True)
    return [lessons[at] for at in np.random.default_rng(0).permutation(len(lessons))]


def sort_of(name: str, file: Path) -> str:
    return file.stem.split("_")[0].split("-")[0] if name == "reader" else file.stem.rsplit("_", 1)[0]


def lessons_of(share: tuple[str, Path, Path, int]) -> list[Lesson]:
    """Lessons from some tables of one shard."""
    name, teaching, file, count = share
    teacher, rng = Network(gzip.decompress(teaching.read_bytes())), np.random.default_rng(list(file.stem.encode()))
    pictures, sort = np.load(file, mmap_mode="r"), sort_of(name, file)
    truth = pickle.loads(file.with_suffix(".pkl").read_bytes()) if sort in TRUE[name] else None
    lessons = []
    with one_thread():
        for at in rng.permutation(len(pictures))[:count]:
            turns = int(rng.integers(1, 4)) if name == "die" and sort != "elsewhere" and rng.random() < TURNED else 0
            picture = np.ascontiguousarray(np.rot90(pictures[at], turns))
            seen, quads = asked(name, picture)
            if not len(quads):
                continue
            lesson = taught(rng, name, teacher, seen, quads[rng.permutation(len(quads))[:MOST]])
            if truth and not turns:
                factors = np.array(seen.shape[1::-1]) / picture.shape[1::-1]
                lesson = corrected_by(name, lesson, enlarged(truth[at], factors), "-others" in file.stem)
            lessons.append(lesson)
    return lessons


def paled(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """A picture in which colours are mostly lost, as those of dark inks are in a poor light."""
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    kept = float(rng.uniform(0, 0.5))
    return cv2.addWeighted(picture, kept, grey, 1 - kept, 0)


def relit(rng: np.random.Generator, picture: np.ndarray, white: np.ndarray) -> np.ndarray:
    """A picture whose paper or bodies have that brightness, shape (3,), as another camera or light shows it."""
    levels = np.repeat(np.arange(256.0)[:, None], 3, axis=1)
    kind = rng.random()
    if kind < BURNT_OUT:
        burnt = np.exp(rng.uniform(-0.1, 0.4)) * 255
        levels = levels * burnt / np.maximum(white if rng.random() < 0.5 else white.mean(), 40) * np.exp(rng.normal(0, 0.04, 3))
    elif kind < BURNT_OUT + DARK:
        levels = 255 * (levels / 255) ** rng.uniform(1.2, 2.4) * rng.uniform(0.5, 1)
    else:
        veil = rng.uniform(0, 0.4) * (rng.random() < 0.5)
        seen = (levels / 255) ** np.exp(rng.uniform(-0.8, 0.5)) * np.exp(rng.normal(0, 0.25, 3)) * rng.uniform(0.6, 1.3)
        levels = 255 * (veil + (1 - veil) * seen)
    seen = cv2.LUT(picture, np.clip(np.round(levels), 0, 255).astype(np.uint8)[None])
    worse = rng.random()
    if worse < 0.15:
        seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.5, 1.5)))
    elif worse < 0.3:
        seen = np.clip(seen + rng.normal(0, rng.uniform(2, 12), seen.shape), 0, 255).astype(np.uint8)
    elif worse < 0.4:
        seen = cv2.imdecode(cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 70))])[1], cv2.IMREAD_COLOR)
    return seen


class Patches(torch.utils.data.Dataset):
    """Patches in another light with what the teacher said of them, several of one picture at once."""

    def __init__(self, name: str, lessons: list[Lesson], each: int, train: bool) -> None:
        self.name, self.lessons, self.each, self.train = name, lessons, each, train

    def __len__(self) -> int:
        return len(self.lessons)

    def __getitem__(self, i: int):
        rng = np.random.default_rng() if self.train else np.random.default_rng(i)
        lesson, patch = self.lessons[i], patch_of(self.name)
        which = rng.integers(len(lesson.quads), size=self.each)
        quads, corners, said = lesson.quads[which], lesson.corners[which], lesson.said[which]
        if self.train:
            views_of = list(views(rng, self.name, quads))
            quads, order = views_of[rng.integers(len(views_of))]
            corners = corners[:, order]
        picture = lesson.picture
        pictures = Pyramid(padded(picture))
        patches, white = straightened_as(self.name, pictures, quads)
        if rng.random() >= AS_IT_IS:
            if rng.random() < PALE.get(self.name, 0):
                picture = paled(rng, picture)
            patches, _ = straightened_as(self.name, Pyramid(padded(relit(rng, picture, white[0]))), quads)
            if self.name == "reader" and rng.random() < 0.6:
                ink = np.percentile(patches[:, :, *SET_CARD_PATCH.inner].min(axis=1), 1) * np.exp(rng.normal(0, 0.2))
                patches = patches ** np.float32(set_cards.contrast_of(min(ink, 0.25)))
        frame_from_picture = np.linalg.inv(picture_from_rectangle(quads.astype(np.float64), patch.quad))
        shift = (projected(frame_from_picture, corners.astype(np.float64)) - patch.quad) / patch.shift_px
        return (
            torch.from_numpy(np.ascontiguousarray(patches, np.float32)),
            torch.from_numpy(said),
            torch.from_numpy(shift.reshape(-1, 8).clip(-6, 6).astype(np.float32)),
        )


def groups_of(name: str) -> tuple[tuple[int, int], ...]:
    """First and last column of each group of answers."""
    if name == "reader":
        return SET_GROUPS
    ends = np.cumsum(TASKS[name].groups)
    return tuple((int(end) - size, int(end)) for size, end in zip(TASKS[name].groups, ends, strict=True))


def losses(name: str, out: torch.Tensor, said: torch.Tensor, shift: torch.Tensor):
    """How far the student is from the teacher: in names and in corners; and in how many pieces all its answers are the teacher's."""
    groups = groups_of(name)
    corners = said.shape[1]
    if name == "reader":
        there = said[:, 12]
        names = F.binary_cross_entropy_with_logits(out[:, 12], there)
    else:
        there = 1 - said[:, 0]
        names = out.new_zeros(())
    same = out.new_ones(len(out), dtype=torch.bool)
    for at, (start, stop) in enumerate(groups):
        weight = 0.05 + there if at or name == "reader" else torch.ones_like(there)
        log = torch.log_softmax(out[:, start:stop], 1)
        names = names - (weight[:, None] * said[:, start:stop] * log).sum() / weight.sum()
        same &= out[:, start:stop].argmax(1) == said[:, start:stop].argmax(1)
    off = F.smooth_l1_loss(out[:, corners:], shift, beta=0.1, reduction="none").mean(1)
    return names, (off * there).sum() / there.sum().clamp(min=1e-6), same[there > 0.5].float().mean()


def told(name: str, net, batch):
    """What `losses` says of one batch."""
    patches, said, shift = (one.flatten(0, 1) for one in batch)
    with torch.autocast("cpu", torch.bfloat16):
        out = net(patches.to(memory_format=torch.channels_last))
    return losses(name, out.float(), said, shift)


def held_out(name: str, net, test: Patches) -> list[float]:
    net.eval()
    with torch.no_grad():
        scores = [told(name, net, batch) for batch in torch.utils.data.DataLoader(test, 16)]
    net.train()
    return [round(float(np.nanmean([float(score[k]) for score in scores])), 4) for k in range(3)]


def new(name: str):
    """A network of that name without weights."""
    if name == "reader":
        return Reader()
    task = TASKS[name]
    return PieceReader(task.groups, (task.patch.height_px, task.patch.width_px), task.widths)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("name", choices=FILES)
    ask.add_argument("tables", type=Path, nargs="+")
    ask.add_argument("output", type=Path)
    ask.add_argument("--minutes", type=float, default=30)
    ask.add_argument("--pictures", type=int, default=3000, help="of rendered tables, to learn from")
    ask.add_argument("--rate", type=float, default=8e-4)
    ask.add_argument("--teacher", type=Path, help="packed weights; default: those in weights/ beside this program")
    ask.add_argument("--resume", type=Path, help="a state (.pt) to go on from; default: the student begins as the teacher")
    ask.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes that read tables")
    args = ask.parse_args()
    teaching = args.teacher or Path(__file__).parent / "weights" / f"{args.name}.onnx.gz"
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    lessons = gathered(args.name, teaching, args.tables, args.pictures, args.jobs)
    print(len(lessons), "tables", sum(len(lesson.quads) for lesson in lessons), "patches", flush=True)
    held = min(300, len(lessons) // 10)
    train, test = Patches(args.name, lessons[held:], 8, True), Patches(args.name, lessons[:held], 8, False)
    loader = torch.utils.data.DataLoader(train, 12, shuffle=True, drop_last=True, num_workers=1, prefetch_factor=8, persistent_workers=True)
    net = new(args.name)
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    else:
        unpack(net, teaching, torch.cat([batch[0].flatten(0, 1) for batch, _ in zip(loader, range(25), strict=False)]))
    net.to(memory_format=torch.channels_last)
    print("held out:", held_out(args.name, net, test), flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    running = np.zeros(3)
    for step, seconds, batch in timed(loader, optimiser, args.rate, args.minutes):
        parts = told(args.name, net, batch)
        optimiser.zero_grad()
        (parts[0] + 2 * parts[1]).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10)
        optimiser.step()
        running = 0.98 * running + 0.02 * np.nan_to_num(np.array([part.item() for part in parts]))
        if step % 200 == 0:
            print(f"{step} {seconds:.0f}s", np.round(running, 4), flush=True)
        if step % 1000 == 0:
            torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    print("held out:", held_out(args.name, net, test), flush=True)
    torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    patch = patch_of(args.name)
    export(net, args.output, (2, 3, patch.height_px, patch.width_px), {0: "count"})


if __name__ == "__main__":
    sys.exit(main())
