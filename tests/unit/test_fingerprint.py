"""Two findings are one if their kind, guilty rules and shape are the same, and nothing else counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import strategies.ir
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict
from oracles.failures.failure import Failure, Subject
from strategies.ir import (
    BIGINT,
    INT,
    Alias,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Filter,
    Join,
    Lit,
    Relation,
    Scan,
    SetOp,
    Settings,
    Table,
)
from tests.unit.failure_samples import BIGGER, checked_of, failure


def comparison(table: str, column: str, kind: Any, constant: int) -> Relation:
    """A filter, with names, a type and a constant of its own."""
    return Filter(
        Alias(Scan(table, (Column(column, kind),)), "x" + table),
        Compare(">", Col(column, kind), Lit(kind, constant)),
    )


def checked_query(query: Relation, rows: tuple[Any, ...] = (), verdict: Verdict | None = None) -> CheckResult:
    """A finding on ``query``, every table of which has ``rows``."""
    scans = {scan.table: scan for scan in strategies.ir.scans(query)}
    database = Database(tuple(Table(scan.table, scan.columns, rows) for scan in scans.values()))
    checked = checked_of(Case(query, database))
    return replace(checked, verdict=verdict or checked.verdict)


BASE = comparison("t0", "a", INT, 1)
ALIKE: dict[str, Failure] = {
    "names": failure(checked_query(comparison("other", "k", INT, 1))),
    "constants": failure(checked_query(comparison("t0", "a", INT, 7))),
    "types": failure(checked_query(comparison("t0", "a", BIGINT, 1))),
    "rows": failure(checked_query(BASE, ((1,), (2,)))),
    "repetition": failure(checked_query(Filter(Alias(BASE, "y"), BASE.condition))),
    "the legs' answers": failure(replace(checked_query(BASE), legs={})),
    "blame and reason": failure(
        checked_query(BASE, verdict=Verdict(name="finding", kind="rule", blame="unknown", reason="why ever"))
    ),
    "settings": failure(replace(checked_query(BASE), case=replace(checked_query(BASE).case, settings=Settings("orc")))),
    "what else was off": failure(replace(checked_query(BASE), off=("A", "B"))),
    "confirmation": failure(checked_query(BASE), confirmed=True),
    "subject, versions and seed": replace(failure(checked_query(BASE)), subject=Subject(), versions={}, seed=None),
}


@pytest.mark.parametrize("other", ALIKE.values(), ids=ALIKE)
def test_one_finding_stays_one_whatever_its(other: Failure) -> None:
    assert other.fingerprint == failure(checked_query(BASE)).fingerprint


LEFT, RIGHT = Alias(Scan("t0", (Column("a", INT),)), "l"), Alias(Scan("t0", (Column("a", INT),)), "r")
ON = Compare("=", Col("a", INT, "l"), Col("a", INT, "r"))
DIFFERENT: dict[str, Failure] = {
    "base": failure(checked_query(BASE)),
    "kind": failure(checked_query(BASE, verdict=Verdict(name="finding", kind="error", blame="on", reason="raises"))),
    "rules": failure(checked_query(BASE), ("EliminateOuterJoin",)),
    "two rules": failure(checked_query(BASE), ("EliminateOuterJoin", "ReplaceExceptWithFilter")),
    "no rules": failure(checked_query(BASE), ()),
    "comparison": failure(checked_query(Filter(BASE.child, replace(BASE.condition, op="<")))),
    "operator": failure(checked_query(Distinct(BASE))),
    "except": failure(checked_query(SetOp("except", BASE, BASE))),
    "except all": failure(checked_query(SetOp("except", BASE, BASE, all=True))),
    "intersect": failure(checked_query(SetOp("intersect", BASE, BASE))),
    "inner join": failure(checked_query(Join(LEFT, RIGHT, "inner", ON))),
    "left join": failure(checked_query(Join(LEFT, RIGHT, "left", ON))),
    "another table's": failure(checked_query(BIGGER)),
}


def test_findings_that_differ_in_kind_rules_or_shape_have_fingerprints_of_their_own() -> None:
    assert len({finding.fingerprint for finding in DIFFERENT.values()}) == len(DIFFERENT)


@pytest.mark.parametrize("finding", DIFFERENT.values(), ids=DIFFERENT)
def test_a_fingerprint_is_16_hex_digits(finding: Failure) -> None:
    assert len(finding.fingerprint) == 16
    assert set(finding.fingerprint) <= set("0123456789abcdef")
