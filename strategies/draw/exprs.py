"""Draw expressions: every node of the algebra over given fields, typed and guarded by construction.

No expression drawn here can raise (those of :mod:`strategies.draw.raising` can): integers are widened before they are
added, or added with ``TryArith``, or guarded by a CASE; dates are moved only far from the ends of the calendar; casts
can't fail.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.calls import any_call, call, called, decimals, is_small, try_cast
from strategies.draw.collated import collated_condition
from strategies.draw.draws import below, one_in, pick
from strategies.draw.field_reads import field_reads
from strategies.draw.grammar import Grammar, Rule
from strategies.draw.made_maps import map_read
from strategies.draw.nested_exprs import (
    GOES_THROUGH,
    get_field_of_each,
    get_made_field,
    make_array,
    make_struct,
    nested_rules,
    through_array,
    with_field,
    without_field,
)
from strategies.draw.operands import (
    Fields,
    Types,
    calls,
    columns,
    columns_of,
    decimal_ways,
    functions,
    kinds,
    other_operand,
    own_types,
    sources,
    tried_sources,
)
from strategies.draw.rewritable import cast_through, pinned, shared_and, shared_or, ways_through
from strategies.draw.simple_conditions import LIKELY_OPS, at_bounds, comparison, membership, null_test, value_range
from strategies.draw.user_calls import user_call, user_functions
from strategies.draw.values import draw_literal
from strategies.ir import (
    ARITH_OPS,
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    WHOLE,
    Arith,
    Array,
    Between,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Compare,
    Expr,
    InList,
    IsNull,
    Lit,
    Not,
    NullIf,
    Remainder,
    SqlType,
    Struct,
    TryArith,
    When,
    is_plain,
)

__all__ = ["GRAMMAR", "Fields", "any_expressions", "check_depth", "expressions", "is_small", "kinds", "predicates"]

MAX_DEPTH = 4
_Form = Callable[[DrawFn, Fields, SqlType, int], Expr]

_DIVISORS = (2, 3, -2, 1, 10)
_CASES = ("upper", "lower")


# Expressions of any type.


@st.composite
def _drawn_expressions(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    forms = _forms(fields, kind, depth >= GOES_THROUGH) if depth else _LEAVES
    return pick(draw, forms)(draw, fields, kind, depth)


_expressions = lru_cache(maxsize=4096)(_drawn_expressions)


def expressions(fields: Fields, kind: SqlType, *, depth: int = 2) -> SearchStrategy[Expr]:
    """Expressions of type ``kind`` over ``fields``, about ``depth`` levels deep.

    Shrinks to a column of that type, or to the simplest expression of another column, or to a literal. Ambiguous
    fields are left out. Raises InvalidArgument for a depth outside 0..4.
    """
    check_depth(depth)
    return _expressions(fields, kind, depth)


@st.composite
def _drawn_any(draw: DrawFn, fields: Fields, depth: int) -> Expr:
    form, possible = pick(draw, _roots(fields, depth >= GOES_THROUGH))
    return form(draw, fields, pick(draw, possible), depth)


_any_expressions = lru_cache(maxsize=4096)(_drawn_any)


def any_expressions(fields: Fields, *, depth: int = 2) -> SearchStrategy[Expr]:
    """Expressions of any type over ``fields``, about ``depth`` levels deep, with each kind of node on top as often as
    any other: for the places where ``expressions`` would hardly ever draw the rare ones.

    Shrinks to a column. Raises InvalidArgument for a depth outside 1..4.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise InvalidArgument(f"depth={depth} must be in 1..{MAX_DEPTH}")
    return _any_expressions(fields, depth)


def check_depth(depth: int) -> None:
    """Raise InvalidArgument unless ``depth`` is in range."""
    if not 0 <= depth <= MAX_DEPTH:
        raise InvalidArgument(f"depth={depth} must be in 0..{MAX_DEPTH}")


def _literal(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    return draw_literal(draw, kind)


def _null(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    return Lit(kind, None)


def _column(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A column of ``kind``, or the simplest expression of another column, or a literal."""
    if own := (*columns_of(fields, kind), *field_reads(fields, kind)):
        return pick(draw, own)
    applications = functions(own_types(fields), kind)
    if kind == BOOLEAN and not applications:
        return draw(_predicates(fields, 0))
    casts = () if kind == BOOLEAN else sources(fields, kind)
    if not casts and not applications:
        return draw_literal(draw, kind)
    choice = draw(below(len(casts) + len(applications)))
    if choice < len(casts):
        return Cast(pick(draw, columns_of(fields, casts[choice])), kind)
    return called(draw, GRAMMAR, fields, applications[choice - len(casts)], 1)


_LEAVES: tuple[_Form, ...] = (_column, _column, _column, _column, _literal)


def _cast(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    return Cast(draw(_expressions(fields, pick(draw, sources(fields, kind)), depth - 1)), kind)


def _case(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    results = _predicates(fields, depth - 1) if kind == BOOLEAN else _expressions(fields, kind, depth - 1)
    branches = [When(draw(_predicates(fields, depth - 1)), draw(results)) for _ in range(2 if one_in(draw, 3) else 1)]
    otherwise = None if one_in(draw, 3) else draw(_expressions(fields, kind, 0))
    return CaseWhen(tuple(branches), otherwise)


def _case_of_any(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A CASE of any type, with a result of any kind."""
    result = draw(_any_expressions(fields, depth))
    otherwise = draw(_expressions(fields, result.type, 0)) if one_in(draw, 2) else None
    return CaseWhen((When(draw(_predicates(fields, depth - 1)), result),), otherwise)


def _coalesce(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    first = draw(_expressions(fields, kind, depth - 1))
    rest = [draw(_expressions(fields, kind, 0)) for _ in range(2 if one_in(draw, 4) else 1)]
    return Coalesce((first, *rest))


def _null_if(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    operand = draw(_expressions(fields, kind, depth - 1))
    return NullIf(operand, other_operand(draw, fields, operand))


def _widened(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """Arithmetic in the next wider integer type, into which even products fit."""
    narrow = tuple(source for source in sources(fields, kind) if source in WHOLE)
    narrow = narrow or ((SMALLINT,) if kind == INT else (INT, SMALLINT))
    operands = [Cast(draw(_expressions(fields, pick(draw, narrow), level)), kind) for level in (depth - 1, 0)]
    return Arith(pick(draw, ARITH_OPS), operands[0], operands[1])


def _tried(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    left, right = draw(_expressions(fields, kind, depth - 1)), draw(_expressions(fields, kind, 0))
    return TryArith(pick(draw, ARITH_OPS), left, right)


def _doubles(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    left, right = draw(_expressions(fields, kind, depth - 1)), draw(_expressions(fields, kind, 0))
    return Arith(pick(draw, ARITH_OPS), left, right)


def _guarded(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    operand = draw(_expressions(fields, kind, depth - 1))
    number = Lit(kind, pick(draw, (1, 2, -1, 3, 0)))
    return CaseWhen((When(is_small(operand), Arith(pick(draw, ARITH_OPS), operand, number)),))


def _remainder(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    return Remainder(draw(_expressions(fields, kind, depth - 1)), pick(draw, _DIVISORS))


def _recased(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    operand = draw(_expressions(fields, kind, depth - 1))
    return Call(pick(draw, _CASES), (Call(pick(draw, _CASES), (operand,)),))


def _condition(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    return draw(_predicates(fields, depth - 1))


@lru_cache(maxsize=4096)
def _forms(fields: Fields, kind: SqlType, deep: bool) -> tuple[_Form, ...]:
    """The ways to build an expression of ``kind``, simplest first; with ``deep``, also by functions of elements."""
    own = own_types(fields)
    forms: list[_Form] = [_column, _literal, _case, _coalesce, _null_if]
    if sources(fields, kind):
        forms += [_cast] * 2
    if ways_through(fields, kind):
        forms += [_rule(cast_through)]
    if tried_sources(fields, kind):
        forms += [_rule(try_cast)]
    forms += [_rule(call)] * min(len(calls(own, kind)), 16)
    if user_functions(own, kind):
        forms += [_rule(user_call)] * 2
    if decimal_ways(own, kind):
        forms += [_rule(decimals)] * 2
    forms += map(_rule, nested_rules(own, kind, deep))
    if kind in INTEGERS:
        forms += [*[_tried] * 2, _guarded, _remainder, *([] if kind == SMALLINT else [_widened] * 4)]
    if kind == DOUBLE:
        forms += [_doubles] * 4
    if kind == STRING:
        forms += [_recased]
    if kind == BOOLEAN:
        forms += [_condition] * 4
    return tuple(forms)


@cache
def _rule(rule: Rule) -> _Form:
    return lambda draw, fields, kind, depth: rule(draw, GRAMMAR, fields, kind, depth)


@lru_cache(maxsize=4096)
def _roots(fields: Fields, deep: bool) -> tuple[tuple[_Form, tuple[SqlType, ...]], ...]:
    """One form for each kind of node, with the types to ask it for over ``fields``; with ``deep``, also functions of
    elements.
    """
    possible = tuple(dict.fromkeys(kinds(fields)))
    if not columns(fields):
        return ((_literal, possible),)
    own = own_types(fields)
    numbers = tuple(kind for kind in possible if kind in INTEGERS) or (INT,)
    plain = tuple(kind for kind in possible if is_plain(kind))
    arrays = tuple(kind for kind in possible if isinstance(kind, Array))
    pairs = tuple(Struct((("p", kind), ("q", other))) for kind, other in zip(plain, plain[1:] + plain[:1], strict=True))
    through = (BOOLEAN, *(kind for kind in arrays if is_plain(kind.element))) if deep else ()
    forms: dict[_Form, tuple[SqlType, ...]] = {
        _column: tuple(dict.fromkeys(column.type for column in columns(fields))),
        _literal: possible,
        _null: possible,
        _case: possible,
        _case_of_any: (BOOLEAN,),
        _coalesce: possible,
        _null_if: possible,
        _arithmetic: tuple(kind for kind in possible if _adds(own, kind)) or (INT,),
        _tried: numbers,
        _remainder: numbers,
        **dict.fromkeys((comparison, null_test, membership, value_range, _and, _or, _not), (BOOLEAN,)),
        _cast: tuple(kind for kind in possible if sources(fields, kind)),
        _rule(try_cast): tuple(kind for kind in possible if tried_sources(fields, kind)),
        _rule(call): tuple(kind for kind in possible if calls(own, kind)),
        _rule(any_call): (BOOLEAN,),
        _rule(user_call): tuple(kind for kind in possible if user_functions(own, kind)),
        _rule(make_array): arrays or tuple(map(Array, plain[:1])),
        **dict.fromkeys(map(_rule, (make_struct, with_field, without_field)), pairs),
        **dict.fromkeys((_rule(get_made_field), _rule(map_read)), plain),
        _rule(get_field_of_each): tuple(map(Array, plain)),
        _rule(through_array): through,
    }
    likely = {_case_of_any: 2, _rule(through_array): 2, _rule(any_call): 6}  # they draw what is rarest elsewhere
    return tuple((form, types) for form, types in forms.items() if types for _ in range(likely.get(form, 1)))


def _adds(own: Types, kind: SqlType) -> bool:
    return kind in (INT, BIGINT, DOUBLE) or bool(decimal_ways(own, kind))


def _arithmetic(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    if kind == DOUBLE:
        return _doubles(draw, fields, kind, depth)
    return (_widened if kind in INTEGERS else _rule(decimals))(draw, fields, kind, depth)


# Predicates.


@st.composite
def _drawn_predicates(draw: DrawFn, fields: Fields, depth: int) -> Expr:
    if not columns(fields):
        return draw_literal(draw, BOOLEAN)
    return pick(draw, _CONDITIONS if depth else _SHALLOW)(draw, fields, BOOLEAN, depth)


_predicates = lru_cache(maxsize=4096)(_drawn_predicates)
GRAMMAR = Grammar(_expressions, _predicates)
"""The strategies of this module, for modules that draw parts of expressions."""


def predicates(fields: Fields, *, depth: int = 2) -> SearchStrategy[Expr]:
    """Three-valued conditions over ``fields``, most of them true for some rows; shrinks to ``column = 0``.

    Raises InvalidArgument for a depth outside 0..4.
    """
    check_depth(depth)
    return _predicates(fields, depth)


def _truth(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A boolean column, function or literal by itself."""
    if one_in(draw, 4):
        return draw_literal(draw, BOOLEAN)
    return _column(draw, fields, kind, depth)


def _and(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    left, right = draw(_predicates(fields, depth - 1)), draw(_predicates(fields, depth - 1))
    return shared_and(draw, GRAMMAR, fields, left, right)


def _or(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    left, right = draw(_predicates(fields, depth - 1)), draw(_predicates(fields, depth - 1))
    return shared_or(draw, GRAMMAR, fields, left, right)


def _not(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    return Not(draw(_predicates(fields, depth - 1)))


def _computed(draw: DrawFn, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A comparison, test or range of a computed value."""
    if one_in(draw, 3):
        operand = draw(_any_expressions(fields, depth))
    else:
        operand = draw(_expressions(fields, pick(draw, kinds(fields)), depth))
    form = draw(_COMPUTED)
    if form == 1:
        return IsNull(operand, draw(st.booleans()))
    others = [other_operand(draw, fields, operand) for _ in range(1 if form == 0 else 2)]
    if form == 0:
        return Compare(pick(draw, LIKELY_OPS), operand, others[0])
    if form == 2:
        return InList(operand, tuple(others), draw(st.booleans()))
    return Between(operand, others[0], others[1], draw(st.booleans()))


_COMPUTED = st.sampled_from((0, 0, 0, 1, 1, 2, 3))
_SHALLOW: tuple[_Form, ...] = (
    *[comparison] * 3,
    *[null_test] * 2,
    membership,
    value_range,
    _truth,
    at_bounds,
    collated_condition,
)
_CONDITIONS: tuple[_Form, ...] = (
    *_SHALLOW,
    _not,
    *[_and] * 3,
    *[_or] * 4,
    _rule(pinned),
    *[_computed] * 12,
    _case,
    _coalesce,
)
