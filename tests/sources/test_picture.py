from __future__ import annotations

import io
import os
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from visionset.commands.measurement import process_cost
from visionset.errors import PictureError, SourceError
from visionset.sources import Clip, Photos, PictureLimits, read_picture


def flag() -> np.ndarray:
    """A picture that shows which way up it is: blue, green and red corners (RGB)."""
    image = np.zeros((60, 90, 3), np.uint8)
    image[:20, :30], image[40:, :30], image[:20, 60:] = (0, 0, 255), (0, 255, 0), (255, 0, 0)
    return image


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "tif"])
def test_exif_orientation_is_obeyed(tmp_path: Path, ending: str, orientation: int) -> None:
    path = tmp_path / f"turned.{ending}"
    exif = Image.Exif()
    exif[0x0112] = orientation
    settings = {"jpg": {"quality": 95, "subsampling": 0}, "webp": {"lossless": True}}.get(ending, {})
    Image.fromarray(flag()).save(path, exif=exif, **settings)
    with Image.open(path) as picture:
        wanted = np.asarray(ImageOps.exif_transpose(picture).convert("RGB"))[:, :, ::-1]
    got = read_picture(path)
    assert got.shape == wanted.shape
    assert np.abs(got.astype(int) - wanted).mean() < 2


def test_depths_and_modes_become_bgr(tmp_path: Path) -> None:
    colour, gray = flag(), flag()[:, :, 2]
    cv2.imwrite(str(tmp_path / "gray.png"), gray)
    cv2.imwrite(str(tmp_path / "gray16.png"), gray.astype(np.uint16) * 257)
    cv2.imwrite(str(tmp_path / "gray16.tif"), gray.astype(np.uint16) * 257)
    cv2.imwrite(str(tmp_path / "colour16.png"), colour[:, :, ::-1].astype(np.uint16) * 257)
    Image.fromarray(colour).convert("CMYK").save(tmp_path / "cmyk.jpg", quality=95)
    Image.fromarray(colour).convert("CMYK").save(tmp_path / "cmyk.tif")
    Image.fromarray(colour).quantize(8).save(tmp_path / "palette.png")
    for name in ("gray.png", "gray16.png", "gray16.tif"):
        got = read_picture(tmp_path / name)
        assert got.shape == (60, 90, 3), name
        assert np.array_equal(got[:, :, 1], gray), name
    for name in ("colour16.png", "cmyk.jpg", "cmyk.tif", "palette.png"):
        got = read_picture(tmp_path / name)
        assert got.dtype == np.uint8, name
        assert np.abs(got.astype(int) - colour[:, :, ::-1]).mean() < 4, name


def test_transparency_lies_over_gray(tmp_path: Path) -> None:
    image = np.zeros((40, 40, 4), np.uint8)
    image[:, :20] = (255, 255, 255, 255)
    cv2.imwrite(str(tmp_path / "cut.png"), image)
    got = read_picture(tmp_path / "cut.png")
    assert (got[:, :20] == 255).all()
    assert (got[:, 20:] == 128).all()


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("none.jpg", None, "no such file"),
        ("scan.pdf", b"%PDF-1.4\n1 0 obj\n", "got a PDF; save its page as JPEG"),
        ("text.jpg", b"a letter\nto nobody\n", "got text"),
        ("empty.jpg", b"", "empty file"),
        ("noise.png", bytes(range(256)), "damaged format"),
        *((f"{brand}.jpg", b"\x00\x00\x00\x18ftyp" + brand.encode() + b"\x00\x00", "HEIC") for brand in ("heic", "heim", "hevs", "msf1")),
        ("phone.mp4", b"\x00\x00\x00\x18ftypisom\x00\x00", "visionset watch"),
        ("phone.mov", b"\x00\x00\x00\x14ftypqt  \x00\x00", "visionset watch"),
        ("page.webm", b"\x1aE\xdf\xa3\x01\x00", "visionset watch"),
        ("old.avi", b"RIFF\x00\x00\x00\x00AVI LIST", "visionset watch"),
        ("cut.avif", b"\x00\x00\x00\x18ftypavif\x00\x00", "damaged format"),
    ],
)
def test_what_is_no_picture_is_said(tmp_path: Path, name: str, content: bytes | None, says: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(PictureError, match=says) as caught:
        read_picture(tmp_path / name)
    assert "\n" not in str(caught.value)
    assert name in str(caught.value)


def test_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="got an empty folder"):
        read_picture(tmp_path)
    (tmp_path / "a.txt").touch()
    with pytest.raises(PictureError, match="got a folder without any;"):
        read_picture(tmp_path)
    (tmp_path / "b.JPG").touch()
    with pytest.raises(PictureError, match=r"got a folder; name the pictures in it, as in .*\*\.jpg"):
        read_picture(tmp_path)


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "tif"])
@pytest.mark.parametrize("share", [0.3, 0.7, 0.97])
def test_cut_short_is_said_and_nothing_else(tmp_path: Path, capfd: pytest.CaptureFixture[str], ending: str, share: float) -> None:
    image = cv2.resize(np.random.default_rng(0).integers(0, 255, (30, 40, 3), np.uint8), (400, 300))
    whole = cv2.imencode(f".{ending}", image)[1].tobytes()
    (tmp_path / f"cut.{ending}").write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(PictureError, match=r"cut short|damaged"):
        read_picture(tmp_path / f"cut.{ending}")
    assert capfd.readouterr().err == ""


def test_data_after_the_end_is_no_fault(tmp_path: Path) -> None:
    whole = cv2.imencode(".jpg", flag())[1].tobytes()
    (tmp_path / "motion.jpg").write_bytes(whole + b"a short film" * 100)
    assert read_picture(tmp_path / "motion.jpg").shape == (60, 90, 3)


def test_thumbnail_in_a_cut_photo_does_not_pass_for_its_end(tmp_path: Path) -> None:
    thumbnail = cv2.imencode(".jpg", flag())[1].tobytes()
    segment = b"\xff\xe5" + (len(thumbnail) + 2).to_bytes(2, "big") + thumbnail
    whole = cv2.imencode(".jpg", np.random.default_rng(0).integers(0, 255, (200, 300, 3), np.uint8))[1].tobytes()
    photo = whole[:2] + segment + whole[2:]
    (tmp_path / "whole.jpg").write_bytes(photo)
    (tmp_path / "cut.jpg").write_bytes(photo[: len(photo) // 2])
    assert read_picture(tmp_path / "whole.jpg").shape == (200, 300, 3)
    with pytest.raises(PictureError, match="cut short"):
        read_picture(tmp_path / "cut.jpg")


def test_one_pixel_is_too_small(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    with pytest.raises(PictureError, match="at least 16 pixels each way, got 1x1"):
        read_picture(tmp_path / "dot.png")


def test_large_pictures_are_scaled_or_refused(tmp_path: Path) -> None:
    limits = PictureLimits(full_px=50_000, whole_px=200_000)
    image = np.full((300, 400, 3), 200, np.uint8)
    for ending in ("jpg", "png"):
        cv2.imwrite(str(tmp_path / f"large.{ending}"), image)
        assert read_picture(tmp_path / f"large.{ending}", limits).shape == (150, 200, 3)
    huge = np.full((600, 800, 3), 200, np.uint8)
    cv2.imwrite(str(tmp_path / "huge.jpg"), huge)
    cv2.imwrite(str(tmp_path / "huge.png"), huge)
    assert read_picture(tmp_path / "huge.jpg", limits).shape == (150, 200, 3)
    with pytest.raises(PictureError, match="scale it down or save it as JPEG"):
        read_picture(tmp_path / "huge.png", limits)


@pytest.mark.slow
def test_a_hundred_megapixels_take_little_memory(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "huge.jpg"), np.full((10_000, 10_000, 3), 200, np.uint8))
    code = "import sys; from visionset.sources import read_picture; assert read_picture(sys.argv[1]).shape == (5000, 5000, 3)"
    _, peak_mb = process_cost([sys.executable, "-c", code, str(tmp_path / "huge.jpg")])
    assert 50 < peak_mb < 350


def test_photos_go_on_after_a_bad_one(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), flag())
    (tmp_path / "b.png").write_text("no")
    cv2.imwrite(str(tmp_path / "c.png"), flag())
    photos = Photos([tmp_path / name for name in ("a.png", "b.png", "c.png")])
    assert next(photos).name.endswith("a.png")
    with pytest.raises(PictureError):
        next(photos)
    last = next(photos)
    assert (last.name, last.index) == (str(tmp_path / "c.png"), 2)
    assert photos.ended
    assert list(photos) == []


HEADS = [b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF\x00\x00\x00\x00WEBP", b"II*\x00", b"GIF89a", b"BM"]


def picture_or_one_line(path: Path) -> bool:
    """Read; anything but a picture or an error of ours fails the test by itself."""
    try:
        return read_picture(path).ndim == 3
    except PictureError as error:
        return "\n" not in str(error)


@given(head=st.sampled_from(HEADS), rest=st.binary(max_size=200))
def test_any_bytes_give_a_picture_or_one_line(tmp_path_factory: pytest.TempPathFactory, head: bytes, rest: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.jpg"
    path.write_bytes(head + rest)
    assert picture_or_one_line(path)


@given(at=st.integers(0, 10**6), value=st.integers(0, 255), ending=st.sampled_from(["jpg", "png"]))
def test_a_damaged_byte_ends_nothing(tmp_path_factory: pytest.TempPathFactory, at: int, value: int, ending: str) -> None:
    data = bytearray(cv2.imencode(f".{ending}", flag())[1].tobytes())
    data[at % len(data)] = value
    path = tmp_path_factory.getbasetemp() / f"damaged.{ending}"
    path.write_bytes(data)
    assert picture_or_one_line(path)


@pytest.mark.skipif(sys.platform == "win32", reason="no such files")
def test_pipes_devices_and_links_to_nothing_are_said_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "link.jpg").symlink_to(tmp_path / "nothing.jpg")
    for path, says in (
        (tmp_path / "pipe.jpg", "a device or a pipe"),
        (Path("/dev/zero"), "a device or a pipe"),
        (tmp_path / "link.jpg", "a link to nothing"),
        (tmp_path / ("n" * 300), "name too long"),
        (tmp_path / "a\0b.jpg", "null"),
    ):
        with pytest.raises(PictureError, match=f"(?i){says}"):
            read_picture(path)
    with pytest.raises(SourceError, match="a device or a pipe"):
        Clip(tmp_path / "pipe.jpg")


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.jpg").open("wb") as file:
        file.truncate(10**10)
    with pytest.raises(PictureError, match="at most 240 MB, got 10000 MB"):
        read_picture(tmp_path / "huge.jpg")


def test_a_damaged_avif_is_said_and_the_rest_goes_on(tmp_path: Path) -> None:
    file = io.BytesIO()
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8)
    Image.fromarray(noise).save(file, "AVIF")
    whole = file.getvalue()
    for share in (0.3, 0.6, 0.9):
        (tmp_path / "cut.avif").write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(PictureError):
            read_picture(tmp_path / "cut.avif")
    damaged = bytearray(whole)
    damaged[-200:-100] = bytes(100)
    (tmp_path / "damaged.avif").write_bytes(damaged)
    assert picture_or_one_line(tmp_path / "damaged.avif")


def test_the_size_of_a_png_is_known_without_its_pixels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def decoded(self: object) -> None:
        raise AssertionError("the pixels were decoded")

    cv2.imwrite(str(tmp_path / "flag.png"), flag())
    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", decoded)
    assert read_picture(tmp_path / "flag.png").shape == (60, 90, 3)


def test_a_png_whose_exif_comes_last_is_turned(tmp_path: Path) -> None:
    file, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(np.ascontiguousarray(flag()[:, :, ::-1])).save(file, "PNG")
    body = exif.tobytes().removeprefix(b"Exif\0\0")
    chunk = b"eXIf" + body
    late = len(body).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")
    whole = file.getvalue()
    (tmp_path / "late.png").write_bytes(whole[:-12] + late + whole[-12:])
    assert read_picture(tmp_path / "late.png").shape == (90, 60, 3)


@pytest.mark.parametrize("ending", ["png", "tif", "webp"])
def test_half_transparent_paint_is_mixed_with_gray_once(tmp_path: Path, ending: str) -> None:
    image = np.full((40, 40, 4), (200, 200, 200, 128), np.uint8)
    Image.fromarray(image).save(tmp_path / f"half.{ending}", **({"lossless": True} if ending == "webp" else {}))
    assert abs(read_picture(tmp_path / f"half.{ending}").astype(int) - 164).max() <= 1


def test_floats_that_are_no_numbers_do_no_harm(tmp_path: Path) -> None:
    image = np.linspace(0, 5, 1600, dtype=np.float32).reshape(40, 40)
    image[0, :4] = np.nan, np.inf, -np.inf, 0
    Image.fromarray(image).save(tmp_path / "float.tif")
    got = read_picture(tmp_path / "float.tif")
    assert got[0, 0, 0] == got[0, 2, 0] == 0
    assert got[0, 1, 0] == got[-1, -1, 0] == 255


def test_a_jpeg_of_endless_passes_is_refused(tmp_path: Path) -> None:
    file = io.BytesIO()
    Image.fromarray(flag()).save(file, "JPEG", progressive=True)
    whole = file.getvalue()
    first = whole.index(b"\xff\xda")
    second = whole.index(b"\xff\xda", first + 2)
    (tmp_path / "endless.jpg").write_bytes(whole[:second] + 200 * whole[first:second] + whole[second:])
    with pytest.raises(PictureError, match="at most 100 passes"):
        read_picture(tmp_path / "endless.jpg")


def test_the_largest_floats_do_not_warn(tmp_path: Path) -> None:
    image = np.linspace(-3.4e38, 3.4e38, 1600, dtype=np.float64).astype(np.float32).reshape(40, 40)
    Image.fromarray(image).save(tmp_path / "large.tif")
    got = read_picture(tmp_path / "large.tif")
    assert (got[0, 0, 0], got[-1, -1, 0]) == (0, 255)
