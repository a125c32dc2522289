"""Which runs have the optimizing compiler: seen by the flags of the JVMs that they really start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from tests.cli.assay import ROOT

pytestmark = pytest.mark.slow
_LIMIT = 200.0
_LEVEL = "-XX:TieredStopAtLevel="


@contextmanager
def started(command: Sequence[object], folder: Path, profile: str = "dev") -> Iterator[psutil.Process]:
    """A run that has begun; nothing is left of it after the context."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TOX_"))}
    with (folder / "said.txt").open("w") as said:
        process = subprocess.Popen(
            [sys.executable, *map(str, command)],
            cwd=ROOT,
            env={**environ, "PYTHONPATH": str(ROOT), "HYPOTHESIS_PROFILE": profile},
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield psutil.Process(process.pid)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def level(run: psutil.Process) -> str:
    """The highest level of compilation in the first session of ``run``; waits for it."""
    end = time.monotonic() + _LIMIT
    while time.monotonic() < end:
        assert run.status() != psutil.STATUS_ZOMBIE, "ended before it had a session"
        for process in run.children(recursive=True):
            with suppress(psutil.Error):
                levels = [flag.removeprefix(_LEVEL) for flag in process.cmdline() if flag.startswith(_LEVEL)]
                if levels:
                    return levels[-1]  # of flags that contradict each other, Java takes the last one
        time.sleep(0.05)
    raise AssertionError("no session")


@pytest.mark.parametrize(("budget", "expected"), [("9m", "1"), ("10m", "4")])
def test_a_campaign_of_ten_minutes_has_it(tmp_path, budget, expected):
    out = ("--out", tmp_path / "campaign", "--budget", budget, "-n", 1, "--no-witnesses")
    with started(["-m", "assay", "nightly", *out], tmp_path) as run:
        assert level(run) == expected


@pytest.mark.parametrize(("profile", "expected"), [("dev", "1"), ("nightly", "4")])
def test_a_fuzz_run_of_many_checks_has_it(tmp_path, profile, expected):
    fuzz = ("-m", "assay", "fuzz", "-p", "no:cacheprovider", "--failures", tmp_path / "failures")
    with started(fuzz, tmp_path, profile) as run:
        assert level(run) == expected
