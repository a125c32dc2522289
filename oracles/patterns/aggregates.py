"""Patterns of aggregates: predicates for known divergences and for known bugs of older releases."""

from __future__ import annotations

from strategies.ir import Agg, Aggregate, Case, Col, Exists, InSubquery, Outer, ScalarSubquery, walk


def distinct_aggregate_of_a_constant(case: Case) -> bool:
    """An aggregate with DISTINCT whose operand reads no column."""
    return any(
        node.distinct and node.operand is not None and not any(isinstance(part, (Col, Outer)) for part in walk(node))
        for node in walk(case.query)
        if isinstance(node, Agg)
    )


def correlated_aggregate_in_exists_or_in(case: Case) -> bool:
    """EXISTS or IN over an aggregate without keys, of rows that an outer column selects."""
    return _over_a_correlated_aggregate(case, (Exists, InSubquery), least=1)


def correlated_aggregate_of_an_aggregate(case: Case) -> bool:
    """A scalar subquery over an aggregate of an aggregate, both without keys, of rows that an outer column selects."""
    return _over_a_correlated_aggregate(case, (ScalarSubquery,), least=2)


def _over_a_correlated_aggregate(
    case: Case, kinds: tuple[type[Exists | InSubquery | ScalarSubquery], ...], *, least: int
) -> bool:
    """Whether a subquery of these kinds has so many aggregates without keys that an outer column stands below."""
    return any(
        isinstance(node, kinds)
        and sum(
            isinstance(part, Aggregate) and not part.keys and any(isinstance(each, Outer) for each in walk(part.child))
            for part in walk(node.query)
        )
        >= least
        for node in walk(case.query)
    )
