#!/usr/bin/env python3
"""Round a network's weights and pack them: under half the size, the same answers.

    python scripts/training/pack_weights.py /tmp/finder.onnx scripts/training/weights/finder.onnx.gz

Seven bits of mantissa are kept, as in bfloat16, one in 250 of a weight, so that the other bits are zeros, which gzip packs
away; the network still computes in single precision.
"""

import argparse
import gzip
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

KEPT_BITS = 7


def rounded(values: np.ndarray) -> np.ndarray:
    """Single-precision numbers with a short mantissa."""
    dropped = 23 - KEPT_BITS
    bits = np.ascontiguousarray(values).view(np.uint32).astype(np.uint64)
    return ((bits + (1 << (dropped - 1))) >> dropped << dropped).astype(np.uint32).view(np.float32).reshape(values.shape)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("network", type=Path)
    ask.add_argument("output", type=Path)
    args = ask.parse_args()
    model = onnx.load(args.network)
    for weights in model.graph.initializer:
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32:
            weights.CopyFrom(numpy_helper.from_array(rounded(values), weights.name))
    data = gzip.compress(model.SerializeToString(), 9, mtime=0)
    args.output.write_bytes(data)
    print(f"{args.output}: {len(data) / 1e6:.2f} MB of {args.network.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    sys.exit(main())
