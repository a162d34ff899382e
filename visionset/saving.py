"""Write a file whole or not at all: beside its name first, then renamed over it; or alone, while nobody else does."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

from visionset.errors import OutputError, reason

if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 2**31 - 2
    """The last that `msvcrt` can lock; nobody else reads or writes a locked byte, so it is one that hardly a file has."""

    def _take(file: BinaryIO) -> None:
        file.seek(_LOCKED_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from None
        finally:
            file.seek(0)

else:
    import fcntl

    def _take(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


_NAME_CHARS = 40
"""Of the name, in that of the unfinished file: file systems take 255 bytes."""

_run: ContextVar[str] = ContextVar("run", default="")

_open: set[Path] = set()
"""Unfinished files of this process: who ends it without another step removes them by `discard_all`."""


def config_folder() -> Path:
    """Where settings, profiles, zones and the history of checks are: ``VISIONSET_CONFIG``, else the user's folder for settings."""
    from platformdirs import user_config_path

    named = os.environ.get("VISIONSET_CONFIG")
    return Path(named) if named else user_config_path("visionset")


def writable_folder(path: Path | str, advice: str = "name another") -> Path:
    """Make a folder for output, with its parents. Raises `OutputError`, with the advice: it cannot be made or written to, or is a file."""
    from tempfile import TemporaryFile

    path = Path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=path).close()
    except OSError as error:
        got = "a file" if isinstance(error, FileExistsError) else reason(error)
        raise OutputError(f"{path}: expected a folder to write to, got {got}; {advice}") from None
    return path


def check_ending(path: Path, *endings: str) -> None:
    """Raises `OutputError`: a file would have the name of another kind of file; a device may have any."""
    kind = path.resolve().suffix if path.is_file() else path.suffix  # the standard output may lead to a file
    if kind.lower() not in endings and (path.is_file() or not path.exists()):
        raise OutputError(f"{path}: expected a name that ends in {endings[0]}, got {path.suffix or 'no ending'}; change the name")


def _is_device(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _target(path: Path) -> Path:
    """Where a name leads; raises `OSError`: nowhere. A device stays as it is named: of a pipe the name that it leads to is no file."""
    if _is_device(path):
        return path
    with suppress(RuntimeError):  # before Python 3.13, of links that lead to each other; since then one of these is given back
        if not (target := path.resolve()).is_symlink():
            return target
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def unfinished(path: Path) -> Path:
    """Where a file is written until it is whole: hidden, in the same folder and with the same ending; raises `OSError`.

    A link is followed, so that what it leads to is replaced and not the link; a device is written to itself.
    """
    target = _target(path)
    if _is_device(target):
        return target
    part = target.with_name(f".{target.stem[:_NAME_CHARS]}.{_run.get()}{os.getpid()}.part{target.suffix}")
    _open.add(part)
    return part


@contextmanager
def saving_for(run: str) -> Iterator[None]:
    """Within this unfinished files bear the mark of a run, whose end removes them by `clear_unfinished`: workers may be killed."""
    before = _run.set(f"{run}-")
    try:
        yield
    finally:
        _run.reset(before)


def clear_unfinished(folder: Path, run: str) -> None:
    """Remove the files of a run that nobody will finish."""
    with suppress(OSError), os.scandir(folder) as entries:
        for name in [entry.name for entry in entries if f".{run}-" in entry.name and ".part" in entry.name]:
            folder.joinpath(name).unlink(missing_ok=True)


def finish(part: Path, path: Path) -> None:
    """Bring an unfinished file to the disk and give it its name, over an older file; raises `OSError`."""
    target = _target(path)
    if part == target:
        return
    with part.open("rb+") as file:
        os.fsync(file.fileno())  # some disks notice here, and not before, that they are full
    part.replace(target)
    _open.discard(part)


def discard(part: Path, path: Path) -> None:
    """Remove an unfinished file, if there is one."""
    with suppress(OSError):
        if part != _target(path):
            part.unlink(missing_ok=True)
    _open.discard(part)


def discard_all() -> None:
    """Remove every unfinished file of this process, which ends before who writes them can."""
    for part in list(_open):
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def saved(path: Path, advice: str = "name another", *, make_folder: bool = False, private: bool = False) -> Iterator[Path]:
    """Write a file: to the path that is given inside, which becomes `path` at the end; an error ends with the advice.

    Where anything fails, a file that was there before stays as it was, and no half file is left. One that is `private` nobody but its
    owner can read at any time. Raises `OutputError`: the file cannot be written.
    """
    part = path
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        part = unfinished(path)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if private:
            part.touch(0o600)
        yield part
        finish(part, path)
    except OSError as error:
        raise OutputError(f"{path}: expected a file to write to, got {reason(error)}; {advice}") from None
    finally:
        discard(part, path)


class _TriedError(Exception):
    """Nothing was to be written."""


def check_can_save(path: Path, advice: str = "name another") -> None:
    """Try whether a file can be written as `saved` does, before the work whose outcome it will hold; raises `OutputError`: it cannot."""
    with suppress(_TriedError), saved(path, advice) as part:
        part.open("ab").close()
        raise _TriedError


def save_text(path: Path, text: str, advice: str = "name another", *, make_folder: bool = False, private: bool = False) -> None:
    """Write a file of text as `saved` does, with the same bytes on every system."""
    with saved(path, advice, make_folder=make_folder, private=private) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def opened_alone(path: Path, refusal: str) -> BinaryIO:
    """Open a file to read and to write, which nobody else can so until it is closed; where there is none, begin it.

    On file systems that know no locks it is opened as it is. Raises `OutputError` with the words of the refusal: another process, or this
    one, has it open already; `OSError`: it cannot be written.
    """
    path.touch()
    file = path.open("r+b")
    try:
        _take(file)
    except BlockingIOError:
        file.close()
        raise OutputError(refusal) from None
    except OSError:  # a file system that knows no locks
        pass
    return file
