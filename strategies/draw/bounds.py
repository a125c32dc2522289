"""Upper bounds for the number of a query's rows, which keep checks cheap, and sums exact."""

from __future__ import annotations

from strategies.draw.tables import MAX_ROWS
from strategies.draw.values import MAX_ELEMENTS
from strategies.ir import (
    Aggregate,
    AnyLimit,
    Generate,
    GroupingSets,
    Join,
    Limit,
    OneRow,
    Pivot,
    Recursive,
    Relation,
    Scan,
    SetOp,
    Unpivot,
    Values,
    With,
    children,
    inlined,
)

MAX_JOINED_ROWS = 2000
"""The most rows of an operator that makes several rows of one: a join, or a grouping by several sets."""


def most_rows(relation: Relation) -> int:
    """The most rows that ``relation`` can have over any database of strategies.draw.tables."""
    match relation:
        case Scan():
            return MAX_ROWS
        case Values(rows=rows):
            return len(rows)
        case Join(left=left, right=right, kind=kind):
            one, two = most_rows(left), most_rows(right)
            return one if kind in ("semi", "anti") else max(one * two, one + two)
        case SetOp(left=left, right=right, kind=kind):
            return most_rows(left) + (most_rows(right) if kind == "union" else 0)
        case OneRow() | Aggregate(keys=()) | Pivot(keys=()):
            return 1
        case Generate(child=child):
            return most_rows(child) * MAX_ELEMENTS
        case Unpivot(child=child, columns=columns):
            return most_rows(child) * len(columns)
        case GroupingSets(child=child):
            return most_rows(child) * len(relation.grouped_by)
        case Limit(count=count) | AnyLimit(count=count):
            return count
        case Recursive(child=child, steps=steps):
            return most_rows(child) * (steps + 1)
        case With():
            return most_rows(inlined(relation))
    return sum(most_rows(child) for child in children(relation) if isinstance(child, Relation))
