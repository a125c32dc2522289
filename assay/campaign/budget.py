"""How long a campaign goes on, and which part of it is made here: what the user wrote, as numbers."""

from __future__ import annotations

import re

from assay.session.ending import BadInput

_BUDGET = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_SECONDS = (86_400, 3_600, 60, 1)


def parse_budget(text: str) -> float:
    """Seconds of ``90s``, ``10m``, ``8h``, ``1h30m``; BadInput for anything else, and for nothing."""
    match = _BUDGET.fullmatch(text.strip())
    seconds = sum(int(count) * unit for count, unit in zip(match.groups("0"), _SECONDS, strict=True)) if match else 0
    if seconds <= 0:
        raise BadInput(f"--budget {text}: needs a time such as 90s, 10m, 8h or 1h30m")
    return float(seconds)


def parse_shard(text: str) -> tuple[int, int]:
    """``I/N``: which of how many, from 1; BadInput unless 1 <= I <= N."""
    match = re.fullmatch(r"(\d+)/(\d+)", text.strip())
    shard, shards = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= shard <= shards:
        raise BadInput(f"--shard {text}: needs I/N with I from 1 to N, such as 1/4")
    return shard, shards


def told_time(seconds: float) -> str:
    """A time as people say it: ``7h 59m``, ``12m 05s``, ``8s``."""
    whole = max(0, int(seconds))
    hours, minutes, rest = whole // 3600, whole % 3600 // 60, whole % 60
    if hours:
        return f"{hours}h {minutes:02}m"
    return f"{minutes}m {rest:02}s" if minutes else f"{rest}s"
