"""Let a third engine decide the blame of a minimized finding if Spark and DuckDB leave it open.

The engine is SQLite. Its answer counts only if it also agrees wherever Spark and DuckDB agree on the same query, over
empty tables and over other rows. If it has no answer, the blame stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import same
from oracles.answers.unordered_limit import settled
from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.extra_databases import refills
from oracles.checks.result import CheckResult
from oracles.checks.verdict import wants_third_opinion, with_third_opinion
from oracles.engines.sqlite.engine import SqliteEngine
from strategies.ir import UTC, AnyLimit, Case, Database, Table

LEG = "sqlite"
"""The name of the third engine's leg."""

NAME = "SQLite"

_REFILLS = 6
"""The number of other databases, with rows, on which the third engine is tested."""


def third_opinion(harness: Harness, checked: CheckResult) -> CheckResult:
    """``checked``, of a minimized case, with the third engine's leg and the blame that follows from it.

    Raises as :meth:`Harness.check` does.
    """
    if checked.verdict.name != "finding" or not wants_third_opinion(checked.verdict):
        return checked
    engine = SqliteEngine()
    third = _answer(engine, checked)
    legs = {**checked.legs, LEG: third}
    verdict = with_third_opinion(
        checked.verdict, legs["on"], legs.get("off"), legs["duckdb"], third, name=f"{NAME} {engine.version}"
    )
    if verdict.blame != checked.verdict.blame and (why := _doubt(harness, engine, checked)):
        verdict = replace(checked.verdict, reason=f"{checked.verdict.reason}; {NAME}'s word doesn't count: {why}")
    return replace(checked, legs=legs, verdict=verdict)


def versions_of(harness: Harness, checked: CheckResult) -> dict[str, str]:
    """The versions of the engines that ran the legs of ``checked``."""
    versions = {"spark": harness.spark.version, "duckdb": harness.duckdb.version}
    return {**versions, **({LEG: SqliteEngine().version} if LEG in checked.legs else {})}


def _doubt(harness: Harness, engine: SqliteEngine, checked: CheckResult) -> str:
    """Why the third engine's answer doesn't count; '' if it gave each agreed answer over other databases.

    If Spark or DuckDB raises, the rows of the other engine count as agreed.
    """
    off = [harness.catalogue.rule(name) for name in checked.off]
    agreed = 0
    for case in _elsewhere(checked.case):
        again = harness.check(case, fixed(off), checked.settings, fast=case.settings.is_quick)
        expected = _agreed(again)
        if expected is None:
            continue
        third = _answer(engine, again)
        if not isinstance(third, Rows) or not same(expected, third):
            return "it differs where Spark and DuckDB agree"
        agreed += 1
    return "" if agreed else "no other rows on which Spark and DuckDB agree were found"


def _agreed(checked: CheckResult) -> Rows | None:
    """The rows that all legs with rows have in common; None if they differ, or if only one of Spark's legs has rows."""
    rows = [leg for leg in checked.legs.values() if isinstance(leg, Rows)]
    on = checked.legs["on"]
    alike = isinstance(on, Rows) == isinstance(checked.legs.get("off", on), Rows)
    return rows[0] if rows and alike and all(same(rows[0], other) for other in rows) else None


def _elsewhere(case: Case) -> Iterator[Case]:
    """``case`` over empty tables, and over other rows."""
    empty = Database(tuple(Table(table.name, table.columns) for table in case.database.tables))
    for database in (empty, *refills(case, _REFILLS)):
        yield replace(case, database=database, partition=None)


def _answer(engine: SqliteEngine, checked: CheckResult) -> Outcome:
    """The third engine's answer to the case of ``checked``; a LIMIT without an order is settled as for the legs."""
    case = checked.case
    if case.settings.time_zone != UTC:
        return Raised("TIME_ZONE", None, f"{NAME} knows no time zone but {UTC}", "unsupported")
    answer = engine.run(case.query, case.database)
    if not isinstance(case.query, AnyLimit):
        return answer
    return settled(answer, engine.run(case.query.child, case.database), case.query, whole=checked.unlimited)
