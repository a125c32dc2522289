"""SQL for arrays, structs and maps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from oracles.sql.dialect import Dialect
from strategies.ir import (
    Array,
    Element,
    FieldOfEach,
    GetField,
    MakeArray,
    MakeMap,
    MakeStruct,
    Map,
    MapRead,
    SqlType,
    Struct,
    Value,
    WithField,
    WithoutField,
    spelled_out,
)

ELEMENT = "element_"
"""The name of a lambda's variable; no column of the query algebra has this name."""


def is_nested(kind: SqlType) -> bool:
    """Whether ``kind`` is made of other types."""
    return isinstance(kind, (Array, Struct, Map))


class Nested(Dialect):
    """The part of a compiler for arrays, structs and maps."""

    @abstractmethod
    def array(self, element: SqlType, elements: Sequence[str]) -> str:
        """An array of ``elements``, complete expressions."""

    @abstractmethod
    def struct(self, names: Sequence[str], values: Sequence[str]) -> str:
        """A struct of ``values``, complete expressions."""

    @abstractmethod
    def map_of(self, keys: str, values: str) -> str:
        """A map of two arrays, complete expressions."""

    def nested_constant(self, kind: SqlType, value: Value) -> str:
        """A constant of an array, struct or map type; ``value`` is not NULL."""
        assert isinstance(value, tuple)
        if isinstance(kind, Map):
            keys, values = zip(*value, strict=True) if value else ((), ())
            return self.map_of(self._array_of(kind.key, keys), self._array_of(kind.value, values))
        if isinstance(kind, Array):
            return self.array(kind.element, [self._constant(kind.element, each) for each in value])
        assert isinstance(kind, Struct)
        parts = [self._constant(field, each) for (_, field), each in zip(kind.fields, value, strict=True)]
        return self.struct([name for name, _ in kind.fields], parts)

    def _array_of(self, element: SqlType, values: Sequence[Value]) -> str:
        return self.array(element, [self._constant(element, each) for each in values])

    def _constant(self, kind: SqlType, value: Value) -> str:
        return f"CAST(NULL AS {self.type_name(kind)})" if value is None else self.constant(kind, value)

    def visit_MakeArray(self, node: MakeArray) -> str:
        return self.array(node.element, [self.visit(part) for part in node.elements])

    def visit_MakeStruct(self, node: MakeStruct) -> str:
        return self.struct(node.names, [self.visit(part) for part in node.values])

    def visit_MakeMap(self, node: MakeMap) -> str:
        keys = self.array(node.keys[0].type, [self.visit(key) for key in node.keys])
        return self.map_of(keys, self.array(node.values[0].type, [self.visit(part) for part in node.values]))

    def visit_MapRead(self, node: MapRead) -> str:
        return f"({self.visit(node.operand)})[{self.visit(node.key)}]"

    def visit_GetField(self, node: GetField) -> str:
        return f"({self.visit(node.operand)}).{self.quote(node.name)}"

    def visit_WithField(self, node: WithField) -> str:
        return self.visit(spelled_out(node))

    def visit_WithoutField(self, node: WithoutField) -> str:
        return self.visit(spelled_out(node))

    def visit_FieldOfEach(self, node: FieldOfEach) -> str:
        return f"({self.visit(node.operand)}).{self.quote(node.name)}"

    def visit_Element(self, node: Element) -> str:
        return ELEMENT
