"""The language in which people at the table are spoken to: of an option, of the environment, of the user's settings."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from visionset.errors import OutputError, RecordError
from visionset.messages import ENGLISH, languages, loaded_catalogue, speak
from visionset.saving import config_folder

_SETTING = "language"


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the language."""
    told = "language at the table: %(choices)s (default: $VISIONSET_LANGUAGE, else `language` of settings.toml, else en)"
    parser.add_argument("--language", choices=languages(), metavar="CODE", default=argparse.SUPPRESS, help=told)


def settings_file() -> Path:
    """What the user has settled for all commands, a TOML file."""
    return config_folder() / "settings.toml"


def speak_as_wanted(args: argparse.Namespace) -> None:
    """Speak the language of the option, else of the environment, else of the settings, else English.

    Raises
    ------
    OutputError
        The environment or the settings name a language of which there is no catalogue, or the settings cannot be read.
    """
    wanted, _ = wanted_language(args)
    speak(loaded_catalogue(wanted) if wanted != ENGLISH else None)


def wanted_language(args: argparse.Namespace) -> tuple[str, str]:
    """Give the language that is wanted, and what wants it; raises as `speak_as_wanted`."""
    option = getattr(args, "language", None)
    if option is not None:
        return option, "--language"
    if named := _known(os.environ.get("VISIONSET_LANGUAGE", ""), "VISIONSET_LANGUAGE"):
        return named, "$VISIONSET_LANGUAGE"
    if settled := _of_settings(settings_file()):
        return settled, str(settings_file())
    return ENGLISH, "as usual; --language, $VISIONSET_LANGUAGE or settings.toml name another"


def _of_settings(path: Path) -> str:
    if not os.path.isfile(path):  # nor in a folder that nobody may look into
        return ""
    from visionset.untrusted import text_of, toml_of

    try:
        settled = toml_of(text_of(path))
        for name in settled:
            if name != _SETTING:
                raise RecordError(f"expected no line but {_SETTING} = ..., got {name!r:.40}")
        return _known(settled.get(_SETTING, ""), str(path))
    except RecordError as error:
        where = "" if str(error).startswith(str(path)) else f"{path}: "
        raise OutputError(f'{where}{error}; write its one line as {_SETTING} = "de", or remove the file') from None


def _known(name: object, where: str) -> str:
    if name == "":
        return ""
    known = str(name).lower()
    if known not in languages():
        raise OutputError(f"{where}: expected a language, one of {', '.join(languages())}, got {name!r:.40}; name one of them")
    return known
