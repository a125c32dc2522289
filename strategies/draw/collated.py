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
    operand = Collate(column, collation)
    form = draw(below(8))
    if form < 3:
        other = Collate(pick(draw, texts), collation) if one_in(draw, 3) else draw_literal(draw, operand.type)
        return Compare(pick(draw, LIKELY_OPS), operand, other)
    if form < 5:
        items = tuple(draw_literal(draw, operand.type) for _ in range(pick(draw, (2, 1, 3))))
        return InList(operand, items, draw(st.booleans()))
    if form == 5:
        low, high = draw_literal(draw, operand.type), draw_literal(draw, operand.type)
        return Between(operand, low, high, draw(st.booleans()))
    operand = Collate(column, _WITHOUT_CASE.collation)
    if form == 6:
        return Call("like", (operand, Lit(_WITHOUT_CASE, pick(draw, CONSTANTS["like"][0]))))
    return Call(pick(draw, _SEARCHES), (operand, draw_literal(draw, _WITHOUT_CASE)))


def or_collated(draw: DrawFn, *texts: Expr, one_of: int = 4) -> tuple[Expr, ...]:
    """``texts`` under one collation, in one of ``one_of`` draws if all are STRING; else as they are."""
    if any(text.type != STRING for text in texts) or not one_in(draw, one_of):
        return texts
    collation: Collation = pick(draw, COLLATIONS)
    return tuple(Collate(text, collation) for text in texts)
