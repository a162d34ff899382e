#!/usr/bin/env python3
"""Make the weights in whole numbers from those in floating point: a quarter of the size, and less than half of the time.

    python scripts/training/quantize_weights.py             of all networks
    python scripts/training/quantize_weights.py reader      of those that have changed

Where each layer's numbers lie is learned from what the networks are given while rendered tables are read; no picture is learned
from. The same program with the same versions makes the same files again.
"""

import argparse
import gzip
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from rounding import round_again
from scenes.negatives import rough_or_empty
from scenes.recipes import table
from scenes.setting import Spoil

from visionset.pieces import Kind
from visionset.vision import engine, pipeline
from visionset.vision.options import SET_CARDS_ALONE

WEIGHTS = Path(engine.__file__).parent / "weights"
NAMES = tuple(sorted(engine.ROUNDED))
SEED = 41  # no shard of training pictures begins with it
TABLES = 60
SIZE_PX = (640, 480)
PIECE_PX = (30.0, 160.0)  # long side of a card; dice are a third of it
INPUTS = 40  # of each network, evenly taken from all that it was given


def tables():
    """Pictures of each kind of piece in turn, and of none."""
    for number in range(TABLES):
        rng = np.random.default_rng([SEED, number])
        piece_px = float(np.exp(rng.uniform(*np.log(PIECE_PX))))
        how = Spoil(*rng.uniform(0, 1, 6) * rng.uniform(0, 1))  # most tables are seen well
        kind = number % 6
        if kind == 0:
            yield rough_or_empty(rng, SIZE_PX, how)[0]
        else:
            which = (Kind.SET_CARD, Kind.SET_CARD, Kind.PLAYING_CARD, Kind.PIP_DIE, Kind.SET_DIE)[kind - 1]
            yield table(rng, SIZE_PX, piece_px / 3 if kind > 3 else piece_px, how, which).image_bgr


def given() -> dict[str, list[np.ndarray]]:
    """What each network is given while the tables are read with the weights in floating point."""
    batches: dict[str, list[np.ndarray]] = {name: [] for name in NAMES}
    name_of = {id(engine.network(name)): name for name in NAMES}
    compute = engine.Network.__call__

    def noted(self: engine.Network, batch: np.ndarray) -> np.ndarray:
        if id(self) in name_of:
            batches[name_of[id(self)]].append(batch.copy())
        return compute(self, batch)

    engine.Network.__call__ = noted  # type: ignore[method-assign]
    try:
        for picture in tables():
            pipeline.read(picture)
            pipeline.read(picture, SET_CARDS_ALONE)
    finally:
        engine.Network.__call__ = compute  # type: ignore[method-assign]
    return {name: [all_of[at * len(all_of) // INPUTS] for at in range(INPUTS)] for name, all_of in batches.items()}


class Given(CalibrationDataReader):
    """Hands the inputs of one network to the calibration."""

    def __init__(self, name: str, batches: list[np.ndarray]) -> None:
        self._rest = iter([{name: batch} for batch in batches])

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self._rest, None)


def quantized(model: onnx.ModelProto, batches: list[np.ndarray], folder: Path) -> bytes:
    """The network with weights and what passes between its layers in eight bits.

    The layer that sees the picture and the one that gives the answers stay as they are: that halves the error, and costs no time.
    """
    source, target = folder / "float.onnx", folder / "int8.onnx"
    onnx.save(model, source)
    answers = model.graph.output[0].name
    quantize_static(
        source,
        target,
        Given(model.graph.input[0].name, batches),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        calibrate_method=CalibrationMethod.MinMax,
        nodes_to_exclude=[model.graph.node[0].name, *(node.name for node in model.graph.node if node.output[0] == answers)],
    )
    whole = onnx.load(target)
    round_again(model, whole, batches)
    return whole.SerializeToString()


def probe() -> bytes:
    """The product of two matrices of bytes: see `visionset.vision.engine`."""
    ends = ("a", onnx.TensorProto.UINT8), ("b", onnx.TensorProto.INT8), ("product", onnx.TensorProto.INT32)
    a, b, product = (onnx.helper.make_tensor_value_info(name, kind, [None, None]) for name, kind in ends)
    node = onnx.helper.make_node("MatMulInteger", ["a", "b"], ["product"])
    graph = onnx.helper.make_graph([node], "probe", [a, b], [product])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=7).SerializeToString()


def pack(name: str, model: bytes) -> None:
    data = gzip.compress(model, 9, mtime=0)
    (WEIGHTS / f"{name}.onnx.gz").write_bytes(data)
    print(f"{name}: {len(data) / 1e6:.2f} MB")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("names", nargs="*", metavar="NETWORK", help=", ".join(NAMES))
    args = ask.parse_args()
    if unknown := sorted(set(args.names) - set(NAMES)):
        ask.error(f"expected some of {', '.join(NAMES)}, got {', '.join(unknown)}")
    os.environ["VISIONSET_WEIGHTS"] = "float"
    pack("probe", probe())
    batches = given()
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names or NAMES:
            model = onnx.load_from_string(gzip.decompress((WEIGHTS / f"{name}.onnx.gz").read_bytes()))
            pack(f"{name}.int8", quantized(model, batches[name], Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
