"""Draw reads of maps that are made for the read."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.grammar import Grammar
from strategies.draw.operands import Fields
from strategies.draw.values import domain
from strategies.ir import MAP_KEYS, Expr, Lit, MakeMap, MapRead, SqlType


def map_of(keys: Sequence[Lit], values: Sequence[Expr]) -> MakeMap:
    """The map from ``keys`` to ``values``."""
    return MakeMap(tuple(keys), tuple(values))


def map_read(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> Expr:
    """A read of a newly made map of one or two keys, with a constant key, which it has or lacks, or with a computed
    one.
    """
    key, size = pick(draw, MAP_KEYS), pick(draw, (1, 2))
    keys = [Lit(key, value) for value in domain(key)[: size + 1]]
    values = [draw(of.expressions(fields, kind, 0 if place else depth - 1)) for place in range(size)]
    read = draw(of.expressions(fields, key, 0)) if one_in(draw, 3) else pick(draw, keys)
    return MapRead(map_of(keys[:size], values), read)
