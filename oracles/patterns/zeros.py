"""Patterns of known divergences about 0.0 and -0.0, which are equal but not identical, and about NaN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from strategies.ir import (
    DOUBLE,
    INTEGERS,
    PARQUET,
    Between,
    Call,
    Case,
    Cast,
    Col,
    Compare,
    Expr,
    Filter,
    InList,
    Join,
    Lateral,
    Lit,
    Node,
    TryCast,
    Value,
    children,
    type_text,
    walk,
)


def equal_doubles_told_apart(case: Case) -> bool:
    """An equality of two DOUBLE columns, both zeros in the tables, and an expression that tells the zeros apart."""
    return (
        any(
            isinstance(node, Compare)
            and node.op in ("=", "<=>")
            and all(isinstance(side, Col) and side.type == DOUBLE for side in (node.left, node.right))
            for node in walk(case.query)
        )
        and {-1, 1} <= set(_zeros(case))
        and _tells_zeros_apart(case)
    )


def parquet_zero_of_the_other_sign(case: Case) -> bool:
    """A zero in a Parquet file, and a condition that compares with the zero of the other sign."""
    return case.settings.source in PARQUET and pushed_zero_of_the_other_sign(case)


def orc_zero_of_the_other_sign(case: Case) -> bool:
    """A zero in an ORC file, and a condition that compares with the zero of the other sign."""
    return case.settings.source == "orc" and pushed_zero_of_the_other_sign(case)


def file_zero_of_the_other_sign(case: Case) -> bool:
    """A zero in a Parquet or ORC file, and a condition that compares with the zero of the other sign."""
    return parquet_zero_of_the_other_sign(case) or orc_zero_of_the_other_sign(case)


def zero_of_the_other_sign(case: Case) -> bool:
    """A zero in any table, and a condition on a DOUBLE that compares with the zero of the other sign."""
    return _is_compared_with_the_other(case, walk(case.query))


def pushed_zero_of_the_other_sign(case: Case) -> bool:
    """The same in a filter, a HAVING or a join's condition, or below one: elsewhere no file is asked for a zero."""
    return _is_compared_with_the_other(
        case,
        (
            part
            for node in walk(case.query)
            if isinstance(node, (Filter, Join, Lateral)) or getattr(node, "having", None) is not None
            for part in walk(node)
        ),
    )


def _is_compared_with_the_other(case: Case, nodes: Iterable[Node]) -> bool:
    compared = {
        sign(node.value)
        for condition in nodes
        if isinstance(condition, (Compare, InList, Between))
        and any(isinstance(child, Expr) and child.type == DOUBLE for child in children(condition))
        for node in walk(condition)
        if isinstance(node, Lit) and is_zero(node)
    }
    return any(-one in compared for one in _zeros(case))


def zero_of_the_other_sign_told_apart(case: Case) -> bool:
    """A zero in any table, a condition with the zero of the other sign, and an expression that tells them apart."""
    return zero_of_the_other_sign(case) and _tells_zeros_apart(case)


def cached_comparison_with_nan(case: Case) -> bool:
    """A comparison with a literal NaN over cached tables, of which one holds NaN."""
    return (
        case.settings.source == "cached"
        and any(
            row[place] == "nan"
            for table in case.database.tables
            for place, column in enumerate(table.columns)
            if column.type == DOUBLE
            for row in table.rows
        )
        and any(
            isinstance(node, (Between, Compare, InList)) and Lit(DOUBLE, "nan") in children(node)
            for node in walk(case.query)
        )
    )


def _zeros(case: Case) -> Iterator[int]:
    """The signs of the zeros in columns of DOUBLE."""
    for table in case.database.tables:
        for place, column in enumerate(table.columns):
            if column.type == DOUBLE:
                yield from (sign(row[place]) for row in table.rows if row[place] in _ZEROS)


def _tells_zeros_apart(case: Case) -> bool:
    """A text made from a DOUBLE; all other expressions of the query algebra treat both zeros alike."""
    return any(
        isinstance(node, (Call, Cast, TryCast))
        and "STRING" in type_text(node.type)
        and any(isinstance(child, Expr) and "DOUBLE" in type_text(child.type) for child in children(node))
        for node in walk(case.query)
    )


_ZEROS = ((0.0).hex(), (-0.0).hex())


def is_zero(constant: Lit) -> bool:
    """Whether a constant is a zero that a DOUBLE can be compared with: of an integer type, or of DOUBLE."""
    return (constant.type == DOUBLE and constant.value in _ZEROS) or (constant.type in INTEGERS and constant.value == 0)


def sign(zero: Value) -> int:
    """-1 for -0.0, 1 for any other zero."""
    return -1 if str(zero).startswith("-") else 1
