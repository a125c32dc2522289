"""The incidents of one process of a run: each is a file beside the failures, on record, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oracles.incidents import FAULTS, faults_text, write_incident

FOLDER = "incidents"
"""The folder of incidents in that of failures."""


def incident_line(incident: Mapping[str, Any]) -> str:
    """An incident in the closing table."""
    return f"incident, {incident['kind']}: {incident['line']}: {incident['file']}"


@dataclass(slots=True)
class IncidentLog:
    """Takes what a supervisor tells; ``heard`` gets each one's kind, line and file. ``failures``: the run's folder."""

    failures: Path
    heard: Callable[[Mapping[str, Any]], None]
    counts: Counter[str] = field(default_factory=Counter)

    def tell(self, kind: str, line: str, **facts: Any) -> None:
        """One incident."""
        self.counts[kind] += 1
        file = write_incident(self.failures / FOLDER, kind, line, **facts)
        self.heard({"kind": kind, "line": line, "file": str(file)})

    @property
    def failed(self) -> bool:
        """Whether the run ends with the exit code of a suite that failed."""
        return any(self.counts[kind] for kind in FAULTS)

    def red(self) -> list[str]:
        """Why it does, if so, in a line."""
        return [f"red: {line}" for line in faults_text(self.counts, self.failures / FOLDER)]
