"""Both engines give one answer, value for value and type for type, to everything that the query algebra can say.

Each query runs in Spark with and without generated code, as SQL and as a DataFrame program, and in DuckDB with
and without its optimizer. A failure here is a fault of a rendering, not of an optimizer's rule.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

import pytest

from oracles.check import Laboratory
from oracles.engines.arrow import arrow_type
from oracles.outcome import Cell, Outcome, Rows, type_text
from oracles.rows import diff
from oracles.sql import DataFrameCompiler, SparkCompiler
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    JOIN_KINDS,
    SET_KINDS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Deduplicate,
    Distinct,
    Expr,
    Filter,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Or,
    Project,
    Relation,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
)
from strategies.ir import type_text as sql_text
from tests.rules.semantic_samples import (
    AGGREGATES,
    DISTINCT_AGGREGATES,
    GROUP,
    HOSTILE_DATABASE,
    ID,
    PAIRS,
    SCALARS,
    TYPES,
    X,
    Y,
    items,
)
from tests.unit.ir_samples import DATABASE, RELATIONS

Answers: TypeAlias = dict[str, Outcome]
SQL, GENERATED, PROGRAM = Settings(), Settings(codegen=True), Settings(form="dataframe")
COMPILERS = {"sql": SparkCompiler(), "dataframe": DataFrameCompiler()}


def answers(laboratory: Laboratory, query: Relation, database: Database, ways: tuple[Settings, ...]) -> Answers:
    """The outcome of ``query`` in DuckDB, and in Spark each of those ``ways`` that have words for it."""
    outcomes: Answers = {}
    with laboratory.spark.loaded(database, "parquet"):
        for settings in (way for way in ways if COMPILERS[way.form].supports(query)):
            with laboratory.spark.leg(query, settings, {}) as leg:
                outcomes[repr(settings)] = leg.run().outcome
    outcomes["duckdb"] = laboratory.duckdb.run(query, database)
    outcomes["duckdb as written"] = laboratory.duckdb.run(query, database, optimize=False)
    return outcomes


def differences(outcomes: Answers, query: Relation) -> dict[str, object]:
    """What each way of running does not share with DuckDB's answer; nothing where all agree in the algebra's types."""
    expected = outcomes["duckdb"]
    assert isinstance(expected, Rows), expected
    assert expected.schema == tuple(type_text(arrow_type(field.type)) for field in query.fields)
    return {
        way: diff(outcome, expected) if isinstance(outcome, Rows) and outcome.schema == expected.schema else outcome
        for way, outcome in outcomes.items()
        if outcome != expected and not _agree(outcome, expected)
    }


def _agree(one: Outcome, two: Rows) -> bool:
    return isinstance(one, Rows) and one.schema == two.schema and not one.ordered and not diff(one, two)


def columns(outcome: Outcome, keys: int, names: dict[str, object]) -> dict[str, dict[tuple[Cell, ...], Cell]]:
    """Each named column's cells by the row's first ``keys`` cells."""
    assert isinstance(outcome, Rows), outcome
    return {
        name: {row[:keys]: row[keys + position] for row in outcome.rows} | {(): outcome.schema[keys + position]}
        for position, name in enumerate(names)
    }


# Scalar expressions: all of them in one query, compared one by one.


@pytest.fixture(scope="module")
def scalars(laboratory: Laboratory) -> list[dict[str, dict[tuple[Cell, ...], Cell]]]:
    query = Project(PAIRS, (Item("id", ID), *items(SCALARS)))
    return [
        columns(outcome, 1, SCALARS)
        for outcome in answers(laboratory, query, HOSTILE_DATABASE, (SQL, GENERATED)).values()
    ]


@pytest.mark.parametrize("name", SCALARS, ids=ascii)
def test_an_expression_has_one_value_on_every_row(scalars: list[dict[str, object]], name: str) -> None:
    first, *others = (each[name] for each in scalars)
    assert all(other == first for other in others), [other for other in others if other != first]


# Aggregates: over groups, all rows, and no rows.

_NO_ROWS = Filter(PAIRS, Lit(BOOLEAN, False))
_KEY = (Item("g", GROUP),)
INPUTS: dict[str, tuple[Relation, tuple[Item, ...]]] = {
    "groups": (PAIRS, _KEY),
    "one group": (PAIRS, ()),
    "no groups": (_NO_ROWS, _KEY),
    "no rows": (_NO_ROWS, ()),
}


@pytest.fixture(scope="module")
def aggregates(laboratory: Laboratory) -> dict[str, list[dict[str, object]]]:
    return {
        name: [
            {**columns(plain, len(keys), AGGREGATES), **columns(distinct, len(keys), DISTINCT_AGGREGATES)}
            for plain, distinct in zip(
                answers(laboratory, Aggregate(child, keys, items(AGGREGATES)), HOSTILE_DATABASE, (SQL,)).values(),
                answers(
                    laboratory, Aggregate(child, keys, items(DISTINCT_AGGREGATES)), HOSTILE_DATABASE, (SQL,)
                ).values(),
                strict=True,
            )
        ]
        for name, (child, keys) in INPUTS.items()
    }


@pytest.mark.parametrize("over", INPUTS)
@pytest.mark.parametrize("name", [*AGGREGATES, *DISTINCT_AGGREGATES])
def test_an_aggregate_has_one_value_in_every_group(aggregates, over: str, name: str) -> None:
    first, *others = (each[name] for each in aggregates[over])
    assert all(other == first for other in others), [other for other in others if other != first]


# Relations.

_COLUMNS = (Column("k", INT), Column("d", DOUBLE), Column("s", STRING))
_ROWS = (
    ((1, "nan", "x"), 2),
    ((1, "-0x0.0p+0", None), 1),
    ((2, "0x0.0p+0", ""), 3),
    ((None, None, None), 2),
    ((None, "inf", "x"), 1),
    ((3, "0x1.8000000000000p+0", "y"), 1),
)
_OTHER_ROWS = (
    ((1, "nan", "x"), 1),
    ((2, "-0x0.0p+0", ""), 2),
    ((2, None, "x"), 1),
    ((None, None, None), 3),
    ((4, "inf", "z"), 1),
)


def _table(name: str, counted: tuple[tuple[tuple[object, ...], int], ...]) -> Table:
    return Table(name, _COLUMNS, tuple(row for row, copies in counted for _ in range(copies)))


BAGS = Database((_table("t0", _ROWS), _table("t1", _OTHER_ROWS), _table("t2", ())))
T0, T1, T2 = (Scan(table.name, table.columns) for table in BAGS.tables)
L, R = Alias(T0, "l"), Alias(T1, "r")
LK, LD, LS = (Col(column.name, column.type, "l") for column in _COLUMNS)
RK, RD, RS = (Col(column.name, column.type, "r") for column in _COLUMNS)
XK = Col("k", INT, "x")
FALSE, UNKNOWN = Lit(BOOLEAN, False), Lit(BOOLEAN, None)

ON: dict[str, Expr] = {
    "equal": Compare("=", LK, RK),
    "null-safe": Compare("<=>", LK, RK),
    "floating": Compare("=", LD, RD),
    "floating-null-safe": Compare("<=>", LD, RD),
    "less": Compare("<", LK, RK),
    "widened": Compare("=", LK, RD),
    "two-keys": And(Compare("<=>", LK, RK), Compare("=", LS, RS)),
    "left-only": And(Compare("=", LK, RK), Compare(">", LD, Lit(DOUBLE, "0x0.0p+0"))),
    "or-null": Or(Compare("=", LK, RK), IsNull(RS)),
    "false": FALSE,
    "unknown": UNKNOWN,
}
_ON_KINDS = [kind for kind in JOIN_KINDS if kind != "cross"]
JOINS: dict[str, Relation] = {
    **{f"{kind} {name}": Join(L, R, kind, on) for kind, (name, on) in product(_ON_KINDS, ON.items())},
    **{f"{kind} nothing": Join(L, Alias(T2, "r"), kind, ON["equal"]) for kind in _ON_KINDS},
    **{f"nothing {kind}": Join(Alias(T2, "l"), R, kind, ON["equal"]) for kind in _ON_KINDS},
    **{f"{kind} itself": Join(L, Alias(T0, "r"), kind, ON["floating-null-safe"]) for kind in _ON_KINDS},
    "cross": Join(T0, T1, "cross"),
    "cross nothing": Join(T0, T2, "cross"),
    "left of a semi": Join(
        Join(L, R, "semi", ON["equal"]), Alias(T1, "x"), "left", Compare("=", LK, Col("k", INT, "x"))
    ),
}

SETS: dict[str, Relation] = {
    f"{name} {kind}{' all' if keep else ''}": SetOp(kind, left, right, all=keep)
    for kind, keep, (name, left, right) in product(
        SET_KINDS,
        (True, False),
        (("t0 t1", T0, T1), ("t1 t0", T1, T0), ("t0 nothing", T0, T2), ("nothing t0", T2, T0), ("itself", T0, T0)),
    )
} | {
    "chain": SetOp("except", SetOp("except", T0, T1, all=True), Filter(T1, IsNull(Col("k", INT))), all=True),
    "nested": SetOp("intersect", SetOp("union", T0, T1, all=True), SetOp("except", T0, T2, all=True), all=True),
    "right first": SetOp("except", T0, SetOp("except", T1, T0, all=True), all=True),
    "columns twice": SetOp("except", Join(L, R, "left", ON["equal"]), Join(L, R, "inner", ON["equal"]), all=True),
}

WIDENED = [
    (SMALLINT, INT),
    (INT, BIGINT),
    (SMALLINT, DOUBLE),
    (BIGINT, DOUBLE),
    (INT, Decimal(10, 2)),
    (SMALLINT, Decimal(5, 5)),
    (Decimal(10, 2), Decimal(18, 0)),
    (Decimal(5, 5), Decimal(10, 2)),
    (DATE, TIMESTAMP_NTZ),
    (DATE, TIMESTAMP),
    (TIMESTAMP_NTZ, TIMESTAMP),
]
_WIDENING = {
    f"{name} {kind}": SetOp(
        kind,
        Project(PAIRS, tuple(Item(f"a{number}", X[pair[side]]) for number, pair in enumerate(WIDENED))),
        Project(PAIRS, tuple(Item(f"b{number}", X[pair[1 - side]]) for number, pair in enumerate(WIDENED))),
        all=True,
    )
    for kind, (name, side) in product(SET_KINDS, (("wide right", 0), ("wide left", 1)))
}
_MIXED = {
    f"{sql_text(one)} {kind} {sql_text(two)}": SetOp(
        kind, Project(PAIRS, (Item("x", X[one]),)), Project(PAIRS, (Item("y", Y[two]),)), all=True
    )
    for kind, (one, two) in product(("except", "intersect"), WIDENED)
}


def _sorted(column: Col, descending: bool, nulls_first: bool) -> Relation:
    key = SortKey(Col("x", column.type), descending, nulls_first)
    return Limit(Distinct(Project(PAIRS, (Item("x", column),))), (key,), 7, 1)


ORDERS: dict[str, Relation] = {
    f"{sql_text(kind)} {'desc' if down else 'asc'} {'first' if first else 'last'}": _sorted(X[kind], down, first)
    for kind, (down, first) in product(TYPES, ((False, True), (True, False)))
} | {
    "DOUBLE asc last": _sorted(X[DOUBLE], False, False),
    "STRING desc first": _sorted(X[STRING], True, True),
}

_K, _D, _S = (Col(column.name, column.type) for column in _COLUMNS)
_TOTAL = (SortKey(_D, True, False), SortKey(_S, False, False), SortKey(_K))
LIMITS: dict[str, Relation] = {
    "none": Limit(T0, _TOTAL, 0),
    "all": Limit(T0, _TOTAL, 100),
    "offset": Limit(T0, _TOTAL, 3, 4),
    "past the end": Limit(T0, _TOTAL, 3, 100),
    "of nothing": Limit(T2, _TOTAL, 3),
    "count": Aggregate(AnyLimit(T0, 4, 2), (), (Item("n", Agg("count")),)),
    "count past the end": Aggregate(AnyLimit(T0, 100, 9), (), (Item("n", Agg("count")),)),
}

_N = Col("n", BIGINT)
_COUNT = (Item("n", Agg("count")),)
KEYS: dict[str, Relation] = {
    **{f"group {sql_text(kind)}": Aggregate(PAIRS, (Item("x", X[kind]),), _COUNT) for kind in TYPES},
    **{f"distinct {sql_text(kind)}": Distinct(Project(PAIRS, (Item("x", X[kind]),))) for kind in TYPES},
}
GROUPS: dict[str, Relation] = {
    "distinct": Distinct(T0),
    "deduplicate": Deduplicate(T0, ("s", "k", "d")),
    "having without keys": Aggregate(T0, (), _COUNT, Compare(">", _N, Lit(BIGINT, 3))),
    "having false without keys": Aggregate(T0, (), _COUNT, FALSE),
    "having unknown": Aggregate(T0, (Item("k", _K),), _COUNT, Compare("=", Col("k", INT), Lit(INT, 1))),
    "having of nothing": Aggregate(T2, (), _COUNT, Compare("=", _N, Lit(BIGINT, 0))),
    "constant key": Aggregate(T0, (Item("one", Lit(INT, 1)),), _COUNT),
    "constant key of nothing": Aggregate(T2, (Item("one", Lit(INT, 1)),), _COUNT),
    "alias like a column": Aggregate(T0, (Item("d", _K), Item("k", _D)), (Item("s", Agg("max", _S)),)),
    "same key twice": Aggregate(T0, (Item("a", _K), Item("b", _K)), _COUNT, IsNull(Col("b", INT))),
    "swapped names": Limit(
        Project(T0, (Item("s", _K), Item("k", _S))), (SortKey(Col("s", INT)), SortKey(Col("k", STRING))), 4
    ),
    "name hides a column in where": Project(Filter(T0, IsNull(_K)), (Item("k", _D), Item("d", _K))),
}

QUERIES: dict[str, tuple[Relation, Database]] = {
    **{f"join: {name}": (relation, BAGS) for name, relation in JOINS.items()},
    **{f"set: {name}": (relation, BAGS) for name, relation in SETS.items()},
    **{f"set: {name}": (relation, HOSTILE_DATABASE) for name, relation in (_WIDENING | _MIXED).items()},
    **{f"order: {name}": (relation, HOSTILE_DATABASE) for name, relation in ORDERS.items()},
    **{f"limit: {name}": (relation, BAGS) for name, relation in LIMITS.items()},
    **{f"key: {name}": (relation, HOSTILE_DATABASE) for name, relation in KEYS.items()},
    **{f"group: {name}": (relation, BAGS) for name, relation in GROUPS.items()},
    **{
        f"sample: {name}": (relation, DATABASE)
        for name, relation in RELATIONS.items()
        if not isinstance(relation, AnyLimit) and not name.startswith("project-")
    },
}


@pytest.mark.parametrize(("query", "database"), QUERIES.values(), ids=QUERIES)
def test_a_query_has_one_answer(laboratory: Laboratory, query: Relation, database: Database) -> None:
    assert differences(answers(laboratory, query, database, (SQL, PROGRAM)), query) == {}
