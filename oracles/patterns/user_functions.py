"""Patterns of cases with functions in Python that a known divergence may excuse."""

from __future__ import annotations

from typing import TypeGuard

from strategies.ir import Case, Join, Lateral, Node, Subquery, UserCall, columns_of, walk


def python_of_a_constant_in_a_join(case: Case) -> bool:
    """A function in Python of several operands, one of which has a function in Python without columns, in a query with
    a join or with a subquery, which may become one.
    """
    nodes = list(walk(case.query))
    return any(isinstance(node, (Join, Lateral, Subquery)) for node in nodes) and any(map(_has_such_operand, nodes))


def _has_such_operand(node: Node) -> bool:
    if not _in_python(node) or len(node.operands) < 2:
        return False
    inner = (part for operand in node.operands for part in walk(operand))
    return any(_in_python(part) and not columns_of(part) for part in inner) and bool(columns_of(node))


def _in_python(node: Node) -> TypeGuard[UserCall]:
    return isinstance(node, UserCall) and node.is_python
