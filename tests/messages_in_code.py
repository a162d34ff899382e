"""What is said, found in the code: codes with the names of their arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import visionset

CODE = Path(visionset.__file__).parent
PAGE = CODE / "web" / "static"

_SAID_BY_THE_PAGE = re.compile(r"""\bsay\(\s*(?:"([^"]+)"|`([^`]+)`)""")
_ASKED_FOR = re.compile(r""""(page\.[a-z_.]+)\"""")
_FILLED_IN = re.compile(r"\$\{[^}]*\}")


def messages_in(path: Path) -> Iterator[tuple[str, frozenset[str] | None, str]]:
    """Each code with its arguments and where it stands; a star stands for what the code fills in.

    The arguments are None where the code does not tell them.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        place = {"Message": 0, "refusal": 1}.get(name)
        if place is None or len(node.args) <= place:
            continue
        args = None if any(word.arg is None for word in node.keywords) else frozenset(word.arg for word in node.keywords if word.arg)
        for code in codes_of(node.args[place]):
            yield code, args, f"{path.name}:{node.lineno}"


def codes_of(node: ast.expr) -> Iterator[str]:
    """Codes that an expression may stand for."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from codes_of(node.body)
        yield from codes_of(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)


def messages_in_page() -> Iterator[tuple[str, str]]:
    """Each code that the page says, with a star for what it fills in, and where it stands."""
    for path in sorted(PAGE.glob("*.js")):
        text = path.read_text(encoding="utf-8")
        for plain, filled in _SAID_BY_THE_PAGE.findall(text):
            yield plain or _FILLED_IN.sub("*", filled), path.name
        for code in _ASKED_FOR.findall(text):
            yield code, path.name


def texts_in_page() -> Iterator[tuple[str, str]]:
    """Each text that stands in the markup of the page itself, outside the catalogue, and where; names of keys are none."""
    for path in sorted(PAGE.glob("*.js")):
        for written in _markup_in(path.read_text(encoding="utf-8")):
            markup = re.sub("<kbd[^>]*>[^<]*</kbd>", "", written)  # keys are called as they are printed on them
            for text in [
                *re.findall(r">([^<>]+)<", f">{markup}<"),
                *re.findall(r"""\b(?:aria-label|alt|title|placeholder)="([^"]+)\"""", markup),
            ]:
                if re.search(r"[A-Za-z]", text):
                    yield text.strip(), path.name


def _markup_in(text: str) -> Iterator[str]:
    """The templates of markup, without what is filled in: there a piece of code stands, with templates of its own."""
    stack: list[list[str]] = []
    at = 0
    while at < len(text):
        if stack and stack[-1][0] == "markup":
            if text[at] == "`":
                yield stack.pop()[1]
            elif text.startswith("${", at):
                stack.append(["code", "", "0"])
                at += 1
            else:
                stack[-1][1] += text[at]
        elif text.startswith("html`", at):
            stack.append(["markup", ""])
            at += 4
        elif text[at] == "`":  # a string that is no markup
            at = _end_of_string(text, at + 1)
        elif stack and text[at] in "{}":
            depth = int(stack[-1][2]) + (1 if text[at] == "{" else -1)
            if depth < 0:
                stack.pop()
            else:
                stack[-1][2] = str(depth)
        at += 1


def _end_of_string(text: str, at: int) -> int:
    depth = 0
    while depth or text[at] != "`":
        depth += text.startswith("${", at) - (text[at] == "}" and depth > 0)
        at += 1
    return at
