"""Draw subqueries over a schema: scalar subqueries, EXISTS and IN, correlated or not.

An outer column needs a qualifier that no relation inside has, so a relation inside gets an alias if it would hide an
outer one. A correlation is mostly an equality of columns that share values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.aggregates import aggregates
from strategies.draw.collated import or_collated
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.exprs import any_expressions, expressions, predicates
from strategies.draw.leaves import one_row
from strategies.draw.listings import Another, listed, wrapped
from strategies.draw.operands import Fields, columns, comparable
from strategies.draw.scopes import scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    BOOLEAN,
    Agg,
    AggFunction,
    Aggregate,
    Alias,
    And,
    CaseWhen,
    Coalesce,
    Col,
    Column,
    Compare,
    CompareOp,
    Exists,
    Expr,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Limit,
    Lit,
    Not,
    OneRow,
    Or,
    Outer,
    Project,
    Relation,
    ScalarSubquery,
    SortKey,
    When,
    common_type,
    from_fields,
    is_plain,
    keys_of_outer_row,
    operators,
    outer_columns,
    qualifiers,
    referable,
    takes_a_collation,
)

Inner = Callable[[int], SearchStrategy[Relation]]
"""Draws a relation with at most the given number of operators, as the input of a subquery."""


@dataclass(frozen=True, slots=True)
class Around:
    """The scope around a subquery: ``fields`` for expressions beside it, ``outer`` columns for those inside.

    ``names`` are the aliases that no relation inside may have. ``room`` is the number of operators that it may have.
    """

    fields: Fields
    outer: tuple[Col, ...]
    names: frozenset[str]
    inner: Inner
    room: int
    in_on: bool = False
    """Whether this is ON, where Spark allows no correlated scalar subquery, and is wrong about NOT IN."""


def around(fields: Fields, names: frozenset[str], inner: Inner, room: int) -> Around:
    """The scope of a subquery in an expression over ``fields`` of a FROM clause with ``names``."""
    outer = tuple(field.column() for field in referable(fields) if field.qualifier is not None)
    taken = names | {field.qualifier for field in fields if field.qualifier is not None}
    return Around(scope(fields), outer, taken, inner, room)


def around_on(left: Relation, right: Relation, first: bool, inner: Inner, room: int) -> Around:
    """The scope of a subquery in ON that refers to one side alone: the ``first`` or the second one."""
    both = from_fields(left) + from_fields(right)
    width = len(from_fields(left))
    places = range(width) if first else range(width, len(both))
    known, beside = referable(both), scope(both)
    good = referable(beside)
    outer = tuple(both[at].column() for at in places if both[at].qualifier is not None and both[at] in known)
    taken = qualifiers(left) | qualifiers(right)
    fields = tuple(beside[at] for at in places if beside[at] in good)
    return Around(fields, outer, taken, inner, room, in_on=True)


def around_groups(fields: Fields, inner: Inner, room: int) -> Around:
    """The scope of a subquery in HAVING: the columns of the groups, by their names."""
    return Around(fields, columns(fields), frozenset(), inner, room)


# Parts of a subquery.


def draw_input(draw: DrawFn, space: Around, *, correlate: bool) -> tuple[Relation, int]:
    """A relation that hides no outer name, with a correlated filter if ``correlate``, and the remaining room."""
    if correlate and space.outer and not space.in_on and one_in(draw, _ONE_ROW):
        return one_row(draw, _columns_like(draw, space.outer), tuple(map(outer, space.outer))), space.room
    room = space.room - correlate
    base = draw(space.inner(max(0, min(room - 1, 2))))
    if (qualifiers(base) | {field.qualifier for field in base.fields}) & space.names:
        base = Alias(base, _fresh(space.names, base))
    if not correlate or not space.outer:
        return base, room
    return Filter(base, _correlation(draw, space, base)), room


_ONE_ROW = 6
"""One correlated input in so many is a SELECT without FROM."""


def _columns_like(draw: DrawFn, around: tuple[Col, ...]) -> tuple[Column, ...]:
    """One or two columns of the types of some ``around``."""
    chosen = dict.fromkeys(pick(draw, around) for _ in range(pick(draw, (1, 1, 2))))
    return tuple(Column(f"x{place}", column.type) for place, column in enumerate(chosen))


def _fresh(names: frozenset[str], base: Relation) -> str:
    return next(name for name in (f"i{n}" for n in count()) if name not in names | qualifiers(base))


def outer(column: Col) -> Outer:
    """``column`` as an outer column of a subquery."""
    return Outer(column.name, column.kind, column.qualifier)


def _correlation(draw: DrawFn, space: Around, base: Relation) -> Expr:
    fields = scope(from_fields(base))
    own = columns(fields)
    pairs = [(one, two) for one in own for two in space.outer if common_type(one.type, two.type) is not None]
    likely = [(one, two) for one, two in pairs if one.name == two.name]
    if not pairs:
        return IsNull(outer(pick(draw, space.outer)), draw(below(2)) == 1)
    one, two = pick(draw, likely * 2 + pairs)
    op = pick(draw, _MEETING)
    met: Expr = Compare(op, one, outer(two))
    shape = draw(below(16))
    if shape >= 12:
        nested = _nested(draw, space, fields) if one_in(draw, 2) else None
        return (Or if shape >= 14 else And)(met, nested or draw(predicates(fields, depth=1)))
    if shape >= 10:
        again, other = pick(draw, pairs)
        return And(met, Compare(pick(draw, _MEETING), again, outer(other)))
    return And(met, draw(predicates(fields, depth=1))) if shape >= 7 else met


_MEETING: tuple[CompareOp, ...] = ("=", "=", "=", "=", "<=>", "<", "<>", ">=")
_EQUAL: tuple[CompareOp, ...] = ("=", "<=>", "<>")
_COMPARING: tuple[CompareOp, ...] = ("=", "<", ">=", "<>", "<=>", "<=")


def _nested(draw: DrawFn, space: Around, fields: Fields) -> Expr | None:
    """An uncorrelated subquery beside a correlation (SPARK-59351)."""
    scan = draw(space.inner(0))
    pairs = [(one, two) for one in columns(fields) for two in columns(scope(scan.fields)) if one.type == two.type]
    if not pairs or space.room < 2:
        return None
    one, two = pick(draw, pairs)
    kind = draw(below(4))
    if kind == 2:
        return Exists(Filter(scan, draw(predicates(scope(from_fields(scan)), depth=0))), one_in(draw, 2))
    if kind == 3:
        most = Aggregate(scan, (), (Item("a", Agg(pick(draw, ("max", "min")), two)),))
        return Compare(pick(draw, _COMPARING), one, ScalarSubquery(most))
    return InSubquery((one,), Project(scan, (Item("a", two),)), one_in(draw, 2))


def _is_correlated(draw: DrawFn, space: Around) -> bool:
    return bool(space.outer) and space.room > 1 and draw(below(5)) > 1


# The three kinds.


def _exists(draw: DrawFn, space: Around) -> Expr:
    query, room = draw_input(draw, space, correlate=_is_correlated(draw, space))
    return Exists(wrapped(draw, query, room, another(draw, space)) if one_in(draw, 2) else query, one_in(draw, 2))


def another(draw: DrawFn, space: Around) -> Another:
    """Draws an uncorrelated input of a subquery, beside another one."""
    return lambda: draw_input(draw, space, correlate=False)[0]


def _in(draw: DrawFn, space: Around) -> Expr:
    query, room = draw_input(draw, space, correlate=_is_correlated(draw, space))
    own = columns(scope(query.fields))
    if not own or space.room < 1:
        return Exists(query, one_in(draw, 2))
    others = another(draw, space)
    if one_in(draw, 2):
        value = draw(any_expressions(scope(query.fields)))
        operand = draw(expressions(space.fields, value.type, depth=1))
        return _among(draw, space, (operand,), listed(draw, query, (value,), room, others))
    pairs = [(one, two) for one in columns(space.fields) for two in own if one.type == two.type]
    chosen = [pick(draw, pairs)] if pairs else []
    if chosen and one_in(draw, 3) and not outer_columns(query):
        chosen.append(pick(draw, pairs))
    operands: tuple[Expr, ...] = tuple(one for one, _ in chosen)
    values = [two for _, two in chosen] or [pick(draw, own)]
    if not operands:
        operands = (draw(expressions(space.fields, values[0].type, depth=0)),)
    among = listed(draw, query, values, room, others)
    if len(operands) == 1 and takes_a_collation(among):
        operands = or_collated(draw, *operands)
    return _among(draw, space, operands, among)


def _among(draw: DrawFn, space: Around, operands: tuple[Expr, ...], query: Relation) -> InSubquery:
    return InSubquery(operands, query, one_in(draw, 5 if space.in_on else 2))


_MOST: tuple[AggFunction, ...] = ("max", "count", "min", "count")


def draw_scalar(draw: DrawFn, space: Around) -> Expr:
    """Draw a scalar subquery: an aggregate without keys, or the first value in an order."""
    query, room = draw_input(draw, space, correlate=not space.in_on and _is_correlated(draw, space))
    fields = scope(query.fields)
    own = columns(fields)
    if isinstance(query, OneRow) and own and one_in(draw, 2):
        return ScalarSubquery(query if len(own) == 1 else Project(query, (Item("x", pick(draw, own)),)))
    if own and room > 1 and one_in(draw, 5):
        listed = Project(query, (Item("x", pick(draw, own)),))
        return ScalarSubquery(Limit(listed, (SortKey(listed.fields[0].column(), one_in(draw, 2)),), 1, draw(below(2))))
    fixed = sorted(keys_of_outer_row(query.condition), key=repr) if isinstance(query, Filter) else []
    if fixed and room > 1 and one_in(draw, 2):
        return _of_its_group(draw, query, pick(draw, fixed))
    # The count of no rows is 0, where other aggregates are NULL, as the row of no partner is.
    value = ScalarSubquery(_total(query, Agg("count"))) if fixed and one_in(draw, 3) else value_of(draw, query)
    return of_one_row(draw, value) if room > 1 and one_in(draw, 6) else value


def of_one_row(draw: DrawFn, value: ScalarSubquery) -> ScalarSubquery:
    """An aggregate of the one row of ``value``, which has a row even where nothing met the outer row."""
    function: AggFunction = pick(draw, _MOST) if is_plain(value.type) else "count"
    return ScalarSubquery(_total(value.query, Agg(function, Col("x", value.type))))


def value_of(draw: DrawFn, query: Relation) -> ScalarSubquery:
    """An aggregate of all rows of ``query``, half of the time the greatest or the least value of a column."""
    fields = scope(query.fields)
    own = columns(fields)
    if own and draw(below(2)) == 0:
        aggregate = Agg(pick(draw, _MOST), pick(draw, own))
    else:
        aggregate = draw(aggregates(fields, bits=field_bits(query), depth=1))
    return ScalarSubquery(_total(query, aggregate))


def _total(query: Relation, aggregate: Agg) -> Aggregate:
    return Aggregate(query, (), (Item("x", aggregate),))


def _of_its_group(draw: DrawFn, query: Relation, key: Expr) -> ScalarSubquery:
    """An aggregate of the one group that ``query`` has of ``key``, which equals an outer column."""
    aggregate = draw(aggregates(scope(query.fields), bits=field_bits(query), depth=1))
    having = IsNull(Col("x", aggregate.type), one_in(draw, 2)) if one_in(draw, 4) else None
    groups = Aggregate(query, (Item("k", key),), (Item("x", aggregate),), having)
    return ScalarSubquery(Project(groups, (Item("x", Col("x", aggregate.type)),)))


def _compared(draw: DrawFn, space: Around) -> Expr:
    value = draw_scalar(draw, space)
    if one_in(draw, 6):
        return IsNull(value, one_in(draw, 2))
    others = comparable(space.fields, value)
    other = pick(draw, others) if others and not one_in(draw, 4) else draw_literal(draw, value.type)
    return Compare(pick(draw, _COMPARING), other, value)


_KINDS = (_exists, _in, _compared, _in, _exists)


def draw_predicate(draw: DrawFn, space: Around) -> Expr:
    """Draw a condition with a subquery in it, for WHERE, ON or HAVING."""
    first = pick(draw, _KINDS)(draw, space)
    form = draw(below(48))
    if form < 22 or not columns(space.fields):
        return first
    if form < 30:
        return And(first, draw(predicates(space.fields, depth=1)))
    if form < 37:
        return Or(draw(predicates(space.fields, depth=1)), first)
    if form < 45 and space.in_on:
        return first
    if form < 43:
        return Not(first)
    if form < 46:
        return Or(first, pick(draw, _KINDS)(draw, replace(space, room=max(0, space.room - operators(first)))))
    return draw_observed(draw, first, draw(predicates(space.fields, depth=0)))


def draw_observed(draw: DrawFn, condition: Expr, other: Expr) -> Expr:
    """Use ``condition`` as a value, in an expression that tells NULL from FALSE."""
    form = draw(below(6))
    if form == 0:
        return CaseWhen((When(condition, other),), Lit(BOOLEAN, draw(below(2)) == 1))
    if form == 1:
        return IsNull(condition, draw(below(2)) == 1)
    if form == 2:
        return Coalesce((condition, other))
    if form == 3:
        return Compare(pick(draw, _EQUAL), condition, other)
    return Not(And(condition, other) if form == 4 else Or(condition, other))


def draw_value(draw: DrawFn, space: Around) -> Expr:
    """Draw a subquery for a select list, by itself or in an expression."""
    form = draw(below(9))
    if form < 3:
        return draw_scalar(draw, space)
    if form == 3:
        value = draw_scalar(draw, space)
        return Coalesce((value, draw_literal(draw, value.type)))
    first = pick(draw, (draw_scalar, _in, _exists) if form == 8 else (_exists, _in))(draw, space)
    if form == 8:
        return CaseWhen((When(draw(predicates(space.fields, depth=0)), first),))
    if form < 7:
        return first
    return CaseWhen((When(first, draw_literal(draw, BOOLEAN)),), None)


def draw_values(draw: DrawFn, space: Around) -> list[Expr]:
    """Draw a subquery for a select list, and now and then one more, of the same rows or of some or more of them."""
    if space.room > 2 and one_in(draw, 8):  # a first value of few operators leaves room for the second one
        return beside_another(draw, space, draw_scalar(draw, replace(space, outer=(), room=space.room // 2)))
    return beside_another(draw, space, draw_value(draw, space))


def beside_another(draw: DrawFn, space: Around, first: Expr) -> list[Expr]:
    """``first``, and if it is a value of a whole relation, two times in three another one, of the same rows, or of some
    or more of them.
    """
    if not isinstance(first, ScalarSubquery) or draw(below(3)) == 0:
        return [first]
    if not isinstance(first.query, Aggregate) or first.query.keys or outer_columns(first.query):
        return [first]
    rows = _same_more_or_fewer(draw, first.query.child)
    result = draw(aggregates(scope(rows.fields), bits=field_bits(rows), depth=1))
    second = Aggregate(rows, (), (Item("x", result),))
    return [first, ScalarSubquery(second)] if operators(first.query) + operators(second) <= space.room else [first]


def _same_more_or_fewer(draw: DrawFn, rows: Relation) -> Relation:
    """``rows``, or ``rows`` without their filter, or with one, or with another one."""
    if one_in(draw, 3):
        return rows
    base = rows.child if isinstance(rows, Filter) else rows
    bare = isinstance(rows, Filter) and one_in(draw, 2)
    return base if bare else Filter(base, draw(predicates(scope(from_fields(base)), depth=0)))
