"""Translate Spark SQL to DuckDB's with sqlglot, and by hand where the same text means something else there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.dialects import DuckDB
from sqlglot.errors import SqlglotError, UnsupportedError
from sqlglot.tokenizer_core import Token

_SETS = (exp.Rollup, exp.Cube, exp.GroupingSets)


def readable(text: str) -> str:
    """``text`` in words that sqlglot reads: a second argument TRUE of first and the like is IGNORE NULLS, and TABLE t
    is SELECT * FROM t. Spark gets the text as it is.
    """
    try:
        tokens = sqlglot.tokenize(text, dialect="spark")
    except SqlglotError:
        return text
    edits = [*_without_flags(tokens), *_without_table(tokens)]
    for start, end, instead in sorted(edits, reverse=True):
        text = text[:start] + instead + text[end:]
    return text


_FLAGGED = ("first", "first_value", "last", "last_value", "any_value")
_FLAGS = {"TRUE": " IGNORE NULLS", "FALSE": ""}
_Edit = tuple[int, int, str]


def _without_flags(tokens: Sequence[Token]) -> Iterator[_Edit]:
    for at, token in enumerate(tokens[:-1]):
        if token.text.casefold() not in _FLAGGED or tokens[at + 1].text != "(":
            continue
        close = _close_of(tokens, at + 1)
        comma, flag = tokens[close - 2], tokens[close - 1]
        if comma.text == "," and flag.text.upper() in _FLAGS:
            yield comma.start, tokens[close].end + 1, ")" + _FLAGS[flag.text.upper()]


def _close_of(tokens: Sequence[Token], opening: int) -> int:
    """The place of the parenthesis that closes the one at ``opening``; the last place if none does."""
    depth = 0
    for at in range(opening, len(tokens)):
        depth += (tokens[at].text == "(") - (tokens[at].text == ")")
        if not depth:
            return at
    return len(tokens) - 1


_BEFORE_TABLE = ("(", "ALL", "DISTINCT", "UNION", "EXCEPT", "INTERSECT", "MINUS", "AS")


def _without_table(tokens: Sequence[Token]) -> Iterator[_Edit]:
    for at, token in enumerate(tokens[:-1]):
        begins = at == 0 or tokens[at - 1].text.upper() in _BEFORE_TABLE
        if begins and token.text.upper() == "TABLE" and tokens[at + 1].text != "(":
            yield token.start, token.end + 1, "SELECT * FROM"


@dataclass(frozen=True, slots=True)
class ColumnTypes:
    """The names, in lower case, of the columns whose types change the translation: those of FLOAT, and maps."""

    floats: frozenset[str] = frozenset()
    maps: frozenset[str] = frozenset()


NO_TYPES = ColumnTypes()
_RENAMED = {"every": "BOOL_AND", "some": "BOOL_OR"}


def in_duckdb(tree: exp.Expr, types: ColumnTypes = NO_TYPES) -> str:
    """The text of ``tree`` for DuckDB; SqlglotError if it can't be translated."""
    tree = tree.copy()
    for hint in [*tree.find_all(exp.Hint)]:
        hint.pop()  # it says how to run the query, not what it means
    for called in tree.find_all(exp.Anonymous):
        called.set("this", _RENAMED.get(called.name.casefold(), called.this))
    for sort in [*tree.find_all(exp.ArraySort)]:
        if not (sort.expression or sort.args.get("asc")) and sort.args["nulls_first"] == exp.false():
            given = [sort.this, exp.Literal.string("ASC"), exp.Literal.string("NULLS LAST")]
            sort.replace(exp.Anonymous(this="LIST_SORT", expressions=given))
    if types.floats:
        _widen(tree, types.floats)
    _take_by_key(tree, types.maps)
    for pivot in tree.find_all(exp.Pivot):
        if pivot.find(exp.Count, exp.CountIf, exp.ApproxDistinct):
            raise UnsupportedError(
                "a count in PIVOT is NULL in Spark, and 0 in DuckDB, where a group has no row for it"
            )
    for select in tree.find_all(exp.Select):
        _with_generators(select)
        group = select.args.get("group")
        if group is None:
            continue
        for kind, words in (("rollup", exp.Rollup), ("cube", exp.Cube)):
            if group.args.get(kind):  # GROUP BY a, b WITH ROLLUP
                group.set("expressions", [words(expressions=group.expressions)])
                group.set(kind, None)
        if group.args.get("grouping_sets"):  # GROUP BY a, b GROUPING SETS (...): the keys are those of the sets
            group.set("expressions", group.args["grouping_sets"])
            group.set("grouping_sets", None)
        if _has_the_empty_set(group):
            # Of no rows at all that group has a row in DuckDB, as in the standard, and none in Spark.
            select.having("COUNT(*) > 0", copy=False)
    return str(tree.sql(_DUCKDB, unsupported_level=sqlglot.ErrorLevel.RAISE))


_DUCKDB = DuckDB()
_DUCKDB.NULL_ORDERING = "nulls_are_small"  # as Spark's orders have them: oracles.engines.duckdb.SETTINGS says so


_OPERATORS = (exp.Add, exp.Sub, exp.Mul, exp.Mod, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ)
_CLOSED = (exp.Add, exp.Sub, exp.Mul, exp.Mod)


def _widen(tree: exp.Expr, floats: Collection[str]) -> None:
    """Compute FLOAT with any other number in DOUBLE, as Spark does: DuckDB makes the other one a FLOAT."""

    def is_float(node: exp.Expr) -> bool:
        if isinstance(node, (exp.Paren, exp.Neg)):
            return is_float(node.this)
        if isinstance(node, _CLOSED):
            return is_float(node.this) and is_float(node.expression)
        return isinstance(node, exp.Column) and node.name.casefold() in floats

    found: list[exp.Expr] = []
    for node in tree.find_all(*_OPERATORS, exp.Div, exp.Between, exp.In):
        operands: list[exp.Expr]
        if isinstance(node, exp.Between):
            operands = [node.this, node.args["low"], node.args["high"]]
        elif isinstance(node, exp.In):
            operands = [node.this, *node.expressions]
        else:
            operands = [node.this, node.expression]
        narrow = [each for each in operands if is_float(each)]
        if narrow and (len(narrow) < len(operands) or isinstance(node, exp.Div)):
            found += narrow
    for each in found:
        each.replace(exp.cast(each.copy(), "DOUBLE"))


def _take_by_key(tree: exp.Expr, maps: Collection[str]) -> None:
    """Take a map's value by its key: sqlglot takes every subscript for the place in an array."""
    for node in [*tree.find_all(exp.Bracket)]:
        of_map = isinstance(node.this, (exp.Map, exp.VarMap)) or (
            isinstance(node.this, exp.Column) and node.this.name.casefold() in maps
        )
        if of_map and len(node.expressions) == 1:
            taken = exp.Anonymous(this="MAP_EXTRACT_VALUE", expressions=[node.this.copy(), node.expressions[0].copy()])
            node.replace(taken)


def _with_generators(select: exp.Select) -> None:
    """Join explode and inline, of LATERAL VIEW and LATERAL, as subqueries: sqlglot drops OUTER, and a join's kind."""
    laterals = select.args.get("laterals") or ()
    if laterals and all(map(_rows_of, laterals)):
        # In Spark they follow all relations of FROM.
        joins = [*(select.args.get("joins") or ()), *map(_joined, laterals)]
        select.set("laterals", None)
        select.set("joins", joins)
    elif any(lateral.args.get("outer") for lateral in laterals):
        raise UnsupportedError("LATERAL VIEW OUTER of anything but explode and inline")
    for join in select.args.get("joins") or ():
        if isinstance(join.this, exp.Lateral) and _rows_of(join.this):
            made = _joined(join.this)
            if made.side and not join.side:  # LATERAL explode_outer(...) beside a comma
                join.set("kind", None)
                join.set("side", made.side)
                join.set("on", exp.true())
            join.set("this", made.this)


def _rows_of(lateral: exp.Expr) -> list[exp.Expr]:
    """The arguments of UNNEST for the generator of ``lateral``; none if it is not explode or inline, with an alias."""
    made, alias = lateral.this, lateral.args.get("alias")
    columns = alias.columns if isinstance(alias, exp.TableAlias) else ()
    if not columns or isinstance(made, exp.Posexplode):
        return []
    depth = exp.Kwarg(this=exp.var("max_depth"), expression=exp.Literal.number(2))
    if isinstance(made, exp.Inline):
        return [made.this.copy(), depth]
    if isinstance(made, exp.Explode) and len(columns) == 2:  # of a map
        return [exp.Anonymous(this="MAP_ENTRIES", expressions=[made.this.copy()]), depth]
    return [made.this.copy()] if isinstance(made, exp.Explode) and len(columns) == 1 else []


def _joined(lateral: exp.Expr) -> exp.Join:
    rows = exp.select(exp.Anonymous(this="UNNEST", expressions=_rows_of(lateral)))
    query = exp.Lateral(this=exp.Subquery(this=rows), alias=lateral.args["alias"].copy())
    if lateral.args.get("outer") or isinstance(lateral.this, exp.ExplodeOuter):
        return exp.Join(this=query, side="LEFT", on=exp.true())
    return exp.Join(this=query, kind="CROSS")


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
