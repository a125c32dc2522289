"""The incidents of one process of a run: each is a file beside the failures, on record, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from assay.session.ending import Ended, Exit
from oracles.failures.incidents import FAULTS, faults_text, write_incident

FOLDER = "incidents"
"""The folder of incidents in that of failures."""


def incident_line(incident: Mapping[str, Any]) -> str:
    """An incident in the closing table."""
    return f"incident, {incident['kind']}: {incident['line']}: {incident['file']}"


def red_lines(incidents: Iterable[Mapping[str, Any]]) -> list[str]:
    """Why a run with these ``incidents`` ends as a suite that failed, in a line; none where it doesn't."""
    found = [each for each in incidents if each["kind"] in FAULTS]
    folders = sorted({str(Path(each["file"]).parent) for each in found})
    return [f"red: {line}" for line in faults_text(Counter(each["kind"] for each in found), ", ".join(folders))]


def printed_on(console: Console) -> Callable[[Mapping[str, Any]], None]:
    """What prints each incident at once."""
    return lambda incident: console.print(incident_line(incident), markup=False, highlight=False, soft_wrap=True)


@dataclass(slots=True)
class IncidentLog:
    """Takes what a supervisor tells; ``heard`` gets each one's kind, line and file. ``failures``: the run's folder."""

    failures: Path
    heard: Callable[[Mapping[str, Any]], None]
    incidents: list[Mapping[str, Any]] = field(default_factory=list)

    def tell(self, kind: str, line: str, **facts: Any) -> None:
        """One incident."""
        file = write_incident(self.failures / FOLDER, kind, line, **facts)
        incident = {"kind": kind, "line": line, "file": str(file)}
        self.incidents.append(incident)
        self.heard(incident)

    @property
    def red(self) -> list[str]:
        """Why the run ends as a suite that failed, if it does."""
        return red_lines(self.incidents)

    def close(self, console: Console, end: Ended, again: str) -> Exit:
        """Print why the run ends as it does, and how to run it again; its exit code."""
        for line in (*end.why, *self.red):
            console.print(line, highlight=False, soft_wrap=True)
        console.print(f"again with: {again}", highlight=False)
        return Exit.SUITE_FAILED if self.red else end.code
