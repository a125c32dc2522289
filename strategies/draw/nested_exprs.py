"""Draw expressions that make arrays and structs, read them, and apply a function to each element of an array."""

from __future__ import annotations

from typing import cast

from hypothesis.strategies import DrawFn

from strategies.draw.calls import array_call
from strategies.draw.draws import one_in, pick
from strategies.draw.grammar import Grammar, Rule
from strategies.draw.operands import Fields, Types, array_calls, own_types, structs_with
from strategies.ir import (
    BOOLEAN,
    INT,
    Array,
    Col,
    Element,
    Expr,
    Field,
    FieldOfEach,
    GetField,
    HigherOrder,
    HigherOrderFunction,
    MakeArray,
    MakeStruct,
    Node,
    SqlType,
    Struct,
    WithField,
    WithoutField,
    is_plain,
    transform,
)

_ELEMENT = "element of an array"
_BODY_DEPTH = 1
GOES_THROUGH = _BODY_DEPTH + 1
"""The least depth of an expression with a function of elements, whose body has no other such function."""


def make_array(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """An array of one to three elements, or of none."""
    assert isinstance(kind, Array)
    size = pick(draw, (2, 1, 3, 2, 1, 0))
    elements = [draw(of.expressions(fields, kind.element, 0 if place else depth - 1)) for place in range(size)]
    return MakeArray(kind.element, tuple(elements))


def make_struct(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A struct of type ``kind``."""
    assert isinstance(kind, Struct)
    values = [draw(of.expressions(fields, field, 0)) for _, field in kind.fields]
    return MakeStruct(tuple(name for name, _ in kind.fields), tuple(values))


def get_field(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A field of a struct column."""
    struct, name = pick(draw, structs_with(own_types(fields), kind))
    return GetField(draw(of.expressions(fields, struct, depth - 1)), name)


def get_made_field(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A field of a newly made struct."""
    pair = [("p", kind), ("q", pick(draw, _plain(fields) or (kind,)))]
    turned = [("p", pair[1][1]), ("q", kind)]
    name, parts = pick(draw, (("p", pair), ("q", turned)))
    return GetField(make_struct(draw, of, fields, Struct(tuple(parts)), depth), name)


def with_field(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A struct with one field changed, or with its last field added; a field is now and then changed twice."""
    assert isinstance(kind, Struct)
    (name, field), last = pick(draw, kind.fields), len(kind.fields) - 1
    added = last > 0 and name == kind.fields[last][0] and one_in(draw, 2)
    before = Struct(kind.fields[:last]) if added else kind
    value = draw(of.expressions(fields, field, 0))
    struct = draw(of.expressions(fields, before, depth - 1))
    if one_in(draw, 4):
        struct = WithField(struct, name, draw(of.expressions(fields, field, 0)))
    return WithField(struct, name, value)


def without_field(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A struct that had one field more."""
    assert isinstance(kind, Struct)
    name = f"u{len(kind.fields)}"  # no struct of as many fields has it
    other = (name, pick(draw, _plain(fields) or (INT,)))
    before = Struct(pick(draw, ((*kind.fields, other), (other, *kind.fields))))
    return WithoutField(draw(of.expressions(fields, before, depth - 1)), name)


def get_field_of_each(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A field of all elements of an array of structs: of a column's type, or of a newly made array."""
    assert isinstance(kind, Array)
    ways = [(Array(struct), name) for struct, name in structs_with(own_types(fields), kind.element)]
    ways = [(array, name) for array, name in ways if array in own_types(fields)]
    if ways and not one_in(draw, 3):
        array, name = pick(draw, ways)
        return FieldOfEach(draw(of.expressions(fields, array, depth - 1)), name)
    made = Struct((("p", kind.element), ("q", pick(draw, _plain(fields) or (kind.element,)))))
    structs = [make_struct(draw, of, fields, made, 0) for _ in range(pick(draw, (1, 2, 0)))]
    return FieldOfEach(MakeArray(made, tuple(structs)), "p")


def through_array(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """``transform`` or ``filter`` for an array, ``exists`` or ``forall`` for a condition."""
    if isinstance(kind, Array):
        function = cast(HigherOrderFunction, pick(draw, ("transform", "filter")))
    else:
        function = cast(HigherOrderFunction, pick(draw, ("exists", "forall")))
    element = kind.element if isinstance(kind, Array) and function == "filter" else _element(draw, fields, kind)
    operand = draw(of.expressions(fields, Array(element), depth - 1))
    inside = (Field(_ELEMENT, element),)
    if function == "transform" and isinstance(kind, Array):
        body = draw(of.expressions(inside, kind.element, _BODY_DEPTH))
    else:
        body = draw(of.predicates(inside, _BODY_DEPTH))
    return HigherOrder(function, operand, _with_variable(body))


def nested_rules(own: Types, kind: SqlType, deep: bool) -> list[Rule]:
    """The ways to make an expression of ``kind`` of columns of types ``own`` by way of arrays and structs; with
    ``deep``, also by functions of elements.
    """
    rules: list[Rule] = []
    if isinstance(kind, Array):
        rules += [make_array] * 3
    if isinstance(kind, Struct):
        rules += [*[make_struct] * 3, with_field, without_field]
    if structs_with(own, kind):
        rules += [get_field] * 3
    if isinstance(kind, Array) and structs_with(own, kind.element):
        rules += [get_field_of_each] * 3
    if deep and (kind == BOOLEAN or (isinstance(kind, Array) and is_plain(kind.element))):
        rules += [through_array] * 3
    if deep and own and is_plain(kind):
        rules += [get_made_field, *([array_call] * 2 if array_calls(own, kind) else [])]
    return rules


def _element(draw: DrawFn, fields: Fields, kind: SqlType) -> SqlType:
    arrays = tuple(each.element for each in sorted(own_types(fields), key=repr) if isinstance(each, Array))
    own = (kind.element,) if isinstance(kind, Array) else _plain(fields)
    return pick(draw, tuple(each for each in (*arrays * 2, *own) if is_plain(each)) or (kind,))


def _plain(fields: Fields) -> tuple[SqlType, ...]:
    return tuple(each for each in sorted(own_types(fields), key=repr) if is_plain(each))


def _with_variable(body: Expr) -> Expr:
    def change(node: Node) -> Node:
        return Element(node.kind) if isinstance(node, Col) and node.name == _ELEMENT else node

    return cast(Expr, transform(body, change))
