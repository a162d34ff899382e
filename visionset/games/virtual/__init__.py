"""A table without a camera: a shuffled pack, a bag of dice, and simple players."""
