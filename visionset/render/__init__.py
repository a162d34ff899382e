"""Rendered tables: pictures of known truth, the same bytes from the same seed.

There are two sorts. ``random_scene`` (scene, surfaces, faces, layouts, spoil) paints anything quickly, to train and to test
readers with. ``render_still`` and ``play`` (stills, clips) paint tables that a person believes: materials to scale,
one light, hands that deal and take, one camera; the samples are made of them. ``render_table`` and ``table_clip`` (tables,
table_clips) do that for dice, playing cards and mixed tables; ``physical`` lets Mitsuba trace the light of the same plan.
"""
