"""The process that runs a command: its streams, its memory, and Ctrl-C or the system's request to end, at once and quietly.

Python raises KeyboardInterrupt in the main thread only, between two of its instructions: not while a library computes, and
in places where it is lost, or becomes another error (while a library is loaded). So a thread waits for Ctrl-C too, and ends
the process where the main thread does not do so soon.
"""

from __future__ import annotations

import _thread
import errno
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from io import TextIOWrapper
from types import FrameType
from typing import Any, NoReturn

from visionset.saving import discard_all

INTERRUPTED = 130
"""Exit code of a program that Ctrl-C ended, as shells have it."""

ENDS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""How the system asks a program to end, and how a terminal does that is closed (Windows has none)."""

READER_LEFT = 141
"""Exit code of a program whose output nobody reads any more, as in ``visionset read *.jpg | head``, as shells have it."""

_GRACE_S = 0.6
"""How long a command may take to end after Ctrl-C: people press it again after a second."""

_CRASHES = "visionset.lettering"
"""The module in which nothing can be raised; it says why."""

_SOON_S = 0.02
"""How long after it Ctrl-C is raised instead."""

_SHOW_CURSOR = b"\x1b[?25h"


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""What `mallopt` of the GNU C library calls its two limits (malloc.h)."""

_KEPT_BYTES, _LARGEST_BYTES = 64 << 20, 16 << 20
"""So much free memory a command keeps, of arrays up to so large: some pictures of a camera, and what is made of them."""


class Interrupts:
    """Ctrl-C in this process, and the system's request to end it.

    Attributes
    ----------
    asked : bool
        True once it was pressed.
    code : int
        What the process ends with then.
    keeps : bool
        True when Ctrl-C is an ordinary way to stop and a recording is to be finished, however long that takes; pressed again
        it ends that too.
    """

    def __init__(self) -> None:
        self.asked = self.keeps = False
        self.code = INTERRUPTED

    def install(self) -> None:
        """Hear Ctrl-C from now on, and what asks the process to end, but what whoever started it wants ignored."""
        ear, mouth = os.pipe()
        if hasattr(os, "set_blocking"):  # Windows wants none
            os.set_blocking(mouth, False)
        for end in (signal.SIGINT, *ENDS):  # of those that ask it to end too, so that what is half written is taken away
            if signal.getsignal(end) is not signal.SIG_IGN:  # as of a job that a script began in the background
                signal.signal(end, self._raise)
        signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
        threading.Thread(target=self._wait, args=(ear,), name="visionset Ctrl-C", daemon=True).start()
        sys.unraisablehook = _lost

    def leave(self) -> None:
        """Let Ctrl-C end the process as it stands, quietly: nothing is left to tidy up."""
        for end in (signal.SIGINT, *ENDS):
            if signal.getsignal(end) == self._raise:
                signal.signal(end, signal.SIG_DFL)

    def _raise(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            return
        self.asked, self.code = True, _code_of(number)
        if frame is None or frame.f_globals.get("__name__") != _CRASHES:
            raise KeyboardInterrupt
        _thread.start_new_thread(_raise_soon, ())

    def _wait(self, ear: int) -> None:
        code = _code_of(_next_interrupt(ear))  # a library that computes for long keeps Python from hearing it
        if self.keeps:
            code = _code_of(_next_interrupt(ear))
        else:
            time.sleep(_GRACE_S)
        end_now(code)


INTERRUPTS = Interrupts()
"""Of this process."""


def end_now(code: int) -> NoReturn:
    """End the process without another step: nothing that was printed and not read yet can hold it, and no file is left half written."""
    discard_all()
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, _SHOW_CURSOR + b"\n")  # a progress bar hides it, and a question leaves its line open
        os.write(2, b"visionset: stopped\n")
    os._exit(code)


def keep_memory(kept_bytes: int = _KEPT_BYTES, largest_bytes: int = _LARGEST_BYTES) -> None:
    """Keep the memory of pictures that are let go for the next ones.

    Left alone the GNU C library gives much of it back to the system and asks for it again: of a camera's pictures each then costs
    hundreds of page faults, a fifth of the processor's time. Other libraries have no such limits.
    """
    import ctypes

    with suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(_TRIM_THRESHOLD, kept_bytes)
        library.mallopt(_MMAP_THRESHOLD, largest_bytes)


def prepare_streams() -> None:
    """Open streams that are closed, and let no letter that the terminal does not know end the program."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:  # else the next file that is opened would get its number, and what is printed
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, _Nowhere(open(number, f"{mode}b", closefd=False), encoding="utf-8"))  # noqa: SIM115 - the process closes it
    _tell(sys.stdin, "surrogateescape")
    _tell(sys.stdout, "backslashreplace")


def finish_output() -> None:
    """Write what was printed. Raises `OSError`: it cannot be written, or the standard output is closed."""
    sys.stdout.flush()
    if isinstance(sys.stdout, _Nowhere) and sys.stdout.has_lost:
        raise OSError(errno.EBADF, "a closed standard output")


class _Nowhere(TextIOWrapper):
    """A stream that was closed. What goes on, as the page does, goes on; at the end it counts that nobody can have read it."""

    has_lost = False

    def write(self, text: str, /) -> int:
        """Take it, and lose it."""
        self.has_lost = True
        return super().write(text)


def _tell(stream: Any, errors: str) -> None:
    """Say what a stream does about letters that it does not know, where it can be told."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=errors)


def forget(stream: Any) -> None:
    """Send what was printed and could not be written nowhere, so that nothing tries it again at the end."""
    with suppress(OSError, ValueError, AttributeError):  # a test's own stream has no file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def finish_errors() -> None:
    """Write what was complained; where nobody takes it, the exit code says enough."""
    try:
        sys.stderr.flush()
    except OSError:
        forget(sys.stderr)


def _code_of(number: int) -> int:
    """The exit code after a signal, as shells have it: 130 after Ctrl-C, 143 after SIGTERM, 129 where the terminal was closed."""
    return 128 + number


def _raise_soon() -> None:
    """Raise KeyboardInterrupt in the main thread between two of its own instructions, where a library never hears it.

    On a busy machine that thread may still be in the function that put it off, which the library called: it is waited for.
    """
    import ctypes

    main = threading.main_thread().ident
    assert main is not None
    time.sleep(_SOON_S)
    while (frame := sys._current_frames().get(main)) is not None and _is_within(frame.f_back):
        time.sleep(_SOON_S)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(main), ctypes.py_object(KeyboardInterrupt))


def _is_within(frame: FrameType | None) -> bool:
    """Whether a frame is one of the module in which nothing can be raised, or is called by one."""
    return frame is not None and (frame.f_globals.get("__name__") == _CRASHES or _is_within(frame.f_back))


def _next_interrupt(ear: int) -> int:
    """Wait for a signal that ends the program, and give its number."""
    while (number := os.read(ear, 1)[0]) not in (signal.SIGINT, *ENDS):
        continue
    return number


def _lost(unraisable: sys.UnraisableHookArgs) -> None:
    """Pass over Ctrl-C where Python cannot raise it: the waiting thread ends the program."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
