"""Lay a rounded network out as ONNX Runtime would each time that it loads it, and make its map grow by copies.

Between convolutions of whole numbers a pixel's channels lie side by side. There, doubling a map by the operator for it takes fourteen
times as long as by copying each pixel and each row, a tenth of the finder's time.
"""

import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

EACH_ROW = "each_row"
KNOWN = {"", "com.microsoft"}  # sets of operators that are needed; the runtime names all that it has
IR_VERSION = 8


def laid_out(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same network, computing the same numbers, for every processor: without what suits only the one that lays it out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "laid_out.onnx"
        options = onnxruntime.SessionOptions()
        options.optimized_model_filepath = str(path)
        options.log_severity_level = 3  # errors
        onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"], disabled_optimizers=["NchwcTransformer"]
        )
        found = onnx.load(path)
    grown_by_copies(found.graph)
    known = [one for one in found.opset_import if one.domain in KNOWN]
    del found.opset_import[:], found.graph.value_info[:]
    found.opset_import.extend(known)
    found.ir_version = IR_VERSION
    return found


def grown_by_copies(graph: onnx.GraphProto) -> None:
    """Double maps, shape (1, rows, columns, channels), by copies of each pixel and of each row, to the size of what is added to them."""
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        if node.op_type != "Resize":
            nodes.append(node)
            continue
        (small,), (large,) = node.input[:1], node.output
        (adding,) = (one for one in graph.node if large in one.input)
        (added,) = (one for one in (adding.input[0], adding.input[3]) if one != large)
        names = [f"{large}_{step}" for step in ("columns", "row", "rows", "size")]
        columns, row, rows, size = names
        nodes += [
            helper.make_node("Concat", [small, small], [columns], axis=3),
            helper.make_node("Reshape", [columns, EACH_ROW], [row]),
            helper.make_node("Concat", [row, row], [rows], axis=2),
            helper.make_node("Shape", [added], [size]),
            helper.make_node("Reshape", [rows, size], [large]),
        ]
    del graph.node[:]
    graph.node.extend(nodes)
    if any(EACH_ROW in node.input for node in nodes):
        graph.initializer.append(numpy_helper.from_array(np.array([0, 0, -1], np.int64), EACH_ROW))
    used = {name for node in nodes for name in node.input}
    kept = [one for one in graph.initializer if one.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
