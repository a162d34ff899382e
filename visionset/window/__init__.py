"""The watch window and its keys."""
