"""Shape of BooleanSimplification: conditions of AND, OR and NOT that have a shorter equivalent, NULL included."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns, columns_of
from strategies.ir import (
    BOOLEAN,
    INT,
    And,
    Case,
    Coalesce,
    Column,
    Compare,
    CompareOp,
    Expr,
    IsNull,
    Lit,
    Not,
    Or,
)
from strategies.shapes import NearMiss
from strategies.shapes.filters import about
from strategies.shapes.nulls import known_literal
from strategies.shapes.places import Make, anywhere, filtered, over, projected

RULE = "BooleanSimplification"
_ORDER_OPS: tuple[CompareOp, ...] = (">", "<", ">=", "<=")
_TRUE, _FALSE = Lit(BOOLEAN, True), Lit(BOOLEAN, False)


def _either_way(draw: DrawFn, one: Expr, two: Expr) -> Expr:
    """AND or OR of both, in either order."""
    return pick(draw, (And(one, two), Or(one, two), And(two, one), Or(two, one)))


def _dual(draw: DrawFn, one: Expr, two: Expr, three: Expr) -> Expr:
    """``(one OR two) AND (one OR three)``, or with AND and OR exchanged."""
    return pick(draw, (And(Or(one, two), Or(one, three)), Or(And(one, two), And(one, three))))


def _de_morgan(draw: DrawFn, fields: Fields) -> Expr:
    one, two = about(draw, fields), about(draw, fields)
    return Not(pick(draw, (And(one, two), Or(one, two))))


def _turned(draw: DrawFn, fields: Fields) -> Expr:
    """``NOT (column > value)``."""
    column = pick(draw, columns(fields))
    return Not(Compare(pick(draw, _ORDER_OPS), column, known_literal(draw, column.type)))


def _not_null_test(draw: DrawFn, fields: Fields) -> Expr:
    return Not(IsNull(pick(draw, columns(fields)), negated=draw(st.booleans())))


def _doubled_not(draw: DrawFn, fields: Fields) -> Expr:
    return Not(Not(about(draw, fields)))


def _repeated(draw: DrawFn, fields: Fields) -> Expr:
    one = about(draw, fields)
    return pick(draw, (And(one, one), Or(one, one)))


def _against_itself(draw: DrawFn, fields: Fields) -> Expr:
    one = about(draw, fields)
    return _either_way(draw, one, Not(one))


def _absorbing(draw: DrawFn, fields: Fields) -> Expr:
    one, two = about(draw, fields), about(draw, fields)
    return pick(draw, (And(one, Or(one, two)), Or(And(two, one), one)))


def _common_part(draw: DrawFn, fields: Fields) -> Expr:
    return _dual(draw, about(draw, fields), about(draw, fields), about(draw, fields))


def _with_constant(draw: DrawFn, fields: Fields) -> Expr:
    return _either_way(draw, about(draw, fields), pick(draw, (_TRUE, _FALSE)))


_FORMS: tuple[Make, ...] = (
    _turned,
    _de_morgan,
    _against_itself,
    _common_part,
    _doubled_not,
    _not_null_test,
    _repeated,
    _absorbing,
    _with_constant,
)


def _simplified(draw: DrawFn, fields: Fields) -> Expr:
    return pick(draw, _FORMS)(draw, fields)


def fires() -> SearchStrategy[Case]:
    """Conditions that can be shortened, anywhere; shrinks to ``WHERE NOT (a > 0)``."""
    return anywhere(_simplified)


_COLUMNS = (Column("a", INT), Column("b", INT), Column("c", BOOLEAN), Column("d", BOOLEAN))


def _unknown_at_times(draw: DrawFn, fields: Fields, name: str, truth: str) -> Expr:
    """An equality of the column ``name``, or the column ``truth``: NULL for some rows; its NOT can't be shortened."""
    number, boolean = (next(field.column() for field in fields if field.name == each) for each in (name, truth))
    return pick(draw, (boolean, Compare("=", number, known_literal(draw, INT))))


def _one(draw: DrawFn, fields: Fields) -> Expr:
    return _unknown_at_times(draw, fields, "a", "c")


def _two(draw: DrawFn, fields: Fields) -> Expr:
    return _unknown_at_times(draw, fields, "b", "d")


def _contradiction(draw: DrawFn, fields: Fields) -> Expr:
    one = _one(draw, fields)
    return _either_way(draw, one, Not(one))


def _absorbs(draw: DrawFn, one: Expr, two: Expr) -> Expr:
    """``one AND (NOT one OR two)``, or with AND and OR exchanged: NULL where ``one`` is, whatever ``two`` is."""
    return pick(
        draw,
        (
            And(one, Or(Not(one), two)),
            Or(one, And(Not(one), two)),
            And(Or(two, Not(one)), one),
            Or(And(two, Not(one)), one),
        ),
    )


def _absorbed_where_null(draw: DrawFn, fields: Fields) -> Expr:
    return _absorbs(draw, _one(draw, fields), _two(draw, fields))


def _absorbed_never_null(draw: DrawFn, fields: Fields) -> Expr:
    truth = Coalesce((pick(draw, columns_of(fields, BOOLEAN)), pick(draw, (_FALSE, _TRUE))))
    return _absorbs(draw, truth, _two(draw, fields))


def _not_both(draw: DrawFn, fields: Fields) -> Expr:
    one, two = _one(draw, fields), _two(draw, fields)
    return Not(pick(draw, (And(one, two), Or(one, two))))


def _not_equal(draw: DrawFn, fields: Fields) -> Expr:
    return Not(Compare("=", pick(draw, columns(fields)[:2]), known_literal(draw, INT)))


def _shared(draw: DrawFn, fields: Fields) -> Expr:
    """A condition with a shared part; the other parts are true of the same rows, and so decide the result."""
    one, two, *_ = columns(fields)
    negated = draw(st.booleans())
    return _dual(draw, _one(draw, fields), IsNull(two, negated), IsNull(one, negated))


def _nothing_shared(draw: DrawFn, fields: Fields) -> Expr:
    one, two, three, four = columns(fields)
    compared = [Compare("=", column, known_literal(draw, INT)) for column in (one, two)]
    return pick(
        draw, (And(Or(compared[0], three), Or(compared[1], four)), Or(And(compared[0], three), And(compared[1], four)))
    )


def _both(make: Make) -> SearchStrategy[Case]:
    return over(_COLUMNS, make, filtered, projected)


NEAR_MISSES = (
    NearMiss("against_itself_where_null", lambda: over(_COLUMNS, _contradiction, projected), fires=True, weight=2),
    NearMiss("absorbed_where_null", lambda: over(_COLUMNS, _absorbed_where_null, projected), fires=False, weight=3),
    NearMiss("absorbed_never_null", lambda: _both(_absorbed_never_null), fires=True),
    NearMiss("not_of_an_order", lambda: over(_COLUMNS[:2], _turned, filtered, projected), fires=True, weight=2),
    NearMiss("not_of_both", lambda: _both(_not_both), fires=True),
    NearMiss("not_of_an_equality", lambda: _both(_not_equal), fires=False),
    NearMiss("a_part_in_common", lambda: over(_COLUMNS, _shared, projected), fires=True, weight=3),
    NearMiss("nothing_in_common", lambda: _both(_nothing_shared), fires=False),
    NearMiss("alone", lambda: _both(_one), fires=False),
)
