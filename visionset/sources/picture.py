"""One picture file to BGR pixels: any common format, the right way up, never more memory than a table needs.

Pillow reads the header (size, colour mode, EXIF) without touching the pixels; OpenCV decodes, because it needs a third of the memory.
"""

from __future__ import annotations

import io
import sys
import warnings
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from visionset.errors import PictureError
from visionset.geometry import Frame
from visionset.sources.address import address_bytes, is_address
from visionset.sources.base import Source
from visionset.sources.opencv import quiet_opencv
from visionset.sources.picture_file import Header, PictureLimits, check_end, file_bytes, header_of

ImageBgr: TypeAlias = NDArray[np.uint8]


_JPEG_REDUCTIONS = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
_BY_PROGRAMS = {"EPS", "WMF"}
"""Formats that Pillow hands to another program, which nobody asked for who wanted a photo read."""

_BAND_ROWS = 256
"""Rows that are converted at a time: the steps between need several times the memory of what they work on."""

_ALPHA_GRAY = 128
"""What shows through transparent pixels: mid-gray, so that the edge of a cut-out white card stays visible."""

_TURNS: dict[int, tuple[bool, int | None]] = {
    2: (True, None),
    3: (False, cv2.ROTATE_180),
    4: (True, cv2.ROTATE_180),
    5: (True, cv2.ROTATE_90_COUNTERCLOCKWISE),
    6: (False, cv2.ROTATE_90_CLOCKWISE),
    7: (True, cv2.ROTATE_90_CLOCKWISE),
    8: (False, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""EXIF orientation to (mirror left-right first, then turn)."""


def read_picture(path: Path | str, limits: PictureLimits = PictureLimits()) -> ImageBgr:
    """Read a photograph as BGR, turned as its EXIF says.

    16-bit, gray, CMYK and palette pictures become 8-bit BGR; transparency is laid over mid-gray. Pictures above
    `limits.full_px` come back smaller, by a whole factor.

    Parameters
    ----------
    path : path or str
        JPEG, PNG, WebP, TIFF, BMP, GIF, or whatever else Pillow and OpenCV know. Text with ``://`` in it is an address that fsspec opens;
        ``-`` is the standard input.
    limits : PictureLimits
        Sizes to refuse and to reduce.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)

    Raises
    ------
    PictureError
        No such file, not a picture, cut short, too small or too large; or no name of one is given.
    """
    if is_address(path):
        return decoded_picture(address_bytes(str(path), limits), path, limits)
    if not isinstance(path, str | PathLike):
        raise PictureError(f"expected the name of a picture, text or a Path, got {type(path).__name__}; name its file or address")
    if path == "":
        raise PictureError("expected the name of a picture, got an empty one; name its file or address")
    path = Path(path)
    if str(path) == "-":
        return decoded_picture(sys.stdin.buffer.read(limits.most_bytes), "-", limits)
    return decoded_picture(file_bytes(path, limits), path, limits)


def decoded_picture(data: bytes, path: Path | str, limits: PictureLimits) -> ImageBgr:
    """The picture that these bytes hold, under a name for complaints; as `read_picture`."""
    header = header_of(data, path)
    pixels = header.width * header.height
    if min(header.width, header.height) < limits.least_side_px:
        raise PictureError(
            f"{path}: expected at least {limits.least_side_px} pixels each way, got {header.width}x{header.height}; use a larger picture"
        )
    is_jpeg = header.format in {"JPEG", "MPO"}
    in_parts = is_jpeg and not header.is_progressive
    if not in_parts and (pixels > limits.whole_px or header.decoded_bytes > limits.most_bytes):
        raise PictureError(
            f"{path}: expected at most {limits.whole_px // 1_000_000} megapixels in a {header.format}, "
            f"got {pixels // 1_000_000}, of {header.decoded_bytes // pixels} bytes each; scale it down or save it as JPEG"
        )
    check_end(data, path, header.format, limits)
    factor = next((f for f in _JPEG_REDUCTIONS if pixels / f**2 <= limits.full_px), max(_JPEG_REDUCTIONS))
    image = _decode(data, path, header, _JPEG_REDUCTIONS[factor if is_jpeg else 1])
    if not is_jpeg and factor > 1:
        image = _as_bgr(cv2.resize(image, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA))
    return image


def _decode(data: bytes, path: Path | str, header: Header, flag: int) -> ImageBgr:
    """Decode and turn upright."""
    if header.format == "TIFF" and (header.orientation != 1 or header.has_alpha):
        return _decode_by_pillow(data, path)  # OpenCV turns TIFF by itself, and fails on a quarter turn; what is transparent it darkens
    as_it_is = header.has_alpha or header.is_float  # else OpenCV drops what is transparent, and takes 1.0 for nearly black
    flag = cv2.IMREAD_UNCHANGED if as_it_is else flag | cv2.IMREAD_IGNORE_ORIENTATION
    with quiet_opencv():
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
        except cv2.error:
            image = None
    if image is None or image.size == 0:
        return _decode_by_pillow(data, path)
    return _upright(_as_bgr(image), header.orientation)


def _decode_by_pillow(data: bytes, path: Path | str) -> ImageBgr:
    """Decode what OpenCV cannot: turned TIFF, some palettes, formats that its build lacks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data)) as picture:
                if picture.format in _BY_PROGRAMS:
                    raise PictureError(f"{path}: expected a photo, got {picture.format}, which is a drawing; save it as JPEG")
                upright = ImageOps.exif_transpose(picture)
                if upright.mode.startswith("I;16"):
                    return _as_bgr(np.asarray(upright))
                order = [2, 1, 0, 3] if "A" in upright.mode or "a" in upright.mode or "transparency" in upright.info else [2, 1, 0]
                return _as_bgr(np.asarray(upright.convert("RGBA" if len(order) == 4 else "RGB"))[:, :, order])
    except PictureError:
        raise
    except Exception:  # each format has a reader of its own, and each raises what it likes
        raise PictureError(f"{path}: expected a whole picture, got one that is damaged or cut short; copy it again") from None


def _as_bgr(image: NDArray[Any] | cv2.typing.MatLike) -> ImageBgr:
    """8-bit BGR of whatever was decoded: 1 to 4 channels of 8 or 16 bits, or floats; transparency over mid-gray."""
    array: NDArray[Any] = np.asarray(image)
    array = array.reshape(*array.shape[:2], -1)
    if array.dtype == np.uint8 and array.shape[2] == 3:
        return np.ascontiguousarray(array)
    low, scale = 0.0, 1 / 257 if array.dtype == np.uint16 else 1.0
    if array.dtype not in (np.uint8, np.uint16):
        finite = array[np.isfinite(array)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        scale = 255 / max(high - low, 1e-9)
    bgr = np.empty((*array.shape[:2], 3), np.uint8)
    for top in range(0, len(array), _BAND_ROWS):
        band = array[top : top + _BAND_ROWS]
        if band.dtype != np.uint8:
            with np.errstate(all="ignore"):  # the largest of numbers and what is none
                levels = np.nan_to_num((band.astype(np.float64) - low) * scale, nan=0.0, posinf=255.0, neginf=0.0)
            band = np.clip(levels, 0, 255).astype(np.uint8)
        if band.shape[2] in {2, 4}:
            alpha = band[:, :, -1:].astype(np.uint16)
            band = ((band[:, :, :-1] * alpha + _ALPHA_GRAY * (255 - alpha)) // 255).astype(np.uint8)
        bgr[top : top + _BAND_ROWS] = band  # a single channel is repeated
    return bgr


def _upright(image: ImageBgr, orientation: int) -> ImageBgr:
    mirrored, turn = _TURNS.get(orientation, (False, None))
    if mirrored:
        image = _as_bgr(cv2.flip(image, 1))
    return image if turn is None else _as_bgr(cv2.rotate(image, turn))


class Photos(Source):
    """Photographs, one frame each, in the order of their paths.

    A picture that cannot be read raises `PictureError` when its turn comes; asking again goes on with the next.
    """

    def __init__(self, paths: tuple[Path | str, ...] | list[Path | str] | list[Path] | list[str], limits: PictureLimits = PictureLimits()):
        self.paths = tuple(Path(path) for path in paths)
        self.limits = limits
        self.name = self.paths[0].name if len(self.paths) == 1 else f"{len(self.paths)} photos"
        self._next = 0

    @property
    def ended(self) -> bool:  # type: ignore[override]
        """True after the last photograph."""
        return self._next >= len(self.paths)

    def poll(self, timeout_s: float = 0.0) -> Frame | None:
        """Return the next photograph; None after the last."""
        if self.ended:
            return None
        index, self._next = self._next, self._next + 1
        return Frame(read_picture(self.paths[index], self.limits), index, 0.0, str(self.paths[index]))
