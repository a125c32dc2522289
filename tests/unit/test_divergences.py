"""Known differences: what an entry must say, and the few findings that it excuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.checks.result import CheckResult, LegSettings
from oracles.checks.verdict import Verdict
from oracles.patterns.queries import PATTERNS
from oracles.triage.divergences import KNOWN, Divergence, InvalidDivergence, Without, Witness, fitting, load
from strategies.ir import (
    DOUBLE,
    INT,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Lit,
    Relation,
    Scan,
    SetOp,
    Table,
)
from tests.unit.ir_samples import case_over

GOOD = """
[[divergence]]
id = "SPARK-1"
kind = "rule"
blame = "on"
rules = ["B", "A"]
pattern = "anything"
raised = ""
without = { rewrite = "in_as_flags", shows = true }
releases = ["4.3", "3.5.1"]
reason = "It is so."
url = "https://issues.apache.org/jira/browse/SPARK-1"
expires = 2027-05-31

[divergence.witness]
setup = ["CREATE TABLE t USING parquet AS SELECT 1 AS a"]
query = "SELECT * FROM t"
settings = { "spark.sql.ansi.enabled" = "true" }
"""
ENTRY = Divergence(
    id="SPARK-1",
    kind="rule",
    blame="on",
    rules=("B", "A"),
    pattern="anything",
    raised="",
    releases=("4.3", "3.5.1"),
    reason="It is so.",
    url="https://issues.apache.org/jira/browse/SPARK-1",
    witness=Witness(
        ("CREATE TABLE t USING parquet AS SELECT 1 AS a",), "SELECT * FROM t", {"spark.sql.ansi.enabled": "true"}
    ),
    expires=date(2027, 5, 31),
    without=Without(rewrite="in_as_flags", shows="in_as_flags"),
)


def loaded(folder: Path, text: str) -> tuple[Divergence, ...]:
    """The entries of a file with ``text``."""
    path = folder / "divergences.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def test_an_entry_is_read(tmp_path: Path) -> None:
    assert loaded(tmp_path, GOOD) == (ENTRY,)


def test_a_file_without_entries_has_none(tmp_path: Path) -> None:
    assert loaded(tmp_path, "# nothing known\n") == ()


def test_entries_keep_their_order(tmp_path: Path) -> None:
    assert [entry.id for entry in loaded(tmp_path, GOOD + GOOD.replace('"SPARK-1"', '"SPARK-0"'))] == [
        "SPARK-1",
        "SPARK-0",
    ]


BROKEN: dict[str, tuple[str, str, str]] = {
    "no TOML": ("[[divergence]]", "[[divergence", "divergences.toml: "),
    "another table": ("[[divergence]]\n", "[other]\n[[divergence]]\n", "divergences.toml: .*other"),
    "a misspelt key": ("reason =", "reasons =", "SPARK-1: .*: reason, reasons"),
    "an unknown key": ("reason =", 'note = "x"\nreason =', "SPARK-1: .*: note"),
    "no id": ('id = "SPARK-1"\n', "", "an entry without id: .*: id"),
    "a kind that no finding has": ('kind = "rule"', 'kind = "wrong"', "SPARK-1: no finding has kind 'wrong'"),
    "a blame that no finding has": ('blame = "on"', 'blame = "sqlite"', "SPARK-1: .* blame 'sqlite'"),
    "a pattern that isn't there": ('"anything"', '"something"', "SPARK-1: no pattern 'something'; there are anything"),
    "no https": (
        '"https://issues.apache.org/jira/browse/SPARK-1"',
        '"SPARK-1"',
        "SPARK-1: the URL of .* must be https",
    ),
    "an open URL": ('"https:', '"http:', "SPARK-1: the URL of its ticket must be https"),
    "what excuses everything": ('["B", "A"]', "[]", "SPARK-1: needs guilty rules or a pattern"),
    "half an expression": ('raised = ""', 'raised = "("', "SPARK-1: raised is no regular expression"),
    "an internal error of any text": (
        'kind = "rule"',
        'kind = "internal"',
        "SPARK-1: kind internal needs",
    ),
    "no reason": ('"It is so."', '""', "SPARK-1: .*reason"),
    "a rule's finding without its cause": (
        'without = { rewrite = "in_as_flags", shows = true }\n',
        "",
        "SPARK-1: kind rule needs what is raised, or what it disappears without",
    ),
    "a rewrite that isn't there": ('"in_as_flags"', '"magic"', "SPARK-1: no rewrite 'magic'; there are in_as_flags"),
    "a rewrite to show it that isn't there": ("shows = true", 'shows = "magic"', "SPARK-1: no rewrite 'magic'"),
    "a cause of two kinds": (
        "shows = true",
        'settings = { a = "b" }',
        "SPARK-1: without must have settings, rules or a rewrite, and nothing else",
    ),
    "no release": ('["4.3", "3.5.1"]', "[]", "SPARK-1: .*releases"),
    "rules that are one text": ('["B", "A"]', '"BA"', "SPARK-1: .*rules"),
    "releases that are one text": ('["4.3", "3.5.1"]', '"4.3"', "SPARK-1: .*releases"),
    "releases that are numbers": ('["4.3", "3.5.1"]', "[4.3]", "SPARK-1: .*releases"),
    "an expiry in words": ("2027-05-31", '"2027-05-31"', "SPARK-1: expires must be a date"),
    "an expiry to the second": ("2027-05-31", "2027-05-31T00:00:00", "SPARK-1: expires must be a date"),
    "a witness without a query": ('query = "SELECT * FROM t"\n', "", "SPARK-1: .*witness"),
    "a witness with more": ("setup =", 'teardown = "x"\nsetup =', "SPARK-1: .*witness"),
    "a witness in words": (
        GOOD[GOOD.index("\n[divergence.witness]") :],
        'witness = "SELECT 1"\n',
        "SPARK-1: .*witness",
    ),
}


@pytest.mark.parametrize(("text", "instead", "reason"), BROKEN.values(), ids=BROKEN)
def test_an_entry_that_says_too_little_or_excuses_too_much_is_refused(tmp_path, text, instead, reason) -> None:
    assert text in GOOD
    with pytest.raises(InvalidDivergence, match=f"^{reason}"):
        loaded(tmp_path, GOOD.replace(text, instead))


KEYS = ["id", "kind", "blame", "rules", "pattern", "raised", "releases", "reason", "url", "expires"]


@pytest.mark.parametrize("key", KEYS)
def test_an_entry_without_one_of_its_keys_is_refused_with_the_key(tmp_path: Path, key: str) -> None:
    text = "\n".join(line for line in GOOD.splitlines() if not line.startswith(f"{key} ="))
    with pytest.raises(InvalidDivergence, match=f": missing or unknown keys: {key}$"):
        loaded(tmp_path, text)


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidDivergence, match="an id stands twice"):
        loaded(tmp_path, GOOD + GOOD)


def test_a_pattern_alone_is_enough(tmp_path: Path) -> None:
    text = GOOD.replace('["B", "A"]', "[]").replace("anything", "except_condition_takes_another_column")
    assert [entry.rules for entry in loaded(tmp_path, text)] == [()]


TODAY = date(2026, 1, 1)
T = Scan("t", (Column("a", INT), Column("b", INT)))
A, B = Col("a", INT), Col("b", INT)
FINDING = Verdict(name="finding", kind="rule", blame="on", reason="differs")


def found(verdict: Verdict, query: Relation, legs: Mapping[str, Outcome] = {}) -> CheckResult:
    """A finding of ``verdict`` on ``query``."""
    return CheckResult(case=case_over(query), off=(), fired=(), differed=True, verdict=verdict, legs=legs)


def excused(
    entry: Divergence = ENTRY,
    verdict: Verdict = FINDING,
    rules: tuple[str, ...] = ("A", "B"),
    query: Relation = T,
    spark: str = "4.3.0",
    today: date = TODAY,
) -> bool:
    """Whether ``entry`` excuses a finding, by default one that fits in everything."""
    return entry.excuses(found(verdict, query), rules, spark, today)


@pytest.mark.parametrize("rules", [("A", "B"), ("B", "A")], ids=str)
def test_rules_fit_in_any_order(rules: tuple[str, ...]) -> None:
    assert excused(rules=rules)


@pytest.mark.parametrize("rules", [(), ("A",), ("B",), ("A", "B", "C"), ("A", "C"), ("A", "A", "B"), ("AB",)], ids=str)
def test_rules_must_fit_exactly(rules: tuple[str, ...]) -> None:
    assert not excused(rules=rules)


@pytest.mark.parametrize("spark", ["4.3", "4.3.0", "4.3.1", "4.3.0-SNAPSHOT", "3.5.1"])
def test_a_release_fits_with_what_comes_after_it(spark: str) -> None:
    assert excused(spark=spark)


@pytest.mark.parametrize("spark", ["4.30", "4.30.0", "4.2.3", "4", "14.3.0", "3.5.10", "3.5.0", "3.5", ""])
def test_another_release_does_not_fit(spark: str) -> None:
    assert not excused(spark=spark)


@pytest.mark.parametrize(
    ("today", "fits"),
    [(date(2020, 1, 1), True), (date(2027, 5, 30), True), (date(2027, 5, 31), True), (date(2027, 6, 1), False)],
    ids=str,
)
def test_past_its_expiry_an_entry_excuses_nothing(today: date, fits: bool) -> None:
    assert excused(today=today) == fits


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(name="finding", kind="rule", blame="off", reason="x"),
        Verdict(name="finding", kind="rule", blame="unknown", reason="x"),
        Verdict(name="finding", kind="engine", blame="on", reason="x"),
        Verdict(name="finding", kind="internal", blame="on", reason="x"),
        Verdict(name="agree", reason="x"),
        Verdict(name="inconclusive", reason="x"),
    ],
    ids=lambda verdict: f"{verdict.name} {verdict.kind} {verdict.blame}",
)
def test_another_verdict_does_not_fit(verdict: Verdict) -> None:
    assert not excused(verdict=verdict)


RAISING = replace(ENTRY, without=None, kind="internal", raised="has not finished")
INTERNAL = Verdict(name="finding", kind="internal", blame="on", reason="raised")
NOT_FINISHED = Raised("X", None, "Subquery #3 has not finished", "internal")


@pytest.mark.parametrize(
    ("legs", "fits"),
    [
        ({"on": NOT_FINISHED}, True),
        ({"on": NOT_FINISHED, "off": NOT_FINISHED}, True),
        ({"on": NOT_FINISHED, "off": replace(NOT_FINISHED, message="by zero", kind="user")}, True),
        ({"on": replace(NOT_FINISHED, message="other"), "off": NOT_FINISHED}, False),
        ({"on": replace(NOT_FINISHED, message="other"), "duckdb": NOT_FINISHED}, False),
        ({"on": Raised("X", None, "has finished", "internal")}, False),
        ({"on": Rows(("int32",), ((None,),))}, False),
    ],
    ids=[
        "in its message",
        "in both",
        "beside a user's error",
        "in one of two failures",
        "in DuckDB's",
        "another message",
        "nothing raised",
    ],
)
def test_what_was_raised_must_fit(legs: Mapping[str, Outcome], fits: bool) -> None:
    assert RAISING.excuses(found(INTERNAL, T, legs), ("A", "B"), "4.3.0", TODAY) == fits


def test_an_error_at_a_null_position_is_excused_by_its_cause_alone() -> None:
    """A column may hold -1, and a rule may lose the error that it makes: the same error, of no known divergence."""
    (entry,) = (entry for entry in load() if entry.id == "element-at-null-raised")
    assert entry.is_silent
    assert entry.without is not None
    assert entry.without.rewrite == "elements_at_known_positions"


HIDING = {"spark.sql.optimizer.excludedRules": "a.Other,a.Hides"}


@pytest.mark.parametrize(
    ("settings", "fits"),
    [
        (LegSettings(HIDING, HIDING), True),
        (LegSettings({}, HIDING), False),
        (LegSettings(HIDING, {}), False),
        (LegSettings(*[{"spark.sql.optimizer.excludedRules": "a.HidesMore"}] * 2), False),
    ],
    ids=["off on both legs", "off on one", "off on the other", "another is off"],
)
def test_the_rule_that_hides_it_must_be_off(settings: LegSettings, fits: bool) -> None:
    checked = replace(found(FINDING, T), settings=settings)
    assert replace(ENTRY, under="a.Hides").excuses(checked, ("A", "B"), "4.3.0", TODAY) == fits


def test_an_entry_may_name_a_rule_that_hides_it(tmp_path: Path) -> None:
    text = GOOD.replace('raised = ""', 'raised = ""\nunder = "a.Hides"')
    assert loaded(tmp_path, text) == (replace(ENTRY, under="a.Hides"),)


OTHER, EXPIRED = replace(ENTRY, id="SPARK-2"), replace(ENTRY, id="SPARK-0", expires=date(2025, 12, 31))


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ((), []),
        ((EXPIRED,), []),
        ((ENTRY,), [ENTRY]),
        ((EXPIRED, OTHER, ENTRY), [OTHER, ENTRY]),
        ((replace(ENTRY, rules=("A",)), ENTRY), [ENTRY]),
    ],
    ids=["no entries", "expired", "one", "those that are alive", "those that fit"],
)
def test_every_entry_that_fits_is_asked_in_order(entries, expected) -> None:
    assert fitting(entries, found(FINDING, T), iter(("A", "B")), "4.3.0", TODAY) == expected


OPEN = replace(ENTRY, rules=("any",), pattern="set_operator_all")
COUNTED = SetOp("except", T, T, all=True)


@pytest.mark.parametrize(
    ("rules", "own", "fits"),
    [
        (("A",), (), True),
        ((), ("Mine",), True),
        (("Mine",), ("Mine",), False),
        (("A", "Mine"), ("Mine",), False),
    ],
    ids=["a rule of Spark's", "no rule", "an injected rule", "an injected rule among others"],
)
def test_an_entry_for_any_rule_covers_no_injected_rule(rules, own, fits) -> None:
    assert OPEN.excuses(found(FINDING, COUNTED), rules, "4.3.0", TODAY, own=own) == fits


def test_an_entry_covers_an_injected_rule_that_it_names() -> None:
    entry = replace(ENTRY, rules=("Mine",))
    assert entry.excuses(found(FINDING, T), ("Mine",), "4.3.0", TODAY, own=("Mine",))


@pytest.mark.parametrize(
    ("blame", "fits"), [("unknown", True), ("spark", True), ("duckdb", False), ("on", False)], ids=str
)
def test_before_a_third_engine_is_asked_spark_s_blame_is_unknown(blame, fits) -> None:
    entry = replace(ENTRY, kind="engine", blame="spark", rules=(), pattern="set_operator_all")
    ours = replace(entry, blame="duckdb")
    assert ours.excuses(
        found(Verdict(name="finding", kind="engine", blame="unknown", reason="x"), COUNTED), (), "4.3.0", TODAY
    )
    assert (
        entry.excuses(
            found(Verdict(name="finding", kind="engine", blame=blame, reason="x"), COUNTED), (), "4.3.0", TODAY
        )
        == fits
    )


MINUS_ZERO = Table("t", (Column("d", DOUBLE),), (((-0.0).hex(),),))
ZERO_IN_PARQUET = Case(
    Filter(Scan("t", MINUS_ZERO.columns), Compare("=", Col("d", DOUBLE), Lit(DOUBLE, (0.0).hex()))),
    Database((MINUS_ZERO,)),
)


@pytest.mark.parametrize(("fast", "fits"), [(True, False), (False, True)], ids=["fast path", "plain path"])
def test_an_entry_about_files_covers_nothing_that_no_file_was_read_for(fast: bool, fits: bool) -> None:
    """A case of the fast path is read from memory, whatever source it was drawn with."""
    verdict = Verdict(name="finding", kind="engine", blame="unknown", reason="x")
    entry = replace(
        ENTRY, kind="engine", blame="unknown", rules=(), pattern="parquet_zero_of_the_other_sign", releases=("4.3",)
    )
    checked = CheckResult(case=ZERO_IN_PARQUET, off=(), fired=(), differed=False, verdict=verdict, legs={}, fast=fast)
    assert entry.excuses(checked, (), "4.3.0", TODAY) == fits


ENTRIES = load()


def test_the_known_differences_can_be_loaded() -> None:
    assert load(KNOWN) == ENTRIES
    assert {entry.pattern for entry in ENTRIES} <= set(PATTERNS)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_a_known_difference_has_a_witness_with_a_switch_or_an_equal(entry: Divergence) -> None:
    assert entry.witness.query
    assert bool(entry.witness.settings) != bool(entry.witness.instead)
