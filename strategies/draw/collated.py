"""Draw texts under a collation: in conditions, and as keys."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.constants import CONSTANTS
from strategies.draw.draws import below, one_in, pick
from strategies.draw.operands import Fields, columns_of
from strategies.draw.simple_conditions import LIKELY_OPS, comparison
from strategies.draw.values import draw_literal
from strategies.ir import (
    COLLATIONS,
    STRING,
    Between,
    Call,
    Collate,
    Collated,
    Collation,
    Compare,
    Expr,
    InList,
    Lit,
    SqlType,
)

_WITHOUT_CASE = Collated("UTF8_LCASE")
_SEARCHES = ("starts_with", "contains", "ends_with")


def collated_condition(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A condition about a text column under a collation; any comparison where there is no such column."""
    texts = columns_of(fields, STRING)
    if not texts:
        return comparison(draw, fields, kind, depth)
    column, collation = pick(draw, texts), pick(draw, COLLATIONS)
    form = draw(below(8))
    if form > 5:
        return _search(draw, Collate(column, _WITHOUT_CASE.collation), form)
    if form < 3 and one_in(draw, 3):
        return Compare(pick(draw, LIKELY_OPS), *(Collate(text, collation) for text in (column, pick(draw, texts))))
    return _comparison(draw, Collate(column, collation), form)


def condition_about(draw: DrawFn, operand: Expr) -> Expr:
    """A condition about ``operand``, a text under a collation: a comparison with constants, or, without case, a search;
    shrinks to an equality.
    """
    form = draw(below(8))
    if form > 5 and operand.type == _WITHOUT_CASE:
        return _search(draw, operand, form)
    return _comparison(draw, operand, form % 6)


def _comparison(draw: DrawFn, operand: Expr, form: int) -> Expr:
    if form < 3:
        return Compare(pick(draw, LIKELY_OPS), operand, draw_literal(draw, operand.type))
    if form < 5:
        items = tuple(draw_literal(draw, operand.type) for _ in range(pick(draw, (2, 1, 3))))
        return InList(operand, items, draw(st.booleans()))
    low, high = draw_literal(draw, operand.type), draw_literal(draw, operand.type)
    return Between(operand, low, high, draw(st.booleans()))


def _search(draw: DrawFn, operand: Expr, form: int) -> Expr:
    if form == 6:
        return Call("like", (operand, Lit(_WITHOUT_CASE, pick(draw, CONSTANTS["like"][0]))))
    return Call(pick(draw, _SEARCHES), (operand, draw_literal(draw, _WITHOUT_CASE)))


def or_collated(draw: DrawFn, *texts: Expr, one_of: int = 4) -> tuple[Expr, ...]:
    """``texts`` under one collation, in one of ``one_of`` draws if all are STRING; else as they are."""
    if any(text.type != STRING for text in texts) or not one_in(draw, one_of):
        return texts
    collation: Collation = pick(draw, COLLATIONS)
    return tuple(Collate(text, collation) for text in texts)
