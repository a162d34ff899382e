"""The engine: the answers of another one, whatever the shape; the weights that suit the processor; one thread beside a camera."""

import gzip
import multiprocessing
import os
import platform
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.rendering import tables
from visionset.errors import VisionsetError
from visionset.geometry import Frame
from visionset.pieces import Kind
from visionset.session import SessionOptions, tracker_of
from visionset.table import Table
from visionset.vision import engine, pipeline

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
        with engine.with_weights("float"):
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


def test_the_weights_are_those_that_suit_the_processor(monkeypatch):
    monkeypatch.delenv("VISIONSET_WEIGHTS")
    for exact, weights in ((True, engine.Weights.INT8), (False, engine.Weights.FLOAT)):
        monkeypatch.setattr(engine, "multiplies_int8", lambda exact=exact: exact)
        assert engine.weights() is weights
        for forced in engine.Weights:
            monkeypatch.setenv("VISIONSET_WEIGHTS", forced.value)
            assert engine.weights() is forced
        monkeypatch.setenv("VISIONSET_WEIGHTS", "")
        assert engine.weights() is weights


def test_weights_that_nobody_knows_are_refused_in_one_line(monkeypatch):
    monkeypatch.setenv("VISIONSET_WEIGHTS", "double")
    with pytest.raises(VisionsetError, match=r"^VISIONSET_WEIGHTS: expected float or int8, got 'double'; unset it[^\n]*$"):
        engine.network("reader")


@pytest.mark.parametrize(
    ("system", "flags", "fast"),
    [("linux", "fp asimd evtstrm asimddp", True), ("linux", "fp asimd evtstrm", False), ("darwin", None, True), ("linux", None, False)],
)
def test_on_arm_the_dot_product_decides(tmp_path, system, flags, fast):
    path = tmp_path / "cpuinfo"
    if flags is not None:
        path.write_text(f"processor : 0\nFeatures : {flags}\n")
    assert engine.multiplies_int8("aarch64", system, path) is fast


def test_on_x86_a_product_that_older_processors_cut_off_decides(monkeypatch):
    flags = Path("/proc/cpuinfo")
    if platform.machine().lower() in ("x86_64", "amd64") and flags.is_file():
        known = flags.read_text()
        assert engine.multiplies_int8() == ("avx512_vnni" in known or "avx_vnni" in known)
    monkeypatch.setattr(engine, "_multiplies_exactly", lambda: False)
    assert not engine.multiplies_int8("amd64", "win32", flags)


@pytest.mark.slow
@pytest.mark.skipif(not engine.multiplies_int8(), reason="this processor does not compute exactly with these weights")
def test_int8_weights_read_as_much_rightly_as_float_ones(monkeypatch):
    right, wrong = Counter(), Counter()
    kinds = (Kind.SET_CARD, Kind.PLAYING_CARD, Kind.SET_DIE, Kind.PIP_DIE)
    shown = [one for at, kind in enumerate(kinds) for one in tables(kind, range(780 + 3 * at, 783 + 3 * at))]
    for image_bgr, pieces in shown:
        there = Counter(str(piece.piece) for piece in pieces if piece.piece)
        for weights in engine.Weights:
            monkeypatch.setenv("VISIONSET_WEIGHTS", weights.value)
            named = Counter(str(piece) for piece in pipeline.read(image_bgr).pieces if piece)
            right[weights] += (named & there).total()
            wrong[weights] += (named - there).total()
    assert right[engine.Weights.FLOAT] > 60
    assert right[engine.Weights.INT8] >= right[engine.Weights.FLOAT] - 2
    assert wrong[engine.Weights.INT8] <= wrong[engine.Weights.FLOAT] + 2


def test_both_sets_of_weights_are_small():
    sizes = {path.name: len(path.read_bytes()) for path in resources.files("visionset.vision").joinpath("weights").iterdir()}
    for name in engine.ROUNDED:
        assert sizes[f"{name}.int8.onnx.gz"] < 0.6 * sizes[f"{name}.onnx.gz"]
    assert sum(size for name, size in sizes.items() if ".int8." not in name) < 6_500_000
    assert sum(sizes.values()) < 8_000_000


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
