"""Rendered tables: pictures of known truth, the same bytes from the same seed.

They serve the samples, the tests and the training of the small networks. A table is painted in the plane (texture,
sheets, cards), seen by a pinhole camera at a slant, lit, and spoiled as lenses and sensors spoil it.
"""
