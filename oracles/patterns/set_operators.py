"""Patterns of cases with set operators that a known divergence may excuse."""

from __future__ import annotations

from strategies.ir import Case, Project, Recursive, Relation, SetOp, is_plain, scans, walk


def set_operator_all_over_a_column_twice(case: Case) -> bool:
    """An EXCEPT ALL or INTERSECT ALL with a projection below it that has the same item twice."""
    return any(
        len(set(node.items)) < len(node.items)
        for setop in walk(case.query)
        if isinstance(setop, SetOp) and setop.kind != "union" and setop.all
        for node in walk(setop)
        if isinstance(node, Project)
    )


def union_over_a_value_twice(case: Case) -> bool:
    """A UNION below another union, with a projection below it that has the same value twice."""
    return any(
        len({item.value for item in node.items}) < len(node.items)
        for around in walk(case.query)
        if isinstance(around, SetOp) and around.kind == "union"
        for union in (*walk(around.left), *walk(around.right))
        if isinstance(union, SetOp) and union.kind == "union" and not union.all
        for node in walk(union)
        if isinstance(node, Project)
    )


def recursion(case: Case) -> bool:
    """A recursive common table expression."""
    return any(isinstance(node, Recursive) for node in walk(case.query))


def comparison_of_recursions(case: Case) -> bool:
    """EXCEPT or INTERSECT with a recursion on each side, both of which read one table."""
    return any(
        one & two
        for node in walk(case.query)
        if isinstance(node, SetOp) and node.kind in ("except", "intersect")
        for one in _tables_of_recursions(node.left)
        for two in _tables_of_recursions(node.right)
    )


def _tables_of_recursions(side: Relation) -> list[set[str]]:
    return [{scan.table for scan in scans(part)} for part in walk(side) if isinstance(part, Recursive)]


def set_operator_all(case: Case) -> bool:
    """An EXCEPT ALL or INTERSECT ALL."""
    return any(isinstance(node, SetOp) and node.kind != "union" and node.all for node in walk(case.query))


def set_operator_all_of_nested_columns(case: Case) -> bool:
    """An EXCEPT ALL or INTERSECT ALL of rows with arrays or structs."""
    return any(
        isinstance(node, SetOp)
        and node.kind != "union"
        and node.all
        and not all(is_plain(field.type) for field in node.left.fields)
        for node in walk(case.query)
    )
