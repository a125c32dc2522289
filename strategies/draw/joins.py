"""Draw join conditions: mostly equalities of columns that share values, and any other condition as well."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.collated import or_collated
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import any_expressions, expressions, predicates
from strategies.draw.operands import Fields
from strategies.draw.scopes import fresh_alias, scope
from strategies.ir import (
    JOIN_HINTS,
    Alias,
    And,
    Col,
    Compare,
    Database,
    Expr,
    IsNull,
    Join,
    JoinKind,
    Or,
    Relation,
    Scan,
    SqlType,
    common_type,
    from_fields,
    referable,
    takes_hint,
)


@st.composite
def _join_conditions(draw: DrawFn, left: Relation, right: Relation) -> Expr:
    fields = scope(from_fields(left) + from_fields(right))
    width = len(left.fields)
    known = referable(fields)
    pairs = _pairs(fields[:width], fields[width:], known)
    shape = draw(_ON_SHAPES)
    if not pairs or shape == "any":
        return draw(predicates(fields, depth=pick(draw, (1, 1, 2))))
    if shape == "computed":
        computed = _computed(draw, fields, width, pick(draw, pairs)[0].type)
        return And(computed, draw(predicates(fields, depth=0))) if one_in(draw, 3) else computed
    if shape == "equal or null":
        one, two = pick(draw, pairs)
        return Or(Compare("=", one, two), And(IsNull(one), IsNull(two)))
    equality = _equality(draw, pairs)
    if shape == "either":
        own, other = (tuple(field for field in side if field in known) for side in (fields[:width], fields[width:]))
        first = And(draw(predicates(own, depth=0)), draw(predicates(other, depth=0)))
        return Or(first, And(draw(predicates(own, depth=0)), equality))
    if shape == "and equal":
        return And(equality, _equality(draw, pairs))
    if shape == "and":
        return And(equality, draw(predicates(fields, depth=1)))
    return Or(equality, draw(predicates(fields, depth=0))) if shape == "or" else equality


def join_conditions(left: Relation, right: Relation) -> SearchStrategy[Expr]:
    """Conditions for a join of ``left`` and ``right``, which have no qualifier in common; shrinks to an equality."""
    return _join_conditions(left, right)


_ON_SHAPES = st.sampled_from(
    (
        *["equal"] * 8,
        *["and equal"] * 2,
        *["and"] * 2,
        *["or"] * 2,
        *["any"] * 2,
        *["computed"] * 3,
        "equal or null",
        "either",
    )
)


def joined_tables(draw: DrawFn, schema: Database, count: int) -> Relation:
    """So many tables of ``schema``, each of them once, or all if there are fewer, in a chain of joins.

    One chain in five has inner joins by equality alone, whose order the optimizer may choose.
    """
    turn, tables = draw(below(len(schema.tables))), schema.tables
    first, *others = (Scan(table.name, table.columns) for table in (tables[turn:] + tables[:turn])[:count])
    joined: Relation = first
    movable = one_in(draw, 5)
    for other in others:
        kind = "inner" if movable else pick(draw, _KINDS_OF_TABLES)
        joined = Join(joined, other, kind, draw((_equalities if movable else join_conditions)(joined, other)))
    return joined


@st.composite
def _equalities(draw: DrawFn, left: Relation, right: Relation) -> Expr:
    fields, width = scope(from_fields(left) + from_fields(right)), len(left.fields)
    pairs = _pairs(fields[:width], fields[width:], referable(fields))
    if not pairs:
        return draw(predicates(fields, depth=0))
    return Compare("=", *pick(draw, pairs))


_KINDS_OF_TABLES: tuple[JoinKind, ...] = ("inner", "left", "inner", "right", "semi", "full", "anti")


def side(draw: DrawFn, relation: Relation) -> Relation:
    """``relation`` as a join's side: a nested query mostly gets an alias, so that its columns aren't ambiguous."""
    if isinstance(relation, (Scan, Alias, Join)) or one_in(draw, 4):
        return relation
    return Alias(relation, fresh_alias(relation))


def hinted(draw: DrawFn, join: Join) -> Join:
    """``join``, one in twelve with a hint how Spark may do it, where the right side has a name."""
    if not takes_hint(join.right) or not one_in(draw, 12):
        return join
    return replace(join, hint=pick(draw, JOIN_HINTS))


@lru_cache(maxsize=4096)
def _pairs(left: Fields, right: Fields, known: Fields) -> tuple[tuple[Col, Col], ...]:
    """Pairs of comparable columns of both sides; those at the same position, which share values, more often."""
    pairs = [
        (one.column(), two.column(), place == other)
        for place, one in enumerate(left)
        for other, two in enumerate(right)
        if one in known and two in known and common_type(one.type, two.type) is not None
    ]
    likely = [(one, two) for one, two, same_place in pairs if same_place]
    return (*likely * len(left), *((one, two) for one, two, _ in pairs))


def _computed(draw: DrawFn, fields: Fields, width: int, kind: SqlType) -> Expr:
    """An equality, or now and then another comparison, of an expression of each side."""
    known = referable(fields)
    left, right = (tuple(field for field in side if field in known) for side in (fields[:width], fields[width:]))
    one = draw(expressions(left, kind, depth=1) if one_in(draw, 2) else any_expressions(left))
    two = draw(expressions(right, one.type, depth=pick(draw, (0, 1))))
    return Compare(pick(draw, ("=", "=", "=", "<=>", "<", ">=")), one, two)


def _equality(draw: DrawFn, pairs: tuple[tuple[Col, Col], ...]) -> Expr:
    one, two = or_collated(draw, *pick(draw, pairs), one_of=6)
    return Compare("<=>" if one_in(draw, 3) else "=", one, two)
