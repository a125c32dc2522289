"""Draws over a table of pairs, every one with rows, of the many kinds of queries by which a rule is acquitted."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.ir import (
    COMPARE_OPS,
    INT,
    Agg,
    Aggregate,
    And,
    Case,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Expr,
    Filter,
    InList,
    IsNull,
    Item,
    Lit,
    NullIf,
    Project,
    Relation,
    Scan,
    SetOp,
    Table,
)

PAIRS = (Column("a", INT), Column("b", INT))
SCAN = Scan("t0", PAIRS)
ROWS = Database((Table("t0", PAIRS, ((1, 2), (1, 2), (5, 6), (7, None))),))
A, B = Col("a", INT), Col("b", INT)
_ONE = Lit(INT, 1)
_TRUE = (("<", 20), ("<=", 20), (">", -9), (">=", -9), ("<>", 99))
_FALSE = (("<", -9), ("<=", -9), (">", 99), (">=", 99), ("=", 99))


def _with(value: Expr) -> Callable[[Relation], Relation]:
    return lambda rows: Project(rows, (Item("a", A), Item("x", value)))


_ABOVE: tuple[Callable[[Relation], Relation], ...] = (
    lambda rows: rows,
    Distinct,
    lambda rows: SetOp("union", rows, rows, all=True),
    lambda rows: SetOp("intersect", rows, rows),
    lambda rows: Aggregate(rows, (Item("a", A),), (Item("copies", Agg("count")),)),
    *(_with(Compare(op, A, B)) for op in COMPARE_OPS),
    _with(IsNull(B)),
    _with(Coalesce((B, A))),
    _with(NullIf(A, B)),
    _with(InList(A, (_ONE, B))),
)


def true_for_values(column: Col) -> SearchStrategy[Expr]:
    """Conditions on ``column`` that are true unless it is NULL."""
    return st.sampled_from(_TRUE).map(lambda drawn: Compare(drawn[0], column, Lit(INT, drawn[1])))


def never_true(column: Col) -> SearchStrategy[Expr]:
    """Conditions on ``column`` that no row meets."""
    return st.sampled_from(_FALSE).map(lambda drawn: Compare(drawn[0], column, Lit(INT, drawn[1])))


def under_others(rows: SearchStrategy[Relation]) -> SearchStrategy[Case]:
    """``rows``, drawn relations over the table of pairs, under drawn operators and expressions."""
    return st.tuples(st.sampled_from(_ABOVE), rows).map(lambda drawn: Case(drawn[0](drawn[1]), ROWS))


def filters_of_two_conditions() -> SearchStrategy[Case]:
    """``t0 WHERE b < n AND a >= m``, and such."""
    return under_others(st.builds(lambda *sides: Filter(SCAN, And(*sides)), true_for_values(B), true_for_values(A)))


def filters_of_four_conditions() -> SearchStrategy[Case]:
    """``t0 WHERE (b < n AND a >= m) AND (b <= o AND a <> p)``, and such."""
    two = st.builds(And, true_for_values(B), true_for_values(A))
    return under_others(st.builds(lambda *sides: Filter(SCAN, And(*sides)), two, two))


def excepts_with_rows() -> SearchStrategy[Case]:
    """``t0 WHERE a < n EXCEPT t0 WHERE b > m``, and such."""
    sides = (
        conditions.map(lambda condition: Filter(SCAN, condition)) for conditions in (true_for_values(A), never_true(B))
    )
    return under_others(st.builds(lambda left, right: SetOp("except", left, right), *sides))
