"""Edits of one node: another operator of the same type, another condition, value or constant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.draw.exprs import expressions, predicates
from strategies.draw.operands import Fields
from strategies.draw.scopes import scope
from strategies.draw.setops import can_turn, turned
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
    CaseWhen,
    Coalesce,
    Compare,
    Exists,
    Expr,
    Filter,
    Generate,
    GroupingSets,
    InList,
    InSubquery,
    IsNull,
    Item,
    Join,
    JoinKind,
    Lateral,
    Limit,
    Lit,
    Map,
    Node,
    Not,
    NullIf,
    Or,
    Peek,
    Project,
    RandomColumn,
    RandomTest,
    Ranking,
    Recursive,
    Relation,
    SetOp,
    SortKey,
    Unpivot,
    Values,
    ValuesRow,
    When,
    Window,
    aggregate_type,
    from_fields,
    outers_of,
    referable,
    subqueries_of,
)

# Operators.

_PADDED: tuple[JoinKind, ...] = ("inner", "left", "right", "full")
_LATERAL: tuple[JoinKind, ...] = ("inner", "left")
_EXISTENCE: tuple[JoinKind, ...] = ("semi", "anti")
_KINDS_LIKE: tuple[tuple[JoinKind, ...], ...] = (_PADDED, _EXISTENCE)


def _others(node: Node) -> Iterator[Node]:
    """All nodes with the same parts as ``node`` and another operator, direction of an order, or part of its keys; of
    groups, larger ones: those by all keys but the last, or all rows, which are a group even if there are none.
    """
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
        case Aggregate(keys=[*keys, Item(value=Expr() as last) as key]):
            if next(subqueries_of(last), None) is None and not isinstance(last.type, Map):
                greatest = replace(key, value=Agg("max", last))
                yield replace(node, keys=tuple(keys), aggregates=(greatest, *node.aggregates))
        case RandomTest(first=first):
            yield replace(node, first=not first)
        case RandomColumn(function=function):
            yield from (replace(node, function=other) for other in RANDOM_FUNCTIONS if other != function)
        case SortKey():
            yield replace(node, descending=not node.descending)
            yield replace(node, nulls_first=not node.nulls_first)
        case Window(partition=partition):
            # A window refuses a partition without which its order is no total one, where it needs that.
            shorter = dict.fromkeys((partition[1:], partition[:-1])) if partition else {}
            yield from (replace(node, partition=rest) for rest in shorter)
            others = [field.column() for field in referable(scope(node.child.fields))]
            yield from (replace(node, partition=(*partition, key)) for key in others[:2] if key not in partition)
        case Ranking(function=("rank" | "dense_rank") as function):
            yield replace(node, function="dense_rank" if function == "rank" else "rank")
        case Peek(function=("lag" | "lead") as function):
            yield replace(node, function="lead" if function == "lag" else "lag")
        case Generate():
            yield replace(node, outer=not node.outer)
        case Unpivot():
            yield replace(node, nulls=not node.nulls)
        case GroupingSets(kind="rollup"):
            yield replace(node, kind="cube")
        case GroupingSets(kind="cube"):
            yield replace(node, kind="rollup")


def _other_aggregates(agg: Agg) -> Iterator[Agg]:
    """Aggregates of the same type over the same operand; sums that may overflow or round are left out."""
    if agg.operand is None:
        return
    if agg.can_be_distinct:
        yield replace(agg, distinct=not agg.distinct)
    for name in AGG_FUNCTIONS:
        inexact = name in ("sum", "avg") and agg.operand.type in (BIGINT, DOUBLE)
        needs_more = name in OF_SEVERAL or bool(agg.others)
        if name == agg.function or inexact or needs_more or aggregate_type(name, agg.operand.type) != agg.type:
            continue
        yield replace(agg, function=name, distinct=agg.distinct and name in DISTINCT_AGGREGATES)


def has_turn(node: Node) -> bool:
    """Whether :func:`with_right_turned` can change ``node``."""
    return isinstance(node, SetOp) and can_turn(node.right)


def with_right_turned(draw: DrawFn, node: Node) -> Node:
    """The set operator ``node`` with the columns of each type on its right, or only their names, in another order."""
    assert isinstance(node, SetOp)  # the caller chose a node that has such columns
    return replace(node, right=turned(draw, node.right))


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


def _unknown(condition: Expr, other: Expr) -> Expr:
    """Tells NULL from FALSE, which the condition itself does not."""
    return IsNull(condition)


_CHANGES: tuple[Callable[[Expr, Expr], Expr], ...] = (And, Or, _negated, _other, And, Or, _unknown)


def with_other_condition(draw: DrawFn, node: Node) -> Node:
    """``node`` with its condition negated, replaced, tested for NULL, or combined with a drawn one."""
    found = _condition(node)
    assert found is not None  # the caller chose a node that has one
    name, condition, fields = found
    # Spark finds correlations among the parts of a conjunction alone.
    correlated = next(outers_of(condition), None) is not None
    other = draw(predicates(fields, depth=1))
    new = (And if correlated else pick(draw, _CHANGES))(condition, other)
    return replace(node, **{name: new})


# Values.


def _values(node: Node) -> tuple[Relation, list[tuple[str, int]]] | None:
    """The relation whose columns the values of ``node`` are of, and the places of these: a field, and a place in it."""
    match node:
        case Project(child=child, items=items):
            return child, [("items", at) for at in range(len(items))]
        case Aggregate(child=child, keys=keys, aggregates=results):
            operands = [at for at, item in enumerate(results) if isinstance(item.value, Agg) and item.value.operand]
            return child, [*(("keys", at) for at in range(len(keys))), *(("aggregates", at) for at in operands)]
    return None


def has_value(node: Node) -> bool:
    """Whether :func:`with_other_value` can change ``node``."""
    found = _values(node)
    return found is not None and bool(found[1])


def _drawn(draw: DrawFn, value: Expr, fields: Fields) -> Expr:
    return draw(expressions(fields, value.type))


def _or_literal(draw: DrawFn, value: Expr, fields: Fields) -> Expr:
    return Coalesce((value, draw_literal(draw, value.type)))


def _if(draw: DrawFn, value: Expr, fields: Fields) -> Expr:
    return CaseWhen((When(draw(predicates(fields, depth=0)), value),))


def _unless_literal(draw: DrawFn, value: Expr, fields: Fields) -> Expr:
    return NullIf(value, draw_literal(draw, value.type))


_AROUND: tuple[Callable[[DrawFn, Expr, Fields], Expr], ...] = (_or_literal, _if, _unless_literal)


def with_other_value(draw: DrawFn, node: Node) -> Node:
    """``node`` with a drawn value in the place of one in its select list, among its keys or in an aggregate, or with a
    COALESCE, CASE or NULLIF around that one.
    """
    found = _values(node)
    assert found is not None  # the caller chose a node that has one
    child, places = found
    name, at = pick(draw, places)
    items: tuple[Item, ...] = getattr(node, name)
    item, aggregate = items[at], items[at].value
    old = aggregate.operand if isinstance(aggregate, Agg) else aggregate
    assert isinstance(old, Expr)  # no function of a window stands in a select list
    # A column of the query around it stays: without one a subquery is another kind of subquery.
    changes = _AROUND if next(outers_of(old), None) is not None else (*_AROUND, *[_drawn] * 3)
    new = pick(draw, changes)(draw, old, scope(child.fields))
    item = replace(item, value=replace(aggregate, operand=new) if isinstance(aggregate, Agg) else new)
    return replace(node, **{name: (*items[:at], item, *items[at + 1 :])})


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
