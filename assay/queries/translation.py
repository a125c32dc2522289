"""Translate Spark SQL to DuckDB's with sqlglot, and by hand where the same text means something else there."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

_SETS = (exp.Rollup, exp.Cube, exp.GroupingSets)


def in_duckdb(tree: exp.Expr) -> str:
    """The text of ``tree`` for DuckDB; SqlglotError if it can't be translated."""
    tree = tree.copy()
    for select in tree.find_all(exp.Select):
        group = select.args.get("group")
        if group is None:
            continue
        for kind, words in (("rollup", exp.Rollup), ("cube", exp.Cube)):
            if group.args.get(kind):  # GROUP BY a, b WITH ROLLUP
                group.set("expressions", [words(expressions=group.expressions)])
                group.set(kind, None)
        if _has_the_empty_set(group):
            # Of no rows at all that group has a row in DuckDB, as in the standard, and none in Spark.
            select.having("COUNT(*) > 0", copy=False)
    return str(tree.sql("duckdb", unsupported_level=sqlglot.ErrorLevel.RAISE))


def _has_the_empty_set(group: exp.Expr) -> bool:
    """Whether one of a GROUP BY's several sets is empty: a single empty one is a GROUP BY of nothing, to both."""
    keys: list[exp.Expr] = list(group.expressions)
    return bool(keys) and all(isinstance(key, _SETS) and _may_be_empty(key) for key in keys) and not _is_one(keys)


def _may_be_empty(sets: exp.Expr) -> bool:
    if isinstance(sets, exp.GroupingSets):
        return any(_may_be_empty(each) if isinstance(each, _SETS) else _is_empty(each) for each in sets.expressions)
    return True


def _is_one(keys: list[exp.Expr]) -> bool:
    sets = keys[0]
    return len(keys) == 1 and isinstance(sets, exp.GroupingSets) and list(map(_is_empty, sets.expressions)) == [True]


def _is_empty(grouping: exp.Expr) -> bool:
    return isinstance(grouping, exp.Tuple) and not grouping.expressions
