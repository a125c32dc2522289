"""Ternary partitioning: three parts add up to the query, on an engine of its own, and a wrong sum is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import pytest

from oracles.answers.outcome import Rows
from oracles.answers.rows import same
from oracles.engines.duckdb import DuckdbEngine
from strategies.draw.cases import cases
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Filter,
    InvalidQuery,
    IsNull,
    Item,
    Join,
    Lit,
    Not,
    Project,
    Relation,
    Scan,
    SetOp,
    Table,
    columns_to_partition_by,
    from_plain,
    partitioned,
    to_plain,
    walk,
)
from tests.unit.strategy_asserts import Sample, find_any, minimal

COLUMNS = (Column("a", INT), Column("b", STRING))
ROWS = ((1, "x"), (1, "x"), (2, None), (None, "x"), (None, None), (3, ""))
DATABASE = Database((Table("t0", COLUMNS, ROWS), Table("t1", COLUMNS, ROWS[2:] + ROWS[2:4])))
T0, T1 = Scan("t0", COLUMNS), Scan("t1", COLUMNS)
A, B = Col("a", INT), Col("b", STRING)
A_IS_ONE = Compare("=", A, Lit(INT, 1))
JOINED = Join(T0, Alias(T0, "s0"), "inner", Compare("=", Col("a", INT, "t0"), Col("a", INT, "s0")))
COUNTED = (Item("n", Agg("count")), Item("s", Agg("sum", A)), Item("m", Agg("max", B)))
QUERIES: dict[str, Relation] = {
    "a table": T0,
    "a filter": Filter(T0, IsNull(B)),
    "a projection": Project(T0, (Item("a", B), Item("c", A))),
    "a filter of a join": Filter(JOINED, IsNull(Col("b", STRING, "s0"))),
    "groups of a filtered join": Aggregate(
        Filter(JOINED, IsNull(Col("b", STRING, "s0"))), (Item("k", Col("a", INT, "t0")),), (Item("n", Agg("count")),)
    ),
    "groups": Aggregate(T0, (Item("b", B),), COUNTED),
    "one group": Aggregate(T0, (), COUNTED),
    "rows counted after a limit": Aggregate(AnyLimit(T0, 3), (), (Item("n", Agg("count")),)),
    "groups with HAVING": Aggregate(T0, (Item("b", B),), COUNTED, Compare("=", Col("n", BIGINT), Lit(BIGINT, 2))),
    "DISTINCT": Distinct(T0),
    "UNION ALL": SetOp("union", T0, T1, all=True),
    "UNION": SetOp("union", T0, T1),
    "EXCEPT": SetOp("except", T0, T1),
    "EXCEPT ALL": SetOp("except", T0, T1, all=True),
    "INTERSECT": SetOp("intersect", T0, T1),
    "INTERSECT ALL": SetOp("intersect", T0, T1, all=True),
    "a set operator with other names": SetOp("except", T0, Project(T1, (Item("x", A), Item("a", B))), all=True),
}


def predicate_for(query: Relation) -> Compare | IsNull:
    """A predicate that is true, false and NULL over the rows of these queries."""
    field = columns_to_partition_by(query)[0]
    return Compare("=", field.column(), Lit(field.type, 1 if field.type in (INT, BIGINT) else "x"))


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckdbEngine]:
    with DuckdbEngine() as engine:
        yield engine


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_the_parts_add_up_to_the_query(engine: DuckdbEngine, query: Relation) -> None:
    whole = engine.run(query, DATABASE)
    parts = engine.run(partitioned(query, predicate_for(query)), DATABASE)
    assert isinstance(whole, Rows)
    assert isinstance(parts, Rows)
    assert whole.rows
    assert same(whole, parts)


def two_parts(query: Relation) -> Relation:
    """Two-valued: where the predicate is NULL, a row is forgotten."""
    return SetOp("union", Filter(query, A_IS_ONE), Filter(query, Not(A_IS_ONE)), all=True)


def distinct_sum(query: Relation) -> Relation:
    """UNION for UNION ALL: repeats are forgotten."""
    parts = partitioned(query, A_IS_ONE)
    assert isinstance(parts, SetOp)
    return replace(parts, all=False)


def null_twice(query: Relation) -> Relation:
    """The third part is taken for what isn't true: the false rows come twice."""
    return SetOp("union", partitioned(query, A_IS_ONE), Filter(query, Not(A_IS_ONE)), all=True)


@pytest.mark.parametrize("fault", [two_parts, distinct_sum, null_twice], ids=lambda fault: fault.__name__)
def test_parts_that_are_put_together_wrongly_are_seen(
    engine: DuckdbEngine, fault: Callable[[Relation], Relation]
) -> None:
    whole, parts = engine.run(T0, DATABASE), engine.run(fault(T0), DATABASE)
    assert isinstance(whole, Rows)
    assert isinstance(parts, Rows)
    assert not same(whole, parts)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (AnyLimit(T0, 1), []),
        (T0, ["t0.a", "t0.b"]),
        (JOINED, ["t0.a", "t0.b", "s0.a", "s0.b"]),
        (Project(T0, (Item("x", A),)), ["x"]),
        (Aggregate(T0, (), (Item("n", Agg("count")),)), ["t0.a", "t0.b"]),
        (Aggregate(AnyLimit(T0, 1), (), (Item("n", Agg("count")),)), ["n"]),
        (Aggregate(T0, (), (Item("n", Agg("avg", A)),)), ["n"]),
        (Aggregate(T0, (), (Item("n", Agg("count", A, distinct=True)),)), ["n"]),
        (SetOp("except", T0, T1), ["a", "b"]),
    ],
    ids=[
        "any limit",
        "scan",
        "join",
        "projection",
        "counts",
        "counts after a limit",
        "averages",
        "distinct counts",
        "except",
    ],
)
def test_the_domain_is_what_a_predicate_may_be_about(query: Relation, names: list[str]) -> None:
    assert [field.shown for field in columns_to_partition_by(query)] == names


@pytest.mark.parametrize(
    ("query", "predicate"),
    [
        (AnyLimit(T0, 1), A_IS_ONE),
        (T0, Compare("=", Col("c", INT), Lit(INT, 1))),
        (JOINED, A_IS_ONE),
        (T0, Lit(INT, 1)),
    ],
    ids=["any limit", "no such column", "ambiguous column", "no condition"],
)
def test_what_cannot_be_partitioned_is_refused(query: Relation, predicate: Compare) -> None:
    with pytest.raises(InvalidQuery):
        Case(query, DATABASE, partition=predicate)


def test_sums_whose_type_would_change_are_not_merged() -> None:
    query = Aggregate(Scan("t", (Column("d", DOUBLE),)), (), (Item("s", Agg("sum", Col("d", DOUBLE))),))
    assert [field.name for field in columns_to_partition_by(query)] == ["s"]


def test_cases_reach_a_partition_and_shrink_to_none() -> None:
    found = find_any(cases(), lambda case: case.partition is not None and case.database.row_count > 2)
    assert found.partition is not None
    assert found.partition.type == BOOLEAN
    assert minimal(cases()).partition is None


CASES = Sample(cases())


@pytest.mark.slow  # it draws 600 cases
def test_every_partition_that_is_drawn_makes_a_query_that_reads_back() -> None:
    sample = [case for case in islice(CASES, 600) if case.partition is not None]
    assert len(sample) > 10
    for case in sample:
        assert case.partition is not None
        assert partitioned(case.query, case.partition).fields
        assert from_plain(to_plain(case)) == case


@pytest.mark.one_in(4)  # some kinds need a thousand draws
@pytest.mark.parametrize("kind", [Aggregate, Distinct, SetOp, Filter])
def test_queries_of_each_kind_that_is_put_together_in_its_own_way_are_partitioned(kind: type[Relation]) -> None:
    CASES.find_any(lambda case: case.partition is not None and type(case.query) is kind)


def test_filters_within_a_query_are_partitioned() -> None:
    CASES.find_any(lambda case: case.partition and any(isinstance(node, Filter) for node in walk(case.query)))
