"""What is said, found in the code: codes with the names of their arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import visionset

CODE = Path(visionset.__file__).parent


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
