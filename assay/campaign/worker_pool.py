"""The coordinator's side of its workers: processes that are started, given tasks, listened to, and ended for good."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from assay.campaign.channel import Receiver
from assay.campaign.worker import WorkerConfig
from assay.ledger.folder import Folder
from oracles.engines.spark.last_words import crash_reports, tail

_ROOT = Path(__file__).resolve().parents[2]
_SERVE = (sys.executable, "-m", "assay.campaign.worker")
_SILENCE = 120.0
"""Seconds without any message after which a worker counts as stuck."""

_LONGEST_DELAY = 60.0


@dataclass(slots=True, kw_only=True)
class WorkerHandle:
    """One place in the worker pool, and the process that holds it now.

    ``doing`` is the current task, ``at_work`` grows with every step that it begins; times are of the monotonic
    clock. ``deaths`` counts those in a row without a round between them; ``inherited`` is the query
    at which the last one died, as plain data.
    """

    number: int
    process: subprocess.Popen[bytes]
    receiver: Receiver
    heard: float
    moved: float
    doing: Mapping[str, Any] | None = None
    ready: bool = False
    leaving: bool = False
    at_work: int = 0
    verdicts: Mapping[str, int] = field(default_factory=dict)
    deaths: int = 0
    inherited: Any = None

    def tell(self, **task: Any) -> None:
        """Send a task; nothing happens if the process has ended, which the campaign notices elsewhere."""
        stdin = self.process.stdin
        assert stdin is not None  # it is a pipe
        with suppress(BrokenPipeError):
            stdin.write((json.dumps(task) + "\n").encode())
            stdin.flush()

    def ask(self, **task: Any) -> None:
        """Send a task that will be answered."""
        self.doing = task
        self.moved = time.monotonic()
        self.tell(**task)

    @property
    def has_ended(self) -> bool:
        """True if the process has ended; its last messages may still be unread."""
        return self.process.poll() is not None

    def end(self) -> int:
        """End the process and its JVM, which is of the same group, and return its exit code."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        code = self.process.wait()
        assert self.process.stdin is not None  # it is a pipe
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.receiver.close()
        return code


@dataclass(slots=True)
class WorkerPool:
    """Workers of one campaign in ``folder``."""

    folder: Folder
    config: WorkerConfig
    patience: float
    command: Sequence[str] = _SERVE

    def start(self, number: int, deaths: int = 0, inherited: Any = None) -> WorkerHandle:
        """Start a new process in place ``number``."""
        temporary = self.folder.temporary / f"worker-{number}"
        for path in (temporary, self.folder.logs, self.folder.current_case(number).parent):
            path.mkdir(parents=True, exist_ok=True)
        self.folder.current_case(number).unlink(missing_ok=True)
        reading, writing = os.pipe()
        with (self.folder.logs / f"worker-{number}.log").open("ab") as log:
            process = subprocess.Popen(
                [*self.command, str(writing)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd=self.folder.logs,  # where a JVM that crashes leaves its report
                env=_environment(temporary),
                pass_fds=(writing,),
                start_new_session=True,  # Ctrl-C is for the coordinator alone
            )
        os.close(writing)
        now = time.monotonic()
        handle = WorkerHandle(
            number=number,
            process=process,
            receiver=Receiver(reading),
            heard=now,
            moved=now,
            deaths=deaths,
            inherited=inherited,
        )
        handle.tell(**asdict(replace(self.config, worker=number)))
        return handle

    def stands_still(self, handle: WorkerHandle, now: float) -> bool:
        """True if a worker has sent no message, or begun no new step of its task, for longer than it may take."""
        return now - handle.heard > _SILENCE or (handle.doing is not None and now - handle.moved > self.patience)

    def current_case(self, handle: WorkerHandle) -> dict[str, Any] | None:
        """The record of the case that a worker was about to run; None if it is missing or cannot be read."""
        try:
            data: dict[str, Any] = json.loads(self.folder.current_case(handle.number).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return data

    def last_words(self, handle: WorkerHandle) -> dict[str, Any]:
        """The exit code of a worker, the end of its output, and the crash reports of its JVMs."""
        temporary = self.folder.temporary / f"worker-{handle.number}"
        return {
            "code": handle.process.poll(),
            "output": tail(self.folder.logs / f"worker-{handle.number}.log"),
            "crash_report": crash_reports(*temporary.glob("assay-spark-*")),
        }


def delay(deaths: int) -> float:
    """Seconds to wait before a worker that died so many times in a row is started again."""
    return 0.0 if deaths <= 1 else min(_LONGEST_DELAY, 2.0**deaths)


def python_path() -> str:
    """The PYTHONPATH of a process that runs modules of Assay: this copy of Assay, then the paths of this process."""
    known = os.environ.get("PYTHONPATH", "")
    return f"{_ROOT}{os.pathsep}{known}" if known else str(_ROOT)


def _environment(temporary: Path) -> dict[str, str]:
    hypothesis = {"HYPOTHESIS_STORAGE_DIRECTORY": str(temporary.parent / "hypothesis")}
    return {**os.environ, "PYTHONPATH": python_path(), "TMPDIR": str(temporary), **hypothesis}
