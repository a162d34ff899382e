"""The Print menu: what can be printed with its options, and the files, the same as those of `visionset print`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from visionset.errors import RequestError
from visionset.messages import Message, languages, speaking
from visionset.printing.prints import PRINTS


def prints_json() -> list[dict[str, Any]]:
    """Everything that can be printed: names, and of each option its kind and what may be chosen."""
    return [
        {
            "name": thing.name,
            "options": [
                {
                    "name": option.name,
                    "usual": option.usual,
                    "choices": option.choices,
                    "least": option.least,
                    "most": option.most,
                    "whole": option.is_whole,
                    "counts_with": option.counts_with,
                }
                for option in thing.options
            ],
        }
        for thing in PRINTS.values()
    ]


def print_pdf(name: str, chosen: Mapping[str, str]) -> bytes:
    """Write a PDF as somebody chose it, in the language that they name.

    Raises `RequestError` where there is no such thing, `RecordError` for what cannot be chosen, `OutputError` without the extra `print`.
    """
    if name not in PRINTS:
        raise RequestError("not_found", Message("web.refused.not_found"))
    language = chosen.get("language", "")
    wanted = PRINTS[name].settled({option: text for option, text in chosen.items() if option != "language"})
    with speaking(language) if language in languages() else nullcontext():
        return PRINTS[name].draw(wanted)
