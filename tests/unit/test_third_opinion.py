"""Whom a third engine's answer puts the blame on: the odd one out, for every way in which three answers can stand."""

from __future__ import annotations

from itertools import product

import pytest

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.checks.finding_kind import FindingKind
from oracles.checks.verdict import Verdict, judge, wants_third_opinion, with_third_opinion


def rows(*numbers: int, kind: str = "int32") -> Rows:
    return Rows((kind,), tuple(((kind, number),) for number in numbers))


ONE, TWO, THREE = rows(1), rows(2), rows(3)
USER = Raised("CAST_INVALID_INPUT", "22018", "no number", "user")
BROKEN = Raised("InternalException", None, "INTERNAL Error", "internal")
SILENT = Raised("UnsupportedNode", None, "has no words", "unsupported")
LATE = Raised("OperationalError", None, "interrupted", "timeout")


def asked(
    on: Outcome, off: Outcome | None, duckdb: Outcome, third: Outcome, unoptimized: Outcome | None = None
) -> Verdict:
    verdict = judge(on, off, duckdb, fired=True, unoptimized=unoptimized)
    assert verdict.name == "finding"
    return with_third_opinion(verdict, on, off, duckdb, third, name="Third")


THIRDS = {"Spark's": ONE, "DuckDB's": TWO, "its own": THREE, "none": SILENT, "late": LATE, "an error": USER}
UNOPTIMIZED = {"not asked": None, "Spark's": ONE, "DuckDB's": TWO, "its own": rows(4), "internal error": BROKEN}
ENGINE = {
    **dict.fromkeys(product(THIRDS, UNOPTIMIZED), "unknown"),
    **{(third, "Spark's"): "duckdb" for third in THIRDS},
    **{("Spark's", plain): "duckdb" for plain in UNOPTIMIZED},
    **{("DuckDB's", plain): "spark" for plain in UNOPTIMIZED},
    # DuckDB contradicts itself, and each of its answers has a second engine behind it.
    ("DuckDB's", "Spark's"): "unknown",
}


@pytest.mark.parametrize("legs", ["both legs", "the on leg alone"])
@pytest.mark.parametrize(
    ("third", "plain", "blame"), [(*key, blame) for key, blame in ENGINE.items()], ids=["/".join(key) for key in ENGINE]
)
def test_the_odd_one_out_of_spark_and_duckdb_is_to_blame(third: str, plain: str, blame: str, legs: str) -> None:
    off = ONE if legs == "both legs" else None
    verdict = asked(ONE, off, TWO, THIRDS[third], UNOPTIMIZED[plain])
    assert (verdict.kind, verdict.blame) == ("engine", blame)


@pytest.mark.parametrize(("third", "blame"), [("DuckDB's", "spark"), ("its own", "unknown"), ("none", "unknown")])
def test_what_spark_alone_refuses_is_sparks_fault(third: str, blame: str) -> None:
    verdict = asked(USER, USER, TWO, THIRDS[third])
    assert (verdict.kind, verdict.blame) == ("engine", blame)


RULES = {
    "on's rows": (ONE, "off"),
    "off's rows": (TWO, "on"),
    "its own": (THREE, "unknown"),
    "none": (SILENT, "unknown"),
}


@pytest.mark.parametrize("duckdb", [BROKEN, SILENT, rows(7)], ids=["broken", "silent", "rows of its own"])
@pytest.mark.parametrize(("third", "blame"), RULES.values(), ids=RULES)
def test_where_duckdb_cannot_tell_the_third_engine_may(third: Outcome, blame: str, duckdb: Outcome) -> None:
    verdict = asked(ONE, TWO, duckdb, third)
    assert (verdict.kind, verdict.blame) == ("rule", blame)


@pytest.mark.parametrize(("duckdb", "blame"), [(ONE, "off"), (TWO, "on")], ids=["on's", "off's"])
@pytest.mark.parametrize("third", [ONE, TWO, THREE], ids=["on's", "off's", "its own"])
def test_what_duckdb_tells_stays(duckdb: Outcome, blame: str, third: Outcome) -> None:
    verdict = judge(ONE, TWO, duckdb, fired=True)
    assert verdict.blame == blame
    assert with_third_opinion(verdict, ONE, TWO, duckdb, third, name="Third") == verdict


def test_a_difference_in_types_alone_is_not_for_an_engine_without_types() -> None:
    verdict = asked(ONE, ONE, rows(1, kind="int64"), ONE)
    assert (verdict.blame, "Third" in verdict.reason) == ("unknown", False)


def test_the_order_of_rows_counts_where_all_have_one() -> None:
    up, down = (Rows(("int32",), (*ONE.rows, *TWO.rows), True), Rows(("int32",), (*TWO.rows, *ONE.rows), True))
    assert asked(up, up, down, up).blame == "duckdb"
    assert asked(up, up, down, down).blame == "spark"


@pytest.mark.parametrize("kind", list(FindingKind))
def test_it_is_asked_only_where_two_engines_leave_it_open(kind: str) -> None:
    for blame in ("on", "off", "unknown"):
        wanted = kind == "engine" or (kind == "rule" and blame == "unknown")
        verdict = Verdict(name="finding", kind=kind, blame=blame, reason="reason")  # type: ignore[arg-type]  # drawn from the literals
        assert wants_third_opinion(verdict) == wanted
        if not wanted:
            assert with_third_opinion(verdict, ONE, ONE, TWO, TWO, name="Third") == verdict


REASONS = {
    "Spark's": "on and off have rows, DuckDB has others; Third has Spark's",
    "DuckDB's": "on and off have rows, DuckDB has others; Third has DuckDB's",
    "its own": "on and off have rows, DuckDB has others; Third has 1 row of its own",
    "none": "on and off have rows, DuckDB has others",
}


@pytest.mark.parametrize(("third", "reason"), REASONS.items(), ids=REASONS)
def test_the_reason_says_what_it_has(third: str, reason: str) -> None:
    assert asked(ONE, ONE, TWO, THIRDS[third]).reason == reason


def test_the_reason_says_what_duckdb_does_without_its_optimizer() -> None:
    reason = asked(ONE, ONE, TWO, ONE, BROKEN).reason
    assert "without its optimizer it raises InternalException (internal); Third has Spark's" in reason
