"""A time limit for one call after the other, by a single thread: to start a thread takes as long as a small query."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread
from weakref import WeakMethod


class Deadline:
    """Calls the method ``act``, in a thread of its own, if a watched context lasts too long; one context at a time.

    The thread holds only a weak reference to the method's object.
    """

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = WeakMethod(act)
        self._changed = Condition()
        self._ends: float | None = None
        self._wakes = math.inf
        self._late = self._closed = False
        self._watcher = Thread(target=self._watch, name="deadline", daemon=True)
        self._watcher.start()

    @contextmanager
    def within(self, seconds: float) -> Iterator[Callable[[], bool]]:
        """Limit the context to ``seconds``; the yielded function says afterwards whether it took longer."""
        with self._changed:
            self._late = False
            self._ends = time.monotonic() + seconds
            if self._ends < self._wakes:  # else the watcher looks again before that
                self._changed.notify()
        try:
            yield lambda: self._late
        finally:
            with self._changed:
                self._ends = None

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._watcher.join()

    def _watch(self) -> None:
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                if self._ends is not None and self._ends <= now:
                    self._ends, self._late = None, True
                    if act := self._act():
                        act()
                self._wakes = math.inf if self._ends is None else self._ends
                self._changed.wait(None if self._ends is None else self._ends - now)
