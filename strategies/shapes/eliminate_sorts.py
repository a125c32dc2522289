"""Shape of EliminateSorts: a sort by constants, or a sort whose order no operator above needs.

In a query, a sort is right below a limit, which needs it, unless the limit is removed first because there are no more
rows than it keeps.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.queries import scope
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Alias,
    Case,
    Compare,
    Database,
    Distinct,
    Filter,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Project,
    Relation,
    SortKey,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, in_some_context, number_of_rows
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.sides import scan

RULE = "EliminateSorts"


def _ordered(draw: DrawFn, child: Relation, count: int) -> Limit:
    """The first ``count`` rows of ``child``, in an order of all columns, ascending or descending."""
    fields = scope(child.fields)
    turned = fields[::-1] if one_in(draw, 3) else fields
    return Limit(child, tuple(SortKey(field.column(), draw(st.booleans())) for field in turned), count)


def _grouped(draw: DrawFn, relation: Relation) -> Relation:
    key = pick(draw, scope(relation.fields)).column()
    return Aggregate(relation, (Item("k", key),), (Item("n", Agg("count")),))


# Where it fires.


def _by_constant(draw: DrawFn, schema: Database) -> Relation:
    """A sort with a constant key, before the other keys, after them, or alone."""
    source = scan(pick(draw, schema.tables))
    items = [Item(f"x{place}", field.column()) for place, field in enumerate(scope(source.fields))]
    constant = Item("c", Lit(INT, pick(draw, (0, 1, None))))
    shown = pick(draw, ((constant,), (constant, *items), (constant, *items), (*items, constant)))
    return _ordered(draw, Project(source, shown), pick(draw, (1, 2, 3)))


def _in_vain(draw: DrawFn, schema: Database) -> Relation:
    """A few rows in one order, and all of these in another order."""
    count = pick(draw, (2, 3))
    lower = _ordered(draw, scan(pick(draw, schema.tables)), count)
    return _ordered(draw, lower, count + pick(draw, (0, 1)))


def _below_aggregate(draw: DrawFn, schema: Database) -> Relation:
    few = _in_vain(draw, schema)
    return pick(draw, (number_of_rows(few), _grouped(draw, few), Distinct(few)))


def _below_join(draw: DrawFn, schema: Database) -> Relation:
    left, right = Alias(_in_vain(draw, schema), "l"), Alias(scan(pick(draw, schema.tables)), "r")
    on = Compare("<=>", left.fields[0].column(), right.fields[0].column())
    join = (
        Join(left, right, pick(draw, ("left", "full")), on) if _comparable(left, right) else Join(left, right, "cross")
    )
    return apart(join, scope(join.fields))


def _comparable(left: Relation, right: Relation) -> bool:
    return left.fields[0].type == right.fields[0].type


def _below_sort(draw: DrawFn, schema: Database) -> Relation:
    return _ordered(draw, _in_vain(draw, schema), 1)


_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (
    *[_by_constant] * 3,
    *[_below_aggregate] * 2,
    _below_join,
    _below_sort,
)


def fires() -> SearchStrategy[Case]:
    """Sorts by constants, and sorts below other sorts, joins and aggregates; shrinks to ``SELECT 0 AS c FROM t0 ORDER
    BY c LIMIT 1``.
    """
    return file_cases(over_tables(in_some_context, _FORMS))


# Near misses.


_Make = Callable[[DrawFn, Relation], Relation]


def _pair(draw: DrawFn, make: _Make) -> Relation:
    return make(draw, scans_of(PAIRS)[0])


def _first(child: Relation, count: int, *, descending: bool) -> Limit:
    """The first or last ``count`` rows by the columns in their order."""
    return Limit(child, tuple(SortKey(field.column(), descending) for field in scope(child.fields)), count)


def _constant_beside(draw: DrawFn, table: Relation) -> Relation:
    a, b = (field.column() for field in scope(table.fields))
    constant = Item("c", Lit(INT, 1))
    shown = pick(draw, ((constant, Item("x", a), Item("y", b)), (Item("x", a), constant, Item("y", b))))
    return _first(Project(table, shown), pick(draw, (1, 2)), descending=draw(st.booleans()))


def _few_below(draw: DrawFn, table: Relation) -> Relation:
    """An aggregate over a limit, whose rows depend on the order."""
    few = _first(table, pick(draw, (1, 2, 3)), descending=draw(st.booleans()))
    key, other = (field.column() for field in few.fields)
    keys = (Item("k", key),) if draw(st.booleans()) else ()
    return Aggregate(few, keys, (Item("n", Agg("sum", other)), Item("m", Agg(pick(draw, ("max", "min")), key))))


def _few_joined(draw: DrawFn) -> Relation:
    one, two = scans_of(PAIRS)
    few = Alias(_first(one, pick(draw, (1, 2)), descending=draw(st.booleans())), "l")
    on = Compare("=", few.fields[0].column(), two.fields[0].column())
    return Join(few, two, pick(draw, ("left", "full")), on)


def _two_rows(draw: DrawFn, table: Relation) -> Relation:
    """Two rows in one order, and the first of them in the reverse order."""
    descending = draw(st.booleans())
    return _first(_first(table, 2, descending=descending), 1, descending=not descending)


def _twice(draw: DrawFn, table: Relation) -> Relation:
    """Two or three rows in one order, reversed before the first row is taken."""
    count, descending = pick(draw, (2, 3)), draw(st.booleans())
    lower = _first(_first(table, count, descending=descending), count, descending=descending)
    return _first(lower, 1, descending=not descending)


def _filtered_between(draw: DrawFn, table: Relation) -> Relation:
    few = _first(table, 3, descending=draw(st.booleans()))
    kept = Filter(few, IsNull(pick(draw, few.fields).column(), negated=True))
    return _first(kept, 1, descending=draw(st.booleans()))


def _alone(draw: DrawFn, table: Relation) -> Relation:
    return _first(table, pick(draw, (1, 2, 3)), descending=draw(st.booleans()))


NEAR_MISSES = (
    NearMiss(
        "constant_beside_others", lambda: file_cases(over_fixed(PAIRS, _pair, _constant_beside)), fires=True, weight=2
    ),
    NearMiss("order_twice", lambda: file_cases(over_fixed(PAIRS, _pair, _twice)), fires=True, weight=2),
    NearMiss(
        "few_rows_below_an_aggregate", lambda: file_cases(over_fixed(PAIRS, _pair, _few_below)), fires=False, weight=2
    ),
    NearMiss("few_rows_below_a_join", lambda: file_cases(over_fixed(PAIRS, _few_joined)), fires=False),
    NearMiss("two_rows", lambda: file_cases(over_fixed(PAIRS, _pair, _two_rows)), fires=False, weight=2),
    NearMiss("filter_between", lambda: file_cases(over_fixed(PAIRS, _pair, _filtered_between)), fires=False),
    NearMiss("alone", lambda: file_cases(over_fixed(PAIRS, _pair, _alone)), fires=False),
)
