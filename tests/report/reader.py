"""A report read back as a tree: a browser mends what does not close, an XML reader refuses it."""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_ABOUT = re.compile(r"<!doctype html>|( xmlns=\"[^\"]*\")")
_VOID = re.compile(r"(<(?:meta|img)\b[^>]*)>")


class Report:
    """A page; `text` is as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root = ElementTree.fromstring(_VOID.sub(r"\1/>", _ABOUT.sub("", text)))

    def check(self) -> None:
        """The page needs nothing: no script, no style in place, nothing that is not in it."""
        ids = [one.get("id") for one in self.root.iter() if "id" in one.attrib]
        assert len(ids) == len(set(ids))
        for one in self.root.iter():
            assert one.tag not in ("script", "link", "iframe", "object", "base", "form")
            assert not [name for name in one.attrib if name == "style" or name.startswith("on")]
            assert one.get("src", "data:image/jpeg;base64,").startswith("data:image/jpeg;base64,")
            if "href" in one.attrib:
                assert one.attrib["href"].removeprefix("#") in ids

    @property
    def sections(self) -> list[str | None]:
        """Names of the sections in order."""
        return [one.get("id") for one in self.root.iter("section")]

    def section(self, name: str) -> Element:
        """One of them."""
        (found,) = (one for one in self.root.iter("section") if one.get("id") == name)
        return found

    def lines(self, name: str) -> list[str]:
        """Lines of the list of a section, folded away or not; the paragraphs of each with a stroke between them."""
        return [" | ".join(words(part) for part in line.iter("p")) for line in self.section(name).iter("li")]

    def rows(self, name: str) -> list[list[str]]:
        """Rows of the tables of a section, without their heads."""
        return [[words(cell) for cell in row] for body in self.section(name).iter("tbody") for row in body.iter("tr")]

    def pieces(self, name: str) -> list[list[str]]:
        """What is drawn in each line of the list of a section."""
        return [
            [svg[0].attrib["href"].removeprefix("#") for svg in line.iter("svg") if "piece" in svg.get("class", "")]
            for line in self.section(name).iter("li")
        ]

    def images(self, name: str) -> int:
        """Pictures in a section."""
        return sum(1 for _ in self.section(name).iter("img"))


def words(one: Element) -> str:
    """What an element says."""
    return " ".join("".join(one.itertext()).split())
