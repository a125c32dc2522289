"""CollapseWindow: a window over another one by the same partition and order."""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.orders import sort_key
from strategies.draw.scopes import scope
from strategies.ir import Case, Database, Relation, SortKey
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

RULE = "CollapseWindow"


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = scan(pick(draw, schema.tables))
    columns = [field.column() for field in scope(child.fields)]
    partition = tuple(columns[: pick(draw, (0, 1, 1, 2))])
    order = tuple(sort_key(draw, pick(draw, columns)) for _ in range(pick(draw, (0, 1, 1, 2))))
    spec = (partition, order)
    return in_some_context(draw, schema, pair(draw, child, spec, spec))


def fires() -> SearchStrategy[Case]:
    """Two windows by the same keys; shrinks to ``SELECT *, count(*) OVER () AS m FROM (SELECT *, count(*) OVER () AS n
    FROM t0)``.
    """
    return file_cases(over_tables(_query))


# Where it must not, or does no harm.

_ASCENDING, _OTHER = (SortKey(B),), (SortKey(A),)
_DIRECTIONS: tuple[Order, ...] = ((SortKey(B, True, True),), (SortKey(B, False, False),), (SortKey(B, True, False),))


def _other_direction(draw: DrawFn) -> Relation:
    partition = pick(draw, ((), (A,)))
    return ordered(draw, (partition, _ASCENDING), (partition, pick(draw, _DIRECTIONS)))


def _other_key(draw: DrawFn) -> Relation:
    return ordered(draw, ((), _ASCENDING), ((), _OTHER))


def _more_keys(draw: DrawFn) -> Relation:
    return ordered(draw, ((), _ASCENDING), ((), (SortKey(B), SortKey(A))))


NEAR_MISSES = (
    miss("other_direction", _other_direction, fires=False, weight=2),
    miss("other_key", _other_key, fires=False),
    miss("more_keys", _more_keys, fires=False),
    miss("other_partition", lambda draw: unordered(draw, (A,), (B,)), fires=False, weight=2),
    miss("part_of_the_partition", lambda draw: unordered(draw, (A,), (A, B)), fires=False, weight=2),
    miss("reading", lambda draw: reading(draw, (A,), (A,)), fires=False),
    miss("filter_between", lambda draw: filter_between(draw, (A,), (A,)), fires=False, weight=2),
    miss("columns_between", lambda draw: columns_between(draw, (A,), (A,)), fires=True, weight=2),
)
