"""Statistics of checks: counts by verdict, by leg and by rule, which workers, rounds and runs add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any

from oracles.checks.evidence import TWO_LEGS, Evidence, RuleCount, legs_of
from oracles.checks.result import CheckResult
from oracles.checks.tally import Tally
from oracles.checks.verdict import Verdict


def check_line(checked: CheckResult, verdict: Verdict, digest: str, fits: Sequence[str] = ()) -> dict[str, Any]:
    """One completed check as plain data, for :meth:`Stats.add` and for a record on disk.

    :param verdict: the verdict after known divergences were looked up.
    :param fits: the silent entries that fit its case.
    """
    return {
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


@dataclass(slots=True, kw_only=True)
class Stats:
    """Statistics of checks.

    :param verdicts: checks by verdict; a missing verdict counts 0.
    :param excused: excused findings by known divergence.
    :param rules: by rule, its counts; in a campaign also those of rules that only changed a plan.
    :param legs: the checks in which each leg gave evidence (see :mod:`oracles.checks.evidence`).
    :param executors: of a cluster, the checks that each executor ended tasks for, by its id in whichever application.
    :param fits: for each silent entry, the checks whose case it fits (see :mod:`oracles.triage.silent`).
    :param fitting: checks whose case at least one silent entry fits.
    :param nonempty: agreements with at least one row.
    :param optimizer_failures: checks whose answer of DuckDB is the one without its optimizer, because this raised.
    :param others: databases beside each check's own on which the same plans agreed, too.
    :param unfired: queries that were planned and not checked, because no rule that the run is about fired.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    excused: Counter[str] = field(default_factory=Counter)
    rules: dict[str, RuleCount] = field(default_factory=dict)
    legs: Counter[str] = field(default_factory=Counter)
    executors: Counter[str] = field(default_factory=Counter)
    fits: Counter[str] = field(default_factory=Counter)
    fitting: int = 0
    nonempty: int = 0
    optimizer_failures: int = 0
    others: int = 0
    unfired: int = 0

    def add(self, line: Mapping[str, Any]) -> None:
        """Count one check, given as :func:`check_line` says it."""
        self.verdicts[line["verdict"]] += 1
        if line["divergence"]:
            self.excused[line["divergence"]] += 1
        for name in line["off"]:
            fired = name in line["fired"]
            differed, two_legs = fired and line["differed"], fired and TWO_LEGS in line["legs"]
            agreed = (differed or two_legs) and line["verdict"] == "agree" and line["rows"]
            self.add_rule(name, RuleCount(checked=1, fired=fired, differed=differed, two_legs=two_legs, agreed=agreed))
        self.legs.update(line["legs"])
        self.executors.update(line["executors"])
        self.fits.update(line.get("fits", ()))
        self.fitting += "fits" in line
        self.nonempty += line["verdict"] == "agree" and line["rows"]
        self.optimizer_failures += line["stumbled"]
        self.others += line["others"]

    def add_rule(self, name: str, count: RuleCount) -> None:
        """Add ``count`` to the counts of a rule."""
        self.rules[name] = self.rules.get(name, RuleCount()) + count

    def update(self, other: Stats) -> None:
        """Add all counts of ``other``."""
        for name, count in other.rules.items():
            self.add_rule(name, count)
        for each in _COUNTERS:
            getattr(self, each).update(getattr(other, each))
        for each in _NUMBERS:
            setattr(self, each, getattr(self, each) + getattr(other, each))

    def counts(self) -> dict[str, Any]:
        """All fields by name, as copies: what is counted later changes none of them."""
        return {each.name: copy(getattr(self, each.name)) for each in fields(Stats)}

    @property
    def checks(self) -> int:
        """All checks, of any verdict."""
        return sum(self.verdicts.values())

    @property
    def queries(self) -> int:
        """The checks, and the queries that were planned and not checked."""
        return self.checks + self.unfired

    @property
    def tally(self) -> Tally:
        """The verdicts, the agreements with rows and what was excused."""
        return Tally(self.verdicts, self.nonempty, self.excused)  # type: ignore[arg-type]  # its constructor checks the names

    def evidence(self, named: Sequence[str] = (), asked: int | None = None) -> Evidence:
        """The evidence of a run about the rules ``named`` that was asked for so many checks (None: for a time)."""
        return Evidence(legs=self.legs, rules=self.rules, named=named, asked=asked, queries=self.queries)

    def summary(self) -> dict[str, Any]:
        """The counts that each kind of run has in its ``--summary-json``."""
        return {
            "checks": self.checks,
            "verdicts": dict(self.tally.verdicts),
            "nonempty": self.nonempty,
            "excused": dict(self.tally.excused),
            "silent_entries": {"checks": self.fitting, "fits": dict(sorted(self.fits.items()))},
            "queries": self.queries,
            "legs": dict(self.legs),
            "rules": {name: count.summary() for name, count in sorted(self.rules.items())},
        }


_COUNTERS = ("verdicts", "excused", "legs", "executors", "fits")
_NUMBERS = ("fitting", "nonempty", "optimizer_failures", "others", "unfired")
