"""Shape of OptimizeMetadataOnlyDeleteFromTable: DELETE by conditions that the source can evaluate."""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.capabilities import draw_capabilities
from strategies.draw.draws import pick
from strategies.draw.scopes import scope
from strategies.draw.statements import changed, filterable
from strategies.ir import (
    CAPABILITIES,
    And,
    Capability,
    Case,
    Coalesce,
    Compare,
    Database,
    Delete,
    InSubquery,
    Item,
    Not,
    Or,
    Project,
    is_plain,
)
from strategies.shapes.nulls import known_literal
from strategies.shapes.written import (
    deleted_by_two,
    emptied,
    miss,
    told,
    told_deleted,
    updated,
    written,
)

RULE = "OptimizeMetadataOnlyDeleteFromTable"


def _deleting(draw: DrawFn) -> tuple[Capability, ...]:
    chosen = {*draw_capabilities(draw), "deletes"}
    return tuple(each for each in CAPABILITIES if each in chosen)


def fires() -> SearchStrategy[Case]:
    """A DELETE that the source does itself; shrinks to ``DELETE FROM t0 WHERE a = 0``."""
    return written(told_deleted, _deleting)


def _with_a_subquery(draw: DrawFn, schema: Database) -> Delete:
    target = changed(draw, schema)
    plain = [field for field in target.fields if is_plain(field.type)] or [target.fields[0]]
    column = pick(draw, plain).column()
    inside = InSubquery((column,), Project(target, (Item("x", column),)))
    return Delete(target, And(filterable(draw, scope(target.fields)), inside))


def _refused(draw: DrawFn, schema: Database) -> Delete:
    """A part of the condition is one that the source has no words for."""
    target = changed(draw, schema)
    column = pick(draw, [field for field in target.fields if is_plain(field.type)] or target.fields[:1]).column()
    constant = known_literal(draw, column.type)
    refused = Compare(">=", Coalesce((column, constant)), constant)
    return Delete(target, And(filterable(draw, scope(target.fields)), refused))


def _unknown_at_times(draw: DrawFn, schema: Database) -> Delete:
    target = changed(draw, schema)
    one, other = told(draw, target), told(draw, target)
    return Delete(target, pick(draw, (Not(And(one, other)), Or(Not(one), other))))


NEAR_MISSES = (
    miss("with_a_subquery", _with_a_subquery, "deletes", fires=False, weight=2),
    miss("by_the_table_in_groups", told_deleted, "filters", fires=False),
    miss("of_all_rows", emptied, "deletes", fires=False),
    miss("refused_in_part", _refused, "deletes", fires=False),
    miss("updated", updated, "deletes", "filters", fires=False),
    miss("by_two_conditions", deleted_by_two, "deletes", fires=True, weight=2),
    miss("unknown_at_times", _unknown_at_times, "deletes", fires=True, weight=3),
)
