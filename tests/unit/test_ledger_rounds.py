"""A round on disk: what goes in comes out, from files of its own, from packs, and past whatever is no round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from assay.ledger.counting import Counting
from assay.ledger.folder import PACK, Folder, FolderTaken
from assay.ledger.rounds import FORMAT, Round, UnreadableRound, from_bytes, table_bytes, table_of, to_bytes
from oracles.checks.evidence import RuleCount
from oracles.checks.verdict import Verdict, excuse
from tests.unit.failure_samples import FINDING, answer, checked_of
from tests.unit.ledger_samples import BEGIN, COMPOSITE, GENERAL, SHAPE, as_before, round_of

EMPTY = Round(
    id=round_of().id,
    work=GENERAL,
    run_seed=1,
    worker=0,
    started=BEGIN,
    seconds=0.0,
    ended="stopped",
    versions={"spark": "", "duckdb": ""},
)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "campaign")


@pytest.mark.parametrize("one", [round_of(), round_of(2, SHAPE), round_of(3, COMPOSITE), EMPTY], ids=str)
def test_a_round_comes_back_as_it_was(one: Round) -> None:
    assert from_bytes(to_bytes([one])) == [one]


def test_a_file_holds_many_rounds() -> None:
    rounds = [round_of(number) for number in range(5)]
    assert from_bytes(to_bytes(rounds)) == rounds


def test_a_file_of_an_earlier_assay_is_read_without_what_it_did_not_count() -> None:
    rules = {name: replace(count, agreed=count.differed) for name, count in round_of().rules.items()}
    assert from_bytes(as_before([round_of()])) == [
        round_of(rules=rules, fits={}, fitting=0, blocks={}, legs={"on": 3, "off": 3, "duckdb": 3})
    ]


def test_rounds_of_an_earlier_assay_are_packed_with_others(folder: Folder) -> None:
    for number in range(PACK):
        folder.write_round(round_of(number))
    (folder.rounds / f"{round_of(7).id.text}.parquet").write_bytes(as_before([round_of(7)]))
    before = folder.read_rounds()
    folder.pack()
    assert (folder.read_rounds(), len(folder.round_files())) == (before, 1)


@pytest.mark.parametrize(
    "content",
    [b"", b"PAR1", to_bytes([round_of()])[:-9], table_bytes(pa.table({"a": [1]}))],
    ids=["empty", "a beginning", "cut off", "another table"],
)
def test_what_holds_no_rounds_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableRound):
        from_bytes(content)


def test_a_round_of_another_format_is_refused() -> None:
    table = table_of(to_bytes([round_of()]))
    later = table.set_column(0, table.schema.field(0), pa.array([FORMAT + 1], pa.int32()))
    with pytest.raises(UnreadableRound, match=f"format {FORMAT + 1}"):
        from_bytes(table_bytes(later))


def test_rounds_are_read_in_the_order_in_which_they_started(folder: Folder) -> None:
    for number in (3, 1, 2):
        folder.write_round(round_of(number))
    assert [one.id.number for one in folder.read_rounds()] == [1, 2, 3]


def test_a_broken_file_is_named(folder: Folder) -> None:
    file = folder.write_round(round_of())
    file.write_bytes(b"PAR1")
    with pytest.raises(UnreadableRound, match=str(file)):
        folder.read_rounds()


def test_packing_loses_nothing_and_leaves_few_files(folder: Folder) -> None:
    rounds = [round_of(number) for number in range(PACK)]
    for one in rounds:
        folder.write_round(one)
    folder.pack()
    assert (folder.read_rounds(), len(folder.round_files())) == (rounds, 1)


def test_rounds_that_nobody_has_read_yet_stay_in_their_files(folder: Folder) -> None:
    rounds = [round_of(number) for number in range(PACK + 1)]
    files = [folder.write_round(one) for one in rounds]
    folder.pack({file.stem for file in files[:-1]})
    assert (folder.read_rounds(), [file for file in files if file.exists()]) == (rounds, files[-1:])


def test_few_rounds_stay_unpacked(folder: Folder) -> None:
    files = [folder.write_round(round_of(number)) for number in range(PACK - 1)]
    folder.pack()
    assert folder.round_files() == sorted(files)


def test_packing_that_was_killed_is_made_good(folder: Folder) -> None:
    """Between the pack's writing and the files' removal every round is there twice."""
    rounds = [round_of(number) for number in range(PACK)]
    for one in rounds:
        folder.write_round(one)
    folder.pack()
    again = folder.write_round(rounds[7])
    assert folder.read_rounds() == rounds
    folder.pack()
    assert (folder.read_rounds(), again.exists()) == (rounds, False)


def test_a_taken_folder_is_not_taken_again(folder: Folder) -> None:
    with folder.taken(), pytest.raises(FolderTaken), folder.taken():
        raise AssertionError("taken twice")


def test_a_folder_is_free_again_afterwards(folder: Folder) -> None:
    with folder.taken():
        pass
    with folder.taken():
        assert folder.path.is_dir()


def test_taking_a_folder_removes_what_a_kill_left(folder: Folder) -> None:
    whole = folder.write_round(round_of())
    half = whole.with_name(f".{whole.name}.xyz")
    half.write_bytes(b"PAR1")
    (folder.temporary / "worker-0").mkdir(parents=True)
    with folder.taken():
        assert (whole.exists(), half.exists(), folder.temporary.exists()) == (True, False, False)


def counted(counting: Counting) -> Round:
    return counting.round(
        round_of().id, GENERAL, run_seed=1, worker=0, started=BEGIN, seconds=1.0, ended="full", versions={}
    )


AGREE = Verdict(name="agree", reason="all equal")
CHECKS = (
    checked_of(verdict=AGREE, off=("A", "B"), fired=("A",), changed_plan=("A", "B", "C")),
    checked_of(verdict=AGREE, off=("A",), fired=("A",), differed=False, changed_plan=("C", "A"), legs={"on": answer()}),
    checked_of(verdict=excuse(FINDING, "SPARK-1"), off=(), fired=("Unasked",), optimizer_failed=True),
    checked_of(verdict=AGREE, off=("A",), fired=("A",), differed=False, changed_plan=("A",)),
)
PLANS = ("ff", "", "0a", "ff")


@pytest.fixture
def one() -> Round:
    """Four checks, two of the same case."""
    counting = Counting()
    for checked, plan, digest in zip(CHECKS, PLANS, "0110", strict=True):
        counting.check(replace(checked, plan=plan), checked.verdict, digest)
    return counted(counting)


def test_verdicts_are_counted(one: Round) -> None:
    assert (one.verdicts, one.excused, one.nonempty, one.optimizer_failures, one.cases, one.checks) == (
        {"agree": 3, "excused": 1},
        {"SPARK-1": 1},
        2,
        1,
        2,
        4,
    )


def test_rules_are_counted(one: Round) -> None:
    assert one.rules == {
        "A": RuleCount(checked=3, fired=3, differed=1, agreed=1, changed=3),
        "B": RuleCount(checked=1, changed=1),
        "C": RuleCount(changed=2),
    }


def test_firings_that_duckdb_alone_judged_are_counted_and_read_again() -> None:
    counting, legs = Counting(), {"on": answer(), "duckdb": answer()}
    for checked in (CHECKS[0], replace(CHECKS[0], differed=False, legs=legs), replace(CHECKS[0], fired=(), legs=legs)):
        counting.check(checked, AGREE, "0")
    one = counted(counting)
    assert one.rules == {
        "A": RuleCount(checked=3, fired=2, differed=1, two_legs=1, agreed=1, changed=3),
        "B": RuleCount(checked=3, changed=3),
        "C": RuleCount(changed=3),
    }
    assert [again.rules for again in from_bytes(to_bytes([one]))] == [one.rules]
    assert RuleCount(checked=3, fired=2, differed=1, two_legs=1, changed=3) + RuleCount(
        checked=3, fired=2, differed=1, two_legs=1, changed=3
    ) == RuleCount(checked=6, fired=4, differed=2, two_legs=2, changed=6)


def test_the_checks_that_silent_entries_fit_are_counted() -> None:
    counting = Counting()
    for fits in (("SPARK-1", "SPARK-2"), (), ("SPARK-1",)):
        counting.check(CHECKS[0], AGREE, "0", fits)
    one = counted(counting)
    assert (one.fits, one.fitting) == ({"SPARK-1": 2, "SPARK-2": 1}, 2)


def test_pairs_and_plans_say_which_check_showed_them_first(one: Round) -> None:
    assert one.pairs == {("A", "B"): (1, 1), ("A", "C"): (2, 1), ("B", "C"): (1, 1)}
    assert one.plans == {"ff": (2, 1), "0a": (1, 3)}


def test_findings_are_told_at_once_and_counted_together() -> None:
    told = []
    counting = Counting(told=lambda summary, replaces: told.append((summary["fingerprint"], replaces)))
    large = {"fingerprint": "a", "operators": 9, "rows": 9, "count": 1, "confirmed": False}
    small = {**large, "fingerprint": "b", "operators": 1, "confirmed": True}
    for summary, replaces in ((large, None), (small, "a"), (small, None)):
        counting.finding(summary, replaces)
    assert told == [("a", None), ("b", "a"), ("b", None)]
    assert [(each["fingerprint"], each["count"]) for each in counted(counting).findings] == [("b", 2)]
