"""The ledger read with SQL: every question that a page asks, on rounds whose answers are known."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from assay.fuzz.unjudged import Unjudged, unjudged_files
from assay.ledger.blocks import code_of, write_blocks
from assay.ledger.folder import PACK, Folder
from assay.ledger.merge import merge
from assay.ledger.read import Ledger
from assay.session.ending import BadInput
from oracles.checks.evidence import RuleCount
from oracles.checks.verdict import NAMES
from oracles.failures.failure import read_failure, script_path, write_failure
from tests.unit.failure_samples import BIGGER, case_of, checked_of, failure
from tests.unit.ledger_samples import CODE, COMPOSITE, FOUND, GENERAL, SHAPE, as_before, round_of

LATER = "20300103T000000-abcdef"
ROUNDS = (
    round_of(1, GENERAL),
    round_of(2, SHAPE, agree=8),
    round_of(3, SHAPE, rules={"CombineFilters": RuleCount(checked=1, fired=1, differed=1, changed=1)}, findings=()),
    round_of(4, COMPOSITE, run=LATER, pairs={("A", "B"): (1, 5)}),
)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Four rounds of two runs, and a failure that two of them saw."""
    folder = Folder(tmp_path / "campaign")
    for one in ROUNDS:
        folder.write_round(one)
    folder.write_run({"run": ROUNDS[0].id.run, "started": "2030-01-02", "seed": 2**70, "budget": 60.0})
    folder.write_release("4.3.0", {"CombineFilters": ("b", True, True), "Never": ("b", False, False)})
    write_blocks(folder.blocks, "4.3.0", CODE)
    folder.write_incident("jvm", "the JVM died", case={"of": "many"})
    write_failure(folder.findings, failure(confirmed=True))
    return folder


@pytest.fixture
def ledger(folder: Folder):
    with Ledger([folder.path]) as ledger:
        yield ledger


def test_totals(ledger: Ledger) -> None:
    assert ledger.totals() == {
        "rounds": 4,
        "checks": 25,
        "queries": 25,
        "nonempty": 17,
        "stumbles": 4,
        "seconds": 42.0,
        "rules": 2,
        "pairs": 2,
        "plans": 5,
    }


def test_verdicts_and_excuses(ledger: Ledger) -> None:
    assert ledger.verdicts() == [
        {"verdict": "agree", "checks": 17},
        {"verdict": "excused", "checks": 4},
        {"verdict": "finding", "checks": 4},
    ]
    assert ledger.excused() == [{"divergence": "SPARK-1", "checks": 4}]


def test_firings_that_duckdb_alone_judged(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for number, seen in enumerate(
        [
            RuleCount(checked=5, fired=4, differed=1, two_legs=3, agreed=3, changed=9),
            RuleCount(checked=5, fired=4, differed=4, agreed=2, changed=9),
            RuleCount(checked=5, fired=4, differed=2, two_legs=2, changed=9),
        ]
    ):
        folder.write_round(
            round_of(number + 1, rules={"A": seen, "B": RuleCount(checked=1, fired=1, differed=1, changed=1)})
        )
    with Ledger([tmp_path]) as ledger:
        told = {row["rule"]: tuple(row[key] for key in _OF_FIRED) for row in ledger.rules()}
    assert told == {"A": (12, 7, 5, 5), "B": (3, 3, 0, 0)}


_OF_FIRED = ("fired", "differed", "two_legs", "agreed")


def test_a_round_that_did_not_count_agreements_by_rule_counts_all_differing_plans(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    old = round_of(1, rules={"A": RuleCount(checked=5, fired=4, differed=3, changed=5)})
    file = folder.write_round(old)
    file.write_bytes(as_before([old]))
    folder.write_round(round_of(2, rules={"A": RuleCount(checked=5, fired=4, differed=3, agreed=1, changed=5)}))
    with Ledger([tmp_path]) as ledger:
        assert {row["rule"]: tuple(row[key] for key in _OF_FIRED) for row in ledger.rules()} == {"A": (8, 6, 0, 4)}
    assert sorted(each.rules["A"].agreed for each in folder.read_rounds()) == [1, 3]


def test_legs_that_gave_evidence(ledger: Ledger) -> None:
    assert ledger.legs() == [
        {"leg": "duckdb", "checks": 17},
        {"leg": "off", "checks": 17},
        {"leg": "on", "checks": 21},
    ]


def test_an_agreement_of_a_round_that_did_not_count_legs_is_evidence_of_all(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    file = folder.write_round(round_of(2, agree=5))
    file.write_bytes(as_before([round_of(2, agree=5)]))
    with Ledger([tmp_path]) as ledger:
        assert {row["leg"]: row["checks"] for row in ledger.legs()} == {"on": 5, "off": 5, "duckdb": 5}
    folder.write_round(round_of(1, agree=7))
    with Ledger([tmp_path]) as ledger:
        assert (ledger.totals()["checks"], ledger.totals()["queries"]) == (16, 16)
        assert {row["leg"]: row["checks"] for row in ledger.legs()} == {"on": 13, "off": 12, "duckdb": 12}
    told, before = folder.read_rounds()
    assert (dict(told.legs), told.queries) == ({"duckdb": 7, "off": 7, "on": 8}, 9)
    assert (dict(before.legs), before.queries) == ({"on": 5, "off": 5, "duckdb": 5}, 7)


def test_rules_are_told_of_even_where_they_never_fired(ledger: Ledger) -> None:
    told = {row["rule"]: (row["changed"], row["checked"], row["fired"], row["differed"]) for row in ledger.rules()}
    assert told == {"ColumnPruning": (14, 0, 0, 0), "CombineFilters": (13, 10, 7, 4), "Never": (0, 0, 0, 0)}


def test_the_heat_map_is_by_rule_and_source(ledger: Ledger) -> None:
    cells = {(row["rule"], row["kind"], row["name"]): row for row in ledger.heat_map()}
    shape = cells["CombineFilters", "shape", "CombineFilters"]
    assert (shape["changed"], shape["checked"], shape["fired"], shape["differed"], shape["checks"]) == (5, 4, 3, 2, 15)
    assert cells["CombineFilters", "general", ""]["checks"] == 5
    assert ("ColumnPruning", "composite", COMPOSITE.name) in cells


def test_sources(ledger: Ledger) -> None:
    assert [(row["kind"], row["rounds"], row["checks"]) for row in ledger.sources()] == [
        ("composite", 1, 5),
        ("general", 1, 5),
        ("shape", 2, 15),
    ]


def test_the_pair_matrix(ledger: Ledger) -> None:
    assert ledger.pair_matrix() == [
        {"one": "A", "other": "B", "checks": 1},
        {"one": "ColumnPruning", "other": "CombineFilters", "checks": 9},
    ]


def test_discovery_goes_check_by_check(ledger: Ledger) -> None:
    """Of 25 checks; the common plan is the first one's, each round's own is in its third, the pairs in 2 and 20 + 5."""
    curve = {row["checks"]: (row["plans"], row["pairs"], row["blocks"]) for row in ledger.discovery(25)}
    assert (curve[1], curve[2], curve[3]) == ((1, 0, 1), (1, 1, 1), (2, 1, 2))
    assert [curve[checks] for checks in (7, 8, 18, 24, 25)] == [(2, 1, 2), (3, 1, 3), (4, 1, 4), (5, 1, 5), (5, 2, 5)]


def test_blocks_are_those_of_the_release_and_say_whether_a_check_ran_them(ledger: Ledger) -> None:
    (code,) = code_of(ledger.blocks())
    assert (code.spark, [part.name for part in code.parts]) == ("4.3.0", ["CombineFilters", "Helper"])
    rule, helper = code.parts
    assert (rule.percent(code.ran), helper.percent(code.ran)) == ("50 %", "0 %")
    assert [rule.blocks[number].lines for number in rule.ran(code.ran)] == [(7, 8)]
    assert [rule.blocks[number].lines for number in rule.missing(code.ran)] == [(9,)]
    assert list(rule.unreachable.values()) == ["it throws"]


def test_a_block_that_another_release_ran_has_not_run(folder: Folder) -> None:
    write_blocks(folder.blocks, "4.1.4", CODE)
    with Ledger([folder.path]) as ledger:
        assert {code.spark: len(code.ran) for code in code_of(ledger.blocks())} == {"4.1.4": 0, "4.3.0": 1}


def test_discovery_has_as_many_points_as_are_asked_for(ledger: Ledger) -> None:
    assert [row["checks"] for row in ledger.discovery(5)] == [5, 10, 15, 20, 25]


def test_throughput_spreads_the_checks_of_a_round_over_its_time(ledger: Ledger) -> None:
    """Rounds of 10.5 seconds, the first run's begin a minute after each other; steps of 66 seconds for two points."""
    steps = ledger.throughput(2)
    first, later = [row for row in steps if row["run"] != LATER], [row for row in steps if row["run"] == LATER]
    assert [row["after"] for row in first] == [0, 66]
    assert [row["checks"] for row in first] == pytest.approx([5 + 10 * 6 / 10.5, 10 * 4.5 / 10.5 + 5])
    assert first[0]["per_second"] == pytest.approx(first[0]["checks"] / 66)
    assert first[1]["per_second"] == pytest.approx(first[1]["checks"] / (130.5 - 66))
    assert [(row["after"], row["per_second"]) for row in later] == [(0, pytest.approx(5 / 10.5))]


@pytest.mark.parametrize("points", [1, 7, 120, 1_000])
def test_steps_of_any_width_have_all_checks(ledger: Ledger, points: int) -> None:
    assert sum(row["checks"] for row in ledger.throughput(points)) == pytest.approx(25)


def test_the_engines_that_were_checked(ledger: Ledger) -> None:
    assert ledger.versions() == [{"spark": "4.3.0", "duckdb": "2.0.0", "checks": 25}]


def test_findings_that_rounds_tell_of_and_no_file_has_are_lost(folder: Folder) -> None:
    kept = failure(confirmed=True)
    folder.write_round(round_of(9, findings=({**FOUND, "fingerprint": kept.fingerprint},)))
    with Ledger([folder.path]) as ledger:
        assert ledger.lost() == [FOUND["fingerprint"]]


def test_trends_are_by_run(ledger: Ledger) -> None:
    first, second = ledger.trends()
    assert (first["checks"], first["findings"], first["unproven"], first["new_plans"]) == (20, 1, 3, 4)
    assert (second["checks"], second["findings"], second["unproven"], second["new_plans"]) == (5, 1, 1, 1)
    assert second["per_second"] == pytest.approx(5 / 10.5)


@pytest.mark.parametrize("name", NAMES)
def test_a_trend_counts_checks_that_could_not_be_compared(folder: Folder, name: str) -> None:
    """Errors that queries are drawn to raise included."""
    with Ledger([folder.path]) as ledger:
        before = sum(row["unproven"] for row in ledger.trends())
    folder.write_round(
        replace(
            round_of(9), verdicts=Counter({name: 7}), excused=Counter({"A": 7} if name == "excused" else {}), nonempty=0
        )
    )
    with Ledger([folder.path]) as ledger:
        added = sum(row["unproven"] for row in ledger.trends()) - before
    assert added == (0 if name in ("agree", "vacuous", "finding") else 7)


def test_findings_are_the_files_with_what_rounds_say_of_them(folder: Folder) -> None:
    kept = failure(confirmed=True)
    folder.write_round(round_of(9, findings=({**FOUND, "fingerprint": kept.fingerprint, "count": 4},)))
    with Ledger([folder.path]) as ledger:
        (row,) = ledger.findings()
    assert (row["fingerprint"], row["count"], len(row["runs"]), row["confirmed"]) == (kept.fingerprint, 4, 1, True)
    assert read_failure(Path(row["file"])) == kept


def test_a_finding_of_a_round_that_was_lost_is_there(ledger: Ledger) -> None:
    (row,) = ledger.findings()
    assert (row["count"], row["runs"]) == (0, [])


def test_incidents_and_runs(ledger: Ledger) -> None:
    assert [(row["kind"], row["told"]) for row in ledger.query("SELECT * FROM incidents")] == [("jvm", "the JVM died")]
    (run,) = ledger.query("SELECT * FROM runs")
    assert (run["seed"], run["budget"], run["ended"], run["how"]) == (str(2**70), 60.0, None, None)


def test_a_run_that_has_ended_says_how(folder: Folder) -> None:
    folder.write_run({"run": "1", "started": "1", "seed": 1, "ended": "2", "how": "stopped", "exit": 4})
    with Ledger([folder.path]) as ledger:
        assert ledger.query("SELECT how, exit FROM runs WHERE run = '1'") == [{"how": "stopped", "exit": 4}]


def test_the_checks_that_silent_entries_fit(ledger: Ledger) -> None:
    assert ledger.fits() == [
        {"divergence": "SPARK-1", "checks": 8, "excused": 4},
        {"divergence": "SPARK-2", "checks": 4, "excused": 0},
    ]
    assert ledger.fitting() == {"checks": 8, "of": 25}


@pytest.mark.parametrize(
    ("old", "fitting"), [((1, 2), {"checks": 4, "of": 10}), ((1, 2, 3, 4), {"checks": 0, "of": 0})], ids=["some", "all"]
)
def test_rounds_that_did_not_count_what_silent_entries_fit_are_left_out_of_it(
    folder: Folder, old: tuple[int, ...], fitting: dict[str, int]
) -> None:
    for one in ROUNDS:
        if one.id.number in old:
            (folder.rounds / f"{one.id.text}.parquet").write_bytes(as_before([one]))
    with Ledger([folder.path]) as ledger:
        assert (ledger.fitting(), ledger.totals()["checks"]) == (fitting, 25)


QUESTIONS = (
    "versions",
    "lost",
    "verdicts",
    "excused",
    "fits",
    "rules",
    "heat_map",
    "sources",
    "pair_matrix",
    "blocks",
    "throughput",
    "findings",
    "trends",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_empty_ledger_answers_every_question(tmp_path: Path, question: str) -> None:
    with Ledger([tmp_path]) as ledger:
        assert getattr(ledger, question)() == []
        assert ledger.totals()["checks"] == 0


def answers(*folders: Path) -> list[object]:
    with Ledger(folders) as ledger:
        return [ledger.totals(), ledger.discovery(), *(getattr(ledger, question)() for question in QUESTIONS)]


def test_a_packed_ledger_answers_alike(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for number in range(PACK):
        folder.write_round(round_of(number))
    loose = answers(folder.path)
    folder.pack()
    assert answers(folder.path) == loose


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    """Two machines' folders: one finding of both, bigger on the first."""
    folders = [Folder(tmp_path / "one"), Folder(tmp_path / "two")]
    for shard, folder in enumerate(folders, 1):
        for number in (1, 2):
            folder.write_round(round_of(number, shard=(shard, 2), run=f"run-{shard}"))
        folder.write_incident("worker", f"of {shard}")
        folder.write_run({"run": f"run-{shard}", "started": f"{shard}", "seed": 1})
    write_blocks(folders[1].blocks, "4.3.0", CODE)
    write_failure(folders[0].findings, failure(checked_of(case_of(BIGGER))))
    write_failure(folders[0].findings, failure())
    write_failure(folders[1].findings, failure(confirmed=True), "print()")
    return [folder.path for folder in folders]


def without_files(answered: list[object]) -> str:
    return "\n".join(part for part in repr(answered).split(", ") if "'file'" not in part and "'script'" not in part)


def test_merging_gives_what_reading_all_gives(shards: list[Path], tmp_path: Path) -> None:
    merge(shards, tmp_path / "all")
    assert without_files(answers(tmp_path / "all")) == without_files(answers(*shards))


def test_of_two_findings_of_one_bug_the_better_one_stays(shards: list[Path], tmp_path: Path) -> None:
    """And its script; the other is among what was before shrinking."""
    merge(shards, tmp_path / "all")
    (file,) = (tmp_path / "all" / "findings").glob("*.json")
    assert (read_failure(file).confirmed, script_path(file).read_text()) == (True, "print()")
    (other,) = (tmp_path / "all" / "findings" / "original").glob("*.json")
    assert read_failure(other).case.query == BIGGER


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0), (1, 1, 0)], ids=str)
def test_merging_is_the_same_in_any_order_and_again(shards: list[Path], tmp_path: Path, order: tuple[int, ...]) -> None:
    merge(shards, tmp_path / "all")
    once = answers(tmp_path / "all")
    for index in order:
        merge([shards[index]], tmp_path / "bit by bit")
    merge([tmp_path / "bit by bit"], tmp_path / "all")
    assert answers(tmp_path / "all") == once
    assert without_files(answers(tmp_path / "bit by bit")) == without_files(once)


def test_merging_a_folder_into_itself_changes_nothing(shards: list[Path]) -> None:
    before = answers(shards[0])
    merge(shards[:1], shards[0])
    assert answers(shards[0]) == before


def test_a_folder_without_a_ledger_is_bad_input(shards: list[Path], tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no ledger"):
        merge([shards[0], tmp_path / "nothing"], tmp_path / "all")
    assert not (tmp_path / "all").exists()


def test_findings_that_nobody_has_judged_are_merged_and_resumed(shards: list[Path], tmp_path: Path) -> None:
    Unjudged(Folder(shards[0]).findings).hold(failure(checked_of(case_of(rows=((7, "x"),)))))
    merge(shards, tmp_path / "all")
    assert len(unjudged_files(Folder(tmp_path / "all").findings)) == 1
