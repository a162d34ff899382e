"""One picture file to BGR pixels: any common format, the right way up, never more memory than a table needs.

Pillow reads the header (size, colour mode, EXIF) without touching the pixels; OpenCV decodes, because it needs a third of the memory.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from visionset.errors import PictureError
from visionset.frame import Frame
from visionset.sources.base import Source
from visionset.sources.opencv import quiet_opencv

Bgr: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """What is read, what is read smaller and what is refused.

    Attributes
    ----------
    least_side_px : int
        Shorter side; a card of 45 px, the smallest that can be read, is 29 px wide, and half of that shows no symbol at all.
    full_px : int
        Pixels up to which a picture keeps its size: 26 million hold every 24-megapixel camera and take 78 MB as BGR.
    whole_px : int
        Pixels up to which formats that can only be decoded whole are taken, then scaled down: 60 million take 180 MB.
    """

    least_side_px: int = 16
    full_px: int = 26_000_000
    whole_px: int = 60_000_000


@dataclass(frozen=True, slots=True)
class _Header:
    format: str
    width: int
    height: int
    has_alpha: bool
    orientation: int


_ORIENTATION_TAG = 0x0112
_JPEG_REDUCTIONS = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
_JPEG_NEXT_MARKER = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]")
_PNG_END = b"IEND\xaeB`\x82"
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


def read_picture(path: Path | str, limits: PictureLimits = PictureLimits()) -> Bgr:
    """Read a photograph as BGR, turned as its EXIF says.

    16-bit, gray, CMYK and palette pictures become 8-bit BGR; transparency is laid over mid-gray. Pictures above
    `limits.full_px` come back smaller, by a whole factor.

    Parameters
    ----------
    path : path
        JPEG, PNG, WebP, TIFF, BMP, GIF, or whatever else Pillow and OpenCV know.
    limits : PictureLimits
        Sizes to refuse and to reduce.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3)

    Raises
    ------
    PictureError
        No such file, not a picture, cut short, too small or too large.
    """
    path = Path(path)
    header = _header(path)
    pixels = header.width * header.height
    if min(header.width, header.height) < limits.least_side_px:
        raise PictureError(
            f"{path}: expected at least {limits.least_side_px} pixels each way, got {header.width}x{header.height}; use a larger picture"
        )
    is_jpeg = header.format in {"JPEG", "MPO"}
    if pixels > limits.whole_px and not is_jpeg:
        raise PictureError(
            f"{path}: expected at most {limits.whole_px // 1_000_000} megapixels in a {header.format}, "
            f"got {pixels // 1_000_000}; scale it down or save it as JPEG"
        )
    data = _whole_file(path, header.format)
    factor = next((f for f in _JPEG_REDUCTIONS if pixels / f**2 <= limits.full_px), max(_JPEG_REDUCTIONS))
    image = _decode(data, path, header, _JPEG_REDUCTIONS[factor if is_jpeg else 1])
    if not is_jpeg and factor > 1:
        image = _as_bgr(cv2.resize(image, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA))
    return image


def _header(path: Path) -> _Header:
    if path.is_dir():
        raise PictureError(f"{path}: expected a picture, got a folder; name the pictures in it, as in {path / '*.jpg'}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns about odd EXIF and large sizes; both are dealt with here
            with Image.open(path) as picture:
                alpha = "A" in picture.getbands() or "transparency" in picture.info
                return _Header(picture.format or "", picture.width, picture.height, alpha, _orientation(picture))
    except FileNotFoundError:
        raise PictureError(f"{path}: expected a picture, got no such file; check the name") from None
    except PermissionError:
        raise PictureError(f"{path}: expected a picture, got no permission to read it; change its permissions") from None
    except Image.DecompressionBombError:
        raise PictureError(f"{path}: expected at most 178 megapixels, got more; scale it down first") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        raise PictureError(_not_a_picture(path)) from None


def _orientation(picture: Image.Image) -> int:
    try:
        return int(picture.getexif().get(_ORIENTATION_TAG, 1))
    except (OSError, ValueError, TypeError, SyntaxError):
        return 1  # broken EXIF is no reason to refuse the pixels


def _not_a_picture(path: Path) -> str:
    try:
        with path.open("rb") as file:
            head = file.read(512)
    except OSError as error:
        return f"{path}: expected a picture, got {error.strerror}; check the file"
    if head[4:12] in {b"ftypheic", b"ftypheix", b"ftypmif1", b"ftyphevc"}:
        return f"{path}: expected JPEG or PNG, got HEIC; export it as JPEG (iPhone: Settings, Camera, Formats, Most Compatible)"
    if not head:
        return f"{path}: expected a picture, got an empty file; copy it again"
    if b"\x00" not in head and all(byte >= 32 or byte in b"\t\r\n\f" for byte in head):
        return f"{path}: expected a picture, got text; check the name"
    return f"{path}: expected a picture such as JPEG or PNG, got another or a damaged format; save it as JPEG"


def _whole_file(path: Path, format_: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path}: expected a picture, got {error.strerror}; check the file") from None
    whole = _jpeg_is_whole(data) if format_ in {"JPEG", "MPO"} else format_ != "PNG" or _PNG_END in data
    if not whole:
        raise PictureError(f"{path}: expected a whole {format_}, got one that is cut short; copy it again")
    return data


def _jpeg_is_whole(data: bytes) -> bool:
    """Walk the markers to the end of the picture: thumbnails have their own ends and some phones append more data."""
    at = 2
    while match := _JPEG_NEXT_MARKER.search(data, at):
        marker, at = data[match.end() - 1], match.end()
        if marker == 0xD9:
            return True
        at += int.from_bytes(data[at : at + 2], "big")
    return False


def _decode(data: bytes, path: Path, header: _Header, flag: int) -> Bgr:
    """Decode and turn upright."""
    if header.format == "TIFF" and header.orientation != 1:
        return _decode_by_pillow(path)  # OpenCV turns TIFF by itself, whatever the flag, and fails on a quarter turn
    flag = cv2.IMREAD_UNCHANGED if header.has_alpha else flag | cv2.IMREAD_IGNORE_ORIENTATION
    with quiet_opencv():
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
        except cv2.error:
            image = None
    if image is None or image.size == 0:
        return _decode_by_pillow(path)
    return _upright(_as_bgr(image), header.orientation)


def _decode_by_pillow(path: Path) -> Bgr:
    """Decode what OpenCV cannot: turned TIFF, some palettes, formats that its build lacks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path) as picture:
                upright = ImageOps.exif_transpose(picture)
                if upright.mode.startswith("I;16"):
                    return _as_bgr(np.asarray(upright))
                return np.ascontiguousarray(np.asarray(upright.convert("RGB"))[:, :, ::-1])
    except (OSError, ValueError, SyntaxError):
        raise PictureError(f"{path}: expected a whole picture, got one that is damaged or cut short; copy it again") from None


def _as_bgr(image: NDArray[Any] | cv2.typing.MatLike) -> Bgr:
    """8-bit BGR of whatever OpenCV decoded: 1 to 4 channels of 8 or 16 bits, or floats; transparency over mid-gray."""
    array: NDArray[Any] = np.asarray(image)
    if array.dtype == np.uint16:
        array = (array >> 8).astype(np.uint8)
    elif array.dtype != np.uint8:
        low, high = float(array.min()), float(array.max())
        array = ((array - low) * (255 / max(high - low, 1e-9))).astype(np.uint8)
    array = array.reshape(*array.shape[:2], -1)
    if array.shape[2] in {2, 4}:
        alpha = array[:, :, -1:].astype(np.uint16)
        array = ((array[:, :, :-1] * alpha + _ALPHA_GRAY * (255 - alpha)) // 255).astype(np.uint8)
    if array.shape[2] == 1:
        array = np.repeat(array, 3, axis=2)
    return np.ascontiguousarray(array)


def _upright(image: Bgr, orientation: int) -> Bgr:
    mirrored, turn = _TURNS.get(orientation, (False, None))
    if mirrored:
        image = _as_bgr(cv2.flip(image, 1))
    return image if turn is None else _as_bgr(cv2.rotate(image, turn))


class Photos(Source):
    """Photographs, one frame each.

    A picture that cannot be read raises `PictureError` when its turn comes; asking again goes on with the next.

    Parameters
    ----------
    paths : sequence of path
        The files, in the order wanted.
    limits : PictureLimits
        Sizes to refuse and to reduce.
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
