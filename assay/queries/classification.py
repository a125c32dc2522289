"""Classify one check of a user's query: the engines that agree, a finding, or the reason why it was not judged.

The verdict is that of :mod:`oracles.checks.verdict`. This module adds the rules for queries that a user wrote: the
answer may depend on more than the tables' rows, the query may rightly raise, and DuckDB runs a translation by a
program.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context
from typing import Literal, get_args

from assay.queries.lines import one_line
from oracles.answers.outcome import Cell, Outcome, Raised, Row, Rows
from oracles.answers.rows import same
from oracles.checks.legs import PAIRS_ALL
from oracles.checks.result import CheckResult

Name = Literal["all", "spark", "unjudged", "finding"]
NAMES: tuple[Name, ...] = get_args(Name)

_DIGITS = (11, 9)
"""Figures of a number that are compared where engines compute it in other ways; two, lest one splits a pair."""


@dataclass(frozen=True, slots=True)
class Classification:
    """'all': agreed by Spark with the rules, Spark without (unless there are two legs) and DuckDB; 'spark': by the
    first two, and ``reason`` says what DuckDB did; 'unjudged' and 'finding': ``reason`` says why.
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

    Sums of them depend on the order of the rows, and DuckDB divides decimals as floating point numbers.
    """
    if one.schema != two.schema:
        return False
    return any(
        Counter(_rounded(row, digits, decimals) for row in one.rows)
        == Counter(_rounded(row, digits, decimals) for row in two.rows)
        for digits in _DIGITS
    )


def _rounded(row: Row, digits: int, decimals: bool) -> Row:
    return tuple(_rounded_cell(cell, digits, decimals) for cell in row)


def _rounded_cell(cell: Cell, digits: int, decimals: bool) -> Cell:
    if cell is None:
        return None
    tag, payload = cell
    if isinstance(payload, tuple):
        return tag, _rounded(payload, digits, decimals)
    if tag in ("double", "float"):
        return tag, format(float.fromhex(str(payload)), f".{digits}g")
    if decimals and tag.startswith("decimal"):
        context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
        return tag, format(context.create_decimal(str(payload)).normalize(), "f")
    return cell
