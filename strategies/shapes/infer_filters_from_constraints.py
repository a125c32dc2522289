"""Shape of InferFiltersFromConstraints: conditions that imply other conditions.

Compared columns aren't NULL, and each of two equal columns meets the conditions on the other one.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields, predicates
from strategies.draw.queries import scope
from strategies.draw.tables import schemas
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
from strategies.shapes.forms import Question, file_cases
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


@st.composite
def _questions(draw: DrawFn) -> Question:
    schema = draw(schemas())
    if draw(st.booleans()):
        return schema, _joined(draw, schema)
    table = scan(pick(draw, schema.tables))
    condition = _compared(draw, scope(table.fields))
    if one_in(draw, 4):
        condition = And(condition, draw(predicates(scope(table.fields), depth=1)))
    return schema, in_context(draw, schema, Filter(table, condition))


def _joined(draw: DrawFn, schema: Database) -> Relation:
    """Joins by an equality, now and then with a condition on one of its columns that implies one on the other."""
    left, right = join_sides(draw, schema)
    join = Join(left, right, pick(draw, _INFERRING), _equality(draw, left, right))
    kept = scope(join.fields)[: len(left.fields)]
    relation = Filter(join, _compared(draw, kept)) if one_in(draw, 3) else join
    return joined_in_context(draw, schema, relation, len(left.fields))


def fires() -> SearchStrategy[Case]:
    """Filters by comparison and joins by equality; shrinks to ``SELECT * FROM t0 WHERE a = 0``."""
    return file_cases(_questions())


# Near misses.


@st.composite
def _filtered(draw: DrawFn, kind: str) -> Question:
    """A filter that NULL passes."""
    schema = draw(schemas(max_tables=1))
    table = scan(schema.tables[0])
    return schema, Filter(table, ADMITTING[kind](draw, scope(table.fields)))


@st.composite
def _null_safe(draw: DrawFn) -> Question:
    schema = draw(schemas())
    left, right = join_sides(draw, schema)
    return schema, Join(left, right, pick(draw, _INFERRING), _equality(draw, left, right, "<=>"))


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


@st.composite
def _full(draw: DrawFn) -> Question:
    schema = draw(schemas())
    left, right = join_sides(draw, schema)
    return schema, Join(left, right, "full", _equality(draw, left, right))


@st.composite
def _outer(draw: DrawFn) -> Question:
    """An outer join, which keeps the rows of the kept side with a NULL key."""
    schema = draw(schemas())
    left, right = join_sides(draw, schema)
    return schema, Join(left, right, pick(draw, ("left", "right", "anti")), _equality(draw, left, right))


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


@st.composite
def _known_already(draw: DrawFn) -> Question:
    """Conditions that imply no condition, or only conditions that are there already."""
    schema = draw(schemas(max_tables=1))
    table = scan(schema.tables[0])
    column = pick(draw, scope(table.fields)).column()
    return schema, Filter(table, IsNull(column, negated=draw(st.booleans())))


def _cross() -> SearchStrategy[Question]:
    database = left_and_right((Column("a", INT),), ())
    left, right = scans_of(database)
    return st.just((database, Join(left, right, "cross")))


NEAR_MISSES = (
    NearMiss("default", lambda: file_cases(_filtered("default")), fires=False),
    NearMiss("or_absent", lambda: file_cases(_filtered("or_absent")), fires=False),
    NearMiss("null_safe_join", lambda: file_cases(_null_safe()), fires=False, weight=2),
    NearMiss("null_safe_filter", lambda: file_cases(_null_safe_filter()), fires=False, weight=2),
    NearMiss("either_column", lambda: file_cases(_either()), fires=False, weight=2),
    NearMiss("full_join", lambda: file_cases(_full()), fires=False),
    NearMiss("outer_and_anti_joins", lambda: file_cases(_outer()), fires=True, weight=2),
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
    NearMiss("known_already", lambda: file_cases(_known_already()), fires=False),
    NearMiss("cross_join", lambda: file_cases(_cross()), fires=False),
)
