"""An expression that may raise does so on both engines for the same values, and is NULL on both without ANSI mode."""

from __future__ import annotations

import pytest

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import same
from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    And,
    Array,
    Case,
    CaseWhen,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Expr,
    Filter,
    Item,
    Lit,
    Project,
    RaiseError,
    RaisingArith,
    RaisingCast,
    RaisingElement,
    Relation,
    Scan,
    Settings,
    Table,
    When,
    without_ansi,
)

COLUMNS = (
    Column("a", INT),
    Column("b", INT),
    Column("n", SMALLINT),
    Column("w", BIGINT),
    Column("d", DOUBLE),
    Column("m", Decimal(9, 2)),
    Column("s", STRING),
    Column("l", Array(INT)),
)
LEAST, MOST = -(2**31), 2**31 - 1
ROWS = (
    (1, 2, 3, 4, (1.5).hex(), "1.50", "12", (5, None, 7)),
    (0, 0, 0, 0, (0.0).hex(), "0.00", "", ()),
    (1, 0, 32767, 2**31, (-0.0).hex(), "32767.50", "1.5", (1,)),
    (None, 0, None, None, None, None, None, None),
    (0, None, -32768, -(2**63), "nan", "-40000.00", "x", (None,)),
    (MOST, 1, 1, 2**63 - 1, "inf", "9999999.99", "99999999999", (1, 2)),
    (LEAST, -1, -1, -1, (-(2.0**31)).hex(), "-0.01", "2024-02-29", (1, 2, 3)),
    (-2, MOST, 2, 32768, (2.0**31).hex(), "0.99", "true", (0,)),
)
T0 = Scan("t0", COLUMNS)
A, B, N, W, D, M, S, L = (Col(column.name, column.type) for column in COLUMNS)
VALUES: dict[str, Expr] = {
    "sum": RaisingArith("+", A, B),
    "difference": RaisingArith("-", A, B),
    "product": RaisingArith("*", N, N),
    "quotient": RaisingArith("/", A, B),
    "quotient of doubles": RaisingArith("/", D, D),
    "quotient of the widest": RaisingArith("/", W, W),
    "remainder": RaisingArith("%", A, B),
    "remainder of narrow numbers": RaisingArith("%", N, N),
    "cast of BIGINT": RaisingCast(W, INT),
    "cast of BIGINT to SMALLINT": RaisingCast(W, SMALLINT),
    "cast of DOUBLE": RaisingCast(D, INT),
    "cast of DECIMAL": RaisingCast(M, SMALLINT),
    "cast of text to a number": RaisingCast(S, INT),
    "cast of text to DOUBLE": RaisingCast(S, DOUBLE),
    "cast of text to DATE": RaisingCast(S, DATE),
    "cast of text to BOOLEAN": RaisingCast(S, BOOLEAN),
    "element": RaisingElement(L, A),
    "certain element": RaisingElement(L, Lit(INT, 1)),
    "raise_error": CaseWhen((When(Compare("=", A, Lit(INT, 1)), RaiseError("it's one", INT)),)),
}
NULLABLE = {name: value for name, value in VALUES.items() if name.startswith(("quot", "rema", "cast of text", "elem"))}


def one_row(row: tuple[object, ...]) -> Database:
    return Database((Table("t0", COLUMNS, (row,)),))  # type: ignore[arg-type]  # plain values


def outcomes(harness: Harness, query: Relation, settings: Settings) -> dict[str, list[Outcome]]:
    """Spark's and DuckDB's outcomes over each row of ROWS alone."""
    ends: dict[str, list[Outcome]] = {"spark": [], "duckdb": []}
    for database in map(one_row, ROWS):
        with (
            harness.spark.stage(database, settings, fast=True) as stage,
            stage.leg(query, {}) as leg,
        ):
            outcome = leg.run().outcome
        assert outcome is not None
        ends["spark"].append(outcome)
        ends["duckdb"].append(harness.duckdb.run(query, database))
    return ends


def alike(one: Outcome, other: Outcome) -> bool:
    if isinstance(one, Rows) and isinstance(other, Rows):
        return same(one, other)
    return isinstance(one, Raised) and isinstance(other, Raised) and one.kind == other.kind == "user"


def select(value: Expr) -> Relation:
    return Project(T0, (Item("x", value),))


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_it_raises_for_the_same_rows_on_both_engines(harness: Harness, value: Expr) -> None:
    ends = outcomes(harness, select(value), Settings())
    assert [row for row, *both in zip(ROWS, *ends.values(), strict=True) if not alike(*both)] == []
    assert {type(end) for end in ends["spark"]} == {Rows, Raised}


@pytest.mark.parametrize("value", NULLABLE.values(), ids=NULLABLE)
def test_without_ansi_mode_it_is_null_on_both_engines(harness: Harness, value: Expr) -> None:
    query = without_ansi(select(value))
    assert isinstance(query, Relation)
    ends = outcomes(harness, query, Settings(ansi=False))
    assert [row for row, *both in zip(ROWS, *ends.values(), strict=True) if not alike(*both)] == []
    assert {type(end) for end in ends["spark"]} == {Rows}


# Whole checks.

ZERO = one_row(ROWS[2])
GUARDED = select(CaseWhen((When(Compare("<>", B, Lit(INT, 0)), RaisingArith("%", A, B)),)))
ENDS = {
    "a guard keeps the error away": (GUARDED, "vacuous"),
    "all legs raise": (select(RaisingArith("%", A, B)), "same-error"),
    "a condition is false without it": (
        Filter(T0, And(Compare("=", RaisingArith("%", A, B), A), Lit(BOOLEAN, False))),
        "order-open",
    ),
    "an error in a filter": (Filter(T0, Compare("=", RaisingArith("%", A, B), A)), "same-error"),
}


@pytest.mark.parametrize(("query", "verdict"), ENDS.values(), ids=ENDS)
def test_a_drawn_error_is_judged_by_whether_the_legs_agree_in_it(
    harness: Harness, query: Relation, verdict: str
) -> None:
    checked = harness.check(Case(query, ZERO), all_that_changed, fast=True)
    assert checked.verdict.name == verdict, checked.verdict
