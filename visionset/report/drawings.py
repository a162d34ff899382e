"""Pieces as small pictures of a page: each is drawn once, and shown wherever it is named."""

from __future__ import annotations

from visionset.kinds import DICE
from visionset.messages import at_table
from visionset.piece_svg import Plain, kind_code, piece_svg
from visionset.pieces import Piece
from visionset.report.html import Html, joined_html, tag


class Drawings:
    """The pieces of a page; `plain` says how they are drawn for people who do not tell the colours apart."""

    def __init__(self, plain: Plain | None = None) -> None:
        self._plain = plain
        self._drawn: dict[str, Html] = {}

    def show(self, piece: Piece) -> Html:
        """A piece, with its words for people who do not see it."""
        kind = kind_code(piece)
        name = f"{kind}-{piece}"
        if name not in self._drawn:
            svg = piece_svg(kind, str(piece), self._plain)
            self._drawn[name] = Html(svg.replace('role="img"', f'id="{name}"', 1))
        width, height = (57, 87) if piece.kind not in DICE else (40, 40)
        return tag(
            "svg",
            tag("use", href=f"#{name}", width=width, height=height),
            viewBox=f"0 0 {width} {height}",
            class_=f"piece {kind}",
            role="img",
            aria_label=at_table(piece),
        )

    def row(self, pieces: tuple[Piece, ...]) -> Html:
        """Several beside each other."""
        return tag("span", *map(self.show, pieces), class_="pieces")

    @property
    def drawn(self) -> Html:
        """What `show` refers to; it stands in the page once, and is not seen there itself."""
        return tag("svg", tag("defs", joined_html(*self._drawn.values())), class_="drawings", aria_hidden="true")
