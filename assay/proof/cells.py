"""Values, flags and three-valued logic in z3. Known values are Python's own: a known database needs no solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import z3

from assay.proof.algebra import NotEncodable

Flag = Any
"""A bool, or z3's BoolRef: of z3, operators of Python say neither what they take nor what they return."""
Value = Any
"""A flag, an int, or z3's ArithRef."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a row; where ``null`` holds, ``value`` means nothing."""

    null: Flag
    value: Value


NULL = Cell(True, 0)


def known(value: Value) -> bool:
    """Whether ``value`` is Python's own."""
    return isinstance(value, int)


def lifted(value: Value) -> Any:
    """``value`` as an expression of z3."""
    if isinstance(value, bool):
        return z3.BoolVal(value)
    return z3.IntVal(value) if isinstance(value, int) else value


def both(*flags: Flag) -> Flag:
    """Whether all of ``flags`` hold."""
    if any(flag is False for flag in flags):
        return False
    rest = [flag for flag in flags if flag is not True]
    return True if not rest else rest[0] if len(rest) == 1 else z3.And(rest)


def either(*flags: Flag) -> Flag:
    """Whether any of ``flags`` holds."""
    if any(flag is True for flag in flags):
        return True
    rest = [flag for flag in flags if flag is not False]
    return False if not rest else rest[0] if len(rest) == 1 else z3.Or(rest)


def opposite(flag: Flag) -> Flag:
    """Whether ``flag`` doesn't hold."""
    return not flag if known(flag) else z3.Not(flag)


def chosen(flag: Flag, one: Value, other: Value) -> Value:
    """``one`` if ``flag`` holds, and else ``other``."""
    if known(flag):
        return one if flag else other
    if identical(one, other):
        return one
    return z3.If(flag, lifted(one), lifted(other))


def identical(one: Value, other: Value) -> bool:
    """Whether two values are the same by their form alone."""
    if known(one) or known(other):
        return known(one) and known(other) and bool(one == other)
    return bool(one.eq(other))


def equal(one: Value, other: Value) -> Flag:
    """Whether two values of one type are equal."""
    if identical(one, other):
        return True
    return False if known(one) and known(other) else lifted(one) == lifted(other)


def less(one: Value, other: Value) -> Flag:
    """Whether ``one`` is before ``other``; FALSE is before TRUE."""
    if known(one) and known(other):
        return one < other
    if any(isinstance(value, (bool, z3.BoolRef)) for value in (one, other)):
        return both(opposite(one), other)
    return lifted(one) < lifted(other)


def total(numbers: Iterable[Value]) -> Value:
    """The sum of ``numbers``."""
    every = list(numbers)
    mine = sum(number for number in every if known(number))
    rest = [number for number in every if not known(number)]
    if not rest:
        return mine
    return z3.Sum([*rest, z3.IntVal(mine)] if mine else rest)


def times(one: Value, other: Value) -> Value:
    """The product of two numbers."""
    if known(one) and known(other):
        return one * other
    for value, rest in ((one, other), (other, one)):
        if known(value) and value in (0, 1):
            return rest if value else 0
    return lifted(one) * lifted(other)


def holds(cell: Cell) -> Flag:
    """Whether a truth value is TRUE, and not NULL."""
    return both(opposite(cell.null), cell.value)


def fails(cell: Cell) -> Flag:
    """Whether a truth value is FALSE, and not NULL."""
    return both(opposite(cell.null), opposite(cell.value))


def alike(one: Cell, other: Cell) -> Flag:
    """Whether two cells are both NULL, or have equal values: ``<=>``."""
    if one.null is True or other.null is True:
        return both(one.null, other.null)
    here = both(opposite(one.null), opposite(other.null))
    return either(both(one.null, other.null), both(here, equal(one.value, other.value)))


def all_alike(left: Sequence[Cell], right: Sequence[Cell]) -> Flag:
    """Whether two rows are the same."""
    return both(*(alike(one, other) for one, other in zip(left, right, strict=True)))


def choice(flag: Flag, one: Cell, other: Cell) -> Cell:
    """``one`` if ``flag`` holds, and else ``other``."""
    if known(flag):
        return one if flag else other
    # The value of a NULL has no type.
    value = (
        other.value if one.null is True else one.value if other.null is True else chosen(flag, one.value, other.value)
    )
    return Cell(chosen(flag, one.null, other.null), value)


def _and(*cells: Cell) -> Cell:
    true, false = both(*map(holds, cells)), either(*map(fails, cells))
    return Cell(both(opposite(true), opposite(false)), true)


def _or(*cells: Cell) -> Cell:
    true, false = either(*map(holds, cells)), both(*map(fails, cells))
    return Cell(both(opposite(true), opposite(false)), true)


def _not(cell: Cell) -> Cell:
    return Cell(cell.null, opposite(cell.value))


def _compared(compare: Callable[[Value, Value], Flag]) -> Callable[[Cell, Cell], Cell]:
    def made(one: Cell, other: Cell) -> Cell:
        if one.null is True or other.null is True:
            return Cell(True, False)
        return Cell(either(one.null, other.null), compare(one.value, other.value))

    return made


_EQUAL = _compared(equal)


def _in(value: Cell, *others: Cell) -> Cell:
    return _or(*(_EQUAL(value, other) for other in others))


def _coalesce(*cells: Cell) -> Cell:
    return reduce(lambda rest, cell: choice(opposite(cell.null), cell, rest), reversed(cells))


def _case(*parts: Cell) -> Cell:
    """Conditions and values in turn, and at the end the value for none, which is NULL if there is none."""
    pairs, rest = list(zip(parts[::2], parts[1::2], strict=False)), parts[-1] if len(parts) % 2 else NULL
    return reduce(lambda rest, pair: choice(holds(pair[0]), pair[1], rest), reversed(pairs), rest)


def extreme(*cells: Cell, greatest: bool) -> Cell:
    """The least or the greatest of the values that aren't NULL."""

    def further(one: Cell, other: Cell) -> Cell:
        if one.null is True or other.null is True:
            return other if one.null is True else one
        ahead = less(other.value, one.value) if greatest else less(one.value, other.value)
        return choice(either(other.null, both(opposite(one.null), ahead)), one, other)

    return reduce(further, cells)


_APPLY: Mapping[str, Callable[..., Cell]] = {
    "And": _and,
    "Or": _or,
    "Not": _not,
    "EqualTo": _EQUAL,
    "EqualNullSafe": lambda one, other: Cell(False, alike(one, other)),
    "LessThan": _compared(less),
    "LessThanOrEqual": _compared(lambda one, other: opposite(less(other, one))),
    "GreaterThan": _compared(lambda one, other: less(other, one)),
    "GreaterThanOrEqual": _compared(lambda one, other: opposite(less(one, other))),
    "IsNull": lambda cell: Cell(False, cell.null),
    "IsNotNull": lambda cell: Cell(False, opposite(cell.null)),
    "In": _in,
    "Coalesce": _coalesce,
    "If": _case,
    "CaseWhen": _case,
    "Least": lambda *cells: extreme(*cells, greatest=False),
    "Greatest": lambda *cells: extreme(*cells, greatest=True),
    "Cast to boolean": lambda cell: Cell(cell.null, opposite(equal(cell.value, 0))),
    "Cast to number": lambda cell: Cell(cell.null, chosen(cell.value, 1, 0)),
}


def applied(name: str, cells: Sequence[Cell]) -> Cell:
    """The value of Catalyst's expression of this name; NotEncodable for one that isn't known."""
    if name not in _APPLY:
        raise NotEncodable(f"expression {name}")
    return _APPLY[name](*cells)
