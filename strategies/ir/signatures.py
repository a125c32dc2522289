"""Signatures of functions: argument and result types, with one type variable, and constant arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from strategies.ir.types import INTERVAL, MONTHS, TIME, Array, Collated, Map, SqlType, Struct, Value


@dataclass(frozen=True, slots=True)
class _Variable(SqlType):
    """A type variable: the same type at each of its places in a signature."""


ANY = _Variable()
ANY_ARRAY = Array(ANY)


@dataclass(frozen=True, slots=True)
class Signature:
    """Argument types, result type, and which arguments must be literals (``constants``) that pass ``check``.

    ``check`` gets the values of the constant arguments in order, and excludes the arguments on which the engines differ
    or raise (position 0, negative lengths). ``over`` tells the types that ``ANY`` may be. ``result`` may be a function
    of that type and the constants.
    """

    arguments: tuple[SqlType, ...]
    result: SqlType | Callable[..., SqlType]
    constants: tuple[int, ...] = ()
    check: Callable[..., bool] = lambda *_: True
    over: Callable[[SqlType], bool] = lambda _: True

    def variable(self, types: tuple[SqlType, ...]) -> SqlType | None:
        """The type of ``ANY`` for arguments of these ``types``; None if they don't fit.

        For a signature without ``ANY``, it is some type without a meaning.
        """
        if len(types) != len(self.arguments):
            return None
        found: SqlType | None = None
        for pattern, actual in zip(self.arguments, types, strict=True):
            bound = _bound(pattern, actual)
            if bound is None or (bound is not ANY and found not in (None, bound)):
                return None
            found = found if bound is ANY else bound
        if found is None:
            return ANY
        return found if self.over(found) else None

    def types(self, variable: SqlType) -> tuple[SqlType, ...]:
        """The argument types with ``variable`` for ``ANY``."""
        return tuple(_put(pattern, variable) for pattern in self.arguments)

    def gives(self, variable: SqlType, *constants: Value) -> SqlType:
        """The result type with ``variable`` for ``ANY``."""
        return _put(self.result, variable) if isinstance(self.result, SqlType) else self.result(variable, *constants)


def is_plain(kind: SqlType) -> bool:
    """Whether ``kind`` isn't made of other types, so that both engines order its values alike everywhere."""
    return not isinstance(kind, (Array, Struct, Map))


def has_statistics(kind: SqlType) -> bool:
    """Whether Spark's ANALYZE TABLE computes statistics of a column of ``kind``."""
    return is_plain(kind) and not isinstance(kind, Collated) and kind not in (INTERVAL, MONTHS, TIME)


def _bound(pattern: SqlType, actual: SqlType) -> SqlType | None:
    """The type of ``ANY`` that makes ``pattern`` equal ``actual``; ANY if it isn't in it, None if there is none."""
    if pattern is ANY:
        return actual
    if pattern is ANY_ARRAY:
        return actual.element if isinstance(actual, Array) else None
    return ANY if pattern == actual else None


def _put(pattern: SqlType, variable: SqlType) -> SqlType:
    if pattern is ANY:
        return variable
    return Array(variable) if pattern is ANY_ARRAY else pattern
