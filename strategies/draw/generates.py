"""Draw relations with a row for each element of an array."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, count

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields, expressions
from strategies.draw.lengths import field_lengths, most_elements
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.draw.tables import NAMES
from strategies.draw.values import MAX_ELEMENTS
from strategies.ir import INT, PYTHON_ELEMENTS, Array, Call, Expr, Generate, Lit, Relation, from_fields, is_plain

_PYTHON = 20
"""One Generate in this many is by a table function in Python, if there is one for its elements."""


def generated(draw: DrawFn, child: Relation) -> Generate:
    """A Generate over ``child``, with at most MAX_ELEMENTS rows for each of its rows; shrinks to one new column for the
    elements of the first array column.
    """
    fields = scope(from_fields(child))
    array = _array(draw, fields)
    size = most_elements(array, from_fields(child), field_lengths(child))
    if size is None or size > MAX_ELEMENTS:
        array = Call("slice", (array, Lit(INT, 1), Lit(INT, MAX_ELEMENTS)))
    taken = {field.name for field in fields}
    name = NAMES[0] if one_in(draw, 6) else _free(taken)
    position = _free({*taken, name}) if one_in(draw, 3) else None
    made = Generate(child, array, name, position, one_in(draw, 2))
    in_python = made.fields[-1].type in PYTHON_ELEMENTS and one_in(draw, _PYTHON)
    return replace(made, in_python=True) if in_python else made


def _array(draw: DrawFn, fields: Fields) -> Expr:
    own = tuple(column for column in columns(fields) if isinstance(column.type, Array))
    if own and not one_in(draw, 3):
        return pick(draw, own)
    plain = tuple(dict.fromkeys(column.type for column in columns(fields) if is_plain(column.type)))
    arrays = tuple(column.type for column in own)
    return draw(expressions(fields, pick(draw, (*arrays, *map(Array, plain)) or (Array(INT),)), depth=1))


def _free(taken: set[str]) -> str:
    return next(name for name in chain(NAMES, map("x{}".format, count())) if name not in taken)
