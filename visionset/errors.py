"""The exception tree: every message is one line that says what was expected, what came and what to do next."""

from __future__ import annotations

import re
from types import UnionType

from visionset.messages import Words

_IN_ADDRESS = re.compile(
    r"""(?:(\w\w://?)(?!/)|(?<![^\s"'=])([\w.+-]*[:;]?[\\/]{1,4})?[^\s"'@/:]*:(?![\\/]))(?:[^\s"'/]*@(?=[\w.\[])(?:[^\s"'?]*@)?|[^\s"'?]*@)"""
)
"""User and password with the @ behind them, and what may stand before them; no drive of Windows."""

_CUT_OFF = re.compile(r"""(\w\w://?)(?![^\s"'/]*@)[^\s"'/@:\[]+:(?!\d{1,5}\b)[^\s"']+?(?=[:;,]?(?:[\s"'\\]|$))""")
"""The same where the address ends before its @: what follows a colon and is no number of a port."""

_ASKED = re.compile(r"""(\w\w:/[^\s"'?=]*?)(?:\?|/(?=[^\s"'?/]*=))[^\s"'\\]*=[^\s"'\\]*?(?=[:;,]?(?:[\s"'\\]|$))""")
"""What an address asks for behind a question mark, or by = in its path, and what stands before that."""


class VisionsetError(Exception):
    """Base of everything that visionset raises on purpose; the command line prints it as one line and exits with 1."""


class PieceError(VisionsetError, ValueError):
    """What is no piece, or the name of none, or a piece of another kind than is wanted."""


class PictureError(VisionsetError):
    """A picture or video that cannot be read, or that is too large or too small to hold a table."""


class ArrayError(PictureError, ValueError):
    """An array that is no picture, or no outline, as the library takes it."""


class SourceError(VisionsetError):
    """A camera, clip or stream that cannot be opened, or that went away and did not come back."""


class WorkerError(VisionsetError):
    """Worker processes or a cluster that do not start, cannot be reached or are of another version."""


class OutputError(VisionsetError):
    """A file or folder that cannot be written.

    Attributes
    ----------
    message : Message or str
        What cannot be written, and what to do.
    """

    def __init__(self, message: Words) -> None:
        super().__init__(message)
        self.message = message


class CalibrationError(VisionsetError):
    """A profile that is not there, cannot be made, or does not fit the camera or the picture size."""


class RuleError(VisionsetError):
    """A game event against the rules, or players and house rules that a game cannot be played by; the state that refused it is untouched.

    Attributes
    ----------
    message : Message or str
        What is refused, and why.
    rule : str
        The rule; empty where it was no rule that refused.
    tried : Message or None
        What was against it.
    allowed : tuple of Message
        What may be done instead.
    """

    def __init__(self, message: Words, *, rule: str = "", tried: Words = "", allowed: tuple[Words, ...] = ()) -> None:
        super().__init__(message)
        self.message, self.rule, self.tried, self.allowed = message, rule, tried, allowed


class RequestError(VisionsetError):
    """Something that a page asked for and does not get; the table is untouched.

    Attributes
    ----------
    why : str
        A word for programs, such as ``seat``.
    message : Message
        Why, for people.
    """

    def __init__(self, why: str, message: Words) -> None:
        super().__init__(message)
        self.why, self.message = why, message


class GameError(VisionsetError):
    """A game whose package is not complete, does not load, or has the name of another."""


class RecordError(VisionsetError, ValueError):
    """A table, game, state or event that cannot be read from its JSON, or another file that does not hold what is wanted of it."""


class StoreError(VisionsetError):
    """A file of matches that is damaged or from a newer version, or a match that is not in it as expected."""


class OptionError(VisionsetError, ValueError):
    """A choice that makes no sense, such as no deck at all."""


class SceneError(VisionsetError, ValueError):
    """A table that cannot be rendered as asked for."""


def check_type(given: object, kind: type | UnionType, what: str, advice: str) -> None:
    """Raise `OptionError` for what is not of a kind; `what` names that, and `advice` says where one comes from.

    >>> check_type("set", dict, "a game", "GAMES['set'] is one")
    Traceback (most recent call last):
        ...
    visionset.errors.OptionError: expected a game, got 'set'; GAMES['set'] is one
    """
    if not isinstance(given, kind):
        raise OptionError(f"expected {what}, got {repr_in_a_line(given)}; {advice}")


def repr_in_a_line(given: object) -> str:
    """What was given, as Python writes it, in one line: the beginning of a long one."""
    return f"{' '.join(repr(given).split()):.80}"


def reason(error: OSError) -> str:
    """Why the system refused, in its words; or what stands there instead of a file."""
    return "a folder" if isinstance(error, IsADirectoryError) else (error.strerror or type(error).__name__).lower()


def without_passwords(text: str) -> str:
    """Lines as others may read them, in reports of faults and over a shoulder: of the addresses in them neither user nor password.

    People mistype addresses, so whatever stands before an @ goes where a colon is in it, and what is asked for behind a question mark.
    Where the address ends before its @, all goes that is no port.

    >>> without_passwords("rtsp:/ann:pw@cam/1?pwd=pw: expected a video, got no such file")
    'rtsp:/cam/1: expected a video, got no such file'
    >>> without_passwords("got ann:pw@cam, and no mail to ann@home.example")
    'got cam, and no mail to ann@home.example'
    >>> without_passwords("rtsp://ann:pw: expected a video stream, and not one of http://cam:8080")
    'rtsp://: expected a video stream, and not one of http://cam:8080'
    """
    return _ASKED.sub(r"\1", _CUT_OFF.sub(r"\1", _IN_ADDRESS.sub(r"\1\2", text)))
