"""Queries in small queries: subqueries in filters and projections, and common table expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from assay.verify.vocabulary import constant, predicates
from strategies.ir import (
    BOOLEAN,
    Agg,
    Aggregate,
    Alias,
    And,
    Column,
    Compare,
    CteScan,
    Exists,
    Expr,
    Field,
    Filter,
    InSubquery,
    Item,
    Join,
    Limit,
    Lit,
    Not,
    Or,
    Outer,
    Project,
    Relation,
    ScalarSubquery,
    SetOp,
    SortKey,
    With,
    common_type,
)
from strategies.ir.relations import from_fields, referable

Making = Callable[[], Relation]
"""Makes a relation, or raises InvalidQuery."""


def order(fields: tuple[Field, ...], *, descending: bool = False) -> tuple[SortKey, ...]:
    """All of ``fields`` as keys of an order."""
    return tuple(SortKey(one.column(), descending) for one in fields)


def read_twice(definition: Relation) -> Iterator[Making]:
    """``definition`` under a name, which one operator reads twice."""
    if not definition.up_to_engine:
        yield lambda: With("w", definition, SetOp("union", _reading(definition), _reading(definition), all=True))
        yield lambda: With("w", definition, Join(_reading(definition), Alias(_reading(definition), "v"), "cross"))


def read_in_part(definition: Relation) -> Iterator[Making]:
    """``definition`` under a name, read in part and as a whole: no condition on the part may move into it."""
    if definition.up_to_engine:
        return
    for condition in predicates(referable(from_fields(_reading(definition))), 0):
        yield partial(_some_beside_all, definition, condition)


def _some_beside_all(definition: Relation, condition: Expr) -> Relation:
    some = Filter(_reading(definition), condition)
    return With("w", definition, SetOp("union", some, _reading(definition), all=True))


def _reading(definition: Relation) -> CteScan:
    return CteScan("w", tuple(Column(field.name, field.type) for field in definition.fields))


def subqueries(outer: Relation, inner: Alias, parts: int) -> Iterator[Making]:
    """Filters and projections of ``outer`` with a subquery over ``inner``, correlated and not."""
    theirs = inner.fields[0]
    scope = [field for field in referable(from_fields(outer)) if common_type(field.type, theirs.type) is not None]
    if not scope:
        return
    mine = scope[0]
    outside = Outer(mine.name, mine.type, mine.qualifier)
    met = Filter(inner, Compare("=", theirs.column(), outside))
    last = scope[-1]
    also = Filter(inner, Compare("=", inner.fields[-1].column(), Outer(last.name, last.type, last.qualifier)))

    def one(relation: Relation) -> Relation:
        return Project(relation, (Item("v", theirs.column()),))

    tests: list[Callable[[], Expr]] = []
    if not parts:
        tests = [
            lambda: Exists(inner),
            lambda: Exists(met),
            lambda: InSubquery((mine.column(),), one(inner)),
            lambda: InSubquery((mine.column(),), one(inner), True),
        ]
    else:
        value = constant(last.type)
        either = Compare("=", last.column(), value) if value else Lit(BOOLEAN, None)
        tests = [
            lambda: Exists(inner, True),
            lambda: Exists(met, True),
            lambda: Or(either, Exists(met)),
            lambda: Not(InSubquery((mine.column(),), one(inner))),
            lambda: Or(either, InSubquery((mine.column(),), one(inner))),
            lambda: InSubquery((mine.column(),), one(also)),
            lambda: InSubquery((mine.column(),), one(also), True),
            lambda: Exists(Filter(inner, And(met.condition, also.condition))),
            lambda: Exists(Filter(inner, Compare("<", outside, theirs.column()))),
            lambda: InSubquery((mine.column(),), Limit(one(inner), order(one(inner).fields), 1)),
        ]
    for test in tests:
        yield partial(_filtered, outer, test)
    functions = [Agg("max", inner.fields[-1].column())] if not parts else [Agg("count"), Agg("min", theirs.column())]
    for function in functions:
        for relation in (met, inner, Filter(inner, And(met.condition, also.condition))):
            yield partial(
                _with_value, outer, Item(mine.name, mine.column()), Aggregate(relation, (), (Item("n", function),))
            )


def _filtered(outer: Relation, test: Callable[[], Expr]) -> Relation:
    return Filter(outer, test())


def _with_value(outer: Relation, first: Item, query: Relation) -> Relation:
    return Project(outer, (first, Item("v", ScalarSubquery(query))))
