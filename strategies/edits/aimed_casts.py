"""Draw casts for an aim: to types like the operand's, and one over the other."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import expressions
from strategies.draw.operands import Fields
from strategies.draw.values import COLUMN_TYPES
from strategies.edits.column_types import is_alike
from strategies.ir import (
    DATE,
    FLOATING,
    INT,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    WHOLE,
    Cast,
    Expr,
    SqlType,
    TryCast,
    can_cast,
    can_try_cast,
)

_FAMILIES: tuple[tuple[SqlType, ...], ...] = (WHOLE, FLOATING, (DATE, TIMESTAMP, TIMESTAMP_NTZ))


def cast_of(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    """A cast; one in three is over another one, because rules look at two that meet."""
    below = _cast_once(draw, fields, operand) if one_in(draw, 3) else operand
    return _cast_once(draw, fields, below)


def _cast_once(draw: DrawFn, fields: Fields, operand: Expr) -> Expr:
    """A cast, half of the time to a type like the operand's, if there is one: that may round or cut off."""
    kinds = [kind for kind in COLUMN_TYPES if kind != operand.type and can_cast(operand.type, kind)]
    tried = [kind for kind in COLUMN_TYPES if kind != operand.type and can_try_cast(operand.type, kind)]
    if not kinds and not tried:
        return _cast_once(draw, fields, draw(expressions(fields, INT, depth=1)))
    like = _like(operand.type, kinds), _like(operand.type, tried)
    if any(like) and one_in(draw, 2):
        kinds, tried = like
    if tried and (not kinds or one_in(draw, 3)):
        return TryCast(operand, pick(draw, tried))
    return Cast(operand, pick(draw, kinds))


def _like(kind: SqlType, kinds: list[SqlType]) -> list[SqlType]:
    """Those of ``kinds`` that are whole numbers, decimals, floating numbers or times, as ``kind`` is."""
    family = next((each for each in _FAMILIES if kind in each), (kind,))
    return [other for other in kinds if other in family or is_alike(other, family)]
