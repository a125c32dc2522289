"""Large tables through the legs of a real session: what agrees, what was used, what is found, kept and minimized."""

from __future__ import annotations

import time
from contextlib import closing

import pytest

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.record import Recorder
from assay.session.own_rule import own_rule
from assay.volume.check import check
from assay.volume.dataset import Dataset, dataset, part, show
from assay.volume.execution import SETTINGS, Exercise, leg_settings
from assay.volume.fuzzer import VolumeFuzzer, again
from assay.volume.multiset import SHOWN
from assay.volume.reducer import FEW, Reducer
from oracles.checks.choices import all_that_changed, fixed
from oracles.checks.result import LegSettings
from oracles.failures.failure import Subject, read_failure
from oracles.failures.scale import Scale
from oracles.rules.switch import switched_on
from oracles.triage.divergences import load
from strategies.ir import (
    BIGINT,
    DOUBLE,
    STRING,
    Agg,
    Aggregate,
    Alias,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    IsNull,
    Item,
    Join,
    Lit,
    Not,
    Scan,
    SetOp,
    Table,
)
from tests.rules.normalized_forms import FOR_MANY_ROWS

COLUMNS = (Column("k", BIGINT), Column("d", DOUBLE), Column("s", STRING))
SCHEMA = Database((Table("t0", COLUMNS), Table("t1", COLUMNS)))
T0, T1 = Scan("t0", COLUMNS), Scan("t1", COLUMNS)
EXCEPT_ALL = SetOp("except", T0, T1, all=True)
LEFT, RIGHT = Alias(T0, "l"), Alias(T1, "r")
SAME_KEY = Compare("=", LEFT.fields[0].column(), RIGHT.fields[0].column())
NONE = LegSettings()
WRONG_OF_MANY = LegSettings(on=switched_on(FOR_MANY_ROWS.name))
SCALE, LESS = Scale(100_000, 5), Scale(10_000, 5)
WRONG = "ReplaceExceptWithNotFilterAsWritten"
"""An example rule that loses the rows on which the condition is NULL."""
POSITIVE = SetOp("except", T0, Filter(T0, Compare(">", Col("d", DOUBLE), Lit(DOUBLE, "0x0.0p+0"))))


@pytest.fixture(scope="module")
def datasets(harness, tmp_path_factory):
    """The tables of SCHEMA, large and not so large."""
    folder = tmp_path_factory.mktemp("volume")
    with (
        dataset(harness, SCHEMA, SCALE, folder / "large") as large,
        dataset(harness, SCHEMA, LESS, folder / "less") as less,
    ):
        yield {SCALE: large, LESS: less}


@pytest.fixture
def made(datasets):
    """100,000 rows a table."""
    show(datasets[SCALE])
    return datasets[SCALE]


@pytest.fixture
def less(datasets):
    """10,000 rows a table."""
    show(datasets[LESS])
    return datasets[LESS]


def checked(made, query, *, off=all_that_changed, own=NONE, **conf):
    settings = leg_settings(SCALE.rows)
    both = LegSettings({**settings.on, **own.on, **conf}, {**settings.off, **own.off, **conf})
    return check(made, Case(query, SCHEMA, SETTINGS), off, both, rows=SCALE.rows)


def counted(made, query: str) -> list[tuple]:
    return made.connection.execute(query).fetchall()


ANSWERS = {
    "EXCEPT ALL": EXCEPT_ALL,
    "a semi join": Join(LEFT, RIGHT, "semi", SAME_KEY),
    "EXCEPT of a filter": SetOp("except", T0, Filter(T0, Not(IsNull(Col("d", DOUBLE))))),
}


@pytest.mark.parametrize("query", ANSWERS.values(), ids=ANSWERS)
def test_all_legs_agree_and_nothing_is_collected(made, query):
    done = checked(made, query)
    assert (done.checked.verdict.name, bool(done.checked.fired)) == ("agree", True), done.checked.verdict
    assert done.comparison.equal
    assert set(done.comparison.rows) == {"on", "off", "duckdb"}
    assert min(done.comparison.rows.values()) > 1_000
    assert {name: len(end.rows) for name, end in done.checked.legs.items()} == {"on": 0, "off": 0, "duckdb": 0}
    assert list(made.folder.glob("*.answer")) == []


@pytest.mark.slow  # generates many rows
def test_what_large_tables_are_for_is_told_as_it_was(made):
    """No table is broadcast, and adaptive execution reads the shuffles in fewer partitions; without it, it doesn't."""
    query = Join(LEFT, RIGHT, "semi", SAME_KEY)
    on = checked(made, query).exercise["on"]
    assert (on.merges, on.shuffles, on.partitions, on.replanned) == (1, 2, 16, 2)
    without = checked(made, query, **{"spark.sql.adaptive.enabled": "false"}).exercise["on"]
    assert (without.merges, without.shuffles, without.replanned) == (1, 2, 0)
    broadcast = checked(made, query, **{"spark.sql.autoBroadcastJoinThreshold": str(2**40)}).exercise["on"]
    assert (broadcast.merges, "sort-merge joins" in on.used, "sort-merge joins" in broadcast.used) == (0, True, False)


SPILLS = {
    "spark.sql.sortMergeJoinExec.buffer.in.memory.threshold": "2",
    "spark.sql.sortMergeJoinExec.buffer.spill.threshold": "2",
}


@pytest.mark.parametrize(("conf", "spills"), [(SPILLS, True), ({}, False)], ids=["rows that must", "memory enough"])
def test_spilling_is_told_where_it_happens(made, conf, spills):
    """A key has some rows on the right side, which are held for each row on the left."""
    with part(made, lambda table: "k BETWEEN 3000 AND 3020", made.folder / "few") as few:
        done = checked(few, Join(LEFT, RIGHT, "inner", SAME_KEY), **conf)
    assert done.checked.verdict.name == "agree"
    assert ("spilling" in done.exercise["on"].used, done.exercise["on"].merges) == (spills, 1)


def test_a_leg_without_rows_has_used_nothing():
    assert Exercise().used == ()


@pytest.mark.slow  # generates many rows
def test_a_wrong_rule_is_convicted_by_the_very_rows_that_differ(harness, made):
    rule, own = harness.catalogue.rule(WRONG), own_rule(WRONG).settings({})
    done = checked(made, POSITIVE, off=fixed([rule]), own=own)
    assert (done.checked.verdict.kind, done.checked.verdict.blame) == ("rule", "on"), done.checked.verdict
    [[lost]] = counted(made, "SELECT count(*) FROM (SELECT DISTINCT * FROM t0 WHERE d IS NULL)")
    assert done.comparison.differing == lost > 1_000
    assert done.comparison.rows["off"] - done.comparison.rows["on"] == lost
    named = [row for row, copies in done.comparison.sample if copies == (0, 1, 1)]
    assert len(named) == len(done.comparison.sample) >= SHOWN
    keys = [row[0][1] for row in named if row[0]]
    among = f"SELECT count(DISTINCT k) FROM t0 WHERE d IS NULL AND k IN ({', '.join(map(str, keys))})"
    assert {row[1] for row in named} == {None}
    assert counted(made, among) == [(len(set(keys)),)]


@pytest.fixture
def fuzzer(harness, tmp_path):
    """A hunt for a rule that is wrong on the on leg, over the tables of 10,000 rows."""

    def hunting(settings: LegSettings, rule: str) -> VolumeFuzzer:
        failures, folder = tmp_path / "failures", tmp_path / "run"
        folder.mkdir()
        subject, rules = Subject(settings=settings), [harness.catalogue.rule(rule)]
        return VolumeFuzzer(
            harness=harness,
            subject=subject,
            usual=subject,
            store=FailureStore(folder=failures),
            folder=folder,
            rows=LESS.rows,
            seed=1,
            divergences=load(),
            rules=rules,
            minimize_seconds=60.0,
        )

    return hunting


def asked(fuzzer, less, query):
    with closing(Recorder(fuzzer.folder / "checks.jsonl")) as recorder:
        return fuzzer.ask(less, Case(query, SCHEMA, SETTINGS), fixed(fuzzer.rules), LESS, recorder)


@pytest.mark.slow  # as above
def test_a_finding_that_few_rows_show_goes_the_way_of_all(harness, less, fuzzer):
    hunting = fuzzer(own_rule(WRONG).settings({}), WRONG)
    done = asked(hunting, less, POSITIVE)
    assert done.name == "finding"
    assert "distinct rows differ, by their copies in each leg" in done.told
    [file] = hunting.store.folder.glob("*.json")
    kept = read_failure(file)
    assert (kept.scale, kept.rules, kept.confirmed, done.file) == (None, (WRONG,), True, file)
    assert kept.case.database.row_count == 1
    repeat = harness.check(kept.case, fixed(hunting.rules), kept.subject.settings)
    assert (repeat.verdict.kind, repeat.verdict.blame) == ("rule", "on")


@pytest.mark.slow  # generates many rows, several times
def test_a_finding_that_needs_many_rows_is_kept_with_its_scale_and_fails_again(harness, less, fuzzer, tmp_path):
    done = asked(fuzzer(WRONG_OF_MANY, FOR_MANY_ROWS.name), less, EXCEPT_ALL)
    assert (done.name, done.checked.comparison.rows["on"]) == ("finding", 3_000)
    kept = read_failure(done.file)
    assert (kept.scale, kept.case.database, kept.confirmed, kept.rows) == (LESS, SCHEMA, True, 20_000)
    assert "10,000 rows of each table, made from seed 5" in done.told
    repeat = again(harness, kept, tmp_path / "again")
    assert (repeat.verdict.kind, repeat.verdict.blame) == ("rule", "on")
    assert repeat.legs["on"] != repeat.legs["off"] == repeat.legs["duckdb"]


def test_rows_around_no_difference_are_found_by_halves(harness, less):
    """The answer is one number, which says nothing of the rows that it is wrong for."""
    query = Aggregate(POSITIVE, (), (Item("n", Agg("count")),))
    off, settings = fixed([harness.catalogue.rule(WRONG)]), own_rule(WRONG).settings({})

    def fails(case: Case) -> bool:
        return harness.check(case, off, settings).verdict.kind == "rule"

    def differs(part: Dataset, case: Case) -> bool:
        return check(part, case, off, settings, rows=LESS.rows).checked.verdict.kind == "rule"

    asked = Case(query, SCHEMA, SETTINGS)
    with part(less, lambda table: "k >= 7000", less.folder / "rare") as rare:
        rows = sum(map(rare.rows, SCHEMA.tables))
        small = Reducer(fails, differs, time.monotonic() + 120).small(rare, asked, None)
        none = Reducer(fails, differs, time.monotonic() - 1).small(rare, asked, None)
    assert (small is not None, none) == (True, None)
    assert 0 < small.database.row_count <= FEW < rows


def test_the_first_thing_that_happens_to_a_finding_is_its_file(less, fuzzer, monkeypatch):
    hunting = fuzzer(WRONG_OF_MANY, FOR_MANY_ROWS.name)
    seen = []

    def look(*_):
        seen.extend(hunting.store.folder.glob("*.json"))
        raise KeyboardInterrupt

    monkeypatch.setattr(VolumeFuzzer, "_small", look)
    with pytest.raises(KeyboardInterrupt):
        asked(hunting, less, EXCEPT_ALL)
    assert [read_failure(file).scale for file in seen] == [LESS]


def test_a_rule_that_the_user_names_is_asked_about_with_queries_on_which_it_acts(harness, tmp_path):
    rule = harness.catalogue.rule("RewriteExceptAll")
    hunting = VolumeFuzzer(
        harness=harness,
        subject=Subject(),
        usual=Subject(),
        store=FailureStore(folder=tmp_path / "f"),
        folder=tmp_path / "run",
        rows=2_000,
        seed=1,
        divergences=load(),
        rules=[rule],
    )
    done = list(hunting.run(2))
    assert [(each.name, each.checked.checked.fired) for each in done] == [("agree", ("RewriteExceptAll",))] * 2
