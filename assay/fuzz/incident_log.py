"""The incidents of one process of a run: each is written to a file beside the failures, recorded and counted."""

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
"""The name of the folder of incidents, inside the folder of failures."""


def incident_line(incident: Mapping[str, Any]) -> str:
    """The line of an incident in the closing table."""
    return f"incident, {incident['kind']}: {incident['line']}: {incident['file']}"


def red_lines(incidents: Iterable[Mapping[str, Any]]) -> list[str]:
    """The lines that say why these ``incidents`` make the run end with ``SUITE_FAILED``; empty if they do not."""
    found = [each for each in incidents if each["kind"] in FAULTS]
    folders = sorted({str(Path(each["file"]).parent) for each in found})
    return [f"red: {line}" for line in faults_text(Counter(each["kind"] for each in found), ", ".join(folders))]


def without_lost_jvms(incidents: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """``incidents`` of a rule that turned out wrong: it may have taken the JVMs, but is no reason for other faults."""
    return [each for each in incidents if each["kind"] != "jvm"]


def printed_on(console: Console) -> Callable[[Mapping[str, Any]], None]:
    """A function that prints an incident on ``console``."""
    return lambda incident: console.print(incident_line(incident), markup=False, highlight=False, soft_wrap=True)


@dataclass(slots=True)
class IncidentLog:
    """Writes and counts incidents; ``failures`` is the run's folder, ``heard`` gets each one's kind, line and file."""

    failures: Path
    heard: Callable[[Mapping[str, Any]], None]
    incidents: list[Mapping[str, Any]] = field(default_factory=list)

    def tell(self, kind: str, line: str, **facts: Any) -> None:
        """Write an incident to a file, count it, and pass it to ``heard``."""
        file = write_incident(self.failures / FOLDER, kind, line, **facts)
        incident = {"kind": kind, "line": line, "file": str(file)}
        self.incidents.append(incident)
        self.heard(incident)

    @property
    def red(self) -> list[str]:
        """The lines that say why the incidents make the run end with ``SUITE_FAILED``; empty if they do not."""
        return red_lines(self.incidents)

    def close(self, console: Console, end: Ended, again: str) -> Exit:
        """Print the reasons for the run's exit code, and the options to run it again with; return the exit code."""
        for line in (*end.why, *self.red):
            console.print(line, highlight=False, soft_wrap=True)
        console.print(f"again with: {again}", highlight=False)
        return Exit.SUITE_FAILED if self.red else end.code
