"""Patterns of aggregates: predicates for known divergences and for known bugs of older releases."""

from __future__ import annotations

import decimal
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    CaseWhen,
    Col,
    Compare,
    Decimal,
    Deduplicate,
    Distinct,
    Exists,
    Expr,
    Filter,
    GroupingSets,
    InSubquery,
    InvalidQuery,
    IsNull,
    Item,
    Join,
    Lit,
    Node,
    Outer,
    Over,
    Ranking,
    Relation,
    ScalarSubquery,
    Scan,
    SetOp,
    SortKey,
    When,
    Window,
    With,
    WithField,
    columns_of,
    from_fields,
    is_plain,
    referable,
    transform,
    walk,
)


def distinct_aggregate_of_a_constant(case: Case) -> bool:
    """An aggregate with DISTINCT whose operand reads no column."""
    return any(
        node.distinct and node.operand is not None and not any(isinstance(part, (Col, Outer)) for part in walk(node))
        for node in walk(case.query)
        if isinstance(node, Agg)
    )


def key_with_a_cte(case: Case) -> bool:
    """A grouping key with a subquery that has a common table expression."""
    return any(
        isinstance(node, (Aggregate, GroupingSets))
        and any(isinstance(part, With) for key in node.keys for part in walk(key))
        for node in walk(case.query)
    )


def average_of_ten_or_eleven_digits(case: Case) -> bool:
    """An average of decimals with so many digits that its own, four more, are nearly all that a double tells apart."""
    return any(_is_rounded_twice(node) for node in walk(case.query))


def distinct_constants_of_all_rows(case: Case) -> bool:
    """An aggregate of all rows whose DISTINCT functions read no column, where OptimizeExpand is on."""
    return _expands_in_two_steps(case) and any(
        isinstance(node, Aggregate) and not node.keys and bool(distinct := _distinct_of(node)) and not _read(distinct)
        for node in walk(case.query)
    )


def rows_counted_beside_distinct_values(case: Case) -> bool:
    """An aggregate with a DISTINCT function, and beside it one that reads no column, where OptimizeExpand is on."""
    return _expands_in_two_steps(case) and any(
        isinstance(node, Aggregate)
        and bool(_distinct_of(node))
        and any(isinstance(part, Agg) and not part.distinct and not _read([part]) for part in walk(node))
        for node in walk(case.query)
    )


def _expands_in_two_steps(case: Case) -> bool:
    return any(key == "spark.sql.optimizer.optimizeExpandRatio" for key, _ in case.settings.conf)


def aggregates_of_columns(case: Case) -> Case | None:
    """Let each function that reads no column, of an aggregate with a DISTINCT one, read a column; None if there is no
    such function. Its value may be another one then.
    """
    query: Any = transform(case.query, _of_columns)
    return None if query == case.query else replace(case, query=query)


def different_rows_below_distinct_values(case: Case) -> Case | None:
    """Give an aggregate with a DISTINCT function only rows that differ in what it reads; None if there is none.

    Its value may be another one then.

    The rows are chosen by their number: over a DISTINCT, OptimizeExpand has nothing to do.
    """
    try:
        query: Any = transform(case.query, _of_different_rows)
    except InvalidQuery:  # a join's columns have no qualifiers any more
        return None
    return None if query == case.query else replace(case, query=query)


def _of_different_rows(node: Node) -> Node:
    if not isinstance(node, Aggregate) or not _distinct_of(node) or _NUMBER in {f.name for f in node.child.fields}:
        return node
    read = {each.name for item in (*node.keys, *node.aggregates) for each in columns_of(item)}
    fields = from_fields(node.child)
    partition = tuple(field.column() for field in fields if field.name in read)
    order = tuple(SortKey(field.column()) for field in fields)
    numbered = Window(node.child, (Over(_NUMBER, Ranking("row_number")),), partition, order)
    rows = Filter(numbered, Compare("=", Col(_NUMBER, INT), Lit(INT, 1)))
    return replace(node, child=Alias(rows, node.child.table) if isinstance(node.child, Scan) else rows)


_NUMBER = "assay_number"


def _distinct_of(node: Aggregate) -> list[Agg]:
    return [part for item in node.aggregates for part in walk(item) if isinstance(part, Agg) and part.distinct]


def _read(functions: Sequence[Agg]) -> bool:
    return any(isinstance(part, (Col, Outer)) for function in functions for part in walk(function))


def _of_columns(node: Node) -> Node:
    if not isinstance(node, Aggregate) or not _distinct_of(node):
        return node
    known = referable(from_fields(node.child))
    if not known:
        return node
    return replace(node, aggregates=tuple(_of_column(item, known[0].column()) for item in node.aggregates))


def _of_column(item: Item, column: Col) -> Item:
    value = item.value
    if not isinstance(value, Agg) or _read([value]):
        return item
    one = Lit(INT, 1) if value.operand is None else value.operand
    return replace(item, value=replace(value, operand=CaseWhen((When(IsNull(column, negated=True), one),))))


def averages_of_few_digits(case: Case) -> Case | None:
    """Average only values of up to nine digits, as decimals of ten or eleven; None if there is no such average."""
    query: Any = transform(case.query, _of_few_digits)
    return None if query == case.query else replace(case, query=query)


def partly_pushed_sum_of_decimals(case: Case) -> bool:
    """A sum or average of a DECIMAL column of tables that compute aggregates of each split."""
    settings = case.settings
    partly = settings.source == "v2" and "weak aggregates" in settings.capabilities
    return partly and any(_sums_a_decimal(node) for node in walk(case.query))


def sums_that_stay(case: Case) -> Case | None:
    """Sum and average DECIMAL columns by way of CASE, which no source computes; None if there is no such column."""
    query: Any = transform(case.query, _that_stays)
    return None if query == case.query else replace(case, query=query)


def _sums_a_decimal(node: Node) -> bool:
    return (
        isinstance(node, Agg)
        and node.function in ("sum", "avg")
        and isinstance(node.operand, Col)
        and isinstance(node.operand.type, Decimal)
    )


def _that_stays(node: Node) -> Node:
    if not isinstance(node, Agg) or node.operand is None or not _sums_a_decimal(node):
        return node
    return replace(node, operand=CaseWhen((When(IsNull(node.operand, negated=True), node.operand),)))


def _is_rounded_twice(node: Node) -> bool:
    kind = node.operand.type if isinstance(node, Agg) and node.function == "avg" and node.operand else None
    return isinstance(kind, Decimal) and kind.precision in (10, 11)


def _of_few_digits(node: Node) -> Node:
    if not isinstance(node, Agg) or node.operand is None or not _is_rounded_twice(node):
        return node
    if isinstance(node.operand, CaseWhen) and node.operand == _if_small(node.operand.branches[0].result):
        return node
    return replace(node, operand=_if_small(node.operand))


def _if_small(value: Expr) -> Expr:
    """``value``, or NULL if it has more than nine digits."""
    kind = value.type
    assert isinstance(kind, Decimal)  # the operand of an average that is rounded twice
    most = decimal.Decimal(10**9 - 1).scaleb(-kind.scale)
    least, greatest = (Lit(kind, f"{bound:f}") for bound in (-most, most))
    small = And(Compare(">=", value, least), Compare("<=", value, greatest))
    return CaseWhen((When(small, value),))


def correlated_aggregate_in_exists_or_in(case: Case) -> bool:
    """EXISTS or IN over an aggregate without keys, of rows that an outer column selects."""
    return _over_a_correlated_aggregate(case, (Exists, InSubquery), least=1)


def correlated_aggregate_of_an_aggregate(case: Case) -> bool:
    """A scalar subquery over an aggregate of an aggregate, both without keys, of rows that an outer column selects."""
    return _over_a_correlated_aggregate(case, (ScalarSubquery,), least=2)


def nested_groups_below_a_union(case: Case) -> bool:
    """A UNION with groups or distinct rows below it, by a column of arrays or structs."""
    return any(
        _groups_by_a_nested_column(below)
        for node in walk(case.query)
        if isinstance(node, SetOp) and node.kind == "union"
        for side in (node.left, node.right)
        for below in walk(side)
    )


def changed_field_below_a_semi_join(case: Case) -> bool:
    """INTERSECT, EXCEPT, or a semi or anti join, whose left side has distinct rows of a union with a struct of which a
    DataFrame program sets a field (``withField``).
    """
    if case.settings.form != "dataframe":
        return False
    return any(_has_a_changed_field(left) for node in walk(case.query) if (left := _left_of_a_semi_join(node)))


def _left_of_a_semi_join(node: Node) -> Relation | None:
    if isinstance(node, SetOp):
        return None if node.kind == "union" or node.all else node.left
    if isinstance(node, Join):
        return node.left if node.kind in ("semi", "anti") else None
    subqueries = isinstance(node, Filter) and any(isinstance(x, (Exists, InSubquery)) for x in walk(node.condition))
    return node.child if isinstance(node, Filter) and subqueries else None


def _has_a_changed_field(left: Relation) -> bool:
    unions = [node for node in walk(left) if isinstance(node, SetOp) and node.kind == "union"]
    distinct = any(isinstance(node, (Aggregate, Deduplicate, Distinct)) for node in walk(left))
    return any(
        (distinct or not union.all) and any(isinstance(part, WithField) for part in walk(union)) for union in unions
    )


def _groups_by_a_nested_column(node: Node) -> bool:
    match node:
        case Aggregate(keys=keys):
            return any(not is_plain(key.value.type) for key in keys)
        case Deduplicate(keys=keys):
            return any(not is_plain(field.type) for field in node.fields if field.name in keys)
        case Distinct() | SetOp(all=False):
            return any(not is_plain(field.type) for field in node.fields)
    return False


def _over_a_correlated_aggregate(
    case: Case, kinds: tuple[type[Exists | InSubquery | ScalarSubquery], ...], *, least: int
) -> bool:
    """Whether a subquery of these kinds has so many aggregates without keys that an outer column stands below."""
    return any(
        isinstance(node, kinds)
        and sum(
            isinstance(part, Aggregate) and not part.keys and any(isinstance(each, Outer) for each in walk(part.child))
            for part in walk(node.query)
        )
        >= least
        for node in walk(case.query)
    )
