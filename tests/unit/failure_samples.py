"""Findings to write down, read and print, without an engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.checks.result import CheckResult, LegSettings
from oracles.checks.verdict import Verdict
from oracles.failures.failure import Failure, Subject, failure_of
from strategies.ir import (
    INT,
    STRING,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Item,
    Lit,
    Project,
    Relation,
    Scan,
    SetOp,
    Settings,
    Table,
)

COLUMNS = (Column("a", INT), Column("s", STRING))
T0, T1 = Scan("t0", COLUMNS), Scan("t1", COLUMNS)
A = Col("a", INT)
ROWS = ((1, "x"), (1, "x"), (None, "it's"))
EXCEPT = SetOp("except", T0, Filter(T1, Compare(">", A, Lit(INT, 0))))
BIGGER = Project(EXCEPT, (Item("a", A),))
DEFAULTS = Settings()
FINDING = Verdict(name="finding", kind="rule", blame="on", reason="on and off differ, DuckDB has off's rows")
OVERFLOW = Raised("ARITHMETIC_OVERFLOW", "22003", "the sum\nis too big", "user")
RULES = ("ReplaceExceptWithFilter",)
SUBJECT = Subject(
    rules=("com.acme.MyRule@optimizer",),
    jars=("/home/me/my.jar",),
    extensions=("com.acme.Extensions",),
    conf={"spark.sql.shuffle.partitions": "3"},
    mutant="ReplaceExceptWithFilterNoDistinct",
    settings=LegSettings({"spark.assay.rule.X": "true"}, {"spark.sql.ansi.enabled": "false"}),
)
VERSIONS = {"spark": "4.3.0", "duckdb": "2.0.0"}


def case_of(query: Relation = EXCEPT, rows: tuple[Any, ...] = ROWS, settings: Settings = DEFAULTS) -> Case:
    """``query`` over t0 and t1, t0 with ``rows``."""
    return Case(query, Database((Table("t0", COLUMNS, rows), Table("t1", COLUMNS))), settings)


def answer(*values: int | None, tag: str = "int32") -> Rows:
    """One column of ``values``."""
    return Rows((tag,), tuple((None if value is None else (tag, value),) for value in values))


LEGS: Mapping[str, Outcome] = {"on": answer(None, 1), "off": answer(1, 1), "duckdb": answer(1, 1)}


def checked_of(
    case: Case | None = None,
    verdict: Verdict = FINDING,
    *,
    off: tuple[str, ...] = RULES,
    fired: tuple[str, ...] = RULES,
    differed: bool = True,
    legs: Mapping[str, Outcome] = LEGS,
    changed_plan: tuple[str, ...] = (),
    optimizer_failed: bool = False,
) -> CheckResult:
    """A check, by default one that found something."""
    return CheckResult(
        case=case or case_of(),
        off=off,
        fired=fired,
        differed=differed,
        verdict=verdict,
        legs=legs,
        changed_plan=changed_plan,
        optimizer_failed=optimizer_failed,
    )


def failure(checked: CheckResult | None = None, rules: tuple[str, ...] = RULES, *, confirmed: bool = False) -> Failure:
    """The failure that such a check leaves behind."""
    return failure_of(
        checked or checked_of(),
        rules,
        subject=SUBJECT,
        versions=VERSIONS,
        sql={"spark": "SELECT 'in\nSpark'", "duckdb": "SELECT 'in DuckDB'"},
        seed=1,
        confirmed=confirmed,
    )
