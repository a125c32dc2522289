"""RemoveRepetitionFromGroupExpressions: a GROUP BY that names one key twice, be it spelt in another way."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields, kinds
from strategies.draw.joins import join_conditions
from strategies.draw.operands import comparable
from strategies.draw.queries import scope
from strategies.draw.scopes import fresh_alias
from strategies.ir import (
    INT,
    Alias,
    And,
    Case,
    Compare,
    CompareOp,
    Database,
    Expr,
    Item,
    Join,
    Lit,
    Or,
    Project,
    Relation,
    TryArith,
    columns_of,
    referable,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_expressions
from strategies.shapes.context import in_context
from strategies.shapes.data import PAIR
from strategies.shapes.forms import Question, file_cases, over_one_table, over_tables
from strategies.shapes.groups import grouped, one_table
from strategies.shapes.sides import scan, source, two_tables

RULE = "RemoveRepetitionFromGroupExpressions"


def _key(draw: DrawFn, fields: Fields) -> Expr:
    """A column more often than not; never a constant, which is no key when repetition is looked for."""
    column = pick(draw, fields).column()
    if not one_in(draw, 3):
        return column
    others = [other for other in comparable(fields, column) if other.type == column.type]
    if others and not one_in(draw, 2):
        op: CompareOp = pick(draw, ("=", "<=>"))
        return Compare(op, column, pick(draw, others))
    computed = draw(plain_expressions(fields, pick(draw, kinds(fields)), depth=1))
    return computed if columns_of(computed) else column


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    fields = referable(scope(child.fields))
    key = _key(draw, fields)
    others = [_key(draw, fields) for _ in range(pick(draw, (0, 0, 1, 2)))]
    keys = [key, *others, _other_way_round(key) if draw(st.booleans()) else key]
    return in_context(draw, schema, grouped(draw, child, keys))


def _other_way_round(key: Expr) -> Expr:
    """The same key with its operands swapped, where that is the same."""
    match key:
        case Compare(op="=" | "<=>", left=left, right=right) if left.type == right.type:
            return Compare(key.op, right, left)
        case And(left=left, right=right):
            return And(right, left)
        case Or(left=left, right=right):
            return Or(right, left)
    return key


def fires() -> SearchStrategy[Case]:
    """Grouping by one key twice; shrinks to ``GROUP BY a, a``."""
    return file_cases(over_tables(_query))


def _of_pair(*spelt: tuple[Expr, Expr]) -> SearchStrategy[Case]:
    """Grouping by one of the pairs of keys over two columns of INT."""
    return file_cases(_paired(spelt))


@st.composite
def _paired(draw: DrawFn, spelt: tuple[tuple[Expr, Expr], ...]) -> Question:
    database, child = one_table(*PAIR)
    return database, grouped(draw, child, pick(draw, spelt))


_A, _B = (field.column() for field in scope(one_table(*PAIR)[1].fields))
_SWAPPED = (
    (Compare("=", _A, _B), Compare("=", _B, _A)),
    (Compare("<=>", _A, _B), Compare("<=>", _B, _A)),
    (Compare("<", _A, _B), Compare(">", _B, _A)),
)
_UNLIKE = (
    (TryArith("+", _A, _B), TryArith("-", _A, _B)),
    (TryArith("-", _A, _B), TryArith("-", _B, _A)),
    (TryArith("*", _A, _B), TryArith("+", _A, _B)),
    (Compare("<", _A, _B), Compare("<", _B, _A)),
    (Compare("=", _A, _B), Compare("<=>", _A, _B)),
)
_SAME_VALUE = (
    (_A, TryArith("+", _A, Lit(INT, 0))),
    (TryArith("-", _A, Lit(INT, 0)), _A),
)


def _same_names(draw: DrawFn, schema: Database) -> Relation:
    """Columns of one name, one of each side of a join."""
    one, two = two_tables(draw, schema)
    left, right = scan(one), Alias(scan(two), fresh_alias(scan(one), scan(two)))
    join = Join(left, right, pick(draw, ("left", "full", "inner")), draw(join_conditions(left, right)))
    names = [field.name for field in left.fields if field.name in {other.name for other in right.fields}]
    name = pick(draw, names or [left.fields[0].name])
    keys = [field.column() for field in scope(join.fields) if field.name == name]
    return grouped(draw, join, keys)


def _renamed_below(draw: DrawFn, schema: Database) -> Relation:
    """One column under two names of a nested query: it takes later rules to see that."""
    column = scope(scan(schema.tables[0]).fields)[0].column()
    child = Project(scan(schema.tables[0]), (Item("x", column), Item("y", column)))
    return grouped(draw, child, [field.column() for field in child.fields])


def _each_once(draw: DrawFn, schema: Database) -> Relation:
    child = scan(schema.tables[0])
    return grouped(draw, child, [field.column() for field in scope(child.fields)])


def _constant_twice(draw: DrawFn, schema: Database) -> Relation:
    """Constants are no keys any more when repetition is looked for."""
    child = scan(schema.tables[0])
    constant = Lit(INT, pick(draw, (0, 1, None)))
    return grouped(draw, child, [scope(child.fields)[0].column(), constant, constant])


NEAR_MISSES = (
    NearMiss("operands_swapped", lambda: _of_pair(*_SWAPPED), fires=True),
    NearMiss("sum_and_difference", lambda: _of_pair(*_UNLIKE), fires=False, weight=2),
    NearMiss("plus_zero", lambda: _of_pair(*_SAME_VALUE), fires=False),
    NearMiss("same_name_on_both_sides", lambda: file_cases(over_tables(_same_names)), fires=False, weight=2),
    NearMiss("renamed_below", lambda: file_cases(over_one_table(_renamed_below)), fires=False),
    NearMiss("each_once", lambda: file_cases(over_one_table(_each_once)), fires=False),
    NearMiss("constant_twice", lambda: file_cases(over_one_table(_constant_twice)), fires=False),
)
