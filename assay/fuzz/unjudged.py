"""Findings that nobody has judged yet: on disk before it is asked whose they are, and whether they are known."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assay.fuzz.finding import digest
from oracles.answers.atomic import write_json
from oracles.failures.failure import Failure, to_json

FOLDER = "unjudged"
"""The folder of unjudged findings in that of failures: replay takes its files, and a campaign judges them later."""


@dataclass(slots=True)
class Unjudged:
    """The finding that one process is judging, in a file of its own below ``failures``; one at a time."""

    failures: Path
    _file: Path | None = None

    def hold(self, failure: Failure) -> None:
        """Put ``failure`` on disk, in place of what was seen of its case before."""
        file = self.failures / FOLDER / f"{digest(failure.case)}.json"
        write_json(file, to_json(failure))
        self._file = file

    def release(self, *, settled: bool) -> None:
        """End with the finding that is held, if any; its file is removed where it is ``settled``, and stays if not."""
        if self._file is not None and settled:
            self._file.unlink(missing_ok=True)
            with suppress(OSError):  # another process has one there
                self._file.parent.rmdir()
        self._file = None


def unjudged_files(failures: Path) -> list[Path]:
    """The findings below ``failures`` that nobody has judged: a run was killed, or Assay failed over them."""
    return sorted((failures / FOLDER).glob("*.json"))


def is_unjudged(file: Path) -> bool:
    """Whether ``file`` is one of these."""
    return file.parent.name == FOLDER
