"""Every combination of outcomes has one verdict, and it is the one in the table below."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

import pyarrow as pa
import pytest

from oracles.answers.outcome import Outcome, Raised, Rows, rows_from_arrow
from oracles.checks.verdict import (
    NAMES,
    Blame,
    FindingKind,
    InvalidVerdict,
    Name,
    Verdict,
    broken_relation,
    excuse,
    judge,
    needs_second_opinion,
)
from oracles.patterns.order import Order

INT = pa.int32()


def ints(*values: int | None, kind: pa.DataType = INT, ordered: bool = False) -> Rows:
    return rows_from_arrow(pa.table([pa.array(values, kind)], names=["c"]), ordered)


# One letter per outcome of a leg; '-' is a leg that isn't there. a, b and c are rows; in each alphabet they differ,
# pairwise, in another way.
ERRORS: dict[str, Outcome] = {
    "X": Raised("DIVIDE_BY_ZERO", "22012", "by zero", "user"),
    "Y": Raised("CAST_INVALID_INPUT", "22018", "no number", "user"),
    "I": Raised("INTERNAL_ERROR", "XX000", "lost", "internal"),
    "J": Raised("java.lang.ClassCastException", None, "lost", "internal"),
    "P": Raised("PLAN_VALIDATION_FAILED_RULE_IN_BATCH", "XXKD0", "not a plan", "invalid-plan"),
    "Q": Raised("PLAN_VALIDATION_FAILED_RULE_EXECUTOR", "XXKD0", "not a plan", "internal"),
    "T": Raised("TIMEOUT", None, "10 s", "timeout"),
    "V": Raised("DIVIDE_BY_ZERO", None, "10 s", "timeout"),  # as X is called, and yet no user error
    "U": Raised("UNSUPPORTED", None, "no such operator", "unsupported"),
}
ALPHABETS: dict[str, dict[str, Outcome]] = {
    "values": {"a": ints(1), "b": ints(None), "c": ints(2)},
    "counts": {"a": ints(1), "b": ints(1, 1), "c": ints()},
    "types": {"a": ints(), "b": ints(kind=pa.int64()), "c": ints(kind=pa.string())},
    "order": {
        "a": ints(1, 2, 3, ordered=True),
        "b": ints(2, 1, 3, ordered=True),
        "c": ints(3, 2, 1, ordered=True),
    },
}


class Line(NamedTuple):
    """A line of the table: a pattern over six letters, for on, off, duckdb, unoptimized, fired and the order."""

    case: str
    pattern: str
    name: str
    kind: str | None = None
    blame: str | None = None


ROWS, USER, INTERNAL, REFUSED, SILENT = "[abc]", "[XY]", "[IJ]", "[PQ]", "[TUV]"
EQUAL_ROWS, EQUAL_ERRORS = r"([abc])(?:\1|-)", r"([XY])(?:\1|-)"  # without an off leg, on speaks for both
ALONE = rf"([abc])(?:{SILENT}|{USER}(?=...[^f]))"  # the off leg has no rows, and SQL does not fix that it raises

UNDRAWN, DRAWN = "[su]", "[fo]"  # orders of queries that aren't drawn to raise, and of those that are

# The lines exclude each other, so they say what holds without an order among them; a test counts the matches.
TABLE = (
    Line("plan of on refused", f"{REFUSED}[^PQ]....", "finding", "invalid-plan", "on"),
    Line("plan of off refused", f"[^PQ]{REFUSED}....", "finding", "invalid-plan", "off"),
    Line("both plans refused", f"{REFUSED}{REFUSED}....", "finding", "invalid-plan", "unknown"),
    Line("on fails", f"{INTERNAL}[^IJPQ]....", "finding", "internal", "on"),
    Line("off fails", f"[^IJPQ]{INTERNAL}....", "finding", "internal", "off"),
    Line("both fail", f"{INTERNAL}{INTERNAL}....", "finding", "internal", "unknown"),
    Line("on and off differ, DuckDB has on's rows", r"([abc])(?!\1)[abc]\1...", "finding", "rule", "off"),
    Line("on and off differ, DuckDB has off's rows", r"([abc])(?!\1)([abc])\2...", "finding", "rule", "on"),
    Line("on and off differ, DuckDB has neither", r"([abc])(?!\1)([abc])(?!\1|\2)....", "finding", "rule", "unknown"),
    Line("DuckDB differs, unoptimized it doesn't", EQUAL_ROWS + r"(?!\1)[abc]\1..", "finding", "engine", "duckdb"),
    Line("DuckDB differs, unoptimized too", EQUAL_ROWS + r"(?!\1)[abc](?!\1)...", "finding", "engine", "unknown"),
    Line(
        "on alone has rows, DuckDB others, unoptimized it doesn't",
        ALONE + r"(?!\1)[abc]\1..",
        "finding",
        "engine",
        "duckdb",
    ),
    Line(
        "on alone has rows, DuckDB others, unoptimized too",
        ALONE + r"(?!\1)[abc](?!\1)...",
        "finding",
        "engine",
        "unknown",
    ),
    Line("both lose an error, unoptimized DuckDB, too", EQUAL_ROWS + rf"{USER}\1.f", "finding", "engine", "duckdb"),
    Line("both lose the error of DuckDB", EQUAL_ROWS + rf"{USER}(?!\1)..f", "finding", "engine", "unknown"),
    Line("only DuckDB has rows, optimized", EQUAL_ERRORS + f"{ROWS}{USER}.[^o]", "finding", "engine", "duckdb"),
    Line("only DuckDB has rows, unoptimized too", EQUAL_ERRORS + f"{ROWS}[^XY].[^o]", "finding", "engine", "unknown"),
    Line("only DuckDB has rows, and may", EQUAL_ERRORS + f"{ROWS}..o", "order-open"),
    Line("one error in Spark, none has rows", EQUAL_ERRORS + f"[^abc]..{UNDRAWN}", "raised"),
    Line("one error in all legs, as drawn", EQUAL_ERRORS + f"{USER}..{DRAWN}", "same-error"),
    Line("one error in Spark as drawn, none of DuckDB's", EQUAL_ERRORS + f"[^abcXY]..{DRAWN}", "inconclusive"),
    Line("on raises where off and DuckDB agree", rf"{USER}([abc])\1..[^o]", "finding", "error", "on"),
    Line("on raises, DuckDB doesn't confirm off", rf"{USER}([abc])(?!\1)...{UNDRAWN}", "inconclusive"),
    Line("off loses the error of on and DuckDB", f"{USER}{ROWS}{USER}..f", "finding", "error", "off"),
    Line("on raises, DuckDB does neither", rf"{USER}([abc])(?!\1)[^XY]..f", "finding", "error", "unknown"),
    Line("off raises, DuckDB has no others", rf"([abc]){USER}(?:\1|[^abc])..{UNDRAWN}", "inconclusive"),
    Line("on loses the error of off and DuckDB", f"{ROWS}{USER}{USER}..f", "finding", "error", "on"),
    Line("off raises where on and DuckDB agree", rf"([abc]){USER}\1..f", "finding", "error", "off"),
    Line("off raises, DuckDB does neither", rf"([abc]){USER}(?!\1)[^XY]..f", "finding", "error", "unknown"),
    Line("one leg raises, and may", rf"(?:([abc]){USER}(?:\1|[^abc])|{USER}{ROWS}.)..o", "order-open"),
    Line("two errors in Spark", rf"([XY])(?!\1)[XY]...{UNDRAWN}", "inconclusive"),
    Line("two errors in Spark, as drawn", rf"([XY])(?!\1)[XY]...{DRAWN}", "order-open"),
    Line("on didn't end or can't be asked", f"{SILENT}[^IJPQ]....", "inconclusive"),
    Line("off didn't end or can't be asked", rf"(?:([abc]){SILENT}(?:\1|[^abc])|{USER}{SILENT}.)...", "inconclusive"),
    Line("Spark agrees, DuckDB has no rows", EQUAL_ROWS + f"(?:[^abc]..{UNDRAWN}|[^abcXY]..f)", "inconclusive"),
    Line("Spark agrees, DuckDB can't be asked", EQUAL_ROWS + "[^abcXY]..o", "inconclusive"),
    Line("Spark agrees, DuckDB raises, and may", EQUAL_ROWS + f"{USER}..o", "order-open"),
    Line("all equal, fired", EQUAL_ROWS + r"\1.f.", "agree"),
    Line("all equal, not fired", EQUAL_ROWS + r"\1.n.", "vacuous"),
)
LEGS = "abcXYIJPQTUV"
ORDERS: dict[str, Order] = {"s": "silent", "u": "unknown", "f": "fixed", "o": "open"}
CASES = ["".join(letters) for letters in product(LEGS, LEGS + "-", LEGS, LEGS + "-", "fn", ORDERS)]
COMPILED = [(re.compile(line.pattern), line) for line in TABLE]


@cache
def lines_for(case: str) -> list[Line]:
    return [line for pattern, line in COMPILED if pattern.fullmatch(case)]


def judged(alphabet: str, case: str) -> Verdict:
    letters = ERRORS | ALPHABETS[alphabet]
    on, off, duckdb, unoptimized, fired, order = tuple(case)
    return judge(
        letters[on],
        letters.get(off),
        letters[duckdb],
        fired=fired == "f",
        unoptimized=letters.get(unoptimized),
        order=ORDERS[order],
    )


def test_every_combination_stands_in_exactly_one_line() -> None:
    assert [case for case in CASES if len(lines_for(case)) != 1] == []


@pytest.mark.parametrize("line", TABLE, ids=[line.case for line in TABLE])
def test_every_line_has_a_combination(line: Line) -> None:
    assert any(re.fullmatch(line.pattern, case) for case in CASES)


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_every_combination_has_the_verdict_of_its_line(alphabet: str) -> None:
    verdicts = {case: judged(alphabet, case) for case in CASES}
    parts = {case: (verdict.name, verdict.kind, verdict.blame) for case, verdict in verdicts.items()}
    assert {case: wrong for case, wrong in parts.items() if wrong != lines_for(case)[0][2:]} == {}


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_a_second_opinion_is_asked_exactly_for_engine_findings(alphabet: str) -> None:
    letters = ERRORS | ALPHABETS[alphabet]
    asked = {
        (on, off, duckdb, order): needs_second_opinion(letters[on], letters.get(off), letters[duckdb], ORDERS[order])
        for on, off, duckdb, order in product(LEGS, LEGS + "-", LEGS, ORDERS)
    }
    assert asked == {
        (*legs, order): lines_for("".join(legs) + "-f" + order)[0].kind == "engine" for *legs, order in asked
    }


ONE, TWO, SAME_ERROR = ints(1), ints(2), ERRORS["X"]

REASONS = {
    "all equal": judge(ONE, ONE, ONE, fired=True),
    "all equal, but the rule under test made no difference to the plans": judge(ONE, ONE, ONE, fired=False),
    "DIVIDE_BY_ZERO (user)": judge(SAME_ERROR, SAME_ERROR, SAME_ERROR, fired=True),
    "on and off differ, DuckDB has off's rows": judge(ONE, TWO, TWO, fired=True),
    "on and off differ, DuckDB has on's rows": judge(ONE, TWO, ONE, fired=True),
    "on and off differ, DuckDB can't tell which is right": judge(ONE, TWO, ints(3), fired=True),
    "on and off differ, DuckDB has no answer: TIMEOUT (timeout)": judge(ONE, TWO, ERRORS["T"], fired=True),
    "on and off have rows, DuckDB has others": judge(ONE, ONE, TWO, fired=True),
    "on alone has rows, DuckDB has others": judge(ONE, None, TWO, fired=True),
    "on and off have rows, DuckDB has others, without its optimizer too": judge(
        ONE, ONE, TWO, fired=True, unoptimized=TWO
    ),
    "on and off have rows, DuckDB has others; without its optimizer it does as Spark does": judge(
        ONE, ONE, TWO, fired=True, unoptimized=ONE
    ),
    "on and off have rows, DuckDB has others; without its optimizer it has 2 rows of its own": judge(
        ONE, ONE, TWO, fired=True, unoptimized=ints(3, 3)
    ),
    "on and off have DIVIDE_BY_ZERO (user), DuckDB has rows": judge(SAME_ERROR, SAME_ERROR, ONE, fired=True),
    "on raises DIVIDE_BY_ZERO (user), off and DuckDB have equal rows": judge(SAME_ERROR, ONE, ONE, fired=True),
    "SQL leaves open whether it raises; on: DIVIDE_BY_ZERO (user); off: 1 row; duckdb: 1 row": judge(
        SAME_ERROR, ONE, ONE, fired=True, order="open"
    ),
    "on: 1 row; off: DIVIDE_BY_ZERO (user); duckdb: DIVIDE_BY_ZERO (user)": judge(
        ONE, SAME_ERROR, SAME_ERROR, fired=True, order="fixed"
    ),
    "on and off have rows, DuckDB raises": judge(ONE, ONE, SAME_ERROR, fired=True, order="fixed"),
    "on alone has rows, DuckDB has others, without its optimizer too": judge(
        ONE, SAME_ERROR, TWO, fired=True, unoptimized=TWO, order="open"
    ),
    "on: 1 row; off: none; duckdb: UNSUPPORTED (unsupported)": judge(ONE, None, ERRORS["U"], fired=True),
    "on: INTERNAL_ERROR (internal); off: 1 row; duckdb: 1 row": judge(ERRORS["I"], ONE, ONE, fired=True),
}


@pytest.mark.parametrize(("reason", "verdict"), REASONS.items(), ids=REASONS)
def test_a_verdict_says_in_one_line_why(reason: str, verdict: Verdict) -> None:
    assert verdict.reason == reason


def test_one_error_with_two_messages_is_one_error() -> None:
    """Messages hold fragments of the plan, which rules change."""
    other = Raised("DIVIDE_BY_ZERO", None, "by zero, elsewhere", "user")
    assert judge(SAME_ERROR, other, SAME_ERROR, fired=True).name == "raised"


def test_three_parts_may_raise_where_sql_leaves_that_open() -> None:
    names = [judge(ONE, ONE, ONE, fired=True, parts=SAME_ERROR, order=order).name for order in ORDERS.values()]
    assert dict(zip(ORDERS.values(), names, strict=True)) == {
        "silent": "finding",
        "unknown": "finding",
        "fixed": "finding",
        "open": "order-open",
    }


FORWARD, BACKWARD, EITHER = ints(1, 2, ordered=True), ints(2, 1, ordered=True), ints(2, 1)


def test_an_unordered_duckdb_cannot_blame_one_of_two_orders() -> None:
    verdict = judge(FORWARD, BACKWARD, EITHER, fired=True)
    assert (verdict.kind, verdict.blame) == ("rule", "unknown")


def test_duckdb_must_agree_with_both_spark_legs() -> None:
    """An unordered ``on`` equals both orders, and yet ``off`` and DuckDB contradict each other."""
    assert judge(EITHER, FORWARD, BACKWARD, fired=True).kind == "engine"


def test_a_broken_relation_is_a_finding() -> None:
    assert broken_relation("on", "more rows than the limit").kind == "metamorphic"


def test_an_excused_finding_stays_what_it_was() -> None:
    finding = judge(ONE, TWO, TWO, fired=True)
    assert excuse(finding, "in-is-two-valued") == Verdict(
        name="excused", kind="rule", blame="on", reason=finding.reason, divergence="in-is-two-valued"
    )


ENGINE = judge(ONE, ONE, TWO, fired=True)


@pytest.mark.parametrize(
    ("finding", "entry", "blame"),
    [
        (ENGINE, "spark", "spark"),
        (ENGINE, "duckdb", "duckdb"),
        (ENGINE, None, "unknown"),
        (replace(ENGINE, blame="duckdb"), "spark", "duckdb"),
    ],
    ids=["of Spark", "of DuckDB", "of nobody", "known before"],
)
def test_a_known_divergence_decides_whose_fault_it_is(finding: Verdict, entry: Blame | None, blame: Blame) -> None:
    assert excuse(finding, "known", entry).blame == blame


@pytest.mark.parametrize(
    "verdict",
    [
        judge(ONE, ONE, ONE, fired=True),
        judge(ONE, ONE, ONE, fired=False),
        judge(SAME_ERROR, SAME_ERROR, SAME_ERROR, fired=True),
        judge(ONE, ONE, SAME_ERROR, fired=True),
        excuse(broken_relation("on", "twice"), "slow"),
    ],
    ids=lambda verdict: verdict.name,
)
def test_only_a_finding_can_be_excused(verdict: Verdict) -> None:
    with pytest.raises(InvalidVerdict, match=f"{verdict.name} can't be excused by known"):
        excuse(verdict, "known")


def consistent(name: str, kind: str | None, blame: str | None, divergence: str | None) -> bool:
    found = name in {"finding", "excused"}
    return (kind is not None, blame is not None, divergence is not None) == (found, found, name == "excused")


FINDING_KINDS_OR_NONE: tuple[FindingKind | None, ...] = (None, "rule")
BLAMES_OR_NONE: tuple[Blame | None, ...] = (None, "on")
PARTS = list(product(NAMES, FINDING_KINDS_OR_NONE, BLAMES_OR_NONE, (None, "known")))


@pytest.mark.parametrize(
    ("name", "kind", "blame", "divergence"), [parts for parts in PARTS if not consistent(*parts)], ids=str
)
def test_parts_that_do_not_go_together_are_refused(
    name: Name, kind: FindingKind | None, blame: Blame | None, divergence: str | None
) -> None:
    with pytest.raises(InvalidVerdict, match=name):
        Verdict(name=name, kind=kind, blame=blame, reason="", divergence=divergence)


def test_parts_that_go_together_make_a_verdict() -> None:
    possible = [parts for parts in PARTS if consistent(*parts)]
    made = [
        Verdict(name=name, kind=kind, blame=blame, reason="", divergence=divergence)
        for name, kind, blame, divergence in possible
    ]
    assert [(each.name, each.kind, each.blame, each.divergence) for each in made] == possible
