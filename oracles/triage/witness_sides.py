"""The two sides of a witness as text that is the same in every run: the answer of each, and its optimized plan."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from oracles.rules.plans import renumbered

FOLDER = "{folder}"
"""Stands for the folder of a witness's files, in its statements and in what Spark says of them."""

_CHANGING = (
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-c\d+)?\b"), "…"),  # the name of a written file
    (re.compile(r"@[0-9a-f]{5,}\b"), "@…"),  # a Java object
    (re.compile(r"\b(rand|randn|uuid)\(-?\d+\)"), r"\1(…)"),  # a drawn seed
    (re.compile(r"\b(expression ID) \d+"), r"\1 …"),  # of attributes, where plan validation names one
    (re.compile(r"\b(Location: \w+\(\d+ paths?\)\[)[^,\n]*"), r"\1…]"),  # cut at a length that the path has a part in
)
_CTE = re.compile(r"(?<=\bCTERelationDef )\d+|(?<=\bCTERelationRef )\d+")
_FAILED_TASK = "Job aborted"
_UNSAID = {"Estimated Cardinality", "Type"}
"""Facts that DuckDB tells of every node, and that are no part of the plan's meaning."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a query: its sorted rows as texts, or an error.

    :param columns: name and type of each column, in one text.
    :param error: the class of the exception; '' if there are rows. ``condition`` is Spark's name of the error, or the
        Java class of its first cause; ``message`` is the first line of the first cause that has one.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    error: str = ""
    condition: str = ""
    message: str = ""

    def differs(self, other: Answer) -> bool:
        """Whether the rows differ, or the classes of the exceptions; names and types of columns may."""
        return (self.rows, self.error) != (other.rows, other.error)


@dataclass(frozen=True, slots=True)
class Side:
    """An answer and the lines of its optimized plan: of the analyzed one if the optimizer raises, none if the analyzer
    does.
    """

    answer: Answer
    plan: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """A witness's ``query`` as it stands, and the ``other`` side: under its settings, or the query with the same
    meaning.
    """

    query: Side
    other: Side

    @property
    def differ(self) -> bool:
        """Whether the witness shows the divergence."""
        return self.query.answer.differs(self.other.answer)


def answer_of(columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]) -> Answer:
    """The answer with these names and types of columns, and these rows of Python values."""
    texts = sorted(tuple(map(cell, row)) for row in rows)
    return Answer(tuple(f"{name} {kind}" for name, kind in columns), tuple(texts))


def cell(value: object) -> str:
    """A value of an answer as text: equal for equal values of one type, and -0.0 is not 0.0."""
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).lower()
        case bytes() | bytearray():
            return f"X'{value.hex().upper()}'"
        case datetime():
            return f"TIMESTAMP'{value.isoformat(sep=' ')}'"
        case date():
            return f"DATE'{value.isoformat()}'"
        case list():
            return f"[{', '.join(map(cell, value))}]"
        case tuple():  # a struct is pyspark's Row
            return f"({', '.join(map(cell, value))})"
        case Mapping():
            return f"{{{', '.join(f'{key}: {cell(each)}' for key, each in value.items())}}}"
    return repr(value)


def raised(error: Exception, folder: str) -> Answer:
    """The answer of a query that ends in ``error``, an exception of pyspark's or of the bridge to the JVM."""
    cause: Any = getattr(error, "java_exception", None)
    if cause is None:
        condition = _condition(error)
        return Answer((), (), type(error).__name__, condition, _first_line(str(error), folder))
    messages = [str(cause.getMessage() or "")]
    while cause.getCause() is not None:
        cause = cause.getCause()
        messages.append(str(cause.getMessage() or ""))
    # Spark's words for a failed task name the machine, and numbers of tasks.
    said = next((text for text in reversed(messages) if text and not text.startswith(_FAILED_TASK)), "")
    return Answer((), (), type(error).__name__, str(cause.getClass().getName()), _first_line(said, folder))


def _condition(error: Any) -> str:
    # 3.5 has only the older name.
    named = error.getCondition() if hasattr(error, "getCondition") else error.getErrorClass()
    return named or type(error).__name__


def _first_line(text: str, folder: str) -> str:
    return next(iter(lines_of(text, folder)), "")


def lines_of(text: str, folder: str) -> tuple[str, ...]:
    """``text`` by lines, without what is another one in each run: ids, seeds, places of files and of objects."""
    text = renumbered(text.replace(folder, FOLDER))
    for pattern, instead in _CHANGING:
        text = pattern.sub(instead, text)
    numbers: dict[str, int] = {}
    text = _CTE.sub(lambda found: str(numbers.setdefault(found[0], len(numbers))), text)
    return tuple(line.rstrip() for line in text.splitlines() if line.strip())


def duckdb_plan(explained: str) -> tuple[str, ...]:
    """The plan in the JSON of DuckDB's EXPLAIN, as a tree of lines that looks like Spark's."""
    return tuple(line for node in json.loads(explained) for line in _duckdb_lines(node, "", ""))


def _duckdb_lines(node: Mapping[str, Any], first: str, rest: str) -> Iterator[str]:
    facts = [f"{name}: {_fact(value)}" for name, value in node["extra_info"].items() if value and name not in _UNSAID]
    name = node["name"].strip().replace("_", " ").title().replace(" ", "")
    yield f"{first}{name} {', '.join(facts)}".rstrip()
    children = node["children"]
    for place, child in enumerate(children, 1):
        branch, below = ("+- ", "   ") if place == len(children) else (":- ", ":  ")
        yield from _duckdb_lines(child, rest + branch, rest + below)


def _fact(value: object) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else " ".join(str(value).split())
