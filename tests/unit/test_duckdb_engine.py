"""DuckDB as an engine: settings, errors as outcomes, limits of time, and tables that leave nothing behind."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import pytest

from oracles.answers.outcome import Outcome, Raised, Rows, rows_from_arrow
from oracles.engines.arrow import arrow_table
from oracles.engines.duckdb import DuckdbEngine
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    Aggregate,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Filter,
    Item,
    Limit,
    Lit,
    Relation,
    Scan,
    SortKey,
    Table,
    Value,
)

INTS = Table("t0", (Column("a", INT),), ((2,), (None,), (1,), (2,)))
SCAN, A = Scan("t0", INTS.columns), Col("a", INT)
DATABASE = Database((INTS,))
NOTHING = Database((Table("t0", INTS.columns),))


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckdbEngine]:
    with DuckdbEngine() as duckdb:
        yield duckdb


def ints(*values: int | None, ordered: bool = False) -> Rows:
    return Rows(("int32",), tuple((None if v is None else ("int32", v),) for v in values), ordered)


HOSTILE: dict[str, tuple[object, tuple[Value, ...]]] = {
    "boolean": (BOOLEAN, (True, False, None)),
    "smallint": (SMALLINT, (-32768, 32767, None)),
    "int": (INT, (-(2**31), 2**31 - 1, None)),
    "bigint": (BIGINT, (-(2**63), 2**63 - 1, None)),
    "double": (DOUBLE, ("nan", "inf", "-inf", "-0x0.0p+0", "0x0.0000000000001p-1022", None)),
    "decimal": (Decimal(18, 18), ("-0.999999999999999999", "0.000000000000000001", None)),
    "string": (STRING, ("", " ", "\0", "'\\\"", "😀", None)),
    "binary": (BINARY, ("", "00", "ff", None)),
    "date": (DATE, ("0001-01-01", "9999-12-31", None)),
    "timestamp": (TIMESTAMP, ("0001-01-01 00:00:00.000000", "9999-12-31 23:59:59.999999", None)),
    "timestamp-ntz": (TIMESTAMP_NTZ, ("1969-12-31 23:59:59.999999", None)),
}


@pytest.mark.parametrize(("kind", "values"), HOSTILE.values(), ids=HOSTILE)
def test_a_table_comes_back_as_it_went_in(engine: DuckdbEngine, kind, values: tuple[Value, ...]) -> None:
    table = Table("t0", (Column("a", kind),), tuple((value,) for value in values))
    assert engine.run(Scan("t0", table.columns), Database((table,))) == rows_from_arrow(arrow_table(table))


def test_an_empty_table_has_its_types(engine: DuckdbEngine) -> None:
    assert engine.run(SCAN, NOTHING) == ints()


def test_only_a_limit_at_the_top_is_ordered(engine: DuckdbEngine) -> None:
    limit = Limit(SCAN, (SortKey(A, descending=True, nulls_first=True),), 3)
    assert engine.run(limit, DATABASE) == ints(None, 2, 2, ordered=True)
    assert engine.run(SCAN, DATABASE) == ints(2, None, 1, 2)


@pytest.mark.parametrize("optimize", [True, False], ids=["optimized", "as-written"])
def test_the_optimizer_is_on_or_off_for_one_query_alone(engine: DuckdbEngine, optimize: bool) -> None:
    plan = engine.run_sql("EXPLAIN SELECT a FROM t0 WHERE false", DATABASE, optimize=optimize)
    after = engine.run_sql("EXPLAIN SELECT a FROM t0 WHERE false", DATABASE)
    assert ("Empty Result" in str(plan)) == optimize
    assert "Empty Result" in str(after)


def test_several_databases_have_their_own_answers(engine: DuckdbEngine) -> None:
    count = Aggregate(SCAN, (), (Item("n", Agg("count")),))
    counts = engine.run_many(count, [DATABASE, NOTHING, DATABASE])
    assert counts == [Rows(("int64",), ((("int64", n),),)) for n in (4, 0, 4)]


def test_a_query_leaves_no_table_behind(engine: DuckdbEngine) -> None:
    engine.run(SCAN, DATABASE)
    outcome = engine.run(SCAN, Database(()))
    assert isinstance(outcome, Raised)
    assert outcome.condition == "CatalogException"


@pytest.mark.parametrize(
    ("sql", "condition"),
    [
        ("SELECT CAST('x' AS INT)", "ConversionException"),
        ("SELECT CAST(2147483647 AS INT) + CAST(1 AS INT)", "OutOfRangeException"),
        ("SELECT b FROM t0", "BinderException"),
        ("SELECT FROM WHERE", "ParserException"),
        ("SELECT (SELECT a FROM t0)", "InvalidInputException"),
    ],
    ids=lambda part: part,
)
def test_an_error_is_an_outcome_and_the_next_query_runs(engine: DuckdbEngine, sql: str, condition: str) -> None:
    outcome = engine.run_sql(sql, DATABASE)
    assert isinstance(outcome, Raised)
    assert (outcome.condition, outcome.kind, outcome.sqlstate) == (condition, "user", None)
    assert engine.run(SCAN, DATABASE) == ints(2, None, 1, 2)


def test_a_python_variable_is_not_a_table(engine: DuckdbEngine) -> None:
    visible = arrow_table(INTS)
    assert visible.num_rows == 4
    assert isinstance(engine.run_sql("SELECT * FROM visible", DATABASE), Raised)


def test_what_cannot_be_said_is_unsupported(engine: DuckdbEngine) -> None:
    outcomes = engine.run_many(Relation(), [DATABASE, DATABASE])
    assert [(o.kind, o.message) for o in outcomes] == [("unsupported", "DuckdbCompiler has no visit_Relation")] * 2


def test_answers_that_are_begun_come_whenever_they_are_asked_for_beside_others(engine: DuckdbEngine) -> None:
    first, second = engine.begin(SCAN, [DATABASE, NOTHING]), engine.begin(Limit(SCAN, (SortKey(A),), 1), [DATABASE])
    third = engine.begin(Relation(), [DATABASE])
    assert engine.run(SCAN, NOTHING) == ints()
    both = [ints(2, None, 1, 2), ints()]
    assert (second(), first(), first()) == ([ints(None, ordered=True)], both, both)
    assert isinstance(third()[0], Raised)


def test_queries_that_are_said_at_the_same_time_are_not_mixed_up(engine: DuckdbEngine) -> None:
    """Derived tables are numbered while a query is said."""
    deep: Relation = SCAN
    for _ in range(40):
        deep = Limit(deep, (SortKey(A),), 9)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        begun = [engine.begin(deep, [DATABASE]) for _ in range(8)]
        answers = [engine.run(deep, DATABASE), *(answer()[0] for answer in begun)]
    finally:
        sys.setswitchinterval(usual)
    assert answers == [ints(None, 1, 2, 2, ordered=True)] * 9


def test_a_query_that_takes_too_long_is_interrupted_and_the_next_one_runs() -> None:
    with DuckdbEngine(time_limit=0.2) as engine:
        outcome = engine.run_sql("SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a <> b", DATABASE)
        after: Outcome = engine.run(SCAN, DATABASE)
    assert isinstance(outcome, Raised)
    assert (outcome.condition, outcome.kind) == ("InterruptException", "timeout")
    assert after == ints(2, None, 1, 2)


def test_a_query_that_wants_too_much_memory_is_given_up_and_the_next_one_runs(engine: DuckdbEngine) -> None:
    """A product of joins would otherwise take the machine's memory from the engines beside it."""
    outcome = engine.run_sql("SELECT list(a.range || 'text') FROM range(30000000) a", DATABASE)
    assert isinstance(outcome, Raised)
    assert outcome.condition == "OutOfMemoryException"
    assert engine.run(SCAN, DATABASE) == ints(2, None, 1, 2)


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("SELECT CAST(1 AS INT) // CAST(0 AS INT)", None),
        ("SELECT a FROM t0 ORDER BY a LIMIT 1", None),
        ("SELECT CAST(extract('hour' FROM CAST('2024-07-01 12:00:00+00' AS TIMESTAMPTZ)) AS INT)", 12),
        ("SELECT CAST(current_setting('threads') AS INT)", 1),
    ],
    ids=["division", "nulls-first", "utc", "one-thread"],
)
def test_settings_are_those_of_spark(engine: DuckdbEngine, sql: str, value: int | None) -> None:
    assert engine.run_sql(sql, DATABASE) == ints(value)


def test_nan_is_compared_as_the_greatest_number_in_a_filter(engine: DuckdbEngine) -> None:
    """A filter that is pushed into an Arrow scan would call NaN unequal to itself."""
    table = Table("t0", (Column("d", DOUBLE),), (("nan",), ("inf",)))
    nan = Compare("=", Col("d", DOUBLE), Lit(DOUBLE, "nan"))
    above = Compare(">", Col("d", DOUBLE), Lit(DOUBLE, "inf"))
    for_nan = Rows(("double",), ((("double", "nan"),),))
    scan = Scan("t0", table.columns)
    assert [engine.run(Filter(scan, test), Database((table,))) for test in (nan, above)] == [for_nan, for_nan]


INCOMPARABLE = {
    "a fixed-size list": ("[1, 2, 3]::INT[3]", r"fixed_size_list<: int32>\[3\]"),
    "one inside a list": ("[[1, 2]::INT[2]]", "fixed_size_list"),
    "one inside a struct": ("{'a': 'a'::ENUM('a', 'b')}", "dictionary"),
    "an enum": ("'a'::ENUM('a', 'b')", "dictionary"),
    "a union": ("union_value(a := 1)", "sparse_union"),
    "a number of any size": ("1::BIGNUM", "bignum"),
}


@pytest.mark.parametrize(("value", "told"), INCOMPARABLE.values(), ids=INCOMPARABLE)
@pytest.mark.parametrize("optimize", [True, False], ids=["optimized", "as-written"])
def test_an_answer_that_cannot_be_compared_is_an_outcome(
    engine: DuckdbEngine, value: str, told: str, optimize: bool
) -> None:
    try:
        outcome: object = engine.run_sql(f"SELECT {value} AS x FROM t0", DATABASE, optimize=optimize)
    except ValueError as escaped:
        outcome = escaped
    assert isinstance(outcome, Raised), outcome
    assert (outcome.kind, re.search(told, outcome.message) is not None) == ("unsupported", True), outcome
    assert engine.run(SCAN, DATABASE) == ints(2, None, 1, 2)


@pytest.mark.parametrize("value", ["uuid()::TEXT", "[1, 2]", "{'a': 1}", "1::DECIMAL(38, 0)", "NULL"])
def test_an_answer_beside_these_is_compared(engine: DuckdbEngine, value: str) -> None:
    assert isinstance(engine.run_sql(f"SELECT {value} AS x FROM t0", DATABASE), Rows)
