"""Upper bounds for the lengths of arrays, which keep the results of functions of their elements small."""

from __future__ import annotations

from collections.abc import Sequence

from strategies.draw.values import MAX_ELEMENTS
from strategies.ir import (
    Alias,
    Array,
    Call,
    CaseWhen,
    Coalesce,
    Col,
    Deduplicate,
    Distinct,
    Expr,
    Field,
    Filter,
    HigherOrder,
    Join,
    Limit,
    Lit,
    MakeArray,
    NullIf,
    Project,
    RandomColumn,
    Relation,
    Repartition,
    RowNumbers,
    Scan,
    Sort,
    Typed,
    resolve,
)

Lengths = tuple[int | None, ...]
"""The most elements of each field; None if it isn't an array, or isn't bounded."""

_KEEPING = {
    *("array_sort", "sort_array", "sort_array_desc", "array_distinct", "array_reverse", "array_compact"),
    *("array_except", "array_intersect"),
}


def most_elements(array: Expr, fields: Sequence[Field], lengths: Lengths) -> int | None:
    """The most elements that ``array`` can have over ``fields``; None if unknown."""

    def longest(parts: Sequence[Expr]) -> int | None:
        known = [most_elements(part, fields, lengths) for part in parts]
        return max((size for size in known if size is not None), default=0) if None not in known else None

    match array:
        case Lit(value=value):
            return len(value) if isinstance(value, tuple) else 0
        case Col():
            return next((size for field, size in zip(fields, lengths, strict=True) if resolve(array, [field])), None)
        case MakeArray(elements=elements):
            return len(elements)
        case CaseWhen(branches=branches, otherwise=otherwise):
            return longest([*(branch.result for branch in branches), *([otherwise] if otherwise else [])])
        case Coalesce(operands=operands):
            return longest(operands)
        case NullIf(left=left):
            return longest([left])
        case HigherOrder(operand=operand):
            return longest([operand])
        case Call(function="slice", arguments=(_, _, Lit(value=int(size)))):
            return size
        case Call(function=name, arguments=(operand, *_)) if name in _KEEPING:
            return longest([operand])
    return None


def field_lengths(relation: Relation) -> Lengths:
    """Lengths of the fields of ``relation`` over any database that strategies.draw.tables draws."""
    match relation:
        case Scan():
            return tuple(MAX_ELEMENTS if isinstance(field.type, Array) else None for field in relation.fields)
        case Alias(child=child) | Filter(child=child) | Distinct(child=child):
            return field_lengths(child)
        case Deduplicate(child=child) | Limit(child=child) | Sort(child=child) | Repartition(child=child):
            return field_lengths(child)
        case Project(child=child, items=items):
            below = field_lengths(child)
            values = [item.value for item in items]
            return tuple(most_elements(v, child.fields, below) if isinstance(v, Expr) else None for v in values)
        case Typed():
            return field_lengths(relation.meaning)
        case RowNumbers(child=child) | RandomColumn(child=child):
            return (*field_lengths(child), None)
        case Join(left=left, right=right, kind=kind):
            return field_lengths(left) + (() if kind in ("semi", "anti") else field_lengths(right))
    return (None,) * len(relation.fields)
