"""The small networks: where pieces lie, and what a piece says."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

STRIDE = 4
FINE, COARSE = 6, 8  # channels of a reader that keep their place


def device() -> str:
    """Where networks learn: on a GPU where there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def block(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(block(width, width), nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        nn.init.zeros_(self.body[2].weight)  # begins as the identity

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


def trunk(widths: tuple[int, int, int, int]) -> nn.Sequential:
    """What both readers begin with: a patch to `widths[2]` channels at an eighth (6 layers), then `widths[3]` at a sixteenth."""
    a, b, c, d = widths
    return nn.Sequential(
        nn.Conv2d(3, a, 5, 2, 2, bias=False),
        nn.BatchNorm2d(a),
        nn.ReLU(inplace=True),
        block(a, b, 2),
        block(b, c, 2),
        Residual(c),
        block(c, d, 2),
        Residual(d),
    )


class Finder(nn.Module):
    """Picture to a map at a quarter of its size.

    Channels: 0-5 centre scores (logits) of `HEATS`; 6-7 offset of the centre from the cell, in cells; 8-10 and 11-13
    the outer products u u^T / |u| and v v^T / |v| (xx, xy, yy) of the half axes of a card or an index, long and short,
    in `UNIT_PX`; 14-17 the half axes u and v of a die's top face as complex numbers in (u^2 + v^2) / s and
    u^2 v^2 / s^3 (real, imaginary), s^2 = |u v|. These forms do not change when an axis is reversed, or when the two
    axes of a die change places: a card looks the same upside down, a die after a quarter turn.
    """

    HEATS = ("set card", "playing card", "back", "die", "index", "partly hidden card")
    OUTPUTS = 18

    def __init__(self, widths: tuple[int, ...] = (16, 24, 48, 64, 80)) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.down2 = block(3, a, 2)
        self.down4 = block(a, b, 2)
        self.down8 = nn.Sequential(block(b, c, 2), Residual(c))
        self.down16 = nn.Sequential(block(c, d, 2), Residual(d), Residual(d))
        self.down32 = nn.Sequential(block(d, e, 2), Residual(e), Residual(e))
        self.to16 = nn.Conv2d(e, d, 1)
        self.up16 = nn.Sequential(block(d, d), Residual(d))
        self.to8 = nn.Conv2d(d, c, 1)
        self.up8 = nn.Sequential(block(c, c), Residual(c))
        self.to4 = nn.Conv2d(c, b, 1)
        self.up4 = block(b, 32)
        self.head = nn.Conv2d(32, self.OUTPUTS, 1)
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[: len(self.HEATS)] = -4.0
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x: Tensor) -> Tensor:
        x4 = self.down4(self.down2(x))
        x8 = self.down8(x4)
        x16 = self.down16(x8)
        x16 = self.up16(x16 + self.up(self.to16(self.down32(x16))))
        x8 = self.up8(x8 + self.up(self.to8(x16)))
        x4 = self.up4(x4 + self.up(self.to4(x8)))
        return self.head(x4)


class Reader(nn.Module):
    """Straightened card to logits and a better frame.

    Output, one row a card: 3 number, 3 colour, 3 shading, 3 shape (as the enums are ordered), 1 is-a-card,
    8 corner corrections in units of the patch's `shift_px`.
    """

    OUTPUTS = 3 + 3 + 3 + 3 + 1 + 8

    def __init__(self, widths: tuple[int, int, int, int] = (20, 40, 64, 72)) -> None:
        super().__init__()
        d = widths[-1]
        self.body = trunk(widths)
        self.rows = nn.Conv2d(d, 16, 1)
        self.head = nn.Sequential(nn.Linear(d + 16 * 24, 96), nn.ReLU(inplace=True), nn.Dropout(0.1), nn.Linear(96, self.OUTPUTS))

    def forward(self, x: Tensor) -> Tensor:
        x = self.body(x)
        place = torch.relu(self.rows(x)).flatten(1)
        return self.head(torch.cat([x.mean(dim=(2, 3)), place], dim=1))


class PieceReader(nn.Module):
    """Straightened patch to one row: logits of each group of answers, then 8 corner corrections in units of the patch's `shift_px`.

    Where the corners are is read from a map at an eighth of the patch: at a sixteenth a die's corrections are not learned.
    """

    def __init__(self, groups: tuple[int, ...], size: tuple[int, int], widths: tuple[int, int, int, int]) -> None:
        super().__init__()
        c, d = widths[2:]
        self.body = trunk(widths)
        self.fine, self.place = nn.Conv2d(c, FINE, 1), nn.Conv2d(d, COARSE, 1)
        cells = FINE * -(-size[0] // 8) * -(-size[1] // 8) + COARSE * -(-size[0] // 16) * -(-size[1] // 16)
        self.head = nn.Sequential(nn.Linear(d + cells, 112), nn.ReLU(inplace=True), nn.Dropout(0.05), nn.Linear(112, sum(groups) + 8))

    def forward(self, x: Tensor) -> Tensor:
        x8 = self.body[:6](x)
        x16 = self.body[6:](x8)
        places = [torch.relu(self.fine(x8)).flatten(1), torch.relu(self.place(x16)).flatten(1)]
        return self.head(torch.cat([x16.mean(dim=(2, 3)), *places], dim=1))


class Attention(nn.Module):
    """Lets each card of a table look at all of them."""

    HEADS = 4

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.norm, self.ask, self.answer = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.body = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * width, width)
        )

    def forward(self, x: Tensor, hidden: Tensor | None) -> Tensor:
        tables, cards, width = x.shape
        size = width // self.HEADS
        query, key, value = self.ask(self.norm(x)).reshape(tables, cards, 3, self.HEADS, size).permute(2, 0, 3, 1, 4)
        weight = query @ key.transpose(-1, -2) / size**0.5
        seen = torch.softmax(weight if hidden is None else weight + hidden, -1) @ value
        x = x + self.answer(seen.transpose(1, 2).reshape(tables, cards, width))
        return x + self.body(x)


class Comparison(nn.Module):
    """Evidence, shape (tables, cards, columns), to what is added to the log odds of the three colours and three shadings of each card."""

    OUTPUTS = 6

    def __init__(self, columns: int, width: int = 64, layers: int = 3, dropout: float = 0.1) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(columns))
        self.register_buffer("spread", torch.ones(columns))
        self.enter = nn.Sequential(nn.Linear(columns, 2 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * width, width))
        self.layers = nn.ModuleList([Attention(width, dropout) for _ in range(layers)])
        self.leave = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, self.OUTPUTS))
        nn.init.zeros_(self.leave[1].weight)  # begins without a word
        nn.init.zeros_(self.leave[1].bias)

    def measure(self, evidence: Tensor) -> None:
        """Learn how large each column is, given rows of evidence."""
        self.mean.copy_(evidence.mean(0))
        self.spread.copy_(evidence.std(0) + 0.01)

    def forward(self, evidence: Tensor, is_card: Tensor | None = None) -> Tensor:
        x = self.enter(((evidence - self.mean) / self.spread).clamp(-5, 5))
        hidden = None if is_card is None else torch.where(is_card, 0.0, -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, hidden)
        return self.leave(x)


class Counter(nn.Module):
    """Ink of SET cards, shape (n, 1, 34, 22), relative to their fullest, to how likely each bears one, two or three symbols (logits)."""

    def __init__(self, widths: tuple[int, int, int] = (8, 12, 16)) -> None:
        super().__init__()
        a, b, c = widths
        self.body = nn.Sequential(block(1, a), block(a, b, 2), block(b, c, 2), nn.Dropout(0.1), nn.Flatten(), nn.Linear(c * 9 * 6, 3))

    def forward(self, ink: Tensor) -> Tensor:
        return self.body(ink)


def timed(batches: Iterable, optimiser: torch.optim.Optimizer, rate: float, minutes: float) -> Iterator[tuple[int, float, Any]]:
    """Batches for so many minutes, over and over, each with its number from 1 on and the seconds since the first.

    The optimiser's rate warms up in 200 steps, and fades out with the time.
    """
    start, step = time.time(), 0
    while True:
        for batch in batches:
            share = (time.time() - start) / (60 * minutes)
            if share >= 1:
                return
            step += 1
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1, step / 200) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-5
            yield step, time.time() - start, batch


def export(net: nn.Module, path: Path, example: tuple[int, ...], free: dict[int, str]) -> None:
    """Write a network as ONNX: one input of about the shape of `example`, one output, the axes `free` of any length."""
    net.eval()
    torch.onnx.export(
        net.to("cpu", memory_format=torch.contiguous_format),
        (torch.zeros(example),),
        str(path),
        dynamo=False,
        opset_version=13,
        input_names=["input"],
        output_names=["output"],
        dynamic_axes=dict.fromkeys(("input", "output"), free),
    )
