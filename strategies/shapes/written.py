"""Common parts of shapes of statements, over tables of the source "v2"."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.scopes import scope
from strategies.draw.statements import assignments, changed, condition, filterable
from strategies.ir import And, Capability, Case, Database, Delete, Expr, Insert, Not, Or, Relation, Scan, SetOp, Update
from strategies.shapes import NearMiss
from strategies.shapes.forms import over_tables
from strategies.shapes.v2 import Capabilities, always, v2_cases

Build = Callable[[DrawFn, Database], Relation]
"""Draws a statement over given tables."""


def miss(name: str, build: Build, *capabilities: Capability, fires: bool, weight: int = 1) -> NearMiss:
    """A near miss of statements over tables with these ``capabilities``, in two splits where nothing else says so."""

    def cases() -> SearchStrategy[Case]:
        return written(build, always(*capabilities), table_partitions=2)

    return NearMiss(name, cases, fires=fires, weight=weight)


def written(build: Build, capabilities: Callable[[DrawFn], Capabilities], **others: int) -> SearchStrategy[Case]:
    """Cases of statements over tables whose capabilities are drawn."""
    return v2_cases(over_tables(build), capabilities, **others)


def told(draw: DrawFn, target: Scan) -> Expr:
    """A condition that a source can evaluate: a test of one column, in one of three draws joined with another one."""
    fields = scope(target.fields)
    first = filterable(draw, fields)
    if not one_in(draw, 3):
        return first
    second = filterable(draw, fields)
    return pick(draw, (And(first, second), Or(first, second), Not(And(first, second))))


def both_told(draw: DrawFn, target: Scan) -> Expr:
    """Two conditions that a source can evaluate, both of which have to be true."""
    fields = scope(target.fields)
    return And(filterable(draw, fields), filterable(draw, fields))


def deleted(draw: DrawFn, schema: Database) -> Delete:
    """A DELETE with any condition."""
    target = changed(draw, schema)
    return Delete(target, condition(draw, schema, target, 1) if one_in(draw, 2) else told(draw, target))


def deleted_by_two(draw: DrawFn, schema: Database) -> Delete:
    """A DELETE by two conditions that the source can evaluate."""
    target = changed(draw, schema)
    return Delete(target, both_told(draw, target))


def repeated(draw: DrawFn, schema: Database) -> Insert:
    """An INSERT of rows that the table has, twice."""
    target = changed(draw, schema)
    return Insert(target, SetOp("union", target, target, all=True))


def told_deleted(draw: DrawFn, schema: Database) -> Delete:
    """A DELETE that the source can do itself."""
    target = changed(draw, schema)
    return Delete(target, told(draw, target))


def emptied(draw: DrawFn, schema: Database) -> Delete:
    """A DELETE of all rows."""
    return Delete(changed(draw, schema))


def updated(draw: DrawFn, schema: Database) -> Update:
    """An UPDATE with any condition."""
    target = changed(draw, schema)
    given = assignments(draw, target, scope(target.fields))
    return Update(target, given, condition(draw, schema, target, 1) if one_in(draw, 2) else told(draw, target))
