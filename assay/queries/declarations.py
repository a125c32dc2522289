"""Read a user's schema from statements: CREATE TABLE, CREATE VIEW, CREATE TABLE … AS, and INSERT … VALUES."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlglot.tokenizer_core import Token, TokenType

from assay.queries.commands import command_of
from assay.queries.lines import one_line
from assay.queries.statements import Name, View, body_after, statements, tokens_of
from assay.session.ending import BadInput

_IGNORED = (
    "USE",
    "DROP",
    "SET",
    "RESET",
    "ANALYZE",
    "CACHE",
    "UNCACHE",
    "REFRESH",
    "COMMENT",
    "MSCK",
    "SHOW",
    "DESCRIBE",
)
"""Commands that change nothing about tables' columns and rows."""

_CREATE = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:GLOBAL\s+)?(?:TEMP(?:ORARY)?\s+)?(?:EXTERNAL\s+)?(TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?",
    re.IGNORECASE,
)
_INSERT = re.compile(r"INSERT\s+(?:INTO|OVERWRITE)\s+(?:TABLE\s+)?", re.IGNORECASE)
_AFTER_TYPE = (
    "NOT",
    "NULL",
    "DEFAULT",
    "COMMENT",
    "GENERATED",
    "PRIMARY",
    "REFERENCES",
    "CONSTRAINT",
    "CHECK",
    "UNIQUE",
)
_CONSTRAINTS = ("PRIMARY", "FOREIGN", "CONSTRAINT", "UNIQUE", "CHECK")


@dataclass(frozen=True, slots=True)
class Said:
    """A column as it stands in CREATE TABLE: its name, its type's text, and whether it is NOT NULL."""

    name: str
    type: str
    required: bool = False


@dataclass(slots=True)
class Declarations:
    """The statements of a schema file, in order.

    ``tables``: columns by table. ``views``: queries by name. ``rows``: by table, the columns that an INSERT lists (all
    if it lists none) and its VALUES. ``names``: full names of those that are called with their database.
    """

    tables: dict[str, list[Said]] = field(default_factory=dict)
    views: list[View] = field(default_factory=list)
    rows: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    names: dict[str, Name] = field(default_factory=dict)


def read_declarations(path: Path) -> Declarations:
    """The statements in the file at ``path``; BadInput in one line for one that declares nothing that can be drawn."""
    try:
        whole = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: can't be read as Spark SQL: {one_line(error)}") from error
    found = Declarations()
    for text in statements(whole):
        try:
            _read(found, text)
        except _Unreadable as why:
            raise BadInput(f"{path}: {why}: {one_line(text)}") from why
        except BadInput as why:
            raise BadInput(f"{path}: {why}") from why
    return found


class _Unreadable(ValueError):
    """A statement that declares nothing that can be drawn; the message is the reason."""


def _read(found: Declarations, text: str) -> None:
    tokens = tokens_of(text)
    if not tokens:
        raise _Unreadable("can't be read as Spark SQL")
    text = text[tokens[0].start :]
    if begin := _CREATE.match(text):
        _created(found, begin[1].upper(), text[begin.end() :])
    elif begin := _INSERT.match(text):
        _inserted(found, text[begin.end() :])
    elif command_of(text) not in _IGNORED and not re.match(
        r"CREATE\s+(DATABASE|SCHEMA|NAMESPACE)\b", text, re.IGNORECASE
    ):
        raise _Unreadable("declares no table, view or rows")


def _created(found: Declarations, kind: str, rest: str) -> None:
    name, after = _name(found, rest)
    if name.casefold() in {each.casefold() for each in (*found.tables, *(view.name for view in found.views))}:
        raise BadInput(f"there are two tables called {name}")
    head, query = body_after(after, "AS")
    if kind == "VIEW":
        columns = [part[0].text for part in _parts(tokens_of(head))] if head.lstrip().startswith("(") else []
        if not query:
            raise _Unreadable("needs a query")
        quoted = ", ".join(f"`{column}`" for column in columns)
        found.views.append(View(name=name, text=query, head=f"({quoted})" if columns else ""))
        return
    if query:
        found.views.append(View(name=name, text=query))
        return
    if not after.lstrip().startswith("("):
        raise _Unreadable("needs its columns listed")
    columns_of = [_column(part) for part in _parts(tokens_of(after)) if not _is_constraint(part)]
    if (partitions := re.search(r"\bPARTITIONED\s+BY\s*(\()", after, re.IGNORECASE)) is not None:
        # A partition's columns are among the others, or in PARTITIONED BY alone.
        parts = _parts(tokens_of(after[partitions.start(1) :]))
        columns_of += [_column(part) for part in parts if len(part) > 1 and part[1].text != "("]
    found.tables[name] = columns_of


def _inserted(found: Declarations, rest: str) -> None:
    name, after = _name(found, rest)
    head, values = body_after(after, "VALUES")
    listed = head.strip()
    if not values or (listed and not listed.startswith("(")):
        raise _Unreadable("INSERT takes VALUES, not a query")
    columns = tuple(part[0].text for part in _parts(tokens_of(listed))) if listed else ()
    table = next((each for each in found.tables if each.casefold() == name.casefold()), None)
    if table is None:
        raise _Unreadable(f"there is no table called {name} yet")
    found.rows.setdefault(table, []).append((columns, values))


def _name(found: Declarations, text: str) -> tuple[str, str]:
    """The last part of the name at the beginning of ``text``, and what follows it."""
    tokens = tokens_of(text)
    parts = [tokens[0].text] if tokens else []
    at = 1
    while at + 1 < len(tokens) and tokens[at].text == ".":
        parts.append(tokens[at + 1].text)
        at += 2
    if not parts:
        raise _Unreadable("needs a name")
    name, full = parts[-1], tuple(part.casefold() for part in parts)
    if len(full) > 1 and found.names.setdefault(name.casefold(), full) != full:
        raise BadInput(
            f"there are two tables called {name}: {'.'.join(found.names[name.casefold()])}, {'.'.join(full)}"
        )
    return name, text[tokens[at - 1].end + 1 :]


def _parts(tokens: Sequence[Token]) -> list[list[Token]]:
    """The parts, by commas, of the parentheses that ``tokens`` begin with."""
    return [part for part in _split(tokens) if part]


def _split(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    depth, part = 0, list[Token]()
    for token in tokens:
        opens, closes = token.text in ("(", "<"), token.text.count(">") if ">" in token.text else token.text == ")"
        if token.token_type == TokenType.STRING:
            opens = closes = False
        depth += opens - closes
        if not depth and closes:
            yield part
            return
        if depth == 1 and opens:
            continue
        if depth == 1 and token.text == ",":
            yield part
            part = []
        else:
            part.append(token)
    raise _Unreadable("a parenthesis isn't closed")


def _is_constraint(part: Sequence[Token]) -> bool:
    named = len(part) > 1 and part[1].text.upper() in ("KEY", "(")
    return part[0].text.upper() in _CONSTRAINTS and (named or part[0].text.upper() == "CONSTRAINT")


def _column(part: Sequence[Token]) -> Said:
    words = [token.text.upper() for token in part]
    start = 2 if len(part) > 1 and part[1].text == ":" else 1
    end = next((at for at in range(start + 1, len(part)) if words[at] in _AFTER_TYPE), len(part))
    required = any(words[at : at + 2] == ["NOT", "NULL"] for at in range(end, len(part)))
    return Said(part[0].text, "".join(_spaced(part[start:end])), required)


def _spaced(tokens: Sequence[Token]) -> Iterator[str]:
    """The words of a type, apart by the blanks between them in its text."""
    last = None
    for token in tokens:
        yield " " * (last is not None and token.start > last + 1) + token.text
        last = token.end
