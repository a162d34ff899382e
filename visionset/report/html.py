"""Elements of HTML and SVG as values: what is text is escaped once, where it goes in, and every element closes.

Thirty lines instead of a template engine: one page needs none of its loops and filters, and each dependency is one more to keep.
"""

from __future__ import annotations

from html import escape

_VOID = frozenset({"img", "meta"})
"""Elements of HTML that hold nothing and are not closed."""


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(name: str, /, *content: str, **attributes: object) -> Html:
    """Make an element; what is in it and is no `Html` is escaped. Attributes lose a last ``_`` and have ``-`` for others."""
    told = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    return Html(f"<{name}{told}>" if name in _VOID else f"<{name}{told}>{joined_html(*content)}</{name}>")


def joined_html(*content: str) -> Html:
    """One after the other; whatever is no `Html` is escaped."""
    return Html("".join(part if isinstance(part, Html) else escape(part, quote=False) for part in content))
