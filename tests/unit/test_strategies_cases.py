"""Cases: what a query reads and no more, all ways to run it, and the defaults in the end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st

import strategies.ir
from strategies.draw.cases import Way, cases, cases_of, draw_way, questions, sources_of
from strategies.draw.draws import without_mutation
from strategies.draw.planner_conf import GROUPS, Group, fitting
from strategies.draw.queries import queries
from strategies.ir import (
    BINARY,
    FORMS,
    INT,
    JOIN_STRATEGIES,
    SOURCES,
    UTC,
    Case,
    Column,
    Database,
    Filter,
    Form,
    Join,
    JoinStrategy,
    OneRow,
    Relation,
    Scan,
    SetOp,
    Settings,
    Source,
    Table,
    Values,
    from_plain,
    scans,
    to_plain,
    walk,
)
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal

ONE_INT = (Column("a", INT),)
TWO_INTS = (*ONE_INT, Column("b", INT))
T0, T1 = Scan("t0", ONE_INT), Scan("t1", ONE_INT)
SCHEMA = Database((Table("t0", ONE_INT), Table("t1", ONE_INT)))
WIDER = Database((Table("t0", TWO_INTS), Table("t1", TWO_INTS)))


def both(query: Relation) -> tuple[Form, ...]:
    """Every query as SQL and as a program."""
    return FORMS


def program(query: Relation) -> tuple[Form, ...]:
    """No query as SQL."""
    return ("dataframe",)


@pytest.fixture(scope="module")
def sample() -> list[Case]:
    """Cases that may be run in every way."""
    return drawn(cases(forms_of=both), count=1_200)


def test_cases_read_back(sample: list[Case]) -> None:
    assert [case for case in sample if eval(repr(case), vars(strategies.ir)) != case] == []


def test_cases_survive_their_file(sample: list[Case]) -> None:
    assert [case for case in sample if from_plain(to_plain(case)) != case] == []


def test_a_case_holds_just_the_tables_that_its_query_reads(sample: list[Case]) -> None:
    unread = [
        case
        for case in sample
        if {table.name for table in case.database.tables} != {scan.table for scan in scans(case.query)}
    ]
    assert unread == []


def test_binary_columns_are_never_read_from_csv(sample: list[Case]) -> None:
    binary = [case for case in sample if any(c.type == BINARY for t in case.database.tables for c in t.columns)]
    assert binary
    assert {case.settings.source for case in binary} <= {*SOURCES} - {"csv"}


@pytest.mark.parametrize(
    ("kind", "sources"),
    [(INT, set(SOURCES)), (BINARY, set(SOURCES) - {"csv"})],
    ids=["INT", "BINARY"],
)
def test_sources_of(kind: strategies.ir.SqlType, sources: set[Source]) -> None:
    assert set(sources_of(Database((Table("t0", (Column("a", kind),)),)))) == sources


def test_a_query_is_run_in_no_form_that_it_has_not() -> None:
    assert_all_examples(
        cases(forms_of=program), lambda case: case.query.is_statement or case.settings.form == "dataframe"
    )
    assert_all_examples(cases(), lambda case: case.settings.form == "sql")


def test_cases_obey_their_bounds() -> None:
    assert_all_examples(
        cases(max_operators=0, max_rows=2),
        lambda case: isinstance(case.query, (OneRow, Scan, Values)) and case.database.row_count <= 2,
    )


def test_most_cases_are_run_as_sql_over_parquet(sample: list[Case]) -> None:
    default = sum((case.settings.source, case.settings.form) == ("parquet", "sql") for case in sample)
    assert 0.5 * len(sample) < default < 0.9 * len(sample)


def test_three_in_four_cases_may_take_the_fast_path(sample: list[Case]) -> None:
    assert 0.7 * len(sample) < sum(case.settings.is_quick for case in sample) < 0.8 * len(sample)


def test_a_tenth_of_all_cases_run_as_a_stock_session_does(sample: list[Case]) -> None:
    assert sum(case.settings.is_stock for case in sample) >= 0.1 * len(sample)


@pytest.mark.parametrize(("field", "value"), [("partitions", 5), ("table_partitions", 4), ("form", "dataframe")])
def test_stock_cases_differ_in_what_a_stock_session_leaves_open(field: str, value: object, sample: list[Case]) -> None:
    assert any(case.settings.is_stock and getattr(case.settings, field) == value for case in sample)


STOCK = Settings(aqe=True, codegen=True, partitions=2)


@pytest.mark.parametrize(
    ("settings", "is_stock"),
    [
        (STOCK, True),
        (replace(STOCK, partitions=5, table_partitions=3, form="dataframe"), True),
        (replace(STOCK, aqe=False), False),
        (replace(STOCK, codegen=False), False),
        (replace(STOCK, partitions=1), False),
        (replace(STOCK, source="memory"), False),
        (replace(STOCK, ansi=False), False),
        (replace(STOCK, join="merge"), False),
        (replace(STOCK, statistics=True), False),
        (replace(STOCK, conf=(("spark.sql.caseSensitive", "true"),)), False),
        (replace(STOCK, time_zone="Etc/GMT+8"), False),
        (Settings(), False),
    ],
    ids=[
        "least",
        "most",
        "no AQE",
        "no code",
        "one partition",
        "no file",
        "no ANSI",
        "a hint",
        "statistics",
        "configured",
        "elsewhere",
        "fast",
    ],
)
def test_a_stock_session_has_sparks_own_defaults(settings: Settings, is_stock: bool) -> None:
    assert settings.is_stock == is_stock


def test_a_stock_case_shrinks_to_two_partitions() -> None:
    assert minimal(cases(), lambda case: case.settings.is_stock).settings == STOCK


@pytest.mark.parametrize("source", SOURCES)
def test_cases_reach_every_source(source: Source) -> None:
    assert find_any(cases(forms_of=both), lambda case: case.settings.source == source)


@pytest.mark.parametrize("form", FORMS)
def test_cases_reach_every_form(form: Form, sample: list[Case]) -> None:
    assert any(case.settings.form == form for case in sample)


@pytest.mark.parametrize("setting", ["aqe", "codegen", "ansi", "vectorized", "statistics"])
def test_cases_reach_both_values_of_a_flag(setting: str, sample: list[Case]) -> None:
    assert {getattr(case.settings, setting) for case in sample} == {False, True}


@pytest.mark.parametrize("join", JOIN_STRATEGIES)
def test_cases_reach_every_kind_of_join(join: JoinStrategy, sample: list[Case]) -> None:
    assert any(case.settings.join == join for case in sample)


@pytest.mark.parametrize("join", ["hash", "left hash", "broadcast"])
def test_the_fast_path_has_joins_of_each_kind(join: JoinStrategy, sample: list[Case]) -> None:
    joined = [case for case in sample if case.settings.is_quick and _joins(case)]
    assert sum(case.settings.join == join for case in joined) > 0.03 * len(joined)


@pytest.mark.parametrize(
    ("query", "join"),
    [(T0, "auto"), (Join(T0, T1, "cross"), "hash"), (SetOp("except", T0, T1), "hash")],
    ids=["no join", "a join", "what becomes a join"],
)
def test_a_kind_of_join_is_chosen_for_a_query_that_has_one(query: Relation, join: JoinStrategy) -> None:
    assert Way(join="hash").settings(query, SCHEMA, ("sql",), ansi=True).join == join


def test_a_kind_of_join_leaves_settings_of_the_plain_path_as_they_are() -> None:
    stock = Way(join="hash", others={"aqe": True, "codegen": True, "partitions": 2})
    assert stock.settings(Join(T0, T1, "cross"), SCHEMA, ("sql",), ansi=True) == STOCK


def test_a_case_joined_by_hash_shrinks_to_the_default_settings_otherwise() -> None:
    assert minimal(cases(), lambda case: case.settings.join == "hash").settings == Settings(join="hash")


def _joins(case: Case) -> bool:
    return any(isinstance(node, Join) for node in walk(case.query))


def test_cases_reach_more_than_one_partition(sample: list[Case]) -> None:
    assert {case.settings.partitions for case in sample} >= {1, 2}


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_tables_have_one_to_four_partitions_and_may_have_fewer_rows(count: int, sample: list[Case]) -> None:
    those = [case for case in sample if case.settings.table_partitions == count]
    assert len(those) > 0.03 * len(sample)
    assert any(len(table.rows) < count for case in those for table in case.database.tables)


def test_half_of_the_cases_have_tables_of_one_partition(sample: list[Case]) -> None:
    single = sum(case.settings.table_partitions == 1 for case in sample)
    assert 0.4 * len(sample) < single < 0.6 * len(sample)


def test_cases_of_several_partitions_take_the_fast_path(sample: list[Case]) -> None:
    several = [case for case in sample if case.settings.table_partitions > 1]
    assert sum(case.settings.is_quick for case in several) > 0.7 * len(several)


def test_a_case_of_several_partitions_shrinks_to_two() -> None:
    several = minimal(cases(), lambda case: case.settings.table_partitions > 1)
    assert several.settings == Settings(table_partitions=2)


def test_a_case_shrinks_to_one_partition() -> None:
    assert minimal(cases(), lambda case: case.database.row_count > 1).settings == Settings()


def test_cases_of_a_fixed_query_draw_its_rows() -> None:
    strategy = cases_of(st.just((SCHEMA, T1)))
    found = find_any(strategy, lambda case: case.database.row_count > 3)
    assert found.query == T1
    assert [table.name for table in found.database.tables] == ["t1"]


def test_cases_differ(sample: list[Case]) -> None:
    assert len({case.query for case in sample}) > 0.85 * len(sample)


def test_questions_are_schemas_with_a_query() -> None:
    assert_all_examples(
        questions(), lambda found: {scan.table for scan in scans(found[1])} <= {t.name for t in found[0].tables}
    )


def test_cases_shrink_to_an_empty_scan() -> None:
    assert minimal(cases(forms_of=both)) == Case(T0, Database((Table("t0", ONE_INT),)), Settings())


def test_a_case_with_a_row_shrinks_to_one_of_zero() -> None:
    found = minimal(cases(), lambda case: case.database.row_count)
    assert found == Case(T0, Database((Table("t0", ONE_INT, ((0,),)),)))


def test_the_rows_of_a_case_shrink_though_its_query_matters() -> None:
    """Rows and query shrink apart: a filter that must stay leaves the rows as few as without it. From one example in
    some the shrinker ends at another table.
    """

    def is_filter(case: Case) -> bool:
        return isinstance(case.query, Filter) and case.database.row_count > 1

    minima = (minimal(cases(), is_filter, skipped=start) for start in (0, 100, 200))
    found = next(least for least in minima if least.query.child == T0)
    assert found.database == Database((Table("t0", ONE_INT, ((0,), (0,))),))
    assert found.settings == Settings()


def has(group: Group, settings: Settings) -> bool:
    """Whether ``settings`` are those of ``group``."""
    return all(getattr(settings, name) == value for name, value in group.settings.items())


def is_configured(case: Case) -> bool:
    """Whether a case has entries or a time zone of its own."""
    return bool(case.settings.conf) or case.settings.time_zone != UTC


def test_one_case_in_ten_is_under_a_group_and_most_of_these_take_the_fast_path(sample: list[Case]) -> None:
    those = [case for case in sample if is_configured(case)]
    assert 0.07 * len(sample) < len(those) < 0.14 * len(sample)
    assert sum(case.settings.is_quick for case in those) > 0.75 * len(those)


def test_a_configured_query_has_one_whole_group(sample: list[Case]) -> None:
    """A statement has the source that it needs, whatever its group asks for."""
    for case in (case for case in sample if is_configured(case) and not case.query.is_statement):
        assert [name for name, group in GROUPS.items() if has(group, case.settings)] != []
        assert not case.settings.conf or case.settings.conf in [group.conf for group in GROUPS.values()]


@st.composite
def _settings_of(draw: st.DrawFn, query: Relation) -> Settings:
    return draw_way(draw).settings(query, WIDER, ("sql",), ansi=True)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", GROUPS)
def test_each_group_is_drawn_and_shrinks_to_its_own_settings(name: str) -> None:
    group = GROUPS[name]
    those = without_mutation(_settings_of(find_any(queries(WIDER), group.fits, within=10_000)))
    assert minimal(those, lambda found: has(group, found), within=8_000) == Settings(**group.settings)


def test_a_configured_case_shrinks_to_an_empty_scan_under_the_first_group() -> None:
    found = minimal(cases(), is_configured)
    assert found == Case(T0, Database((Table("t0", ONE_INT),)), Settings(**fitting(T0)[0].settings))


def test_a_group_is_drawn_for_no_query_in_which_it_has_nothing_to_do(sample: list[Case]) -> None:
    drawn_under = [
        (case.query, [group for group in GROUPS.values() if group.conf == case.settings.conf])
        for case in sample
        if case.settings.conf
    ]
    assert len(drawn_under) > 20
    assert [query for query, groups in drawn_under if not any(group.fits(query) for group in groups)] == []
    pruned = GROUPS["partitions pruned at run time"]
    assert not pruned.fits(T0)
    assert pruned not in fitting(T0)
    assert pruned not in fitting(Join(T0, T1, "cross"))
    assert pruned in fitting(find_any(queries(WIDER), pruned.fits, within=10_000))


def test_no_key_is_in_two_of_a_groups_entries() -> None:
    assert [name for name, group in GROUPS.items() if len(dict(group.conf)) < len(group.conf)] == []
