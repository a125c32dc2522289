"""Patterns of known divergences about 0.0 and -0.0, which are equal but not identical, and about NaN.

Doubles are values of DOUBLE and of FLOAT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeGuard

from strategies.ir import (
    FLOATING,
    PARQUET,
    WHOLE,
    Agg,
    AggFunction,
    Array,
    Between,
    Call,
    Case,
    Cast,
    Col,
    Compare,
    Expr,
    Filter,
    InList,
    Item,
    Join,
    Lateral,
    Lit,
    Node,
    SqlType,
    Struct,
    TryCast,
    Value,
    children,
    type_text,
    walk,
)


def equal_doubles_told_apart(case: Case) -> bool:
    """An equality of two columns of doubles, both zeros in the tables, and an expression that tells the zeros apart."""
    return (
        any(
            isinstance(node, Compare)
            and node.op in ("=", "<=>")
            and all(isinstance(side, Col) and side.type in FLOATING for side in (node.left, node.right))
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
    """A zero in any table, and a condition on a double that compares with the zero of the other sign."""
    return _has_the_other(case, _compared(walk(case.query)))


def pushed_zero_of_the_other_sign(case: Case) -> bool:
    """The same in a filter, a HAVING or a join's condition, or below one: elsewhere no file is asked for a zero.

    The zero may be a column of its own below, whose place FoldablePropagation gives to the constant.
    """
    parts = [
        part
        for node in walk(case.query)
        if isinstance(node, (Filter, Join, Lateral)) or getattr(node, "having", None) is not None
        for part in walk(node)
    ]
    own = [item for item in parts if isinstance(item, Item)] if any(map(_compares_doubles, parts)) else []
    return _has_the_other(case, _compared(parts) | {sign(item.value.value) for item in own if _is_zero(item.value)})


def _has_the_other(case: Case, signs: set[int]) -> bool:
    return any(-one in signs for one in _zeros(case))


def _compared(nodes: Iterable[Node]) -> set[int]:
    """The signs of the zeros that doubles are compared with."""
    return {sign(node.value) for each in nodes if _compares_doubles(each) for node in walk(each) if _is_zero(node)}


def _compares_doubles(node: Node) -> TypeGuard[Compare | InList | Between]:
    return isinstance(node, (Compare, InList, Between)) and any(
        isinstance(child, Expr) and child.type in FLOATING for child in children(node)
    )


def _is_zero(node: Node) -> TypeGuard[Lit]:
    return isinstance(node, Lit) and is_zero(node)


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
            if column.type in FLOATING
            for row in table.rows
        )
        and any(
            isinstance(node, (Between, Compare, InList)) and any(map(is_nan, children(node)))
            for node in walk(case.query)
        )
    )


def set_function_of_doubles(case: Case) -> bool:
    """A function that takes two arrays of doubles as sets."""
    return any(
        isinstance(node, Call)
        and node.function in ("array_union", "array_except", "array_intersect", "arrays_overlap")
        and node.arguments[0].type in _ARRAYS
        for node in walk(case.query)
    )


def collect_set_of_doubles(case: Case) -> bool:
    """A collect_set of doubles."""
    return _aggregates_doubles(case, "collect_set")


def percentile_of_doubles(case: Case) -> bool:
    """A percentile of doubles."""
    return _aggregates_doubles(case, "percentile")


def mode_of_doubles(case: Case) -> bool:
    """The most frequent of doubles."""
    return _aggregates_doubles(case, "mode")


def _aggregates_doubles(case: Case, function: AggFunction) -> bool:
    return any(
        isinstance(node, Agg)
        and node.function == function
        and node.operand is not None
        and node.operand.type in FLOATING
        for node in walk(case.query)
    )


def _zeros(case: Case) -> Iterator[int]:
    """The signs of the zeros in columns of doubles, and in such fields of columns."""
    for table in case.database.tables:
        for place, column in enumerate(table.columns):
            for row in table.rows:
                yield from _zeros_in(column.type, row[place])


def _zeros_in(kind: SqlType, value: Value) -> Iterator[int]:
    if kind in FLOATING and value in _ZEROS:
        yield sign(value)
    elif isinstance(kind, Struct) and isinstance(value, tuple):
        for (_, field), part in zip(kind.fields, value, strict=True):
            yield from _zeros_in(field, part)


def _tells_zeros_apart(case: Case) -> bool:
    """A text made from a double; all other expressions of the query algebra treat both zeros alike."""
    return any(
        isinstance(node, (Call, Cast, TryCast))
        and "STRING" in type_text(node.type)
        and any(isinstance(child, Expr) and is_floating(child.type) for child in children(node))
        for node in walk(case.query)
    )


_ZEROS = ((0.0).hex(), (-0.0).hex())
_ARRAYS = tuple(map(Array, FLOATING))


def is_floating(kind: SqlType) -> bool:
    """Whether ``kind`` is DOUBLE or FLOAT, or made of one of them."""
    return any(type_text(each) in type_text(kind) for each in FLOATING)


def is_nan(node: Node) -> bool:
    """Whether ``node`` is the constant NaN."""
    return isinstance(node, Lit) and node.type in FLOATING and node.value == "nan"


def is_zero(constant: Lit) -> bool:
    """Whether a constant is a zero that a double can be compared with: of an integer type, or a double."""
    return (constant.type in FLOATING and constant.value in _ZEROS) or (constant.type in WHOLE and constant.value == 0)


def sign(zero: Value) -> int:
    """-1 for -0.0, 1 for any other zero."""
    return -1 if str(zero).startswith("-") else 1


ZEROS: Mapping[str, Callable[[Case], bool]] = {
    "equal_doubles_told_apart": equal_doubles_told_apart,
    "parquet_zero_of_the_other_sign": parquet_zero_of_the_other_sign,
    "orc_zero_of_the_other_sign": orc_zero_of_the_other_sign,
    "file_zero_of_the_other_sign": file_zero_of_the_other_sign,
    "zero_of_the_other_sign_told_apart": zero_of_the_other_sign_told_apart,
    "cached_comparison_with_nan": cached_comparison_with_nan,
    "set_function_of_doubles": set_function_of_doubles,
    "collect_set_of_doubles": collect_set_of_doubles,
    "percentile_of_doubles": percentile_of_doubles,
    "mode_of_doubles": mode_of_doubles,
}
"""The patterns by their names."""
