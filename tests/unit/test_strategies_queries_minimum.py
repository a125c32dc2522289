"""Queries shrink to the operator that must stay, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strategies.draw.joins import join_conditions
from strategies.draw.queries import queries
from strategies.ir import (
    INT,
    STRING,
    Aggregate,
    Alias,
    AnyLimit,
    Col,
    Column,
    Compare,
    Database,
    Deduplicate,
    Distinct,
    Filter,
    Generate,
    Join,
    Limit,
    Project,
    Relation,
    Scan,
    SetOp,
    Table,
    operators,
)
from tests.unit.strategy_asserts import least_of, minimal

AB = (Column("a", INT), Column("b", STRING))
SCHEMA = Database((Table("t0", AB), Table("t1", AB)))
T0, T1 = Scan("t0", AB), Scan("t1", AB)


def test_queries_shrink_to_a_scan() -> None:
    assert minimal(queries(SCHEMA)) == T0


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("kind", "least"),
    [
        (Filter, 1),
        (Project, 1),
        (Join, 1),
        (Aggregate, 1),
        (SetOp, 1),
        (Distinct, 1),
        (Deduplicate, 1),
        (Limit, 1),
        (AnyLimit, 1),
        (Alias, 0),
        (Generate, 1),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_query_with_an_operator_shrinks_to_it_alone(kind: type[Relation], least: int) -> None:
    assert _fewest_operators(lambda query: isinstance(query, kind), least) == least


def test_a_chain_of_set_operators_shrinks_to_scans() -> None:
    assert _fewest_operators(lambda query: isinstance(query, SetOp) and isinstance(query.left, SetOp), 3) <= 3


def _fewest_operators(holds: Callable[[Relation], bool], enough: int) -> int:
    return least_of(queries(SCHEMA), holds, operators, enough=enough)


def test_join_conditions_shrink_to_an_equality() -> None:
    assert minimal(join_conditions(T0, T1)) == Compare("=", Col("a", INT, "t0"), Col("a", INT, "t1"))
