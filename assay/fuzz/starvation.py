"""Whether a process waited for a processor, by the kernel's count for each of its threads.

A query that runs out of time on a busy machine is no slow query. The kernel counts how long a thread was ready to run
and had no processor (``schedstat``); a thread that computes, sleeps or is locked out has no such time.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_PROC = Path("/proc")
SHARE = 0.5
"""The share of the time that a thread must have waited for a processor, for its process to count as starved."""


def waits(pid: int, proc: Path = _PROC) -> Mapping[str, float]:
    """The seconds that each thread of process ``pid`` has waited for a processor; none where no kernel counts them."""
    seconds = {}
    for file in (proc / str(pid) / "task").glob("*/schedstat"):
        try:
            _, waited, *_ = file.read_text().split()
        except (OSError, ValueError):
            continue  # the thread has ended
        seconds[file.parent.name] = int(waited) / 1e9
    return seconds


def is_starved(before: Mapping[str, float], after: Mapping[str, float], seconds: float) -> bool:
    """Whether a thread waited for a processor for most of the ``seconds`` between two counts."""
    longest = max((waited - before.get(thread, 0.0) for thread, waited in after.items()), default=0.0)
    return longest > SHARE * seconds
