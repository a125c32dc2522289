"""Whether a process waited for a processor, by the kernel's counts for each of its threads.

A query that runs out of time on a busy machine is no slow query. The kernel counts how long a thread ran, and how long
it was ready to run and had no processor (``schedstat``); a thread that computes, sleeps or is locked out doesn't wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
SHARE = 0.5
"""The share of the time that a thread must have waited for a processor, for its process to count as starved."""


class Times(NamedTuple):
    """The seconds that a thread has run, and has waited for a processor."""

    ran: float = 0.0
    waited: float = 0.0


def times_of(pid: int, proc: Path = _PROC) -> Mapping[str, Times]:
    """The times of each thread of process ``pid``; none where no kernel counts them."""
    found = {}
    for file in (proc / str(pid) / "task").glob("*/schedstat"):
        try:
            ran, waited, *_ = (int(part) / 1e9 for part in file.read_text().split())
        except (OSError, ValueError):
            continue  # the thread has ended
        found[file.parent.name] = Times(ran, waited)
    return found


def is_starved(before: Mapping[str, Times], after: Mapping[str, Times], seconds: float, needed: float) -> bool:
    """Whether between two counts, ``seconds`` apart, a thread waited most of the time, and none ran for ``needed``
    seconds: a query that had these, and didn't end, is slow on any machine.
    """
    none = Times()
    spans = [
        (now.ran - before.get(name, none).ran, now.waited - before.get(name, none).waited)
        for name, now in after.items()
    ]
    most_run = max((ran for ran, _ in spans), default=0.0)
    most_waited = max((waited for _, waited in spans), default=0.0)
    return most_waited > SHARE * seconds and most_run < needed
