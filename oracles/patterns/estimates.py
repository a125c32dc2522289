"""Patterns of queries over analyzed tables, of which the cost-based optimizer estimates the rows."""

from __future__ import annotations

from oracles.patterns.zeros import is_nan
from strategies.ir import (
    FLOATING,
    TIMESTAMP_NTZ,
    Between,
    Case,
    Compare,
    Expr,
    Filter,
    Join,
    Lit,
    Value,
    columns_of,
    conjuncts,
    is_plain,
    walk,
)


def estimated_timestamp_ntz(case: Case) -> bool:
    """A TIMESTAMP_NTZ expression over tables whose statistics the cost-based optimizer uses."""
    return case.settings.statistics and any(
        isinstance(node, Expr) and node.type == TIMESTAMP_NTZ for node in walk(case.query)
    )


def estimated_array(case: Case) -> bool:
    """A comparison of arrays or structs over tables whose statistics the cost-based optimizer uses."""
    return case.settings.statistics and any(
        isinstance(node, Compare) and not is_plain(node.left.type) for node in walk(case.query)
    )


def estimated_null(case: Case) -> bool:
    """A literal NULL in a query over tables whose statistics the cost-based optimizer uses."""
    return case.settings.statistics and any(isinstance(node, Lit) and node.value is None for node in walk(case.query))


def estimated_nan(case: Case) -> bool:
    """A literal NaN in a query over tables whose statistics the cost-based optimizer uses."""
    return case.settings.statistics and any(map(is_nan, walk(case.query)))


def estimated_stored_nan(case: Case) -> bool:
    """A comparison over tables whose statistics the cost-based optimizer uses, and a NaN in one of the tables."""
    return _is_estimated_over(case, "nan")


def estimated_infinity(case: Case) -> bool:
    """A comparison over tables whose statistics the cost-based optimizer uses, and an infinity in one of the tables."""
    return _is_estimated_over(case, "inf", "-inf")


def _is_estimated_over(case: Case, *values: Value) -> bool:
    """A comparison over analyzed tables, of which one holds one of ``values`` in a column of doubles."""
    return (
        case.settings.statistics
        and any(isinstance(node, (Compare, Between)) for node in walk(case.query))
        and any(
            row[place] in values
            for table in case.database.tables
            for place, column in enumerate(table.columns)
            if column.type in FLOATING
            for row in table.rows
        )
    )


def three_joined_with_statistics(case: Case) -> bool:
    """Two inner joins or more over tables whose statistics the cost-based optimizer uses."""
    joins = [node for node in walk(case.query) if isinstance(node, Join) and node.kind in ("inner", "cross")]
    return case.settings.statistics and len(joins) > 1


def three_joined_with_statistics_and_a_condition_on_one(case: Case) -> bool:
    """The same, with a condition, in ON or of a filter, of which a part is about the columns of one table alone."""
    conditions = (
        node.on if isinstance(node, Join) else node.condition
        for node in walk(case.query)
        if isinstance(node, Filter) or (isinstance(node, Join) and node.on is not None)
    )
    return three_joined_with_statistics(case) and any(
        len({column.qualifier for column in columns_of(part)}) == 1
        for condition in conditions
        if condition is not None
        for part in conjuncts(condition)
    )
