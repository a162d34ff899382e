"""Which pictures somebody means: paths, folders, patterns and addresses of object stores, one at a time however many there are."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from visionset.errors import PictureError
from visionset.sources.picture_file import PICTURE_ENDINGS, PictureLimits

_SCHEME = "://"

_UNKNOWN_STORE = "Protocol not known"
"""What fsspec says of an address that begins as those of no store do."""


def is_address(name: Path | str) -> bool:
    """It is for fsspec: ``s3://bucket/table.jpg``."""
    return isinstance(name, str) and _SCHEME in name


def address_bytes(address: str, limits: PictureLimits) -> bytes:
    """What lies at an address. Raises `PictureError`: nothing, too much, or its store cannot be reached."""
    try:
        import fsspec
    except ImportError:
        raise PictureError(
            f"{address}: expected fsspec, which opens addresses, got none; run pip install 'visionset[archive]', or name a file"
        ) from None
    try:
        with fsspec.open(address, "rb") as file:
            data: bytes = file.read(limits.most_bytes + 1)
    except FileNotFoundError:
        raise PictureError(f"{address}: expected a picture, got nothing at this address; check it") from None
    except IsADirectoryError:
        advice = "it holds none; name another" if address.endswith("/") else "all in it are read with a slash at the end"
        raise PictureError(f"{address}: expected a picture, got a folder; {advice}") from None
    except ImportError as error:  # fsspec knows the store, and says what opens it
        raise PictureError(f"{address}: expected a package that opens it, got none ({error!s:.200}); install it by pip") from None
    except Exception as error:  # each store has a package of its own, and each raises what it likes
        if _UNKNOWN_STORE in str(error):
            raise PictureError(
                f"{address}: expected a file, or an address such as s3://bucket/table.jpg, got one of no known store; "
                "a camera or a stream is watched: visionset watch"
            ) from None
        raise PictureError(f"{address}: expected a picture, got {type(error).__name__}: {error!s:.200}; check address and access") from None
    if len(data) > limits.most_bytes:
        raise PictureError(f"{address}: expected a picture of at most {limits.most_bytes // 1_000_000} MB, got more; save it as JPEG")
    return data


def expanded(names: Iterable[str]) -> Iterator[str]:
    """The pictures that these names mean, in order: of a folder all in it and below, sorted, of a pattern what fits it.

    An address is a folder where it ends with a slash, and a pattern where it has a star. A name that means nothing is given as it is:
    to read it tells what is wrong.
    """
    for name in names:
        found = _at_address(name) if is_address(name) else _on_disk(name)
        first = next(found, None)
        yield name if first is None else first
        yield from found


def _on_disk(name: str) -> Iterator[str]:
    try:
        if os.path.isdir(name):
            yield from _below(name)
        elif glob.has_magic(name) and not os.path.lexists(name):
            yield from sorted(path for path in glob.iglob(name, recursive=True) if not os.path.isdir(path))
        else:
            yield str(Path(name)) if name else name  # no name is not the folder "."
    except ValueError:  # a NUL in the name
        return


def _below(folder: str) -> Iterator[str]:
    """Pictures of a folder and of those in it: one folder's names are held at a time. Hidden ones, and folders by link, are passed over."""
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries if not entry.name.startswith("."))
    except OSError:  # to read it tells what is wrong
        yield folder
        return
    for name, is_folder in found:
        path = Path(folder, name)
        if is_folder:
            yield from _below(str(path))
        elif path.suffix.lower() in PICTURE_ENDINGS:
            yield str(path)


def _at_address(address: str) -> Iterator[str]:
    if not (address.endswith("/") or "*" in address):
        yield address
        return
    try:
        import fsspec

        system, path = fsspec.core.url_to_fs(address)
        found: list[Any] = system.glob(path) if "*" in path else system.find(path)
        pictures = sorted(place for place in found if Path(place).suffix.lower() in PICTURE_ENDINGS)
        yield from (system.unstrip_protocol(place) for place in pictures)
    except Exception:  # what is wrong is told where the address is read
        return
