"""A watchdog that kills a JVM that doesn't answer in time.

A query that runs as a Spark job can be cancelled. A loop in the optimizer, or a JVM that hangs, can only be killed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Watchdog:
    """Watches one step at a time; ``rang`` says whether a step took too long."""

    def __init__(self) -> None:
        self.rang = False
        self.steps = 0
        self._changed = threading.Condition()
        self._deadline: float | None = None
        self._kill: Callable[[], None] | None = None
        self._thread: threading.Thread | None = None

    @contextmanager
    def step(self, seconds: float, kill: Callable[[], None]) -> Iterator[None]:
        """Call ``kill``, from another thread, if the context lasts longer than ``seconds``."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
                self._thread.start()
            self.steps += 1
            self._deadline, self._kill = time.monotonic() + seconds, kill
            self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._deadline = self._kill = None

    def _watch(self) -> None:
        with self._changed:
            while True:
                rest = None if self._deadline is None else self._deadline - time.monotonic()
                if rest is not None and rest <= 0 and self._kill is not None:
                    self.rang = True
                    self._kill()
                    self._deadline = self._kill = None
                    continue
                # Steps are many and short: most end long before this thread wakes up again.
                self._changed.wait(rest)
