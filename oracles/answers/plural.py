"""Format a count with its noun in singular or plural."""

from __future__ import annotations


def number(count: int, of: str) -> str:
    """``1 run``, ``1,200 runs``."""
    return f"{count:,} {of}" if count == 1 else f"{count:,} {of}s"
