"""Incidents: what goes wrong beside the findings of a run, as files that hold the query and the circumstances.

======== ============================================================================================================
kind     what happened
======== ============================================================================================================
fault    Assay itself raised: in a check, while it judged or minimized a finding, or while it asked stock Spark
paths    the fast path and the plain one contradict each other
jvm      a JVM was lost, and nothing explains it: its query did not do it again, alone on a fresh session
worker   a process that checks died, or stood still and was killed
lost     a round could not be kept
repeated a JVM was lost to a query that did it again alone: that is a finding
rerun    the query of a dead worker, alone on a fresh session, did nothing of the kind
late     a query took too long; alone, with more time, it did so again or not
executor, cluster, disk: what a campaign waits for, and goes on
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
"""Kinds that leave a run unproven: it goes on, and ends with the exit code of a suite that failed."""

_NAMES: Mapping[str, str] = {
    "fault": "fault of Assay's own",
    "paths": "contradiction of the two paths",
    "jvm": "lost JVM",
    "worker": "dead worker",
    "lost": "lost round",
}


def write_incident(folder: Path, kind: str, line: str, **facts: Any) -> Path:
    """Put an incident into ``folder``: ``line`` says what happened, ``facts`` are whatever else is known."""
    when = datetime.now(tz=timezone.utc)
    name = f"{when:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
    path = folder / f"{name}.json"
    write_json(path, {"format": 1, "id": name, "when": when.isoformat(), "kind": kind, "told": line, **facts})
    return path


def read_incidents(folder: Path) -> list[dict[str, Any]]:
    """All incidents in ``folder``, the oldest first."""
    return [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]


def faults_text(counts: Mapping[str, int], where: object) -> list[str]:
    """A line for a run with incidents that make it red; none for another. ``where`` are their files."""
    found = [f"{counts[kind]} {_plural(_NAMES[kind], counts[kind])}" for kind in FAULTS if counts.get(kind)]
    return [f"{', '.join(found)}: see {where}"] if found else []


def _plural(name: str, count: int) -> str:
    if count == 1:
        return name
    first, space, rest = name.partition(" of ")
    return f"{first}s{space}{rest}"
