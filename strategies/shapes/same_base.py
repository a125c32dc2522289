"""The part that the shapes of the example rules share: a plan, and the same plan under a filter."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import Fields
from strategies.draw.scopes import scope
from strategies.draw.tables import schemas
from strategies.ir import (
    BIGINT,
    COMPARE_OPS,
    FLOATING,
    INT,
    Array,
    CaseWhen,
    Column,
    Compare,
    Database,
    Expr,
    Filter,
    Or,
    Relation,
    SqlType,
    Struct,
    Table,
    When,
    from_fields,
)
from strategies.shapes.filters import PAIR, A, B
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import scan

BOTH = scan(PAIR.tables[0])
"""All of a table of two columns."""
Condition = Callable[[DrawFn, Fields], Expr]


def exact_schemas(*, max_tables: int = 2) -> SearchStrategy[Database]:
    """Schemas without DOUBLE and FLOAT, whose -0.0 and 0.0 are equal and can be told apart all the same."""
    return schemas(max_tables=max_tables).map(_without_doubles)


def _without_doubles(schema: Database) -> Database:
    return Database(
        tuple(
            Table(table.name, tuple(Column(column.name, _exact(column.type)) for column in table.columns))
            for table in schema.tables
        )
    )


def _exact(kind: SqlType) -> SqlType:
    match kind:
        case Array(element=element):
            return Array(_exact(element))
        case Struct(fields=fields):
            return Struct(tuple((name, _exact(of)) for name, of in fields))
    return BIGINT if kind in FLOATING else kind


def filtered_pair(draw: DrawFn, base: Relation, condition: Condition) -> tuple[Relation, Filter]:
    """``base``, filtered or not, and the same under a condition, in place of the first one's or on top of it.

    Shrinks to ``base``, and ``base`` under a condition.
    """
    fields = scope(from_fields(base))
    mine = condition(draw, fields)
    left = Filter(base, condition(draw, fields)) if one_in(draw, 3) else base
    return left, Filter(left if one_in(draw, 4) else base, mine)


def null_for_some(draw: DrawFn) -> Expr:
    """A condition on ``a`` and ``b`` that is NULL for rows that no ``IS NOT NULL`` of one column keeps away:
    ``a > 1 OR b > 1``, or a CASE without an ELSE.
    """
    first, second = (Compare(pick(draw, COMPARE_OPS), column, known_literal(draw, INT)) for column in (A, B))
    if draw(below(3)) < 2:
        return Or(first, second)
    return CaseWhen((When(first, second),), None)
