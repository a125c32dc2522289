"""Times as people write them."""

from __future__ import annotations


def told_time(seconds: float) -> str:
    """A time as people say it: ``7h 59m``, ``12m 05s``, ``8s``."""
    whole = max(0, int(seconds))
    hours, minutes, rest = whole // 3600, whole % 3600 // 60, whole % 60
    if hours:
        return f"{hours}h {minutes:02}m"
    return f"{minutes}m {rest:02}s" if minutes else f"{rest}s"
