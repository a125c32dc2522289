"""The ending of a trial: it is printed, with its exit code, whatever can't be written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from assay.evaluation.check_rule import conclude
from assay.evaluation.rule_evaluation import RuleEvaluation
from assay.fuzz.incident_log import IncidentLog
from assay.session.ending import Exit
from tests.unit.command_lines import shared
from tests.unit.test_trial_page import ACQUITTED, HEAD, NEVER


def ended(evaluations: Sequence[RuleEvaluation], summary: Path) -> tuple[int, list[str]]:
    """The exit code and the printed lines."""
    console = Console(file=StringIO(), width=40)
    options = replace(shared(), summary_json=summary)
    log = IncidentLog(options.failures, lambda incident: None)
    code = conclude(options, console, evaluations, HEAD, log, lambda *told: None)
    return code, console.file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("tried", "code"), [(ACQUITTED, Exit.GREEN), (NEVER, Exit.UNDECIDED)], ids=lambda each: getattr(each, "outcome", "")
)
def test_a_summary_that_can_not_be_written_changes_no_verdict(tried: RuleEvaluation, code: Exit) -> None:
    assert ended([tried], Path("/proc/nope/s.json")) == (
        code,
        [
            "--summary-json /proc/nope/s.json: can't be written: No such file or directory",
            "again with: --hypothesis-seed 7",
        ],
    )


def test_the_last_line_after_several_rules_gives_each_its_verdict(tmp_path: Path) -> None:
    code, lines = ended([NEVER, ACQUITTED], tmp_path / "s.json")
    assert (code, lines[-1]) == (Exit.UNDECIDED, "never fired: Mine@optimizer · acquitted: Mine@optimizer")
    assert (tmp_path / "s.json").is_file()
