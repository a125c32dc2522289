"""Expressions that make arrays and structs, read them, and apply a function to each element of an array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from strategies.ir.expressions import CaseWhen, Expr, IsNull, When
from strategies.ir.node import Node, children, walk
from strategies.ir.references import subqueries_of
from strategies.ir.types import BOOLEAN, Array, SqlType, Struct, type_text

HigherOrderFunction = Literal["transform", "filter", "exists", "forall"]
HIGHER_ORDER: tuple[HigherOrderFunction, ...] = ("transform", "filter", "exists", "forall")


@dataclass(frozen=True, slots=True)
class MakeArray(Expr):
    """``array(elements)`` of the type ``element``; it may be empty."""

    element: SqlType
    elements: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        if any(part.type != self.element for part in self.elements):
            raise self._refuse(f"needs {type_text(self.element)}, got {[type_text(p.type) for p in self.elements]}")
        self._has_type(Array(self.element))


@dataclass(frozen=True, slots=True)
class MakeStruct(Expr):
    """``named_struct(names[0], values[0], …)``; never NULL itself."""

    names: tuple[str, ...]
    values: tuple[Expr, ...]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.values):
            raise self._refuse(f"{len(self.names)} names for {len(self.values)} values")
        self._has_type(Struct(tuple((name, part.type) for name, part in zip(self.names, self.values, strict=True))))


@dataclass(frozen=True, slots=True)
class GetField(Expr):
    """``operand.name`` of a struct; NULL for a NULL struct."""

    operand: Expr
    name: str

    def __post_init__(self) -> None:
        kind = self.operand.type.field(self.name) if isinstance(self.operand.type, Struct) else None
        if kind is None:
            raise self._refuse(f"{type_text(self.operand.type)} has no {self.name}")
        self._has_type(kind)


@dataclass(frozen=True, slots=True)
class WithField(Expr):
    """``operand`` with ``value`` in its field ``name``, which is its last one if it had none of that name; NULL for a
    NULL struct (Spark's ``Column.withField``).
    """

    operand: Expr
    name: str
    value: Expr

    def __post_init__(self) -> None:
        if not isinstance(self.operand.type, Struct):
            raise self._refuse(f"needs a STRUCT, got {type_text(self.operand.type)}")
        kinds = {**dict(self.operand.type.fields), self.name: self.value.type}
        self._has_type(Struct(tuple(kinds.items())))


@dataclass(frozen=True, slots=True)
class WithoutField(Expr):
    """``operand`` without its field ``name``; NULL for a NULL struct (Spark's ``Column.dropFields``)."""

    operand: Expr
    name: str

    def __post_init__(self) -> None:
        kind = self.operand.type
        if not isinstance(kind, Struct) or kind.field(self.name) is None:
            raise self._refuse(f"{type_text(kind)} has no {self.name}")
        if len(kind.fields) == 1:
            raise self._refuse(f"{self.name} is the only field")
        self._has_type(Struct(tuple(field for field in kind.fields if field[0] != self.name)))


def spelled_out(node: WithField | WithoutField) -> Expr:
    """The same struct made anew of its fields, for SQL, which has no function for it."""
    assert isinstance(node.type, Struct)
    changed = {node.name: node.value} if isinstance(node, WithField) else {}
    names = tuple(name for name, _ in node.type.fields)
    values = tuple(changed.get(name) or GetField(node.operand, name) for name in names)
    return CaseWhen((When(IsNull(node.operand, negated=True), MakeStruct(names, values)),))


@dataclass(frozen=True, slots=True)
class FieldOfEach(Expr):
    """``operand.name`` of an array of structs: the field's values, NULL for a NULL struct."""

    operand: Expr
    name: str

    def __post_init__(self) -> None:
        array = self.operand.type
        element = array.element if isinstance(array, Array) else None
        kind = element.field(self.name) if isinstance(element, Struct) else None
        if kind is None:
            raise self._refuse(f"{type_text(array)} has no elements with {self.name}")
        self._has_type(Array(kind))


@dataclass(frozen=True, slots=True)
class Element(Expr):
    """The variable of the :class:`HigherOrder` around it: one element of its array."""

    kind: SqlType

    def __post_init__(self) -> None:
        self._has_type(self.kind)


@dataclass(frozen=True, slots=True)
class HigherOrder(Expr):
    """``function(operand, x -> body)``; in ``body``, x is an :class:`Element`.

    ``transform`` and ``filter`` return arrays, ``exists`` and ``forall`` are three-valued. A ``body`` has no other
    HigherOrder, so that an Element is unambiguous.
    """

    function: HigherOrderFunction
    operand: Expr
    body: Expr

    def __post_init__(self) -> None:
        if self.function not in HIGHER_ORDER:
            raise self._refuse(f"no function {self.function!r}")
        array = self.operand.type
        if not isinstance(array, Array):
            raise self._refuse(f"needs an ARRAY, got {type_text(array)}")
        if self.function != "transform" and self.body.type != BOOLEAN:
            raise self._refuse(f"{self.function} needs BOOLEAN, got {type_text(self.body.type)}")
        if any(isinstance(part, HigherOrder) for part in walk(self.body)):
            raise self._refuse("the body must not hold another")
        if next(subqueries_of(self.body), None) is not None:
            raise self._refuse("the body must not hold a subquery")
        if any(isinstance(part, Element) and part.kind != array.element for part in walk(self.body)):
            raise self._refuse(f"an element is {type_text(array.element)}")
        self._has_type(_result(self))


def _result(node: HigherOrder) -> SqlType:
    if node.function == "transform":
        return Array(node.body.type)
    return node.operand.type if node.function == "filter" else BOOLEAN


def has_free_element(node: Node) -> bool:
    """Whether ``node`` has an Element without a HigherOrder around it."""
    if isinstance(node, HigherOrder):
        return has_free_element(node.operand)
    inside = children(node, apart_from=node.closed)
    return isinstance(node, Element) or any(map(has_free_element, inside))
