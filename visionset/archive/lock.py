"""One writer at a time: a file that is locked as long as it is open, by whichever process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

from visionset.errors import OutputError

if sys.platform == "win32":
    import msvcrt

    _LOCKED_BYTE = 2**31 - 2
    """The last that `msvcrt` can lock; nobody else reads or writes a locked byte, so it is one that hardly an archive has."""

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


def opened_alone(path: Path, archive: Path) -> BinaryIO:
    """Open a file of an archive to read and to write, which nobody else can until it is closed; where there is none, begin it.

    On file systems that know no locks it is opened as it is. Raises `OutputError`: another process, or this one, has it open already;
    `OSError`: it cannot be written.
    """
    path.touch()
    file = path.open("r+b")
    try:
        _take(file)
    except BlockingIOError:
        file.close()
        raise OutputError(
            f"{archive}: expected an archive to which nobody else writes, got one to which another visionset writes now; "
            "wait until it ends and go on by --resume, or name another"
        ) from None
    except OSError:  # a file system that knows no locks
        pass
    return file
