"""What a file says of its picture before a pixel is decoded, and whether it is whole."""

from __future__ import annotations

import io
import re
import stat
import warnings
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from visionset.errors import PictureError


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """What is read, what is read smaller and what is refused."""

    least_side_px: int = 16
    """Shorter side; a card of 45 px, the smallest that can be read, is 29 px wide, and half of that shows no symbol at all."""
    full_px: int = 26_000_000
    """Pixels up to which a picture keeps its size: 26 million hold every 24-megapixel camera and take 78 MB as BGR."""
    whole_px: int = 60_000_000
    """Pixels up to which formats that can only be decoded whole are taken, then scaled down: 60 million take 180 MB."""
    most_bytes: int = 240_000_000
    """Largest file, and largest picture while it is decoded: with both a program stays below a gigabyte."""
    most_scans: int = 100
    """Passes of a progressive JPEG: cameras and programs write about ten, and each costs as much as a whole picture."""


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a picture before its pixels."""

    format: str
    width: int
    height: int
    has_alpha: bool
    is_float: bool
    orientation: int
    is_progressive: bool
    decoded_bytes: int


PICTURE_ENDINGS = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".tif", ".tiff", ".bmp", ".heic", ".heif", ".avif", ".jp2", ".gif"}
)
"""Names of files that are no videos, and that are read when their folder is named."""

_ORIENTATION_TAG = 0x0112
_JPEG_NEXT_MARKER = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]")
_START_OF_SCAN = 0xDA
_PNG_DEPTH_AT, _PNG_EXIF, _PNG_END = 24, b"eXIf", b"IEND\xaeB`\x82"


def file_bytes(path: Path, limits: PictureLimits) -> bytes:
    """The file; what has no end (a device, a pipe) is not begun."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            if not any(file.suffix.lower() in PICTURE_ENDINGS for file in path.iterdir()):
                what = "an empty folder" if next(path.iterdir(), None) is None else "a folder without any"
                raise PictureError(f"{path}: expected pictures, got {what}; put some there, or name another")
            raise PictureError(f"{path}: expected a picture, got a folder; name the pictures in it, as in {path / '*.jpg'}")
        if not stat.S_ISREG(status.st_mode):
            raise PictureError(f"{path}: expected a picture in a file, got a device or a pipe; save the picture first")
        if status.st_size > limits.most_bytes:
            most, got = limits.most_bytes // 1_000_000, status.st_size // 1_000_000
            raise PictureError(f"{path}: expected a picture of at most {most} MB, got {got} MB; save it as JPEG")
        return path.read_bytes()
    except FileNotFoundError:
        what = "a link to nothing" if path.is_symlink() else "no such file"
        raise PictureError(f"{path}: expected a picture, got {what}; check the name") from None
    except PermissionError:
        raise PictureError(f"{path}: expected a picture, got no permission to read it; change its permissions") from None
    except (OSError, ValueError) as error:
        raise PictureError(f"{path}: expected a picture, got {getattr(error, 'strerror', None) or error}; check the file") from None


def header_of(data: bytes, path: Path | str) -> Header:
    """Size, format and turn of a picture, without its pixels."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns about odd EXIF and large sizes; both are dealt with here
            with Image.open(io.BytesIO(data)) as picture:
                alpha = picture.mode in {"RGBA", "LA", "PA", "RGBa", "La"} or "transparency" in picture.info
                return Header(
                    picture.format or "",
                    picture.width,
                    picture.height,
                    alpha,
                    picture.mode == "F",
                    _orientation(picture, data),
                    bool(picture.info.get("progressive")),
                    picture.width * picture.height * _pixel_bytes(picture, alpha, data),
                )
    except Image.DecompressionBombError:
        raise PictureError(f"{path}: expected at most 178 megapixels, got more; scale it down first") from None
    except Exception:  # each of Pillow's forty formats has a reader of its own, and each raises what it likes
        raise PictureError(_not_a_picture(data, path)) from None


def _pixel_bytes(picture: Image.Image, alpha: bool, data: bytes) -> int:
    """Bytes of a decoded pixel."""
    deep = picture.mode in {"F", "I"} or picture.mode.startswith("I;16")
    is_16_bit = picture.format == "PNG" and data[_PNG_DEPTH_AT] == 16
    return 4 if deep else (4 if alpha or picture.mode == "CMYK" else 3) * (2 if alpha and is_16_bit else 1)


def _orientation(picture: Image.Image, data: bytes) -> int:
    try:
        exif = Image.Image.getexif(picture)  # that of PNG files decodes the whole picture first, to look behind its pixels
        if picture.format == "PNG" and not exif and (at := data.rfind(_PNG_EXIF)) > 0:
            exif.load(data[at + len(_PNG_EXIF) : at + len(_PNG_EXIF) + int.from_bytes(data[at - 4 : at], "big")])
        return int(exif.get(_ORIENTATION_TAG, 1))
    except Exception:
        return 1  # broken EXIF is no reason to refuse the pixels


_FILMS = {b"iso", b"mp4", b"qt ", b"M4V", b"3gp", b"avc"}
"""How brands of films begin; pictures, such as AVIF, come in the same container."""


_HEIC = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"}
"""Brands of pictures and of several pictures by HEVC (ISO/IEC 23008-12, annex B), and of what is not told closer."""


def _not_a_picture(data: bytes, path: Path | str) -> str:
    head = data[:512]
    if head[4:8] == b"ftyp" and head[8:12] in _HEIC:
        return f"{path}: expected JPEG or PNG, got HEIC; export it as JPEG (iPhone: Settings, Camera, Formats, Most Compatible)"
    if not head:
        return f"{path}: expected a picture, got an empty file; copy it again"
    if head.startswith(b"%PDF-"):  # as programs for scanning write them
        return f"{path}: expected a picture, got a PDF; save its page as JPEG"
    if b"\x00" not in head and all(byte >= 32 or byte in b"\t\r\n\f" for byte in head):
        return f"{path}: expected a picture, got text; check the name"
    is_film = head[4:8] == b"ftyp" and head[8:11] in _FILMS
    if is_film or head.startswith(b"\x1aE\xdf\xa3") or head[:4] + head[8:12] == b"RIFFAVI ":
        return f"{path}: expected a picture, got a video; use visionset watch, or save one of its pictures"
    return f"{path}: expected a picture such as JPEG or PNG, got another or a damaged format; save it as JPEG"


def check_end(data: bytes, path: Path | str, format_: str, limits: PictureLimits) -> None:
    """Refuse what is cut short, and a JPEG of endless passes."""
    if format_ in {"JPEG", "MPO"}:
        whole, scans = _jpeg_scans(data)
        if scans > limits.most_scans:
            raise PictureError(f"{path}: expected a JPEG of at most {limits.most_scans} passes, got {scans}; save it again")
    else:
        whole = format_ != "PNG" or _PNG_END in data
    if not whole:
        raise PictureError(f"{path}: expected a whole {format_}, got one that is cut short; copy it again")


def _jpeg_scans(data: bytes) -> tuple[bool, int]:
    """Walk the markers to the end of the picture: thumbnails have their own ends and some phones append more data."""
    at, scans = 2, 0
    while match := _JPEG_NEXT_MARKER.search(data, at):
        marker, at = data[match.end() - 1], match.end()
        if marker == 0xD9:
            return True, scans
        scans += marker == _START_OF_SCAN
        at += int.from_bytes(data[at : at + 2], "big")
    return False, scans
