"""Patterns of known divergences about the zeros of two signs, which are equal and not the same, and about NaN."""

from __future__ import annotations

from collections.abc import Iterator

from strategies.ir import (
    DOUBLE,
    INTEGERS,
    Between,
    Call,
    Case,
    Cast,
    Col,
    Compare,
    Expr,
    InList,
    Lit,
    TryCast,
    Value,
    children,
    type_text,
    walk,
)


def equal_doubles_told_apart(case: Case) -> bool:
    """Two columns of DOUBLE that are equal, as a join or a filter says, both zeros, and what tells these apart."""
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
    """A zero in a file of Parquet, and a condition that compares with the zero of the other sign."""
    return case.settings.source == "parquet" and zero_of_the_other_sign(case)


def orc_zero_of_the_other_sign(case: Case) -> bool:
    """The same in a file of ORC."""
    return case.settings.source == "orc" and zero_of_the_other_sign(case)


def file_zero_of_the_other_sign(case: Case) -> bool:
    """The same in either."""
    return parquet_zero_of_the_other_sign(case) or orc_zero_of_the_other_sign(case)


def zero_of_the_other_sign(case: Case) -> bool:
    """A zero in any table, and a condition of a DOUBLE that compares it with the zero of the other sign."""
    compared = {
        sign(node.value)
        for condition in walk(case.query)
        if isinstance(condition, (Compare, InList, Between))
        and any(isinstance(child, Expr) and child.type == DOUBLE for child in children(condition))
        for node in walk(condition)
        if isinstance(node, Lit) and is_zero(node)
    }
    return any(-one in compared for one in _zeros(case))


def zero_of_the_other_sign_told_apart(case: Case) -> bool:
    """The same, and what tells the zeros apart."""
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
    """A text made of a DOUBLE: to whatever else there is here both zeros are one."""
    return any(
        isinstance(node, (Call, Cast, TryCast))
        and "STRING" in type_text(node.type)
        and any(isinstance(child, Expr) and "DOUBLE" in type_text(child.type) for child in children(node))
        for node in walk(case.query)
    )


_ZEROS = ((0.0).hex(), (-0.0).hex())


def is_zero(constant: Lit) -> bool:
    """Whether a constant is a zero that a DOUBLE can be compared with: an integer's, or one of its own."""
    return (constant.type == DOUBLE and constant.value in _ZEROS) or (constant.type in INTEGERS and constant.value == 0)


def sign(zero: Value) -> int:
    """-1 for -0.0, 1 for any other zero."""
    return -1 if str(zero).startswith("-") else 1
