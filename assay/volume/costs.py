"""Measure the cost of a step: its time, and the peak memory of this process and the JVM."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

import psutil

_INTERVAL = 0.1


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds, and bytes of resident memory at most: of this process (DuckDB is in it), and of the JVM."""

    seconds: float
    python_memory: int
    jvm_memory: int


@dataclass(slots=True)
class Costs:
    """The cost of each step by its name; of a step that was made again, the last one.

    :param jvm: the JVM's process id, None where there is none to be watched.
    """

    jvm: Callable[[], int | None]
    steps: dict[str, Cost] = field(default_factory=dict)

    @contextmanager
    def of(self, step: str) -> Iterator[None]:
        """Time and memory of what is done in this context, also where it raises."""
        watched, ended = _Watched(psutil.Process(), _process(self.jvm())), Event()
        thread = Thread(target=watched.watch, args=(ended,), daemon=True)
        start = time.monotonic()
        thread.start()
        try:
            yield
        finally:
            seconds = time.monotonic() - start
            ended.set()
            thread.join()
            self.steps[step] = Cost(seconds, watched.python_most, watched.jvm_most)


def _process(pid: int | None) -> psutil.Process | None:
    return psutil.Process(pid) if pid is not None else None


@dataclass(slots=True)
class _Watched:
    python: psutil.Process
    jvm: psutil.Process | None
    python_most: int = 0
    jvm_most: int = 0

    def watch(self, ended: Event) -> None:
        self._look()
        while not ended.wait(_INTERVAL):
            self._look()
        self._look()

    def _look(self) -> None:
        self.python_most = max(self.python_most, _resident(self.python))
        self.jvm_most = max(self.jvm_most, _resident(self.jvm) if self.jvm else 0)


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0  # it has ended, which its caller will hear of
