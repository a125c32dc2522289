"""Common parts of shapes about grouping keys: an aggregate of a table by given keys."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.draw.exactness import field_bits
from strategies.draw.queries import scope
from strategies.draw.values import value_at
from strategies.ir import Aggregate, And, Column, Compare, Database, Expr, Filter, Item, Lit, Relation, Table
from strategies.shapes.conditions import plain_aggregates
from strategies.shapes.sides import scan


def grouped(draw: DrawFn, child: Relation, keys: Sequence[Expr]) -> Aggregate:
    """``child`` grouped by ``keys``, in that order, with one or two functions; shrinks to ``count(*)``."""
    functions = plain_aggregates(scope(child.fields), bits=field_bits(child))
    return Aggregate(
        child,
        tuple(Item(f"k{place}", key) for place, key in enumerate(keys)),
        tuple(Item(f"n{place}", draw(functions)) for place in range(pick(draw, (1, 1, 2)))),
    )


def without_rows(table: Table) -> Relation:
    """``table`` under a filter that no row passes, which no engine can know."""
    column = scan(table).fields[0].column()
    bound = Lit(column.type, value_at(column.type, 0))
    return Filter(scan(table), And(Compare("<", column, bound), Compare(">", column, bound)))


def one_table(*columns: Column) -> tuple[Database, Relation]:
    """A table ``t0`` of ``columns`` and a scan of it."""
    table = Table("t0", columns)
    return Database((table,)), scan(table)
