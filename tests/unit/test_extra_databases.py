"""One pair of plans over several databases: which ones, and what the answers over them amount to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.checks.extra_databases import NO_EXTRA_DATABASES, NOT_RUN, ExtraDatabases, ExtraResults, beside, others_of
from oracles.engines.protocol import LegReport
from strategies.ir import AnyLimit, Case, Database, IsNull
from tests.unit.failure_samples import T0, A, case_of

ONE, TWO = Rows(("int32",), ((("int32", 1),),)), Rows(("int32",), ((("int32", 2),),))
NONE = Rows(("int32",), ())
RAISED = Raised("DIVIDE_BY_ZERO", "22012", "", "user")
CASE = case_of()
DATABASES = others_of(CASE, 2)


def leg(*others: Rows | None) -> LegReport:
    return LegReport(outcome=ONE, changed_plan=frozenset(), plan="", others=others)


def came_of(on: LegReport, off: LegReport | None, duckdb: tuple[Outcome, ...]) -> ExtraResults:
    return beside(ExtraDatabases(DATABASES, lambda: duckdb), on, off)


def test_they_are_other_rows_of_the_same_tables_and_the_same_each_time() -> None:
    tables = [[(table.name, table.columns) for table in each.tables] for each in (CASE.database, *DATABASES)]
    assert tables[0] == tables[1] == tables[2]
    assert len({CASE.database, *DATABASES}) == 3
    assert others_of(CASE, 2) == DATABASES


def test_another_case_has_others() -> None:
    assert others_of(case_of(rows=((7, None),)), 2) != DATABASES


@pytest.mark.parametrize(
    "case",
    [replace(CASE, query=AnyLimit(T0, 1)), replace(CASE, partition=IsNull(A))],
    ids=["a limit without an order", "a query in three parts"],
)
def test_what_needs_more_than_one_answer_a_leg_has_none(case: Case) -> None:
    assert others_of(case, 3) == ()


def test_databases_on_which_all_agree_are_counted() -> None:
    assert came_of(leg(ONE, TWO), leg(ONE, TWO), (ONE, TWO)) == ExtraResults(2, with_rows=DATABASES[0])


@pytest.mark.parametrize(
    ("on", "off", "duckdb", "end"),
    [
        (TWO, ONE, ONE, ("finding", "rule", "on")),
        (ONE, TWO, ONE, ("finding", "rule", "off")),
        (ONE, ONE, TWO, ("finding", "engine", "unknown")),
        (ONE, ONE, RAISED, ("inconclusive", None, None)),
        (None, ONE, ONE, ("inconclusive", None, None)),
        (ONE, None, ONE, ("inconclusive", None, None)),
    ],
    ids=["on differs", "off differs", "DuckDB differs", "DuckDB raises", "on raises", "off raises"],
)
def test_the_first_on_which_they_do_not_is_told(
    on: Rows | None, off: Rows | None, duckdb: Outcome, end: tuple[str, str | None, str | None]
) -> None:
    made = came_of(leg(ONE, on), leg(ONE, off), (ONE, duckdb))
    assert made.agreed == 1
    assert made.elsewhere is not None
    verdict = made.elsewhere.verdict
    assert (verdict.name, verdict.kind, verdict.blame) == end
    assert made.elsewhere.database == DATABASES[1]
    legs = {name: NOT_RUN if rows is None else rows for name, rows in {"on": on, "off": off}.items()}
    assert made.elsewhere.legs == {**legs, "duckdb": duckdb}


@pytest.mark.parametrize("turned", [False, True], ids=["after", "before"])
def test_a_finding_is_told_though_another_one_cannot_be_judged(turned: bool) -> None:
    ends = [(ONE, ONE, RAISED), (TWO, ONE, ONE)]
    one, other = reversed(ends) if turned else ends
    made = came_of(leg(one[0], other[0]), leg(one[1], other[1]), (one[2], other[2]))
    assert made.elsewhere is not None
    assert (made.elsewhere.verdict.kind, made.elsewhere.database) == ("rule", DATABASES[0 if turned else 1])


@pytest.mark.parametrize("turned", [False, True], ids=["after", "before"])
def test_a_finding_against_a_rule_is_told_though_the_engines_differ_over_another(turned: bool) -> None:
    """The difference of the engines may be a known divergence."""
    ends = [(ONE, ONE, TWO), (TWO, ONE, ONE)]
    one, other = reversed(ends) if turned else ends
    made = came_of(leg(one[0], other[0]), leg(one[1], other[1]), (one[2], other[2]))
    assert made.elsewhere is not None
    assert (made.elsewhere.verdict.kind, made.elsewhere.database) == ("rule", DATABASES[0 if turned else 1])


def test_an_error_of_one_leg_is_told_before_one_of_duckdb() -> None:
    made = came_of(leg(ONE, None), leg(ONE, ONE), (RAISED, ONE))
    assert made.elsewhere is not None
    assert made.elsewhere.database == DATABASES[1]


@pytest.mark.parametrize(("theirs", "told"), [(ONE, True), (RAISED, False)], ids=["DuckDB has rows", "DuckDB raises"])
def test_without_an_off_leg_an_error_of_the_on_leg_is_told_where_duckdb_has_rows(theirs: Outcome, told: bool) -> None:
    made = came_of(leg(None, ONE), None, (theirs, ONE))
    assert (made.agreed, made.elsewhere is not None) == (1, told)


def test_one_that_no_leg_could_run_tells_nothing() -> None:
    assert came_of(leg(None, ONE), leg(None, ONE), (TWO, ONE)) == ExtraResults(1, with_rows=DATABASES[1])


def test_without_an_off_leg_the_on_leg_speaks_for_spark() -> None:
    assert came_of(leg(ONE, TWO), None, (ONE, TWO)) == ExtraResults(2, with_rows=DATABASES[0])


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [(ONE, ONE, 0), (NONE, ONE, 1), (NONE, NONE, None)],
    ids=["the first one", "the second one", "neither"],
)
def test_the_first_over_which_all_agree_on_rows_is_told(first: Rows, second: Rows, place: int | None) -> None:
    made = came_of(leg(first, second), leg(first, second), (first, second))
    assert made == ExtraResults(2, with_rows=None if place is None else DATABASES[place])


def test_rows_on_which_the_legs_do_not_agree_are_not_told() -> None:
    assert came_of(leg(ONE, NONE), leg(TWO, NONE), (ONE, NONE)).with_rows is None


def never() -> tuple[Outcome, ...]:
    raise AssertionError("nobody needs DuckDB's answers")


@pytest.mark.parametrize(
    ("others", "on", "off"),
    [
        (NO_EXTRA_DATABASES, leg(), leg()),
        (ExtraDatabases(DATABASES, never), leg(), leg(ONE, TWO)),
        (ExtraDatabases(DATABASES, never), leg(ONE, TWO), leg()),
    ],
    ids=["there are none", "on ran in jobs", "off ran in jobs"],
)
def test_where_a_leg_has_not_run_over_them_they_count_for_nothing(
    others: ExtraDatabases, on: LegReport, off: LegReport
) -> None:
    assert beside(others, on, off) == ExtraResults()


def test_a_schema_without_rows_is_filled() -> None:
    empty = replace(CASE, database=Database(tuple(replace(table, rows=()) for table in CASE.database.tables)))
    assert all(each.row_count > 0 for each in others_of(empty, 3))
