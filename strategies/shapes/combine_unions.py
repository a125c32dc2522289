"""Shape of CombineUnions: a UNION ALL of a UNION ALL, or a UNION of either kind, becomes one union of all branches.

Spark combines a DataFrame's unions as they are made, before the optimizer, so all cases are SQL.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import pick
from strategies.draw.queries import scope
from strategies.ir import (
    INT,
    Alias,
    Case,
    Column,
    Database,
    Filter,
    Item,
    Limit,
    Project,
    Relation,
    SetKind,
    SetOp,
    SortKey,
    TryArith,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.data import PAIR, PAIRS, left_and_right, scans_of
from strategies.shapes.filters import about
from strategies.shapes.forms import Question, file_cases, over_fixed, over_tables
from strategies.shapes.sides import side, sides, union_all

RULE = "CombineUnions"
_Step = Callable[[DrawFn, Relation], Relation]


_cases_of = partial(file_cases, forms_of=sql_only)


def _distinct(left: Relation, right: Relation) -> SetOp:
    return SetOp("union", left, right)


def _branch(draw: DrawFn, schema: Database) -> Relation:
    """A branch as wide as the narrowest table, so that all branches fit."""
    width = min(len(table.columns) for table in schema.tables)
    return side(draw, pick(draw, schema.tables), width)


def _pair(draw: DrawFn, schema: Database) -> tuple[Relation, Relation]:
    return _branch(draw, schema), _branch(draw, schema)


# Operators between the two unions.


def _nothing(draw: DrawFn, union: Relation) -> Relation:
    return union


def _renamed(draw: DrawFn, union: Relation) -> Relation:
    fields = scope(union.fields)
    return Project(union, tuple(Item(f"r{place}", field.column()) for place, field in enumerate(fields)))


def _filtered(draw: DrawFn, union: Relation) -> Relation:
    return Filter(union, about(draw, scope(union.fields)))


def _named(draw: DrawFn, union: Relation) -> Relation:
    return Alias(union, "inner_query")


_BETWEEN: tuple[_Step, ...] = (*[_nothing] * 4, *[_renamed] * 2, _filtered, _named)


def _questions(draw: DrawFn, schema: Database) -> Relation:
    upper, lower = pick(
        draw, ((union_all, union_all), (union_all, union_all), (_distinct, union_all), (_distinct, _distinct))
    )
    between = _nothing if lower is _distinct else pick(draw, _BETWEEN)
    nested = between(draw, lower(*_pair(draw, schema)))
    other = _branch(draw, schema)
    union = upper(other, nested) if draw(st.booleans()) else upper(nested, other)
    return in_context(draw, schema, union)


def fires() -> SearchStrategy[Case]:
    """A union of a union, on either side; shrinks to ``t0 UNION ALL t0 UNION ALL t0``."""
    return _cases_of(over_tables(_questions))


_TURNED = (Column("b", INT), Column("a", INT))


def _distinct_below(draw: DrawFn, schema: Database) -> Relation:
    """A UNION below a UNION ALL: only the UNION's rows are distinct."""
    nested, other = _distinct(*_pair(draw, schema)), _branch(draw, schema)
    return union_all(other, nested) if draw(st.booleans()) else union_all(nested, other)


def _one_branch_again(draw: DrawFn, schema: Database) -> Relation:
    """A branch that is there twice, on either level."""
    one, two = _pair(draw, schema)
    return union_all(union_all(one, two), pick(draw, (one, two)))


@st.composite
def _projected(draw: DrawFn) -> Question:
    """Columns in another place, or computed, between unions whose branches have the same names in another order."""
    database = left_and_right(PAIR, (), _TURNED)
    left, right = scans_of(database)
    union = union_all(left, right)
    first, second = (field.column() for field in union.fields)
    values = pick(draw, ((second, first), (first, second), (TryArith("-", first, second), second)))
    nested = Project(union, (Item("x", values[0]), Item("y", values[1])))
    return database, union_all(nested, pick(draw, (left, right)))


def _projected_distinct(draw: DrawFn, upper_all: bool) -> Relation:
    """One column of a UNION, below another one."""
    left, right = scans_of(PAIRS)
    nested = _distinct(left, right)
    place = pick(draw, (0, 1))
    column, other = (Project(of, (Item("x", of.fields[place].column()),)) for of in (nested, left))
    return SetOp("union", column, other, all=upper_all)


def _limited(draw: DrawFn, schema: Database) -> Relation:
    """The first rows of a union, below another one."""
    union = union_all(*_pair(draw, schema))
    keys = tuple(SortKey(field.column()) for field in scope(union.fields))
    return union_all(Limit(union, keys, pick(draw, (1, 2, 3))), _branch(draw, schema))


def _of_others(draw: DrawFn, schema: Database) -> Relation:
    """EXCEPT or INTERSECT between two unions."""
    kind: SetKind = pick(draw, ("except", "intersect"))
    return union_all(SetOp(kind, *_pair(draw, schema), all=draw(st.booleans())), _branch(draw, schema))


def _alone(draw: DrawFn, schema: Database) -> Relation:
    return SetOp("union", *sides(draw, schema), all=draw(st.booleans()))


NEAR_MISSES = (
    NearMiss("distinct_below_all", lambda: _cases_of(over_tables(_distinct_below)), fires=False, weight=2),
    NearMiss(
        "column_of_distinct_below_all",
        lambda: _cases_of(over_fixed(PAIRS, _projected_distinct, upper_all=True)),
        fires=False,
    ),
    NearMiss(
        "column_of_distinct_below_distinct",
        lambda: _cases_of(over_fixed(PAIRS, _projected_distinct, upper_all=False)),
        fires=True,
    ),
    NearMiss("one_branch_again", lambda: _cases_of(over_tables(_one_branch_again)), fires=True),
    NearMiss("projection_between", lambda: _cases_of(_projected()), fires=True, weight=2),
    NearMiss("limit_between", lambda: _cases_of(over_tables(_limited)), fires=False),
    NearMiss("except_and_intersect", lambda: _cases_of(over_tables(_of_others)), fires=False),
    NearMiss("one_union", lambda: _cases_of(over_tables(_alone)), fires=False),
)
