"""What excuses a failing window or pivot, and what beside it doesn't."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns import PATTERNS
from strategies.ir import (
    BINARY,
    DOUBLE,
    INT,
    Agg,
    Aggregate,
    Case,
    Cast,
    Database,
    Distinct,
    Expr,
    Item,
    Lit,
    Over,
    Pivot,
    PivotValue,
    Relation,
    SqlType,
    Value,
    Window,
)
from tests.unit.ir_samples import DATABASE, T0, YES, A, B, D

_COUNTED = Window(T0, (Over("n", Agg("count", where=YES)),))
_BINARY = Cast(B, BINARY)


def pivot(column: Expr, kind: SqlType, value: Value) -> Relation:
    return Distinct(Pivot(T0, (), Agg("count"), column, (PivotValue("x", Lit(kind, value)),)))


@pytest.mark.parametrize(
    ("pattern", "query", "fits"),
    [
        ("window_aggregate_with_a_filter", Distinct(_COUNTED), True),
        ("window_aggregate_with_a_filter", Window(T0, (Over("n", Agg("count")),)), False),
        ("window_aggregate_with_a_filter", Aggregate(T0, (), (Item("n", Agg("count", where=YES)),)), False),
        ("pivot_for_nan", pivot(D, DOUBLE, "nan"), True),
        ("pivot_for_nan", pivot(D, DOUBLE, "inf"), False),
        ("pivot_for_null_binary", pivot(_BINARY, BINARY, None), True),
        ("pivot_for_null_binary", pivot(_BINARY, BINARY, ""), False),
        ("pivot_for_null_binary", pivot(A, INT, None), False),
    ],
    ids=[
        "window with FILTER",
        "window without",
        "FILTER without window",
        "NaN",
        "infinity",
        "NULL as BINARY",
        "no bytes",
        "NULL as INT",
    ],
)
def test_a_pattern_fits_its_bug_alone(pattern: str, query: Relation, fits: bool) -> None:
    table = DATABASE.table("t0")
    assert PATTERNS[pattern](Case(query, Database((replace(table, rows=()),)))) == fits
