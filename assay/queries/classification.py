"""Classify one check of a user's query: the engines that agree, a finding, or the reason why it was not judged.

The verdict is that of :mod:`oracles.checks.verdict`. This module adds the rules for queries that a user wrote: the
answer may depend on more than the tables' rows, the query may rightly raise, and DuckDB runs a translation by a
program.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context
from decimal import Decimal as Number
from itertools import takewhile
from math import isfinite
from typing import Literal

from assay.queries.lines import one_line
from oracles.answers.outcome import Cell, Outcome, Raised, Row, Rows
from oracles.answers.rows import same
from oracles.checks.legs import PAIRS_ALL
from oracles.checks.result import CheckResult

Name = Literal["all", "spark", "unjudged", "known", "finding"]

_FIGURES = 9
"""Figures of a number that are compared where engines compute it in other ways."""


@dataclass(frozen=True, slots=True)
class Classification:
    """'all': agreed by Spark with the rules, Spark without (unless there are two legs) and DuckDB; 'spark': by the
    first two, and ``reason`` says what DuckDB did; 'unjudged' and 'finding': ``reason`` says why; 'known': ``reason``
    is the id of the known divergence that explains the difference, and what it is about.
    """

    name: Name
    reason: str = ""


def classification(checked: CheckResult) -> Classification:
    """The class of ``checked``, judged by the outcomes of its legs alone."""
    verdict, on, off = checked.verdict, checked.legs["on"], checked.legs.get("off")
    if verdict.name in ("agree", "vacuous"):
        return Classification("all")
    if "duckdb" not in checked.legs:  # its engine was lost
        return Classification("unjudged", verdict.reason)
    duckdb = checked.legs["duckdb"]
    if verdict.name == "finding" and verdict.kind == "engine":
        return _against_duckdb(on, duckdb, verdict.reason)
    if verdict.name == "finding" and verdict.kind == "error":
        return Classification("unjudged", f"Spark doesn't promise which errors of a query are met: {verdict.reason}")
    if verdict.name == "finding":
        if verdict.kind == "rule" and isinstance(on, Rows) and isinstance(off, Rows) and alike(on, off):
            return Classification("unjudged", "on and off differ in the last figures of floating point numbers alone")
        return Classification("finding", verdict.reason)
    if isinstance(on, Rows) and isinstance(off, Rows) and same(on, off) and isinstance(duckdb, Raised):
        return Classification("spark", f"{duckdb.condition}: {one_line(duckdb.message)}")
    if off == PAIRS_ALL:
        return Classification("unjudged", f"without {', '.join(checked.off)} {PAIRS_ALL.message}")
    return Classification("unjudged", verdict.reason)


def _against_duckdb(on: Outcome, duckdb: Outcome, reason: str) -> Classification:
    """Classify a check in which Spark's legs are equal and DuckDB's answer differs from them."""
    if not isinstance(on, Rows):
        return Classification("unjudged", reason)
    if isinstance(duckdb, Rows) and alike(on, duckdb, decimals=True):
        return Classification("spark", "DuckDB rounds otherwise")
    return Classification("finding", reason)


def alike(one: Rows, two: Rows, *, decimals: bool = False) -> bool:
    """Whether two answers are the same but for the last figures of floating point numbers (and of ``decimals``).

    Sums of them depend on the order of the rows, and DuckDB divides decimals as floating point numbers. Numbers are
    alike within half a unit of their ninth figure. Two numbers are not rounded and then compared: however near they
    are, a rounding may part them.
    """
    if one.schema != two.schema or _sequence(one, decimals) != _sequence(two, decimals):
        return False
    left, right = Counter(one.rows), Counter(two.rows)
    ours, theirs = (_by_rest(rows, decimals) for rows in (left - right, right - left))
    return ours.keys() == theirs.keys() and all(
        len(numbers) == len(theirs[rest])
        and all(map(_near, sorted(numbers, key=_order), sorted(theirs[rest], key=_order)))
        for rest, numbers in ours.items()
    )


def _sequence(rows: Rows, decimals: bool) -> list[Row]:
    """The cells by which the rows are ordered, before the first that may be rounded."""
    exact = list(takewhile(lambda place: not (decimals and rows.schema[place].startswith("decimal")), rows.keys))
    return [tuple(row[place] for place in exact) for row in rows.rows]


_Numbers = tuple[Number, ...]


def _by_rest(rows: Counter[Row], decimals: bool) -> dict[Row, list[_Numbers]]:
    """By the rows without their numbers, the numbers of each row: a place of a number holds only its type."""
    found: dict[Row, list[_Numbers]] = {}
    for row in rows.elements():
        numbers: list[Number] = []
        rest = _without_numbers(row, numbers, decimals)
        found.setdefault(rest, []).append(tuple(numbers))
    return found


def _without_numbers(row: Row, numbers: list[Number], decimals: bool) -> Row:
    return tuple(_without_number(cell, numbers, decimals) for cell in row)


def _without_number(cell: Cell, numbers: list[Number], decimals: bool) -> Cell:
    if cell is None:
        return None
    tag, payload = cell
    if isinstance(payload, tuple):
        return tag, _without_numbers(payload, numbers, decimals)
    if tag in ("double", "float") and isfinite(value := float.fromhex(str(payload))):
        numbers.append(Number(value))
        return tag, ""
    if decimals and tag.startswith("decimal"):
        numbers.append(Number(str(payload)))
        return tag, ""
    return cell


def _order(numbers: _Numbers) -> tuple[tuple[Number, ...], _Numbers]:
    """A key under which rows of numbers that are alike get the same place: by eight figures, then by all of them."""
    return tuple(_EIGHT.plus(number) for number in numbers), numbers


_EIGHT = Context(prec=_FIGURES - 1, rounding=ROUND_HALF_EVEN)


def _near(one: _Numbers, two: _Numbers) -> bool:
    return all(map(_is_near, one, two))


def _is_near(one: Number, two: Number) -> bool:
    least = min(one.copy_abs(), two.copy_abs())
    return one == two or (bool(least) and abs(one - two) <= Number(5).scaleb(least.adjusted() - _FIGURES))
