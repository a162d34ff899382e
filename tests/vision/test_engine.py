"""The engine computes what the networks say: the answers of another engine, whatever the shape; one thread beside a camera."""

import gzip
import threading
from contextlib import ExitStack
from importlib import resources
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from visionset.cli import build_parser
from visionset.commands import watching
from visionset.frame import Frame
from visionset.table import Table
from visionset.vision import engine

SHAPES = {
    "finder": ((1, 3, 224, 384), (1, 3, 96, 160), (1, 3, 448, 768), (1, 3, 32, 32)),
    "set_finder": ((1, 3, 288, 384), (1, 3, 96, 160)),
    "reader": ((1, 3, 96, 64), (12, 3, 96, 64), (3, 3, 96, 64)),
    "card": ((5, 3, 144, 96), (1, 3, 144, 96)),
    "index": ((9, 3, 56, 40), (1, 3, 56, 40)),
    "die": ((42, 3, 48, 48), (1, 3, 48, 48), (7, 3, 48, 48)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_answers_are_those_of_another_engine(name):
    packed = resources.files("visionset.vision").joinpath(f"weights/{name}.onnx.gz").read_bytes()
    other = cv2.dnn.readNetFromONNX(np.frombuffer(gzip.decompress(packed), np.uint8))
    rng = np.random.default_rng(5)
    for shape in SHAPES[name]:
        coarse = rng.random((shape[0], 8, 8, 3), np.float32)
        batch = np.stack([cv2.resize(one, shape[:1:-1]).transpose(2, 0, 1) for one in coarse]).astype(np.float32)
        other.setInput(batch)
        np.testing.assert_allclose(engine.network(name)(batch), other.forward(), atol=1e-4, rtol=1e-4)


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
    """The window, the camera and the follower need the other processor; a file is waited for."""
    seen = []
    read = threading.Event()

    def note(image_bgr, options=None):
        seen.append(engine.threads())
        read.set()
        return Table((48, 36))

    monkeypatch.setattr(engine, "_processors", lambda: 8)
    monkeypatch.setattr("visionset.vision.see.read", note)
    args = build_parser().parse_args(["watch"])
    with ExitStack() as stack:
        follower = watching.follower_of(args, SimpleNamespace(is_live=is_live), None, stack)
        follower.see(Frame(np.zeros((36, 48, 3), np.uint8)))
        assert read.wait(60)
    assert set(seen) == {threads}
