"""The engine of the networks: the one module that knows what runs them.

Most are quantized: weights of seven bits, activations of eight. They read as well as in floating point and take less time. With weights of
eight bits sums would saturate on older processors.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # from 1.29 on it keeps a file of what ran, and may send it; asked later, it does so all the same
import onnxruntime

ResultT = TypeVar("ResultT")

ENGINE = f"ONNX Runtime {onnxruntime.__version__}"

_WEIGHTS = resources.files("visionset.vision").joinpath("weights")

_MOST_THREADS = 2
"""The networks are small: a third thread has nothing to do."""

_threads: ContextVar[int | None] = ContextVar("threads", default=None)

onnxruntime.disable_telemetry_events()  # builds for Windows would tell the system what is run, whatever the environment says


class Network:
    """A network, given as an ONNX file with one input and one output; `threads` threads compute it, the calling one among them."""

    def __init__(self, model: bytes, threads: int = 1) -> None:
        self._session = onnxruntime.InferenceSession(model, _options(threads), providers=["CPUExecutionProvider"])
        self._input, self._output = self._session.get_inputs()[0].name, self._session.get_outputs()[0].name

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        """The output for an input, both with the batch first."""
        return np.asarray(self._session.run([self._output], {self._input: batch})[0], np.float32)


def network(name: str) -> Network:
    """A network of the package, loaded once for each number of threads."""
    return _loaded(name, threads())


def threads() -> int:
    """Number of threads that compute a network where this is called, see `one_thread`."""
    return _threads.get() or min(_MOST_THREADS, _processors())


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which networks are computed by the calling thread alone: what runs beside it keeps the other processor."""
    before = _threads.set(1)
    try:
        yield
    finally:
        _threads.reset(before)


def at_once(first: Callable[[], ResultT], second: Callable[[], ResultT]) -> tuple[ResultT, ResultT]:
    """Compute two things, at once in two threads where networks have several; for work of OpenCV, which does not hold Python's lock."""
    if threads() == 1:
        return first(), second()
    beside = _beside().submit(first)
    mine = second()
    return beside.result(), mine


@cache
def _beside() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "visionset-beside")


if hasattr(os, "register_at_fork"):  # a forked process has none of the threads, and would wait for ever
    os.register_at_fork(after_in_child=_beside.cache_clear)


def _processors() -> int:
    """Processors that this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _options(threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # plans memory for one shape, and ours vary
    options.log_severity_level = 3  # errors
    # threads that spin on after a call would take the processor from all that lies between two calls: a picture took half as long again
    options.add_session_config_entry("session.intra_op.allow_spinning", "1")
    options.add_session_config_entry("session.force_spinning_stop", "1")
    _share_memory()
    options.add_session_config_entry("session.use_env_allocators", "1")
    return options


@cache
def _share_memory() -> None:
    """Let all networks take their memory from one arena; else each would keep what its largest picture so far needed."""
    store = onnxruntime.OrtMemoryInfo("Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT)
    no_limit, doubling, usual = 0, 0, -1
    onnxruntime.create_and_register_allocator(store, onnxruntime.OrtArenaCfg(no_limit, doubling, usual, usual))


@cache
def _loaded(name: str, threads: int) -> Network:
    return Network(model(name), threads)


@cache
def learned(name: str) -> dict[str, Any]:
    """What a network was trained with and expects: sizes and margins of its pictures, units of its answers, in pixels (`networks.json`)."""
    known: dict[str, dict[str, Any]] = json.loads(_WEIGHTS.joinpath("networks.json").read_text(encoding="utf-8"))
    return known[name]


def model(name: str) -> bytes:
    """The ONNX file of a network of the package."""
    return gzip.decompress(_WEIGHTS.joinpath(f"{name}.onnx.gz").read_bytes())


def log_softmax(logits: Floats) -> Floats:
    """Log probabilities along the last axis."""
    return logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)


def expit(log_odds: Floats) -> Floats:
    """Probabilities from log odds (logistic function); 1e-35 at least, so that nothing overflows."""
    return 1 / (1 + np.exp(-np.clip(log_odds, -80, None)))


def logit(share: Floats) -> Floats:
    """Log odds from probabilities; for 0 and 1, whose odds are infinite, those of probabilities next to them."""
    least = np.finfo(np.float64).eps
    share = np.clip(share, least, 1 - least)
    return np.log(share / (1 - share))
