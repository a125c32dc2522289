"""Draw relations in an order or in other partitions: ORDER BY without a limit, SORT BY, DISTRIBUTE BY, and hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import GRAMMAR, any_expressions
from strategies.draw.limits import fixed_order
from strategies.draw.operands import Fields, own_types
from strategies.draw.orders import sort_key
from strategies.draw.scopes import scope
from strategies.draw.user_calls import user_call, user_functions
from strategies.draw.values import draw_literal
from strategies.ir import (
    EXCHANGES,
    INT,
    STRING,
    Exchange,
    Expr,
    Field,
    IsNull,
    Lit,
    Relation,
    Repartition,
    Sort,
    SortKey,
    SqlType,
    columns_of,
    referable,
    resolve,
)

MAX_PARTITIONS = 3
"""The most partitions that a hint asks for: each takes a task of its own."""


def sorted_by_all(draw: DrawFn, child: Relation) -> Sort:
    """``child ORDER BY`` all its columns, and computed keys before them now and then: the order is part of the answer.
    By a constant if a name is ambiguous.
    """
    fields = scope(child.fields)
    if len(referable(fields)) < len(fields):
        return Sort(child, (SortKey(Lit(INT, 1)),))
    if not user_functions(own_types(fields), STRING) or not one_in(draw, _CALLED):
        return Sort(child, fixed_order(draw, fields))
    called = replace(user_call(draw, GRAMMAR, fields, STRING, 1), language="scala")
    ties = sort_key(draw, IsNull(pick(draw, fields).column()))
    return Sort(child, (ties, sort_key(draw, called), *fixed_order(draw, fields)))


_CALLED = 2
"""One order of all rows in so many has a text of a user-defined function in Scala as its second key, where there are
texts: two of its values may be read from one buffer where the order is interpreted (SPARK-53275). First rows' order
never is, nor are first keys, whose prefixes are compared; texts in Python are evaluated below.
"""


def _sorted(draw: DrawFn, child: Relation) -> Sort:
    """``child`` by one or two values; half of the sorts are within partitions."""
    fields = scope(child.fields)
    keys = tuple(sort_key(draw, _key(draw, fields)) for _ in range(pick(draw, (1, 1, 2))))
    return Sort(child, keys, one_in(draw, 2))


def _key(draw: DrawFn, fields: Fields) -> Expr:
    known = referable(fields)
    form = draw(below(8))
    if known and form < 6:
        return pick(draw, known).column()
    return draw(any_expressions(fields)) if form < 7 else draw_literal(draw, _kind(draw, known))


def _kind(draw: DrawFn, known: Sequence[Field]) -> SqlType:
    return pick(draw, known).type if known else INT


def _exchanged(draw: DrawFn, child: Relation) -> Repartition:
    fields = scope(child.fields)
    known = referable(fields)
    kind: Exchange = pick(draw, _EXCHANGES)
    count = pick(draw, (1, 2, MAX_PARTITIONS))
    if kind == "distribute":
        return Repartition(child, kind, None, tuple(_key(draw, fields) for _ in range(pick(draw, (1, 1, 2)))))
    keyed = kind == "range" or (kind != "coalesce" and one_in(draw, 2))
    if not keyed or not known:
        return Repartition(child, "repartition" if kind == "range" else kind, count)
    keys = (pick(draw, known).column(),)
    return Repartition(child, kind, count if one_in(draw, 2) else None, keys)


_EXCHANGES: tuple[Exchange, ...] = ("repartition", "repartition", *EXCHANGES)


def _again(draw: DrawFn, child: Sort | Repartition) -> Relation:
    """Another sort or exchange right above one: in the same order or by the same keys, or a part of them."""
    if isinstance(child, Sort):
        if one_in(draw, 4):
            return _exchanged(draw, child)
        kept = child.order[: pick(draw, (len(child.order), 1))]
        same = _are_known([key.value for key in kept], child) and one_in(draw, 2)
        return Sort(child, kept, one_in(draw, 2)) if same else _sorted(draw, child)
    if child.keys and _are_known(child.keys, child) and one_in(draw, 2):
        return Sort(child, tuple(map(SortKey, child.keys)), not one_in(draw, 4))
    return _sorted(draw, child) if one_in(draw, 3) else _exchanged(draw, child)


def _are_known(values: Sequence[Expr], relation: Relation) -> bool:
    """Whether ``values`` over the input of ``relation`` can be said above it, where no column has a qualifier."""
    return all(len(resolve(column, relation.fields)) == 1 for value in values for column in columns_of(value))


def arranged(draw: DrawFn, child: Relation, room: int) -> Relation:
    """``child`` sorted or in other partitions; with ``room`` for another operator, two of three are arranged again."""
    form = draw(below(8))
    if form == 0:
        made: Sort | Repartition = sorted_by_all(draw, child)
    else:
        made = _sorted(draw, child) if form < 4 else _exchanged(draw, child)
    if room > 0 and draw(below(3)) > 0:
        return _again(draw, made)
    return made


@st.composite
def _drawn(draw: DrawFn, child: Relation, room: int) -> Relation:
    return arranged(draw, child, room)


def arrangements(child: Relation, *, room: int = 1) -> SearchStrategy[Relation]:
    """``child`` sorted or in other partitions; shrinks to ORDER BY its columns."""
    return _drawn(child, room)
