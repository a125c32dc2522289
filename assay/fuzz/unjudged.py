"""Findings without attribution: each is written to disk before attribution starts."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from assay.fuzz.finding import digest
from oracles.answers.atomic import write_json
from oracles.failures.failure import Failure, to_json

FOLDER = "unjudged"
"""The name of the folder of unjudged findings, inside the folder of failures; a campaign attributes them later."""


@dataclass(slots=True)
class Unjudged:
    """Keeps the findings that one process is attributing in files below ``failures``: those of one check."""

    failures: Path
    _files: set[Path] = field(default_factory=set)

    def hold(self, failure: Failure) -> None:
        """Write ``failure`` to disk, in place of an earlier file of the same case."""
        file = self.failures / FOLDER / f"{digest(failure.case)}.json"
        write_json(file, to_json(failure))
        self._files.add(file)

    def release(self, *, settled: bool) -> None:
        """Release the held findings, if any; their files are removed if they are ``settled``, and stay otherwise."""
        for file in self._files if settled else ():
            file.unlink(missing_ok=True)
            with suppress(OSError):  # another file is there
                file.parent.rmdir()
        self._files.clear()


def unjudged_files(failures: Path) -> list[Path]:
    """The files of findings below ``failures`` without attribution: a run was killed, or Assay failed at them."""
    return sorted((failures / FOLDER).glob("*.json"))


def is_unjudged(file: Path) -> bool:
    """Whether ``file`` is the file of an unjudged finding."""
    return file.parent.name == FOLDER
