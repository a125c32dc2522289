"""Shape of EliminateOuterJoin: an outer join whose padded rows don't matter to the operators above.

A filter right above rejects them; or an aggregate above uses only the kept side's columns, and ignores repeats; or only
the kept side's columns are used, and each row has at most one partner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields, predicates
from strategies.draw.joins import join_conditions
from strategies.draw.queries import scope
from strategies.draw.values import value_at
from strategies.ir import (
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    Coalesce,
    Compare,
    Database,
    Distinct,
    Expr,
    Filter,
    Item,
    Join,
    JoinKind,
    Lit,
    Project,
    Relation,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, in_context, joined_in_context
from strategies.shapes.forms import file_cases, over_tables
from strategies.shapes.nulls import ADMITTING, Condition, rejecting
from strategies.shapes.sides import join_sides, joined

RULE = "EliminateOuterJoin"
_Padded = tuple[bool, ...]

_FILTERED: tuple[tuple[JoinKind, _Padded], ...] = (
    ("left", (False,)),
    ("right", (True,)),
    ("full", (True,)),
    ("full", (False,)),
    ("full", (True, False)),
)
"""A kind of join, and the sides whose padding a filter rejects: True is the left one."""
_KEPT: tuple[JoinKind, ...] = ("left", "right")


def _side(join: Join, *, left: bool) -> Fields:
    """The columns of one side, for an expression above ``join``."""
    fields, width = scope(join.fields), len(join.left.fields)
    return fields[:width] if left else fields[width:]


def _all_of(conditions: list[Expr]) -> Expr:
    first, *others = conditions
    for condition in others:
        first = And(first, condition)
    return first


# Where it fires.


def _query(draw: DrawFn, schema: Database) -> Relation:
    return pick(draw, _FORMS)(draw, schema)


def _filtered(draw: DrawFn, schema: Database) -> Relation:
    kind, padded = pick(draw, _FILTERED)
    join = joined(draw, schema, kind)
    conditions = [rejecting(draw, _side(join, left=left), scope(join.fields)) for left in padded]
    return joined_in_context(draw, schema, Filter(join, _all_of(conditions)), len(join.left.fields))


def _grouped(draw: DrawFn, schema: Database) -> Relation:
    """An aggregate of the kept side that ignores repeats: distinct rows, or min, max and DISTINCT counts."""
    join = joined(draw, schema, pick(draw, _KEPT))
    fields = _side(join, left=join.kind == "left")
    if draw(st.booleans()):
        return in_context(draw, schema, Distinct(apart(join, fields)))
    return in_context(draw, schema, _aggregate(draw, join, fields, _REPEATABLE))


_REPEATABLE: tuple[Callable[[Expr], Agg], ...] = (
    lambda operand: Agg("max", operand),
    lambda operand: Agg("min", operand),
    lambda operand: Agg("count", operand, distinct=True),
)
_COUNTING: tuple[Callable[[Expr], Agg], ...] = (
    lambda operand: Agg("count", operand),
    lambda operand: Agg("count"),
)


def _aggregate(
    draw: DrawFn, join: Join, fields: Fields, functions: tuple[Callable[[Expr], Agg], ...], *, keys: Fields = ()
) -> Aggregate:
    """``functions`` of columns among ``fields``, grouped by ``keys`` and sometimes by other ``fields``."""
    keys = (*keys, *fields[: pick(draw, (0, 1, 2))])
    results = [pick(draw, functions)(pick(draw, fields).column()) for _ in range(pick(draw, (1, 2)))]
    return Aggregate(
        join,
        tuple(Item(f"k{place}", key.column()) for place, key in enumerate(keys)),
        tuple(Item(f"n{place}", result) for place, result in enumerate(results)),
    )


def _partnered(draw: DrawFn, schema: Database) -> Relation:
    return in_context(draw, schema, _kept_side(draw, schema, pick(draw, _KEPT), unique=True))


def _kept_side(draw: DrawFn, schema: Database, kind: JoinKind, *, unique: bool) -> Relation:
    """The kept side's columns of an outer join with one column of another table, with distinct values if ``unique``."""
    kept, other = join_sides(draw, schema)
    if kept.fields[0].type != other.fields[0].type:
        other = Alias(kept, "s0")
    keys = Project(other, (Item("u", other.fields[0].column()),))
    partners = Alias(Distinct(keys) if unique else keys, "partners")
    on = Compare("=", kept.fields[0].column(), partners.fields[0].column())
    join = Join(kept, partners, "left", on) if kind == "left" else Join(partners, kept, "right", on)
    return apart(join, _side(join, left=kind == "left"))


_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (*[_filtered] * 5, *[_grouped] * 2, _partnered)


def fires() -> SearchStrategy[Case]:
    """Outer joins below a filter that rejects padding, or an aggregate that ignores repeats, or with unique partners;
    shrinks to ``t0 LEFT JOIN t0 AS s0 ON t0.a = s0.a WHERE s0.a = 0``.
    """
    return file_cases(over_tables(_query))


# Near misses.


def _admitted(draw: DrawFn, schema: Database, condition: Condition) -> Relation:
    """A filter on the padded side that a row of NULLs passes."""
    kind, padded = pick(draw, _FILTERED)
    join = joined(draw, schema, kind)
    return Filter(join, _all_of([condition(draw, _side(join, left=left)) for left in padded]))


def _over_padding(condition: Condition) -> SearchStrategy[Case]:
    return file_cases(over_tables(_admitted, condition))


def _either_side(draw: DrawFn, schema: Database) -> Relation:
    """``x = 0 OR y IS NULL``, the columns being on different sides of a full join."""
    join = joined(draw, schema, "full")
    left, right = _side(join, left=True), _side(join, left=False)
    return Filter(join, ADMITTING["or_absent"](draw, (*left[:1], *right[:1])))


def _kept_side_filtered(draw: DrawFn, schema: Database) -> Relation:
    join = joined(draw, schema, pick(draw, _KEPT))
    kept = _side(join, left=join.kind == "left")
    return Filter(join, rejecting(draw, kept, kept))


def _on_condition(draw: DrawFn, schema: Database) -> Relation:
    """A condition that rejects padding, but in ON, where it causes padding."""
    kind, padded = pick(draw, _FILTERED)
    join = joined(draw, schema, kind)
    assert join.on is not None  # only cross joins have none
    fields = scope(join.fields)
    conditions = [rejecting(draw, _side(join, left=left), fields) for left in padded]
    return replace(join, on=_all_of([join.on, *conditions]))


def _below_projection(draw: DrawFn, schema: Database, defaults: bool) -> Relation:
    """A filter over a projection, in which the filtered column may have a default for NULL."""
    kind, padded = pick(draw, _FILTERED)
    join = joined(draw, schema, kind)
    columns = [_side(join, left=left)[0].column() for left in padded]
    known = [Lit(column.type, value_at(column.type, 0)) for column in columns]
    pairs = zip(columns, known, strict=True)
    values: list[Expr] = [Coalesce(pair) for pair in pairs] if defaults else [*columns]
    project = Project(join, tuple(Item(f"j{place}", value) for place, value in enumerate(values)))
    compared = zip(project.fields, known, strict=True)
    return Filter(project, _all_of([Compare(">=", field.column(), default) for field, default in compared]))


def _empty_side(draw: DrawFn, schema: Database) -> Relation:
    """An outer join with an empty padded side."""
    left, right = join_sides(draw, schema)
    never = Alias(Filter(right, Compare("<>", right.fields[0].column(), right.fields[0].column())), "nothing")
    join = Join(left, never, "left", draw(join_conditions(left, never)))
    right_side = _side(join, left=False)
    return Filter(join, rejecting(draw, right_side, right_side))


def _counted(draw: DrawFn, schema: Database) -> Relation:
    """A count of the kept side's rows, repeated for each partner."""
    join = joined(draw, schema, pick(draw, _KEPT))
    return _aggregate(draw, join, _side(join, left=join.kind == "left"), _COUNTING)


def _other_sides_key(draw: DrawFn, schema: Database) -> Relation:
    """An aggregate grouped by a column of the padded side."""
    join = joined(draw, schema, pick(draw, _KEPT))
    is_left = join.kind == "left"
    padded = _side(join, left=not is_left)
    return _aggregate(draw, join, _side(join, left=is_left), _REPEATABLE, keys=padded[:1])


def _full_grouped(draw: DrawFn, schema: Database) -> Relation:
    join = joined(draw, schema, "full")
    return _aggregate(draw, join, _side(join, left=True), _REPEATABLE)


def _many_partners(draw: DrawFn, schema: Database) -> Relation:
    return _kept_side(draw, schema, pick(draw, _KEPT), unique=False)


def _bare(draw: DrawFn, schema: Database) -> Relation:
    """An outer join with a condition beside the key, by hash, of the side whose rows are all kept (SPARK-46037)."""
    join = joined(draw, schema, pick(draw, _KEPT))
    assert join.on is not None  # only cross joins have none
    return replace(join, on=_all_of([join.on, draw(predicates(scope(join.fields), depth=1))]))


def _inner(draw: DrawFn, schema: Database) -> Relation:
    join = joined(draw, schema, "inner")
    fields = scope(join.fields)
    return Filter(join, draw(predicates(fields)) if one_in(draw, 2) else rejecting(draw, fields, fields))


_HASHED = {"join": "left hash", "codegen": False, "conf": ()}
NEAR_MISSES = (
    *(NearMiss(name, partial(_over_padding, condition), fires=False) for name, condition in ADMITTING.items()),
    NearMiss("or_absent_on_the_other_side", lambda: file_cases(over_tables(_either_side)), fires=False),
    NearMiss("kept_side_filtered", lambda: file_cases(over_tables(_kept_side_filtered)), fires=False),
    NearMiss("condition_in_on", lambda: file_cases(over_tables(_on_condition)), fires=False, weight=3),
    NearMiss("below_a_projection", lambda: file_cases(over_tables(_below_projection, defaults=False)), fires=True),
    NearMiss("below_a_default", lambda: file_cases(over_tables(_below_projection, defaults=True)), fires=False),
    NearMiss("empty_side", lambda: file_cases(over_tables(_empty_side)), fires=True),
    NearMiss("partners_counted", lambda: file_cases(over_tables(_counted)), fires=False, weight=2),
    NearMiss("grouped_by_the_other_side", lambda: file_cases(over_tables(_other_sides_key)), fires=False),
    NearMiss("full_join_grouped", lambda: file_cases(over_tables(_full_grouped)), fires=False),
    NearMiss("many_partners", lambda: file_cases(over_tables(_many_partners)), fires=False, weight=2),
    NearMiss("bare", lambda: file_cases(over_tables(_bare), needs=_HASHED), fires=False),
    NearMiss("inner_join", lambda: file_cases(over_tables(_inner)), fires=False),
)
