"""The findings of campaign folders, each bug once; duplicates are kept apart, and count for their bug."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.ledger.folder import Folder
from oracles.failures.failure import Failure, UnreadableFailure, read_failure, script_path, write_failure
from oracles.triage.dedup import distinct, preference, repeated


def read_failures(folder: Path) -> dict[Path, Failure]:
    """The failures in a folder that are of this Assay's format, by their files."""
    failures = {}
    for file in sorted(folder.glob("*.json")):
        with suppress(UnreadableFailure):
            failures[file] = read_failure(file)
    return failures


@dataclass(frozen=True, slots=True)
class Findings:
    """The distinct findings of campaign folders.

    ``entries`` has the findings as a summary lists them. ``standing`` maps every fingerprint, also those of findings
    before they were minimized, to the fingerprint of the entry for the same bug.
    """

    entries: list[dict[str, Any]]
    standing: Mapping[str, str]


def findings_of(folders: Iterable[Folder]) -> Findings:
    """All findings in ``folders``, each bug once; if a fingerprint occurs twice, the preferred failure."""
    opened = list(folders)
    found = [item for folder in opened for item in read_failures(folder.findings).items()]
    found.sort(key=lambda item: preference(item[1]))
    standing = distinct(failure for _, failure in found)
    kept: dict[str, tuple[Path, Failure]] = {}
    for file, failure in found:
        if standing[failure.fingerprint] == failure.fingerprint:
            kept.setdefault(failure.fingerprint, (file, failure))
    for before in (failure for folder in opened for failure in read_failures(folder.originals).values()):
        if before.fingerprint not in standing:
            stands = repeated((failure for _, failure in kept.values()), before)
            standing[before.fingerprint] = (stands or before).fingerprint
    return Findings([failure.summary(file) for file, failure in kept.values()], standing)


def tidy(folder: Folder) -> Mapping[str, str]:
    """Keep one failure file for each bug in the folder of findings, and move duplicates to the folder of originals.

    The caller must make sure that no other process writes there. Returns a map from each fingerprint to the fingerprint
    of the kept finding of the same bug.
    """
    failures = read_failures(folder.findings)
    standing = distinct(failures.values())
    for file, failure in failures.items():
        if standing[failure.fingerprint] != failure.fingerprint:
            write_failure(folder.originals, failure)
            file.unlink()
            script_path(file).unlink(missing_ok=True)
    return standing
