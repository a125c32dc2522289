"""Rewrites that remove the cause of a known divergence from a case, and keep everything else.

Only its cause tells a known divergence without an error from a wrong rule: without the cause the difference has to
disappear, while the rule under test still changes the plan. Each rewrite returns None if the case doesn't have the
cause, or if the cause can't be removed. One that puts a bug into the query instead says so: it tells where that bug can
make a difference, by DuckDB's answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import count
from typing import Any

from oracles.patterns.aggregates import (
    aggregates_of_columns,
    averages_of_few_digits,
    different_rows_below_distinct_values,
    sums_that_stay,
)
from oracles.patterns.nullability import elements_at_known_positions, missing_values_as_zeros
from oracles.patterns.queries import is_computed
from oracles.patterns.statements import one_row_for_each_source_key, without_runtime_filters
from oracles.patterns.subqueries import grand_total_below, in_subquery_values, is_joined
from oracles.patterns.texts import correlations_without_nan, in_as_flags_of_text, sums_in_one_order
from oracles.patterns.typed import typed_filters_as_conditions, typed_filters_of_known_objects
from oracles.patterns.zeros import is_nan
from strategies.ir import (
    BINARY,
    BOOLEAN,
    FLOATING,
    INT,
    Agg,
    Alias,
    And,
    Arith,
    Array,
    Case,
    CaseWhen,
    Coalesce,
    Col,
    Compare,
    Distinct,
    Exists,
    Expr,
    Filter,
    GroupingSets,
    InSubquery,
    InvalidQuery,
    Item,
    Limit,
    Lit,
    Node,
    Not,
    Over,
    Peek,
    Pivot,
    Project,
    Ranking,
    Relation,
    SetOp,
    SqlType,
    Struct,
    Table,
    TryArith,
    Value,
    Verbatim,
    When,
    Window,
    columns_of,
    from_fields,
    is_plain,
    outers_of,
    rebuild,
    resolve,
    substitute,
    transform,
    walk,
)

Rewrite = Callable[[Case], Case | None]

_MINUS_ZERO, _ZERO = (-0.0).hex(), (0.0).hex()
_ALL_ROWS = 1_000_000


def in_as_flags(case: Case) -> Case | None:
    """Make every IN over a subquery that is used as a value FALSE if it is unknown, as Spark treats it.

    In a join's condition Spark treats NOT IN as the negation of such a flag, elsewhere as a flag of its own.
    """
    if isinstance(case.query, Verbatim):
        return in_as_flags_of_text(case)

    def flags(node: Node) -> Node:
        values = set(in_subquery_values(node))

        def change(part: Node, joined: bool) -> Node:
            if isinstance(part, InSubquery) and part in values:
                if joined and part.negated:
                    return Not(Coalesce((replace(part, negated=False), Lit(BOOLEAN, False))))
                return Coalesce((part, Lit(BOOLEAN, False)))
            if isinstance(part, Relation):
                return part
            return rebuild(part, lambda child: change(child, joined), apart_from=part.closed)

        def change_condition(part: Node) -> Node:
            return change(part, isinstance(part, Expr) and is_joined(node, part))

        return rebuild(node, change_condition) if values else node

    return _changed(case, lambda query: transform(query, flags))


def in_of_no_rows_as_null(case: Case) -> Case | None:
    """Make every IN in a select list above an aggregate or pivot of no rows NULL, as Spark makes some."""

    def change(node: Node) -> Node:
        total = grand_total_below(node)
        if total is None or any(True for _ in outers_of(total.child)):
            return node

        def null(part: Node) -> Node:
            if isinstance(part, InSubquery):
                return CaseWhen((When(Not(Exists(total.child)), Lit(BOOLEAN, None)),), part)
            return part if isinstance(part, Relation) else rebuild(part, null, apart_from=part.closed)

        return rebuild(node, null)

    return _changed(case, lambda query: transform(query, change))


def zeros_of_one_sign(case: Case) -> Case | None:
    """Replace every -0.0 in a table or a constant by 0.0."""

    def table(each: Table) -> Table:
        kinds = [column.type for column in each.columns]
        rows = tuple(tuple(_positive(kind, cell) for kind, cell in zip(kinds, row, strict=True)) for row in each.rows)
        return replace(each, rows=rows)

    def change(node: Node) -> Node:
        return replace(node, value=_positive(node.kind, node.value)) if isinstance(node, Lit) else node

    database = replace(case.database, tables=tuple(map(table, case.database.tables)))
    changed = _changed(case, lambda query: transform(query, change)) or case
    return None if (changed, database) == (case, case.database) else replace(changed, database=database)


def _positive(kind: SqlType, value: Value) -> Value:
    if isinstance(value, tuple):
        inner = [kind.element] * len(value) if isinstance(kind, Array) else [f for _, f in getattr(kind, "fields", ())]
        return tuple(_positive(each, part) for each, part in zip(inner, value, strict=True))
    return _ZERO if kind in FLOATING and value == _MINUS_ZERO else value


def wrapping_arithmetic(case: Case) -> Case | None:
    """Replace arithmetic that is NULL on overflow by arithmetic without ANSI, which wraps around and is associative."""

    def change(node: Node) -> Node:
        return Arith(node.op, node.left, node.right) if isinstance(node, TryArith) else node

    changed = _changed(case, lambda query: transform(query, change))
    return changed and replace(changed, settings=replace(changed.settings, ansi=False))


def limits_as_ranks(case: Case) -> Case | None:
    """Replace ORDER BY with LIMIT, except at the root, by a filter on row_number()."""
    names = (f"place{number}" for number in count())

    def change(node: Node) -> Node:
        if not isinstance(node, Limit) or node is case.query:
            return node
        place = next(names)
        ranked = Window(node.child, (Over(place, Ranking("row_number")),), order=node.order)
        number = Col(place, INT)
        first, last = Lit(INT, node.offset), Lit(INT, node.offset + node.count)
        kept = Filter(ranked, And(Compare(">", number, first), Compare("<=", number, last)))
        return Project(kept, tuple(Item(field.name, Col(field.name, field.type)) for field in node.child.fields))

    return _changed(case, lambda query: _below(query, change))


def without_limits(case: Case) -> Case | None:
    """Remove each ORDER BY with LIMIT, except at the root: a limit that cuts nothing off is lost without a trace."""

    def change(node: Node) -> Node:
        return node.child if isinstance(node, Limit) else node

    return _changed(case, lambda query: _below(query, change))


def limits_of_all_rows(case: Case) -> Case | None:
    """Let each ORDER BY with LIMIT, except at the root, keep all rows: a plan that sorts or not then has the same."""

    def change(node: Node) -> Node:
        return replace(node, count=_ALL_ROWS, offset=0) if isinstance(node, Limit) else node

    return _changed(case, lambda query: _below(query, change))


def _below(query: Relation, change: Callable[[Node], Node]) -> Node:
    return rebuild(query, lambda child: transform(child, change))


def pivots_without_nan(case: Case) -> Case | None:
    """Replace NaN among a pivot's values by another number."""

    def change(node: Node) -> Node:
        if not isinstance(node, Pivot):
            return node
        values = (
            replace(value, literal=replace(value.literal, value=(2.0**70).hex())) if is_nan(value.literal) else value
            for value in node.values
        )
        return replace(node, values=tuple(values))

    return _changed(case, lambda query: transform(query, change))


def pivots_without_null(case: Case) -> Case | None:
    """Replace NULL of BINARY, an array or a struct among a pivot's values by a value that is hardly in a table."""

    def change(node: Node) -> Node:
        if not isinstance(node, Pivot) or (is_plain(node.column.type) and node.column.type != BINARY):
            return node
        other = Lit(node.column.type, _rare(node.column.type))
        values = (replace(value, literal=other) if value.literal.value is None else value for value in node.values)
        return replace(node, values=tuple(values))

    return _changed(case, lambda query: transform(query, change))


def _rare(kind: SqlType) -> Value:
    if isinstance(kind, Struct):
        return (None,) * len(kind.fields)
    return (None,) * 5 if isinstance(kind, Array) else "ff00ff00ff"


def conditions_for_negations(case: Case) -> Case | None:
    """Leave out each NOT of a condition with a literal NULL. The answer may be another one then."""

    def change(node: Node) -> Node:
        if isinstance(node, Not) and any(isinstance(part, Lit) and part.value is None for part in walk(node)):
            return node.operand
        return node

    return _changed(case, lambda query: transform(query, change))


def groups_of_some_rows(case: Case) -> Case | None:
    """Filter grouping sets by groups with rows, so that there is no grand total of no rows."""
    names = (f"rows{number}" for number in count())

    def change(node: Node) -> Node:
        if not isinstance(node, GroupingSets) or () not in node.grouped_by:
            return node
        name = next(names)
        counted = replace(node, aggregates=(*node.aggregates, Item(name, Agg("count"))), having=None)
        some = Compare(">", Col(name, Agg("count").type), Lit(Agg("count").type, 0))
        kept = Filter(counted, some if node.having is None else And(some, node.having))
        return Project(kept, tuple(Item(field.name, Col(field.name, field.type)) for field in node.fields))

    return _changed(case, lambda query: transform(query, change))


def own_names_in_except(case: Case) -> Case | None:
    """Give the columns of an EXCEPT's sides the same names by position, and computed columns names of their own, and
    add the columns that a filter below reads: so a condition can't find another column of the same name.
    """

    def change(node: Node) -> Node:
        if not isinstance(node, SetOp) or node.kind != "except" or node.all:
            return node
        names = {column.name for part in walk(node.right) if isinstance(part, Filter) for column in columns_of(part)}
        place_for_place = _called(node.right, [field.name for field in node.left.fields])
        node = replace(node, right=place_for_place or node.right)
        if not isinstance(node.left, Project) or not isinstance(node.right, Project):
            return node
        taken = [place for place, item in enumerate(node.left.items) if item.name in names and is_computed(item)]
        left, right = (_with_own_names(side, taken, names) for side in (node.left, node.right))
        if not taken or left is None or right is None:
            return node
        renamed = SetOp("except", left, right)
        items = [
            Item(field.name, Col(new.name, new.type)) for field, new in zip(node.fields, renamed.fields, strict=False)
        ]
        return Project(renamed, tuple(items))

    return _changed(case, lambda query: transform(query, change))


def except_by_name(case: Case) -> Case | None:
    """Replace each EXCEPT by what ReplaceExceptWithFilter makes of it, with its bug (SPARK-58383): the distinct rows of
    the left side that don't pass the right side's filters, whose columns are looked up by name in the left side.
    """

    def change(node: Node) -> Node:
        if not isinstance(node, SetOp) or node.kind != "except" or node.all:
            return node
        names = {field.name: field for field in node.left.fields}
        filters, below = [], node.right
        while isinstance(below, (Alias, Filter, Project)):
            filters += [below.condition] if isinstance(below, Filter) else []
            below = below.child
        if not filters or not all(column.name in names for each in filters for column in columns_of(each)):
            return node
        passed = reduce(And, (substitute(each, lambda column: names[column.name].column()) for each in filters))
        return Distinct(Filter(node.left, Not(Coalesce((passed, Lit(BOOLEAN, False))))))

    return _changed(case, lambda query: transform(query, change))


def _called(side: Relation, names: Sequence[str]) -> Relation | None:
    """``side``, filters over a projection, with ``names`` for its columns; None if it is something else."""
    if isinstance(side, Project):
        return replace(side, items=tuple(map(Item, names, (item.value for item in side.items))))
    if not isinstance(side, Filter) or (child := _called(side.child, names)) is None:
        return None
    new = {field.name: name for field, name in zip(side.fields, names, strict=True)}
    condition = substitute(side.condition, lambda column: replace(column, name=new[column.name]))
    return Filter(child, condition)


def _with_own_names(side: Project, taken: Sequence[int], names: set[str]) -> Project | None:
    """``side`` with new names for the items at the places ``taken``, and the columns of ``names`` added."""
    own = [Item(f"own{place}", item.value) if place in taken else item for place, item in enumerate(side.items)]
    read = sorted(names - {item.name for item in own})
    found = [resolve(Col(name, INT), from_fields(side.child)) for name in read]
    if any(len(fields) != 1 for fields in found):
        return None
    return replace(side, items=(*own, *(Item(fields[0].name, fields[0].column()) for fields in found)))


def shifts_without_default(case: Case) -> Case | None:
    """Remove the defaults of lag() and lead(), which are then NULL if there is no such row."""

    def change(node: Node) -> Node:
        return replace(node, default=None) if isinstance(node, Peek) and node.default is not None else node

    return _changed(case, lambda query: transform(query, change))


def _changed(case: Case, change: Callable[[Relation], Node]) -> Case | None:
    """``case`` with a changed query; None if the query is invalid, or the same."""
    try:
        query: Any = change(case.query)
        changed = replace(case, query=query)
    except InvalidQuery:
        return None
    return None if changed.query == case.query else changed


REWRITES: dict[str, Rewrite] = {
    "in_as_flags": in_as_flags,
    "in_of_no_rows_as_null": in_of_no_rows_as_null,
    "zeros_of_one_sign": zeros_of_one_sign,
    "wrapping_arithmetic": wrapping_arithmetic,
    "limits_as_ranks": limits_as_ranks,
    "without_limits": without_limits,
    "limits_of_all_rows": limits_of_all_rows,
    "pivots_without_nan": pivots_without_nan,
    "pivots_without_null": pivots_without_null,
    "groups_of_some_rows": groups_of_some_rows,
    "own_names_in_except": own_names_in_except,
    "except_by_name": except_by_name,
    "shifts_without_default": shifts_without_default,
    "correlations_without_nan": correlations_without_nan,
    "sums_in_one_order": sums_in_one_order,
    "averages_of_few_digits": averages_of_few_digits,
    "conditions_for_negations": conditions_for_negations,
    "aggregates_of_columns": aggregates_of_columns,
    "different_rows_below_distinct_values": different_rows_below_distinct_values,
    "sums_that_stay": sums_that_stay,
    "one_row_for_each_source_key": one_row_for_each_source_key,
    "without_runtime_filters": without_runtime_filters,
    "typed_filters_as_conditions": typed_filters_as_conditions,
    "typed_filters_of_known_objects": typed_filters_of_known_objects,
    "missing_values_as_zeros": missing_values_as_zeros,
    "elements_at_known_positions": elements_at_known_positions,
}
"""The rewrites by the names that an entry's ``without`` uses."""
