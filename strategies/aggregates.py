"""Aggregate functions over given fields: none can overflow, and every sum is exact in any order."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draws import pick, rarely
from strategies.exactness import FieldBits, expression_bits
from strategies.exprs import Fields, check_depth, expressions, is_small, kinds, predicates
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    Agg,
    AggFunction,
    CaseWhen,
    Expr,
    SqlType,
    When,
    aggregate_type,
)

_FUNCTIONS: tuple[AggFunction, ...] = ("count", "sum", "min", "max", "avg", "count", "sum", "every", "some")


@st.composite
def _aggregates(draw: DrawFn, fields: Fields, bits: FieldBits, depth: int) -> Agg:
    function = pick(draw, _FUNCTIONS)
    where = draw(predicates(fields, depth=depth)) if rarely(draw, 5) else None
    if function == "count" and not rarely(draw, 3):
        return Agg("count", where=where)
    if function in ("every", "some"):
        operand = draw(predicates(fields, depth=depth))
    else:
        operand = draw(expressions(fields, pick(draw, _operand_kinds(fields, function)), depth=depth))
    distinct = rarely(draw, 4)
    if function in ("sum", "avg"):
        bounded = _bounded(operand, fields, bits)
        return Agg(function if bounded else "min", bounded or operand, distinct, where)
    return Agg(function, operand, distinct, where)


def aggregates(fields: Fields, *, bits: FieldBits | None = None, depth: int = 1) -> SearchStrategy[Agg]:
    """Aggregates over ``fields``, with DISTINCT and FILTER; shrinks to ``count(*)``.

    ``bits`` says which doubles can be summed (:func:`strategies.exactness.field_bits`); without it none can.
    Sums of BIGINT take small values alone. Raises InvalidArgument for a depth outside 0..4.
    """
    check_depth(depth)
    return _aggregates(fields, bits if bits is not None else (None,) * len(fields), depth)


@lru_cache(maxsize=4096)
def _operand_kinds(fields: Fields, function: AggFunction) -> tuple[SqlType, ...]:
    return tuple(kind for kind in kinds(fields) if aggregate_type(function, kind) is not None) or (INT,)


def _bounded(operand: Expr, fields: Fields, bits: FieldBits) -> Expr | None:
    """``operand`` so that its sum neither overflows nor rounds, or None where that can't be had."""
    if operand.type == BIGINT:
        return CaseWhen((When(is_small(operand), operand),))
    if operand.type != DOUBLE:
        return operand
    known = expression_bits(operand, fields, bits)
    return operand if known is not None and known.summable else None
