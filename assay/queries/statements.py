"""Texts of Spark SQL by their tokens: statements of a file, names of tables without databases, views before a query.

A query runs as its author wrote it; only these words are changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from assay.queries.translation import readable

Name = tuple[str, ...]
"""A table's name with the names before it (catalog, database), in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A view of the user's schema, or a table whose columns are made of stored ones: ``text`` is its query.

    :param head: the columns' names, with parentheses, or ''.
    :param native: the query for DuckDB, where it isn't a translation of ``text``: columns of Spark's own types are left
        out. '' otherwise.
    :param lost: the columns that ``native`` lacks.
    """

    name: str
    text: str
    head: str = ""
    native: str = ""
    lost: tuple[str, ...] = ()

    def definition(self, *, native: bool) -> str:
        """The view as a common table expression."""
        return f"`{self.name}`{self.head} AS ({self.native if native and self.native else self.text})"


def statements(whole: str) -> Iterator[str]:
    """The statements of a file, without semicolons and what is nothing but comments."""
    start: int | None = None
    last: Token | None = None
    try:
        tokens = sqlglot.tokenize(whole, dialect="spark")
    except SqlglotError:
        yield whole.strip().rstrip(";")
        return
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            if start is not None and last is not None:
                yield whole[start : last.end + 1]
            start = None
            continue
        start = token.start if start is None else start
        last = token
    if start is not None and last is not None:
        yield whole[start : last.end + 1]


def tokens_of(text: str) -> Sequence[Token]:
    """The tokens of ``text``; none if it can't be read."""
    try:
        return sqlglot.tokenize(text, dialect="spark")
    except SqlglotError:
        return ()


def without_databases(text: str, names: Collection[Name]) -> str:
    """``text`` with each of the tables ``names`` called by its last name alone, in FROM and before its columns."""
    tokens = tokens_of(text)
    longest = max(map(len, names), default=0)
    for at in range(len(tokens) - 1, -1, -1):
        if at and tokens[at - 1].text == ".":
            continue
        for count in range(longest, 1, -1):
            part = tokens[at : at + 2 * count - 1]
            dotted = all(each.text == "." for each in part[1::2])
            if dotted and tuple(each.text.casefold() for each in part[::2]) in names:
                text = text[: part[0].start] + text[part[-1].start :]
                break
    return text


def views_read(text: str, views: Sequence[View]) -> list[View]:
    """Those of ``views`` that ``text`` reads, directly or by another view, in their order."""
    needed: list[View] = []
    names = _tables_of(text)
    for view in reversed(views):
        if view.name.casefold() in names:
            needed.insert(0, view)
            names |= _tables_of(view.text)
    return needed


def with_views(text: str, views: Sequence[View], *, native: bool = False) -> str:
    """``text`` over ``views``: each is a subquery where it is read, as the analyzer makes one of it.

    Where sqlglot can't tell the places, the views are the text's first WITH. It isn't the rule, because off legs would
    keep InlineCTE from inlining them.
    """
    bodies: dict[str, str] = {}
    for view in views:
        body = _inlined(view.native if native and view.native else view.text, bodies)
        if body is None:
            return _after_with(text, views, native=native)
        bodies[view.name.casefold()] = f"SELECT * FROM ({body}) AS `{view.name}`{view.head}" if view.head else body
    inlined = _inlined(text, bodies)
    return _after_with(text, views, native=native) if inlined is None else inlined


def _inlined(text: str, bodies: Mapping[str, str]) -> str | None:
    """``text`` with subqueries in place of the tables in ``bodies``; None if their places aren't known."""
    if not bodies:
        return text
    try:
        tree = sqlglot.parse_one(text, dialect="spark")
    except (SqlglotError, RecursionError):
        return None
    if readable(text) != text:
        return None
    own = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    edits: list[tuple[int, int, str]] = []
    for table in tree.find_all(exp.Table):
        # A database that is left is another one than the schema's.
        body = None if table.db or table.name.casefold() in own else bodies.get(table.name.casefold())
        if body is None:
            continue
        start, end = table.this.meta.get("start"), table.this.meta.get("end")
        if start is None or end is None or table.args.get("sample"):
            return None
        edits.append((start, end + 1, f"({body})" + ("" if table.alias else f" AS `{table.name}`")))
    for start, end, instead in sorted(edits, reverse=True):
        text = text[:start] + instead + text[end:]
    return text


def _after_with(text: str, views: Sequence[View], *, native: bool) -> str:
    if not views:
        return text
    definitions = ",\n     ".join(view.definition(native=native) for view in views)
    tokens = tokens_of(text)
    if tokens and tokens[0].text.upper() == "WITH":
        first = tokens[1] if tokens[1].text.upper() == "RECURSIVE" else tokens[0]
        return f"{text[: first.end + 1]} {definitions},\n{text[first.end + 1 :].lstrip()}"
    start = tokens[0].start if tokens else 0
    return f"{text[:start]}WITH {definitions}\n{text[start:]}"


def _tables_of(text: str) -> set[str]:
    """The tables that ``text`` reads, in lower case; all of its words if sqlglot can't read it."""
    try:
        tree = sqlglot.parse_one(readable(text), dialect="spark")
    except (SqlglotError, RecursionError):
        return {token.text.casefold() for token in tokens_of(text) if token.token_type != TokenType.STRING}
    own = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    return {table.name.casefold() for table in tree.find_all(exp.Table) if not table.db} - own


def body_after(text: str, word: str) -> tuple[str, str]:
    """The parts of ``text`` before and after the first ``word`` outside of parentheses; '' if it isn't there.

    The word is none after STORED, as in STORED AS PARQUET.
    """
    depth, before = 0, ""
    for token in tokens_of(text):
        depth += (token.text == "(") - (token.text == ")")
        if not depth and token.text.upper() == word and token.token_type != TokenType.STRING and before != "STORED":
            return text[: token.start], text[token.end + 1 :].strip()
        before = token.text.upper()
    return text, ""
