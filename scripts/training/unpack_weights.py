"""Packed weights as a state that training can go on from."""

import gzip
from pathlib import Path

import numpy as np
import onnx
import torch
from networks import Finder, PieceReader, Reader
from onnx import numpy_helper
from torch import nn


def spread(net: nn.Module, layer: nn.Module, pieces: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean and variance of each channel that a layer gives."""
    seen: list[torch.Tensor] = []
    watch = layer.register_forward_hook(lambda _layer, _given, out: seen.append(out))
    net(pieces)
    watch.remove()
    return seen[0].mean((0, 2, 3)), seen[0].var((0, 2, 3))


def unpack(net: Finder | PieceReader | Reader, packed: Path, pieces: torch.Tensor) -> None:
    """Give a network the weights of an ONNX file (.onnx.gz).

    Writing ONNX has folded each batch normalisation into the convolution before it. What it had learned of its inputs is
    learned again from `pieces`, a few thousand as for training, so that the answers stay the same when training goes on.
    """
    model = onnx.load_from_string(gzip.decompress(packed.read_bytes()))
    known = {one.name: torch.from_numpy(np.array(numpy_helper.to_array(one))) for one in model.graph.initializer}
    state = net.state_dict()
    net.load_state_dict({name: known[name] for name in state if name in known}, strict=False)
    folded = iter([node.input[1:] for node in model.graph.node if node.op_type == "Conv" and node.input[1] not in state])
    layers = [one for one in net.modules() if isinstance(one, nn.BatchNorm2d) or (isinstance(one, nn.Conv2d) and one.bias is None)]
    net.eval()
    for conv, norm in zip(layers[::2], layers[1::2], strict=True):
        weight, bias = (known[name] for name in next(folded))
        with torch.no_grad():
            conv.weight.copy_(weight)
            mean, variance = spread(net, conv, pieces)
            conv.weight.div_(variance.sqrt().reshape(-1, 1, 1, 1))
            norm.running_mean.copy_(mean / variance.sqrt())
            norm.running_var.fill_(1)
            norm.weight.copy_((variance * (1 + norm.eps)).sqrt())
            norm.bias.copy_(bias + mean)
    net.train()
