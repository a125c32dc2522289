"""Where an engine reports what its phases take: nowhere, unless a bench holds the clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Literal, Protocol

EnginePhase = Literal["register", "analyze"]
"""What Python can time by itself: loading and unloading tables, and analyzing a query."""


class Timer(Protocol):
    """A clock with a hand for each phase."""

    def __call__(self, phase: EnginePhase) -> AbstractContextManager[None]:
        """The time that the context lasts counts as ``phase``."""

    def report(self, name: str, seconds: float) -> None:
        """So many seconds were spent inside of the JVM on what the jar calls ``name``."""


class NoTimer:
    """Nobody looks at the time."""

    def __call__(self, phase: EnginePhase) -> AbstractContextManager[None]:
        return nullcontext()

    def report(self, name: str, seconds: float) -> None:
        pass


@contextmanager
def timed(timer: Timer, phase: EnginePhase, manager: AbstractContextManager[None]) -> Iterator[None]:
    """``manager``, of which entering and leaving count as ``phase``, and what is done within does not."""
    with timer(phase):
        manager.__enter__()
    try:
        yield
    finally:
        with timer(phase):
            manager.__exit__(None, None, None)
