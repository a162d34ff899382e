"""visionset reads the cards on a real table and finds the SETs."""

__version__ = "0.1.0"
