"""Scopes and names: references of expressions to fields, and names for new columns and aliases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below
from strategies.draw.operands import Fields
from strategies.draw.tables import NAMES
from strategies.ir import Alias, Expr, Relation, columns_of, from_fields, qualifiers, resolve


@lru_cache(maxsize=4096)
def scope(fields: Fields) -> Fields:
    """``fields`` as expressions refer to them: without a qualifier if the name is unique."""
    names = [field.name for field in fields]
    return tuple(replace(field, qualifier=None) if names.count(field.name) == 1 else field for field in fields)


def in_scope(values: Sequence[Expr], fields: Fields) -> list[Expr]:
    """The ``values`` whose columns are still among ``fields``, perhaps under an alias."""
    return [value for value in values if all(len(resolve(column, fields)) == 1 for column in columns_of(value))]


def new_names(draw: DrawFn, fields: Fields, size: int) -> list[str]:
    """``size`` names for new columns, most of them names of ``fields``; shrinks to the fields' names in order."""
    known = list(dict.fromkeys((*(field.name for field in fields), *NAMES, *(f"e{n}" for n in range(size)))))
    turn = draw(below(3))
    return (known[turn:] + known[:turn])[:size]


@lru_cache(maxsize=4096)
def free_names(fields: Fields) -> tuple[str, ...]:
    """Names for new columns beside ``fields``, none of which has one of them: at least three."""
    taken = {field.name for field in fields}
    return tuple(name for name in (*NAMES, *(f"w{number}" for number in range(len(taken) + 3))) if name not in taken)


def fresh_alias(*sides: Relation) -> str:
    """A name that no scan or alias of ``sides`` brings into a FROM clause."""
    taken = frozenset[str]().union(*map(qualifiers, sides))
    return next(name for name in (f"s{number}" for number in count()) if name not in taken)


def qualified(relation: Relation) -> Relation:
    """``relation`` with an alias by which a subquery can refer to its columns, unless a column has a qualifier."""
    if any(field.qualifier is not None for field in from_fields(relation)):
        return relation
    return Alias(relation, fresh_alias(relation))
