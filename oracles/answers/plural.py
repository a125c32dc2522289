"""Format counts and durations for people."""

from __future__ import annotations

_HOUR, _MINUTE = 3_600, 60


def number(count: int, of: str) -> str:
    """``1 run``, ``1,200 runs``."""
    return f"{count:,} {of}" if count == 1 else f"{count:,} {of}s"


def duration_text(seconds: float) -> str:
    """``8 h 3 min``, ``3 min 20 s``, ``20 s``."""
    whole = max(0, round(seconds))  # a campaign that wraps up is past its budget
    if whole >= _HOUR:
        return f"{whole // _HOUR:,} h {whole % _HOUR // _MINUTE} min"
    return f"{whole // _MINUTE} min {whole % _MINUTE} s" if whole >= _MINUTE else f"{whole} s"
