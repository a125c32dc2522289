"""A command of Assay's while it runs: watched by what it prints and leaves on disk, and hurt by real signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.fuzz.job_summary import VARIABLE
from tests.cli.assay import ROOT

LIMIT = 400.0


def processes() -> list[tuple[int, int, str]]:
    """Every process: its id, its parent's, and the name of its program."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout
    fields = [line.split(maxsplit=2) for line in listed.splitlines()]
    return [(int(pid), int(parent), name) for pid, parent, name in fields]


def children(pid: int) -> list[int]:
    """The processes that ``pid`` started and that are still there."""
    return [child for child, parent, _ in processes() if parent == pid]


class Live:
    """A process of ``command`` in ``cwd``; a context manager that leaves nothing behind."""

    def __init__(self, command: Sequence[object], cwd: Path) -> None:
        self.lines: list[str] = []
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TOX_"))}
        environ.pop(VARIABLE, None)
        environ.update(PYTHONPATH=str(ROOT), PYTHONUNBUFFERED="1", HYPOTHESIS_PROFILE="debug", COLUMNS="200")
        self._temporary = TemporaryDirectory(prefix="assay-live-")
        environ["TMPDIR"] = self._temporary.name
        self.process = subprocess.Popen(
            list(map(str, command)), cwd=cwd, env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines.extend(self.process.stdout)

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def text(self) -> str:
        """All that was printed so far."""
        return "".join(self.lines)

    def temporary(self, pattern: str) -> list[Path]:
        """The temporary files of the process whose names are like ``pattern``."""
        return list(Path(self._temporary.name).glob(pattern))

    def until(self, happened: Callable[[], object], limit: float = LIMIT) -> None:
        """Wait for something to happen; fails when the process ends before, or takes too long."""
        end = time.monotonic() + limit
        while not happened():
            assert self.process.poll() is None, f"ended: {self.text}"
            assert time.monotonic() < end, f"too late: {self.text}"
            time.sleep(0.05)

    def until_told(self, text: str) -> None:
        """Wait for a line."""
        self.until(lambda: text in self.text)

    def below(self, pid: int | None = None) -> list[int]:
        """The processes that the process has started, and those that these have."""
        own = children(pid or self.process.pid)
        return [*own, *(each for child in own for each in self.below(child))]

    @property
    def jvms(self) -> list[int]:
        """The JVMs among them."""
        own = set(self.below())
        return [pid for pid, _, name in processes() if pid in own and name == "java"]

    def kill_jvm(self) -> int:
        """Kill -9 of the first JVM; its process id."""
        self.until(lambda: self.jvms)
        pid = self.jvms[0]
        os.kill(pid, signal.SIGKILL)
        return pid

    def wait(self) -> int:
        """The end that the process comes to by itself, and the exit code."""
        code = self.process.wait(timeout=LIMIT)
        self._reader.join()
        return code

    def kill(self) -> None:
        """Kill -9 of everything at once, as when a machine is taken away."""
        if self.process.poll() is None:
            for child in self.below():
                # A worker leads a group, what else is started may not; any may have ended by itself since.
                for kill in (os.killpg, os.kill):
                    with suppress(ProcessLookupError):
                        kill(child, signal.SIGKILL)
            self.process.kill()
        self.process.wait()
        self._reader.join()
        self._temporary.cleanup()


def fuzzing(*options: object, cwd: Path, what: str = "fuzz") -> Live:
    """``tox run -e fuzz -- options`` without tox, under way; or ``mutants``."""
    return Live([sys.executable, "-m", "assay", what, "-p", "no:cacheprovider", *options], cwd)


def running(command: str, *options: object, cwd: Path) -> Live:
    """A command, under way."""
    return Live([sys.executable, "-m", "assay", command, *options], cwd)
