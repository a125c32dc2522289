"""The kinds of nodes that the algebra has."""

from __future__ import annotations

import strategies.ir
from strategies.ir import Expr, Node, Relation, Statement, Subquery, Typed

_ABSTRACT = (Node, Expr, Relation, Statement, Subquery, Typed)
NODES = sorted(
    (
        kind
        for kind in vars(strategies.ir).values()
        if isinstance(kind, type) and issubclass(kind, Node) and kind not in _ABSTRACT
    ),
    key=lambda kind: kind.__name__,
)
"""Every kind of node that a query is made of."""
