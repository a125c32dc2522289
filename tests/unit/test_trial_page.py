"""The page of a trial: its first word is the worst verdict, and nothing in it is a finding's own markup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from assay.evaluation.rule_evaluation import RuleEvaluation
from assay.evaluation.timing import Timing
from assay.evaluation.verdict_text import ending_line
from assay.fuzz.finding import Finding, signature
from assay.report.render import render_trial
from assay.report.trial import trial_page
from oracles.checks.result import CheckResult
from oracles.failures.failure import Failure, script_path, write_failure
from tests.unit.failure_samples import checked_of, failure
from tests.unit.page_samples import HOSTILE, PLANS, hostile
from tests.unit.test_page_render import Seen
from tests.unit.test_verdict_text import evaluation, stats

HEAD = {"spark": "4.3.0", "duckdb": "2.0.1", "seed": 3, "seconds": 12.0}
TIMED = Timing("SELECT 1", 500, (10.0, 12.0, 11.0), (20.0, 21.0, 19.0))


def finding(told: Failure, folder: Path) -> Finding:
    """``told`` as a trial has it, on disk with a script."""
    checked: CheckResult = checked_of(told.case)
    file = write_failure(folder, told, "print()")
    return Finding(
        checked=checked,
        rules=told.rules,
        signature=signature(checked),
        file=file,
        fingerprint=told.fingerprint,
        failure=told,
        recorded=checked,
    )


def page_text(evaluations: Sequence[RuleEvaluation], red: Sequence[str] = ()) -> str:
    return render_trial(trial_page(evaluations, HEAD, red))


def convicted(folder: Path) -> RuleEvaluation:
    told = replace(failure(confirmed=True), plans={"Mine": PLANS})
    return replace(evaluation(stats()), findings=[finding(told, folder)])


ACQUITTED = evaluation(stats(), timings=[TIMED])
NEVER = evaluation(stats(fired=0, differed=0, agreed=0, verdicts=Counter()))
THIN = evaluation(stats(fired=3, differed=3, agreed=3))


@pytest.mark.parametrize(
    ("evaluations", "red", "title", "mood"),
    [
        ([ACQUITTED], (), "Mine@optimizer: acquitted", "good"),
        ([NEVER], (), "Mine@optimizer: never fired", "poor"),
        ([ACQUITTED, THIN], (), "thin evidence: Mine@optimizer · acquitted: Mine@optimizer", "poor"),
        ([replace(ACQUITTED, point="")], ("a JVM was lost",), "Mine: Assay itself failed", "bad"),
    ],
    ids=["acquitted", "never fired", "the worst of two", "a fault of the suite's"],
)
def test_the_first_word_is_the_worst_verdict(
    evaluations: Sequence[RuleEvaluation], red: Sequence[str], title: str, mood: str
) -> None:
    page = trial_page(evaluations, HEAD, red)
    assert (page.title, page.mood) == (title, mood)
    text = page_text(evaluations, red)
    assert f"mood-{mood}" in text
    assert all(line in text for line in red)


def test_a_conviction_outweighs_an_acquittal(tmp_path: Path) -> None:
    page = trial_page([ACQUITTED, convicted(tmp_path)], HEAD, ())
    assert (page.title, page.mood) == ("convicted: Mine@optimizer · acquitted: Mine@optimizer", "bad")


def test_each_of_several_rules_stands_beside_its_own_verdict(tmp_path: Path) -> None:
    tried = [("A", THIN), ("B", NEVER), ("C", convicted(tmp_path)), ("D", THIN), ("E", convicted(tmp_path))]
    held = [replace(each, rule=rule, point="") for rule, each in tried]
    told = "convicted: C, E · thin evidence: A, D · never fired: B"
    assert (trial_page(held, HEAD, ()).title, ending_line(held)) == (told, told)


def test_a_counterexample_has_its_plans_side_by_side_and_its_script(tmp_path: Path) -> None:
    held = convicted(tmp_path)
    (card,) = trial_page([held], HEAD, ()).rules[0].cards
    (plans,) = card.plans
    assert plans.rule == "Mine"
    assert len(plans.before) == len(plans.after)
    assert card.commands[0] == f"python {script_path(held.findings[0].file)}"
    assert card.commands[0] in page_text([held])


@pytest.mark.parametrize("part", ["812", "640", "Except", "SELECT 1", "1.73-2.00"])
def test_the_evidence_is_on_it(part: str) -> None:
    assert part in page_text([ACQUITTED])


def test_no_text_of_a_finding_becomes_markup(tmp_path: Path) -> None:
    held = replace(evaluation(stats()), rule=HOSTILE, findings=[finding(hostile(), tmp_path)])
    seen = Seen(page_text([held], [HOSTILE]))
    assert [tag for tag, _ in seen.elements if tag in ("img", "script")] == []
    assert HOSTILE in "".join(seen.texts)
