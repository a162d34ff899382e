"""The engine: the answers of another one, whatever the shape; weights that compute alike everywhere; one thread beside a camera."""

import gzip
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest

from visionset.geometry import Frame
from visionset.session import SessionOptions, tracker_of
from visionset.table import Table
from visionset.vision import engine

EXACT = Path(__file__).parents[2] / "scripts" / "training" / "weights"
"""The same networks with weights in floating point."""

SAMPLES = Path(__file__).parents[2] / "samples"

SHAPES = {
    "finder": ((1, 3, 224, 384), (1, 3, 96, 160), (1, 3, 448, 768), (1, 3, 32, 32)),
    "set_finder": ((1, 3, 288, 384), (1, 3, 96, 160)),
    "reader": ((1, 3, 96, 64), (12, 3, 96, 64), (3, 3, 96, 64)),
    "card": ((5, 3, 144, 96), (1, 3, 144, 96)),
    "index": ((9, 3, 56, 40), (1, 3, 56, 40)),
    "die": ((42, 3, 48, 48), (1, 3, 48, 48), (7, 3, 48, 48)),
}
NOT_ROUNDED = {"card_gray": SHAPES["card"], "index_gray": SHAPES["index"], "counter": ((12, 1, 34, 22), (1, 1, 34, 22))}


def answers_of_both(packed: bytes, name: str, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """What the network of the package says of windows of a photo, and what OpenCV computes with the weights in that file."""
    other = cv2.dnn.readNetFromONNX(np.frombuffer(gzip.decompress(packed), np.uint8))
    photo, (count, channels, height, width) = cv2.imread(str(SAMPLES / "table-12.jpg")), shape
    rng = np.random.default_rng(5)
    batch = np.empty(shape, np.float32)
    for at in range(count):
        high = min(photo.shape[0], 3 * height)
        wide = min(photo.shape[1], 3 * width)
        top, left = rng.integers(photo.shape[0] - high + 1), rng.integers(photo.shape[1] - wide + 1)
        window = cv2.resize(photo[top : top + high, left : left + wide], (width, height), interpolation=cv2.INTER_AREA)
        batch[at] = window.transpose(2, 0, 1)[:channels] / 255
    other.setInput(batch)
    return engine.network(name)(batch), other.forward()


@pytest.mark.parametrize(("name", "shape"), [(name, shape) for name, shapes in NOT_ROUNDED.items() for shape in shapes])
def test_answers_are_those_of_another_engine(name: str, shape: tuple[int, ...]) -> None:
    packed = resources.files("visionset.vision").joinpath(f"weights/{name}.onnx.gz").read_bytes()
    np.testing.assert_allclose(*answers_of_both(packed, name, shape), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(("name", "shape"), [(name, shape) for name, shapes in SHAPES.items() for shape in shapes])
def test_rounded_weights_answer_about_as_exact_ones_do_with_another_engine(name: str, shape: tuple[int, ...]) -> None:
    said, exactly = answers_of_both((EXACT / f"{name}.onnx.gz").read_bytes(), name, shape)
    assert said.shape == exactly.shape
    assert np.abs(said - exactly).mean() < 0.06, "of a logit, or of a unit of the answers"


def parts_of(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Numbers and contents of the fields of a message as ONNX files hold them: whole numbers, bytes and messages within it."""
    at = 0

    def number() -> int:
        nonlocal at
        found = shift = 0
        while True:
            at, byte = at + 1, message[at]
            found, shift = found | (byte & 127) << shift, shift + 7
            if byte < 128:
                return found

    while at < len(message):
        key = number()
        size = {0: 0, 1: 8, 2: 0, 5: 4}[key & 7]
        if key & 7 == 0:
            yield key >> 3, number()
            continue
        size = number() if key & 7 == 2 else size
        yield key >> 3, message[at : at + size]
        at += size


def tensors_of_bytes(model: bytes) -> list[np.ndarray]:
    """All constants of a network that are whole numbers of eight bits with a sign: its rounded weights; a zero point is held elsewhere."""
    graph_field, constant_field, type_field, content_field, int8 = 7, 5, 2, 9, 3
    (graph,) = (part for field, part in parts_of(model) if field == graph_field)
    constants = [dict(parts_of(part)) for field, part in parts_of(graph) if field == constant_field]
    return [np.frombuffer(one.get(content_field, b""), np.int8) for one in constants if one[type_field] == int8]


@pytest.mark.parametrize("name", SHAPES)
def test_no_processor_cuts_a_sum_of_rounded_weights_off(name: str) -> None:
    """Two products of what passes between layers, up to 255, and of weights are added in 16 bits where eight have no instruction."""
    rounded = [weights.astype(int) for weights in tensors_of_bytes(engine.model(name))]
    assert sum(weights.size > 500 for weights in rounded) >= 8
    assert 2 * 255 * max(np.abs(weights).max(initial=0) for weights in rounded) < 2**15


def test_the_thread_that_asks_computes_alone_where_told(monkeypatch):
    monkeypatch.setattr(engine, "_processors", lambda: 8)
    assert engine.threads() == 2
    with engine.one_thread():
        assert engine.threads() == 1
        elsewhere = []
        other = threading.Thread(target=lambda: elsewhere.append(engine.threads()))
        other.start()
        other.join()
        assert elsewhere == [2]
    assert engine.threads() == 2
    monkeypatch.setattr(engine, "_processors", lambda: 1)
    assert engine.threads() == 1


@pytest.mark.parametrize(("is_live", "threads"), [(True, 1), (False, 2)])
def test_a_camera_is_read_aside_on_one_thread(monkeypatch, is_live, threads):
    """The window, the camera and the tracker need the other processor; a file is waited for."""
    seen = []
    read = threading.Event()

    def note(image_bgr, options=None):
        seen.append(engine.threads())
        read.set()
        return Table((48, 36))

    monkeypatch.setattr(engine, "_processors", lambda: 8)
    monkeypatch.setattr("visionset.vision.pipeline.read", note)
    with ExitStack() as stack:
        tracker = tracker_of(SessionOptions(), is_live, stack)
        tracker.see(Frame(np.zeros((36, 48, 3), np.uint8)))
        assert read.wait(60)
    assert set(seen) == {threads}


def test_weights_are_small() -> None:
    assert sum(path.stat().st_size for path in Path(engine.__file__).parent.joinpath("weights").iterdir()) < 3_500_000


def _both() -> tuple[int, int]:
    return engine.at_once(lambda: 1, lambda: 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_computes_two_things_at_once_too() -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(engine, "threads", lambda: 2)
        assert _both() == (1, 2)
        with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as forked:
            assert forked.submit(_both).result(timeout=30) == (1, 2)


def test_nothing_is_kept_or_sent_of_what_was_read(tmp_path):
    """ONNX Runtime keeps a file of what ran in the home folder, unless it is told in time, or believes that it is tested itself."""
    code = "import numpy as np; from visionset.vision.pipeline import read; read(np.full((90, 120, 3), 90, np.uint8))"
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "SYSTEMROOT") if name in os.environ}
    subprocess.run([sys.executable, "-c", code], env=kept | {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}, check=True)
    assert list(tmp_path.rglob("*")) == []


def test_probabilities_of_what_is_out_of_the_question_overflow_nothing() -> None:
    """The shape of a degenerate quad may speak against it with a thousand and more."""
    for kind in (np.float32, np.float64):
        said = engine.expit(np.array([-5000, -80, -1, 0, 1, 80, 5000], kind))
        assert (np.diff(said) >= 0).all()
        assert said[[0, 3, 6]].tolist() == [said[1], 0.5, 1.0]
        assert said[0] < 1e-34
