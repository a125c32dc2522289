"""The progress of a run over queries: a bar on a terminal, a line now and then in a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import Progress

EVERY = 15.0
"""Seconds between two lines in a pipe, as in other commands."""


class QueryProgress:
    """Counts the queries that are done, on standard error.

    :param total: the number of queries.
    """

    def __init__(
        self, total: int, *, console: Console | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console = console or Console(stderr=True)
        self._clock = clock
        self._bar = Progress(console=self._console, transient=True, disable=not self._console.is_terminal)
        self._task = self._bar.add_task("queries", total=total)
        self._total, self._done = total, 0
        self._started = self._printed = clock()

    def __enter__(self) -> QueryProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def at(self, name: str, checks: int) -> None:
        """Show that the query called ``name`` is checked, after so many checks of all queries."""
        self._bar.update(self._task, description=name)
        now = self._clock()
        if not self._console.is_terminal and now - self._printed >= EVERY:
            self._printed = now
            self._console.print(
                f"{self._done} of {self._total} queries | {checks:,} checks | at {name} | {now - self._started:.0f} s",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )

    def done(self, queries: int = 1) -> None:
        """Count ``queries`` as done."""
        self._done += queries
        self._bar.advance(self._task, queries)
