"""Three tables, for shapes about a join of a join, with the columns of each and comparisons between two of them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.scopes import scope
from strategies.ir import Alias, Compare, CompareOp, Database, Expr, Relation
from strategies.shapes.sides import scan

MAX_ROWS = 6
"""Three tables of these are joined, now and then without any condition that holds."""
_OPS: tuple[CompareOp, ...] = ("=", "=", "=", "<=>", "<=", "<>")


def three_tables(draw: DrawFn, schema: Database) -> tuple[Relation, Relation, Relation]:
    """Three tables, each under a name of its own; they may be one."""
    first, second, third = (scan(pick(draw, schema.tables)) for _ in range(3))
    return first, Alias(second, "s0"), Alias(third, "s1")


def fields_of_each(*relations: Relation) -> tuple[Fields, ...]:
    """The columns of each of ``relations`` as a condition over all of them refers to them."""
    fields = scope(tuple(field for relation in relations for field in relation.fields))
    ends = [0]
    for relation in relations:
        ends.append(ends[-1] + len(relation.fields))
    return tuple(fields[start:end] for start, end in pairwise(ends))


def meeting(draw: DrawFn, one: Fields, two: Fields, *, ops: tuple[CompareOp, ...] = _OPS) -> Expr:
    """A comparison of two columns that stand at one place, where families of tables have types that compare."""
    place = pick(draw, range(min(len(one), len(two))))
    return Compare(pick(draw, ops), one[place].column(), two[place].column())
