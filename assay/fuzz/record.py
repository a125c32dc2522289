"""The record of a run: one line on disk for each check and each finding, so that a killed worker loses nothing.

Every worker appends to a file of its own below the run's folder; whoever reads adds them up.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assay.fuzz.coverage import Coverage, Listed, covered, listed
from oracles.checks.evidence import TWO_LEGS, Evidence, legs_of
from oracles.checks.result import CheckResult
from oracles.checks.tally import Tally
from oracles.checks.verdict import Verdict
from oracles.rules.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class RuleCount:
    """Checks in which a rule was off; of these, in which it fired; of these, in which the executed plans differed, and
    in which there were two legs: no plans to compare.
    """

    checked: int = 0
    fired: int = 0
    differed: int = 0
    two_legs: int = 0

    def __add__(self, other: RuleCount) -> RuleCount:
        return RuleCount(
            self.checked + other.checked,
            self.fired + other.fired,
            self.differed + other.differed,
            self.two_legs + other.two_legs,
        )


@dataclass(frozen=True, slots=True)
class Record:
    """What a run amounts to: verdicts, evidence per rule, findings merged by fingerprint, cases by digest.

    ``coverage`` says which rules the release has, which of them changed a plan of the on leg, and which together;
    ``spark`` is the version that ran, '' when none did; ``optimizer_failures`` counts the checks whose answer of DuckDB
    is the one without its optimizer, because this raised. ``others`` counts the databases beside each check's own on
    which the same plans agreed, too. ``executors``: of a cluster, by an executor's id (in whichever worker's
    application), the checks that it ended tasks for. ``fits`` counts, for each silent entry, the checks whose case it
    fits (see :mod:`oracles.triage.silent`), ``fitting`` the checks that at least one of them fits. ``legs`` counts the
    checks in which each leg gave evidence, ``not_fired`` the queries that were planned and not checked, because no rule
    that the run is about fired. ``incidents``: what went wrong beside.
    """

    tally: Tally = field(default_factory=Tally)
    rules: Mapping[str, RuleCount] = field(default_factory=dict)
    findings: tuple[Mapping[str, Any], ...] = ()
    cases: frozenset[str] = frozenset()
    kills: tuple[Mapping[str, Any], ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    spark: str = ""
    optimizer_failures: int = 0
    executors: Mapping[str, int] = field(default_factory=dict)
    others: int = 0
    fits: Mapping[str, int] = field(default_factory=dict)
    fitting: int = 0
    legs: Mapping[str, int] = field(default_factory=dict)
    not_fired: int = 0
    incidents: tuple[Mapping[str, Any], ...] = ()

    def evidence(self, named: Sequence[str] = (), asked: int | None = None) -> Evidence:
        """What the run has to show, which is about the rules ``named`` and was asked for so many checks."""
        return Evidence(self.legs, self.rules, named, asked, self.tally.checks + self.not_fired)


class Recording(Protocol):
    """What a hunt tells of its checks and findings."""

    def check(self, checked: CheckResult, verdict: Verdict, digest: str, fits: Sequence[str] = ()) -> None:
        """One completed check, with the verdict after known divergences were looked up.

        :param fits: the silent entries that fit its case.
        """

    def not_fired(self, digest: str) -> None:
        """A query that was planned and not checked: no rule that the run is about fired."""

    def finding(self, summary: Mapping[str, Any], replaces: str | None = None) -> None:
        """A finding as the summary lists it; ``replaces`` is the fingerprint under which it was recorded before."""


class Recorder:
    """Appends to one file; each line is on disk when the call returns."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8")
        if self._file.tell():
            self._file.write("\n")  # whoever wrote before may have been killed in the middle of a line

    def release(self, version: str, catalogue: Catalogue) -> None:
        """Record the running Spark and its rules, so that a report lists rules that never fire."""
        self._write({"spark": version, "listed": listed(catalogue)})

    def check(self, checked: CheckResult, verdict: Verdict, digest: str, fits: Sequence[str] = ()) -> None:
        """One completed check, with the verdict after known divergences were looked up.

        :param fits: the silent entries that fit its case.
        """
        self._write(
            {
                "verdict": verdict.name,
                "kind": verdict.kind,
                "blame": verdict.blame,
                "reason": verdict.reason,
                "divergence": verdict.divergence,
                "rows": checked.has_rows,
                "off": checked.off,
                "fired": checked.fired,
                "differed": checked.differed,
                "effective": checked.changed_plan,
                "case": digest,
                "stumbled": checked.optimizer_failed,
                "executors": checked.executors,
                "others": checked.beside.agreed,
                **({"fits": list(fits)} if fits else {}),
                "legs": legs_of(checked),
            }
        )

    def not_fired(self, digest: str) -> None:
        """A query that was planned and not checked: no rule that the run is about fired."""
        self._write({"not_fired": digest})

    def finding(self, summary: Mapping[str, Any], replaces: str | None = None) -> None:
        """A finding as the summary lists it; ``replaces`` is the fingerprint under which it was recorded before."""
        self._write({"finding": summary, "replaces": replaces})

    def incident(self, incident: Mapping[str, Any]) -> None:
        """Something that went wrong: its kind, a line, and its file."""
        self._write({"incident": incident})

    def kill(self, entry: Mapping[str, Any]) -> None:
        """How the hunt for one mutant ended."""
        self._write({"kill": entry})

    def close(self) -> None:
        self._file.close()

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


def read_record(folder: Path) -> Record:
    """All that the workers of the run in ``folder`` have recorded; a half-written line is passed over."""
    return combined(add_up(_lines(path)) for path in sorted(folder.glob("*.jsonl")))


def combined(records: Iterable[Record]) -> Record:
    """The record of all workers; a finding that several have is one, with the smallest of their cases."""
    tally = Tally()
    rules: dict[str, RuleCount] = {}
    findings: dict[str, dict[str, Any]] = {}
    cases: frozenset[str] = frozenset()
    kills: tuple[Mapping[str, Any], ...] = ()
    coverage = Coverage()
    spark = ""
    optimizer_failures = others = fitting = not_fired = 0
    executors: Counter[str] = Counter()
    legs: Counter[str] = Counter()
    fits: Counter[str] = Counter()
    incidents: tuple[Mapping[str, Any], ...] = ()
    for each in records:
        legs.update(each.legs)
        not_fired += each.not_fired
        others += each.others
        fits.update(each.fits)
        fitting += each.fitting
        incidents += each.incidents
        executors.update(each.executors)
        spark = spark or each.spark
        tally, cases, kills = tally + each.tally, cases | each.cases, kills + each.kills
        coverage, optimizer_failures = coverage + each.coverage, optimizer_failures + each.optimizer_failures
        for name, count in each.rules.items():
            rules[name] = rules.get(name, RuleCount()) + count
        for finding in each.findings:
            merge_finding(findings, finding, None)
    found = tuple(findings.values())
    rules = dict(sorted(rules.items()))
    return Record(
        tally,
        rules,
        found,
        cases,
        kills,
        coverage,
        spark,
        optimizer_failures,
        dict(sorted(executors.items())),
        others,
        dict(sorted(fits.items())),
        fitting,
        dict(legs),
        not_fired,
        incidents,
    )


def _lines(path: Path) -> Iterable[Mapping[str, Any]]:
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(text)
        except ValueError:
            continue


def add_up(lines: Iterable[Mapping[str, Any]]) -> Record:
    """The record that the ``lines`` of one worker amount to."""
    verdicts: dict[str, int] = {}
    excused: dict[str, int] = {}
    rules: dict[str, RuleCount] = {}
    findings: dict[str, dict[str, Any]] = {}
    cases: set[str] = set()
    kills: list[Mapping[str, Any]] = []
    incidents: list[Mapping[str, Any]] = []
    release: dict[str, Listed] = {}
    changed_plan: list[Sequence[str]] = []
    spark = ""
    nonempty = optimizer_failures = others = fitting = not_fired = 0
    executors: Counter[str] = Counter()
    legs: Counter[str] = Counter()
    fits: Counter[str] = Counter()
    for line in lines:
        if "finding" in line:
            merge_finding(findings, line["finding"], line["replaces"])
        elif "kill" in line:
            kills.append(line["kill"])
        elif "not_fired" in line:
            not_fired += 1
        elif "incident" in line:
            incidents.append(line["incident"])
        elif "listed" in line:
            spark = line["spark"]
            release |= {name: Listed(*entry) for name, entry in line["listed"].items()}
        else:
            changed_plan.append(line["effective"])
            verdicts[line["verdict"]] = verdicts.get(line["verdict"], 0) + 1
            nonempty += line["verdict"] == "agree" and line["rows"]
            optimizer_failures += line["stumbled"]
            others += line["others"]
            executors.update(line["executors"])
            fits.update(line.get("fits", ()))
            fitting += "fits" in line
            legs.update(line["legs"])
            if line["divergence"]:
                excused[line["divergence"]] = excused.get(line["divergence"], 0) + 1
            for name in line["off"]:
                fired = name in line["fired"]
                alone = TWO_LEGS in line["legs"]
                count = RuleCount(1, int(fired), int(fired and line["differed"]), int(fired and alone))
                rules[name] = rules.get(name, RuleCount()) + count
            cases.add(line["case"])
    tally = Tally(verdicts, nonempty, excused)  # type: ignore[arg-type]  # its constructor checks the names
    coverage = covered(release, changed_plan)
    found, rules = tuple(findings.values()), dict(sorted(rules.items()))
    return Record(
        tally,
        rules,
        found,
        frozenset(cases),
        tuple(kills),
        coverage,
        spark,
        optimizer_failures,
        executors,
        others,
        dict(sorted(fits.items())),
        fitting,
        dict(legs),
        not_fired,
        tuple(incidents),
    )


def merge_finding(findings: dict[str, dict[str, Any]], summary: Mapping[str, Any], replaces: str | None) -> None:
    """Put a finding among others by fingerprint: the smaller case stays, the counts add up.

    ``replaces`` is the fingerprint that the same finding is listed under as yet.
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
        "checks": record.tally.checks,
        "seconds": round(seconds, 1),
        "verdicts": dict(record.tally.verdicts),
        "nonempty": record.tally.nonempty,
        "excused": dict(record.tally.excused),
        "silent_entries": {"checks": record.fitting, "fits": dict(record.fits)},
        "duckdb_stumbles": record.optimizer_failures,
        "other_databases": record.others,
        "queries": record.tally.checks + record.not_fired,
        "legs": dict(record.legs),
        **({"executors": dict(record.executors)} if record.executors else {}),
        "rules": {name: asdict(count) for name, count in record.rules.items()},
        "coverage": record.coverage.summary(),
        "findings": [dict(finding) for finding in record.findings],
        "incidents": [dict(incident) for incident in record.incidents],
    }
