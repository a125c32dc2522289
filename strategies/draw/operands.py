"""The operands and functions that expressions may have, computed once for each tuple of fields, or set of types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from hypothesis.strategies import DrawFn

from strategies.draw.constants import CONSTANTS
from strategies.draw.draws import one_in, pick
from strategies.draw.values import COLUMN_TYPES, draw_literal
from strategies.ir import (
    ANY,
    ANY_ARRAY,
    ARITH_OPS,
    BOOLEAN,
    FUNCTIONS,
    INT,
    UNDRAWN,
    ArithOp,
    Array,
    Col,
    Decimal,
    Expr,
    Field,
    Signature,
    SqlType,
    Struct,
    Value,
    can_cast,
    can_try_cast,
    common_type,
    decimal_type,
    is_plain,
    referable,
)

Fields = tuple[Field, ...]
Types = frozenset[SqlType]
Application = tuple[str, tuple[SqlType, ...], tuple[Value, ...] | None]
"""A function's name, the types of its arguments, and its constants if the result's type depends on them."""


@lru_cache(maxsize=4096)
def columns(fields: Fields) -> tuple[Col, ...]:
    """The columns for the unambiguous ones among ``fields``."""
    return tuple(field.column() for field in referable(fields))


@lru_cache(maxsize=4096)
def columns_of(fields: Fields, kind: SqlType) -> tuple[Col, ...]:
    """The columns of type ``kind``."""
    return tuple(column for column in columns(fields) if column.type == kind)


@lru_cache(maxsize=4096)
def comparable(fields: Fields, operand: Expr) -> tuple[Col, ...]:
    """Other columns to compare ``operand`` with; columns of its type occur twice."""
    others = tuple(column for column in columns(fields) if column != operand)
    wider = tuple(column for column in others if common_type(column.type, operand.type) is not None)
    return (*(column for column in wider if column.type == operand.type), *wider)


def other_operand(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    """Draw a literal, in most cases, or another column of the type of ``operand``."""
    others = [column for column in columns_of(fields, operand.type) if column != operand]
    return pick(draw, others) if others and one_in(draw, 3) else draw_literal(draw, operand.type)


@lru_cache(maxsize=4096)
def own_types(fields: Fields) -> Types:
    """The types of the unambiguous columns."""
    return frozenset(column.type for column in columns(fields))


@lru_cache(maxsize=4096)
def kinds(fields: Fields) -> tuple[SqlType, ...]:
    """Types of expressions over ``fields``: those of the fields, four times each, and results of one function of them,
    up to three times if several functions have that result.
    """
    own = tuple(column.type for column in columns(fields))
    if not own:
        return (INT,)
    results = _applications(frozenset(own), frozenset(own))
    made = [kind for kind in _made(frozenset(own)) if kind not in own]
    often = (min(len({name for name, *_ in results.get(kind, ())}), _MOST_OFTEN) or 1 for kind in made)
    return (*own * 4, *(kind for kind, times in zip(made, often, strict=True) for _ in range(times)))


_MOST_OFTEN = 3


@lru_cache(maxsize=4096)
def _made(own: Types) -> tuple[SqlType, ...]:
    """Types that one function, cast or operator makes of columns of types ``own``, the plain ones first."""
    results = list(_applications(own, own))
    casts = [to for to in COLUMN_TYPES if any(can_cast(kind, to) or can_try_cast(kind, to) for kind in own)]
    fields = [field for kind in _structs(own) for _, field in kind.fields]
    each = [Array(field) for kind in _elements(own) if isinstance(kind, Struct) for _, field in kind.fields]
    decimals = sorted(_decimal_results(own), key=repr)
    return tuple(
        sorted(dict.fromkeys((*results, *casts, *fields, *each, *decimals)), key=lambda kind: not is_plain(kind))
    )


@lru_cache(maxsize=4096)
def sources(fields: Fields, kind: SqlType) -> tuple[SqlType, ...]:
    """Types of columns that cast to ``kind``."""
    own = dict.fromkeys(column.type for column in columns(fields))
    return tuple(source for source in own if source != kind and can_cast(source, kind))


@lru_cache(maxsize=4096)
def tried_sources(fields: Fields, kind: SqlType) -> tuple[SqlType, ...]:
    """Types of columns that cast to ``kind``, with NULL for values that don't fit."""
    own = dict.fromkeys(column.type for column in columns(fields))
    return tuple(source for source in own if can_try_cast(source, kind))


def functions(own: Types, kind: SqlType) -> tuple[Application, ...]:
    """Functions of columns of types ``own`` with results of ``kind``."""
    return _applications(own, own).get(kind, ())


@lru_cache(maxsize=4096)
def calls(own: Types, kind: SqlType) -> tuple[Application, ...]:
    """As ``functions``, with conditions and elements of arrays as arguments, too.

    Functions of certain types occur four times, those of any type once.
    """
    found = _applications(own | {BOOLEAN} | _elements(own), own | {BOOLEAN}).get(kind, ())
    return (*found, *[application for application in found if application[0] not in _FOR_ANY] * 3)


_FOR_ANY = {"if", "nvl", "nvl2", "greatest", "least", "bit_and", "bit_or", "bit_xor", "array_repeat"}


@lru_cache(maxsize=4096)
def array_calls(own: Types, kind: SqlType) -> tuple[Application, ...]:
    """Functions with results of ``kind`` of arrays whose elements are of types in ``own``."""
    arrays = frozenset(Array(each) for each in (own | _elements(own)) if is_plain(each))
    return _applications(own | _elements(own) | arrays, arrays).get(kind, ())


@lru_cache(maxsize=4096)
def calls_by_name(own: Types) -> tuple[tuple[Application, ...], ...]:
    """For each function, its uses for columns of types ``own`` and for arrays of their values: each function once,
    however many others have a result of the same type.
    """
    found: dict[str, list[Application]] = {}
    known = own | {BOOLEAN} | _elements(own)
    arrays = frozenset(Array(each) for each in known if is_plain(each))
    for first in (known, arrays):
        for applications in _applications(known | arrays, first).values():
            for application in applications:
                found.setdefault(application[0], []).append(application)
    return tuple(tuple(found[name]) for name in FUNCTIONS if name in found)


@lru_cache(maxsize=4096)
def structs_with(own: Types, kind: SqlType) -> tuple[tuple[Struct, str], ...]:
    """Structs in ``own``, and in the structs and arrays among these, with their fields of type ``kind``."""
    return tuple((each, name) for each in _structs(own) for name, field in each.fields if field == kind)


@lru_cache(maxsize=4096)
def _structs(own: Types) -> tuple[Struct, ...]:
    found = {each for each in own | _elements(own) if isinstance(each, Struct)}
    inside = frozenset(field for each in found for _, field in each.fields)
    return tuple(sorted(found | set(_structs(inside) if inside else ()), key=repr))


@lru_cache(maxsize=4096)
def decimal_ways(own: Types, kind: SqlType) -> tuple[tuple[ArithOp, SqlType, SqlType], ...]:
    """Operators on decimals of ``own`` with results of ``kind``."""
    decimals = sorted((each for each in own if isinstance(each, Decimal)), key=repr)
    pairs = product(ARITH_OPS, decimals, decimals)
    return tuple((op, one, two) for op, one, two in pairs if decimal_type(op, one, two) == kind)


def _decimal_results(own: Types) -> set[SqlType]:
    results = {decimal_type(op, one, two) for op in ARITH_OPS for one in own for two in own}
    return {kind for kind in results if kind is not None}


def _elements(own: Types) -> Types:
    return frozenset(kind.element for kind in own if isinstance(kind, Array))


@lru_cache(maxsize=4096)
def _applications(own: Types, first: Types) -> Mapping[SqlType, tuple[Application, ...]]:
    """By result type, the functions with arguments of types ``own``, the first argument of types ``first``."""
    found: dict[SqlType, list[Application]] = {}
    for name, signature in FUNCTIONS.items():
        if name in UNDRAWN:
            continue
        for use, result in uses(signature, own, first, name):
            found.setdefault(result, []).append((name, *use))
    return {kind: tuple(applications) for kind, applications in found.items()}


Use = tuple[tuple[SqlType, ...], tuple[Value, ...] | None]


def uses(signature: Signature, own: Types, first: Types, name: str) -> Iterator[tuple[Use, SqlType]]:
    """Argument types within ``own``, constants if the result type depends on them, and the result type."""
    free = [place for place in range(len(signature.arguments)) if place not in signature.constants]
    for variable in _variables(signature, own):
        types = signature.types(variable)
        if free and not (types[free[0]] in first and all(types[place] in own for place in free)):
            continue
        if isinstance(signature.result, SqlType) or not signature.constants:
            yield (types, None), signature.gives(variable)
        else:
            for constants in product(*CONSTANTS.get(name, ((0,),) * len(signature.constants))):
                yield (types, constants), signature.gives(variable, *constants)


def _variables(signature: Signature, own: Types) -> list[SqlType]:
    if ANY not in signature.arguments and ANY_ARRAY not in signature.arguments:
        return [ANY]
    candidates = sorted(own | _elements(own), key=repr)
    return [kind for kind in candidates if signature.over(kind)]
