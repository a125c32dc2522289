"""Subqueries, CTEs and LATERAL joins: what is drawn can be said and run, all of it is reached, and it shrinks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TypeGuard

import pytest

from oracles.answers.outcome import Raised, Rows
from oracles.engines.duckdb import DuckdbEngine
from oracles.sql import DuckdbCompiler, SparkCompiler
from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.cases import cases
from strategies.draw.draws import without_mutation
from strategies.draw.exactness import field_bits
from strategies.draw.forms import for_sql
from strategies.draw.queries import queries
from strategies.ir import (
    DOUBLE,
    INT,
    Aggregate,
    Alias,
    Column,
    Compare,
    CteScan,
    Database,
    Deduplicate,
    Exists,
    Filter,
    InSubquery,
    Join,
    Lateral,
    Limit,
    Node,
    Not,
    Project,
    Relation,
    ScalarSubquery,
    Scan,
    SetOp,
    Subquery,
    Table,
    With,
    free_ctes,
    inlined,
    operators,
    outers_of,
    raising_nodes,
    walk,
)
from tests.unit.ir_samples import RELATIONS
from tests.unit.strategy_asserts import Sample, assert_all_examples, drawn, least_of

_COLUMNS = (Column("a", INT), Column("d", DOUBLE))
SCHEMA = Database((Table("t0", _COLUMNS), Table("t1", _COLUMNS)))
QUERIES = Sample(without_mutation(queries(SCHEMA)))
T0 = Scan("t0", _COLUMNS)
NESTED = (Subquery, With, Lateral)


@pytest.fixture(scope="module")
def sampled() -> list[Relation]:
    return [query for query in drawn(queries(SCHEMA), count=600) if any(isinstance(n, NESTED) for n in walk(query))]


def test_a_query_refers_to_nothing_around_it(sampled: list[Relation]) -> None:
    assert [query for query in sampled if any(True for _ in outers_of(query)) or free_ctes(query)] == []


def test_spark_and_duckdb_have_words_for_it(sampled: list[Relation]) -> None:
    compilers = SparkCompiler(), DuckdbCompiler()
    assert [query for query in sampled if not all(compiler.supports(query) for compiler in compilers)] == []


def test_subqueries_are_within_the_bound_of_operators() -> None:
    assert_all_examples(queries(SCHEMA, max_operators=4), lambda query: operators(query) <= 4 + 4)


def test_rows_and_bits_of_it_are_known(sampled: list[Relation]) -> None:
    joins = [node for query in sampled for node in walk(query) if isinstance(node, Lateral)]
    assert [join for join in joins if not free_ctes(join) and most_rows(join) > MAX_JOINED_ROWS] == []
    assert all(len(field_bits(query)) == len(query.fields) for query in sampled)


def test_a_fifth_of_all_queries_has_a_subquery() -> None:
    having = sum(any(isinstance(node, Subquery) for node in walk(query)) for query in drawn(queries(SCHEMA), count=600))
    assert 600 * 0.15 < having < 600 * 0.3


def test_duckdb_runs_what_is_drawn() -> None:
    """Its own internal errors aside, and what may raise."""
    quiet = [case for case in drawn(cases(), count=300) if next(raising_nodes(case.query), None) is None]
    nested = [case for case in quiet if any(isinstance(node, NESTED) for node in walk(case.query))]
    with DuckdbEngine() as engine:
        ends = [engine.run(case.query, case.database) for case in nested]
    assert [end for end in ends if isinstance(end, Raised) and end.kind != "internal"] == []
    assert sum(isinstance(end, Rows) for end in ends) > 0.9 * len(ends)


def _values_of(node: Node) -> list[Aggregate]:
    """The aggregates of the values of whole relations that the items of ``node`` are."""
    values = [item.value for item in node.items] if isinstance(node, Project) else []
    return [
        value.query
        for value in values
        if isinstance(value, ScalarSubquery) and isinstance(value.query, Aggregate) and not value.outer
    ]


def _reads_same_rows_twice(node: Node) -> bool:
    found = _values_of(node)
    return any(one != other and one.child == other.child for one, other in combinations(found, 2))


def _reads_some_rows_beside_all(node: Node) -> bool:
    inputs = [value.child for value in _values_of(node)]
    return any(isinstance(one, Filter) and one.child in inputs for one in inputs)


REACHED: dict[str, Callable[[Node], bool]] = {
    "an IN of a row": lambda node: isinstance(node, InSubquery) and len(node.operands) == 2,
    "NOT over IN": lambda node: isinstance(node, Not) and isinstance(node.operand, InSubquery),
    "a subquery below a correlated one": lambda node: (
        isinstance(node, Subquery) and bool(node.outer) and sum(isinstance(n, Subquery) for n in walk(node)) > 1
    ),
    "a scalar subquery in an expression": lambda node: (
        not isinstance(node, Compare) and any(isinstance(part, ScalarSubquery) for part in vars_of(node))
    ),
    "the aggregate of one group": lambda node: (
        isinstance(node, ScalarSubquery) and isinstance(node.query, Project) and _has_keys(node.query.child)
    ),
    "a CTE joined with itself": lambda node: (
        isinstance(node, Join) and isinstance(node.left, CteScan) and isinstance(node.right, Alias)
    ),
    "a CTE on both sides of a set operator": lambda node: (
        isinstance(node, SetOp) and all(any(isinstance(n, CteScan) for n in walk(s)) for s in (node.left, node.right))
    ),
    "a CTE read by a subquery": lambda node: (
        isinstance(node, Subquery) and any(isinstance(part, CteScan) for part in walk(node))
    ),
    "LATERAL of a computed column": lambda node: (
        isinstance(node, Lateral) and isinstance(node.right, Alias) and isinstance(node.right.child, Project)
    ),
    "IN the least or greatest value": lambda node: (
        isinstance(node, InSubquery) and isinstance(node.query, Aggregate) and not node.query.keys
    ),
    "IN the greatest value of correlated rows": lambda node: (
        isinstance(node, InSubquery) and bool(node.outer) and isinstance(node.query, Aggregate)
    ),
    "IN the values of groups": lambda node: isinstance(node, InSubquery) and _has_keys(node.query),
    "IN the first values": lambda node: isinstance(node, InSubquery) and isinstance(node.query, Limit),
    "IN the values of two relations": lambda node: isinstance(node, InSubquery) and isinstance(node.query, SetOp),
    "EXISTS over the count of correlated rows": lambda node: (
        isinstance(node, Exists) and bool(node.outer) and isinstance(node.query, Aggregate) and not node.query.keys
    ),
    "an aggregate of the one row of a correlated one": lambda node: (
        isinstance(node, ScalarSubquery)
        and bool(node.outer)
        and _has_no_keys(node.query)
        and _has_no_keys(node.query.child)
    ),
    "a subquery in the select list over groups": lambda node: (
        isinstance(node, Project)
        and any(isinstance(item.value, Subquery) for item in node.items)
        and _has_keys(node.child.child if isinstance(node.child, Alias) else node.child)
    ),
    "IN in the select list over a total": lambda node: (
        isinstance(node, Project)
        and any(isinstance(item.value, InSubquery) for item in node.items)
        and _has_no_keys(node.child.child if isinstance(node.child, Alias) else node.child)
    ),
    "two values of the same rows": _reads_same_rows_twice,
    "values of all rows and of some": _reads_some_rows_beside_all,
}


def _has_keys(node: Node) -> bool:
    return isinstance(node, Aggregate) and bool(node.keys)


def _has_no_keys(node: Node) -> TypeGuard[Aggregate]:
    return isinstance(node, Aggregate) and not node.keys


def vars_of(node: Node) -> list[Node]:
    """The operands of ``node``, for what is built of tuples."""
    operands = getattr(node, "operands", ())
    return list(operands) if isinstance(operands, tuple) else []


@pytest.mark.one_in(4)
@pytest.mark.parametrize("holds", REACHED.values(), ids=REACHED)
def test_is_reached(holds: Callable[[Node], bool]) -> None:
    assert QUERIES.find_any(lambda query: any(map(holds, walk(query))), within=5_000)


_LEAST: dict[type[Node], int] = {Exists: 1, InSubquery: 2, ScalarSubquery: 2, With: 1, Lateral: 1}


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("kind", "least"), _LEAST.items(), ids=[kind.__name__ for kind in _LEAST])
def test_shrinks_to_a_scan_with_it(kind: type[Node], least: int) -> None:
    def has_one(query: Relation) -> bool:
        return any(isinstance(node, kind) for node in walk(query))

    assert least_of(queries(SCHEMA), has_one, operators, enough=least + 1) <= least + 1


def test_deduplicate_gives_way_where_only_sql_can_say_the_rest() -> None:
    unique = Deduplicate(T0, ("a", "d"))
    assert for_sql(unique) == unique
    changed = for_sql(Filter(unique, Exists(T0)))
    assert not any(isinstance(node, Deduplicate) for node in walk(changed))
    assert SparkCompiler().supports(changed)


@pytest.mark.parametrize("name", [name for name, query in RELATIONS.items() if isinstance(query, With)])
def test_inlining_reads_no_cte(name: str) -> None:
    query = RELATIONS[name]
    assert isinstance(query, With)
    plain = inlined(query)
    assert query.name not in free_ctes(plain)
    assert [field.type for field in plain.fields] == [field.type for field in query.fields]
