"""Forms of queries: SQL has nodes that DataFrames lack, and they have one that SQL lacks."""

from __future__ import annotations

from strategies.ir import Deduplicate, Distinct, Lateral, Recursive, Relation, Subquery, With, transform, walk


def for_sql(query: Relation) -> Relation:
    """``query``, with DISTINCT in place of dropDuplicates if another node in it exists only in SQL."""
    nodes = list(walk(query))
    if not any(isinstance(node, Deduplicate) for node in nodes):
        return query
    if not any(isinstance(node, (Subquery, With, Lateral, Recursive)) for node in nodes):
        return query
    changed = transform(query, lambda node: Distinct(node.child) if isinstance(node, Deduplicate) else node)
    assert isinstance(changed, Relation)  # a relation replaces a relation
    return changed
