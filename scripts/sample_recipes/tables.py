"""The samples of dice and playing cards: `scripts/make_samples` renders them."""

from __future__ import annotations

from visionset.render.table_spec import TableSpec

_HD, _SMALL = (1280, 720), (320, 180)

TABLES: dict[str, TableSpec] = {
    "set_dice/scattered-42": TableSpec("scattered", ("set-dice",), 5003, "laptop-lid", "window", "felt", 42, _HD),
    "set_dice/crossword": TableSpec("grid", ("set-dice",), 5011, "oblique", "ceiling", "walnut", 21, _HD),
    "set_dice/board": TableSpec("board", ("set-dice",), 5021, "above", "lamp", "laminate", 17, _HD),
    "pip_dice/colours": TableSpec("scattered", ("pip-dice",), 5039, "oblique", "sun", "oak", 12, _HD),
    "pip_dice/touching": TableSpec("grid", ("pip-dice",), 5051, "laptop-lid", "overcast", "laminate", 9, _HD),
    "playing_cards/rows": TableSpec("row", ("playing-cards", "card-backs"), 5059, "above", "window", "walnut", 10, _HD),
    "playing_cards/fan": TableSpec("fan", ("playing-cards",), 5077, "oblique", "ceiling", "felt", 8, _HD),
    "playing_cards/columns": TableSpec("columns", ("playing-cards",), 5087, "laptop-lid", "lamp", "oak", 20, _HD),
    "mixed/everything": TableSpec("mixed", (), 5101, "oblique", "window", "marble", 18, _HD),
    "mixed/from-above": TableSpec("mixed", (), 5113, "above", "dim", "oak", 16, _HD),
}
"""Pictures by file name."""

TABLE_CLIPS: dict[str, tuple[str, TableSpec]] = {
    "set_dice/add-320x180": ("add", TableSpec("grid", ("set-dice",), 5209, "above", "window", "oak", 6, _SMALL)),
    "pip_dice/throw-320x180": ("throw", TableSpec("scattered", ("pip-dice",), 5227, "oblique", "ceiling", "felt", 5, _SMALL)),
    "playing_cards/turn-320x180": ("turn", TableSpec("row", ("playing-cards",), 5231, "oblique", "window", "walnut", 4, _SMALL)),
}
"""Clips by file name, with the name of what happens."""
