"""Timers to which an engine reports the time of its phases; only a bench has one that keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Literal, Protocol

EnginePhase = Literal["register", "analyze"]
"""The phases that Python times itself: loading and unloading tables, and analyzing a query."""


class Timer(Protocol):
    """Adds up the time of each phase."""

    def __call__(self, phase: EnginePhase) -> AbstractContextManager[None]:
        """Count the time of the context as ``phase``."""

    def report(self, name: str, seconds: float) -> None:
        """Add ``seconds`` spent inside the JVM on the jar's phase ``name``."""


class NoTimer:
    """A timer that keeps nothing."""

    def __call__(self, phase: EnginePhase) -> AbstractContextManager[None]:
        """A context that takes no time."""
        return nullcontext()

    def report(self, name: str, seconds: float) -> None:
        """Keep nothing."""


@contextmanager
def timed(timer: Timer, phase: EnginePhase, manager: AbstractContextManager[None]) -> Iterator[None]:
    """``manager`` with the time to enter and to leave it, but not the time within, counted as ``phase``."""
    with timer(phase):
        manager.__enter__()
    try:
        yield
    finally:
        with timer(phase):
            manager.__exit__(None, None, None)
