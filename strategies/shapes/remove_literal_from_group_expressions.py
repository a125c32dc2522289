"""RemoveLiteralFromGroupExpressions: a GROUP BY with a constant among its keys.

Keys that are all constant become one, unless that is what they are: without any key no rows would make a group.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import kinds
from strategies.draw.queries import scope
from strategies.draw.values import COLUMN_TYPES, draw_literal, value_at
from strategies.ir import (
    BOOLEAN,
    INT,
    STRING,
    And,
    Call,
    Case,
    Coalesce,
    Compare,
    Database,
    Distinct,
    Expr,
    Item,
    Lit,
    Not,
    Project,
    Relation,
    TryArith,
    columns_of,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_expressions
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.forms import file_cases, over_one_table, over_tables
from strategies.shapes.groups import grouped, without_rows
from strategies.shapes.sides import scan, source

RULE = "RemoveLiteralFromGroupExpressions"
_ZERO = Lit(INT, 0)


def _literal(draw: DrawFn) -> Expr:
    return draw_literal(draw, pick(draw, COLUMN_TYPES))


def _foldable(draw: DrawFn) -> Expr:
    """A constant that is no literal."""
    return pick(draw, _FOLDABLE)(draw)


_FOLDABLE: tuple[Callable[[DrawFn], Expr], ...] = (
    lambda draw: TryArith("+", draw_literal(draw, INT), draw_literal(draw, INT)),
    lambda draw: Call("upper", (draw_literal(draw, STRING),)),
    lambda draw: Compare("<=>", draw_literal(draw, INT), draw_literal(draw, INT)),
    lambda draw: Not(And(draw_literal(draw, BOOLEAN), draw_literal(draw, BOOLEAN))),
)


def _constant(draw: DrawFn) -> Expr:
    return _foldable(draw) if one_in(draw, 4) else _literal(draw)


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    fields = scope(child.fields)
    # The rule leaves keys alone that are all constants, so the keys of the least case aren't constant.
    others = [
        draw(plain_expressions(fields, pick(draw, kinds(fields)), depth=1))
        for _ in range(pick(draw, (1, 1, 2, 1, 2, 0)))
    ]
    keys = [*others, *(_constant(draw) for _ in range(pick(draw, (1, 1, 2))))]
    if keys == [_ZERO]:
        keys.append(Lit(INT, 1))
    if draw(st.booleans()):
        keys.reverse()
    return in_context(draw, schema, grouped(draw, child, keys))


def fires() -> SearchStrategy[Case]:
    """Grouping by columns, expressions and constants; shrinks to ``GROUP BY a, 0``."""
    return file_cases(over_tables(_query))


def _nothing_left(draw: DrawFn, schema: Database) -> Relation:
    """Keys that are all constant, over no rows: no group is the answer."""
    keys = [_literal(draw) for _ in range(pick(draw, (1, 2)))]
    return grouped(draw, without_rows(schema.tables[0]), keys if keys != [_ZERO] else [*keys, _ZERO])


def _only_foldable(draw: DrawFn, schema: Database) -> Relation:
    child = scan(schema.tables[0])
    return grouped(draw, child, [scope(child.fields)[0].column(), _foldable(draw)])


def _constant_within(draw: DrawFn, schema: Database) -> Relation:
    """Keys with a constant in them: ``coalesce(a, 0)``."""
    child = scan(schema.tables[0])
    columns = [field.column() for field in scope(child.fields)]
    keys = [Coalesce((column, Lit(column.type, value_at(column.type, 0)))) for column in columns]
    return grouped(draw, child, keys[: pick(draw, (1, 2))])


def _named_below(draw: DrawFn, schema: Database) -> Relation:
    """The constant is a column of a nested query: it takes later rules to see that."""
    fields = scope(scan(schema.tables[0]).fields)
    constants = [Item(f"c{place}", _literal(draw)) for place in range(pick(draw, (1, 2)))]
    child = Project(scan(schema.tables[0]), (Item("x", fields[0].column()), *constants))
    return grouped(draw, child, [field.column() for field in child.fields])


def _columns_alone(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    fields = scope(child.fields)
    keys = [draw(plain_expressions(fields, pick(draw, kinds(fields)), depth=1)) for _ in range(pick(draw, (1, 2)))]
    return grouped(draw, child, [key if columns_of(key) else fields[0].column() for key in keys])


def _no_keys(draw: DrawFn, schema: Database) -> Relation:
    """One group, even of no rows."""
    empty = draw(st.booleans())
    return grouped(draw, without_rows(schema.tables[0]) if empty else scan(schema.tables[0]), [])


def _distinct(draw: DrawFn, schema: Database) -> Relation:
    """DISTINCT with a constant column is a GROUP BY of columns of the projection below it."""
    child = scan(schema.tables[0])
    items = (Item("x", scope(child.fields)[0].column()), Item("c", _literal(draw)))
    return number_of_rows(Distinct(Project(child, items)))


NEAR_MISSES = (
    NearMiss("all_constant_over_no_rows", lambda: file_cases(over_one_table(_nothing_left)), fires=True, weight=2),
    NearMiss("constant_but_no_literal", lambda: file_cases(over_one_table(_only_foldable)), fires=True),
    NearMiss("constant_within_a_key", lambda: file_cases(over_one_table(_constant_within)), fires=False, weight=2),
    NearMiss("constant_named_below", lambda: file_cases(over_one_table(_named_below)), fires=False),
    NearMiss("no_constant", lambda: file_cases(over_one_table(_columns_alone)), fires=False),
    NearMiss("no_keys", lambda: file_cases(over_one_table(_no_keys)), fires=False),
    NearMiss("distinct", lambda: file_cases(over_one_table(_distinct)), fires=False),
)
