from tests.hostile.runs import runs

__all__ = ["runs"]
