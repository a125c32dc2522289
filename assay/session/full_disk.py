"""Detect errors of a full disk, and wait until there is room."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from typing import TypeVar

from oracles.answers.outcome import Raised
from oracles.checks.result import CheckResult

T = TypeVar("T")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_TOLD = ("No space left on device", "Disk quota exceeded", "File too large")
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 15.0


class StillNoRoom(RuntimeError):
    """The disk was full until there was no more time to wait."""


def is_full(error: OSError) -> bool:
    """Whether ``error`` means that the disk is full."""
    return error.errno in _NO_ROOM


def met_full_disk(checked: CheckResult) -> bool:
    """Whether a leg failed because Spark had no room: that says nothing about the query."""
    return any(isinstance(end, Raised) and any(text in end.message for text in _TOLD) for end in checked.legs.values())


def patiently(
    what: Callable[[], T],
    *,
    waiting: Callable[[str], None],
    given_up: Callable[[], bool],
    pause: Callable[[float], object] = time.sleep,
) -> T:
    """Call ``what``, again and again while the disk is full; ``waiting`` is called with the reason each time.

    StillNoRoom when it is ``given_up``; other errors pass.
    """
    wait = _FIRST_WAIT
    while True:
        try:
            return what()
        except OSError as error:
            if not is_full(error):
                raise
            if given_up():
                raise StillNoRoom(str(error)) from error
            waiting(str(error))
        pause(wait)
        wait = min(2 * wait, _LONGEST_WAIT)
