"""Draw statements that change a table: DELETE, UPDATE, INSERT, overwriting INSERTs, and MERGE."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import expressions, predicates
from strategies.draw.operands import Fields
from strategies.draw.queries import queries
from strategies.draw.scopes import fresh_alias, scope
from strategies.draw.subqueries import around, draw_predicate
from strategies.draw.values import INDEXES, value_at
from strategies.ir import (
    BOOLEAN,
    COMPARE_OPS,
    MERGE_CONDITIONS,
    Agg,
    Aggregate,
    Alias,
    And,
    Assignment,
    Compare,
    CompareOp,
    Database,
    Delete,
    Expr,
    InList,
    Insert,
    IsNull,
    Item,
    Lit,
    Merge,
    MergeAction,
    MergeClause,
    MergeCondition,
    Overwrite,
    OverwritePartitions,
    Project,
    Relation,
    Scan,
    SqlType,
    Table,
    Update,
    is_plain,
    partition_column,
    qualifiers,
    without_limit,
    without_random,
)

_SUBQUERY_ONE_IN = 3
"""One condition of a DELETE or an UPDATE in this many has a subquery."""


def changed(draw: DrawFn, schema: Database) -> Scan:
    """The table that a statement changes."""
    table = pick(draw, schema.tables)
    return Scan(table.name, table.columns)


def filterable(draw: DrawFn, fields: Fields) -> Expr:
    """A condition that a source can evaluate, about one of ``fields``, without NULL."""
    plain = [field.column() for field in fields if is_plain(field.type) and field.type != BOOLEAN]
    if not plain or one_in(draw, 4):
        return IsNull(pick(draw, fields).column(), draw(st.booleans()))
    column = pick(draw, plain)
    constant = _constant(draw, column.type)
    if one_in(draw, 3):
        return InList(column, (constant, _constant(draw, column.type)))
    return Compare(pick(draw, COMPARE_OPS), column, constant)


def _constant(draw: DrawFn, kind: SqlType) -> Lit:
    return Lit(kind, value_at(kind, pick(draw, range(INDEXES))))


def condition(draw: DrawFn, schema: Database, target: Scan, room: int) -> Expr:
    """The condition of a DELETE or an UPDATE; a subquery in it has at most ``room`` operators.

    One in three has a part that a source can evaluate beside the rest, which it may not be able to.
    """
    if room > 0 and one_in(draw, _SUBQUERY_ONE_IN):
        found = with_subquery(draw, schema, target, room)
    else:
        found = draw(predicates(scope(target.fields), depth=1))
    return And(filterable(draw, target.fields), found) if one_in(draw, 3) else found


def with_subquery(draw: DrawFn, schema: Database, target: Scan, room: int = 1) -> Expr:
    """A condition on ``target`` with a subquery in it, which may read that table, too."""

    def inner(most: int) -> SearchStrategy[Relation]:
        return queries(schema, max_operators=min(most, room)).map(_determined)

    return draw_predicate(draw, around(target.fields, qualifiers(target), inner, room))


def _determined(query: Relation) -> Relation:
    return without_random(without_limit(query))


def assignments(draw: DrawFn, target: Scan, fields: Fields, *, every: bool = False) -> tuple[Assignment, ...]:
    """New values over ``fields`` for some columns of ``target``, or for ``every`` one; shrinks to one column."""
    count = len(target.columns) if every else pick(draw, range(1, len(target.columns) + 1))
    first = 0 if every else pick(draw, range(len(target.columns)))
    turned = (target.columns[first:] + target.columns[:first])[:count]
    return tuple(Assignment(column.name, draw(expressions(fields, column.type, depth=1))) for column in turned)


def delete(draw: DrawFn, schema: Database, room: int) -> Delete:
    """A DELETE, in one of eight draws of all rows."""
    target = changed(draw, schema)
    return Delete(target, None if one_in(draw, 8) else condition(draw, schema, target, room))


def update(draw: DrawFn, schema: Database, room: int) -> Update:
    """An UPDATE, in one of eight draws of all rows."""
    target = changed(draw, schema)
    given = assignments(draw, target, scope(target.fields))
    return Update(target, given, None if one_in(draw, 8) else condition(draw, schema, target, room))


def query_for(draw: DrawFn, schema: Database, target: Scan, room: int) -> Relation:
    """A query with columns of the types of ``target``."""
    query = _determined(draw(queries(schema, max_operators=room)))
    types = [field.type for field in target.fields]
    if [field.type for field in query.fields] == types:
        return query
    fields = scope(query.fields)
    values = [draw(expressions(fields, kind, depth=0)) for kind in types]
    return Project(query, tuple(Item(f"c{place}", value) for place, value in enumerate(values)))


def insert(draw: DrawFn, schema: Database, room: int) -> Insert:
    """An INSERT of a query's rows."""
    target = changed(draw, schema)
    return Insert(target, query_for(draw, schema, target, room))


def overwrite(draw: DrawFn, schema: Database, room: int) -> Overwrite:
    """A query's rows in place of all rows, or of those that the source can tell by a condition."""
    target = changed(draw, schema)
    query = query_for(draw, schema, target, room)
    if one_in(draw, 3):
        return Overwrite(target, query)
    condition = filterable(draw, scope(target.fields))
    return Overwrite(target, query, And(condition, filterable(draw, target.fields)) if one_in(draw, 3) else condition)


def overwrite_unread(draw: DrawFn, schema: Database, room: int) -> Insert | Overwrite:
    """A query's rows in place of all rows of a table that it doesn't read; an INSERT if there is no other table."""
    target = changed(draw, schema)
    others = tuple(table for table in schema.tables if table.name != target.table)
    if not others:
        return Insert(target, query_for(draw, schema, target, room))
    return Overwrite(target, query_for(draw, Database(others), target, room))


def overwrite_partitions(draw: DrawFn, schema: Database, room: int) -> Insert | OverwritePartitions:
    """A query's rows in place of the partitions that they belong to; an INSERT if no table has any."""
    suited = tuple(table for table in schema.tables if partition_column(table.columns) is not None)
    target = changed(draw, Database(suited) if suited else schema)
    query = query_for(draw, schema, target, room)
    return Insert(target, query) if partition_column(target.columns) is None else OverwritePartitions(target, query)


# MERGE.

_Actions = tuple[tuple[MergeAction, bool], ...]
_MATCHED: tuple[_Actions, ...] = (
    (("update", False),),
    (("delete", False),),
    (("update", True), ("delete", False)),
    (("delete", True), ("update", False)),
    (("update", True),),
    (),
)
"""Actions on rows of one kind, each with whether it has a condition."""
_NOT_MATCHED: tuple[_Actions, ...] = ((), (("insert", False),), (("insert", True),), (("insert", False),))
_BY_SOURCE: tuple[_Actions, ...] = (
    (),
    (),
    (("delete", True),),
    (("update", False),),
    (("update", True), ("delete", False)),
    (("delete", False),),
)
_ACTIONS: dict[MergeCondition, tuple[_Actions, ...]] = {
    "matched": _MATCHED,
    "not matched": _NOT_MATCHED,
    "not matched by source": _BY_SOURCE,
}
_MEETS: tuple[CompareOp, ...] = ("=", "=", "<=>")


def merge(draw: DrawFn, schema: Database, room: int) -> Merge:
    """A MERGE, mostly with at most one row of the source for each row of the table; shrinks to one UPDATE.

    One in eight has a source with rows of equal keys: where it changes matched rows, it may raise.
    """
    made = merge_of(draw, schema)
    return repeated(made) if one_in(draw, 8) else made


def repeated(merge: Merge) -> Merge:
    """``merge`` with all rows of its source's groups, if each is made of the greatest values of plain columns."""
    groups = merge.source.child
    assert isinstance(groups, Aggregate)
    values = [item.value for item in groups.aggregates]
    if not all(isinstance(value, Agg) and value.function == "max" for value in values):
        return merge
    items = [*groups.keys, *(Item(item.name, _operand(item.value)) for item in groups.aggregates)]
    return replace(merge, source=Alias(Project(groups.child, tuple(items)), merge.source.name))


def _operand(value: Expr | Agg) -> Expr:
    assert isinstance(value, Agg)
    assert value.operand is not None
    return value.operand


def merge_of(draw: DrawFn, schema: Database, *, kinds: tuple[MergeCondition, ...] = MERGE_CONDITIONS) -> Merge:
    """A MERGE with clauses for rows of some of these ``kinds``."""
    target = changed(draw, schema)
    source, on = merge_source(draw, schema, target)
    return Merge(target, source, on, _merge_clauses(draw, target, source, kinds))


def merge_source(draw: DrawFn, schema: Database, target: Scan) -> tuple[Alias, Expr]:
    """A table grouped by a column that is met by one of ``target``, and the condition by which they meet.

    Without plain columns that could meet, the source is a group of all rows.
    """
    pairs = [
        (mine, theirs, table)
        for table in schema.tables
        for theirs in table.columns
        for mine in target.fields
        if is_plain(mine.type) and mine.type == theirs.type
    ]
    name = fresh_alias(target)
    if not pairs:
        counted = Aggregate(target, (), (Item("n", Agg("count")),))
        return Alias(counted, name), draw(predicates(scope(target.fields), depth=1))
    mine, theirs, table = pick(draw, pairs)
    source = Alias(_by_key(table, theirs.name), name)
    meets: Expr = Compare(pick(draw, _MEETS), mine.column(), source.fields[0].column())
    if one_in(draw, 4):
        both = (*target.fields, *source.fields)
        meets = And(meets, filterable(draw, target.fields) if one_in(draw, 2) else draw(predicates(both, depth=1)))
    return source, meets


def _by_key(table: Table, key: str) -> Aggregate:
    scan = Scan(table.name, table.columns)
    fields = {field.name: field.column() for field in scan.fields}
    others = [column for name, column in fields.items() if name != key]
    values = [Agg("max", column) if is_plain(column.type) else Agg("count", column) for column in others]
    items = tuple(Item(f"v{place}", value) for place, value in enumerate(values))
    return Aggregate(scan, (Item("k", fields[key]),), items or (Item("v0", Agg("count")),))


def _merge_clauses(
    draw: DrawFn, target: Scan, source: Alias, kinds: tuple[MergeCondition, ...]
) -> tuple[MergeClause, ...]:
    fields = {"matched": (*target.fields, *source.fields), "not matched": source.fields}
    found: list[MergeClause] = []
    for kind in kinds:
        actions = pick(draw, _ACTIONS[kind])
        if kind == kinds[-1] and not found:
            actions = actions or next(filter(None, _ACTIONS[kind]))
        found += _clauses(draw, target, kind, fields.get(kind, target.fields), actions)
    return tuple(found)


def _clauses(
    draw: DrawFn, target: Scan, when: MergeCondition, fields: Fields, actions: _Actions
) -> tuple[MergeClause, ...]:
    return tuple(
        MergeClause(
            when,
            action,
            () if action == "delete" else assignments(draw, target, fields, every=action == "insert"),
            draw(predicates(fields, depth=1)) if conditioned else None,
        )
        for action, conditioned in actions
    )


KINDS: Mapping[str, Callable[[DrawFn, Database, int], Relation]] = {
    "Delete": delete,
    "Update": update,
    "Merge": merge,
    "Insert": insert,
    "Overwrite": overwrite,
}
"""The kinds of statements, by the name of the relation."""


@st.composite
def _statements(draw: DrawFn, schema: Database, max_operators: int, kinds: tuple[str, ...]) -> Relation:
    return KINDS[pick(draw, kinds)](draw, schema, max_operators)


_SHARES = ("Delete", *("Update", "Merge", "Insert", "Overwrite") * 2)
"""The first is drawn half as often as another one."""


def statements(schema: Database, *, max_operators: int, kinds: Sequence[str] = _SHARES) -> SearchStrategy[Relation]:
    """Statements of some of :data:`KINDS` over the tables of ``schema``; shrinks to the first kind, by default to
    ``DELETE FROM t WHERE a = 0``.

    ``max_operators`` bounds the operators of a query in it, besides a projection to the table's types.
    """
    return _statements(schema, max_operators, tuple(kinds))


_IN_FILES: tuple[Callable[[DrawFn, Database, int], Relation], ...] = (
    insert,
    *(overwrite_partitions,) * 3,
    overwrite_unread,
)
"""Overwritten partitions are no other statements, and few tables have any."""


@st.composite
def _file_writes(draw: DrawFn, schema: Database, max_operators: int) -> Relation:
    return pick(draw, _IN_FILES)(draw, schema, max_operators)


def file_writes(schema: Database, *, max_operators: int) -> SearchStrategy[Relation]:
    """Statements that suit tables in files; shrinks to ``INSERT INTO t SELECT * FROM t``."""
    return _file_writes(schema, max_operators)
