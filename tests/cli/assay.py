"""Assay as its users run it: a process of its own, seen by its exit code, its output and its files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.fuzz.job_summary import VARIABLE

ROOT = Path(__file__).resolve().parents[2]
RULES = Path(__file__).parent / "rules"
_LIMIT = 420


@dataclass(frozen=True)
class Ended:
    """How a process ended; ``text`` is all it printed."""

    code: int
    text: str


def fuzz(*options: object, cwd: Path = ROOT) -> Ended:
    """``tox run -e fuzz -- options`` without tox, in one process unless ``-n`` says otherwise."""
    return run([sys.executable, "-m", "assay", "fuzz", "-p", "no:cacheprovider", *options], cwd)


def check_rule(*options: object, cwd: Path) -> Ended:
    """``tox run -e check-rule -- options`` without tox."""
    return run([sys.executable, "-m", "assay", "check-rule", *options], cwd)


def verify(*options: object, cwd: Path = ROOT) -> Ended:
    """``tox run -e verify -- options`` without tox."""
    return run([sys.executable, "-m", "assay", "verify", *options], cwd)


def queries(*options: object, cwd: Path) -> Ended:
    """``tox run -e queries -- options`` without tox."""
    return run([sys.executable, "-m", "assay", "queries", *options], cwd)


def volume(*options: object, cwd: Path) -> Ended:
    """``tox run -e volume -- options`` without tox."""
    return run([sys.executable, "-m", "assay", "volume", *options], cwd)


def bench(*options: object, cwd: Path) -> Ended:
    """``tox run -e bench -- options`` without tox."""
    return run([sys.executable, "-m", "assay", "bench", *options], cwd)


def replay(*arguments: object, cwd: Path = ROOT) -> Ended:
    """``tox run -e replay -- arguments`` without tox."""
    return run([sys.executable, "-m", "assay", "replay", *arguments], cwd)


def run(command: Sequence[object], cwd: Path) -> Ended:
    """``command`` from its beginning to its end, as from a shell that knows nothing of pytest or tox."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TOX_"))}
    environ.pop(VARIABLE, None)  # these runs have no part in the job's summary
    environ.update(PYTHONPATH=str(ROOT), HYPOTHESIS_PROFILE="debug", COLUMNS="200")
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environ, capture_output=True, text=True, timeout=_LIMIT, check=False
    )
    return Ended(done.returncode, done.stdout + done.stderr)
