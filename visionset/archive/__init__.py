"""Readings of many pictures, kept in files: written while they come, gone on with after a stop, and asked afterwards."""
