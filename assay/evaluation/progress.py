"""The progress of a trial on standard error: a line that is redrawn on a terminal, lines now and then in a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.status import Status

from assay.evaluation.acquittal import EvaluationStats
from assay.fuzz.incident_log import printed_on
from assay.fuzz.steering import Watch
from assay.verify.verification import Verification
from oracles.answers.plural import number

EVERY = 15.0
"""Seconds between two lines in a pipe, as in other commands. The first line of each part of a trial comes at once."""


class TrialProgress(AbstractContextManager["TrialProgress"]):
    """Says what a trial is at, from the start of Spark on.

    :param count: the number of queries that are drawn for a rule at most.
    """

    def __init__(
        self, count: int, *, console: Console | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rule = ""
        self._count = count
        self._console = console or Console(stderr=True)
        self._clock = clock
        self._started = self._printed = clock()
        self._status = Status("", console=self._console) if self._console.is_terminal else None

    def __enter__(self) -> TrialProgress:
        if self._status:
            self._status.start()
        self._begin("compiling what has changed, and starting Spark")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status:
            self._status.stop()

    def began(self, rule: str) -> None:
        """Say that ``rule`` is on trial."""
        self._rule = rule
        self._begin(f"{rule}: on trial")

    def found(self) -> None:
        """Say that a difference was found, before it is minimized and confirmed."""
        self._begin(f"{self._rule}: a difference, which is minimized and confirmed")

    def told(self, stats: EvaluationStats) -> None:
        """Say how far the draws are."""
        self._go_on(f"{self._rule}: fired in {stats.count.fired:,} of {stats.queries:,}, up to {self._count:,}")

    def compared(self, small: Verification) -> None:
        """Say how far the small queries are."""
        pairs = number(len(small.sweeps), "pair")
        self._go_on(f"{self._rule}: {small.compared:,} comparisons of {pairs} of plans of small queries")

    def heard(self, console: Console) -> Callable[[Mapping[str, Any]], None]:
        """A function that prints each incident at once, with the progress line hidden."""
        show = printed_on(console)

        def incident(each: Mapping[str, Any]) -> None:
            with self.hidden():
                show(each)

        return incident

    def said(self, console: Console) -> Callable[[str], None]:
        """A function that prints a line at once, with the progress line hidden."""

        def said(line: str) -> None:
            with self.hidden():
                console.print(line, highlight=False, markup=False, soft_wrap=True)

        return said

    def hidden(self) -> AbstractContextManager[object]:
        """A context in which the progress line is hidden."""
        return _Hidden(self._status)

    def _begin(self, text: str) -> None:
        if self._status:
            self._status.update(text)
        else:
            self._print(text)

    def _go_on(self, text: str) -> None:
        if self._status:
            self._status.update(text)
        elif self._clock() - self._printed >= EVERY:
            self._print(text)

    def _print(self, text: str) -> None:
        self._printed = self._clock()
        line = f"{text} | {self._printed - self._started:.0f} s"
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class Finds(Watch):
    """Tells of each finding before it is minimized."""

    def __init__(self, told: Callable[[], None]) -> None:
        self._told = told

    def found(self) -> None:
        """Tell."""
        self._told()


class _Hidden(AbstractContextManager["_Hidden"]):
    def __init__(self, status: Status | None) -> None:
        self._status = status

    def __enter__(self) -> _Hidden:
        if self._status:
            self._status.stop()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.start()
