"""Shape of InferFiltersFromConstraints: conditions that imply other conditions.

Compared columns aren't NULL, and each of two equal columns meets the conditions on the other one.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields, predicates
from strategies.draw.queries import scope
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    STRING,
    Alias,
    And,
    Case,
    Column,
    Compare,
    CompareOp,
    Database,
    Expr,
    Filter,
    IsNull,
    Join,
    JoinKind,
    Or,
    Relation,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context, joined_in_context
from strategies.shapes.data import left_and_right, scans_of
from strategies.shapes.forms import Question, file_cases, over_one_table, over_tables
from strategies.shapes.nulls import ADMITTING, known_literal
from strategies.shapes.sides import join_sides, scan

RULE = "InferFiltersFromConstraints"
_OPS: tuple[CompareOp, ...] = ("=", ">=", "<=", "<>", ">", "<")
_INFERRING: tuple[JoinKind, ...] = ("inner", "left", "right", "semi", "anti")


def _compared(draw: DrawFn, fields: Fields) -> Expr:
    column = pick(draw, fields).column()
    return Compare(pick(draw, _OPS), column, known_literal(draw, column.type))


def _equality(draw: DrawFn, left: Relation, right: Relation, op: CompareOp = "=") -> Expr:
    """A comparison of columns at the same position, where tables of a family have comparable types."""
    fields = scope((*left.fields, *right.fields))
    place = pick(draw, range(min(len(left.fields), len(right.fields))))
    return Compare(op, fields[place].column(), fields[len(left.fields) + place].column())


# Where it fires.


def _query(draw: DrawFn, schema: Database) -> Relation:
    if draw(st.booleans()):
        return _joined(draw, schema)
    table = scan(pick(draw, schema.tables))
    condition = _compared(draw, scope(table.fields))
    if one_in(draw, 4):
        condition = And(condition, draw(predicates(scope(table.fields), depth=1)))
    return in_context(draw, schema, Filter(table, condition))


def _joined(draw: DrawFn, schema: Database) -> Relation:
    """Joins by an equality, now and then with a condition on one of its columns that implies one on the other."""
    left, right = join_sides(draw, schema)
    join = Join(left, right, pick(draw, _INFERRING), _equality(draw, left, right))
    kept = scope(join.fields)[: len(left.fields)]
    relation = Filter(join, _compared(draw, kept)) if one_in(draw, 3) else join
    return joined_in_context(draw, schema, relation, len(left.fields))


def fires() -> SearchStrategy[Case]:
    """Filters by comparison and joins by equality; shrinks to ``SELECT * FROM t0 WHERE a = 0``."""
    return file_cases(over_tables(_query))


# Near misses.


def _filtered(draw: DrawFn, schema: Database, kind: str) -> Relation:
    """A filter that NULL passes."""
    table = scan(schema.tables[0])
    return Filter(table, ADMITTING[kind](draw, scope(table.fields)))


def _null_safe(draw: DrawFn, schema: Database) -> Relation:
    left, right = join_sides(draw, schema)
    return Join(left, right, pick(draw, _INFERRING), _equality(draw, left, right, "<=>"))


@st.composite
def _null_safe_filter(draw: DrawFn) -> Question:
    database = left_and_right((Column("a", INT), Column("b", INT)), ())
    table = scans_of(database)[0]
    one, two = (field.column() for field in scope(table.fields))
    return database, Filter(table, pick(draw, (Compare("<=>", one, two), Compare("<=>", two, one))))


@st.composite
def _either(draw: DrawFn) -> Question:
    """``a = 0 OR b = 0``, which implies IS NOT NULL of neither column."""
    database = left_and_right((Column("a", INT), Column("b", INT)), ())
    table = scans_of(database)[0]
    one, two = (field.column() for field in scope(table.fields))
    return database, Filter(
        table,
        Or(
            Compare(pick(draw, _OPS), one, known_literal(draw, INT)),
            Compare(pick(draw, _OPS), two, known_literal(draw, INT)),
        ),
    )


def _full(draw: DrawFn, schema: Database) -> Relation:
    left, right = join_sides(draw, schema)
    return Join(left, right, "full", _equality(draw, left, right))


def _outer(draw: DrawFn, schema: Database) -> Relation:
    """An outer join, which keeps the rows of the kept side with a NULL key."""
    left, right = join_sides(draw, schema)
    return Join(left, right, pick(draw, ("left", "right", "anti")), _equality(draw, left, right))


@st.composite
def _passed_on(draw: DrawFn, left: Column, right: Column) -> Question:
    """A filter on one side that implies one on the other side, perhaps of another type."""
    database = left_and_right((left,), (), (right,))
    one, two = scans_of(database)
    column = one.fields[0].column()
    kind: JoinKind = pick(draw, ("inner", "left", "semi"))
    condition = Compare(pick(draw, _OPS), column, known_literal(draw, column.type))
    return database, Join(Alias(Filter(one, condition), "f"), two, kind, _filtered_equality(one, two))


def _filtered_equality(one: Relation, two: Relation) -> Expr:
    left = Alias(one, "f").fields[0].column()
    return Compare("=", left, two.fields[0].column())


def _known_already(draw: DrawFn, schema: Database) -> Relation:
    """Conditions that imply no condition, or only conditions that are there already."""
    table = scan(schema.tables[0])
    column = pick(draw, scope(table.fields)).column()
    return Filter(table, IsNull(column, negated=draw(st.booleans())))


def _cross() -> SearchStrategy[Question]:
    database = left_and_right((Column("a", INT),), ())
    left, right = scans_of(database)
    return st.just((database, Join(left, right, "cross")))


NEAR_MISSES = (
    NearMiss("default", lambda: file_cases(over_one_table(_filtered, "default")), fires=False),
    NearMiss("or_absent", lambda: file_cases(over_one_table(_filtered, "or_absent")), fires=False),
    NearMiss("null_safe_join", lambda: file_cases(over_tables(_null_safe)), fires=False, weight=2),
    NearMiss("null_safe_filter", lambda: file_cases(_null_safe_filter()), fires=False, weight=2),
    NearMiss("either_column", lambda: file_cases(_either()), fires=False, weight=2),
    NearMiss("full_join", lambda: file_cases(over_tables(_full)), fires=False),
    NearMiss("outer_and_anti_joins", lambda: file_cases(over_tables(_outer)), fires=True, weight=2),
    NearMiss(
        "passed_on_to_a_wider_column",
        lambda: file_cases(_passed_on(Column("a", INT), Column("b", BIGINT))),
        fires=True,
    ),
    NearMiss(
        "passed_on_to_nan_and_zeros",
        lambda: file_cases(_passed_on(Column("a", DOUBLE), Column("a", DOUBLE))),
        fires=True,
    ),
    NearMiss("passed_on_to_text", lambda: file_cases(_passed_on(Column("a", STRING), Column("b", STRING))), fires=True),
    NearMiss("known_already", lambda: file_cases(over_one_table(_known_already)), fires=False),
    NearMiss("cross_join", lambda: file_cases(_cross()), fires=False),
)
