"""Draw aggregate functions over given fields, without overflow, and with sums that are exact in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.collated import or_collated
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import FieldBits, expression_bits, is_summable
from strategies.draw.exprs import Fields, any_expressions, check_depth, expressions, is_small, kinds, predicates
from strategies.draw.made_maps import map_of
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    AGG_FUNCTIONS,
    BIGINT,
    DISTINCT_AGGREGATES,
    DOUBLE,
    INT,
    STRING,
    Agg,
    AggFunction,
    Aggregate,
    CaseWhen,
    Decimal,
    Distinct,
    Expr,
    Lit,
    Relation,
    SetOp,
    SqlType,
    When,
    aggregate_type,
    is_number,
    referable,
)

_COMMON: tuple[AggFunction, ...] = ("count", "sum", "min", "max", "avg", "count", "sum", "every", "some")
_FUNCTIONS: tuple[AggFunction, ...] = (*_COMMON, *_COMMON, *(name for name in AGG_FUNCTIONS if name not in _COMMON))
_SHARES = tuple(Lit(DOUBLE, share.hex()) for share in (0.5, 0.0, 0.25, 1.0))
_SEPARATORS = tuple(Lit(STRING, text) for text in (",", "", "ab"))


@st.composite
def _aggregates(
    draw: DrawFn, fields: Fields, bits: FieldBits, depth: int, plain: bool, functions: tuple[AggFunction, ...]
) -> Agg:
    function = pick(draw, functions or (_COMMON if plain else _FUNCTIONS))
    where = draw(predicates(fields, depth=depth)) if one_in(draw, 5) else None
    if function == "count" and not one_in(draw, 3):
        return Agg("count", where=where)
    if function in ("count", "min", "max") and one_in(draw, 3):
        operand = draw(any_expressions(fields, depth=max(depth, 1)))
    elif function in ("every", "some", "count_if"):
        operand = draw(predicates(fields, depth=depth))
    else:
        kinds_of_operand = _operand_kinds(fields, function, plain) or _KINDS_OF[function]
        own = [column for column in columns(fields) if column.type in kinds_of_operand]
        if own and one_in(draw, 3):
            operand = pick(draw, own)
        else:
            operand = draw(expressions(fields, pick(draw, kinds_of_operand), depth=depth))
    distinct = function in DISTINCT_AGGREGATES and one_in(draw, 4)
    if function == "count" and not distinct and one_in(draw, _MAPS):
        operand = map_of([Lit(INT, 1)], [operand])
    elif function == "count":
        (operand,) = or_collated(draw, operand, one_of=3)
    if function in _SUMS:
        bounded = _bounded(operand, fields, bits)
        return Agg(function if bounded else "min", bounded or operand, distinct, where)
    return Agg(function, operand, distinct, where, () if plain else _others(draw, fields, function))


_SUMS: tuple[AggFunction, ...] = ("sum", "avg")
_MAPS = 12
"""One count of an expression in so many is of maps, none of which is NULL."""


def aggregate_of(
    draw: DrawFn, operand: Expr, fields: Fields, *, bits: FieldBits, functions: tuple[AggFunction, ...]
) -> Agg:
    """One of ``functions`` of ``operand``, an expression over ``fields``; its count if none takes a value of its type,
    or if its sum could overflow or round.
    """
    able = [function for function in functions if aggregate_type(function, operand.type) is not None]
    function = pick(draw, able) if able else "count"
    bounded = _bounded(operand, fields, bits) if function in _SUMS else operand
    if bounded is None:
        return Agg("count", operand)
    return Agg(function, bounded, False, None, () if function == "count" else _others(draw, fields, function))


def _others(draw: DrawFn, fields: Fields, function: AggFunction) -> tuple[Expr, ...]:
    if function in ("percentile", "percentile_approx"):
        return (pick(draw, _SHARES),)
    if function == "listagg":
        return (pick(draw, _SEPARATORS),)
    if function == "regr_count":
        numbers = tuple(kind for kind in kinds(fields) if is_number(kind)) or (INT,)
        return (draw(expressions(fields, pick(draw, numbers), depth=0)),)
    if function in ("max_by", "min_by") or (function == "count" and one_in(draw, 4)):
        return (draw(expressions(fields, pick(draw, kinds(fields)), depth=0)),)
    return ()


def aggregates(
    fields: Fields,
    *,
    bits: FieldBits | None = None,
    depth: int = 1,
    plain: bool = False,
    functions: tuple[AggFunction, ...] = (),
) -> SearchStrategy[Agg]:
    """Aggregates over ``fields``, with DISTINCT and FILTER; shrinks to ``count(*)``.

    Sums of BIGINT use only small values. Raises InvalidArgument for a depth outside 0..4.

    :param bits: the doubles that can be summed (:func:`strategies.draw.exactness.field_bits`); by default none.
    :param plain: only aggregates that windows and pivots support.
    :param functions: only these, or ``min`` where a sum could overflow or round; by default any.
    """
    check_depth(depth)
    return _aggregates(fields, bits if bits is not None else (None,) * len(fields), depth, plain, functions)


def distinct_too(aggregates: Sequence[Agg]) -> list[Agg]:
    """``aggregates``, with DISTINCT for the first two that can have it."""
    able = [place for place, each in enumerate(aggregates) if each.can_be_distinct]
    return [replace(each, distinct=each.distinct or place in able[:2]) for place, each in enumerate(aggregates)]


def distinct_alone(aggregates: Sequence[Agg]) -> list[Agg]:
    """Those of ``aggregates`` that can have DISTINCT, with it, if there are two of them; else all as they are."""
    able = [each for each in aggregates if each.can_be_distinct]
    return [replace(each, distinct=True) for each in able] if len(able) > 1 else [*aggregates]


def with_distinct(draw: DrawFn, child: Relation, results: list[Agg], computed: SearchStrategy[Agg]) -> list[Agg]:
    """``results``, which ``computed`` draws, over ``child``, with DISTINCT now and then; in their place now and then a
    DISTINCT count of one column of rows that are all different.
    """
    known = referable(_parts_of_different(child))
    if known and one_in(draw, 3):
        return [Agg("count", pick(draw, known).column(), True)]
    if len(results) > 1 and one_in(draw, 4):
        return distinct_alone(results) if draw(below(2)) else [*distinct_too(results), draw(computed)]
    return results


def _parts_of_different(child: Relation) -> Fields:
    """The fields that together are never equal in two rows of ``child``, if there are several: each alone may be."""
    fields = scope(child.fields)
    match child:
        case Distinct() | SetOp(all=False):
            parts = fields
        case Aggregate(keys=keys):
            parts = fields[: len(keys)]
        case _:
            parts = ()
    return parts if len(parts) > 1 else ()


@lru_cache(maxsize=4096)
def _operand_kinds(fields: Fields, function: AggFunction, plain: bool) -> tuple[SqlType, ...]:
    found = tuple(kind for kind in kinds(fields) if aggregate_type(function, kind) is not None)
    return tuple(kind for kind in found if not (plain and function == "avg" and isinstance(kind, Decimal)))


_KINDS_OF: dict[AggFunction, tuple[SqlType, ...]] = {
    name: (STRING,) if name == "listagg" else (INT,) for name in AGG_FUNCTIONS
}
"""By function, the type of its operand if no field has a suitable type."""


def _bounded(operand: Expr, fields: Fields, bits: FieldBits) -> Expr | None:
    """``operand``, guarded so that its sum neither overflows nor rounds; None if that is impossible."""
    if operand.type == BIGINT and not is_summable(operand):
        return CaseWhen((When(is_small(operand), operand),))
    if operand.type != DOUBLE:
        return operand
    known = expression_bits(operand, fields, bits)
    return operand if known is not None and known.summable else None
