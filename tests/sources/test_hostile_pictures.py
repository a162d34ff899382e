"""Pictures made to do harm: three thousand of every format that Pillow writes, damaged in every way, in a process of their own."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

_PROGRAM = """
import json, re, sys, time
from pathlib import Path
from visionset.errors import PictureError
from visionset.sources import read_picture

for path in sorted(Path(sys.argv[1]).iterdir()):
    start_s = time.process_time()
    try:
        image = read_picture(path)
        told = "" if image.ndim == 3 and image.shape[2] == 3 else f"shape {image.shape}"
        kind = "read"
    except PictureError as error:
        told, kind = ("two lines" if "\\n" in str(error) else ""), "refused"
    peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())
    print(json.dumps([path.name, kind, told, time.process_time() - start_s, int(peak[1]) / 1000]), flush=True)
"""

MOST_S = 5.0
"""Processor time of an answer about a picture that is small, or promises to be large and is not."""

LARGE_S = 20.0
"""The same for 49 megapixels that are all there."""

MOST_MB = 1000.0


def whole_pictures(rng: np.random.Generator) -> Iterator[tuple[str, bytes]]:
    """A small picture in every format, mode and setting that Pillow writes."""
    Image.init()
    rough = rng.integers(0, 255, (12, 16, 3), np.uint8)
    picture = Image.fromarray(rough).resize((96, 72))
    for name in sorted(Image.SAVE):
        for mode in ("RGB", "RGBA", "L", "P", "1", "CMYK", "I;16", "F", "LA"):
            for more in ({}, {"progressive": True}, {"compression": "tiff_lzw"}, {"compression": "jpeg"}, {"lossless": True}):
                file = io.BytesIO()
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        picture.convert(mode).save(file, name, **more)
                except Exception:  # not every format has every mode
                    continue
                if file.getvalue():
                    yield name.lower(), file.getvalue()


def damaged(rng: np.random.Generator, data: bytes) -> bytes:
    """Cut, overwrite, repeat, drop or swap some of it, the header more often than chance."""
    what = bytearray(data)
    for _ in range(int(rng.integers(1, 6))):
        size = len(what)
        if size < 4:
            break
        at = int(rng.integers(size if rng.random() < 0.5 else min(size, 64)))
        span = int(rng.integers(1, 1 + min(64, size)))
        way = rng.integers(7)
        if way == 0:
            del what[at:]
        elif way == 1:
            what[at : at + span] = rng.bytes(span)
        elif way == 2:
            what[at:at] = what[at : at + span] * int(rng.integers(1, 40))
        elif way == 3:
            del what[at : at + span]
        elif way == 4:
            what[at] ^= 1 << int(rng.integers(8))
        elif way == 5:
            what[at : at + 4] = rng.choice([b"\xff\xff\xff\xff", b"\x00\x00\x00\x00", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00"])
        else:
            what[at : at + span] = bytes(span)
    return bytes(what)


def bombs() -> Iterator[tuple[str, bytes]]:
    """Small files of huge pictures."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + name + body + zlib.crc32(name + body).to_bytes(4, "big")

    def png(width: int, height: int, depth: int, color: int, raw: bytes, *more: bytes) -> bytes:
        head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([depth, color, 0, 0, 0])
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(more) + chunk(b"IDAT", raw) + chunk(b"IEND", b"")

    for side in (7_000, 20_000, 100_000, 2**31 - 1):
        for depth, color, wide in ((8, 0, 1), (8, 2, 3), (8, 6, 4), (16, 6, 8)):
            packed = zlib.compressobj(1)
            rows = range(side if side < 8_000 else 1)  # the huge ones are promised alone
            raw = b"".join(packed.compress(bytes(1 + wide * min(side, 8_000))) for _ in rows) + packed.flush()
            yield f"bomb-{side}-{depth}-{color}.png", png(side, side, depth, color, raw)
    text = chunk(b"zTXt", b"note\x00\x00" + zlib.compress(bytes(100_000_000), 1))
    yield "bomb-text.png", png(64, 64, 8, 2, zlib.compress(bytes(64 * (1 + 64 * 3))), text)
    for name, settings in (("GIF", {}), ("BMP", {}), ("TIFF", {"compression": "tiff_lzw"}), ("WEBP", {}), ("JPEG", {"progressive": True})):
        file = io.BytesIO()
        side = 16_000 if name != "BMP" else 4_000
        Image.new("L", (side, side if name == "JPEG" else 4_000)).save(file, name, **settings)
        yield f"bomb.{name.lower()}", file.getvalue()


def hostile(folder: Path, count: int) -> None:
    """Write `count` damaged files and some special ones."""
    rng = np.random.default_rng(20)
    wholes = list(whole_pictures(rng))
    endings = sorted({name for name, _ in wholes} | {"jpg", "tif", "mp4", "txt", "", "json"})
    for number in range(count):
        _, data = wholes[number % len(wholes)]
        ending = rng.choice(endings) if rng.random() < 0.3 else wholes[number % len(wholes)][0]
        (folder / f"{number:05d}.{ending}").write_bytes(damaged(rng, data) if number >= len(wholes) else data)
    for name, data in bombs():
        (folder / name).write_bytes(data)
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "folder.jpg").mkdir()
    (folder / "nothing.jpg").symlink_to(folder / "none")
    (folder / "circle.jpg").symlink_to(folder / "circle.jpg")
    for device in ("zero", "random", "full", "null", "stdin", "tty"):
        (folder / f"{device}.jpg").symlink_to(f"/dev/{device}")
    os.mkfifo(folder / "pipe.jpg")
    with (folder / "sparse.jpg").open("wb") as file:
        file.truncate(50 * 10**9)


def answers(folder: Path) -> list[tuple[str, str, str, float, float]]:
    """What the reader makes of each; the process must get through all of them and warn of nothing."""
    done = subprocess.run([sys.executable, "-c", _PROGRAM, str(folder)], capture_output=True, text=True, timeout=3000, check=False)
    lines = [tuple(json.loads(line)) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (lines[-1:], done.stderr[-2000:])
    assert re.findall(r"Traceback.*|.*\.py:\d+.*", done.stderr) == []  # what C decoders write past everybody is not ours
    assert len(lines) == len(list(folder.iterdir()))
    return lines


def check(folder: Path, count: int) -> None:
    hostile(folder, count)
    told = answers(folder)
    assert [line for line in told if line[2]] == []
    assert [line for line in told if line[3] > (LARGE_S if line[0].startswith("bomb-7000") else MOST_S)] == []
    assert max(line[4] for line in told) < MOST_MB
    assert 0.1 < sum(line[1] == "read" for line in told) / len(told) < 0.9  # neither harmless nor all of it noise


@pytest.mark.skipif(sys.platform != "linux", reason="pipes, devices and the largest memory ever used are asked for as Linux has them")
@pytest.mark.slow
def test_three_thousand_hostile_pictures_end_nothing(tmp_path: Path) -> None:
    check(tmp_path, 3000)
