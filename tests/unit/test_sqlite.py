"""SQLite as the third engine: what its compiler can say, how values look there, and that it gives agreed answers.

DuckDB is the reference: its answers to these queries are Spark's too (tests/rules/test_semantics.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

import pytest

from oracles.answers.outcome import Raised, Rows, rows_from_arrow
from oracles.answers.rows import diff, same
from oracles.engines.arrow import arrow_table
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.sqlite.engine import SqliteEngine
from oracles.sql.dialect import UnsupportedNode
from oracles.sql.sqlite.compiler import SqliteCompiler
from oracles.sql.sqlite.values import packed, raw_value, unpacked
from oracles.sql.sqlite.words import words_for
from strategies.draw.cases import cases
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FUNCTIONS,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Aggregate,
    AnyLimit,
    Array,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Filter,
    Item,
    Limit,
    Lit,
    Project,
    Relation,
    Scan,
    SortKey,
    SqlType,
    Struct,
    Table,
    Value,
    type_text,
)
from tests.rules.semantic_groups import GROUP_QUERIES
from tests.rules.semantic_queries import QUERIES
from tests.rules.semantic_samples import AGGREGATES, GROUP, HOSTILE_DATABASE, ID, PAIRS, SCALARS, items
from tests.unit.ir_samples import DATABASE, RELATIONS, TEXT
from tests.unit.node_kinds import NODES
from tests.unit.strategy_asserts import drawn

SQLITE = SqliteEngine()


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckdbEngine]:
    with DuckdbEngine() as engine:
        yield engine


@dataclass(frozen=True, slots=True)
class Sample(Relation):
    """A node that the compiler has never heard of."""


# Nothing is left out, and nothing is guessed.


PARTS = {"Frame", "GroupingId", "Item", "Over", "PivotValue", "ValuesRow"}
"""Nodes without words of their own: the relation that has one says it."""


@pytest.mark.parametrize("node", [node for node in NODES if node.__name__ not in PARTS], ids=lambda node: node.__name__)
def test_every_node_is_either_said_or_unsupported(node: type) -> None:
    assert hasattr(SqliteCompiler, f"visit_{node.__name__}") != (node.__name__ in SqliteCompiler.UNSUPPORTED)


def test_only_nodes_are_visited() -> None:
    visited = {name.removeprefix("visit_") for name in dir(SqliteCompiler) if name.startswith("visit_")}
    assert visited <= {node.__name__ for node in NODES}


def test_an_unknown_node_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedNode, match="SqliteCompiler has no visit_Sample"):
        SqliteCompiler().visit(Sample(), None)


@pytest.mark.parametrize("kind", [INT, STRING, DOUBLE, DATE, TIMESTAMP, Decimal(9, 2), Array(INT)], ids=type_text)
def test_only_functions_of_the_algebra_have_words(kind: SqlType) -> None:
    assert words_for(kind).keys() <= FUNCTIONS.keys()


@pytest.mark.parametrize("query", [TEXT, RELATIONS["window-of-places"]], ids=["a text", "a window that ignores NULLs"])
def test_what_cannot_be_said_is_an_outcome(query: Relation) -> None:
    outcome = SQLITE.run(query, DATABASE)
    assert isinstance(outcome, Raised)
    assert (outcome.condition, outcome.kind) == ("UnsupportedNode", "unsupported")


def test_a_table_with_a_number_of_more_than_64_bits_has_no_answer() -> None:
    wide = Table("t", (Column("n", Decimal(28, 6)),), (("9" * 22 + ".000000",),))
    outcome = SQLITE.run(Scan(wide.name, wide.columns), Database((wide,)))
    assert isinstance(outcome, Raised)
    assert (outcome.condition, outcome.kind) == ("OverflowError", "unsupported")


# Values.

VALUES: dict[str, tuple[SqlType, tuple[Value, ...]]] = {
    "boolean": (BOOLEAN, (False, True)),
    "smallint": (SMALLINT, (-32768, -1, 0, 32767)),
    "int": (INT, (-(2**31), -1, 0, 2**31 - 1)),
    "bigint": (BIGINT, (-(2**63), -1, 0, 2**53 + 1, 2**63 - 1)),
    "double": (
        DOUBLE,
        (
            "-inf",
            "-0x1.fffffffffffffp+1023",
            "-0x1.8000000000000p+0",
            "0x0.0p+0",
            "0x0.0000000000001p-1022",
            "inf",
            "nan",
        ),
    ),
    "decimal": (Decimal(18, 4), ("-99999999999999.9999", "-0.0001", "0.0000", "1.5000", "99999999999999.9999")),
    "string": (STRING, ("", "\0", "\0a", "\1", " ", "A", "a", "a\0", "ab", "é", "\N{MUSICAL SYMBOL G CLEF}")),
    "binary": (BINARY, ("", "00", "0000", "00ff", "01", "61", "ff")),
    "date": (DATE, ("0001-01-01", "1969-12-31", "1970-01-01", "9999-12-31")),
    "timestamp": (
        TIMESTAMP,
        ("0001-01-01 00:00:00.000000", "1969-12-31 23:59:59.999999", "9999-12-31 23:59:59.999999"),
    ),
    "timestamp-ntz": (TIMESTAMP_NTZ, ("1969-12-31 23:59:59.999999", "1970-01-01 00:00:00.000000")),
    "array": (Array(INT), ((), (None,), (None, 5), (-1,), (0,), (0, None), (0, 0), (1,))),
    "array of doubles": (Array(DOUBLE), ((), (None,), ("-inf",), ("-0x1.0000000000000p+0",), ("inf",), ("nan",))),
    "array of arrays": (Array(Array(STRING)), ((), (None,), ((),), ((None,),), (("",),), (("", "a"),), (("a",),))),
    "struct": (
        Struct((("p", INT), ("q", STRING))),
        ((None, None), (None, ""), (0, None), (0, "a"), (0, "a\0"), (0, "b"), (1, None)),
    ),
}
"""Values of each type in ascending order."""


@pytest.mark.parametrize(("kind", "values"), VALUES.values(), ids=VALUES)
def test_a_table_comes_back_as_it_went_in(kind: SqlType, values: tuple[Value, ...]) -> None:
    table = Table("t0", (Column("a", kind),), ((None,), *((value,) for value in values)))
    assert SQLITE.run(Scan("t0", table.columns), Database((table,))) == rows_from_arrow(arrow_table(table))


@pytest.mark.parametrize(("kind", "values"), VALUES.values(), ids=VALUES)
def test_a_constant_is_the_value_of_a_cell(kind: SqlType, values: tuple[Value, ...]) -> None:
    columns = (Column("a", kind),)
    for value in values:
        same_value = Filter(Scan("t0", columns), Compare("=", Col("a", kind), Lit(kind, value)))
        found = SQLITE.run(same_value, Database((Table("t0", columns, tuple((each,) for each in (*values, None))),)))
        assert isinstance(found, Rows)
        assert len(found.rows) == 1, value


@pytest.mark.parametrize(("kind", "values"), VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("descending", [False, True], ids=["ascending", "descending"])
def test_values_sort_as_the_types_do(kind: SqlType, values: tuple[Value, ...], descending: bool) -> None:
    columns = (Column("a", kind),)
    backwards = tuple((value,) for value in (None, *reversed(values)))
    limit = Limit(Scan("t0", columns), (SortKey(Col("a", kind), descending),), 100)
    found = SQLITE.run(limit, Database((Table("t0", columns, backwards),)))
    wanted = (*backwards[1:][:: 1 if descending else -1],)
    ordered = Table("t0", columns, ((None,), *wanted))
    assert found == replace(rows_from_arrow(arrow_table(ordered)), ordered=True)


@pytest.mark.parametrize("name", ["array", "array of doubles", "array of arrays", "struct"])
def test_arrays_and_structs_are_read_as_they_were_packed(name: str) -> None:
    kind, values = VALUES[name]
    for value in values:
        blob = raw_value(kind, value)
        assert isinstance(blob, bytes)
        assert packed(kind, unpacked(kind, blob)) == blob


# Agreed answers.


def differences(query: Relation, database: Database, duckdb: DuckdbEngine) -> str | None:
    """How SQLite's answer differs from DuckDB's; empty where it doesn't, None where one of them has none."""
    wanted, found = duckdb.run(query, database), SQLITE.run(query, database)
    if not isinstance(wanted, Rows) or not isinstance(found, Rows):
        return None
    return "" if same(wanted, found) else f"{query!r} over {database!r}: {diff(wanted, found) or (wanted, found)}"


def said(relation: Relation) -> bool:
    try:
        SqliteCompiler().compile(relation)
    except UnsupportedNode:
        return False
    return True


@pytest.mark.parametrize("group", SCALARS)
def test_each_expression_over_hostile_values_has_duckdbs_answer(group: str, duckdb: DuckdbEngine) -> None:
    named = {name: each for name, each in SCALARS[group].items() if said(Project(PAIRS, (Item("x", each),)))}
    assert differing(Project(PAIRS, (Item("id", ID), *items(named))), 1, named, duckdb) == {}


@pytest.mark.parametrize("group", AGGREGATES)
@pytest.mark.parametrize("keys", [(), (Item("g", GROUP),)], ids=["of all", "of groups"])
def test_each_aggregate_over_hostile_values_has_duckdbs_answer(
    group: str, keys: tuple[Item, ...], duckdb: DuckdbEngine
) -> None:
    named = {name: each for name, each in AGGREGATES[group].items() if said(Aggregate(PAIRS, (), (Item("x", each),)))}
    assert not named or differing(Aggregate(PAIRS, keys, items(named)), len(keys), named, duckdb) == {}


def differing(query: Relation, keys: int, names: Iterable[str], duckdb: DuckdbEngine) -> dict[str, list[object]]:
    """The named columns of ``query``, which follow ``keys`` others, in which SQLite differs: both cells of each row."""
    wanted, found = duckdb.run(query, HOSTILE_DATABASE), SQLITE.run(query, HOSTILE_DATABASE)
    assert isinstance(wanted, Rows), wanted
    assert isinstance(found, Rows), found
    rows = {row[:keys]: row for row in wanted.rows}
    differences: dict[str, list[object]] = {}
    for row, (place, name) in product(found.rows, enumerate(names, start=keys)):
        if row[place] != rows[row[:keys]][place]:
            differences.setdefault(name, []).append((row[place], rows[row[:keys]][place]))
    return differences


@pytest.mark.parametrize("name", [name for name, each in RELATIONS.items() if not isinstance(each, AnyLimit)])
def test_each_relation_has_duckdbs_answer(name: str, duckdb: DuckdbEngine) -> None:
    assert not differences(RELATIONS[name], DATABASE, duckdb)


MANY = {**QUERIES, **GROUP_QUERIES}


@pytest.mark.parametrize("name", MANY)
def test_each_query_over_hostile_bags_has_duckdbs_answer(name: str, duckdb: DuckdbEngine) -> None:
    query, database, _ = MANY[name]
    assert not differences(query, database, duckdb)


DRAWN = 300


@pytest.mark.slow  # it draws and runs 300 cases
def test_drawn_queries_have_duckdbs_answer(duckdb: DuckdbEngine) -> None:
    drawn_cases = [case for case in drawn(cases(), count=DRAWN) if not isinstance(case.query, AnyLimit)]
    found = [differences(case.query, case.database, duckdb) for case in drawn_cases]
    assert [difference for difference in found if difference] == []
    assert found.count("") > DRAWN / 3
