"""Expressions that make maps and read them."""

from __future__ import annotations

from dataclasses import dataclass

from strategies.ir.expressions import Expr, Lit
from strategies.ir.types import INT, STRING, Map, SqlType, type_text

MAP_KEYS: tuple[SqlType, ...] = (INT, STRING)
"""The types that keys of a :class:`MakeMap` may have."""


@dataclass(frozen=True, slots=True)
class MakeMap(Expr):
    """``map(keys[0], values[0], …)``, with at least one key; the keys are different constants, and none is NULL."""

    keys: tuple[Lit, ...]
    values: tuple[Expr, ...]

    def __post_init__(self) -> None:
        if len(self.keys) != len(self.values) or not self.keys:
            raise self._refuse(f"{len(self.keys)} keys for {len(self.values)} values")
        of_keys, of_values = ({part.type for part in parts} for parts in (self.keys, self.values))
        if len(of_keys) > 1 or len(of_values) > 1:
            raise self._refuse(f"needs one type, got {[type_text(part.type) for part in (*self.keys, *self.values)]}")
        constants = [key.value for key in self.keys]
        if self.keys[0].type not in MAP_KEYS or None in constants or len(set(constants)) < len(constants):
            raise self._refuse(f"needs different keys of INT or STRING, got {constants}")
        self._has_type(Map(self.keys[0].type, self.values[0].type))


@dataclass(frozen=True, slots=True)
class MapRead(Expr):
    """``operand[key]`` of a map; NULL for a NULL map, a NULL key and a key that the map lacks."""

    operand: Expr
    key: Expr

    def __post_init__(self) -> None:
        kind = self.operand.type
        if not isinstance(kind, Map):
            raise self._refuse(f"needs a MAP, got {type_text(kind)}")
        if self.key.type != kind.key:
            raise self._refuse(f"needs a key of {type_text(kind.key)}, got {type_text(self.key.type)}")
        self._has_type(kind.value)
