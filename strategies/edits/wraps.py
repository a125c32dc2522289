"""Operators that an edit draws over a relation."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.arrangements import arranged
from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.generates import generated
from strategies.draw.grouping import grouping_sets
from strategies.draw.items import named, shown, value
from strategies.draw.joins import join_conditions, side
from strategies.draw.limits import limited
from strategies.draw.scopes import fresh_alias, scope
from strategies.draw.setops import fitting_table, variant
from strategies.draw.stacked import MOVED
from strategies.draw.values import MAX_ELEMENTS
from strategies.draw.windows import window
from strategies.ir import (
    SET_KINDS,
    Alias,
    Database,
    Distinct,
    Filter,
    Join,
    JoinKind,
    Project,
    Relation,
    SetOp,
    from_fields,
    qualifiers,
)

Wrap = Callable[[DrawFn, Database, Relation], Relation]

_ROOM = 2
"""The number of operators that the right side of a set operator may have more than the left side."""
_SELF_KINDS: tuple[JoinKind, ...] = ("semi", "anti", "inner", "left", "right", "full")


def _filtered(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    return Filter(child, draw(predicates(scope(from_fields(child)))))


def _distinct(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    return Distinct(child)


def _limited(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    return limited(draw, child)


def _projected(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    fields = scope(child.fields)
    values = [value(draw, fields) for _ in range(pick(draw, (1, 2, 3)))]
    return Project(child, shown(draw, named(draw, fields, values)))


def _with_variant(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    """A set operator of the relation and itself, with another filter or columns in another order."""
    kind, keeps_all = pick(draw, SET_KINDS), draw(st.booleans())
    right = child if one_in(draw, 4) else variant(draw, child, _ROOM)
    return SetOp(kind, child, right, keeps_all)


def _with_table(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    kind, keeps_all = pick(draw, SET_KINDS), draw(st.booleans())
    table = fitting_table(draw, schema, child)
    return SetOp(kind, table, child, keeps_all) if one_in(draw, 4) else SetOp(kind, child, table, keeps_all)


def _with_itself(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    """A join of the relation and itself."""
    left = side(draw, child)
    right = child if not qualifiers(left) and one_in(draw, 4) else Alias(child, fresh_alias(left))
    kinds = _SELF_KINDS if most_rows(child) ** 2 <= MAX_JOINED_ROWS else _SELF_KINDS[:2]
    return Join(left, right, pick(draw, kinds), draw(join_conditions(left, right)))


def _windowed(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    return window(draw, child)


def _grouped_by_sets(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    return grouping_sets(draw, child)


def _generated(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    return generated(draw, child) if most_rows(child) * MAX_ELEMENTS <= MAX_JOINED_ROWS else Distinct(child)


def _arranged(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    return arranged(draw, child, 1)


def _moved(draw: DrawFn, schema: Database, child: Relation) -> Relation:
    return pick(draw, MOVED)(draw, schema, child, 1)


WRAPS: tuple[Wrap, ...] = (
    *[_filtered] * 3,
    *[_distinct] * 2,
    *[_limited] * 2,
    *[_projected] * 2,
    *[_with_variant] * 3,
    *[_with_table] * 2,
    *[_with_itself] * 3,
    *[_moved] * 5,
    _windowed,
    _generated,
    _grouped_by_sets,
    _arranged,
)
"""Each puts an operator over a relation, mostly with other columns; the first one is the simplest."""
