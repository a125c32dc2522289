"""Every kind of subquery is drawn in every place, and every way to use a CTE and LATERAL, within 5,000 queries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from strategies.ir import (
    LATERAL_KINDS,
    Aggregate,
    CteScan,
    Exists,
    Filter,
    InSubquery,
    Join,
    Lateral,
    Node,
    Project,
    Relation,
    ScalarSubquery,
    With,
    subqueries_of,
    walk,
)
from tests.unit.campaign_queries import lacking

pytestmark = pytest.mark.slow  # 5,000 draws take a minute or two

_PLACES = ("WHERE", "ON", "HAVING", "SELECT")
_KINDS = ("Exists", "InSubquery", "ScalarSubquery")
_IMPOSSIBLE = {("ON", "ScalarSubquery", "correlated")}

WANTED = {
    *(set(product(_PLACES, _KINDS, ("correlated", "plain"))) - _IMPOSSIBLE),
    *product(_PLACES, ("Exists", "InSubquery"), ("negated",)),
    ("InSubquery", "of two columns"),
    ("InSubquery", "inside a subquery"),
    *(("With", times) for times in ("read never", "read once", "read twice")),
    *(("Lateral", kind) for kind in LATERAL_KINDS),
    ("Lateral", "correlated"),
}


def test_nothing_is_drawn_too_seldom() -> None:
    assert lacking(lambda queries: WANTED - {label for query in queries for label in labels(query)}) == set()


def labels(query: Relation) -> Iterator[tuple[str, ...]]:
    """The parts of ``WANTED`` that ``query`` has."""
    for node in walk(query):
        for place, expression in expressions(node):
            for subquery in subqueries_of(expression):
                kind = type(subquery).__name__
                yield place, kind, "correlated" if subquery.outer else "plain"
                if isinstance(subquery, (Exists, InSubquery)) and subquery.negated:
                    yield place, kind, "negated"
                if isinstance(subquery, InSubquery) and len(subquery.operands) > 1:
                    yield kind, "of two columns"
        if isinstance(node, (Exists, InSubquery, ScalarSubquery)):
            inside = [part for part in walk(node.query) if isinstance(part, InSubquery)]
            yield from (("InSubquery", "inside a subquery") for _ in inside)
        if isinstance(node, With):
            reads = sum(isinstance(part, CteScan) and part.name == node.name for part in walk(node.body))
            yield "With", ("read never", "read once", "read twice")[min(reads, 2)]
        if isinstance(node, Lateral):
            yield "Lateral", node.kind
            yield (
                "Lateral",
                "correlated" if any(type(part).__name__ == "Outer" for part in walk(node.right)) else "plain",
            )


def expressions(node: Node) -> Iterator[tuple[str, Node]]:
    """The expressions of ``node`` itself, each with its place in SQL."""
    if isinstance(node, Filter):
        yield "WHERE", node.condition
    if isinstance(node, Join) and node.on is not None:
        yield "ON", node.on
    if isinstance(node, Aggregate) and node.having is not None:
        yield "HAVING", node.having
    if isinstance(node, Project):
        yield from (("SELECT", item) for item in node.items)
