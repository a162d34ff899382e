"""The engine of the networks: the one module that knows what runs them."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources

import numpy as np
import onnxruntime
from numpy.typing import NDArray

ENGINE = f"ONNX Runtime {onnxruntime.__version__}"

_MOST_THREADS = 2
"""The networks are small: a third thread has nothing to do."""

_threads: ContextVar[int | None] = ContextVar("threads", default=None)

onnxruntime.disable_telemetry_events()  # builds for Windows would tell the system what is run


class Network:
    """A network with its weights.

    Parameters
    ----------
    model : bytes
        An ONNX file with one input and one output.
    threads : int
        So many threads compute it, the one that asks among them.
    """

    def __init__(self, model: bytes, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # plans memory for one shape, and ours vary
        options.log_severity_level = 3  # errors
        # threads that wait busily take the processor from all that lies between two calls: a picture then takes half as long again
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._input, self._output = self._session.get_inputs()[0].name, self._session.get_outputs()[0].name

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        """The output for an input, both with the batch first."""
        return np.asarray(self._session.run([self._output], {self._input: batch})[0], np.float32)


def network(name: str) -> Network:
    """A network of the package, loaded once for each number of threads."""
    return _loaded(name, threads())


def threads() -> int:
    """So many threads compute a network here."""
    return _threads.get() or min(_MOST_THREADS, _processors())


@contextmanager
def one_thread() -> Iterator[None]:
    """Within this the networks are computed by the thread that asks: what runs beside it keeps the other processor."""
    before = _threads.set(1)
    try:
        yield
    finally:
        _threads.reset(before)


def _processors() -> int:
    """Processors that this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _loaded(name: str, threads: int) -> Network:
    packed = resources.files("visionset.vision").joinpath(f"weights/{name}.onnx.gz").read_bytes()
    return Network(gzip.decompress(packed), threads)
