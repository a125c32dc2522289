"""The reducer goes into subqueries, WITH and LATERAL, and takes away what the failure doesn't need."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracles.reductions.reducer import reduce
from strategies import ir
from strategies.ir import (
    BOOLEAN,
    Case,
    CteScan,
    Database,
    Exists,
    Filter,
    InSubquery,
    Join,
    Lateral,
    Lit,
    Relation,
    ScalarSubquery,
    Scan,
    With,
    outers_of,
    scans,
    subqueries_of,
    walk,
)
from tests.unit.ir_samples import DATABASE, RELATIONS, T0

NESTED = {name: query for name, query in RELATIONS.items() if not isinstance(query, Scan)}
NESTED = {
    name: query
    for name, query in NESTED.items()
    if any(isinstance(node, (ir.Subquery, With, Lateral, ir.Recursive)) for node in walk(query))
}


def case_of(query: Relation) -> Case:
    used = {scan.table for scan in scans(query)}
    return Case(query, Database(tuple(table for table in DATABASE.tables if table.name in used)))


def reduced(query: Relation, fails: Callable[[Case], bool]) -> Case:
    case = case_of(query)
    assert fails(case)
    return reduce(case, fails, deadline_seconds=1e9).case


def has(*kinds: type) -> Callable[[Case], bool]:
    return lambda case: set(kinds) <= {type(node) for node in walk(case.query)}


@pytest.mark.parametrize("query", NESTED.values(), ids=NESTED)
def test_all_of_it_can_go(query: Relation) -> None:
    assert isinstance(reduced(query, lambda case: True).query, (Scan, ir.Values, ir.OneRow))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("where-or-in-subquery", InSubquery),
        ("where-not-in-correlated", InSubquery),
        ("select-exists-correlated", Exists),
        ("where-scalar-correlated", ScalarSubquery),
        ("on-exists", Exists),
        ("having-correlated", Exists),
    ],
)
def test_a_subquery_that_stays_is_small_and_not_correlated(name: str, kind: type[ir.Subquery]) -> None:
    case = reduced(RELATIONS[name], has(kind))
    (subquery,) = (found for node in walk(case.query) for found in [node] if isinstance(found, kind))
    assert not subquery.outer
    assert case.database.row_count == 0
    assert all(len(table.columns) == 1 for table in case.database.tables)


def test_a_correlation_that_is_needed_stays() -> None:
    case = reduced(RELATIONS["where-scalar-correlated"], lambda case: any(n.outer for n in nested(case)))
    assert len([part for node in nested(case) for part in outers_of(node.query)]) == 1  # type: ignore[attr-defined]


def nested(case: Case) -> list[ir.Subquery]:
    return [node for node in walk(case.query) if isinstance(node, ir.Subquery)]


def test_a_cte_that_is_needed_keeps_one_column() -> None:
    case = reduced(RELATIONS["with-twice"], has(With, CteScan))
    assert isinstance(case.query, With)
    assert isinstance(case.query.body, CteScan)
    assert len(case.query.fields) == len(case.query.definition.fields) == 1


def test_a_cte_is_inlined_where_what_reads_it_is_needed_alone() -> None:
    case = reduced(RELATIONS["with-twice"], has(ir.SetOp))
    assert not has(With)(case)


@pytest.mark.parametrize("name", [name for name in RELATIONS if name.startswith("lateral-")])
def test_a_lateral_join_that_is_needed_is_bare(name: str) -> None:
    case = reduced(RELATIONS[name], has(Lateral))
    assert isinstance(case.query, Lateral)
    assert not list(outers_of(case.query.right))
    assert case.database.row_count == 0


def test_a_lateral_join_becomes_a_plain_one() -> None:
    case = reduced(RELATIONS["lateral-inner"], lambda case: any(isinstance(node, Join) for node in walk(case.query)))
    assert not has(Lateral)(case)


def test_a_predicate_may_become_false() -> None:
    """Where TRUE would let all rows pass, and the failure needs none."""
    query = Filter(T0, Exists(T0))
    case = reduced(query, lambda case: isinstance(case.query, Filter) and case.query.condition != Lit(BOOLEAN, True))
    assert isinstance(case.query, Filter)
    assert not list(subqueries_of(case.query.condition))
