"""Shape of V1Writes: statements that write rows to tables in files, each partition of which is written at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import cases_of
from strategies.draw.draws import pick
from strategies.draw.statements import changed, insert, overwrite_partitions, overwrite_unread, query_for
from strategies.ir import (
    Case,
    Database,
    Filter,
    Insert,
    IsNull,
    Item,
    Lit,
    OverwritePartitions,
    Project,
    Relation,
    Scan,
    Settings,
    partition_column,
)
from strategies.shapes import NearMiss
from strategies.shapes.forms import over_tables, sql_alone
from strategies.shapes.written import Build, repeated, told

RULE = "V1Writes"


@st.composite
def _in_files(draw: DrawFn, build: Build) -> Case:
    case = draw(cases_of(over_tables(build), forms_of=sql_alone))
    return replace(case, settings=_over_files(case.settings))


def _over_files(settings: Settings) -> Settings:
    return replace(settings.quickened(), source="partitioned", form="sql", capabilities=())


_WRITES: tuple[Callable[[DrawFn, Database, int], Relation], ...] = (insert, overwrite_partitions, overwrite_unread)


def _written(draw: DrawFn, schema: Database) -> Relation:
    return pick(draw, _WRITES)(draw, schema, 1)


def fires() -> SearchStrategy[Case]:
    """A statement that writes rows; shrinks to ``INSERT INTO t0 SELECT * FROM t0``."""
    return _in_files(_written)


def _replaced(draw: DrawFn, schema: Database) -> Relation:
    """Some rows of the table in place of the partitions that they are in."""
    target = changed(draw, schema)
    some = Filter(target, told(draw, target))
    return Insert(target, some) if partition_column(target.columns) is None else OverwritePartitions(target, some)


def _without_value(draw: DrawFn, schema: Database) -> Relation:
    """Rows without a value of the column by which the table is partitioned."""
    target = changed(draw, schema)
    by = partition_column(target.columns)
    return Insert(target, query_for(draw, schema, target, 0) if by is None else _all_null(target, by))


def _all_null(target: Scan, by: int) -> Relation:
    items = (
        Item(field.name, Lit(field.type, None) if place == by else field.column())
        for place, field in enumerate(target.fields)
    )
    return Project(target, tuple(items))


def _queried(draw: DrawFn, schema: Database) -> Relation:
    target = changed(draw, schema)
    return Filter(target, IsNull(pick(draw, target.fields).column()))


def _by_a_source(draw: DrawFn, schema: Database) -> Relation:
    return insert(draw, schema, 1)


@st.composite
def _of_a_source(draw: DrawFn) -> Case:
    case = draw(cases_of(over_tables(_by_a_source), forms_of=sql_alone))
    return replace(case, settings=replace(case.settings.quickened(), source="v2"))


def _miss(name: str, build: Build, *, fires: bool, weight: int = 1) -> NearMiss:
    return NearMiss(name, lambda: _in_files(build), fires=fires, weight=weight)


NEAR_MISSES = (
    _miss("queried", _queried, fires=False),
    NearMiss("by_a_source", _of_a_source, fires=False),
    _miss("repeated", repeated, fires=True, weight=2),
    _miss("replaced", _replaced, fires=True, weight=2),
    _miss("without_value", _without_value, fires=True),
)
