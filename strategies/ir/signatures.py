"""What a function takes and gives: types, one type variable, and which arguments are constants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from strategies.ir.types import Array, SqlType, Struct, Value


@dataclass(frozen=True, slots=True)
class _Variable(SqlType):
    """Stands for one type, the same at each of its places in a signature."""


ANY = _Variable()
ANY_ARRAY = Array(ANY)


@dataclass(frozen=True, slots=True)
class Signature:
    """Argument types, result type, and which arguments must be literals (``constants``) that pass ``check``.

    ``check`` is given the values of the constant arguments in order; it keeps out the arguments on which
    the engines differ or raise (position 0, negative lengths). ``over`` says for which types ``ANY`` may stand.
    ``result`` may be worked out from that type and the constants.
    """

    arguments: tuple[SqlType, ...]
    result: SqlType | Callable[..., SqlType]
    constants: tuple[int, ...] = ()
    check: Callable[..., bool] = lambda *_: True
    over: Callable[[SqlType], bool] = lambda _: True

    def variable(self, types: tuple[SqlType, ...]) -> SqlType | None:
        """What ``ANY`` stands for when the arguments have these ``types``; None where they don't fit.

        A signature without ``ANY`` gives any type at all.
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
    """Whether both engines order values of ``kind`` alike wherever they stand: it isn't made of other types."""
    return not isinstance(kind, (Array, Struct))


def _bound(pattern: SqlType, actual: SqlType) -> SqlType | None:
    """What ``ANY`` is where ``pattern`` is ``actual``: ANY itself when it isn't in it, None when it can't be."""
    if pattern is ANY:
        return actual
    if pattern is ANY_ARRAY:
        return actual.element if isinstance(actual, Array) else None
    return ANY if pattern == actual else None


def _put(pattern: SqlType, variable: SqlType) -> SqlType:
    if pattern is ANY:
        return variable
    return Array(variable) if pattern is ANY_ARRAY else pattern
