"""The tables at the end of a run."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from assay.fuzz.coverage import Coverage, Listed
from assay.fuzz.record import Record
from assay.fuzz.report import closing_table, conclude_kills, kill_table, survivors
from oracles.checks.evidence import STOCK, TWO_LEGS, RuleCount
from oracles.checks.verdict import NAMES

LONG = "ReplaceDeduplicateWithAggregate" * 2
RULES = {
    "EliminateOuterJoin": RuleCount(checked=120, fired=112, differed=110),
    LONG: RuleCount(checked=7, fired=6, differed=5),
}
FILE = f"/home/me/[bold]/{'deep/' * 30}3f9c5b1e07d2a684.json"
FINDING: dict[str, Any] = {
    "fingerprint": "3f9c5b1e07d2a684",
    "kind": "rule",
    "blame": "on",
    "rules": ["EliminateOuterJoin"],
    "file": FILE,
    "operators": 3,
    "rows": 2,
    "count": 5,
    "confirmed": True,
}
VERDICTS: dict[Any, int] = {
    "agree": 920,
    "vacuous": 30,
    "raised": 20,
    "same-error": 8,
    "order-open": 2,
    "excused": 3,
    "inconclusive": 10,
    "finding": 7,
}
COVERAGE = Coverage(
    {
        "EliminateOuterJoin": Listed("Operator Optimization", True, True),
        LONG: Listed("Replace Operators", True, False),
        "Unswitchable": Listed("Subquery", False, False),
        "CheckCartesianProducts": Listed("Extract Python UDFs", False, False),
        "Forgotten": Listed("A Batch", True, False),
    },
    {"EliminateOuterJoin": 130, "Unswitchable": 5},
    {("EliminateOuterJoin", "Unswitchable"): 3},
)
RECORD = Record(
    verdicts=Counter(VERDICTS),
    nonempty=700,
    excused=Counter({"SPARK-1": 2, "SPARK-2": 1}),
    rules=RULES,
    findings=(FINDING, {**FINDING, "rules": []}),
    coverage=COVERAGE,
    optimizer_failures=4,
    fits={"SPARK-2": 3, "SPARK-3": 20},
    fitting=21,
)


def cells(table: str) -> list[list[str]]:
    """The cells of every row, those between any kind of bars."""
    lines = (line.replace("┃", "│") for line in table.splitlines())
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines if line.startswith("│")]


CLOSING = closing_table(RECORD, 50.0)


@pytest.mark.parametrize(("name", "count"), RULES.items(), ids=RULES)
def test_the_closing_table_shows_every_rule(name: str, count: RuleCount) -> None:
    changed = str(COVERAGE.changed.get(name, 0))
    entry = {"EliminateOuterJoin": "yes"}.get(name, "")
    assert [name, changed, str(count.checked), str(count.fired), str(count.differed), entry] in cells(CLOSING)


def test_the_closing_table_shows_a_rule_that_only_changed_plans() -> None:
    assert ["Unswitchable", "5", "0", "0", "0", ""] in cells(CLOSING)


@pytest.mark.parametrize(
    ("count", "differed"),
    [
        (RuleCount(checked=9, fired=6, differed=0, two_legs=6), "-"),
        (RuleCount(checked=9, fired=6, differed=4, two_legs=2), "4"),
        (RuleCount(checked=9, fired=6, differed=0, two_legs=5), "0"),
        (RuleCount(checked=9, fired=0, differed=0, two_legs=0), "0"),
    ],
    ids=["two legs in all", "two legs in some", "the same plans", "never fired"],
)
def test_where_no_plans_were_compared_the_table_has_a_dash(count: RuleCount, differed: str) -> None:
    table = cells(closing_table(Record(rules={"A": count}), 1.0))
    assert ["A", "0", str(count.checked), str(count.fired), differed, ""] in table


def test_checks_with_two_legs_have_a_line() -> None:
    legs = {"on": 9, "off": 4, "duckdb": 9}
    assert "two legs" not in closing_table(Record(legs=legs), 1.0)
    assert "two legs in 5 checks, which DuckDB alone judged" in closing_table(Record(legs={**legs, TWO_LEGS: 5}), 1.0)


def test_checks_as_in_a_stock_session_have_a_line() -> None:
    verdicts = Counter({"agree": 80})
    told = "as a stock session: {} checks, {} % (files, adaptive execution, generated code, several partitions)"
    assert told.format(0, "0.0") in closing_table(Record(verdicts=verdicts, legs=Counter({"on": 80})), 1.0)
    assert told.format(10, "12.5") in closing_table(Record(verdicts=verdicts, legs=Counter({STOCK: 10})), 1.0)
    assert "stock session" not in closing_table(Record(), 1.0)


@pytest.mark.parametrize(
    ("why", "names"),
    [("a check that rewrites nothing", "CheckCartesianProducts"), ("?", f"Forgotten, {LONG}")],
    ids=["why", "unknown"],
)
def test_the_closing_table_shows_what_never_changed_a_plan_by_reason(why: str, names: str) -> None:
    assert [why, names] in cells(CLOSING)


@pytest.mark.parametrize(
    "row",
    [["SPARK-3", "20", "2.00", "0"], ["SPARK-2", "3", "0.30", "1"], ["all together", "21", "2.10", "1"]],
    ids=lambda row: row[0],
)
def test_the_closing_table_shows_how_many_checks_a_silent_entry_fits_and_excused(row: list[str]) -> None:
    assert row in cells(CLOSING)


def test_where_no_silent_entry_fits_there_is_no_table_of_them() -> None:
    assert "silent entries" in CLOSING
    assert "silent entries" not in closing_table(Record(), 1.0)


def test_where_every_rule_changed_a_plan_there_is_no_table_of_those_that_did_not() -> None:
    assert "never fired" in CLOSING
    assert "never fired" not in closing_table(Record(), 1.0)


SHARES = {
    "agree": "92.0",
    "vacuous": "3.0",
    "raised": "2.0",
    "same-error": "0.8",
    "order-open": "0.2",
    "excused": "0.3",
    "inconclusive": "1.0",
    "finding": "0.7",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_closing_table_shows_every_verdict(name: str) -> None:
    assert [name, str(VERDICTS[name]), SHARES[name]] in cells(CLOSING)


@pytest.mark.parametrize("name", NAMES)
def test_a_verdict_that_never_came_is_shown_as_well(name: str) -> None:
    assert [name, "0", "0.0"] in cells(closing_table(Record(), 0.0))


LINES = [
    "1000 checks in 50 s (20.0/s), 700 agreements with rows",
    "2 of 5 rules changed a plan, 1 pairs together",
    "excused by SPARK-1: 2",
    "excused by SPARK-2: 1",
    "DuckDB's optimizer raised in 4: answered without it",
    f"finding 3f9c5b1e07d2a684: rule, blame on, EliminateOuterJoin, 3 operators, 2 rows, seen 5 times: {FILE}",
    f"finding 3f9c5b1e07d2a684: rule, blame on, no rule, 3 operators, 2 rows, seen 5 times: {FILE}",
]


@pytest.mark.parametrize("line", LINES)
def test_the_closing_table_ends_with_speed_excuses_and_findings_a_line_each(line: str) -> None:
    """Whole, however long: a file's name is there to be copied."""
    assert line in CLOSING.splitlines()


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ("confirmed", "seen 5 times, confirmed on stock Spark: "),
        ("assay-only", "seen 5 times, shows only in Assay's session: "),
        ("impossible", "seen 5 times, can't be shown on stock Spark: "),
        (None, "seen 5 times: "),
    ],
)
def test_a_finding_says_whether_stock_spark_shows_it(shown: str | None, told: str) -> None:
    text = closing_table(Record(findings=(FINDING | {"stock": shown},)), 1.0)
    assert told in text


def kill(name: str, by: str = "shape", *, killed: bool = True) -> dict[str, Any]:
    """How the hunt for one mutant ended."""
    found = {"examples": 12, "seconds": 3.4, "operators": 2, "rows": 1}
    lost = {"examples": 300, "seconds": 99.9, "operators": None, "rows": None}
    return {"name": name, "rule": "RewriteExceptAll", "by": by, "killed": killed, **(found if killed else lost)}


def test_the_kill_table_shows_who_was_killed_by_what_and_who_survived() -> None:
    text = kill_table(Record(kills=(kill("Two", "general", killed=False), kill("One"))))
    assert cells(text)[1:] == [
        ["One", "RewriteExceptAll", "shape", "yes", "12", "3.4", "2", "1"],
        ["Two", "RewriteExceptAll", "general", "NO", "300", "99.9", "", ""],
    ]


def test_the_kill_table_counts_kills_that_an_excuse_would_take() -> None:
    kills = (kill("One", "shape") | {"excused": 2}, kill("Two", "shape") | {"excused": 0})
    assert "kills excused by known divergences: 2 (One 2)" in kill_table(Record(kills=kills))
    assert "kills excused by known divergences: 0" in kill_table(Record(kills=kills[1:]))


def test_the_kill_table_has_room_for_long_names() -> None:
    name, rule = "ReplaceIntersectWithSemiJoinSwappedNullability", "ReplaceDeduplicateWithAggregate"
    text = kill_table(Record(kills=(kill(name, "general") | {"rule": rule, "examples": 3000, "seconds": 1234.5},)))
    assert cells(text)[1:] == [[name, rule, "general", "yes", "3000", "1234.5", "2", "1"]]


def hunted(by: str, count: int, alive: int) -> list[dict[str, Any]]:
    """``count`` hunts, of which ``alive`` ended in nothing."""
    return [kill(f"M{number}", by, killed=number >= alive) for number in range(count)]


@pytest.mark.parametrize(("count", "alive"), [(20, 3), (20, 0), (100, 15), (7, 1), (40, 6), (140, 21)], ids=str)
def test_general_queries_may_leave_15_in_100_alive(count: int, alive: int) -> None:
    assert survivors(hunted("general", count, alive)) == []


@pytest.mark.parametrize(("count", "alive"), [(20, 4), (100, 16), (6, 1), (1, 1), (140, 22)], ids=str)
def test_beyond_that_all_of_them_are_named(count: int, alive: int) -> None:
    assert survivors(hunted("general", count, alive)) == [f"M{number}" for number in range(alive)]


def test_by_its_rules_shape_every_mutant_must_be_killed() -> None:
    assert survivors(hunted("shape", 100, 1)) == ["M0"]
    assert survivors(hunted("shape", 100, 0)) == []


def test_those_killed_by_shape_make_no_room_for_general_survivors() -> None:
    assert survivors([*hunted("shape", 100, 0), *hunted("general", 6, 1)]) == ["M0"]


def test_survivors_of_both_hunts_are_named() -> None:
    assert survivors([kill("A", "general", killed=False), kill("B", killed=False)]) == ["B", "A"]


def test_the_end_of_a_hunt_says_how_many_were_killed_and_who_was_not() -> None:
    every = conclude_kills([kill("A"), kill("B")])
    assert (every.sentence, every.proof, every.red) == ("2 of 2 hunts for wrong rules ended in a kill", True, [])
    some = conclude_kills([kill("A"), kill("B", killed=False)])
    assert (some.sentence, some.proof, some.red) == (
        "1 of 2 hunts for wrong rules ended in a kill",
        False,
        ["red: mutants: B survived"],
    )


def test_a_run_that_hunted_nobody_is_red() -> None:
    assert (conclude_kills([]).proof, len(conclude_kills([]).red)) == (False, 1)


def test_no_hunts_leave_no_survivors() -> None:
    assert survivors([]) == []
