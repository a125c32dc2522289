"""Each bug once: in what a folder holds, in what is told of it, and in how often it was seen."""

from __future__ import annotations

from pathlib import Path

from assay.campaign.campaign_state import CampaignState
from assay.ledger.distinct import findings_of, tidy
from assay.ledger.folder import Folder
from assay.ledger.news import news, write_news
from assay.ledger.read import Ledger
from oracles.failures.failure import read_failure, script_path, write_failure
from tests.unit.failure_samples import BIGGER, case_of, checked_of, failure
from tests.unit.ledger_samples import round_of

SMALL = failure(confirmed=True)
LARGE = failure(checked_of(case_of(BIGGER)))
OTHER = failure(rules=("CombineFilters",), confirmed=True)


def filled(path: Path) -> Folder:
    """Two bugs, one of them twice, each with its script, and a round that saw all three."""
    folder = Folder(path)
    for each in (SMALL, LARGE, OTHER):
        write_failure(folder.findings, each, f"print('{each.fingerprint}')")
    seen = tuple(each.summary(count=count) for count, each in enumerate((SMALL, LARGE, OTHER), 1))
    folder.write_round(round_of(verdicts={"finding": 6}, findings=seen))
    return folder


def told(folder: Folder) -> list[tuple[str, int, str | None]]:
    with Ledger([folder.path]) as ledger:
        rows = ledger.findings()
    return sorted((row["fingerprint"], row["count"], row["script"]) for row in rows)


def expected(folder: Folder) -> list[tuple[str, int, str | None]]:
    files = {each.fingerprint: str(folder.findings / f"{each.fingerprint}.py") for each in (SMALL, OTHER)}
    return sorted([(SMALL.fingerprint, 3, files[SMALL.fingerprint]), (OTHER.fingerprint, 3, files[OTHER.fingerprint])])


def test_a_repeat_is_told_under_what_stands_for_it_and_counted_there(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    assert told(folder) == expected(folder)


def test_all_counts_together_are_the_checks_that_found_something(tmp_path: Path) -> None:
    with Ledger([filled(tmp_path).path]) as ledger:
        counted = sum(row["count"] for row in ledger.findings())
        (verdict,) = ledger.verdicts()
    assert (verdict["verdict"], verdict["checks"]) == ("finding", counted)


def test_tidying_leaves_one_file_of_each_bug_and_loses_none(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    standing = tidy(folder)
    assert standing[LARGE.fingerprint] == SMALL.fingerprint
    assert sorted(file.stem for file in folder.findings.glob("*.json")) == sorted(
        [SMALL.fingerprint, OTHER.fingerprint]
    )
    assert sorted(folder.findings.glob("*.py")) == sorted(map(script_path, folder.findings.glob("*.json")))
    assert read_failure(folder.originals / f"{LARGE.fingerprint}.json") == LARGE
    assert told(folder) == expected(folder)


def test_tidying_again_changes_nothing(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    tidy(folder)
    before = sorted(folder.findings.rglob("*"))
    assert tidy(folder) == {each.fingerprint: each.fingerprint for each in (SMALL, OTHER)}
    assert sorted(folder.findings.rglob("*")) == before


def test_a_run_tells_of_each_bug_once_too(tmp_path: Path) -> None:
    folder, standing = filled(tmp_path), CampaignState()
    for each in (LARGE, LARGE, SMALL, OTHER):
        standing.found(each.summary(), None)
    standing.fold(findings_of([folder]))
    assert {name: entry["count"] for name, entry in standing.findings.items()} == {
        SMALL.fingerprint: 3,
        OTHER.fingerprint: 1,
    }


def test_a_run_keeps_what_the_folder_does_not_know(tmp_path: Path) -> None:
    standing = CampaignState()
    standing.found(OTHER.summary(), None)
    standing.fold(findings_of([Folder(tmp_path)]))
    assert list(standing.findings) == [OTHER.fingerprint]


def test_only_a_bug_that_was_not_there_is_news(tmp_path: Path) -> None:
    """A smaller query for a known one is none."""
    folder = Folder(tmp_path)
    write_failure(folder.findings, LARGE)
    before = findings_of([folder])
    filled(tmp_path)
    tidy(folder)
    assert [entry["fingerprint"] for entry in news(before, findings_of([folder]))] == [OTHER.fingerprint]
    (issue,) = write_news(folder, before)
    assert issue.name == f"{OTHER.fingerprint}.md"
    assert write_news(folder, findings_of([folder])) == []
