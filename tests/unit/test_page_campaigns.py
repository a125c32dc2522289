"""A page is made of campaigns' folders; others are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from assay.ledger.folder import Folder
from assay.ledger.rounds import table_bytes, table_of
from assay.report.campaigns import read_campaigns
from assay.report.fates import Fates, together
from assay.report.inversions import inverted, told
from assay.session.ending import BadInput
from tests.unit.ledger_samples import FOUND, round_of
from tests.unit.page_samples import EARLIER, KILLS, LATER, VERIFICATION, found, write_campaign


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_campaign(tmp_path / "campaign", found())


def test_everything_is_read(folder: Path) -> None:
    read = read_campaigns([folder], here=folder.parent)
    assert (read.names, read.totals["rounds"], len(read.findings)) == (("campaign",), 4, 3)
    assert [row["run"] for row in read.trends] == [row["run"] for row in read.runs] == [EARLIER, LATER]
    assert read.versions == [{"spark": "4.3.0", "duckdb": "2.0.0", "checks": 111}]
    assert [kill["name"] for kill in read.kills] == sorted(kill["name"] for kill in KILLS)
    assert (read.lost, read.unread) == ((), ())


def test_findings_come_in_the_order_in_which_somebody_would_look_at_them(folder: Path) -> None:
    """The confirmed first, of these what was seen most."""
    whole, hostile, unconfirmed = found()
    read = read_campaigns([folder])
    assert [each.failure for each in read.findings] == [whole, hostile, unconfirmed]
    assert [each.row["count"] for each in read.findings] == [12, 0, 0]


def test_files_are_named_as_seen_from_where_somebody_is(folder: Path, tmp_path: Path) -> None:
    seen, elsewhere = (read_campaigns([folder], here=here).findings for here in (tmp_path, tmp_path / "other"))
    name = f"{found()[0].fingerprint}"
    assert (seen[0].file, seen[0].script) == (f"campaign/findings/{name}.json", f"campaign/findings/{name}.py")
    assert elsewhere[0].file == str(folder / "findings" / f"{name}.json")
    assert [each.script for each in seen[1:]] == ["", ""]


def test_several_folders_are_told_of_as_one(folder: Path, tmp_path: Path) -> None:
    other = Folder(tmp_path / "other")
    other.write_round(round_of(9, run="20300104T000000-abcdef"))
    read = read_campaigns([folder, other.path], here=tmp_path)
    assert (read.names, read.totals["rounds"], len(read.trends)) == (("campaign", "other"), 5, 3)
    assert read.lost == (FOUND["fingerprint"],)


def test_a_finding_that_cannot_be_read_is_told_of(folder: Path, tmp_path: Path) -> None:
    (folder / "findings" / "old.json").write_text('{"format": 0}', encoding="utf-8")
    read = read_campaigns([folder], here=tmp_path)
    assert (read.unread, len(read.findings)) == (("campaign/findings/old.json",), 3)


def test_a_summary_of_mutants_may_be_elsewhere(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "summary.json"
    (folder / "mutants.json").rename(elsewhere)
    assert read_campaigns([folder]).kills == ()
    assert len(read_campaigns([folder], [elsewhere]).kills) == len(KILLS)


def test_a_summary_of_verifications_may_be_elsewhere_and_its_mutants_are_no_rules(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "summary.json"
    (folder / "verified.json").rename(elsewhere)
    assert read_campaigns([folder]).verified == ()
    read = read_campaigns([folder], verified=[elsewhere]).verified
    assert [row["rule"] for row in read] == ["ColumnPruning", "CombineFilters", "CombineUnions"]


@pytest.mark.parametrize(
    "content",
    [
        "verified",
        "{}",
        '{"rules": []}',
        '{"rules": {"A": {"verdict": "verified"}}}',
        json.dumps({"rules": {"A": {**VERIFICATION, "verdict": "acquitted"}}}),
    ],
    ids=["no JSON", "no rules", "a list", "a rule without figures", "another verdict"],
)
def test_what_is_no_summary_of_verifications(folder: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / "summary.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=r"no summary of a verification|no JSON"):
        read_campaigns([folder], verified=[file])


def test_a_summary_of_inversions_may_be_elsewhere(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "summary.json"
    (folder / "inversions.json").rename(elsewhere)
    assert read_campaigns([folder]).inverted == {}
    assert list(read_campaigns([folder], inverted=[elsewhere]).inverted) == ["ColumnPruning", "CombineFilters"]


def test_runs_of_inversions_are_added_and_what_one_of_them_ran_has_run() -> None:
    first: Fates = {"A": {"wrong rows": 2, "another plan": 1, "never run": 5}, "B": {"never run": 4}}
    second: Fates = {"A": {"wrong rows": 1, "error": 3, "never run": 2}}
    both = together([first, second])
    assert both["A"] == {"wrong rows": 3, "another plan": 1, "error": 3, "never run": 2}
    assert both["B"] == {"never run": 4}
    assert told(both) == (
        "7 conditionals of the optimizer were inverted, one at a time: a check sees 86 %. Of those that change a plan "
        "without an error, 75 % give wrong rows"
    )
    assert [row[0].text for row in inverted(both).rows] == ["all", "A", "B"]


@pytest.mark.parametrize(
    "content",
    [
        "inverted",
        "{}",
        '{"rules": []}',
        '{"rules": {"A": 3}}',
        '{"rules": {"A": {"gone": 1}}}',
        '{"rules": {"A": {"error": "many"}}}',
    ],
    ids=["no JSON", "no rules", "a list", "no fates", "another fate", "a number in words"],
)
def test_what_is_no_summary_of_inversions(folder: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / "summary.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=r"no summary of inversions|no JSON"):
        read_campaigns([folder], inverted=[file])


def test_a_folder_in_which_nothing_was_finished_yet(tmp_path: Path) -> None:
    (tmp_path / "ledger").mkdir()
    read = read_campaigns([tmp_path])
    assert (read.totals["checks"], read.findings, read.trends) == (0, (), [])


def of_format(table: pa.Table, number: int) -> pa.Table:
    return table.set_column(0, table.schema.field(0), pa.array([number] * table.num_rows, pa.int32()))


def later_format(file: Path) -> None:
    file.write_bytes(table_bytes(of_format(table_of(file.read_bytes()), 2)))


def other_columns(file: Path) -> None:
    parquet.write_table(pa.table({"a": [1]}), file)


def no_parquet(file: Path) -> None:
    file.write_bytes(b"no parquet\nat all")


HURT: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "rounds of a later format": ("ledger/rounds", later_format, "rounds of format 2; this Assay reads format 1"),
    "rounds with other columns": ("ledger/rounds", other_columns, "rounds of another format"),
    "rounds that are none": ("ledger/rounds", no_parquet, "no rounds"),
    "blocks with other columns": ("ledger/blocks", other_columns, "blocks of another format"),
    "blocks that are none": ("ledger/blocks", no_parquet, "no blocks"),
    "a run that is no JSON": ("ledger/runs", lambda file: file.write_text("{"), "no JSON"),
    "a run of a later format": ("ledger/runs", lambda file: file.write_text('{"format": 2}'), "another format"),
    "a release that is a list": ("ledger/releases", lambda file: file.write_text("[]"), "another format"),
}


@pytest.mark.parametrize(("place", "hurt", "said"), HURT.values(), ids=HURT)
def test_a_ledger_that_is_not_this_ones_is_named_in_one_line(folder: Path, place: str, hurt, said: str) -> None:
    file = min((folder / place).iterdir())
    hurt(file)
    with pytest.raises(BadInput, match=said) as raised:
        read_campaigns([folder])
    assert str(raised.value).startswith(f"{file}: ")
    assert len(str(raised.value).splitlines()) == 1


KILLS_THAT_ARE_NONE = {
    "no JSON": "killed",
    "no summary": "{}",
    "a fuzz run's": json.dumps({"format": 1, "verdicts": {}}),
    "kills without a name": json.dumps({"mutants": [{"rule": "A"}]}),
    "kills that are texts": json.dumps({"mutants": ["CombineFiltersEither"]}),
    "sizes in words": json.dumps({"mutants": [{**KILLS[0], "seconds": 1, "rows": "three"}]}),
}


@pytest.mark.parametrize("content", KILLS_THAT_ARE_NONE.values(), ids=KILLS_THAT_ARE_NONE)
def test_what_is_no_summary_of_mutants(folder: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / "summary.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=r"no summary of mutants|no JSON"):
        read_campaigns([folder], [file])


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        read_campaigns([tmp_path / "none"])


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="it has no ledger"):
        read_campaigns([tmp_path])
