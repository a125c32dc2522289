"""Incidents: problems of a run beside its findings, as files with the query and the circumstances.

======== ============================================================================================================
kind     meaning
======== ============================================================================================================
fault    Assay itself raised: in a check, in triage or minimization of a finding, or in its confirmation
paths    the fast path and the plain path contradict each other
jvm      a JVM was lost for no known reason: an isolated rerun of its query did not end the JVM
worker   a worker died, or hung and was killed
lost     a round could not be stored
repeated a JVM was lost, and again in an isolated rerun of its query: that is a finding
rerun    a worker died, and an isolated rerun of its query did not end the process
late     a query took too long; the isolated rerun had more time, and took too long, too, or not
steering there can be no probes: a campaign goes on unsteered
executor, cluster, disk: a campaign waits for the resource, and goes on
======== ============================================================================================================
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from oracles.answers.atomic import write_json

FAULTS = ("fault", "paths", "jvm", "worker", "lost")
"""Kinds that make a run red: it goes on, and ends with the exit code of a failed test suite."""

_NAMES: Mapping[str, str] = {
    "fault": "fault of Assay's own",
    "paths": "contradiction of the two paths",
    "jvm": "lost JVM",
    "worker": "dead worker",
    "lost": "lost round",
}


def write_incident(folder: Path, kind: str, line: str, **facts: Any) -> Path:
    """Write an incident to ``folder``: ``line`` describes it, ``facts`` are the circumstances, as plain data."""
    when = datetime.now(tz=timezone.utc)
    name = f"{when:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
    path = folder / f"{name}.json"
    write_json(path, {"format": 1, "id": name, "when": when.isoformat(), "kind": kind, "told": line, **facts})
    return path


def read_incidents(folder: Path) -> list[dict[str, Any]]:
    """All incidents in ``folder``, the oldest first."""
    return [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]


def faults_text(counts: Mapping[str, int], where: object) -> list[str]:
    """A line for a run with incidents that make it red, else none; ``where`` is the folder of their files."""
    found = [f"{counts[kind]} {_plural(_NAMES[kind], counts[kind])}" for kind in FAULTS if counts.get(kind)]
    return [f"{', '.join(found)}: see {where}"] if found else []


def _plural(name: str, count: int) -> str:
    if count == 1:
        return name
    first, space, rest = name.partition(" of ")
    return f"{first}s{space}{rest}"
