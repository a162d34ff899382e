"""Let the channels of a layer reach about equally far before it is rounded: one step of whole numbers serves them all.

A channel that is divided by a number before the rectifier, and multiplied by it in what reads it, says the same; maps that are added
share their numbers (Nagel et al. 2019, Data-Free Quantization).
"""

import numpy as np
import onnx
from onnx import numpy_helper
from onnxruntime import InferenceSession

ALIKE = 0.75  # power of how far a channel reaches: with 1 weights become too unequal in their turn
LEAST = 1 / 64  # of the furthest: a channel that hardly says anything is not blown up
HANDED_ON = {"Relu", "Add", "Resize"}


def equalized(network: onnx.ModelProto, batches: list[np.ndarray]) -> onnx.ModelProto:
    """The same network with other weights: the same answers to `batches`, inputs of it, before rounding."""
    found = onnx.ModelProto()
    found.CopyFrom(network)
    weights = {one.name: one for one in found.graph.initializer}
    groups = [group for group in _together(found.graph) if _may_change(found.graph, group)]
    reach = _reach(network, sorted(set().union(*groups)), batches)

    def times(name: str, factors: np.ndarray) -> None:
        weights[name].CopyFrom(numpy_helper.from_array((numpy_helper.to_array(weights[name]) * factors).astype(np.float32), name))

    for group in groups:
        furthest = np.max([reach[name] for name in group if name in reach], axis=0)
        share = np.maximum(furthest / furthest.max(), LEAST) ** ALIKE
        for node in found.graph.node:
            if node.op_type == "Conv" and node.output[0] in group:
                times(node.input[1], 1 / share[:, None, None, None])
                times(node.input[2], 1 / share)
            if node.op_type == "Conv" and node.input[0] in group:
                times(node.input[1], share[None, :, None, None])
    return found


def _together(graph: onnx.GraphProto) -> list[set[str]]:
    """Names of maps whose channels can only be changed together."""
    constants = {one.name for one in graph.initializer} | {node.output[0] for node in graph.node if node.op_type == "Constant"}
    groups: list[set[str]] = []
    for node in graph.node:
        names = {*(node.input if node.op_type in HANDED_ON else ()), *node.output} - constants - {""}
        groups = [*(group for group in groups if not group & names), names.union(*(group for group in groups if group & names))]
    return groups


def _may_change(graph: onnx.GraphProto, group: set[str]) -> bool:
    """Whether convolutions alone make these maps and read them."""
    ends = {one.name for one in (*graph.input, *graph.output)}
    makers = {node.op_type for node in graph.node if group & set(node.output)} - HANDED_ON
    readers = {node.op_type for node in graph.node if group & set(node.input)} - HANDED_ON
    return not group & ends and makers == readers == {"Conv"}


def _reach(network: onnx.ModelProto, names: list[str], batches: list[np.ndarray]) -> dict[str, np.ndarray]:
    """The furthest value of each channel of the maps that are rounded: not of what only a rectifier reads."""
    readers = {name: [node.op_type for node in network.graph.node if name in node.input] for name in names}
    names = [name for name in names if readers[name] != ["Relu"]]
    opened = onnx.ModelProto()
    opened.CopyFrom(network)
    opened.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    session = InferenceSession(opened.SerializeToString(), providers=["CPUExecutionProvider"])
    found: dict[str, np.ndarray] = {}
    for batch in batches:
        for name, values in zip(names, session.run(names, {network.graph.input[0].name: batch}), strict=True):
            furthest = np.abs(values).max(axis=(0, 2, 3))
            found[name] = np.maximum(found.get(name, furthest), furthest)
    return found
