"""Patterns of queries that are texts, and rewrites that remove their cause, in Spark's words and in DuckDB's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from strategies.ir import Case, Verbatim


@lru_cache(maxsize=64)
def _tree(text: str, dialect: str) -> exp.Expr | None:
    """The parsed ``text``, which nobody may change; None if sqlglot can't read it."""
    try:
        return sqlglot.parse_one(text, dialect=dialect) if text else None
    except (SqlglotError, RecursionError):
        return None


def _tree_of(case: Case) -> exp.Expr | None:
    return _tree(case.query.spark, "spark") if isinstance(case.query, Verbatim) else None


def _rewritten(case: Case, change: Callable[[exp.Expr], bool]) -> Case | None:
    """``case`` with both texts rewritten by ``change``, which says whether it did; None if one can't be."""
    query = case.query
    if not isinstance(query, Verbatim):
        return None
    texts = {}
    for dialect, text in (("spark", query.spark), ("duckdb", query.duckdb)):
        tree = _tree(text, dialect)
        if tree is None:
            return None
        tree = tree.copy()
        if not change(tree):
            return None
        texts[dialect] = str(tree.sql(dialect))
    return replace(case, query=Verbatim(texts["spark"], texts["duckdb"]))


# IN as a value.


def text_with_in_as_a_value(case: Case) -> bool:
    """A text with an IN over a subquery anywhere but at the root of a WHERE, or with NOT IN in a join's condition."""
    tree = _tree_of(case)
    return tree is not None and any(True for _ in _ins_as_values(tree))


def _ins_as_values(tree: exp.Expr) -> Iterator[tuple[exp.Expr, bool]]:
    """The INs over subqueries that are used as values, with NOT if it is right above; and whether in a join's ON."""
    for node in tree.find_all(exp.In):
        if node.args.get("query") is None:
            continue
        above = _without_parentheses(node)
        negated = isinstance(above, exp.Not)
        top = above if negated and above is not None else node
        root = _without_parentheses(top)
        while isinstance(root, (exp.And, exp.Or)):
            root = _without_parentheses(root)
        joined = isinstance(root, exp.Join)
        if not (isinstance(root, exp.Where) or (joined and not negated)):
            yield (node if joined else top), joined


def _without_parentheses(node: exp.Expr) -> exp.Expr | None:
    above = node.parent
    while isinstance(above, exp.Paren):
        above = above.parent
    return above


def in_as_flags_of_text(case: Case) -> Case | None:
    """Make every IN over a subquery that is used as a value FALSE if it is unknown, as Spark treats it."""

    def change(tree: exp.Expr) -> bool:
        found = [node for node, _ in _ins_as_values(tree)]
        for node in reversed(found):  # the inner ones first
            node.replace(exp.Paren(this=exp.Coalesce(this=node.copy(), expressions=[exp.false()])))
        return bool(found)

    return _rewritten(case, change)


# Correlation where there is none.

_MOMENTS = (exp.Corr, exp.RegrSlope)


def correlation_of_equal_values(case: Case) -> bool:
    """A text with corr or regr_slope, which are NULL in Spark and NaN in DuckDB over equal values."""
    tree = _tree_of(case)
    return tree is not None and tree.find(*_MOMENTS) is not None


def correlations_without_nan(case: Case) -> Case | None:
    """Make corr and regr_slope NULL where they are NaN."""

    def change(tree: exp.Expr) -> bool:
        found = [*tree.find_all(*_MOMENTS)]
        for node in reversed(found):
            whole = node.parent if isinstance(node.parent, (exp.Filter, exp.Window)) else node
            whole = whole.parent if isinstance(whole.parent, exp.Window) else whole
            nan = exp.cast(exp.Literal.string("NaN"), "DOUBLE")
            whole.replace(exp.Nullif(this=whole.copy(), expression=nan))
        return bool(found)

    return _rewritten(case, change)


# Sums in two orders.

_COMMUTATIVE = (exp.Add, exp.Mul)
_SETS = (exp.Rollup, exp.Cube, exp.GroupingSets)


def groups_by_a_sum_in_two_orders(case: Case) -> bool:
    """A text whose grouping sets have both a + b and b + a, or products of the same kind."""
    tree = _tree_of(case)
    return tree is not None and any(
        len({each.sql() for each in keys}) > len({_ordered(each.copy()).sql() for each in keys})
        for group in tree.find_all(exp.Group)
        if group.find(*_SETS) or any(group.args.get(name) for name in ("rollup", "cube", "grouping_sets"))
        for keys in [[*group.find_all(*_COMMUTATIVE)]]
    )


def sums_in_one_order(case: Case) -> Case | None:
    """Write the operands of each + and * in the order of their texts, as Spark compares keys."""

    def change(tree: exp.Expr) -> bool:
        before = tree.sql()
        return bool(_ordered(tree).sql() != before)

    return _rewritten(case, change)


def _ordered(tree: exp.Expr) -> exp.Expr:
    for node in reversed([*tree.find_all(*_COMMUTATIVE)]):
        left, right = node.left, node.right
        if right.sql() < left.sql():
            node.set("this", right)
            node.set("expression", left)
    return tree


# WITH that stays apart.


def common_table_over_another(case: Case) -> bool:
    """A text with a common table expression that reads another one."""
    tree = _tree_of(case)
    if tree is None:
        return False
    found = [*tree.find_all(exp.CTE)]
    names = {each.alias.casefold() for each in found}
    return any(table.name.casefold() in names for each in found for table in each.find_all(exp.Table))
