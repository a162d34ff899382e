#!/usr/bin/env python3
"""Make the package's weights in whole numbers from those in floating point: half of the size, and less time.

    python scripts/training/quantize_weights.py             of all networks
    python scripts/training/quantize_weights.py reader      of those that have changed

Those in floating point lie in `weights/` beside this program. Where each layer's numbers lie is learned from what the networks are
given while rendered tables are read; no picture is learned from. The same program with the same versions makes the same files again.

Weights have seven bits. Processors without an instruction of their own for it (x86 before VNNI) add two products of eight bits in
sixteen, and what is more than these hold is cut off: 2 * 255 * 127 is, 2 * 255 * 64 is not. So all processors compute the same.
"""

import argparse
import gzip
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from channels_last import laid_out
from equalizing import equalized
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from rounding import round_again
from scenes.negatives import rough_or_empty
from scenes.recipes import table
from scenes.setting import Spoil

from visionset.pieces import Kind
from visionset.vision import engine, pipeline
from visionset.vision.options import SET_CARDS_ALONE

EXACT, PACKAGE = Path(__file__).parent / "weights", Path(engine.__file__).parent / "weights"
NAMES = tuple(sorted(path.name.removesuffix(".onnx.gz") for path in EXACT.iterdir()))
SEED = 41  # no shard of training pictures begins with it
TABLES = 60
SIZE_PX = (640, 480)
PIECE_PX = (30.0, 160.0)  # long side of a card; dice are a third of it
UNEQUAL = {"finder"}  # answers no nearer to floating point with equal channels
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
    packed = engine.model
    engine.model = lambda name: exact(name) if name in NAMES else packed(name)
    name_of = {id(engine.network(name)): name for name in NAMES}
    compute = engine.Network.__call__

    def noted(self: engine.Network, batch: np.ndarray) -> np.ndarray:
        if id(self) in name_of:
            batches[name_of[id(self)]].append(batch.copy())
        return compute(self, batch)

    engine.Network.__call__ = noted  # type: ignore[method-assign]
    for picture in tables():
        pipeline.read(picture)
        pipeline.read(picture, SET_CARDS_ALONE)
    return {name: [all_of[at * len(all_of) // INPUTS] for at in range(INPUTS)] for name, all_of in batches.items()}


def exact(name: str) -> bytes:
    """A network with its weights in floating point."""
    return gzip.decompress((EXACT / f"{name}.onnx.gz").read_bytes())


class Given(CalibrationDataReader):
    """Hands the inputs of one network to the calibration."""

    def __init__(self, name: str, batches: list[np.ndarray]) -> None:
        self._rest = iter([{name: batch} for batch in batches])

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self._rest, None)


def quantized(model: onnx.ModelProto, batches: list[np.ndarray], folder: Path) -> onnx.ModelProto:
    """The network with weights in seven bits, and what passes between its layers in eight.

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
        reduce_range=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        calibrate_method=CalibrationMethod.MinMax,
        nodes_to_exclude=[model.graph.node[0].name, *(node.name for node in model.graph.node if node.output[0] == answers)],
    )
    whole = onnx.load(target)
    round_again(model, whole, batches)
    return laid_out(whole)


def pack(name: str, model: onnx.ModelProto) -> None:
    data = gzip.compress(model.SerializeToString(deterministic=True), 9, mtime=0)
    (PACKAGE / f"{name}.onnx.gz").write_bytes(data)
    print(f"{name}: {len(data) / 1e6:.2f} MB")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("names", nargs="*", metavar="NETWORK", help=", ".join(NAMES))
    args = ask.parse_args()
    if unknown := sorted(set(args.names) - set(NAMES)):
        ask.error(f"expected some of {', '.join(NAMES)}, got {', '.join(unknown)}")
    batches = given()
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names or NAMES:
            model = onnx.load_from_string(exact(name))
            if name not in UNEQUAL:
                model = equalized(model, batches[name])
            pack(name, quantized(model, batches[name], Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
