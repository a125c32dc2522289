"""Collect the traces of a lost JVM: its exit code, output, crash report and memory, and the kernel's OOM kills."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OUTPUT = "spark.log"
"""The file in a session's folder with all output of its JVM."""

_TAIL, _HEAD = 8_000, 60_000
_PROC = Path("/proc")
_CGROUP = Path("/sys/fs/cgroup")
_KERNEL = re.compile(r"out of memory|oom-kill|killed process|segfault", re.IGNORECASE)
_KERNEL_LINES = 8
_KERNEL_SECONDS = 5.0


@contextmanager
def output_into(path: Path) -> Iterator[None]:
    """Redirect file descriptors 1 and 2, also of processes started meanwhile, to ``path`` while the context lasts.

    A JVM that crashes, or runs out of memory, reports it on its standard output.
    """
    streams = {1: sys.stdout, 2: sys.stderr}
    for stream in streams.values():
        stream.flush()
    saved = {number: os.dup(number) for number in streams}
    with path.open("a") as log:
        for number in streams:
            os.dup2(log.fileno(), number)
    try:
        yield
    finally:
        for number, stream in streams.items():
            stream.flush()
            os.dup2(saved[number], number)
            os.close(saved[number])


def crash_flags(folder: Path) -> tuple[str, ...]:
    """The JVM's flags to write a crash report to ``folder``, and no core dump."""
    return (f"-XX:ErrorFile={folder}/hs_err_pid%p.log", "-XX:-CreateCoredumpOnCrash")


@dataclass(frozen=True, slots=True)
class Memory:
    """A sample of a process's memory in MB: its resident memory, the peak of it, and the machine's available memory.

    ``clock`` is the monotonic time of the sample.
    """

    resident: int
    peak: int
    available: int
    clock: float


def memory_of(pid: int, proc: Path = _PROC) -> Memory | None:
    """The memory of process ``pid``; None if it is gone, or if the system has no /proc."""
    try:
        status, machine = (proc / str(pid) / "status").read_text(), (proc / "meminfo").read_text()
    except OSError:
        return None
    if "VmRSS:" not in status:  # a zombie: it has ended, and its exit code hasn't been read yet
        return None
    return Memory(_mb(status, "VmRSS"), _mb(status, "VmHWM"), _mb(machine, "MemAvailable"), time.monotonic())


def _mb(text: str, name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) // 1024 if found else 0


def oom_kills(proc: Path = _PROC, cgroup: Path = _CGROUP) -> int:
    """The number of processes that the kernel's OOM killer has killed, on the machine or in this container."""
    counts = [0]
    for path in (proc / "vmstat", cgroup / "memory.events", cgroup / "memory" / "memory.oom_control"):
        try:
            counts += map(int, re.findall(r"^oom_kill (\d+)$", path.read_text(), re.MULTILINE))
        except OSError:
            continue
    return max(counts)


def kernel_lines(pid: int) -> tuple[str, ...]:
    """The last lines of the kernel's log about an OOM kill or segfault of ``pid``; none if the log can't be read."""
    try:
        done = subprocess.run(["dmesg"], capture_output=True, text=True, timeout=_KERNEL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    about = re.compile(rf"\b{pid}\b")
    lines = [line for line in done.stdout.splitlines() if _KERNEL.search(line) and about.search(line)]
    return tuple(lines[-_KERNEL_LINES:])


@dataclass(frozen=True, slots=True, kw_only=True)
class LastWords:
    """The traces of a JVM. ``code``: its exit code, negative for a signal, None while it runs.

    ``oom_kills``: the processes that the OOM killer killed on the machine while the JVM ran. ``memory``: the last
    sample. ``crash_report``: the beginning of the JVM's crash report.
    """

    pid: int | None
    code: int | None
    seconds: float
    output: str = ""
    crash_report: str = ""
    memory: Memory | None = None
    oom_kills: int = 0
    kernel: tuple[str, ...] = field(default_factory=tuple)

    @property
    def line(self) -> str:
        """One line: how the JVM ended, and hints at the cause."""
        parts = [_ended(self.code), f"after {self.seconds:.0f} s"]
        if self.memory is not None:
            parts.append(f"with {self.memory.resident} MB ({self.memory.available} MB were free)")
        if self.crash_report:
            parts.append("with a crash report")
        if self.oom_kills:
            parts.append("when the kernel killed for want of memory")
        return " ".join(parts)

    def facts(self) -> Mapping[str, Any]:
        """All traces as plain data."""
        memory = None
        if self.memory is not None:
            age = round(time.monotonic() - self.memory.clock, 1)
            memory = {
                "resident_mb": self.memory.resident,
                "peak_mb": self.memory.peak,
                "available_mb": self.memory.available,
                "seconds_ago": age,
            }
        return {
            "pid": self.pid,
            "code": self.code,
            "signal": _signal(self.code),
            "seconds": round(self.seconds, 1),
            "memory": memory,
            "oom_kills": self.oom_kills,
            "kernel": list(self.kernel),
            "output": self.output,
            "crash_report": self.crash_report,
        }


def last_words(
    folder: Path, pid: int | None, code: int | None, *, seconds: float, memory: Memory | None, oom_kills_before: int
) -> LastWords:
    """Collect the traces of the JVM of process ``pid``, with its files in ``folder``, that ran for ``seconds``."""
    return LastWords(
        pid=pid,
        code=code,
        seconds=seconds,
        output=tail(folder / OUTPUT),
        crash_report=crash_reports(folder),
        memory=memory,
        oom_kills=oom_kills() - oom_kills_before,
        kernel=kernel_lines(pid) if pid is not None and code is not None and code < 0 else (),
    )


def tail(file: Path) -> str:
    """The last lines of ``file``; '' if there is no file."""
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, file.stat().st_size - _TAIL))
            return stream.read().decode(errors="replace")
    except OSError:
        return ""


def crash_reports(*folders: Path) -> str:
    """The beginnings of the JVMs' crash reports in ``folders``; '' if there are none."""
    return "\n".join(_head(file) for folder in folders for file in sorted(folder.glob("hs_err_*.log")))


def _head(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return stream.read(_HEAD).decode(errors="replace")
    except OSError:
        return ""


def _signal(code: int | None) -> str | None:
    if code is None or code >= 0:
        return None
    try:
        return signal.Signals(-code).name
    except ValueError:
        return str(-code)


def _ended(code: int | None) -> str:
    if code is None:
        return "no longer answered"
    return f"died with code {code}" + (f" ({_signal(code)})" if code < 0 else "")
