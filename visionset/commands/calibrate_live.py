"""What `visionset calibrate` does with pictures: it says what to do in plain words, and looks until it is done."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from visionset.calibration import Calibration, Deck, chosen, is_kept, listed, load, save
from visionset.commands.parts import complain, say
from visionset.commands.sheet_guide import SheetGuide
from visionset.errors import CalibrationError, without_passwords
from visionset.geometry import Floats, Frame
from visionset.messages import Message, Words, at_table
from visionset.saving import config_folder
from visionset.session import SessionOptions
from visionset.sources import Photos, Source, camera_name, is_camera, open_source
from visionset.sources.picture_file import PICTURE_ENDINGS
from visionset.vision import pipeline
from visionset.vision.camera_calibration import (
    LEAST_CARDS,
    LensFit,
    lens_from_cards,
    lens_from_sheets,
    measured_card_mm,
)
from visionset.vision.charuco import find_sheet
from visionset.vision.deck import ATTRIBUTES, PATTERN, deck_profile, laid_out, scored
from visionset.vision.options import SET_CARDS_ALONE
from visionset.words import counted

if TYPE_CHECKING:
    from visionset.table import Sighting

_STEADY_FRAMES = 5
"""Frames in which the cards must be read alike before they are believed."""

_PATIENCE_FRAMES = 3000
"""Frames without progress after which a live calibration gives up: a minute and a half."""


def run_lens(args: argparse.Namespace) -> int:
    """Learn lens and table from the sheet."""
    with _opened(args) as source:
        frames = _frames(source)
        first = next(frames)
        profile = _profile(args, source, first.size_px)
        if isinstance(source, Photos):
            seen = [(frame.name, find_sheet(_sized(frame, first).image_bgr)) for frame in chain((first,), frames)]
            names, views = [name for name, view in seen if view is not None], [view for _, view in seen if view is not None]
            is_laid = seen[-1][1] is not None
        else:
            guide = _guided(first, frames)
            names, views, is_laid = [], guide.views, guide.done
        fit = lens_from_sheets(views, first.size_px, names)
        if not is_laid:  # where it was held tells nothing of the table
            raise CalibrationError("expected the sheet flat on the table at last, never saw it so; lay it there in good light")
        return _kept(_fitted(profile, fit))


def run_cards(args: argparse.Namespace) -> int:
    """Learn focal length and table from cards."""
    with _opened(args) as source:
        frames = _frames(source)
        first = next(frames)
        profile = _profile(args, source, first.size_px)
        if profile.lens is not None and any(profile.lens.distortion) and not args.force:
            raise CalibrationError(
                f"{profile.name}: expected a profile without the lens of a sheet, which is more exact, got one with it; "
                "name another with --name, or add --force"
            )
        say("lay six cards or more all over the table, tilt the camera so that the far ones look smaller, take your hands away")
        outlines = _cards_laid(source, first, frames)
        fit = lens_from_cards(outlines, first.size_px, None if args.learn_size else tuple(args.card_mm))
        made = _fitted(profile, fit)
        rim = max(float(np.ptp(quad, axis=0).max()) for quad in outlines)
        low, high = outlines.min(axis=(0, 1)) - rim, outlines.max(axis=(0, 1)) + rim
        width, height = first.size_px
        crop = (max(0, int(low[0])), max(0, int(low[1])), min(width, int(high[0])), min(height, int(high[1])))
        card_mm = (round(fit.card_mm[0], 1), round(fit.card_mm[1], 1))
        return _kept(replace(made, crop_px=crop, deck=replace(made.deck or Deck(), card_mm=card_mm)))


def run_deck(args: argparse.Namespace) -> int:
    """Learn what an unusual deck looks like."""
    with _opened(args) as source:
        frames = _frames(source)
        first = next(frames)
        made = _profile(args, source, first.size_px)
        frame, laid = _pattern_laid(source, first, frames)
        card_mm = (made.deck or Deck()).card_mm
        if made.image_from_table is not None:
            width, height = measured_card_mm(np.stack([made.table_mm(sighting.outline_px) for sighting in laid]))
            card_mm = round(width, 1), round(height, 1)
        return _kept(replace(made, deck=deck_profile(frame.image_bgr, laid, card_mm)))


def run_check(args: argparse.Namespace) -> int:
    """Measure accuracy and speed, add them to the history and show it."""
    from visionset import __version__
    from visionset.commands.calibrate_history import Checked, add_to_history, print_history, read_history

    with _opened(args) as source:
        frames = _frames(source)
        first, camera = next(frames), args.for_camera or camera_name(source)
        profile = load(args.name).fitting(camera, first.size_px) if args.name else chosen(listed(tell=complain), camera, first.size_px)
        frame, _ = _pattern_laid(source, first, frames)
        options = SessionOptions(kinds=SET_CARDS_ALONE.kinds, profile=profile).reading
        tables, spent_ms, start_s = [], [], time.perf_counter()
        for fresh in (frame, *islice(frames, args.frames - 1)):
            before_s = time.perf_counter()
            tables.append(pipeline.read(fresh.image_bgr, options))
            spent_ms.append(1000 * (time.perf_counter() - before_s))
        took_s = time.perf_counter() - start_s
    found, right = scored(tables)
    number, color, shading, shape = (round(right[attribute], 4) for attribute in ATTRIBUTES)
    times = (round(float(np.median(spent_ms)), 1), round(float(np.percentile(spent_ms, 95)), 1), round(len(tables) / took_s, 1))
    when, size = datetime.now().strftime("%Y-%m-%d %H:%M"), f"{frame.size_px[0]}x{frame.size_px[1]}"
    used = profile.name if profile else ""
    shares = (round(found, 4), number, color, shading, shape)
    add_to_history(Checked(when, used, camera, size, __version__, len(tables), *shares, *times), config_folder())
    print_history(read_history(config_folder()))
    return 0


@contextmanager
def _opened(args: argparse.Namespace) -> Iterator[Source]:
    names = args.pictures
    if names and args.camera is not None:
        raise CalibrationError("expected a camera or pictures, got both; leave out --camera or the pictures")
    if args.camera is not None and not is_camera(args.camera):
        raise CalibrationError(f"expected the number of a camera, got {args.camera}; visionset cameras lists them")
    if names and all(Path(name).suffix.lower() in PICTURE_ENDINGS for name in names):
        with Photos(names) as photos:
            yield photos
        return
    if len(names) > 1:
        raise CalibrationError(f"expected photos or one video, got {len(names)} files that are not all photos; name one video")
    with open_source(names[0] if names else args.camera or "0") as source:
        yield source


def _frames(source: Source) -> Iterator[Frame]:
    """Frames, and trouble said once each time."""
    trouble: Words = ""
    while not source.ended:
        frame = source.poll(1.0)
        if source.trouble != trouble:
            trouble = source.trouble
            complain(at_table(trouble or Message("source.back", name=source.called)))
        if frame is not None:
            yield frame


def _sized(frame: Frame, first: Frame) -> Frame:
    if frame.size_px != first.size_px:
        raise CalibrationError(
            f"{frame.name or 'the camera'}: expected {first.size_px[0]}x{first.size_px[1]} as before, got "
            f"{frame.size_px[0]}x{frame.size_px[1]}; use pictures of one camera at one size"
        )
    return frame


def _guided(first: Frame, frames: Iterator[Frame]) -> SheetGuide:
    guide, told, idle = SheetGuide(first.size_px[0]), "", 0
    for frame in chain((first,), frames):
        prompt = guide.see(find_sheet(_sized(frame, first).image_bgr))
        idle = 0 if prompt != told else idle + 1
        if prompt != told and not guide.done:
            say(prompt)
        told = prompt
        if guide.done or idle > _PATIENCE_FRAMES:
            break
    return guide


def _cards_laid(source: Source, first: Frame, frames: Iterator[Frame]) -> Floats:
    """Outlines of cards, shape (n, 4, 2): of all photos that show enough of them, or of successive frames in which enough lie there."""
    seen: list[Floats] = []
    told, most = "", 0
    for frame in chain((first,), frames if isinstance(source, Photos) else islice(frames, _PATIENCE_FRAMES)):
        table = pipeline.read(_sized(frame, first).image_bgr, SET_CARDS_ALONE)
        cards = [sighting.outline_px for sighting in table.sightings if sighting.piece is not None]
        most = max(most, len(cards))
        if len(cards) >= LEAST_CARDS:
            seen.append(np.stack(cards))
        elif not isinstance(source, Photos):
            seen.clear()
            prompt = f"{counted(len(cards), 'card')} seen, {LEAST_CARDS} are wanted"
            if prompt != told:
                say(prompt)
                told = prompt
        if not isinstance(source, Photos) and len(seen) == _STEADY_FRAMES:
            break
    if not seen:
        raise CalibrationError(f"expected {LEAST_CARDS} cards or more in one picture, got {most}; spread them over the whole table")
    return np.concatenate(seen)


def _pattern_laid(source: Source, first: Frame, frames: Iterator[Frame]) -> tuple[Frame, tuple[Sighting, ...]]:
    """Ask for the pattern and wait until it lies there."""
    say("lay these nine cards in three rows, upright and apart, nothing else on the table:")
    for row in range(3):
        say("  " + " | ".join(at_table(card) for card in PATTERN[3 * row : 3 * row + 3]))
    steady, told = 0, ""
    wanted = 1 if isinstance(source, Photos) else _STEADY_FRAMES
    for frame in chain((first,), islice(frames, _PATIENCE_FRAMES)):
        table = pipeline.read(frame.image_bgr, SET_CARDS_ALONE)
        laid = laid_out(table)
        steady = 0 if laid is None else steady + 1
        if laid is not None and steady >= wanted:
            return frame, laid
        count = len(table.sightings)
        how = (
            "but not as they are listed" if count == len(PATTERN) else "take the others away" if count > len(PATTERN) else "nine are wanted"
        )
        prompt = f"{counted(count, 'card')} seen, {how}"
        if laid is None and prompt != told:
            say(prompt)
            told = prompt
    raise CalibrationError("expected the nine cards in three rows, never saw them so; lay them apart, in good light, and start again")


def _profile(args: argparse.Namespace, source: Source, size_px: tuple[int, int]) -> Calibration:
    """The profile to write into: the one of that name, or a new one; neither another camera's nor a damaged one is written over."""
    if isinstance(source, Photos) and not args.for_camera:
        raise CalibrationError(
            "expected the name of the camera that took the photos, got none; "
            "give it with --for-camera, as visionset cameras writes it: a profile holds for one camera"
        )
    camera = args.for_camera or camera_name(source)
    made = datetime.now().strftime("%Y-%m-%d")
    own = re.sub(r"[^a-z0-9]+", "-", without_passwords(camera).lower()).strip("-")[:28] or "camera"
    name = args.name or f"{own}-{size_px[0]}x{size_px[1]}"
    if is_kept(name):
        return replace(load(name).fitting(camera, size_px), made=made)
    return Calibration(name, camera, size_px, made)


def _fitted(profile: Calibration, fit: LensFit) -> Calibration:
    plane = tuple(float(value) for value in fit.image_from_table.ravel())
    return replace(profile, lens=fit.lens, image_from_table=plane, error_px=round(fit.error_px, 3))


def _kept(profile: Calibration) -> int:
    path = save(profile)
    say(profile.summary)
    say(f"wrote {path}")
    return 0
