"""Aims: what is asked for is drawn more often, in queries that are as valid as drawn ones, and shrinks away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import strategies as st

from assay.fuzz.case_mix import forms_of
from oracles.answers.outcome import Rows
from oracles.engines.duckdb import DuckdbEngine
from oracles.sql import SparkCompiler
from strategies.draw.cases import cases
from strategies.draw.planner_conf import GROUPS
from strategies.edits.aim import Aim
from strategies.edits.aims import aimed_cases
from strategies.edits.bounds import is_bounded
from strategies.edits.edits import MAX_EDITED_OPERATORS
from strategies.ir import (
    BOOLEAN,
    INT,
    STRING,
    Alias,
    And,
    AnyLimit,
    Case,
    CaseWhen,
    Coalesce,
    Col,
    Collated,
    Column,
    Compare,
    Database,
    Filter,
    Item,
    Join,
    Lit,
    Map,
    MapRead,
    Merge,
    Outer,
    Project,
    RaisingArith,
    Ranking,
    Remainder,
    Scan,
    SetOp,
    Settings,
    SqlType,
    Struct,
    Table,
    Window,
    WithField,
    WithoutField,
    columns_of,
    may_raise,
    operators,
    scans,
    walk,
)
from tests.unit.aim_checks import AIMS, Holds, count, share
from tests.unit.strategy_asserts import drawn, find_any, minimal

COMMON = 0.15
"""From this share of draws on, a part can't well become twice as frequent, because half of the draws are not aimed."""


@pytest.fixture(scope="module")
def general() -> list[Case]:
    return drawn(cases(), count=400)


@pytest.mark.one_in(40)
@pytest.mark.parametrize(("aim", "holds"), AIMS.values(), ids=AIMS)
def test_an_aim_doubles_the_share_of_queries_with_its_part(aim: Aim, holds: Holds, general: list[Case]) -> None:
    before = share(general, holds)
    asked = 80 * (2 * before if before < COMMON else before + 0.1)
    assert have_more_than(asked, aimed_cases(cases(), aim), holds), (before, asked)


def have_more_than(asked: float, strategy: st.SearchStrategy[Case], holds: Holds) -> bool:
    """Whether more than ``asked`` of 80 draws have a node that ``holds``; no more are made than it takes."""
    found = 0
    for run in range(8):
        found += count(drawn(strategy, count=10, run=run), holds)
        if found > asked:
            return True
    return False


def test_draws_without_an_aim_do_not_pass_for_aimed_ones(general: list[Case]) -> None:
    """Asked of the most frequent part that an aim makes twice as frequent: rarer ones double by chance."""
    holds = max((holds for _, holds in AIMS.values() if share(general, holds) < COMMON), key=partial(share, general))
    assert not have_more_than(160 * share(general, holds), cases(), holds)


def test_an_aim_without_parts_leaves_draws_as_they_are() -> None:
    those = cases()
    assert aimed_cases(those, Aim()) is those


def of_table(number: int) -> Case:
    """A scan of a table that hardly another draw has."""
    table = Table(f"t{number}", (Column("a", INT),))
    return Case(Scan(table.name, table.columns), Database((table,)))


def test_half_of_the_draws_stay_as_they_are() -> None:
    those = drawn(aimed_cases(st.integers(0, 10**9).map(of_table), Aim(operators=("Filter", "Join"))), count=1_500)
    assert 0.4 < sum(isinstance(case.query, Scan) for case in those) / len(those) < 0.6


def joined_union(number: int) -> Case:
    """A join of a UNION ALL, over a table that hardly another draw has."""
    table = Table(f"t{number}", (Column("a", INT),))
    scan = Scan(table.name, table.columns)
    return Case(
        Join(Alias(SetOp("union", scan, scan, all=True), "s"), scan, "left", Lit(BOOLEAN, True)), Database((table,))
    )


@pytest.mark.slow
def test_constants_and_cases_meet_in_a_condition_that_is_written_as_a_case() -> None:
    """In a select list: a filter treats NULL and FALSE alike."""
    aim = Aim(expressions=("CaseWhen",), constants=(True, False))

    def is_shown(case: Case) -> bool:
        items = case.query.items if isinstance(case.query, Project) else ()
        return any(
            isinstance(item.value, CaseWhen)
            and [branch.result for branch in item.value.branches] == [Lit(BOOLEAN, True)]
            and item.value.otherwise == Lit(BOOLEAN, False)
            for item in items
        )

    found = drawn(aimed_cases(cases(), aim), count=1_500)
    assert sum(map(is_shown, found)) > 4


def test_the_aims_operators_may_stand_over_a_table_alone() -> None:
    aim = Aim(operators=("Window", "Filter"))

    def is_filtered_window(case: Case) -> bool:
        query = case.query
        return isinstance(query, Filter) and isinstance(query.child, Window) and isinstance(query.child.child, Scan)

    find_any(aimed_cases(st.integers(0, 10**9).map(joined_union), aim), is_filtered_window)


def test_a_rule_about_limits_gets_one_without_an_order_at_the_top() -> None:
    find_any(aimed_cases(cases(), Aim(operators=("Limit",))), lambda case: isinstance(case.query, AnyLimit))


def test_a_filter_may_bound_a_rank_that_another_window_is_above() -> None:
    def is_of_the_lower_window(case: Case) -> bool:
        query = case.query
        if not (isinstance(query, Filter) and isinstance(query.child, Window)):
            return False
        lower = query.child.child
        names = {over.name for over in lower.columns} if isinstance(lower, Window) else set()
        bound = query.condition
        return isinstance(bound, Compare) and isinstance(bound.left, Col) and bound.left.name in names

    find_any(aimed_cases(cases(), Aim(operators=("Window", "Filter"))), is_of_the_lower_window)


def test_a_limit_at_the_top_stands_over_ranks_that_the_aim_names() -> None:
    aim = Aim(operators=("Limit", "Window", "Sort", "Project", "Aggregate"), ranks=("percent_rank",), types=(INT,))

    def is_of_shares(case: Case) -> bool:
        window = case.query.child if isinstance(case.query, AnyLimit) else None
        return isinstance(window, Window) and window.columns[0].function == Ranking("percent_rank")

    found = drawn(aimed_cases(cases(), aim), count=400)
    assert sum(map(is_of_shares, found)) > 4


def test_both_parts_of_a_condition_may_be_what_the_aim_asks_for() -> None:
    def has_two(case: Case) -> bool:
        on = case.query.on if isinstance(case.query, Join) else None
        return isinstance(on, And) and all(
            any(isinstance(node, Coalesce) for node in walk(part)) for part in (on.left, on.right)
        )

    find_any(aimed_cases(cases(), Aim(operators=("Join",), expressions=("Coalesce",))), has_two)


def test_a_rule_about_maps_gets_subqueries_that_read_one_of_the_query_around() -> None:
    def reads_outer_map(case: Case) -> bool:
        return any(isinstance(node, MapRead) and isinstance(node.operand, Outer) for node in walk(case.query))

    aim = Aim(operators=("Subquery", "ScalarSubquery"), expressions=("MapRead",))
    found = drawn(aimed_cases(cases(), aim), count=300)
    assert any(map(reads_outer_map, found))


def test_a_rule_about_what_may_raise_gets_that_in_each_mode() -> None:
    found = drawn(aimed_cases(cases(), Aim(raising=2)), count=400)
    assert sum(may_raise(case.query) for case in found) > 100
    ends = aimed_cases(cases().filter(lambda case: not case.settings.ansi), Aim(raising=2))
    find_any(ends, lambda case: may_raise(case.query) and case.settings.ansi)


def _is_listed_sum(case: Case, op: str) -> bool:
    """Whether the query is a select list over a table of one sum that may overflow, compared or not, under ANSI."""
    query = case.query
    if not (isinstance(query, Project) and isinstance(query.child, Scan) and len(query.items) == 1):
        return False
    value = query.items[0].value
    added = value.left if isinstance(value, Compare) else value
    return isinstance(added, RaisingArith) and added.op == op and case.settings.ansi


@pytest.mark.slow
@pytest.mark.parametrize(("name", "op"), [("Add", "+"), ("Subtract", "-"), ("Multiply", "*")])
def test_a_rule_about_sums_gets_some_that_may_overflow_over_a_table_alone(name: str, op: str) -> None:
    found = drawn(aimed_cases(cases(), Aim(expressions=(name,), comparisons=("=",), raising=4)), count=600)
    listed = [case for case in found if _is_listed_sum(case, op)]
    assert len(listed) > 15
    assert 3 < sum(any(isinstance(node, Compare) for node in walk(case.query)) for case in listed) < len(listed)


def test_a_rule_about_no_sums_gets_none_of_them() -> None:
    found = drawn(aimed_cases(cases(), Aim(expressions=("Coalesce",), raising=4)), count=300)
    assert sum(_is_listed_sum(case, "+") for case in found) < 3


def test_a_struct_may_be_changed_where_a_projection_below_has_changed_it_and_is_read_once() -> None:
    aim = Aim(expressions=("WithField", "WithoutField"), types=(Struct((("p", INT), ("q", STRING))),))

    def is_changed_twice(case: Case) -> bool:
        query = case.query
        if case.settings.form != "dataframe" or not (isinstance(query, Project) and isinstance(query.child, Project)):
            return False
        changed = {item.name for item in query.child.items if isinstance(item.value, WithField | WithoutField)}
        again = [item for item in query.items if isinstance(item.value, WithField | WithoutField)]
        read = [column.name for item in query.items for column in columns_of(item)]
        return any(read.count(c.name) == 1 and c.name in changed for item in again for c in columns_of(item))

    find_any(aimed_cases(cases(), aim, forms_of=forms_of), is_changed_twice)


RARE = "joined below a union"


@pytest.mark.parametrize(
    ("case_of", "group", "least", "most"),
    [(of_table, "sets of two", 0.4, 0.6), (joined_union, RARE, 0.65, 0.85), (of_table, RARE, 0, 0)],
    ids=["half", "more under a rare one", "none that doesn't fit"],
)
def test_cases_that_fit_run_under_a_group_of_the_aim(case_of, group: str, least: float, most: float) -> None:
    cases = st.integers(0, 10**9).map(case_of)
    those = drawn(aimed_cases(cases, Aim(groups=(group,))), count=400)
    assert least <= sum(case.settings.conf == GROUPS[group].conf for case in those) / len(those) <= most


DRAWN = Settings(source="v2", capabilities=("limits",), ansi=False, table_partitions=3, codegen=True)
PLAIN = Settings(ansi=False, table_partitions=3)


@pytest.mark.parametrize(
    ("group", "grouped"),
    [("sets of two", DRAWN), ("records filtered by Parquet", replace(PLAIN, vectorized=False))],
    ids=["all", "all but a source that lacks what the group needs"],
)
def test_a_case_under_a_group_keeps_the_settings_that_suit_it(group: str, grouped: Settings) -> None:
    table = Table("t0", (Column("a", INT),))
    case = Case(Scan("t0", table.columns), Database((table,)), DRAWN)
    those = drawn(aimed_cases(st.just(case), Aim(groups=(group,))), count=20)
    assert {case.settings for case in those} == {DRAWN, replace(grouped, conf=GROUPS[group].conf)}


def test_an_aimed_statement_has_tables_that_it_can_change() -> None:
    those = drawn(aimed_cases(cases(), Aim(statements=("Merge",))), count=60)
    merges = [case for case in those if isinstance(case.query, Merge)]
    assert len(merges) > 6
    assert {case.settings.source for case in merges} <= {"v2", "partitioned", "cached"}
    assert all({scan.table for scan in scans(case.query)} == {t.name for t in case.database.tables} for case in merges)


EVERYTHING = Aim(
    operators=tuple(dict.fromkeys(name for aim, _ in AIMS.values() for name in aim.operators)),
    joins=tuple(dict.fromkeys(name for aim, _ in AIMS.values() for name in aim.joins)),
    expressions=tuple(dict.fromkeys(name for aim, _ in AIMS.values() for name in aim.expressions)),
    comparisons=("=", "<=>", "<"),
    functions=tuple(dict.fromkeys(name for aim, _ in AIMS.values() for name in aim.functions)),
    aggregates=tuple(dict.fromkeys(name for aim, _ in AIMS.values() for name in aim.aggregates)),
    types=tuple(dict.fromkeys(name for aim, _ in AIMS.values() for name in aim.types)),
    constants=(True, False),
)


@pytest.fixture(scope="module")
def aimed() -> list[Case]:
    return drawn(aimed_cases(cases(forms_of=forms_of), EVERYTHING, forms_of=forms_of), count=300)


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckdbEngine]:
    with DuckdbEngine() as engine:
        yield engine


@pytest.mark.slow  # it draws hundreds of cases
def test_aimed_queries_keep_the_bounds_of_edited_ones() -> None:
    """A draw that is left unedited may have more: projections that make the sides of a set operator fit don't count
    there.
    """
    small = cases(forms_of=forms_of, max_operators=4)
    aimed = drawn(aimed_cases(small, EVERYTHING, forms_of=forms_of), count=300)
    assert all(is_bounded(case.query) for case in aimed)
    assert sum(operators(case.query) > MAX_EDITED_OPERATORS for case in aimed) < 0.01 * len(aimed)


@pytest.mark.slow  # as above
def test_aimed_queries_have_words_in_spark(aimed: list[Case]) -> None:
    compiler = SparkCompiler()
    sql = [case for case in aimed if case.settings.form == "sql"]
    assert [case for case in sql if not compiler.supports(case.query)] == []


@pytest.mark.slow  # as above
def test_duckdb_answers_nearly_all_aimed_queries(aimed: list[Case], duckdb: DuckdbEngine) -> None:
    """It raises for those that are drawn to raise, one in sixteen."""
    ends = [duckdb.run(case.query, case.database, time_zone=case.settings.time_zone) for case in aimed]
    assert sum(isinstance(end, Rows) for end in ends) > 0.9 * len(aimed)


def test_an_aimed_case_shrinks_to_a_drawn_one() -> None:
    aim = Aim(expressions=("Remainder",))
    assert minimal(aimed_cases(cases(), aim)) == minimal(cases())


def test_an_aimed_case_shrinks_to_the_part_over_a_scan() -> None:
    aim = Aim(operators=("Filter",), expressions=("Remainder",))
    found = minimal(
        aimed_cases(cases(), aim), lambda case: any(isinstance(node, Remainder) for node in walk(case.query))
    )
    assert operators(found.query) == 1
    assert isinstance(found.query, (Filter, Project))
    assert found.database.row_count == 0


@pytest.mark.parametrize(("kind", "is_edited"), [(Map(STRING, INT), False), (INT, True)], ids=["of maps", "of numbers"])
def test_no_operator_of_keys_is_put_over_a_table_of_maps(kind: SqlType, is_edited: bool) -> None:
    table = Table("t0", (Column("a", INT), Column("b", kind)))
    case = Case(Scan("t0", table.columns), Database((table,)))
    made = drawn(aimed_cases(st.just(case), Aim(operators=("Except",))), count=60)
    assert any(each.query != case.query for each in made) == is_edited


def test_no_statement_is_drawn_over_tables_of_collated_texts() -> None:
    table = Table("t0", (Column("a", INT), Column("b", Collated("UTF8_LCASE"))))
    case = Case(Project(Scan("t0", table.columns), (Item("a", Col("a", INT)),)), Database((table,)))
    made = drawn(aimed_cases(st.just(case), Aim(statements=("Merge", "Delete"))), count=40)
    assert not any(each.query.is_statement for each in made)
