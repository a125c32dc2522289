"""A run's summary in Markdown, and as JUnit's tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from assay.campaign.campaign_state import CampaignState
from assay.campaign.for_ci import add_campaign_summary, junit
from assay.evaluation.for_ci import evaluations_markdown
from assay.evaluation.rule_evaluation import RuleEvaluation
from assay.evaluation.verdict_text import headline
from assay.fuzz.issue_text import issue_text, title, write_issues
from assay.fuzz.job_summary import VARIABLE, add_to_job_summary, fuzz_markdown, mutants_markdown, table
from assay.fuzz.record import Record
from assay.ledger.folder import Folder
from oracles.checks.conclusion import Conclusion
from oracles.failures.confirmation import Stock
from oracles.failures.failure import Subject, write_failure
from tests.unit.failure_samples import failure
from tests.unit.ledger_samples import round_of
from tests.unit.test_report import FINDING, RECORD
from tests.unit.test_verdict_text import evaluation, stats

RED = ["red: raised: 20 of 1000"]
POOR = Conclusion("fired in 4 of 652 checks: nothing is known about this rule", False, ("raised: 20 of 1000",))
GOOD = Conclusion("700 agreements with rows over 2 rules that fired, no finding", True)
FOUND_TWO = Conclusion("2 findings; 700 agreements with rows over 2 rules that fired", False, ("raised: 20 of 1000",))
FUZZ = fuzz_markdown(RECORD, FOUND_TWO, seed=7, seconds=50.0)


@pytest.mark.parametrize(
    "line",
    [
        "## Fuzz, red: 2 findings; 700 agreements with rows over 2 rules that fired",
        "| agree | 920 |",
        "| SPARK-1 | 2 |",
        f"- {RED[0]}",
        "| `3f9c5b1e07d2a684` | rule | EliminateOuterJoin | on | 3 | 2 | 5 | not asked | `3f9c5b1e07d2a684.json` |",
    ],
)
def test_a_fuzz_run_is_told(line: str) -> None:
    assert line in FUZZ.splitlines()


def test_the_seed_is_told() -> None:
    assert "`--hypothesis-seed 7`" in FUZZ


def test_what_stock_spark_shows_and_what_is_not_sure_is_told() -> None:
    finding = {**FINDING, "confirmed": False, "stock": "confirmed"}
    told = fuzz_markdown(replace(RECORD, findings=(finding,)), FOUND_TWO, seed=1, seconds=1.0)
    assert "(unconfirmed)" in told
    assert "| confirmed on stock Spark |" in told


@pytest.mark.parametrize(("shown", "title"), [(GOOD, "Fuzz"), (POOR, "Fuzz, red")], ids=["green", "red"])
def test_a_run_begins_with_what_it_has_shown(shown: Conclusion, title: str) -> None:
    told = fuzz_markdown(Record(), shown, seed=1, seconds=1.0)
    assert told.startswith(f"## {title}: {shown.sentence}\n")
    assert "fingerprint" not in told


def test_mutants_are_counted_and_survivors_named() -> None:
    kills = tuple({"name": name, "rule": "R", "by": "shape", "killed": name != "Alive"} for name in ("Alive", "Dead"))
    told = mutants_markdown(Record(kills=kills))
    assert (told.splitlines()[0], "| Alive | R | shape |" in told, "Dead" in told) == (
        "## Mutants, red: 1 of 2 hunts for wrong rules ended in a kill",
        True,
        False,
    )


def test_cells_hold_no_bar_and_no_line_break() -> None:
    assert table(("a",), [("x|y\nz",)])[2] == "| x\\|y z |"
    assert table(("a",), []) == []


def test_the_summary_goes_where_the_job_says(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    for text in ("one", "two"):
        add_to_job_summary(text, {VARIABLE: str(file)})
        add_to_job_summary(text, {})
    assert file.read_text() == "one\ntwo\n"


TRIED = evaluation(stats(), counterexamples=("rule finding[Mine]\n  spark ```",))


@pytest.mark.parametrize(
    ("tried", "lines"),
    [
        (replace(TRIED, counterexamples=()), ["## Mine@optimizer: acquitted", f"{headline(TRIED)}"]),
        (replace(TRIED, point=""), ["## Mine: acquitted", "````text", "rule finding[Mine]", "  spark ```", "````"]),
        (evaluation(stats(fired=0, differed=0, agreed=0)), ["## Mine@optimizer: never fired"]),
    ],
    ids=["acquitted", "a counterexample, of a rule of Spark's", "never fired"],
)
def test_the_trial_of_a_rule_is_told(tried: RuleEvaluation, lines: list[str]) -> None:
    told = evaluations_markdown([tried, tried], ["red: 1 fault"], seed=7).splitlines()
    assert [line for line in lines if told.count(line) != 2] == []
    assert told[-2:] == ["- red: 1 fault", "Again with `--hypothesis-seed 7`."]


FOUND = failure(confirmed=True)


def test_an_issue_has_a_title_the_failure_and_the_way_back(tmp_path: Path) -> None:
    file = write_failure(tmp_path, FOUND)
    text = issue_text(FOUND, file, seen=3)
    assert text.startswith(f"# rule finding, ReplaceExceptWithFilter, blame on ({FOUND.fingerprint})\n")
    assert f"tox run -e replay -- {file.name}" in text
    assert ("SELECT 'in DuckDB'" in text, "seen 3 times" in text, "details" in text) == (True, True, False)


def test_an_issue_has_the_script(tmp_path: Path) -> None:
    found = replace(FOUND, stock=Stock("confirmed"))
    file = write_failure(tmp_path, found, 'print("```")\n')
    text = issue_text(found, file, seen=1)
    assert '````python\nprint("```")\n````' in text
    assert "confirmed on stock Spark" in text


def test_an_issue_names_the_spark_that_showed_it(tmp_path: Path) -> None:
    found = replace(FOUND, subject=Subject(spark_home="/opt/my spark"))
    file = write_failure(tmp_path, found, "print(1)\n")
    text = issue_text(found, file, seen=1)
    assert f"`tox run -e replay -- --spark-home '/opt/my spark' --register {file.name}`" in text
    assert f"SPARK_HOME=&#x27;/opt/my spark&#x27; python {file.stem}.py</code>" in text


def test_a_script_that_is_too_long_is_left_out(tmp_path: Path) -> None:
    file = write_failure(tmp_path, FOUND, "#" * 70_000)
    text = issue_text(FOUND, file, seen=1)
    assert ("too long for here" in text, len(text) < 65_536) == (True, True)


def test_an_issue_is_never_too_long(tmp_path: Path) -> None:
    long = replace(FOUND, sql={"spark": "x" * 100_000 + "\ny"})
    text = issue_text(long, write_failure(tmp_path, long), seen=1)
    assert (len(text) < 65_536, "tox run -e replay" in text) == (True, True)


def test_issues_are_files_by_fingerprint(tmp_path: Path) -> None:
    (path,) = write_issues(tmp_path / "issues", [(write_failure(tmp_path, FOUND), 2)])
    assert path == tmp_path / "issues" / f"{FOUND.fingerprint}.md"
    assert path.read_text().splitlines()[0] == f"# {title(FOUND)}"


def test_a_campaign_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "summary.md"))
    state = CampaignState()
    state.finished(round_of())
    state.found(FINDING, None)
    add_campaign_summary(Folder(tmp_path / "campaign"), state, FOUND_TWO, RED, 12.0)
    lines = (tmp_path / "summary.md").read_text().splitlines()
    assert lines[0] == f"## Campaign, red: {FOUND_TWO.sentence}"
    assert "| SPARK-1 | 1 |" in lines


def test_findings_and_what_is_red_are_tests_that_failed(tmp_path: Path) -> None:
    file = write_failure(tmp_path, replace(FOUND, sql={"spark": "a \x00 b"}))
    suites = ElementTree.fromstring(junit([FOUND.summary(file), {**FINDING, "file": "gone.json"}], FOUND_TWO, RED, 1.5))
    (suite,) = suites
    assert (suite.get("tests"), suite.get("failures")) == ("4", "3")
    cases = {case.get("name"): case.findall("failure") for case in suite}
    assert set(cases) == {"checks", FOUND.fingerprint, FINDING["fingerprint"], "raised"}
    assert cases["checks"] == []
    assert "a \ufffd b" in (cases[FOUND.fingerprint][0].text or "")


def test_a_green_campaign_is_one_test_that_passed_and_says_what_it_has_shown() -> None:
    (suite,) = ElementTree.fromstring(junit([], GOOD, [], 1.0))
    assert (suite.get("tests"), suite.get("failures"), len(suite)) == ("1", "0", 1)
    assert [each.text for each in suite.iter("system-out")] == [GOOD.sentence]


def test_a_broken_ceiling_is_a_test_that_failed_with_its_line() -> None:
    (suite,) = ElementTree.fromstring(junit([], POOR, POOR.red, 1.0))
    assert suite.get("failures") == "1"
    assert [(case.get("name"), failure.text) for case in suite for failure in case.findall("failure")] == [
        ("raised", "red: raised: 20 of 1000")
    ]
