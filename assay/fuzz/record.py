"""The record of a run: one line on disk for each check and each finding, so that a killed worker loses nothing.

Every worker appends to a file of its own below the run's folder; a reader adds the files up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assay.fuzz.coverage import Coverage, Listed, covered, listed
from oracles.checks.result import CheckResult
from oracles.checks.stats import Stats, check_line
from oracles.checks.verdict import Verdict
from oracles.rules.catalogue import Catalogue


@dataclass(slots=True, kw_only=True)
class Record(Stats):
    """A run's statistics, with its findings merged by fingerprint and its cases by digest.

    ``coverage`` says which rules the release has, and which of them changed a plan of the on leg, alone and in pairs.
    ``spark`` is the version that ran, '' if none did. ``incidents`` are the incidents of the run.
    """

    findings: tuple[Mapping[str, Any], ...] = ()
    cases: frozenset[str] = frozenset()
    kills: tuple[Mapping[str, Any], ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    spark: str = ""
    incidents: tuple[Mapping[str, Any], ...] = ()


class Recording(Protocol):
    """The interface that a fuzzer uses to record its checks and findings."""

    def check(self, checked: CheckResult, verdict: Verdict, digest: str, fits: Sequence[str] = ()) -> None:
        """Record one completed check, with the verdict after known divergences were looked up.

        :param fits: the silent entries that fit its case.
        """

    def not_fired(self, digest: str) -> None:
        """Record a query that was planned and not checked: no rule that the run is about fired."""

    def finding(self, summary: Mapping[str, Any], replaces: str | None = None) -> None:
        """Record a finding as the summary lists it; ``replaces`` is the fingerprint of its earlier record, if any."""


class Recorder:
    """Appends the record of one worker to a file; each line is on disk when the call returns."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8")
        if self._file.tell():
            self._file.write("\n")  # whoever wrote before may have been killed in the middle of a line

    def release(self, version: str, catalogue: Catalogue) -> None:
        """Record the running Spark and its rules, so that a report lists rules that never fire."""
        self._write({"spark": version, "listed": listed(catalogue)})

    def check(self, checked: CheckResult, verdict: Verdict, digest: str, fits: Sequence[str] = ()) -> None:
        """Record one completed check, with the verdict after known divergences were looked up.

        :param fits: the silent entries that fit its case.
        """
        self._write(check_line(checked, verdict, digest, fits))

    def not_fired(self, digest: str) -> None:
        """Record a query that was planned and not checked: no rule that the run is about fired."""
        self._write({"not_fired": digest})

    def finding(self, summary: Mapping[str, Any], replaces: str | None = None) -> None:
        """Record a finding as the summary lists it; ``replaces`` is the fingerprint of its earlier record, if any."""
        self._write({"finding": summary, "replaces": replaces})

    def incident(self, incident: Mapping[str, Any]) -> None:
        """Record an incident: its kind, a line, and its file."""
        self._write({"incident": incident})

    def kill(self, entry: Mapping[str, Any]) -> None:
        """Record the result of the search for one mutant."""
        self._write({"kill": entry})

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


def read_record(folder: Path) -> Record:
    """The record of all workers of the run in ``folder``; half-written lines are ignored."""
    return combined(add_up(_lines(path)) for path in sorted(folder.glob("*.jsonl")))


def combined(records: Iterable[Record]) -> Record:
    """The ``records`` merged into one; a finding in several records becomes one, with the smallest case."""
    whole = Record()
    findings: dict[str, dict[str, Any]] = {}
    for each in records:
        whole.update(each)
        whole.cases |= each.cases
        whole.kills += each.kills
        whole.coverage += each.coverage
        whole.spark = whole.spark or each.spark
        whole.incidents += each.incidents
        for finding in each.findings:
            merge_finding(findings, finding, None)
    whole.findings = tuple(findings.values())
    return whole


def _lines(path: Path) -> Iterable[Mapping[str, Any]]:
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(text)
        except ValueError:
            continue


def add_up(lines: Iterable[Mapping[str, Any]]) -> Record:
    """The record of one worker, from the ``lines`` of its file."""
    record = Record()
    findings: dict[str, dict[str, Any]] = {}
    cases: set[str] = set()
    release: dict[str, Listed] = {}
    changed_plan: list[Sequence[str]] = []
    for line in lines:
        if "finding" in line:
            merge_finding(findings, line["finding"], line["replaces"])
        elif "kill" in line:
            record.kills += (line["kill"],)
        elif "not_fired" in line:
            record.unfired += 1
        elif "incident" in line:
            record.incidents += (line["incident"],)
        elif "listed" in line:
            record.spark = line["spark"]
            release |= {name: Listed(*entry) for name, entry in line["listed"].items()}
        else:
            record.add(line)
            changed_plan.append(line["effective"])
            cases.add(line["case"])
    record.cases, record.findings = frozenset(cases), tuple(findings.values())
    record.coverage = covered(release, changed_plan)
    return record


def merge_finding(findings: dict[str, dict[str, Any]], summary: Mapping[str, Any], replaces: str | None) -> None:
    """Add a finding to ``findings`` by fingerprint: the confirmed and then the smaller case stays, the counts add up.

    ``replaces`` is the fingerprint under which the same finding is listed so far.
    """
    count = summary["count"]
    if replaces in findings:
        count = findings.pop(replaces)["count"]
    present = findings.get(summary["fingerprint"])
    if present is None:
        findings[summary["fingerprint"]] = {**summary, "count": count}
        return
    smaller = min(present, summary, key=lambda each: (not each["confirmed"], each["operators"], each["rows"]))
    findings[summary["fingerprint"]] = {**smaller, "count": present["count"] + count}


def summary(record: Record, *, versions: Mapping[str, str], seed: int, seconds: float) -> dict[str, Any]:
    """The run's ``--summary-json``."""
    return {
        "format": 1,
        "spark": record.spark or versions["spark"],
        "duckdb": versions["duckdb"],
        "seed": seed,
        "seconds": round(seconds, 1),
        **record.summary(),
        "duckdb_stumbles": record.optimizer_failures,
        "other_databases": record.others,
        **({"executors": dict(sorted(record.executors.items()))} if record.executors else {}),
        "coverage": record.coverage.summary(),
        "findings": [dict(finding) for finding in record.findings],
        "incidents": [dict(incident) for incident in record.incidents],
    }
