"""One pair of plans over several databases: each answer is what the database alone has, and each can be the finding."""

from __future__ import annotations

import json
from base64 import b64decode
from dataclasses import replace

import pyarrow as pa
import pytest

from oracles.answers.outcome import rows_from_arrow
from oracles.answers.rows import same
from oracles.checks.choices import all_that_changed, fixed
from oracles.checks.extra_databases import others_of
from oracles.checks.paths import Paths
from oracles.engines.spark.leg_conf import leg_conf
from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Lit,
    Scan,
    Settings,
    Table,
)
from tests.rules.shape_checks import SETTINGS
from tests.rules.test_driver_run import (
    DATABASE,
    EMPTY,
    HIDDEN_SHUFFLES,
    IN_THE_DRIVER,
    LIMITED,
    MANY,
    ONE,
    RECURSIVE,
    T,
    U,
)
from tests.rules.test_search import COLUMNS, REUSED

pytestmark = pytest.mark.in_driver

# The empty table is another one each time, and so are the greatest values, which subqueries ask for.
SWAPPED = Database(
    (
        replace(T, rows=()),
        replace(U, rows=((5, 50), (5, None), (None, None), (0, 7))),
        replace(EMPTY, rows=((5, "e"), (None, None), (2, "x"))),
    )
)
MORE = Database((replace(T, rows=T.rows * 2 + ((9, "nine"),)), replace(U, rows=U.rows[1:] * 3), EMPTY))
DATABASES = [DATABASE, SWAPPED, MORE]


def rows_over(harness, databases, sql, settings=Settings()):  # noqa: B008  (a frozen value)
    """The rows of one plan over each of ``databases``, None where it can't be run in the driver; and where it ran."""
    runner, session = harness.spark.runner, harness.spark.session._jsparkSession
    with harness.spark.in_memory(databases, partitions=settings.table_partitions):
        runner.configure(session, json.dumps(leg_conf(settings)))
        try:
            told = b64decode(runner.toldRun(runner.frame(session, sql), 60_000, True, "", len(databases)))
        finally:
            runner.restore(session)
    facts, _, arrow = told.partition(b"\n")
    facts = json.loads(facts)
    table, place, parts = pa.ipc.open_stream(arrow).read_all(), 0, []
    for count in facts["counts"]:
        parts.append(rows_from_arrow(table.slice(place, count)) if count >= 0 else None)
        place += max(count, 0)
    assert place == table.num_rows
    return parts, facts["inDriver"]


QUERIES = {**IN_THE_DRIVER, **LIMITED, **HIDDEN_SHUFFLES}


@pytest.mark.parametrize("settings", [ONE, MANY], ids=["one partition", "several partitions"])
@pytest.mark.parametrize("sql", QUERIES.values(), ids=QUERIES)
def test_each_answer_is_what_the_database_alone_has(harness, sql, settings):
    together, in_driver = rows_over(harness, DATABASES, sql, settings)
    assert (len(together), in_driver) == (3, True)
    for database, rows in zip(DATABASES, together, strict=True):
        ((alone,), _) = rows_over(harness, [database], sql, settings)
        assert same(rows, alone), database


def test_these_databases_are_told_apart_by_nearly_all_of_the_queries(harness):
    """A plan that went on reading the first database would be seen."""
    alike = []
    for name, sql in QUERIES.items():
        (first, *others), _ = rows_over(harness, DATABASES, sql)
        if any(same(first, other) for other in others):
            alike.append(name)
    assert set(alike) <= {"no table at all", "values", "scan of no rows", "no keys over no rows"}


@pytest.mark.parametrize(
    ("sql", "settings"),
    [(IN_THE_DRIVER["hash join"], Settings(aqe=True)), (RECURSIVE, ONE)],
    ids=["adaptive", "recursive"],
)
def test_a_plan_that_runs_in_jobs_has_the_first_database_alone(harness, sql, settings):
    together, in_driver = rows_over(harness, DATABASES, sql, settings)
    assert (len(together), in_driver) == (1, False)


def test_a_database_over_which_it_raises_has_no_rows_and_the_next_one_has(harness):
    zero, one = (Database((Table("z", (Column("a", INT),), ((value,),)),)) for value in (0, 1))
    together, _ = rows_over(harness, [one, zero, one], "SELECT 7 div a AS a FROM z")
    assert [rows and len(rows.rows) for rows in together] == [1, None, 1]


def test_afterwards_the_first_database_is_read(harness, spark):
    with harness.spark.stage(DATABASE, Settings(), fast=True, others=[SWAPPED]) as stage:
        scan = Scan("t", T.columns)
        for _ in range(2):
            with stage.leg(scan, {}) as leg:
                report = leg.run(databases=stage.databases)
            assert (len(report.outcome.rows), [len(rows.rows) for rows in report.others]) == (6, [0])
        assert spark.table("t").count() == 6


def test_a_known_plan_has_the_rows_of_all_of_them(harness):
    """The off leg is spared where its plan is the on leg's."""
    case = Case(Scan("t", T.columns), DATABASE)
    checked = harness.check(case, fixed([]), fast=True, others=[SWAPPED, MORE])
    assert (checked.differed, checked.beside.agreed) == (False, 2)


A = Col("a", INT)
NOTHING = Database((Table("t0", COLUMNS),))


def test_what_no_row_of_the_drawn_database_shows_is_found_over_another(harness):
    rule = harness.catalogue.rule("ReplaceExceptWithFilter")
    one, several = (
        Paths(harness, True, lambda checked: False, count).check(Case(REUSED, NOTHING), fixed([rule]), SETTINGS)
        for count in (1, 8)
    )
    assert one.verdict.name in ("agree", "vacuous")
    assert (several.verdict.name, several.verdict.kind, several.verdict.blame) == ("finding", "rule", "on")
    assert several.case.database in others_of(Case(REUSED, NOTHING), 7)


def test_all_databases_of_a_sound_query_agree(harness):
    tables = Database((Table("t0", (Column("a", INT), Column("b", BIGINT), Column("s", STRING))),))
    scan = Scan("t0", tables.tables[0].columns)
    case = Case(Filter(scan, Compare(">", A, Lit(INT, 0))), tables)
    checked = Paths(harness, True, lambda checked: False, 8).check(case, all_that_changed, SETTINGS)
    assert checked.verdict.name == "agree"
    assert checked.beside.agreed == 7
