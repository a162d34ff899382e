#!/usr/bin/env python3
"""Average two states of one reader of pieces, the second of which went on from the first, and write the mean as ONNX.

    python scripts/training/average_reader.py die /tmp/die-1.pt /tmp/die-2.pt /tmp/die.onnx

The mean of two states on one path often reads what neither has seen better than both (Izmailov et al. 2018).
"""

import argparse
import sys
from pathlib import Path

import torch
from networks import PieceReader, export
from piece_tasks import TASKS


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("task", choices=TASKS)
    ask.add_argument("first", type=Path)
    ask.add_argument("second", type=Path)
    ask.add_argument("output", type=Path)
    args = ask.parse_args()
    task = TASKS[args.task]
    first, second = torch.load(args.first), torch.load(args.second)
    mean = {name: (value + second[name]) / 2 if value.is_floating_point() else value for name, value in first.items()}
    net = PieceReader(task.groups, (task.patch.height_px, task.patch.width_px), task.widths)
    net.load_state_dict(mean)
    torch.save(mean, args.output.with_suffix(".pt"))
    export(net, args.output, (2, 3, task.patch.height_px, task.patch.width_px), {0: "count"})


if __name__ == "__main__":
    sys.exit(main())
