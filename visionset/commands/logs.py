"""What a command does, for fault reports: ``-v`` for people, ``--log FILE`` as one JSON object a line."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging

_LOGGER = "visionset"


def add_log_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how much is told about what is done."""
    told = "say what is done, on the standard error; twice: in detail"
    parser.add_argument("-v", "--verbose", action="count", default=argparse.SUPPRESS, help=told)
    told = "add what is done to a file, one JSON object a line: time, level, logger, event and what belongs to it"
    parser.add_argument("--log", type=Path, metavar="FILE", default=argparse.SUPPRESS, help=told)


def start_log(args: argparse.Namespace) -> None:
    """Say and write from now on what the arguments ask for; raises `OutputError` where the file cannot be written."""
    wanted, path = getattr(args, "verbose", 0), getattr(args, "log", None)
    if not wanted and path is None:
        return
    import logging

    logger = logging.getLogger(_LOGGER)
    stop_log()
    spoken = logging.StreamHandler(sys.stderr)
    spoken.setLevel({0: logging.WARNING, 1: logging.INFO}.get(wanted, logging.DEBUG))
    spoken.setFormatter(_plain())
    logger.addHandler(spoken)
    if path is not None:
        logger.addHandler(_file(path))
    logger.setLevel(logging.DEBUG if path is not None or wanted > 1 else logging.INFO)


def stop_log() -> None:
    """Close what `start_log` opened."""
    logging = sys.modules.get("logging")
    if logging is None:
        return
    logger = logging.getLogger(_LOGGER)
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        with suppress(OSError):  # a full disk: what was written stays
            handler.close()
    logger.setLevel(logging.NOTSET)


def log_event(event: str, **data: object) -> None:
    """Log an event of a command with what belongs to it; costs nothing where nobody asked for a log."""
    logging = sys.modules.get("logging")
    if logging is not None and logging.getLogger(_LOGGER).handlers:
        logging.getLogger(_LOGGER).info(event, extra={"data": data})


def _file(path: Path) -> logging.Handler:
    import logging

    from visionset.commands.parts import complain
    from visionset.errors import OutputError, reason

    class LogFile(logging.FileHandler):
        def handleError(self, record: logging.LogRecord) -> None:
            """A full disk ends the log and not the command."""
            with suppress(OSError):
                self.close()
            logging.getLogger(_LOGGER).removeHandler(self)
            complain(f"{path}: the log ends here, it cannot be written any more; the command goes on")

    try:
        # /dev/stderr may lead to a file to which other words go too
        if path.is_file() and not any(os.path.samestat(path.stat(), os.fstat(stream)) for stream in (1, 2)):
            with path.open("rb") as file:
                if file.read(1) not in (b"", b"{"):  # a photo, say, which it would damage
                    raise OutputError(f"{path}: expected a log or a new name, got another kind of file; name another")
        handler = LogFile(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise OutputError(f"{path}: expected a log that can be written, got {reason(error)}; name another file") from None
    handler.setFormatter(_lines())
    return handler


def _plain() -> logging.Formatter:
    import logging

    from visionset.commands.terminal import escaped
    from visionset.errors import without_passwords

    class Plain(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            told = " ".join(f"{name}={value}" for name, value in getattr(record, "data", {}).items())
            line = without_passwords(f"visionset: {super().format(record)} {told}").rstrip()
            return "\n".join(map(escaped, line.split("\n")))

    return Plain("%(message)s")


def _lines() -> logging.Formatter:
    import json
    import logging
    from datetime import UTC, datetime

    from visionset.errors import without_passwords

    class Lines(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            line: dict[str, object] = {
                "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
                "level": record.levelname.lower(),
                "logger": record.name,
                "event": record.getMessage(),
                **getattr(record, "data", {}),
            }
            if record.exc_info:
                line["trace"] = self.formatException(record.exc_info)
            return without_passwords(json.dumps(line, default=str))

    return Lines()
