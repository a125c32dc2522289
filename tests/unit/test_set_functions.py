"""Functions that take arrays as sets: their meaning, in order, in DuckDB and SQLite; and percentiles and the mode."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oracles.answers.outcome import rows_from_arrow
from oracles.engines.arrow import arrow_table
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.sqlite.engine import SqliteEngine
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    STRING,
    Agg,
    Aggregate,
    Array,
    Call,
    Col,
    Column,
    Database,
    Decimal,
    InvalidQuery,
    Item,
    Lit,
    MakeArray,
    Project,
    Relation,
    Scan,
    SqlType,
    Table,
    Value,
    interpolated,
    type_text,
)

ZERO, MINUS_ZERO = (0.0).hex(), (-0.0).hex()
ANSWERS: dict[str, tuple[str, Value, Value, Value]] = {
    "union": ("array_union", ("nan", None, ZERO), ("inf", MINUS_ZERO, None, "nan"), ("nan", None, ZERO, "inf")),
    "union of repeats": ("array_union", ("inf", "inf"), ("-inf", "inf", "-inf"), ("inf", "-inf")),
    "union of nothing": ("array_union", (), (), ()),
    "union of NULL": ("array_union", ("inf",), None, None),
    "except": ("array_except", ("nan", "inf", None, MINUS_ZERO, "inf"), (ZERO, "nan"), ("inf", None)),
    "except a NULL": ("array_except", (None, ZERO, None), (None,), (ZERO,)),
    "except nothing": ("array_except", (ZERO, None, MINUS_ZERO, None), (), (ZERO, None)),
    "except NULL": ("array_except", (ZERO,), None, None),
    "intersect": ("array_intersect", ("inf", "nan", None, "nan", MINUS_ZERO), (ZERO, None, "nan"), ("nan", None, ZERO)),
    "intersect nothing": ("array_intersect", (ZERO,), (), ()),
    "intersect NULL": ("array_intersect", None, (ZERO,), None),
    "zeros overlap": ("arrays_overlap", (None, ZERO), (MINUS_ZERO,), True),
    "NaN overlaps": ("arrays_overlap", ("nan",), ("nan", None), True),
    "a NULL may overlap": ("arrays_overlap", (None,), (ZERO,), None),
    "two NULLs may overlap": ("arrays_overlap", (None,), (None,), None),
    "nothing overlaps a NULL": ("arrays_overlap", (None,), (), False),
    "others don't overlap": ("arrays_overlap", (ZERO,), ("nan",), False),
    "NULL overlaps": ("arrays_overlap", None, (), None),
}


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckdbEngine]:
    with DuckdbEngine() as engine:
        yield engine


def answers(query: Relation, table: Table, duckdb: DuckdbEngine) -> list[object]:
    return [engine.run(query, Database((table,))) for engine in (duckdb, SqliteEngine())]


@pytest.mark.parametrize(("function", "one", "other", "wanted"), ANSWERS.values(), ids=ANSWERS)
def test_arrays_are_sets_of_first_ones(function: str, one: Value, other: Value, wanted: Value, duckdb) -> None:
    kind = Array(DOUBLE)
    table = Table("t", (Column("a", kind), Column("b", kind)), ((one, other),))
    call = Call(function, (Col("a", kind), Col("b", kind)))
    answer = Table("r", (Column("x", BOOLEAN if function == "arrays_overlap" else kind),), ((wanted,),))
    found = answers(Project(Scan("t", table.columns), (Item("x", call),)), table, duckdb)
    assert found == [rows_from_arrow(arrow_table(answer))] * 2


@pytest.mark.parametrize("name", ["e", "i", "element"])
def test_a_column_is_not_taken_for_a_variable_of_a_lambda(name: str, duckdb: DuckdbEngine) -> None:
    numbers, one = Array(INT), Col(name, INT)
    table = Table("t", (Column("a", numbers), Column(name, INT)), (((1, 2, 1), 1),))
    calls = (
        Call("array_remove", (Col("a", numbers), one)),
        Call("array_except", (Col("a", numbers), MakeArray(INT, (one,)))),
        Call("array_intersect", (MakeArray(INT, (Lit(INT, 2), one)), Col("a", numbers))),
    )
    items = tuple(Item(f"x{place}", call) for place, call in enumerate(calls))
    answer = Table("r", tuple(Column(item.name, numbers) for item in items), (((2,), (2,), (2, 1)),))
    found = answers(Project(Scan("t", table.columns), items), table, duckdb)
    assert found == [rows_from_arrow(arrow_table(answer))] * 2


@pytest.mark.parametrize(
    ("values", "median"),
    [
        (((1.0).hex(), (2.0).hex()), (1.5).hex()),
        (((1.0).hex(), "inf", "-inf", (0.1).hex(), (200_000.0).hex()), (1.0).hex()),
        (("nan", (-0.25).hex(), "nan"), "nan"),
        ((ZERO, MINUS_ZERO, None), ZERO),
        (("inf", (0.1).hex()), None),
    ],
    ids=["eighths", "others", "NaN", "zeros", "none"],
)
def test_a_percentile_is_of_nan_and_of_eighths(values: tuple[Value, ...], median: Value, duckdb: DuckdbEngine) -> None:
    table = Table("t", (Column("a", DOUBLE),), tuple((value,) for value in values))
    half = Agg("percentile", Col("a", DOUBLE), others=(Lit(DOUBLE, (0.5).hex()),))
    answer = Table("r", (Column("x", DOUBLE),), ((median,),))
    found = answers(Aggregate(Scan("t", table.columns), (), (Item("x", half),)), table, duckdb)
    assert found == [rows_from_arrow(arrow_table(answer))] * 2


@pytest.mark.parametrize(
    ("share", "values", "expected"),
    [
        (0.0, (3, 1, 2), 1),
        (0.5, (3, 1, 2), 2),
        (0.5, (4, 1, 3, 2), 2),
        (0.25, (4, 1, 3, None, 2, 5), 2),
        (1.0, (3, 1), 3),
        (0.5, (None,), None),
    ],
    ids=["least", "median", "lower of two", "share", "greatest", "none"],
)
def test_an_approximate_percentile_is_one_of_the_values(
    share: float, values: tuple[Value, ...], expected: Value, duckdb: DuckdbEngine
) -> None:
    table = Table("t", (Column("a", INT),), tuple((value,) for value in values))
    percentile = Agg("percentile_approx", Col("a", INT), others=(Lit(DOUBLE, share.hex()),))
    answer = Table("r", (Column("x", INT),), ((expected,),))
    found = answers(Aggregate(Scan("t", table.columns), (), (Item("x", percentile),)), table, duckdb)
    assert found == [rows_from_arrow(arrow_table(answer))] * 2


@pytest.mark.parametrize("kind", [DOUBLE, BIGINT, STRING, Decimal(18, 4)], ids=type_text)
def test_an_approximate_percentile_is_of_types_that_doubles_tell_apart(kind: SqlType) -> None:
    with pytest.raises(InvalidQuery, match="no percentile_approx"):
        Agg("percentile_approx", Col("a", kind), others=(Lit(DOUBLE, (0.5).hex()),))


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        (INT, (2, 1, 2), 2),
        (STRING, ("b", "a", "b", "a", None, None, None), "a"),
        (DOUBLE, (ZERO, MINUS_ZERO, (1.0).hex()), ZERO),
        (DOUBLE, (MINUS_ZERO,), ZERO),
        (DOUBLE, ("nan", "inf", "nan"), "nan"),
        (DOUBLE, ("nan", "inf"), "inf"),
        (INT, (None,), None),
    ],
    ids=["most frequent", "least of two", "both zeros", "minus zero", "NaN", "less than NaN", "none"],
)
def test_the_mode_is_the_least_of_the_most_frequent_values(
    kind: SqlType, values: tuple[Value, ...], expected: Value, duckdb: DuckdbEngine
) -> None:
    table = Table("t", (Column("a", kind),), tuple((value,) for value in values))
    answer = Table("r", (Column("x", kind),), ((expected,),))
    query = Aggregate(Scan("t", table.columns), (), (Item("x", Agg("mode", Col("a", kind))),))
    assert answers(query, table, duckdb) == [rows_from_arrow(arrow_table(answer))] * 2


@pytest.mark.parametrize("rows", [3, 0], ids=["rows", "no rows"])
def test_the_mode_of_a_constant_is_that_constant(rows: int, duckdb: DuckdbEngine) -> None:
    table = Table("t", (Column("a", INT),), ((1,),) * rows)
    answer = Table("r", (Column("x", INT),), ((7 if rows else None,),))
    query = Aggregate(Scan("t", table.columns), (), (Item("x", Agg("mode", Lit(INT, 7))),))
    assert answers(query, table, duckdb) == [rows_from_arrow(arrow_table(answer))] * 2


def test_a_percentile_of_integers_is_of_all() -> None:
    assert interpolated(Col("a", INT)) == Col("a", INT)
