"""Large tables through the legs of a real session: what agrees, what was used, what is found, kept and made small."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from oracles.check import LegSettings, all_effective, fixed
from oracles.outcome import Rows
from oracles.repro import Subject, read_failure
from oracles.rules.mutants import load_mutants
from oracles.rules.switch import switched_on
from oracles.run.record import Recorder
from oracles.volume.check import check
from oracles.volume.execution import SETTINGS, Exercise, leg_settings
from oracles.volume.ground import ground, part
from oracles.volume.hunt import VolumeHunt, again
from oracles.volume.multiset import SHOWN
from oracles.volume.scale import Scale
from strategies.ir import (
    BIGINT,
    DOUBLE,
    STRING,
    Alias,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    IsNull,
    Join,
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
SCALE = Scale(100_000, 5)
MUTANTS = {mutant.name: mutant for mutant in load_mutants()}


@pytest.fixture(scope="module")
def made(laboratory, tmp_path_factory):
    """The tables of SCHEMA with 100,000 rows each."""
    with ground(laboratory, SCHEMA, SCALE, tmp_path_factory.mktemp("volume") / "ground") as made:
        yield made


def checked(made, query, *, off=all_effective, own=NONE, **conf):
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
    "spark.sql.sortMergeJoinExec.buffer.in.memory.threshold": "40",
    "spark.sql.sortMergeJoinExec.buffer.spill.threshold": "40",
}


@pytest.mark.parametrize(("conf", "spills"), [(SPILLS, True), ({}, False)], ids=["rows that must", "memory enough"])
def test_spilling_is_told_where_it_happens(made, conf, spills):
    """A key has some hundred rows on the right side, which are held for each row on the left."""
    with part(made, lambda table: "k BETWEEN 20 AND 25", made.folder / "few") as few:
        done = checked(few, Join(LEFT, RIGHT, "inner", SAME_KEY), **conf)
    assert done.checked.verdict.name == "agree"
    assert ("spilling" in done.exercise["on"].used, done.exercise["on"].merges) == (spills, 1)


def test_a_leg_without_rows_has_used_nothing():
    assert Exercise().used == ()


@pytest.fixture
def hunt(laboratory, tmp_path):
    """A hunt for a rule that is wrong on the on leg."""

    def hunting(subject: Subject, rule: str) -> VolumeHunt:
        usual = replace(subject, conf={})
        failures, folder = tmp_path / "failures", tmp_path / "run"
        folder.mkdir()
        rules = [laboratory.catalogue.rule(rule)]
        return VolumeHunt(laboratory, subject, usual, failures, folder, SCALE.rows, 1, rules, smaller_seconds=60.0)

    return hunting


def asked(hunt, made, query):
    with closing(Recorder(hunt.folder / "checks.jsonl")) as recorder:
        return hunt.ask(made, Case(query, SCHEMA, SETTINGS), fixed(hunt.rules), SCALE, recorder)


def test_a_wrong_rule_is_convicted_by_the_very_rows_that_differ(laboratory, made):
    """Its law: a row is answered as often as the left side has more of it. Broken: once."""
    mutant = MUTANTS["RewriteExceptAllNoReplication"]
    rule = laboratory.catalogue.rule(mutant.name)
    done = checked(made, EXCEPT_ALL, off=fixed([rule]), own=mutant.settings(laboratory.catalogue))
    assert (done.checked.verdict.kind, done.checked.verdict.blame) == ("rule", "on"), done.checked.verdict
    surplus = "SELECT k, d, s, count(*) AS n FROM (SELECT * FROM t0 EXCEPT ALL SELECT * FROM t1) GROUP BY ALL"
    [[wanted]] = counted(made, f"SELECT count(*) FROM ({surplus}) WHERE n > 1")
    assert done.comparison.differing == wanted > 1_000
    assert all(copies == (1, copies[1], copies[1]) and copies[1] > 1 for _, copies in done.comparison.sample)
    assert len(done.comparison.sample) >= SHOWN
    # And they are those rows: each one's key, and how often it is there.
    keys = {row[0][1]: copies[1] for row, copies in done.comparison.sample if row[0]}
    texts = ", ".join(map(str, keys))
    found = counted(made, f"SELECT k, n FROM ({surplus}) WHERE n > 1 AND k IN ({texts})")
    assert {key: number for key, number in found if key in keys and keys[key] == number} == keys


def test_a_finding_that_few_rows_show_goes_the_way_of_all(laboratory, made, hunt):
    mutant = MUTANTS["RewriteExceptAllNoReplication"]
    subject = Subject(mutant=mutant.name, settings=mutant.settings(laboratory.catalogue))
    hunting = hunt(subject, mutant.name)
    done = asked(hunting, made, EXCEPT_ALL)
    assert done.name == "finding"
    assert "distinct rows differ, by their copies in each leg" in done.told
    [file] = hunting.failures.glob("*.json")
    kept = read_failure(file)
    assert (kept.scale, kept.rules, kept.confirmed, done.file) == (None, (mutant.name,), True, file)
    assert kept.case.database.row_count == 2
    repeat = laboratory.check(kept.case, fixed(hunting.rules), kept.subject.settings)
    assert (repeat.verdict.kind, repeat.verdict.blame) == ("rule", "on")


def test_a_finding_that_needs_many_rows_is_kept_with_its_scale_and_fails_again(laboratory, made, hunt, tmp_path):
    hunting = hunt(Subject(settings=WRONG_OF_MANY), FOR_MANY_ROWS.name)
    done = asked(hunting, made, EXCEPT_ALL)
    assert (done.name, done.checked.comparison.rows["on"]) == ("finding", 30_000)
    kept = read_failure(done.file)
    assert (kept.scale, kept.case.database, kept.confirmed, kept.rows) == (SCALE, SCHEMA, True, 200_000)
    assert "100,000 rows of each table, made from seed 5" in done.told
    repeat = again(laboratory, kept, tmp_path / "again")
    assert (repeat.verdict.kind, repeat.verdict.blame) == ("rule", "on")
    assert repeat.legs["on"] != repeat.legs["off"] == repeat.legs["duckdb"]
    assert isinstance(repeat.legs["on"], Rows)


def test_the_first_thing_that_happens_to_a_finding_is_its_file(laboratory, made, hunt, monkeypatch):
    hunting = hunt(Subject(settings=WRONG_OF_MANY), FOR_MANY_ROWS.name)
    seen = []

    def look(*_):
        seen.extend(hunting.failures.glob("*.json"))
        raise KeyboardInterrupt

    monkeypatch.setattr(VolumeHunt, "_small", look)
    with pytest.raises(KeyboardInterrupt):
        asked(hunting, made, EXCEPT_ALL)
    assert [read_failure(file).scale for file in seen] == [SCALE]


def test_a_rule_that_the_user_names_is_asked_about_with_queries_on_which_it_acts(laboratory, tmp_path):
    rule = laboratory.catalogue.rule("RewriteExceptAll")
    hunting = VolumeHunt(laboratory, Subject(), Subject(), tmp_path / "f", tmp_path / "run", 2_000, 1, [rule])
    done = list(hunting.run(2))
    assert [(each.name, each.checked.checked.fired) for each in done] == [("agree", ("RewriteExceptAll",))] * 2
