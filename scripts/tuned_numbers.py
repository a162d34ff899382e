"""The tuned numbers of modules: where each stands in the source, what it is called, and its value.

A number counts where it is given a name: in a constant of a module, be it alone or in a tuple or table, or as what a field of a class
is where nothing else is said. 0, 1, -1 and whether something holds are no choice among many and do not count.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

PLAIN = {0, 1}


class Number(NamedTuple):
    """A number of a module."""

    module: str
    """Name of its file."""
    line: int
    column: int
    name: str
    """Of the constant or field; of several in one, which."""
    value: float
    is_field: bool


def numbers(path: Path) -> list[Number]:
    """The numbers of a module: those of its constants, then those of the fields of its classes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    fields = [statement for node in tree.body if isinstance(node, ast.ClassDef) for statement in node.body]
    return [
        number
        for body, is_field in ((tree.body, False), (fields, True))
        for statement in body
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None
        for number in _numbers(path.name, statement, statement.value, is_field)
    ]


def _numbers(module: str, statement: ast.Assign | ast.AnnAssign, value: ast.expr, is_field: bool) -> list[Number]:
    name = ast.unparse(statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0])
    found = [node for node in ast.walk(value) if isinstance(node, ast.Constant) and _is_number(node.value)]
    which = [f", {at + 1} of {len(found)}" if len(found) > 1 else "" for at in range(len(found))]
    return [
        Number(module, node.lineno, node.col_offset, name + said, node.value, is_field)  # type: ignore[arg-type]
        for node, said in zip(found, which, strict=True)
    ]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value not in PLAIN
