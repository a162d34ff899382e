"""Scramble SET (rule D13)."""
