"""The page tells of one finding how it was found and what it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assay.report.campaigns import Found
from assay.report.findings import MAX_ROWS, Card, card
from oracles.answers.outcome import Rows
from oracles.checks.verdict import Verdict
from oracles.failures.confirmation import Stock
from oracles.failures.failure import Failure, Subject
from strategies.ir import Settings
from tests.unit.failure_samples import LEGS, OVERFLOW, RULES, T0, answer, case_of, checked_of, failure
from tests.unit.page_samples import PLANS, hostile


def told(given: Failure, *, count: int = 3, runs: tuple[str, ...] = ("1", "2"), script: str = "") -> Card:
    row = {**given.summary(None, count), "runs": list(runs)}
    return card(Found(row, given, "campaign/findings/a b.json", script))


def of_legs(**legs: Any) -> Card:
    return told(failure(checked_of(legs=legs)))


def test_the_tables_have_their_columns_types_and_how_often_each_row_is_there() -> None:
    one, other = told(failure()).tables
    assert (one.name, one.head) == ("t0", (("a", "INT"), ("s", "STRING"), ("copies", "")))
    assert one.rows == (("1", "'x'", "×2"), ("NULL", '"it\'s"', "×1"))
    assert (other.name, other.rows) == ("t1", ())


def test_a_long_table_is_cut_and_says_so() -> None:
    rows = tuple((number, "x") for number in range(MAX_ROWS + 7))
    grid, _ = told(failure(checked_of(case_of(rows=rows)))).tables
    assert (len(grid.rows), grid.more) == (MAX_ROWS, 7)


def test_rows_that_differ_have_their_copies_per_leg_and_whose_are_wrong() -> None:
    (grid,) = told(failure()).difference
    assert grid.head == (("column 1", "int32"), ("on", ""), ("off", ""), ("duckdb", ""))
    assert grid.rows == (("NULL", "×1", "×0", "×0"), ("1", "×1", "×2", "×2"))
    # Of its columns, one of a value and three of legs, the on leg's is the second.
    assert (grid.counts, grid.odd) == (3, (1,))


def test_columns_have_the_names_that_the_query_gives_them() -> None:
    rows = Rows(("int32", "string"), ((("int32", 1), ("string", "x")),))
    (grid,) = told(failure(checked_of(case_of(T0), legs={"on": rows, "off": Rows(("int32", "string"), ())}))).difference
    assert grid.head[:2] == (("a", "int32"), ("s", "string"))
    assert grid.rows == (("1", "'x'", "×1", "×0"),)


def test_nobody_is_odd_where_nobody_is_to_blame() -> None:
    verdict = Verdict(name="finding", kind="engine", blame="unknown", reason="Spark and DuckDB have other rows")
    (grid,) = told(failure(checked_of(verdict=verdict), ())).difference
    assert grid.odd == ()


def test_both_legs_of_spark_are_odd_where_spark_is_to_blame() -> None:
    (grid,) = told(
        failure(checked_of(verdict=Verdict(name="finding", kind="engine", blame="spark", reason="")), ())
    ).difference
    assert grid.odd == (1, 2)


def test_many_rows_that_differ_are_cut_and_say_so() -> None:
    (grid,) = of_legs(on=answer(*range(MAX_ROWS + 3)), off=answer()).difference
    assert (len(grid.rows), grid.more) == (MAX_ROWS, 3)


def test_types_that_differ_are_told_even_where_no_row_does() -> None:
    made = of_legs(on=answer(), off=answer(tag="int64"))
    assert made.difference == ()
    assert made.notes == ("types differ: on (int32), off (int64)",)


def test_legs_of_different_widths_fit_into_one_table() -> None:
    wide = Rows(("int32", "int32"), ((("int32", 1), ("int32", 2)),))
    (grid,) = of_legs(on=answer(3), off=wide).difference
    assert grid.rows == (("3", "×1", "×0"), ("(1, 2)", "×0", "×1"))
    (grid,) = of_legs(on=wide, off=answer(3)).difference
    assert grid.rows == (("1", "2", "×1", "×0"), ("(3)", "", "×0", "×1"))


def test_an_order_that_differs_is_told() -> None:
    one, two = (replace(answer(*values), ordered=True) for values in ((1, 2), (2, 1)))
    made = of_legs(on=one, off=two)
    assert (made.difference, made.notes) == ((), ("the order parts at row 0: on (1); off (2)",))


def test_a_leg_without_rows_says_what_it_raised_and_the_other_what_it_has() -> None:
    made = of_legs(on=OVERFLOW, off=answer(1))
    assert made.raised == (("on", "ARITHMETIC_OVERFLOW", "the sum is too big"),)
    (grid,) = made.difference
    assert (grid.name, grid.rows, grid.counts) == ("rows of off", (("1",),), 0)


def test_a_leg_that_is_broken_in_the_file_is_left_out() -> None:
    broken = replace(failure(), legs={**failure().legs, "off": {"rows": "none"}})
    (grid,) = told(broken).difference
    assert [name for name, _ in grid.head] == ["column 1", "on", "duckdb"]


def test_the_plans_are_those_of_the_file() -> None:
    (both,) = told(replace(failure(), plans={RULES[0]: PLANS})).plans
    assert (both.rule, len(both.before)) == (RULES[0], len(both.after))
    assert told(failure()).plans == ()


def test_the_commands_can_be_pasted_into_a_shell() -> None:
    assert told(failure()).commands == ("tox run -e replay -- 'campaign/findings/a b.json'",)
    assert told(failure(), script="x.py").commands == ("python x.py", *told(failure()).commands)
    elsewhere = replace(failure(), subject=Subject(spark_home="/opt/spark"))
    assert told(elsewhere, script="x.py").commands == (
        "SPARK_HOME=/opt/spark python x.py",
        "tox run -e replay -- --spark-home /opt/spark 'campaign/findings/a b.json'",
    )


def facts(given: Failure, **how: Any) -> dict[str, str]:
    return dict(told(given, **how).facts)


def test_facts() -> None:
    settings = Settings("orc", "dataframe", True, True, 3)
    given = replace(failure(checked_of(case_of(settings=settings))), stock=Stock("confirmed", "as it is"))
    assert facts(given) == {
        "seen": "in 3 checks of 2 runs",
        "without Assay": "confirmed on stock Spark: as it is",
        "size": "2 operators, 3 rows",
        "engines": "spark 4.3.0, duckdb 2.0.0",
        "seed": "1",
        "mutant": "ReplaceExceptWithFilterNoDistinct",
        "settings": "source orc, form dataframe, aqe True, codegen True, partitions 3",
        "turned off": "ReplaceExceptWithFilter",
    }


@pytest.mark.parametrize(
    ("count", "runs", "seen"),
    [
        (0, (), "in a round that was not finished"),
        (1, ("1",), "in 1 check of 1 run"),
        (1_234, ("1", "2"), "in 1,234 checks of 2 runs"),
    ],
)
def test_how_often_it_was_seen(count: int, runs: tuple[str, ...], seen: str) -> None:
    assert facts(failure(), count=count, runs=runs)["seen"] == seen


def test_what_is_as_usual_is_not_told() -> None:
    bare = Failure(
        case=case_of(), verdict=Verdict(name="finding", kind="engine", blame="unknown", reason=""), rules=(), off=()
    )
    assert list(facts(bare)) == ["seen", "size"]


@pytest.mark.parametrize(
    ("rules", "blame", "title"),
    [
        (("A", "B"), "on", "A, B"),
        ((), "spark", "Spark"),
        ((), "duckdb", "DuckDB"),
        ((), "unknown", "culprit unknown"),
        ((), "off", "off"),
    ],
)
def test_the_title_is_the_culprit(rules: tuple[str, ...], blame: Any, title: str) -> None:
    assert (
        told(failure(checked_of(verdict=Verdict(name="finding", kind="engine", blame=blame, reason="")), rules)).title
        == title
    )


def test_hostile_texts_are_told_as_they_are() -> None:
    """It is for whoever writes the page to make text of them."""
    made = told(hostile())
    assert made.title == hostile().rules[0]
    assert legs_of(made) == ["on", "off"]


def legs_of(made: Card) -> list[str]:
    return [name for name, kind in made.difference[0].head if not kind and name in LEGS]
