"""``visionset render``: pictures and clips of tables that never were, with the truth beside them.

Longer than most modules: stills and clips are named, rendered, told of and gone on with alike.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visionset.commands.many import AnswerT, add_jobs_options, mapped, progress
from visionset.commands.parts import Subparsers, add_command, add_force_option, check_new, complain, say
from visionset.commands.terminal import progress_bar
from visionset.jobs import Lost
from visionset.numbers import int_or_none, integer, whole_number
from visionset.words import counted

if TYPE_CHECKING:
    from visionset.render.film import ClipFrame
    from visionset.render.table_plan import TableSpec

    Task = tuple[TableSpec, Path]
    """A table, and the file for its picture."""

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
  visionset render mixed --pictures 20 --jobs 2 --out my-tables --resume   by two processes; goes on where it was stopped
  visionset render throw --out throw.mp4 --size 640x360              a clip, and throw.json
  visionset render throw --pictures 3 --frames 20 --out throws       three clips, each with its truth
  visionset render board --physical --out board.jpg                  by Mitsuba 3: pip install 'visionset[render]'
"""

_WHERE = "name another with --out"


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "render", run, _MORE)
    parser.add_argument("scene", metavar="SCENE", help="which table, see below")
    parser.add_argument("--kinds", default="", metavar="KIND,...", help="what lies there (default: as the scene has it)")
    parser.add_argument("--seed", type=integer, default=0, metavar="N", help="another seed is another table (default: %(default)s)")
    parser.add_argument("--camera", default="any", metavar="NAME", help="where it is seen from")
    parser.add_argument("--light", default="any", metavar="NAME", help="what shines")
    parser.add_argument("--table", default="any", metavar="NAME", help="what the pieces lie on")
    parser.add_argument("--count", type=integer, metavar="N", help="how many pieces")
    parser.add_argument("--size", type=_size, default=(1280, 720), metavar="WxH", help="pixels (default: 1280x720)")
    parser.add_argument(
        "--pictures", type=whole_number(1, 100_000), metavar="N", help="N pictures or clips with the seeds from --seed on, into a folder"
    )
    parser.add_argument("--resume", action="store_true", help="of --pictures, leave those that were finished with the same options")
    parser.add_argument("--frames", type=integer, metavar="N", help="length of a clip, 15 a second (default: until all is done)")
    parser.add_argument("--physical", action="store_true", help="trace the light with Mitsuba 3: slower, more like a photo")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="picture, clip, or folder for --pictures (default: SCENE-SEED.jpg or .mp4)"
    )
    add_force_option(parser)
    parser.set_defaults(misused=parser.error)
    add_jobs_options(parser)


def run(args: argparse.Namespace) -> int:
    """Render, and write picture and truth."""
    from visionset.errors import SceneError
    from visionset.render.table_clips import CLIP_SCENES
    from visionset.render.table_plan import LAYOUTS

    if args.pictures is None and (args.resume or args.jobs is not None or args.cluster):
        args.misused("expected --jobs, --cluster and --resume with --pictures, got them alone; say how many by --pictures N")
    if args.scene in CLIP_SCENES:
        return _clips(args)
    if args.scene not in LAYOUTS:
        raise SceneError(
            f"expected a scene out of {', '.join((*LAYOUTS, *CLIP_SCENES))}, got {args.scene!r}; visionset render --help says more"
        )
    if args.frames is not None:
        raise SceneError(f"expected --frames with a clip ({', '.join(CLIP_SCENES)}), got it with {args.scene}; leave it out or name a clip")
    return _stills(args)


@dataclass(frozen=True, slots=True)
class RenderStill:
    """Renders one table, wherever it is asked to: its entry of a truth file."""

    physical: bool

    def __call__(self, task: Task) -> dict[str, Any]:
        """Render and write the picture."""
        from visionset.render.film import write_still
        from visionset.render.tables import render_table
        from visionset.render.truth_file import MADE_BY

        spec, path = task
        image, entry = render_table(spec, self.physical)
        write_still(path, image)
        return entry | {MADE_BY: _asked(spec, ("--physical",) if self.physical else ())}


def _not_shown(count: int) -> None:
    """A step where nobody watches; a function of the module, since workers are sent it."""


@dataclass(frozen=True, slots=True)
class RenderClip:
    """Renders one clip, wherever it is asked to: what is said of it."""

    scene: str
    frames: int | None
    step: Callable[[int], object] = _not_shown
    """Called once a frame with how many there are."""

    def __call__(self, task: Task) -> str:
        """Render and write the clip, then its truth."""
        from visionset.render.film import write_clip
        from visionset.render.table_clips import table_clip
        from visionset.render.truth_file import MADE_BY

        spec, path = task
        clip = table_clip(self.scene, spec, self.frames)

        def counted_frames() -> Iterator[ClipFrame]:
            for frame in clip:
                yield frame
                self.step(clip.frames)

        truth = write_clip(path, clip, counted_frames(), {MADE_BY: _clip_asked(spec, self.scene, self.frames)})
        return f"{path}: {truth['frames']} frames, {len(truth['actions'])} times {self.scene}"


def _clip_asked(spec: TableSpec, scene: str, frames: int | None) -> str:
    return _asked(spec, () if frames is None else ("--frames", str(frames)), scene)


def _asked(spec: TableSpec, more: tuple[str, ...], scene: str = "") -> str:
    """The command that renders it again."""
    size = "x".join(map(str, spec.size_px))
    told = [scene or spec.layout, "--kinds", ",".join(spec.kinds), "--seed", str(spec.seed), "--size", size]
    for name, value in (("camera", spec.camera), ("light", spec.light), ("table", spec.table), ("count", spec.count)):
        told += [f"--{name}", str(value)] if value not in ("any", None) else []
    return " ".join(("visionset render", *told, *more))


def _specs(args: argparse.Namespace, layout: str, kinds: tuple[str, ...], count: int | None) -> Iterator[TableSpec]:
    """What is asked for, picture by picture."""
    from visionset.render.table_plan import TableSpec

    chosen = tuple(name.strip() for name in args.kinds.split(",") if name.strip()) or kinds
    for seed in range(args.seed, args.seed + (args.pictures or 1)):
        yield TableSpec(layout, chosen, seed, args.camera, args.light, args.table, count if args.count is None else args.count, args.size)


def _tasks(args: argparse.Namespace, specs: Callable[[], Iterator[TableSpec]], ending: str) -> Callable[[], Iterator[Task]]:
    """Each table with the file for it; what cannot be is said before the folder is made."""
    from visionset.errors import OutputError
    from visionset.saving import check_can_save, writable_folder

    next(specs())
    if args.pictures is None:
        path = args.out or Path(f"{args.scene}-{args.seed}{ending}")
        if not path.name:
            raise OutputError(f"{path}: expected the name of a file, got a folder; name it table{ending}")
        if args.out is not None:  # under our own names lies what the same options have rendered
            check_new(args, path, path.with_suffix(".json"))
        else:
            check_can_save(path, _WHERE)
        return lambda: ((spec, path) for spec in specs())
    folder = writable_folder(args.out or Path(f"{args.scene}-{args.seed}"), _WHERE)
    return lambda: ((spec, folder / f"{args.scene}-{spec.seed}{ending}") for spec in specs())


def _stills(args: argparse.Namespace) -> int:
    from visionset.render.film import write_truth
    from visionset.render.table_plan import KINDS, LAYOUTS
    from visionset.render.table_truth import truth_kind
    from visionset.render.truth_file import TruthFile

    work, specs = RenderStill(args.physical), lambda: _specs(args, args.scene, LAYOUTS[args.scene].kinds, None)
    tasks = _tasks(args, specs, ".jpg")
    spec, path = next(tasks())
    kind = truth_kind(KINDS[name] for name in spec.kinds)
    if args.pictures is None:
        entry, truth = work((spec, path)), path.with_suffix(".json")
        write_truth(truth, {"kind": kind, "photos": {path.name: entry}})
        say(_still_line(path, entry))
        say(f"truth in {truth}")
        return 0
    code, asked = 0, ("--physical",) if args.physical else ()
    with TruthFile(path.with_name("truth.json")) as many:
        found = Found(lambda path: many.made_by(path.name), lambda spec: _asked(spec, asked))
        for (_, path), answer in _rendered(args, work, tasks, found):
            if isinstance(answer, Lost):
                code = _complain_of(path, answer)
                continue
            many.add(path.name, kind, answer)
            say(_still_line(path, answer))
    say(f"truth in {many.path}")
    return code


def _still_line(path: Path, entry: dict[str, Any]) -> str:
    return f"{path}: {counted(len(entry.get('dice', [])) + len(entry.get('cards', [])), 'piece')}, {entry['note']}"


def _complain_of(path: Path, lost: Lost[Any]) -> int:
    return complain(f"{path}: expected a table that can be rendered, got {lost.deaths} workers that died over it; leave its seed out")


def clip_files(path: Path) -> tuple[Path, ...]:
    """A clip, and its truth."""
    return path, path.with_suffix(".json")


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of files that are there: the command that made one (empty for none of ours), and the one that makes a table."""

    made_by: Callable[[Path], str]
    asked: Callable[[TableSpec], str]
    written: Callable[[Path], tuple[Path, ...]] = lambda path: (path,)
    """The files that belong to one."""

    def is_of(self, task: Task) -> bool:
        """Whether the file of a task is there, made with the same options."""
        spec, path = task
        return path.exists() and self.made_by(path) == self.asked(spec)


def _rendered(
    args: argparse.Namespace,
    work: Callable[[Task], AnswerT],
    tasks: Callable[[], Iterator[Task]],
    found: Found,
) -> Iterator[tuple[Task, AnswerT | Lost[Task]]]:
    """Each task that is to be done with its answer, in order. Raises `OutputError` where a file is there that was not rendered."""
    if not args.resume:
        check_new(args, *(one for _, path in tasks() if not found.made_by(path) for one in found.written(path) if one.exists()))
    with progress("rendering", lambda: args.pictures) as step:
        handed: deque[Task] = deque()

        def missing() -> Iterator[Task]:
            for task in tasks():
                if args.resume and found.is_of(task):
                    step()
                else:
                    handed.append(task)
                    yield task

        for answer in mapped(args, work, missing(), args.out or Path(f"{args.scene}-{args.seed}")):
            yield handed.popleft(), answer
            step()


def _clips(args: argparse.Namespace) -> int:
    from visionset.errors import SceneError
    from visionset.render.table_clips import CLIP_SCENES
    from visionset.render.table_plan import KINDS

    scene = CLIP_SCENES[args.scene]
    if args.physical:
        raise SceneError(f"expected a still scene for --physical, got the clip {args.scene}; leave it out")
    if args.frames is not None and args.frames < 1:
        raise SceneError(f"expected 1 frame or more, got {args.frames}; ask for at least one")
    specs: Callable[[], Iterator[TableSpec]] = lambda: _specs(args, scene.layout, scene.kinds, scene.count)  # noqa: E731 - looked at first
    wrong = [name for name in next(specs()).kinds if KINDS[name] not in scene.fits]
    if wrong:
        fit = ", ".join(name for name, kind in KINDS.items() if kind in scene.fits)
        raise SceneError(f"expected kinds that fit the clip {args.scene} ({fit}), got {', '.join(wrong)}; choose others")
    tasks = _tasks(args, specs, ".mp4")
    if args.pictures is None:
        task = next(tasks())
        with progress_bar() as bar:
            row = bar.add_task("rendering", total=None)
            line = RenderClip(args.scene, args.frames, lambda count: bar.update(row, total=count, advance=1))(task)
        say(line)
        say(f"truth in {task[1].with_suffix('.json')}")
        return 0

    found = Found(lambda path: _made_by(path.with_suffix(".json")), lambda spec: _clip_asked(spec, args.scene, args.frames), clip_files)
    code = 0
    for (_, path), told in _rendered(args, RenderClip(args.scene, args.frames), tasks, found):
        if isinstance(told, Lost):
            code = _complain_of(path, told)
        else:
            say(told)
    return code


def _made_by(truth: Path) -> str:
    """What a clip was asked for by; empty where nobody knows."""
    from visionset.render.truth_file import MADE_BY
    from visionset.untrusted import json_of, text_of

    try:
        known = json_of(text_of(truth))
    except ValueError:  # RecordError is one: there is none, or another file
        return ""
    return str(known.get(MADE_BY, "")) if isinstance(known, dict) else ""


def _size(text: str) -> tuple[int, int]:
    width, height = (int_or_none(side) for side in (text.partition("x")[::2]))
    if width is None or height is None or min(width, height) < 0:
        raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT as in 1280x720, got {text}")
    return width, height
