"""UpdateAttributeNullability: a column that can no longer be NULL below can't be above.

It shows where an outer join has become an inner one: above it the padded side's columns were taken for nullable. What
they are taken for decides about tests for NULL and counts.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.queries import scope
from strategies.draw.values import value_at
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Alias,
    Case,
    Coalesce,
    Column,
    Compare,
    CompareOp,
    Database,
    Expr,
    Filter,
    IsNull,
    Item,
    Join,
    JoinKind,
    Lit,
    Or,
    Project,
    Relation,
    SetOp,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.forms import Question, file_cases, over_tables
from strategies.shapes.groups import one_table
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import Make, over, projected
from strategies.shapes.sides import join_sides

RULE = "UpdateAttributeNullability"
_OPS: tuple[CompareOp, ...] = ("=", ">=", "<=", "<>", ">", "<")


def _never_null(relation: Relation) -> Relation:
    """The first column of ``relation`` as ``u``, with a default."""
    column = relation.fields[0].column()
    default = Lit(column.type, value_at(column.type, 0))
    return Alias(Project(relation, (Item("u", Coalesce((column, default))),)), "known")


def _joined(draw: DrawFn, left: Relation, right: Relation, kind: JoinKind) -> Join:
    """``left`` with the other side's column that is never NULL, which an outer join pads."""
    if left.fields[0].type != right.fields[0].type:
        right = Alias(left, "s0")
    known = _never_null(right)
    on = Compare("=", left.fields[0].column(), known.fields[0].column())
    return Join(known, left, "right", on) if kind == "right" else Join(left, known, kind, on)


def _u(relation: Relation) -> Expr:
    return next(field.column() for field in scope(relation.fields) if field.name == "u")


def _asked(draw: DrawFn, relation: Relation) -> Relation:
    """Whether ``u`` is NULL, or how often it isn't."""
    if draw(st.booleans()):
        return Aggregate(relation, (), (Item("n", Agg("count", _u(relation))),))
    return Project(relation, (Item("p", IsNull(_u(relation), negated=draw(st.booleans()))),))


def _rejecting(draw: DrawFn, join: Relation) -> Relation:
    column = _u(join)
    return Filter(join, Compare(pick(draw, _OPS), column, known_literal(draw, column.type)))


def _query(draw: DrawFn, schema: Database) -> Relation:
    join = _joined(draw, *join_sides(draw, schema), pick(draw, ("left", "right")))
    return in_context(draw, schema, _asked(draw, _rejecting(draw, join)), reads=True)


def fires() -> SearchStrategy[Case]:
    """Outer joins whose padding a filter rejects, and above it a test for NULL of the side that was padded; shrinks to
    a left join of a table with itself.
    """
    return file_cases(over_tables(_query))


_COLUMNS = (Column("a", INT), Column("b", INT))


@st.composite
def _over_a_join(draw: DrawFn, kind: JoinKind, filtered: bool) -> Question:
    database, table = one_table(*_COLUMNS)
    other = Alias(Filter(table, Compare(pick(draw, _OPS), table.fields[1].column(), known_literal(draw, INT))), "s0")
    join = _joined(draw, table, other, kind)
    kept = Filter(join, IsNull(_u(join))) if filtered else join
    return database, _asked(draw, kept)


@st.composite
def _over_a_full_join(draw: DrawFn) -> Question:
    """The other side's rows without a partner are rejected: what is left pads that side alone."""
    database, table = one_table(*_COLUMNS)
    return database, _asked(draw, _rejecting(draw, _joined(draw, table, Alias(table, "s0"), "full")))


@st.composite
def _over_a_union(draw: DrawFn) -> Question:
    """One branch's column is never NULL, the other's may be."""
    database, table = one_table(*_COLUMNS)
    column = table.fields[0].column()
    branches = [
        Project(table, (Item("u", value),)) for value in (Coalesce((column, Lit(INT, 0))), table.fields[1].column())
    ]
    one, two = pick(draw, (branches, branches[::-1]))
    union = SetOp("union", one, two, all=True)
    return database, Aggregate(union, (), (Item("n", Agg("count", _u(union))),))


def _mentioned(draw: DrawFn, fields: Fields) -> Expr:
    return IsNull(fields[0].column(), negated=draw(st.booleans()))


@st.composite
def _over_a_filter(draw: DrawFn) -> Question:
    """The filter asks about the column, and lets NULL pass."""
    database, table = one_table(*_COLUMNS)
    one, two = (field.column() for field in scope(table.fields))
    other = pick(draw, (IsNull(one), Compare("=", two, known_literal(draw, INT))))
    condition = Or(Compare(pick(draw, _OPS), one, known_literal(draw, INT)), other)
    return database, projected(draw, Filter(table, condition), _mentioned)


def _plain(make: Make) -> SearchStrategy[Case]:
    return over(_COLUMNS, make, projected)


NEAR_MISSES = (
    NearMiss("padded", lambda: file_cases(_over_a_join("left", filtered=False)), fires=False, weight=2),
    NearMiss("padding_alone", lambda: file_cases(_over_a_join("right", filtered=True)), fires=False, weight=2),
    NearMiss("full_join", lambda: file_cases(_over_a_full_join()), fires=True),
    NearMiss("inner_join", lambda: file_cases(_over_a_join("inner", filtered=False)), fires=False),
    NearMiss("union", lambda: file_cases(_over_a_union()), fires=False, weight=2),
    NearMiss("mentioned_by_a_filter", lambda: file_cases(_over_a_filter()), fires=False, weight=2),
    NearMiss("table", lambda: _plain(_mentioned), fires=False),
)
