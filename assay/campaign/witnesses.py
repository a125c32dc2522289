"""Check of the known divergences: runs their witnesses in a process beside a campaign that has just begun."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.campaign.worker_pool import python_path

_RUN = (sys.executable, "-m", "oracles.triage.witness")
_LOG = "witnesses.log"


@dataclass(slots=True, kw_only=True)
class Witnesses:
    """The process that runs the witnesses, from :meth:`start` on; ``tell`` is called with its results, as text.

    ``stale`` are the ids of entries whose witness no longer fails; ``ended`` is true once all witnesses were run.
    """

    logs: Path
    tell: Callable[[str], None]
    command: tuple[str, ...] = _RUN
    stale: list[str] = field(default_factory=list)
    ended: bool = False
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process; it takes the start of a Spark session, and about a second for each witness."""
        self.logs.mkdir(parents=True, exist_ok=True)
        with (self.logs / _LOG).open("wb") as log:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self.logs,
                env={**os.environ, "PYTHONPATH": python_path()},
                start_new_session=True,  # Ctrl-C is for the coordinator alone
            )

    def look(self) -> None:
        """Report the results if the process has ended; returns at once."""
        if self._process is None or self._process.poll() is None:
            return
        process, self._process = self._process, None
        assert process.stdout is not None  # it is a pipe
        with process.stdout as printed:
            lines = printed.read().decode().splitlines()
        if process.returncode or not lines:
            self.tell(f"the witnesses of known divergences could not be run: see {self.logs / _LOG}")
            return
        fails: dict[str, Any] = json.loads(lines[-1])
        self.ended = True
        self.stale += [name for name, still in fails.items() if not still]
        self.tell(f"known divergences: {sum(fails.values())} of {len(fails)} witnesses fail as they should")
        for name in self.stale:
            self.tell(stale_message(name))

    def end(self) -> None:
        """Kill the process if it still runs."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            assert self._process.stdout is not None  # it is a pipe
            self._process.stdout.close()
            self._process = None


def stale_message(name: str) -> str:
    """The message about a stale entry."""
    return f"stale: {name}: its witness does not fail any more: delete the entry, if the bug is mended"
