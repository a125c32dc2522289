"""A failure prints its parts in their order, and cuts nothing in silence."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

import strategies.ir
from oracles.answers.outcome import Raised, Rows
from oracles.checks.verdict import Verdict
from oracles.failures import text as text_module
from oracles.failures.again import CHECKOUT
from oracles.failures.confirmation import Stock
from oracles.failures.failure import Failure, Subject, read_failure, write_failure
from oracles.failures.scale import Scale
from oracles.failures.text import MAX_ROWS, render
from strategies.draw.cases import cases
from strategies.draw.planner_conf import GROUPS
from strategies.ir import Case, Settings
from tests.unit.failure_samples import LEGS, OVERFLOW, RULES, answer, case_of, checked_of, failure

FILE = Path("/home/me/failures/3f9c5b1e07d2a684.json")
PLANS = {RULES[0]: ("Except false\n+- Relation [a#1]\n", "Distinct\n+- Filter\n   +- Relation [a#1]\n")}
TWO_PLANS = {"First": ("one", "two"), "Second": ("two", "three")}


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever these tests were started."""
    monkeypatch.setattr(text_module, "caller_folder", lambda: CHECKOUT)


def parts(text: str) -> dict[str, str]:
    """The text under each label, in order; the headline's label is empty."""
    found: dict[str, str] = {}
    label = ""
    for line in text.splitlines():
        indented = line.startswith("  ")
        starts = indented and not line.startswith(" " * 3)
        label, line = line.split(maxsplit=1) if starts else (label, line.strip() if indented else line)
        found[label] = f"{found[label]}\n{line}" if label in found else line
    return found


def printed(finding: Failure, plans: dict[str, tuple[str, str]] | None = None) -> dict[str, str]:
    """The parts of ``finding``'s text."""
    return parts(render(finding, FILE, plans or {}))


def with_legs(**legs: object) -> Failure:
    """A finding with these outcomes."""
    return failure(checked_of(legs=legs))


def test_a_third_engines_leg_is_shown_with_the_others() -> None:
    assert "(1)  on x1  off x2  duckdb x2  sqlite x1" in printed(with_legs(**LEGS, sqlite=answer(1)))["diff"]
    silent = Raised("UnsupportedNode", None, "SqliteCompiler has no visit_Verbatim", "unsupported")
    assert printed(with_legs(**LEGS, sqlite=silent))["sqlite"].startswith("raised UnsupportedNode")


def test_of_many_rows_it_says_what_they_are_made_from() -> None:
    large = printed(replace(failure(), scale=Scale(10_000_000, 5)))
    assert large["scale"] == "10,000,000 rows of each table, made from seed 5"
    assert "scale" not in printed(failure())


def test_the_parts_stand_in_the_order_in_which_one_asks() -> None:
    assert list(printed(failure(), PLANS)) == [
        "",
        "spark",
        "duckdb",
        "t0",
        "t1",
        "settings",
        "diff",
        "before",
        "after",
        "example",
        "replay",
    ]


def test_the_settings_hold_the_entries_of_a_group_and_the_time_zone() -> None:
    settings = Settings(conf=GROUPS["sorted groups"].conf, time_zone="Etc/GMT+8")
    assert eval(printed(failure(checked_of(case_of(settings=settings))))["settings"], vars(strategies.ir)) == settings


HEADLINES = {
    "confirmed": (
        failure(confirmed=True),
        "rule finding[ReplaceExceptWithFilter], blame on: on and off differ, DuckDB has off's rows",
    ),
    "unconfirmed": (
        failure(),
        "rule finding[ReplaceExceptWithFilter], blame on (unconfirmed): on and off differ, DuckDB has off's rows",
    ),
    "two rules": (failure(rules=("A", "B"), confirmed=True), "rule finding[A, B], blame on: on and off"),
    "no rule": (
        failure(
            checked_of(verdict=Verdict(name="finding", kind="engine", blame="unknown", reason="rows differ")),
            (),
            confirmed=True,
        ),
        "engine finding, blame unknown: rows differ",
    ),
}


@pytest.mark.parametrize(("finding", "start"), HEADLINES.values(), ids=HEADLINES)
def test_it_begins_with_the_verdict_and_the_blame(finding: Failure, start: str) -> None:
    assert render(finding, FILE, {}).startswith(start)


def test_the_query_stands_in_both_dialects() -> None:
    text = printed(failure())
    assert (text["spark"], text["duckdb"]) == ("SELECT 'in\nSpark'", "SELECT 'in DuckDB'")


def test_a_table_shows_its_types_and_each_row_once_with_its_copies() -> None:
    text = printed(failure())
    assert text["t0"].splitlines() == ["(a INT, s STRING)", "(1, 'x') x2", '(NULL, "it\'s") x1']
    assert text["t1"] == "(a INT, s STRING)"


DIFFS: dict[str, tuple[dict[str, Rows], list[str]]] = {
    "rows": (
        dict(LEGS),
        ["(NULL)  on x1  off x0  duckdb x0", "(1)  on x1  off x2  duckdb x2", "types equal: (int32)"],
    ),
    "rows that are as often everywhere aren't shown": (
        {"on": answer(1, 5), "duckdb": answer(5)},
        ["(1)  on x1  duckdb x0", "types equal: (int32)"],
    ),
    "four legs": (
        {"on": answer(1), "off": answer(1), "duckdb": answer(), "duckdb_unoptimized": answer(1)},
        ["(1)  on x1  off x1  duckdb x0  duckdb_unoptimized x1", "types equal: (int32)"],
    ),
    "types": (
        {"on": answer(), "off": answer(tag="int64")},
        ["types differ: on (int32), off (int64)"],
    ),
    "order": (
        {"on": replace(answer(1, 2), ordered=True), "off": replace(answer(2, 1), ordered=True)},
        ["the order parts at row 0: on (1)  off (2)", "types equal: (int32)"],
    ),
}


@pytest.mark.parametrize(("legs", "lines"), DIFFS.values(), ids=DIFFS)
def test_the_difference_counts_each_rows_copies_per_leg(legs: dict[str, Rows], lines: list[str]) -> None:
    assert printed(with_legs(**legs))["diff"].splitlines() == lines


def test_a_leg_without_rows_shows_its_error_on_one_line_and_the_others_their_rows() -> None:
    text = printed(with_legs(on=OVERFLOW, off=OVERFLOW, duckdb=answer(1, 1)))
    assert text["on"] == text["off"] == "raised ARITHMETIC_OVERFLOW: the sum is too big"
    assert parts(render(with_legs(on=OVERFLOW, off=answer(7)), FILE, {}))["off"] == "(int32)\n(7)"
    assert "diff" not in text


def test_an_error_and_a_difference_are_both_shown() -> None:
    text = printed(with_legs(on=answer(1), off=answer(), duckdb=OVERFLOW))
    assert text["duckdb"].endswith("raised ARITHMETIC_OVERFLOW: the sum is too big")
    assert text["diff"].startswith("(1)  on x1  off x0")


def test_a_long_label_is_kept_apart_from_its_text() -> None:
    text = render(with_legs(on=answer(1), duckdb=OVERFLOW, duckdb_unoptimized=OVERFLOW), FILE, {})
    assert "  duckdb_unoptimized raised ARITHMETIC_OVERFLOW" in text


def test_the_plan_stands_before_and_after_the_guilty_rule() -> None:
    text = printed(failure(), PLANS)
    assert text["before"] == "ReplaceExceptWithFilter\nExcept false\n+- Relation [a#1]"
    assert text["after"] == "Distinct\n+- Filter\n+- Relation [a#1]"


def test_each_guilty_rule_has_its_plans() -> None:
    lines = [line.split() for line in render(failure(), FILE, TWO_PLANS).splitlines()]
    shown = [line for line in lines if line[0] in ("before", "after", "one", "two", "three")]
    assert shown == [["before", "First"], ["one"], ["after", "two"], ["before", "Second"], ["two"], ["after", "three"]]


MANY = tuple((number, "x") for number in range(MAX_ROWS + 5))
CUT = {
    "table": (failure(checked_of(case_of(rows=MANY))), "t0"),
    "diff": (with_legs(on=answer(*range(MAX_ROWS + 5)), off=answer()), "diff"),
    "the only rows": (with_legs(on=OVERFLOW, off=answer(*range(MAX_ROWS + 5))), "off"),
}


@pytest.mark.parametrize(("finding", "label"), CUT.values(), ids=CUT)
def test_what_is_cut_is_counted(finding: Failure, label: str) -> None:
    lines = printed(finding)[label].splitlines()
    assert "... and 5 more" in lines
    assert sum("(" in line and "(int32)" not in line and "INT" not in line for line in lines) == MAX_ROWS


def test_what_just_fits_is_not_cut() -> None:
    assert "more" not in printed(failure(checked_of(case_of(rows=MANY[:MAX_ROWS]))))["t0"]


def test_a_table_is_cut_by_its_distinct_rows() -> None:
    assert printed(failure(checked_of(case_of(rows=MANY[:1] * 999))))["t0"].endswith("(0, 'x') x999")


@given(cases())
def test_the_example_evaluates_to_the_case(case: Case) -> None:
    text = render(failure(checked_of(case)), FILE, {})
    (example,) = [line.split(maxsplit=1)[1] for line in text.splitlines() if line.startswith("  example")]
    read: list[Case] = []
    eval(example.removeprefix("@"), {**vars(strategies.ir), "example": read.append})
    assert read == [case]


@pytest.mark.parametrize(
    "file", [FILE, Path("/home/me and you/failures/3f9c.json"), Path("failures/it's.json")], ids=str
)
def test_the_last_line_is_the_command_that_replays_it(file: Path) -> None:
    label, command = render(failure(), file, PLANS).splitlines()[-1].split(maxsplit=1)
    assert label == "replay"
    assert shlex.split(command) == ["tox", "run", "-e", "replay", "--", str(file)]


def test_what_another_spark_showed_is_shown_again_on_that_spark(tmp_path: Path) -> None:
    found = replace(failure(), subject=Subject(spark_home="/opt/my spark"))
    file = write_failure(tmp_path, found, "print(1)")
    shown = parts(render(read_failure(file), file, PLANS))
    assert shown["replay"] == f"tox run -e replay -- --spark-home '/opt/my spark' {file}"
    assert shown["script"] == f"SPARK_HOME='/opt/my spark' python {file.with_suffix('.py')}"


def test_what_is_not_on_disk_has_no_replay() -> None:
    assert "replay" not in render(failure(), None, PLANS)


STOCK: dict[str, tuple[Stock, str]] = {
    "confirmed": (
        Stock("confirmed", "under Spark's own settings"),
        "confirmed on stock Spark: under Spark's own settings",
    ),
    "not": (Stock("assay-only", "its script ends with 0"), "shows only in Assay's session: its script ends with 0"),
    "no script": (Stock("impossible", "why"), "can't be shown on stock Spark: why"),
}


@pytest.mark.parametrize(("stock", "told"), STOCK.values(), ids=STOCK)
def test_it_says_what_stock_spark_shows(stock: Stock, told: str) -> None:
    assert printed(replace(failure(), stock=stock))["stock"] == told


def test_what_shows_in_assays_session_alone_is_flagged_at_once() -> None:
    headlines = [
        render(replace(failure(confirmed=True), stock=stock), FILE, {}).splitlines()[0] for stock, _ in STOCK.values()
    ]
    assert [" (only in Assay's session): " in line for line in headlines] == [False, True, False]


def test_its_script_is_named_where_there_is_one(tmp_path: Path) -> None:
    file = write_failure(tmp_path, failure(), "print(1)")
    assert parts(render(failure(), file, {}))["script"] == f"python {file.with_suffix('.py')}"
    assert "script" not in printed(failure())
