"""Read queries from files and parse them.

sqlglot parses Spark SQL and translates it to DuckDB's. A query that it can't parse runs on Spark alone: Spark gets
each text unchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from assay.queries.commands import command_of
from assay.queries.lines import one_line
from assay.queries.statements import Name, View, statements, tokens_of, views_read, with_views, without_databases
from assay.queries.translation import NO_TYPES, ColumnTypes, in_duckdb, readable
from assay.queries.words import of_spark_alone, unstable
from assay.session.ending import BadInput


@dataclass(frozen=True, slots=True)
class Limited:
    """The LIMIT at a query's end.

    ``count`` and ``offset`` are None if they are no plain numbers. ``all_rows`` is the query without the LIMIT.
    """

    count: int | None
    offset: int | None
    all_rows: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryText:
    """A query: ``text`` from its file, ``duckdb`` its translation ('' if there is none, and ``why_not`` says why).

    ``unstable`` is the reason why its answer may depend on more than its tables' rows, '' if no such reason was seen.
    ``keys`` are the expressions of the ORDER BY at its end as output columns (name or number from 1), None for any
    other expression. ``tree`` is None if sqlglot can't parse the query. ``rewritten``: the text isn't its file's, so
    that places in messages about it aren't the user's.
    """

    name: str
    text: str
    duckdb: str
    why_not: str
    unstable: str
    limited: Limited | None
    tree: exp.Expr | None
    keys: tuple[str | int | None, ...] = ()
    rewritten: bool = False


def read_queries(path: Path) -> list[QueryText]:
    """The queries of a .sql file, or of all in a folder (those below it, too), several in a file apart by semicolons.

    BadInput in one line where there are none. A file that isn't text is one query, which says so.
    """
    files = [path] if path.is_file() else sorted(path.rglob("*.sql"))
    if not path.exists():
        raise BadInput(f"--queries: no such file or folder: {path}")
    queries = [query for file in files for query in _of_file(file, _name(path, file))]
    if not queries:
        raise BadInput(f"--queries: no query in {path}: it takes .sql files")
    return queries


def _name(path: Path, file: Path) -> str:
    return file.stem if path.is_file() else file.relative_to(path).with_suffix("").as_posix()


def _of_file(file: Path, name: str) -> Iterator[QueryText]:
    try:
        whole = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = f"its file can't be read as UTF-8 text: {one_line(error)}"
        yield QueryText(name=name, text="", duckdb="", why_not=why, unstable="", limited=None, tree=None)
        return
    texts = list(statements(whole))
    for number, text in enumerate(texts, 1):
        yield query_text(name if len(texts) == 1 else f"{name}:{number}", text)


def over_schema(
    query: QueryText, views: Sequence[View], names: Collection[Name], types: ColumnTypes = NO_TYPES
) -> QueryText:
    """``query`` over the user's schema: its tables by their last names, and the views that it reads before it.

    DuckDB gets the views without the columns that it has no type for. A file that can't be read stays as it is.
    """
    if not query.text:
        return query
    text = without_databases(query.text, names)
    needed = views_read(text, views)
    if text == query.text and not needed and types == NO_TYPES:
        return query
    made = query_text(query.name, with_views(text, needed, native=True), types=types)
    made = replace(made, rewritten=text != query.text or bool(needed))
    if needed:
        bare = query_text(query.name, text)
        limited = bare.limited and replace(bare.limited, all_rows=with_views(bare.limited.all_rows, needed))
        made = replace(made, text=with_views(text, needed), limited=limited)
    lost = {column.casefold() for view in needed for column in view.lost}
    if lost and made.duckdb and (why := _needs(text, lost)):
        return replace(made, duckdb="", why_not=why)
    return made


def _needs(text: str, lost: Collection[str]) -> str:
    """Why a query needs columns that DuckDB hasn't got: it names one, or takes all columns, or joins by their names."""
    tokens = tokens_of(text)
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.text.casefold() in lost:
            return f"{token.text} has a type that is made for Spark alone"
        if token.text.upper() == "NATURAL":
            return "NATURAL may take a column of a type that is made for Spark alone"
        if token.text == "*" and before is not None and before.text.upper() in ("SELECT", "DISTINCT", "ALL", ",", "."):
            return "* takes a column of a type that is made for Spark alone"
    return ""


def query_text(name: str, text: str, *, types: ColumnTypes = NO_TYPES) -> QueryText:
    """Parse the ``text`` of one query, and translate it for DuckDB; a text that sqlglot can't parse has no tree.

    :param types: the columns whose types change the translation.
    """
    if command_of(text):
        return QueryText(
            name=name, text=text, duckdb="", why_not="a command", unstable="", limited=None, keys=(), tree=None
        )
    try:
        tree = sqlglot.parse_one(readable(text), dialect="spark")
    except (SqlglotError, RecursionError) as error:
        reason = f"sqlglot can't read it: {one_line(error, 120)}"
        return QueryText(
            name=name,
            text=text,
            duckdb="",
            why_not=reason,
            unstable=unstable(text),
            limited=_unreadable_limit(text),
            tree=None,
        )
    duckdb, why_not = "", of_spark_alone(text)
    if not why_not:
        try:
            duckdb = in_duckdb(tree, types)
        except (SqlglotError, RecursionError) as error:
            why_not = f"sqlglot has no words for it: {one_line(error, 120)}"
    return QueryText(
        name=name,
        text=text,
        duckdb=duckdb,
        why_not=why_not,
        unstable=unstable(text) or _inner_limit(tree),
        limited=_limited(tree),
        keys=_keys(tree),
        tree=tree,
    )


def _unreadable_limit(text: str) -> Limited | None:
    has = " limit " in f" {' '.join(text.casefold().split())} "
    return Limited(None, None, text) if has else None


def _inner_limit(tree: exp.Expr) -> str:
    ends = [tree.args.get(name) for name in ("limit", "offset")]
    inner = any(node not in ends for node in tree.find_all(exp.Limit, exp.Offset, exp.Fetch) if node.parent is not tree)
    return "a LIMIT inside of it may take other rows" if inner else ""


def _limited(tree: exp.Expr) -> Limited | None:
    ends = {name: tree.args.get(name) for name in ("limit", "offset")}
    if not any(ends.values()):
        return None
    rest = tree.copy()
    for name in ends:
        rest.set(name, None)
    count = 0 if ends["limit"] is None else _number(ends["limit"])
    offset = 0 if ends["offset"] is None else _number(ends["offset"])
    return Limited(count, offset, rest.sql("spark"))


def _keys(tree: exp.Expr) -> tuple[str | int | None, ...]:
    order = tree.args.get("order")
    return tuple(_key(tree, each.this) for each in order.expressions) if order else ()


def _number(node: exp.Expr) -> int | None:
    value = node.expression if isinstance(node, (exp.Limit, exp.Offset)) else None
    return int(value.name) if isinstance(value, exp.Literal) and value.name.isdecimal() else None


def _key(tree: exp.Expr, key: exp.Expr) -> str | int | None:
    if isinstance(key, exp.Literal) and key.name.isdecimal():
        return int(key.name)
    outputs: Sequence[exp.Expr] = tree.selects if isinstance(tree, exp.Query) else ()
    # A name is that of an output column, before it is that of a column below.
    is_name = isinstance(key, exp.Column) and not key.table
    if is_name and any(output.alias_or_name.casefold() == key.name.casefold() for output in outputs):
        return key.name
    for number, output in enumerate(outputs, 1):
        if output.unalias() == key:
            return number
    return key.name if is_name else None
