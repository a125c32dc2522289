"""Shape of GroupBasedRowLevelOperationScanPlanning: DELETE, UPDATE and MERGE, which write groups of rows anew."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.capabilities import draw_capabilities
from strategies.draw.draws import pick
from strategies.draw.statements import changed, filterable, insert, merge_of
from strategies.ir import And, Case, Compare, Database, Delete, IsNull, Merge, Or, Relation, is_plain
from strategies.shapes.nulls import known_literal
from strategies.shapes.written import deleted, deleted_by_two, emptied, miss, told_deleted, updated, written

RULE = "GroupBasedRowLevelOperationScanPlanning"


def merged_by_source(draw: DrawFn, schema: Database) -> Merge:
    """A MERGE that also changes the rows that the source doesn't match."""
    return merge_of(draw, schema, kinds=("matched", "not matched by source"))


_CHANGES: tuple[Callable[[DrawFn, Database], Relation], ...] = (deleted, updated, merged_by_source, updated)


def _changed(draw: DrawFn, schema: Database) -> Relation:
    return pick(draw, _CHANGES)(draw, schema)


def fires() -> SearchStrategy[Case]:
    """A statement that changes rows in groups; shrinks to ``DELETE FROM t0 WHERE a = 0``."""
    return written(_changed, draw_capabilities)


def _inserted(draw: DrawFn, schema: Database) -> Relation:
    return insert(draw, schema, 1)


def _or_null(draw: DrawFn, schema: Database) -> Delete:
    """Rows with NULL are changed, too."""
    target = changed(draw, schema)
    column = pick(draw, [field for field in target.fields if is_plain(field.type)] or target.fields[:1]).column()
    return Delete(target, Or(Compare("=", column, known_literal(draw, column.type)), IsNull(column)))


def _merged_where(draw: DrawFn, schema: Database) -> Merge:
    """A part of the condition is about the table alone."""
    merge = merge_of(draw, schema, kinds=("matched",))
    on = And(merge.on, filterable(draw, merge.target.fields))
    return Merge(merge.target, merge.source, on, merge.clauses)


NEAR_MISSES = (
    miss("inserted", _inserted, "filters", fires=False),
    miss("deleted_by_the_source", told_deleted, "deletes", fires=False),
    miss("of_all_rows", emptied, "filters", fires=False),
    miss("by_keys", deleted_by_two, "identity", "filters", fires=True, weight=2),
    miss("by_rough_filters", deleted_by_two, "weak filters", fires=True, weight=2),
    miss("or_null", _or_null, "identity", "filters", fires=True, weight=2),
    miss("merged_where", _merged_where, "identity", "filters", fires=True, weight=2),
    miss("merged_where_roughly", _merged_where, "weak filters", fires=True, weight=2),
)
