"""Round the weights of a network to seven bits so that each layer's answers stay, not each weight.

The columns of a layer's matrix are rounded one after the other, and those that are left make up for the error, as far as the
inputs of both go together (GPTQ: Frantar et al. 2022). Neighbouring pixels do, so hardly an error is left.
"""

from collections.abc import Iterator

import numpy as np
import onnx
from onnx import numpy_helper
from onnxruntime import InferenceSession

PLACES = 400  # of each input so many places of a layer are looked at
DAMPING = 0.01  # of the mean square of the inputs: what hardly occurs must not decide
MOST = 64  # `quantize_weights.py` says why


def rounded(matrix: np.ndarray, scale: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Whole numbers for a layer's matrix, shape (answers, inputs), in units of `scale`, shape (answers,).

    `squares` is the mean of products of the inputs, shape (inputs, inputs).
    """
    left = matrix.astype(np.float64)
    order = np.argsort(-np.diag(squares))
    left = left[:, order]
    damped = squares[np.ix_(order, order)] + DAMPING * np.mean(np.diag(squares)) * np.eye(len(order))
    upper = np.linalg.cholesky(np.linalg.inv(damped)).T
    whole = np.empty(matrix.shape, np.int8)
    for at, column in enumerate(order):
        whole[:, column] = np.clip(np.rint(left[:, at] / scale), -MOST, MOST)
        error = (left[:, at] - whole[:, column] * scale) / upper[at, at]
        left[:, at + 1 :] -= error[:, None] * upper[at, at + 1 :]
    return whole


def seen_by(node: onnx.NodeProto, size: tuple[int, ...], given: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What some places of a layer see of its input, shape (places, inputs)."""
    if node.op_type == "Gemm":
        return given
    how = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
    (top, left, bottom, right), (down, over) = how["pads"], how["strides"]
    padded = np.pad(given, ((0, 0), (0, 0), (top, bottom), (left, right)))
    every = np.lib.stride_tricks.sliding_window_view(padded, size[2:], axis=(2, 3))[:, :, ::down, ::over]
    piece, row, column = (rng.integers(0, every.shape[axis], PLACES) for axis in (0, 2, 3))
    return every[piece, :, row, column].reshape(PLACES, -1)


def round_again(network: onnx.ModelProto, whole: onnx.ModelProto, batches: list[np.ndarray]) -> None:
    """Exchange the whole numbers in `whole`, made from `network`, for better ones; `batches` are inputs of the network."""
    weights = {one.name: numpy_helper.to_array(one) for one in network.graph.initializer}
    numbers = {one.name: one for one in whole.graph.initializer}
    layers = [node for node in network.graph.node if len(node.input) > 1 and f"{node.input[1]}_quantized" in numbers]
    rng = np.random.default_rng(0)
    squares = {node.name: 0.0 for node in layers}
    for inputs in inputs_of(network, layers, batches):
        for node, given in zip(layers, inputs, strict=True):
            seen = seen_by(node, weights[node.input[1]].shape, given, rng).astype(np.float64)
            squares[node.name] = squares[node.name] + seen.T @ seen / len(seen)
    for node in layers:
        matrix, scale = weights[node.input[1]], numpy_helper.to_array(numbers[f"{node.input[1]}_scale"])
        better = rounded(matrix.reshape(len(matrix), -1), scale, squares[node.name] / len(batches)).reshape(matrix.shape)
        numbers[f"{node.input[1]}_quantized"].CopyFrom(numpy_helper.from_array(better, f"{node.input[1]}_quantized"))


def inputs_of(network: onnx.ModelProto, layers: list[onnx.NodeProto], batches: list[np.ndarray]) -> Iterator[list[np.ndarray]]:
    """What each layer is given, for each input of the network."""
    open_network = onnx.ModelProto()
    open_network.CopyFrom(network)
    picture = network.graph.input[0].name
    names = list(dict.fromkeys(node.input[0] for node in layers))
    open_network.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    session = InferenceSession(open_network.SerializeToString(), providers=["CPUExecutionProvider"])
    for batch in batches:
        found = dict(zip(names, session.run(names, {picture: batch}), strict=True))
        yield [found[node.input[0]] for node in layers]
