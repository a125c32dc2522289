"""Releases of Spark, by tox's factors or exact versions, and how a tox environment is run on one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version
from rich.console import Console

from assay.session.ending import BadInput, Exit

ROOT = Path(__file__).resolve().parents[2]
FACTORS = ("spark35", "spark40", "spark41", "spark42", "spark43")


@dataclass(frozen=True, slots=True)
class Factor:
    """A release as it was asked for: ``name`` is spark40, the newest 4.0, or 4.0.0, just that one (``version``)."""

    name: str
    factor: str
    version: str | None = None


def parse_releases(text: str, option: str = "--releases") -> tuple[Factor, ...]:
    """``spark35,4.0.0`` as releases, the oldest first; BadInput in one line for what is none, or stands twice."""
    found = [_parsed(each.strip(), option) for each in text.split(",") if each.strip()]
    if not found:
        raise BadInput(f"{option} {text!r}: needs one at least, of {', '.join(FACTORS)}, or a version such as 4.0.0")
    if len({each.name for each in found}) != len(found):
        raise BadInput(f"{option} {text}: one stands twice")
    # The newest of a minor release comes after all that are named by their number.
    return tuple(sorted(found, key=lambda each: (each.factor, each.version is None, Version(each.version or "0"))))


def _parsed(name: str, option: str) -> Factor:
    if name in FACTORS:
        return Factor(name, name)
    try:
        version = Version(name)
    except InvalidVersion:
        version = Version("0")
    factor = f"spark{version.major}{version.minor}"
    if factor not in FACTORS or not re.fullmatch(r"\d+\.\d+\.\d+", name):
        raise BadInput(f"{option}: no release {name!r}; there are {', '.join(FACTORS)}, and versions such as 4.0.0")
    return Factor(name, factor, name)


def command(release: Factor, environment: str, arguments: Sequence[str]) -> list[str]:
    """Tox's command for ``environment`` (nightly, replay …) on ``release``; a version has a work folder of its own."""
    own = ["--workdir", str(ROOT / ".tox" / release.version)] if release.version else []
    start = [sys.executable, "-m", "tox", "run", "-q", "-c", str(ROOT / "tox.ini"), *own]
    return [*start, "-e", f"{environment}-{release.factor}", "--", *arguments]


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs tox environments on releases, one after another, and prints to ``console`` which one runs."""

    console: Console

    def run(
        self,
        release: Factor,
        environment: str,
        arguments: Sequence[str],
        log: Path,
        *,
        what: str,
        fine: Collection[int] | None = (Exit.GREEN,),
    ) -> int:
        """Run ``environment`` to do ``what``, and return its exit code; print it with ``log`` if it isn't ``fine``.

        :param fine: the exit codes of a run that went well; None: all of them.
        """
        self.console.print(f"{release.name}: {what}", soft_wrap=True)
        code = run(release, environment, arguments, log)
        if fine is not None and code not in fine:
            self.console.print(f"{release.name}: ended with exit code {code}, see {log}", soft_wrap=True)
        return code


def run(release: Factor, environment: str, arguments: Sequence[str], log: Path) -> int:
    """Run ``environment`` to its end, append its output to ``log``, and return its exit code."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("TOX_", "VIRTUAL_ENV"))}
    environ["PWD"] = str(ROOT)  # where relative paths are looked for; those given here are absolute
    log.parent.mkdir(parents=True, exist_ok=True)
    if release.version:
        pinned = log.with_name(f"{release.name}.constraint.txt")
        pinned.write_text(f"pyspark=={release.version}\n")
        environ["PIP_CONSTRAINT"] = str(pinned)
    with log.open("a") as told:
        told.write(f"$ {environment} on {release.name}: {' '.join(arguments)}\n")
        told.flush()
        done = subprocess.run(
            command(release, environment, arguments), cwd=ROOT, env=environ, stdout=told, stderr=told, check=False
        )
    return done.returncode
