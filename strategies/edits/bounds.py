"""The bounds that drawn queries keep by construction, tested on a whole query, because an edit can break them."""

from __future__ import annotations

from collections.abc import Iterator

from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.calls import is_small
from strategies.draw.exactness import MAX_ROW_BITS, expression_bits, field_bits, is_summable
from strategies.draw.lengths import field_lengths, most_elements
from strategies.draw.values import MAX_ELEMENTS
from strategies.ir import (
    BIGINT,
    DOUBLE,
    Agg,
    Aggregate,
    And,
    Between,
    CaseWhen,
    Col,
    Compare,
    Expr,
    Generate,
    GroupingSets,
    InvalidQuery,
    Join,
    Node,
    Pivot,
    Recursive,
    Relation,
    When,
    Window,
    With,
    from_fields,
    inlined,
    transform,
    walk,
)


def is_bounded(query: Relation) -> bool:
    """Whether ``query`` makes few enough rows, and no sum in it depends on the order of the rows.

    :returns: also False if a common table expression can't be put in place of its references.
    """
    try:
        whole = transform(query, lambda node: inlined(node) if isinstance(node, With) else node)
    except InvalidQuery:
        return False
    return all(_is_bounded(node) for node in walk(whole) if isinstance(node, Relation))


def _is_bounded(node: Relation) -> bool:
    if most_rows(node) >= 2**MAX_ROW_BITS:
        return False
    if isinstance(node, Join) and node.kind not in ("semi", "anti"):
        return most_rows(node) <= MAX_JOINED_ROWS
    if isinstance(node, Recursive):
        return most_rows(node) <= MAX_JOINED_ROWS
    if isinstance(node, Generate):
        size = most_elements(node.array, from_fields(node.child), field_lengths(node.child))
        return size is not None and size <= MAX_ELEMENTS and most_rows(node) <= MAX_JOINED_ROWS
    if isinstance(node, (Aggregate, GroupingSets, Pivot, Window)):
        return all(_is_exact(agg, node.child) for agg in _aggregates(node))
    return True


def _aggregates(node: Aggregate | GroupingSets | Pivot | Window) -> Iterator[Agg]:
    """The aggregates of ``node`` itself, not those of its input or of a subquery."""
    parts: tuple[Node, ...]
    if isinstance(node, Pivot):
        parts = (node.aggregate,)
    elif isinstance(node, Window):
        parts = tuple(over.function for over in node.columns)
    else:
        parts = tuple(item.value for item in node.aggregates)
    return (part for part in parts if isinstance(part, Agg))


def _is_exact(agg: Agg, child: Relation) -> bool:
    """Whether ``agg`` is no sum that may overflow, or that depends on the order of the rows."""
    if agg.function not in ("sum", "avg") or agg.operand is None:
        return True
    if agg.operand.type == BIGINT:
        return _is_guarded(agg.operand) or _is_count(agg.operand, child) or is_summable(agg.operand)
    if agg.operand.type != DOUBLE:
        return True
    bits = expression_bits(agg.operand, child.fields, field_bits(child))
    return bits is not None and bits.summable


def _is_guarded(operand: Expr) -> bool:
    match operand:
        case CaseWhen(branches=(When(result=result) as branch,), otherwise=None):
            return branch.condition in (is_small(result), _in_two_parts(is_small(result)))
    return False


def _in_two_parts(guard: Expr) -> Expr:
    """``guard`` as two comparisons, which the shapes have."""
    assert isinstance(guard, Between)
    return And(Compare(">=", guard.operand, guard.low), Compare("<=", guard.operand, guard.high))


def _is_count(operand: Expr, child: Relation) -> bool:
    """Whether ``operand`` is a column of ``child`` that counts rows."""
    counts = (
        [item.name for item in child.aggregates if item.value.type == BIGINT and _counts(item.value)]
        if isinstance(child, Aggregate)
        else []
    )
    return isinstance(operand, Col) and operand.name in counts


def _counts(value: Node) -> bool:
    return isinstance(value, Agg) and value.function in ("count", "count_if")
