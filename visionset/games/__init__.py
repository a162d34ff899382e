"""The rules, in plain Python: no picture, no camera, no clock. Pieces in, positions out."""
