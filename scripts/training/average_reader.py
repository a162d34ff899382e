#!/usr/bin/env python3
"""Average two states of one network, the second of which went on from the first, and write the mean as ONNX.

    python scripts/training/average_reader.py scripts/training/weights/index.onnx.gz /tmp/index.onnx /tmp/mean.onnx --share 0.65

The mean of two states on one path often reads what neither has seen better than both (Izmailov et al. 2018).
"""

import argparse
import gzip
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def opened(path: Path) -> onnx.ModelProto:
    """A network from a file, packed or not."""
    data = path.read_bytes()
    return onnx.load_from_string(gzip.decompress(data) if path.suffix == ".gz" else data)


def weights(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """The weights of a network by name, in the order in which its layers use them."""
    known = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    return {name: known[name] for node in model.graph.node for name in node.input if name in known}


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("first", type=Path)
    ask.add_argument("second", type=Path)
    ask.add_argument("output", type=Path)
    ask.add_argument("--share", type=float, default=0.5, help="of the second state in the mean")
    args = ask.parse_args()
    first, mean = opened(args.first), opened(args.second)
    before = dict(zip(weights(mean), weights(first).values(), strict=True))
    for one in mean.graph.initializer:
        after = numpy_helper.to_array(one)
        if after.dtype == np.float32:
            one.CopyFrom(numpy_helper.from_array(np.float32(1 - args.share) * before[one.name] + np.float32(args.share) * after, one.name))
    onnx.save(mean, args.output)


if __name__ == "__main__":
    sys.exit(main())
