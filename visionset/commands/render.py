"""``visionset render``: pictures and clips of tables that never were, with the truth beside them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from visionset.commands.numbers import whole_number
from visionset.commands.parts import Subparsers, add_command, say
from visionset.commands.terminal import console

if TYPE_CHECKING:
    from visionset.render.table_plan import TableSpec

_MORE = """\
scenes
  scattered   pieces thrown or strewn, some beside each other     (42 SET dice)
  grid        a crossword of touching dice, with holes            (SET dice)
  board       the same on a printed board with numbers            (SET dice)
  row         pieces put down in rows                             (playing cards)
  fan         cards held apart, each index showing                (playing cards)
  columns     columns of overlapping cards, as in solitaire       (playing cards)
  mixed       everything at once                                  (all kinds)
  throw       a clip: dice are thrown and come to rest            (pip dice)
  turn        a clip: two of the cards in a row are turned over   (playing cards)
  add         a clip: a hand adds dice to a crossword             (SET dice)

kinds   set-cards, set-dice, pip-dice, playing-cards, card-backs
camera  above, oblique, laptop-lid (35 degrees above the table)
light   window, ceiling, overcast, sun, lamp, dim
table   oak, walnut, tartan, marble, granite, felt, terrazzo, laminate

What is not said is drawn by the seed. The truth is written in the form that `visionset score` reads: names, corners (of
the top face, for dice), cells of crosswords, and the share of each piece that is seen.

examples
  visionset render grid --seed 7 --out grid.jpg                      and grid.json with the truth
  visionset render scattered --kinds pip-dice --count 9 --camera oblique --light sun --out dice.png
  visionset render mixed --pictures 20 --out my-tables               20 pictures and truth.json
  visionset render throw --out throw.mp4 --size 640x360              a clip, and throw.json
  visionset render board --physical --out board.jpg                  by Mitsuba 3: pip install visionset[render]
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "render", run, _MORE)
    parser.add_argument("scene", metavar="SCENE", help="which table, see below")
    parser.add_argument("--kinds", default="", metavar="KIND,...", help="what lies there (default: as the scene has it)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed is another table (default: %(default)s)")
    parser.add_argument("--camera", default="any", metavar="NAME", help="where it is seen from")
    parser.add_argument("--light", default="any", metavar="NAME", help="what shines")
    parser.add_argument("--table", default="any", metavar="NAME", help="what the pieces lie on")
    parser.add_argument("--count", type=int, metavar="N", help="how many pieces")
    parser.add_argument("--size", type=_size, default=(1280, 720), metavar="WxH", help="pixels (default: 1280x720)")
    parser.add_argument(
        "--pictures", type=whole_number(1, 100_000), metavar="N", help="N pictures with the seeds from --seed on, into a folder"
    )
    parser.add_argument("--frames", type=int, metavar="N", help="length of a clip, 15 a second (default: until all is done)")
    parser.add_argument("--physical", action="store_true", help="trace the light with Mitsuba 3: slower, more like a photo")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="picture, clip, or folder for --pictures (default: SCENE-SEED.jpg or .mp4)"
    )


def run(args: argparse.Namespace) -> int:
    """Render, and write picture and truth."""
    from visionset.errors import SceneError
    from visionset.render.table_clips import CLIP_SCENES
    from visionset.render.table_plan import LAYOUTS

    if args.scene in CLIP_SCENES:
        return _clip(args)
    if args.scene not in LAYOUTS:
        raise SceneError(
            f"expected a scene out of {', '.join((*LAYOUTS, *CLIP_SCENES))}, got {args.scene!r}; visionset render --help says more"
        )
    if args.frames is not None:
        raise SceneError(
            f"expected --frames with a clip ({', '.join(CLIP_SCENES)}), got it with {args.scene}; leave it away or name a clip"
        )
    return _stills(args)


def _spec(args: argparse.Namespace, layout: str, kinds: tuple[str, ...], count: int | None, seed: int) -> TableSpec:
    from visionset.render.table_plan import TableSpec

    chosen = tuple(name.strip() for name in args.kinds.split(",") if name.strip()) or kinds
    return TableSpec(layout, chosen, seed, args.camera, args.light, args.table, count if args.count is None else args.count, args.size)


def _stills(args: argparse.Namespace) -> int:
    from rich.progress import track

    from visionset.render.film import write_still
    from visionset.render.table_plan import LAYOUTS
    from visionset.render.tables import render_table
    from visionset.video_writer import writable_folder
    from visionset.words import counted

    kinds = LAYOUTS[args.scene].kinds
    specs = [_spec(args, args.scene, kinds, None, args.seed + at) for at in range(args.pictures or 1)]
    if args.pictures is None:
        path = args.out or Path(f"{args.scene}-{args.seed}.jpg")
        targets = [(path, path.with_suffix(".json"))]
    else:
        folder = writable_folder(args.out or Path(f"{args.scene}-{args.seed}"))
        targets = [(folder / f"{args.scene}-{spec.seed}.jpg", folder / "truth.json") for spec in specs]
    jobs = list(zip(specs, targets, strict=True))
    for spec, (path, truth) in track(jobs, "rendering", console=console(stderr=True), transient=True, disable=len(jobs) == 1):
        image, entry = render_table(spec, args.physical)
        write_still(path, image, entry, spec.kinds, truth, add=args.pictures is not None)
        pieces = len(entry.get("dice", [])) + len(entry.get("cards", []))
        say(f"{path}: {counted(pieces, 'piece')}, {entry['note']}")
    say(f"truth in {targets[-1][1]}")
    return 0


def _clip(args: argparse.Namespace) -> int:
    from rich.progress import track

    from visionset.errors import SceneError
    from visionset.render.film import write_clip
    from visionset.render.table_clips import CLIP_SCENES, table_clip
    from visionset.render.table_plan import KINDS

    scene = CLIP_SCENES[args.scene]
    if args.physical or args.pictures is not None:
        raise SceneError(f"expected a still scene for --physical and --pictures, got the clip {args.scene}; leave them away")
    if args.frames is not None and args.frames < 1:
        raise SceneError(f"expected 1 frame or more, got {args.frames}; ask for at least one")
    spec = _spec(args, scene.layout, scene.kinds, scene.count, args.seed)
    wrong = [name for name in spec.kinds if KINDS[name] not in scene.fits]
    if wrong:
        fit = ", ".join(name for name, kind in KINDS.items() if kind in scene.fits)
        raise SceneError(f"expected kinds that fit the clip {args.scene} ({fit}), got {', '.join(wrong)}; choose others")
    path = args.out or Path(f"{args.scene}-{args.seed}.mp4")
    clip = table_clip(args.scene, spec, args.frames)
    frames = track(clip, "rendering", total=clip.frames, console=console(stderr=True), transient=True)
    truth = write_clip(path, clip, frames)
    say(f"{path}: {truth['frames']} frames, {len(truth['actions'])} times {args.scene}")
    say(f"truth in {path.with_suffix('.json')}")
    return 0


def _size(text: str) -> tuple[int, int]:
    width, by, height = text.partition("x")
    if not by or not width.isdigit() or not height.isdigit():
        raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT as in 1280x720, got {text}")
    return int(width), int(height)
