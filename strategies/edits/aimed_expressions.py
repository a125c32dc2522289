"""Draw expressions that an aim asks for, one around the other, over the columns of a relation.

Each keeps what drawn expressions promise: it has one value in all engines, and can't raise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.calls import called, is_small
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import GRAMMAR, expressions, predicates
from strategies.draw.items import value
from strategies.draw.nested_exprs import through_array
from strategies.draw.operands import Application, Fields, columns, other_operand, own_types, uses
from strategies.draw.simple_conditions import LIKELY_OPS
from strategies.draw.values import COLUMN_TYPES, NESTED_TYPES, draw_literal
from strategies.edits.aim import Aim
from strategies.edits.aimed_casts import cast_of
from strategies.edits.column_types import is_alike
from strategies.ir import (
    ARITH_OPS,
    BIGINT,
    BOOLEAN,
    COLLATIONS,
    DOUBLE,
    FUNCTIONS,
    INT,
    INTEGERS,
    LANGUAGES,
    STRING,
    UNDRAWN,
    USER_FUNCTIONS,
    And,
    Arith,
    ArithOp,
    Array,
    Between,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Collate,
    Compare,
    CompareOp,
    Expr,
    FieldOfEach,
    GetField,
    InList,
    IsNull,
    Language,
    Lit,
    MakeArray,
    MakeMap,
    MakeStruct,
    MapRead,
    Not,
    NullIf,
    Or,
    Remainder,
    SqlType,
    Struct,
    TryArith,
    UserCall,
    When,
    WithField,
    WithoutField,
    is_plain,
)

Part = Callable[[DrawFn, Fields, Expr], Expr]
"""Draws an expression around an operand, or around another one if that has no suitable type."""

_FEW = (0, 1, 2, -1)


def aimed_value(draw: DrawFn, fields: Fields, aim: Aim) -> Expr:
    """Up to three expressions of ``aim``, one around the other; any expression if it asks for none."""
    if aim.types and not one_in(draw, 3):
        alike = _alike(fields, aim.types)
        known = bool(alike) and one_in(draw, 2)
        found = pick(draw, alike) if known else draw(expressions(fields, pick(draw, aim.types), depth=1))
        found = _of_columns(draw, fields, found)
    else:
        own = columns(fields)
        found = pick(draw, own) if own and not one_in(draw, 4) else value(draw, fields)
    parts = _parts(aim)
    for _ in range(pick(draw, _DEPTHS) if parts else 0):
        found = pick(draw, parts)(draw, fields, found)
    return found


_DEPTHS = (1, 2, 1, 3)


@lru_cache(maxsize=4096)
def _alike(fields: Fields, kinds: tuple[SqlType, ...]) -> tuple[Expr, ...]:
    """The columns that are of one of ``kinds``, or structs, arrays or decimals as one of these is."""
    return tuple(column for column in columns(fields) if is_alike(column.type, kinds))


def aimed_condition(draw: DrawFn, fields: Fields, aim: Aim) -> Expr:
    """A condition with :func:`aimed_value`, or, one time in five, two of them, since rules take conditions apart."""
    found = _about_value(draw, fields, aim)
    if one_in(draw, 5):
        return pick(draw, (And, And, Or))(found, _about_value(draw, fields, aim))
    return found if not one_in(draw, 6) else _joined(draw, fields, found, kinds=(And, Or))


def _about_value(draw: DrawFn, fields: Fields, aim: Aim) -> Expr:
    found = aimed_value(draw, fields, aim)
    if found.type != BOOLEAN:
        found = pick(draw, (_null_test, _compared, _listed, _compared))(draw, fields, found)
    return found


@lru_cache(maxsize=64)
def _parts(aim: Aim) -> tuple[Part, ...]:
    named = [EXPRESSIONS[name] for name in aim.expressions]
    compared = [partial(_compared, ops=aim.comparisons)] if aim.comparisons else []
    constant: list[Part] = [partial(_with_constant, constants=aim.constants)] if aim.constants else []
    if aim.constants and {"CaseWhen", "If"} & set(aim.expressions):
        constant.append(_case_of_constants)
    return (*named, *compared, *constant, *(partial(_call, name=name) for name in aim.functions))


def _fitting(draw: DrawFn, fields: Fields, operand: Expr, kinds: tuple[SqlType, ...]) -> Expr:
    """``operand`` if its type is among ``kinds``, else another one of such a type."""
    if operand.type in kinds:
        return operand
    own = tuple(kind for kind in kinds if kind in own_types(fields))
    return _of_columns(draw, fields, draw(expressions(fields, pick(draw, own or kinds), depth=1)))


def _of_columns(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    """``operand``, under a condition if it is a constant: rules that fold constants would leave nothing of it."""
    return _case(draw, fields, operand) if isinstance(operand, Lit) and columns(fields) else operand


def _condition(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    return operand if operand.type == BOOLEAN else draw(predicates(fields, depth=1))


def _compared(draw: DrawFn, fields: Fields, operand: Expr, ops: tuple[CompareOp, ...] = LIKELY_OPS) -> Expr:
    other = other_operand(draw, fields, operand)
    return Compare(pick(draw, ops), *((other, operand) if one_in(draw, 6) else (operand, other)))


def _null_test(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    return IsNull(operand, draw(st.booleans()))


def _listed(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    items = [other_operand(draw, fields, operand) for _ in range(pick(draw, (2, 1, 3)))]
    return InList(operand, tuple(items), draw(st.booleans()))


def _between(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    low, high = other_operand(draw, fields, operand), other_operand(draw, fields, operand)
    return Between(operand, low, high, draw(st.booleans()))


def _negated(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    return Not(_condition(draw, fields, operand))


def _joined(draw: DrawFn, fields: Fields, operand: Expr, kinds: tuple[type[And] | type[Or], ...]) -> Expr:
    parts = (_condition(draw, fields, operand), draw(predicates(fields, depth=1)))
    return pick(draw, kinds)(*(reversed(parts) if one_in(draw, 3) else parts))


def _with_constant(draw: DrawFn, fields: Fields, operand: Expr, constants: tuple[bool, ...]) -> Expr:
    condition, constant = _condition(draw, fields, operand), Lit(BOOLEAN, pick(draw, constants))
    if one_in(draw, 2):
        return Compare(pick(draw, ("=", "<=>", "<>")), condition, constant)
    return And(condition, constant) if one_in(draw, 2) else Or(condition, constant)


def _case(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    """A CASE; one in four has two branches, half of these by one condition: rules look for what is never taken."""
    otherwise = None if one_in(draw, 3) else other_operand(draw, fields, operand)
    condition = draw(predicates(fields, depth=1))
    branches = [When(condition, operand)]
    if one_in(draw, 4):
        again = draw(predicates(fields, depth=0)) if one_in(draw, 2) else condition
        branches.append(When(again, other_operand(draw, fields, operand)))
    return CaseWhen(tuple(branches), otherwise)


def _case_of_condition(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    """A CASE by ``operand``; one in three is of two constants, half of these are compared with one."""
    condition = _condition(draw, fields, operand)
    if one_in(draw, 3):
        kind = pick(draw, (INT, *sorted(filter(is_plain, own_types(fields)), key=repr)))
        one, other = draw_literal(draw, kind), draw_literal(draw, kind)
        chosen = CaseWhen((When(condition, one),), other)
        return Compare(pick(draw, LIKELY_OPS), chosen, pick(draw, (one, other))) if one_in(draw, 2) else chosen
    result = value(draw, fields)
    return CaseWhen((When(condition, result),), None if one_in(draw, 3) else other_operand(draw, fields, result))


def _case_of_constants(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    """A condition as a CASE, or one time in three by if(): TRUE, FALSE or NULL by the condition, and another one where
    it is not TRUE.
    """
    result, otherwise = (Lit(BOOLEAN, value) for value in pick(draw, _OUTCOMES))
    condition = _condition(draw, fields, operand)
    if one_in(draw, 3):
        return Call("if", (condition, result, otherwise))
    return CaseWhen((When(condition, result),), None if otherwise.value is None else otherwise)


_OUTCOMES = ((True, False), (True, False), (False, True), (True, None), (False, None), (None, False), (None, True))


def _coalesced(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    return Coalesce((operand, other_operand(draw, fields, operand)))


def _collated(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    text = Collate(_fitting(draw, fields, operand, (STRING,)), pick(draw, COLLATIONS))
    return Compare(pick(draw, LIKELY_OPS), text, other_operand(draw, fields, text))


def _null_if(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    return NullIf(operand, other_operand(draw, fields, operand))


def _computed(draw: DrawFn, fields: Fields, operand: Expr, ops: tuple[ArithOp, ...] = ARITH_OPS) -> Expr:
    """Arithmetic with a small constant or another column, of wider numbers or under a guard if it could overflow."""
    number = _fitting(draw, fields, operand, (*INTEGERS, DOUBLE))
    op = pick(draw, ops)
    small = pick(draw, _FEW)
    if number.type == DOUBLE:
        return Arith(op, number, Lit(DOUBLE, float(small).hex()))
    form = draw(below(3))
    if form == 2 and number.type != BIGINT:
        return Arith(op, Cast(number, BIGINT), Cast(Lit(number.type, small), BIGINT))
    if form:
        return TryArith(op, number, other_operand(draw, fields, number))
    return CaseWhen((When(is_small(number), Arith(op, number, Lit(number.type, small))),))


def _remainder(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    return Remainder(_fitting(draw, fields, operand, INTEGERS), pick(draw, (2, 3, -2, 1, 4)))


def _array(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    element = _fitting(draw, fields, operand, tuple(kind for kind in own_types(fields) if is_plain(kind)) or (INT,))
    others = [other_operand(draw, fields, element) for _ in range(pick(draw, (1, 0, 2)))]
    return MakeArray(element.type, (element, *others))


def _struct(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    return MakeStruct(("p", "q"), (operand, other_operand(draw, fields, operand)))


def _field(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    struct = operand if isinstance(operand.type, Struct) else _struct(draw, fields, operand)
    assert isinstance(struct.type, Struct)
    return GetField(struct, pick(draw, struct.type.fields)[0])


def _with_field(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    struct = operand if isinstance(operand.type, Struct) else _struct(draw, fields, operand)
    assert isinstance(struct.type, Struct)
    known = struct.type.fields
    if one_in(draw, 4):  # nothing of the struct is left but whether it is NULL
        for name, kind in known:
            struct = WithField(struct, name, other_operand(draw, fields, Lit(kind, None)))
        return struct
    name, kind = pick(draw, (*known, ("u", operand.type)))
    changed = WithField(struct, name, other_operand(draw, fields, Lit(kind, None)))
    if not one_in(draw, 2):
        return changed
    # Rules look at two changes that meet.
    return (_without_field if one_in(draw, 3) else _with_field)(draw, fields, changed)


def _without_field(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    struct = operand
    if not isinstance(struct.type, Struct) or len(struct.type.fields) < 2:
        struct = _struct(draw, fields, operand)
    assert isinstance(struct.type, Struct)
    return WithoutField(struct, pick(draw, struct.type.fields)[0])


def _field_of_each(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    if isinstance(operand.type, Array) and isinstance(operand.type.element, Struct):
        return FieldOfEach(operand, pick(draw, operand.type.element.fields)[0])
    struct = operand if isinstance(operand.type, Struct) else _struct(draw, fields, operand)
    assert isinstance(struct.type, Struct)
    return FieldOfEach(MakeArray(struct.type, (struct,)), pick(draw, struct.type.fields)[0])


def _map_read(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    read = Lit(INT, pick(draw, (1, 2, 0)))
    return MapRead(MakeMap((Lit(INT, 1), Lit(INT, 2)), (operand, other_operand(draw, fields, operand))), read)


def _user_call(draw: DrawFn, fields: Fields, operand: Expr, languages: tuple[Language, ...] = LANGUAGES) -> Expr:
    """A call with ``operand`` as the first one, or with one of a type that a function takes; in one of six draws one
    without operands, which Spark treats as a constant in some places.
    """
    if one_in(draw, 6):
        return UserCall(pick(draw, languages), pick(draw, _WITHOUT_OPERANDS), ())
    first = _fitting(draw, fields, operand, _USER_TYPES)
    name = pick(draw, tuple(name for name, each in USER_FUNCTIONS.items() if first.type in each.arguments[:1]))
    others = (other_operand(draw, fields, first) for _ in USER_FUNCTIONS[name].arguments[1:])
    return UserCall(pick(draw, languages), name, (first, *others))


_IN_PYTHON: tuple[Language, ...] = tuple(language for language in LANGUAGES if language != "scala")


_WITHOUT_OPERANDS: tuple[str, ...] = tuple(name for name, each in USER_FUNCTIONS.items() if not each.arguments)
_USER_TYPES: tuple[SqlType, ...] = tuple(dict.fromkeys(f.arguments[0] for f in USER_FUNCTIONS.values() if f.arguments))


def _through_elements(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    kinds = [Array(kind) for kind in own_types(fields) if is_plain(kind)]
    return through_array(draw, GRAMMAR, fields, pick(draw, (BOOLEAN, *sorted(kinds, key=repr))), 2)


def _call(draw: DrawFn, fields: Fields, operand: Expr, name: str) -> Expr:
    """A call of the function ``name``, whose first argument is ``operand`` if it takes such a one."""
    applications = _applications(name)
    given = tuple(each for each in applications if operand.type in each[1][:1])
    own = own_types(fields)
    best = given or tuple(each for each in applications if own & set(each[1])) or applications

    def arguments(fields: Fields, kind: SqlType, depth: int) -> SearchStrategy[Expr]:
        is_given = given and depth and kind == operand.type
        return st.just(operand) if is_given else GRAMMAR.expressions(fields, kind, depth)

    return called(draw, replace(GRAMMAR, expressions=arguments), fields, pick(draw, best), 2)


@lru_cache(maxsize=256)
def _applications(name: str) -> tuple[Application, ...]:
    """The ways to call the function ``name`` with types that columns have."""
    known = frozenset((*COLUMN_TYPES, *NESTED_TYPES))
    return tuple((name, *use) for use, _ in uses(FUNCTIONS[name], known, known, name))


EXPRESSIONS: dict[str, Part] = {
    "And": partial(_joined, kinds=(And,)),
    "Or": partial(_joined, kinds=(Or,)),
    "Not": _negated,
    "IsNull": _null_test,
    "InList": _listed,
    "Between": _between,
    "CaseWhen": _case,
    "If": _case_of_condition,
    "Coalesce": _coalesced,
    "NullIf": _null_if,
    "Collate": _collated,
    "Cast": cast_of,
    "Arith": _computed,
    "Add": partial(_computed, ops=("+",)),
    "Subtract": partial(_computed, ops=("-",)),
    "Multiply": partial(_computed, ops=("*",)),
    "Remainder": _remainder,
    "MakeArray": _array,
    "MakeStruct": _struct,
    "GetField": _field,
    "WithField": _with_field,
    "WithoutField": _without_field,
    "FieldOfEach": _field_of_each,
    "MakeMap": _map_read,
    "MapRead": _map_read,
    "HigherOrder": _through_elements,
    "UserCall": _user_call,
    "PythonCall": partial(_user_call, languages=_IN_PYTHON),
}
"""The kinds of expressions that an aim may ask for, beside comparisons and functions."""

CALLABLE: tuple[str, ...] = tuple(name for name in FUNCTIONS if name not in UNDRAWN and _applications(name))
"""The functions that an aim may ask for."""
