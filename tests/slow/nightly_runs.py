"""Campaigns as processes: watched by what they print and leave on disk, and hurt by real signals and limits."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from oracles.ledger.folder import Folder
from oracles.run.job_summary import VARIABLE
from tests.cli.assay import ROOT, RULES, Ended, run

_LIMIT = 400.0


def command(out: Path, *options: object) -> list[str]:
    """What tox runs for ``tox run -e nightly``, with one worker and small rounds, and without a look at witnesses."""
    fixed = ("--out", out, "-n", 1, "--round", 10, "--hypothesis-seed", 1, "--no-witnesses")
    return [sys.executable, "-m", "oracles.nightly.main", *map(str, (*fixed, *options))]


def campaign(out: Path, *options: object) -> Ended:
    """A campaign from its beginning to its end."""
    return run(command(out, *options), ROOT)


def children(pid: int) -> list[int]:
    """The processes that ``pid`` started and that are still there."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    return [child for child, parent in pairs if parent == pid]


def rule(name: str) -> tuple[str, str]:
    """The option that loads one of the test rules."""
    return "--rule", f"{RULES / f'{name}.scala'}@pre-operator-optimization"


class Running:
    """A campaign that is running in ``folder``; a context manager that leaves nothing behind."""

    def __init__(self, out: Path, *options: object) -> None:
        self.folder = Folder(out)
        self.lines: list[str] = []
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TOX_"))}
        environ.pop(VARIABLE, None)
        environ.update(PYTHONPATH=str(ROOT), PYTHONUNBUFFERED="1")
        self.process = subprocess.Popen(
            command(out, *options), env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines.extend(self.process.stdout)

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def text(self) -> str:
        """All that was printed so far."""
        return "".join(self.lines)

    def until(self, happened: Callable[[], object], limit: float = _LIMIT) -> None:
        """Wait for something to happen; fails when the campaign ends before, or takes too long."""
        end = time.monotonic() + limit
        while not happened():
            assert self.process.poll() is None, f"ended: {self.text}"
            assert time.monotonic() < end, f"too late: {self.text}"
            time.sleep(0.05)

    def until_told(self, text: str) -> None:
        """Wait for a line."""
        self.until(lambda: text in self.text)

    def until_rounds(self, more: int) -> None:
        """Wait until so many more rounds are on disk."""
        before = len(self.folder.round_files())
        self.until(lambda: len(self.folder.round_files()) >= before + more)

    @property
    def worker(self) -> int:
        """The only worker's process."""
        (pid,) = children(self.process.pid)
        return pid

    @property
    def jvm(self) -> int:
        """That worker's JVM."""
        (pid,) = children(self.worker)
        return pid

    def disk_of_worker(self, *, full: bool) -> None:
        """Let no file of the worker grow any more, or all of them."""
        _, hard = resource.prlimit(self.worker, resource.RLIMIT_FSIZE)
        resource.prlimit(self.worker, resource.RLIMIT_FSIZE, (0 if full else hard, hard))

    def wait(self) -> int:
        """The end that the campaign comes to by itself, and the exit code."""
        code = self.process.wait(timeout=_LIMIT)
        self._reader.join()
        return code

    def interrupt(self) -> int:
        """Ctrl-C, and the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.wait()

    def kill(self) -> None:
        """kill -9 of everything at once, as when a machine is taken away."""
        if self.process.poll() is None:
            for child in children(self.process.pid):
                # A worker leads a group, what else is started may not; any may have ended by itself since.
                for kill in (os.killpg, os.kill):
                    with suppress(ProcessLookupError):
                        kill(child, signal.SIGKILL)
            self.process.kill()
        self.process.wait()
        self._reader.join()
