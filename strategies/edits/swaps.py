"""Edits of one node: another operator of the same type, another condition, another constant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.draw.exprs import predicates
from strategies.draw.operands import Fields
from strategies.draw.scopes import scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    AGG_FUNCTIONS,
    BIGINT,
    COMPARE_OPS,
    DISTINCT_AGGREGATES,
    DOUBLE,
    JOIN_HINTS,
    MAX_STEPS,
    OF_SEVERAL,
    RANDOM_FUNCTIONS,
    SET_KINDS,
    Agg,
    Aggregate,
    And,
    AnyLimit,
    Compare,
    Exists,
    Expr,
    Filter,
    GroupingSets,
    InList,
    InSubquery,
    IsNull,
    Join,
    JoinKind,
    Lateral,
    Limit,
    Lit,
    Node,
    Not,
    Or,
    RandomColumn,
    RandomTest,
    Recursive,
    SetOp,
    Values,
    ValuesRow,
    aggregate_type,
    from_fields,
    outers_of,
    subqueries_of,
)

# Operators.

_PADDED: tuple[JoinKind, ...] = ("inner", "left", "right", "full")
_LATERAL: tuple[JoinKind, ...] = ("inner", "left")
_EXISTENCE: tuple[JoinKind, ...] = ("semi", "anti")
_KINDS_LIKE: tuple[tuple[JoinKind, ...], ...] = (_PADDED, _EXISTENCE)


def _others(node: Node) -> Iterator[Node]:
    """All nodes with the same parts as ``node``, and another operator."""
    match node:
        case Lateral(kind=kind):
            yield from (replace(node, kind=other) for other in _LATERAL if kind in _LATERAL and other != kind)
        case Join(kind=kind):
            # The kind of a join decides which columns a subquery in ON may refer to.
            yield from (replace(node, hint=other) for other in JOIN_HINTS if node.hint not in (None, other))
            alone = node.on is not None and next(subqueries_of(node.on), None) is None
            kinds = next((kinds for kinds in _KINDS_LIKE if alone and kind in kinds), ())
            yield from (replace(node, kind=other) for other in kinds if other != kind)
        case SetOp(kind=kind, all=keeps_all):
            yield replace(node, all=not keeps_all)
            yield from (replace(node, kind=other) for other in SET_KINDS if other != kind)
        case Compare(op=op):
            yield from (replace(node, op=other) for other in COMPARE_OPS if other != op)
        case IsNull() | InList() | Exists() | InSubquery():
            yield replace(node, negated=not node.negated)
        case And(left=left, right=right):
            yield from (Or(left, right), left, right)
        case Or(left=left, right=right):
            yield from (And(left, right), left, right)
        case Agg():
            yield from _other_aggregates(node)
        case RandomTest(first=first):
            yield replace(node, first=not first)
        case RandomColumn(function=function):
            yield from (replace(node, function=other) for other in RANDOM_FUNCTIONS if other != function)
        case GroupingSets(kind="rollup"):
            yield replace(node, kind="cube")
        case GroupingSets(kind="cube"):
            yield replace(node, kind="rollup")


def _other_aggregates(agg: Agg) -> Iterator[Agg]:
    """Aggregates of the same type over the same operand; sums that may overflow or round are left out."""
    if agg.operand is None:
        return
    if agg.function in DISTINCT_AGGREGATES:
        yield replace(agg, distinct=not agg.distinct)
    for name in AGG_FUNCTIONS:
        inexact = name in ("sum", "avg") and agg.operand.type in (BIGINT, DOUBLE)
        needs_more = name in OF_SEVERAL or bool(agg.others)
        if name == agg.function or inexact or needs_more or aggregate_type(name, agg.operand.type) != agg.type:
            continue
        yield replace(agg, function=name, distinct=agg.distinct and name in DISTINCT_AGGREGATES)


def has_other(node: Node) -> bool:
    """Whether :func:`swapped` has another operator for ``node``."""
    return next(_others(node), None) is not None


def swapped(draw: DrawFn, node: Node) -> Node:
    """``node`` with another operator of the same type over the same parts."""
    return pick(draw, tuple(_others(node)))


# Conditions.


def _condition(node: Node) -> tuple[str, Expr, Fields] | None:
    """The field of ``node`` that is a condition, the condition, and the columns that it is about."""
    match node:
        case Filter(child=child, condition=condition):
            return "condition", condition, scope(from_fields(child))
        case Join(left=left, right=right, on=Expr() as on):
            return "on", on, scope(from_fields(left) + from_fields(right))
        case (Aggregate() | GroupingSets()) as grouped if grouped.having is not None:
            return "having", grouped.having, scope(grouped.fields)
        case Recursive(condition=Expr() as condition):
            return "condition", condition, node.fields
    return None


def has_condition(node: Node) -> bool:
    """Whether :func:`with_other_condition` can change ``node``."""
    return _condition(node) is not None


def _negated(condition: Expr, other: Expr) -> Expr:
    return condition.operand if isinstance(condition, Not) else Not(condition)


def _other(condition: Expr, other: Expr) -> Expr:
    return other


_CHANGES: tuple[Callable[[Expr, Expr], Expr], ...] = (And, Or, _negated, _other, And, Or)


def with_other_condition(draw: DrawFn, node: Node) -> Node:
    """``node`` with its condition negated, replaced, or combined with a drawn one."""
    found = _condition(node)
    assert found is not None  # the caller chose a node that has one
    name, condition, fields = found
    # Spark finds correlations among the parts of a conjunction alone.
    correlated = next(outers_of(condition), None) is not None
    other = draw(predicates(fields, depth=1))
    new = (And if correlated else pick(draw, _CHANGES))(condition, other)
    return replace(node, **{name: new})


# Constants.


def has_constant(node: Node) -> bool:
    """Whether :func:`with_other_constant` can change ``node``.

    Other constants stay as they are: they may be part of a guard against overflow, or of a function's signature.
    """
    return bool(_literals(node)) or isinstance(node, (Limit, AnyLimit, Recursive, Values))


def _literals(node: Node) -> list[str | int]:
    """The places of literals among the parts of a comparison or a list."""
    match node:
        case Compare(left=left, right=right):
            return [name for name, part in (("left", left), ("right", right)) if isinstance(part, Lit)]
        case InList(items=items):
            return [at for at, item in enumerate(items) if isinstance(item, Lit)]
    return []


_COUNTS = (1, 2, 3, 5, 8, 0)


def with_other_constant(draw: DrawFn, node: Node) -> Node:
    """``node`` with another literal in a comparison, a list or a row, or another number of rows of a limit or steps."""
    match node:
        case Limit() | AnyLimit():
            return replace(node, count=pick(draw, _COUNTS), offset=pick(draw, (0, 0, 0, 1, 2)))
        case Recursive(steps=steps):
            return replace(node, steps=pick(draw, [each for each in range(MAX_STEPS + 1) if each != steps]))
        case Values(rows=rows):
            row, cell = (pick(draw, range(len(parts))) for parts in (rows, rows[0].cells))
            cells = rows[row].cells
            new = ValuesRow((*cells[:cell], draw_literal(draw, cells[cell].type), *cells[cell + 1 :]))
            return replace(node, rows=(*rows[:row], new, *rows[row + 1 :]))
        case InList(items=items):
            at = pick(draw, [place for place in _literals(node) if isinstance(place, int)])
            return replace(node, items=(*items[:at], draw_literal(draw, items[at].type), *items[at + 1 :]))
    name = pick(draw, [place for place in _literals(node) if isinstance(place, str)])
    return replace(node, **{name: draw_literal(draw, getattr(node, name).type)})
