"""ReplaceDeduplicateWithAggregate: ``dropDuplicates``, which only DataFrames have.

Its keys are all columns, or they determine the others: which row is kept is not for a query to ask.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import cases_of
from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import expressions, kinds
from strategies.draw.queries import scope
from strategies.ir import (
    INT,
    STRING,
    Case,
    Database,
    Deduplicate,
    Distinct,
    Item,
    Lit,
    Project,
    Relation,
    Settings,
    Table,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.data import DOUBLES
from strategies.shapes.forms import dataframe_only, over_one_table, over_tables
from strategies.shapes.sides import scan, side

RULE = "ReplaceDeduplicateWithAggregate"
_DATAFRAME = Settings(form="dataframe")


def _query(draw: DrawFn, schema: Database) -> Relation:
    table = pick(draw, schema.tables)
    relation = side(draw, table, len(table.columns))
    unique = _keyed(draw, relation) if one_in(draw, 3) else _whole_rows(draw, relation)
    return in_context(draw, schema, unique)


def _whole_rows(draw: DrawFn, relation: Relation) -> Relation:
    """All columns are keys, in any order."""
    names = tuple(field.name for field in relation.fields)
    turn = pick(draw, range(len(names)))
    return Deduplicate(relation, names[turn:] + names[:turn])


def _keyed(draw: DrawFn, relation: Relation) -> Relation:
    """Some columns are keys, the others computed from them; now and then there is no key and just constants."""
    fields = scope(relation.fields)
    size = 0 if one_in(draw, 8) else 1 + pick(draw, range(min(2, len(fields))))
    keys = fields[:size]
    rest = [draw(expressions(keys, pick(draw, kinds(keys)), depth=1)) for _ in range(pick(draw, (1, 2)))]
    items = [Item(field.name, field.column()) for field in keys]
    items += [Item(f"d{place}", value) for place, value in enumerate(rest)]
    return Deduplicate(Project(relation, tuple(items)), tuple(field.name for field in keys))


def fires() -> SearchStrategy[Case]:
    """``dropDuplicates`` of a table or a filter of one; shrinks to all columns of a bare scan."""
    return cases_of(over_tables(_query), forms_of=dataframe_only)


def _no_keys() -> SearchStrategy[tuple[Database, Relation]]:
    table = Table("t0", DOUBLES)
    constants = Project(scan(table), (Item("x", Lit(INT, 1)), Item("y", Lit(STRING, ""))))
    return st.just((Database((table,)), Deduplicate(constants, ())))


def _doubles() -> SearchStrategy[tuple[Database, Relation]]:
    table = Table("t0", DOUBLES)
    return st.just((Database((table,)), Deduplicate(scan(table), ("a",))))


def _distinct_sql(draw: DrawFn, schema: Database) -> Relation:
    return Distinct(scan(schema.tables[0]))


def _empty() -> SearchStrategy[Case]:
    table = Table("t0", DOUBLES)
    keys: tuple[tuple[str, ...], ...] = ((), ("x",))
    query = Project(scan(table), (Item("x", Lit(INT, 1)),))
    return st.sampled_from(keys).map(lambda chosen: Case(Deduplicate(query, chosen), Database((table,)), _DATAFRAME))


NEAR_MISSES = (
    NearMiss("nan_and_zeros", lambda: cases_of(_doubles(), forms_of=dataframe_only), fires=True),
    NearMiss("no_keys", lambda: cases_of(_no_keys(), forms_of=dataframe_only), fires=True),
    NearMiss("empty_input", _empty, fires=True),
    NearMiss("distinct_in_sql", lambda: cases_of(over_one_table(_distinct_sql)), fires=False),
)
