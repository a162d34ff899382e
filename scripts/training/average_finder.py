#!/usr/bin/env python3
"""Write the mean of two states of the finder as ONNX: it errs less on pictures unlike those of the training.

    python scripts/training/average_finder.py earlier.pt later.pt /tmp/tables /tmp/finder.onnx

The states must come from one training, one resumed from the other. The statistics of the batch norms are no mean: they are
taken anew from pictures.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from networks import Finder, export
from torch import Tensor, nn
from train_finder import SIDE_PX, jitter

BATCHES, BATCH = 30, 16


def pictures(folder: Path, rng: np.random.Generator) -> Iterator[Tensor]:
    shards = [np.load(file, mmap_mode="r") for file in sorted(folder.glob("*.npy"))]
    shards = [shard for shard in shards if shard.shape[1] == SIDE_PX]
    nothing = np.zeros((0, 13), np.float32)
    for _ in range(BATCHES):
        picked = [shards[rng.integers(len(shards))] for _ in range(BATCH)]
        tinted = [jitter(rng, np.asarray(shard[rng.integers(len(shard))]), nothing)[0] for shard in picked]
        yield torch.from_numpy(np.ascontiguousarray(np.stack(tinted).transpose(0, 3, 1, 2), dtype=np.float32))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("earlier", "later", "tables", "output"):
        ask.add_argument(name, type=Path)
    args = ask.parse_args()
    one, other = torch.load(args.earlier), torch.load(args.later)
    net = Finder()
    net.load_state_dict({name: (value + other[name]) / 2 if value.dtype.is_floating_point else value for name, value in one.items()})
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.reset_running_stats()
            layer.momentum = None  # a plain mean over all that follows
    net.train()
    with torch.no_grad():
        for batch in pictures(args.tables, np.random.default_rng(5)):
            net(batch)
    torch.save(net.state_dict(), args.output.with_suffix(".pt"))
    export(net, args.output, (1, 3, 288, 512), {2: "height", 3: "width"})


if __name__ == "__main__":
    sys.exit(main())
