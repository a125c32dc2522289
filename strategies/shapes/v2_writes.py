"""Shape of V2Writes: statements that write rows, to tables that want them dealt out and sorted."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.capabilities import draw_capabilities
from strategies.draw.draws import pick
from strategies.draw.statements import changed, insert, merge_of, overwrite, query_for
from strategies.ir import Case, Database, Filter, Insert, Merge, Overwrite, Relation
from strategies.shapes.written import both_told, emptied, miss, repeated, told, told_deleted, updated, written

RULE = "V2Writes"


def _inserted(draw: DrawFn, schema: Database) -> Insert:
    return insert(draw, schema, 1)


def _overwritten(draw: DrawFn, schema: Database) -> Overwrite:
    return overwrite(draw, schema, 1)


def _merged(draw: DrawFn, schema: Database) -> Merge:
    return merge_of(draw, schema)


_WRITES: tuple[Callable[[DrawFn, Database], Relation], ...] = (_inserted, _overwritten, updated, _merged)


def _written(draw: DrawFn, schema: Database) -> Relation:
    return pick(draw, _WRITES)(draw, schema)


def fires() -> SearchStrategy[Case]:
    """A statement that writes rows; shrinks to ``INSERT INTO t0 SELECT * FROM t0``."""
    return written(_written, draw_capabilities)


def _replaced(draw: DrawFn, schema: Database) -> Overwrite:
    """Other rows in place of those for which two conditions are true."""
    target = changed(draw, schema)
    return Overwrite(target, query_for(draw, schema, target, 0), both_told(draw, target))


def _queried(draw: DrawFn, schema: Database) -> Relation:
    target = changed(draw, schema)
    return Filter(target, told(draw, target))


NEAR_MISSES = (
    miss("queried", _queried, "filters", fires=False),
    miss("deleted_by_the_source", told_deleted, "deletes", fires=False),
    miss("emptied_by_the_source", emptied, "deletes", fires=False),
    miss("replaced_where", _replaced, "identity", fires=True, weight=3),
    miss("repeated", repeated, "identity", "ordering", fires=True, weight=2),
)
