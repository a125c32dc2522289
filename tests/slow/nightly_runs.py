"""Campaigns as processes: watched by what they print and leave on disk, and hurt by real signals and limits."""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path

from assay.ledger.folder import Folder
from tests.cli.assay import ROOT, RULES, Ended, run
from tests.cli.live import Live, children


def command(out: Path, *options: object) -> list[str]:
    """The command of ``tox run -e nightly``, with one worker and small rounds, and without a look at witnesses."""
    fixed = ("--out", out, "-n", 1, "--round", 10, "--hypothesis-seed", 1, "--no-witnesses")
    return [sys.executable, "-m", "assay", "nightly", *map(str, (*fixed, *options))]


def campaign(out: Path, *options: object) -> Ended:
    """A campaign from its beginning to its end."""
    return run(command(out, *options), ROOT)


def rule(name: str) -> tuple[str, str]:
    """The option that loads one of the test rules."""
    return "--rule", f"{RULES / f'{name}.scala'}@pre-operator-optimization"


class Running(Live):
    """A campaign that is running in ``folder``; a context manager that leaves nothing behind."""

    def __init__(self, out: Path, *options: object) -> None:
        self.folder = Folder(out)
        super().__init__(command(out, *options), ROOT)

    def __enter__(self) -> Running:
        return self

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

    def interrupt(self) -> int:
        """Ctrl-C, and the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.wait()
