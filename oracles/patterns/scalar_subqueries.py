"""Patterns of cases with scalar subqueries, and with what Spark makes one, that a known divergence may excuse."""

from __future__ import annotations

from strategies.ir import Case, Exists, InSubquery, Join, Lateral, Merge, Node, ScalarSubquery, SetOp, walk


def scalar_subquery(case: Case) -> bool:
    """A scalar subquery, which may become a part of any join's condition, or an uncorrelated EXISTS, of which Spark
    makes one.
    """
    return any(
        isinstance(node, ScalarSubquery) or (isinstance(node, Exists) and not node.outer) for node in walk(case.query)
    )


def scalar_subquery_and_a_join(case: Case) -> bool:
    """A scalar subquery, or an uncorrelated EXISTS, of which Spark makes one, and a join that may take it into its
    condition, or an operator that becomes a join.
    """
    return scalar_subquery(case) and any(map(_becomes_a_join, walk(case.query)))


def _becomes_a_join(node: Node) -> bool:
    if isinstance(node, (Exists, ScalarSubquery)):
        return bool(node.outer)
    if isinstance(node, SetOp):
        return node.kind != "union"
    return isinstance(node, (InSubquery, Join, Lateral, Merge))
