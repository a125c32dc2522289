"""``replay --register`` refuses a finding whose parts many of the drawn cases have, before it starts an engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.commands.cli import main
from assay.fuzz.corpus import CORPUS
from assay.session.ending import Exit
from oracles.failures.failure import Subject, failure_of, write_failure
from oracles.triage.divergences import KNOWN
from strategies.ir import INT, Compare, Filter, Lit
from tests.unit.failure_samples import T0, VERSIONS, A, case_of, checked_of

pytestmark = pytest.mark.slow  # 5,000 draws take a minute or two

NARROW = CORPUS / "6fea37f7a962ce32.json"


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    """A finding that is made of what many queries are made of."""
    checked = checked_of(case_of(Filter(T0, Compare("=", A, Lit(INT, 0)))))
    made = failure_of(checked, (), subject=Subject(), versions=VERSIONS, sql={}, seed=1, confirmed=True)
    return write_failure(tmp_path, made)


def test_a_finding_whose_parts_many_draws_have_is_not_registered(wide: Path, capsys: pytest.CaptureFixture) -> None:
    before = KNOWN.read_text(encoding="utf-8")
    assert main(["replay", "--register", str(wide)]) == Exit.BAD_INPUT
    (line,) = capsys.readouterr().err.splitlines()
    assert str(wide) in line
    assert "% of 5,000 draws, more than 0.2 %" in line
    assert KNOWN.read_text(encoding="utf-8") == before


def test_beside_a_wide_one_none_is_registered(wide: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["replay", "--register", str(NARROW), str(wide)]) == Exit.BAD_INPUT
    assert str(wide) in capsys.readouterr().err


def test_a_finding_whose_parts_few_draws_have_is_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """The command asks for the session next, which can't be made here."""
    assert main(["replay", "--register", str(NARROW), "--rule-jar", str(tmp_path / "none.jar")]) == Exit.BAD_INPUT
    told = capsys.readouterr().err
    assert "none.jar" in told
    assert "draws" not in told
