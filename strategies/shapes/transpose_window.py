"""TransposeWindow: a window over another one whose partitions are parts of its own."""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, pick
from strategies.draw.orders import sort_key
from strategies.draw.scopes import scope
from strategies.ir import Case, Database, Expr, Relation, SortKey
from strategies.shapes.filters import A, B
from strategies.shapes.forms import file_cases, over_tables
from strategies.shapes.ranked import miss
from strategies.shapes.sides import scan
from strategies.shapes.window_pairs import (
    Order,
    columns_between,
    filter_between,
    in_some_context,
    ordered,
    pair,
    reading,
    unordered,
)

RULE = "TransposeWindow"


def _order(draw: DrawFn, columns: list[Expr]) -> Order:
    return tuple(sort_key(draw, pick(draw, columns)) for _ in range(pick(draw, (0, 1))))


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = scan(pick(draw, schema.tables))
    columns: list[Expr] = [field.column() for field in scope(child.fields)]
    finer = tuple(columns[: pick(draw, (1, 2, 3))])
    coarser = finer[: draw(below(len(finer)))]
    lower, upper = (finer, _order(draw, columns)), (coarser, _order(draw, columns))
    return in_some_context(draw, schema, pair(draw, child, lower, upper))


def fires() -> SearchStrategy[Case]:
    """A window by some of the keys of the one below it; shrinks to ``SELECT *, count(*) OVER () AS m FROM (SELECT *,
    count(*) OVER (PARTITION BY a) AS n FROM t0)``.
    """
    return file_cases(over_tables(_query))


# Where it must not, or does no harm.

_ORDERS: tuple[Order, ...] = ((SortKey(B),), (SortKey(B, True, False),), (SortKey(A, True, True),))


def _two_orders(draw: DrawFn) -> Relation:
    finer, coarser = pick(draw, (((A,), ()), ((A, B), (A,)), ((B,), ())))
    return ordered(draw, (finer, pick(draw, _ORDERS)), (coarser, pick(draw, _ORDERS)))


NEAR_MISSES = (
    miss("two_orders", _two_orders, fires=True, weight=3),
    miss("columns_between", lambda draw: columns_between(draw, (A, B), (A,)), fires=True, weight=2),
    miss("same_partition", lambda draw: unordered(draw, (A,), (A,)), fires=False),
    miss("finer_above", lambda draw: unordered(draw, (A,), (A, B)), fires=False),
    miss("other_partition", lambda draw: unordered(draw, (A,), (B,)), fires=False, weight=2),
    miss("reading", lambda draw: reading(draw, (A, B), (A,)), fires=False),
    miss("filter_between", lambda draw: filter_between(draw, (A,), ()), fires=False, weight=3),
)
