"""``visionset desktop``: an entry with an icon in the menu of a Linux desktop."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from importlib.resources import files
from pathlib import Path

from visionset.commands.parts import Subparsers, add_command, say
from visionset.errors import OutputError, reason
from visionset.saving import save_text

_MORE = """\
examples
  visionset desktop             put visionset into the menu: it opens the page of `visionset table`
  visionset desktop --remove    take it out again

The entry is for you alone, in the folder that $XDG_DATA_HOME names, else in ~/.local/share.
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "desktop", run, _MORE)
    parser.add_argument("--remove", action="store_true", help="take it out again")


def run(args: argparse.Namespace) -> int:
    """Write the entry and its icon, or remove both."""
    if not sys.platform.startswith("linux"):
        raise OutputError(f"expected a Linux desktop, got {sys.platform}; make a shortcut to `visionset table` yourself")
    entry, icon = _places()
    if args.remove:
        gone = [path for path in (entry, icon) if path.exists()]
        for path in gone:
            path.unlink()
        say("\n".join(f"removed {path}" for path in gone) or "there was no entry")
        return 0
    drawing = files("visionset.web").joinpath("static/icon.svg").read_text(encoding="utf-8")
    for path, text in ((icon, drawing), (entry, desktop_entry(_program(), icon))):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{path.parent}: expected a folder to write to, got {reason(error)}; make it yours") from None
        save_text(path, text)
        say(f"wrote {path}")
    return 0


def desktop_entry(program: list[str], icon: Path) -> str:
    """The text of the entry, as the specification of freedesktop.org has it; the program is run in a terminal, whose end ends it."""
    command = " ".join(map(_quoted, [*program, "table"]))
    return (
        "[Desktop Entry]\nType=Application\nName=visionset\n"
        "Comment=SET and six games more, refereed by a camera or dealt by the program\n"
        "Comment[de]=SET und sechs weitere Spiele: die Kamera leitet sie, oder das Programm gibt\n"
        f"Exec={command}\nIcon={icon}\nTerminal=true\nCategories=Game;BoardGame;\nKeywords=SET;cards;dice;camera;\n"
    )


def _places() -> tuple[Path, Path]:
    home = os.environ.get("XDG_DATA_HOME", "")
    data = Path(home) if home.startswith("/") else Path.home() / ".local" / "share"
    return data / "applications" / "visionset.desktop", data / "icons" / "hicolor" / "scalable" / "apps" / "visionset.svg"


def _program() -> list[str]:
    """The installed command, else this Python with the package."""
    beside = Path(sys.executable).with_name("visionset")
    found = str(beside) if beside.exists() else shutil.which("visionset")
    return [found] if found else [sys.executable, "-m", "visionset"]


def _quoted(word: str) -> str:
    """A word of ``Exec``: in quotes, with the signs escaped that the specification names, twice as texts of entries are escaped too."""
    for sign in ("\\", '"', "`", "$"):
        word = word.replace(sign, "\\" + sign)
    return '"' + word.replace("\\", "\\\\").replace("%", "%%") + '"'
