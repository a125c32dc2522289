"""Patterns of known divergences in windows, grouping sets and pivots."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from strategies.ir import (
    BINARY,
    FLOATING,
    Agg,
    Case,
    Col,
    Deduplicate,
    Filter,
    Frame,
    GroupingSets,
    MakeArray,
    Outer,
    Over,
    Peek,
    Pivot,
    Ranking,
    SetOp,
    Window,
    is_plain,
    walk,
)


def share_of_a_partition_beside_a_rank(case: Case) -> bool:
    """A window with a function that needs the size of its partition, beside row_number(), rank() or dense_rank()."""
    windows = (node for node in walk(case.query) if isinstance(node, Window))
    return any(
        not names.isdisjoint(_OF_A_SIZE) and not names.isdisjoint(_LIMITING)
        for names in ({ranking.function for ranking in walk(node) if isinstance(ranking, Ranking)} for node in windows)
    )


_OF_A_SIZE = {"ntile", "percent_rank", "cume_dist"}
_LIMITING = {"row_number", "rank", "dense_rank"}
"""The functions of which InferWindowGroupLimit makes a limit of each partition."""


def window_aggregate_with_a_filter(case: Case) -> bool:
    """An aggregate with FILTER in a window; the filter's condition may become FALSE."""
    return any(
        isinstance(node, Over) and isinstance(node.function, Agg) and node.function.where is not None
        for node in walk(case.query)
    )


def rows_before_the_current_one(case: Case) -> bool:
    """A frame of rows that begins or ends at a number of rows before the current one."""
    return any(
        isinstance(node, Frame)
        and node.unit == "rows"
        and any(end is not None and end < 0 for end in (node.low, node.high))
        for node in walk(case.query)
    )


def outer_column_in_qualify(case: Case) -> bool:
    """A filter of a window's rows that reads an outer column, where the text says QUALIFY."""
    return case.settings.clauses == "merged" and any(
        isinstance(node, Filter)
        and isinstance(node.child, Window)
        and any(isinstance(part, Outer) for part in walk(node.condition))
        for node in walk(case.query)
    )


def nested_default_of_lag_or_lead(case: Case) -> bool:
    """lag() or lead() of arrays or structs, with a default."""
    return any(
        isinstance(node, Peek) and node.default is not None and not is_plain(node.operand.type)
        for node in walk(case.query)
    )


def pivot_for_nan(case: Case) -> bool:
    """A pivot with NaN among its values."""
    return any(
        isinstance(node, Pivot) and any(value.literal.value == "nan" for value in node.values)
        for node in walk(case.query)
    )


def pivot_for_binary(case: Case) -> bool:
    """A pivot of a column of BINARY."""
    return any(isinstance(node, Pivot) and node.column.type == BINARY for node in walk(case.query))


def pivot_for_null_of_many_parts(case: Case) -> bool:
    """A pivot of a column of BINARY, an array or a struct, with NULL among its values."""
    return any(
        isinstance(node, Pivot)
        and (node.column.type == BINARY or not is_plain(node.column.type))
        and any(value.literal.value is None for value in node.values)
        for node in walk(case.query)
    )


def pivot_for_nested(case: Case) -> bool:
    """A pivot of a column of arrays or structs."""
    return any(isinstance(node, Pivot) and not is_plain(node.column.type) for node in walk(case.query))


def deduplicate_below_a_union(case: Case) -> bool:
    """A UNION over ``dropDuplicates`` by some of its columns, an array or a struct being among the others."""
    return any(
        isinstance(below, Deduplicate)
        and any(not is_plain(field.type) for field in below.fields if field.name not in below.keys)
        for node in walk(case.query)
        if isinstance(node, SetOp) and node.kind == "union"
        for below in walk(node)
    )


def array_of_a_deduplicated_column(case: Case) -> bool:
    """An array made above ``dropDuplicates`` of one of its columns that is no key."""
    arrays = [node for node in walk(case.query) if isinstance(node, MakeArray)]
    return any(
        _reads_others(array, below)
        for below in walk(case.query)
        if isinstance(below, Deduplicate)
        for array in arrays
        if all(array is not node for node in walk(below))
    )


def _reads_others(array: MakeArray, below: Deduplicate) -> bool:
    others = {field.name.casefold() for field in below.fields if field.name not in below.keys}
    return any(isinstance(part, Col) and part.name.casefold() in others for part in walk(array))


def grand_total(case: Case) -> bool:
    """Grouping sets with the empty set among them."""
    return any(isinstance(node, GroupingSets) and () in node.grouped_by for node in walk(case.query))


def range_before_a_double(case: Case) -> bool:
    """RANGE BETWEEN UNBOUNDED PRECEDING AND n PRECEDING by a double, NULLS LAST: NaN or an infinity may come first."""
    return any(
        isinstance(node, Window)
        and len(node.order) == 1
        and node.order[0].value.type in FLOATING
        and not node.order[0].nulls_first
        and any(_ends_before(over.frame) for over in node.columns)
        for node in walk(case.query)
    )


def _ends_before(frame: Frame | None) -> bool:
    return frame is not None and (frame.unit, frame.low) == ("range", None) and (frame.high or 0) < 0


def windows_in_replicating_operators(case: Case) -> bool:
    """INTERSECT ALL or EXCEPT ALL over a window, more than once: a case in three parts has each of them three times."""
    found = [
        node
        for node in walk(case.query)
        if isinstance(node, SetOp)
        and node.kind != "union"
        and node.all
        and any(isinstance(n, Window) for n in walk(node))
    ]
    return len(found) * (1 if case.partition is None else 3) > 1


def exchanged_windows_in_replicating_operators(case: Case) -> bool:
    """The same, exchanged to more than one partition: in one partition rows of equal keys are together anyway."""
    return case.settings.partitions > 1 and windows_in_replicating_operators(case)


WINDOWS: Mapping[str, Callable[[Case], bool]] = {
    "array_of_a_deduplicated_column": array_of_a_deduplicated_column,
    "deduplicate_below_a_union": deduplicate_below_a_union,
    "exchanged_windows_in_replicating_operators": exchanged_windows_in_replicating_operators,
    "grand_total": grand_total,
    "nested_default_of_lag_or_lead": nested_default_of_lag_or_lead,
    "outer_column_in_qualify": outer_column_in_qualify,
    "pivot_for_binary": pivot_for_binary,
    "pivot_for_nan": pivot_for_nan,
    "pivot_for_nested": pivot_for_nested,
    "pivot_for_null_of_many_parts": pivot_for_null_of_many_parts,
    "range_before_a_double": range_before_a_double,
    "rows_before_the_current_one": rows_before_the_current_one,
    "share_of_a_partition_beside_a_rank": share_of_a_partition_beside_a_rank,
    "window_aggregate_with_a_filter": window_aggregate_with_a_filter,
    "windows_in_replicating_operators": windows_in_replicating_operators,
}
"""The patterns about windows, grouping sets and pivots, by their names."""
