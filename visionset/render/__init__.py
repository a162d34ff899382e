"""Rendered tables: pictures and films of known truth, the same bytes from the same seed.

A plan (`table_plan`) says what lies where, seen from where, in which light, and is asked for in a few words. One painter
(`tables`) lights it quickly, one tracer (`physical`) lets Mitsuba do it, and `table_truth` tells what is there without painting
anything. `film` shows a plan from frame to frame. Samples (`scripts/sample_recipes`) and what networks learn from
(`scripts/training/scenes`) are recipes over these.
"""
