"""The progress line of a run, read from the run's record on disk."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from assay.fuzz.record import Record, read_record

_EVERY_TERMINAL = 1.0
_EVERY_PLAIN = 15.0


def progress_line(record: Record, total: int | None, seconds: float) -> str:
    """The progress line: the number of checks, checks per second, verdicts, rules that fired, and findings."""
    checks = record.checks
    of = f" of {total}" if total else ""
    verdicts = ", ".join(f"{name} {count}" for name, count in record.tally.verdicts.items() if count)
    fired = sum(1 for count in record.rules.values() if count.fired)
    parts = [f"{checks}{of} checks", f"{checks / seconds:.1f}/s" if seconds > 0 else "", verdicts]
    if record.kills:
        killed = sum(bool(kill["killed"]) for kill in record.kills)
        return f"{killed} of {len(record.kills)} mutants killed"
    return " | ".join(part for part in (*parts, f"{fired} rules fired", f"{len(record.findings)} findings") if part)


class Progress:
    """A thread that shows the progress line: redrawn on a terminal, printed every 15 seconds elsewhere.

    ``uncaptured`` gives a context in which file descriptor 1 is the user's, even if pytest captures it otherwise.
    """

    def __init__(self, folder: Path, total: int | None, uncaptured: Callable[[], AbstractContextManager[Any]]) -> None:
        self._folder = folder
        self._total = total
        with uncaptured():
            self._console = Console(file=os.fdopen(os.dup(1), "w"))
        self._started = time.monotonic()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and remove the line from the terminal."""
        self._done.set()
        self._thread.join(timeout=5)
        self._console.file.close()

    def _line(self) -> str:
        return progress_line(read_record(self._folder), self._total, time.monotonic() - self._started)

    def _show(self) -> None:
        if not self._console.is_terminal:
            while not self._done.wait(_EVERY_PLAIN):
                self._console.print(self._line(), highlight=False, soft_wrap=True)
            return
        with Live(console=self._console, transient=True, auto_refresh=False) as live:
            while not self._done.wait(_EVERY_TERMINAL):
                live.update(Text(self._line()), refresh=True)
