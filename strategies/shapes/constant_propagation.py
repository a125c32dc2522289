"""Shape of ConstantPropagation: filters that set a column equal to a constant, and use the column once more."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns, comparable
from strategies.draw.queries import scope
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    INT,
    STRING,
    Alias,
    And,
    Case,
    Cast,
    Coalesce,
    Col,
    Collated,
    Column,
    Compare,
    CompareOp,
    Expr,
    InList,
    Join,
    JoinKind,
    Lit,
    Not,
    Or,
    Relation,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, number_of_rows
from strategies.shapes.filters import about
from strategies.shapes.forms import Question, file_cases
from strategies.shapes.groups import one_table
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import Make, anywhere, filtered, miss_over, projected

RULE = "ConstantPropagation"
_OPS: tuple[CompareOp, ...] = (">=", "<=", ">", "<", "<>")
_KINDS: tuple[JoinKind, ...] = ("inner", "left", "full")


def _equality(draw: DrawFn, column: Col, value: Lit) -> Expr:
    op: CompareOp = "<=>" if one_in(draw, 4) else "="
    return Compare(op, column, value)


def _with(draw: DrawFn, fields: Fields, column: Col, value: Lit) -> Expr:
    """A comparison of ``column`` with another column or a constant, mostly ``value``."""
    if one_in(draw, 4):
        default = Coalesce((column, known_literal(draw, column.type)))
        return Compare(pick(draw, _OPS), default, known_literal(draw, column.type))
    others = comparable(fields, column)
    if others and one_in(draw, 2):
        return Compare(pick(draw, ("=", *_OPS)), pick(draw, others), column)
    if one_in(draw, 3):
        return Compare(pick(draw, _OPS), column, known_literal(draw, column.type))
    return Compare(pick(draw, _OPS[:2]), column, value)


def _propagated(draw: DrawFn, fields: Fields) -> Expr:
    # No BOOLEAN: another rule removes a comparison with true.
    column = pick(draw, [column for column in columns(fields) if column.type != BOOLEAN] or columns(fields))
    value = known_literal(draw, column.type)
    equality, rest = _equality(draw, column, value), _with(draw, fields, column, value)
    both = And(rest, equality) if draw(st.booleans()) else And(equality, rest)
    if not one_in(draw, 2):
        return both
    return pick(draw, (Or, Or, And))(both, about(draw, fields))


def _over_a_join(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    """A filter over an inner or outer join of the relation with itself."""
    other = Alias(relation, "s0")
    fields = scope((*relation.fields, *other.fields))
    on = Compare("=", fields[0].column(), fields[len(relation.fields)].column())
    join = Join(relation, other, pick(draw, _KINDS), on)
    return apart(filtered(draw, join, make), fields)


def fires() -> SearchStrategy[Case]:
    """Filters by an equality and another condition on its column; shrinks to ``WHERE a = 0 AND a >= 0``."""
    return anywhere(_propagated, places=(*[filtered] * 4, _over_a_join))


_COLUMNS = (Column("a", INT), Column("b", INT))
_TEXTS = (Column("a", Collated("UTF8_LCASE")), Column("b", INT))
_DOUBLES = (Column("a", DOUBLE), Column("b", DOUBLE))


def _parts(draw: DrawFn, fields: Fields) -> tuple[Expr, Expr]:
    """``a = 0`` and ``b = a``, or with the columns exchanged, or another comparison of both."""
    one, two = pick(draw, (columns(fields), columns(fields)[::-1]))
    equality = Compare("=", one, known_literal(draw, one.type))
    return equality, Compare(pick(draw, ("=", *_OPS)), two, one)


def _both(draw: DrawFn, fields: Fields) -> Expr:
    return And(*_parts(draw, fields))


def _either(draw: DrawFn, fields: Fields) -> Expr:
    return Or(*_parts(draw, fields))


def _not_both(draw: DrawFn, fields: Fields) -> Expr:
    return Not(_both(draw, fields))


def _twice(draw: DrawFn, fields: Fields) -> Expr:
    """Equalities of one column with two constants, which no row meets."""
    column = pick(draw, columns(fields))
    one, two = pick(draw, ((0, 1), (1, 0), (2, 0)))
    return And(Compare("=", column, Lit(INT, one)), Compare("=", column, Lit(INT, two)))


def _listed(draw: DrawFn, fields: Fields) -> Expr:
    one, two = columns(fields)
    equality = Compare("=", one, known_literal(draw, one.type))
    return And(equality, InList(two, (one, Lit(one.type, None))))


def _ordered(draw: DrawFn, fields: Fields) -> Expr:
    """A comparison other than ``=`` with a constant, and another condition on that column."""
    one, two = pick(draw, (columns(fields), columns(fields)[::-1]))
    value = known_literal(draw, one.type)
    rest = Compare(pick(draw, ("<>", ">", "<")), one, value)
    return And(Compare(pick(draw, _OPS[:2]), one, value), pick(draw, (rest, rest, Compare("=", two, one))))


@st.composite
def _in_on(draw: DrawFn) -> Question:
    """An outer join with ON about the kept side alone, which drops none of its rows."""
    database, table = one_table(*_COLUMNS)
    other = Alias(table, "s0")
    fields = scope((*table.fields, *other.fields))
    return database, Join(table, other, "left", _both(draw, fields[:2]))


def _under_a_collation(draw: DrawFn, fields: Fields) -> Expr:
    """``a = 'x' AND CAST(a AS STRING) = 'X'``: texts that are equal under the collation alone (SPARK-55647)."""
    column = fields[0].column()
    one, two = pick(draw, (("a", "A"), ("A", "a"), ("a", "a")))
    equality = Compare("=", column, Lit(column.type, one))
    rest = Compare(pick(draw, ("=", *_OPS)), Cast(column, STRING), Lit(STRING, two))
    return And(rest, equality) if draw(st.booleans()) else And(equality, rest)


def _counted(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    """The number of rows that meet the condition: of equal texts under a collation an engine may show any."""
    return number_of_rows(filtered(draw, relation, make))


_miss = partial(miss_over, columns=_COLUMNS)


NEAR_MISSES = (
    _miss("both", _both, filtered, fires=True, weight=2),
    _miss("either", _either, filtered, fires=False, weight=2),
    _miss("not_both", _not_both, filtered, fires=False, weight=3),
    _miss("as_a_column", _both, projected, fires=False, weight=3),
    NearMiss("in_on", lambda: file_cases(_in_on()), fires=False),
    _miss("two_constants", _twice, filtered, fires=True),
    _miss("in_a_list", _listed, filtered, fires=False),
    _miss("an_order", _ordered, filtered, fires=False, weight=2),
    _miss("under_a_collation", _under_a_collation, _counted, fires=False, columns=_TEXTS),
    _miss("zeros_and_nan", _both, filtered, fires=True, columns=_DOUBLES),
)
