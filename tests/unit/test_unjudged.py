"""Findings without attribution are on disk until they are settled: all those of one check."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.fuzz.unjudged import Unjudged, unjudged_files
from tests.unit.failure_samples import case_of, checked_of, failure


@pytest.mark.parametrize(("settled", "left"), [(True, 0), (False, 2)], ids=["settled", "open"])
def test_the_findings_of_a_check_over_two_databases_are_released_together(
    settled: bool, left: int, tmp_path: Path
) -> None:
    unjudged = Unjudged(tmp_path)
    for number in (1, 2):
        unjudged.hold(failure(checked_of(case_of(rows=((number, "x"),)))))
    assert len(unjudged_files(tmp_path)) == 2
    unjudged.release(settled=settled)
    assert len(unjudged_files(tmp_path)) == left


def test_a_finding_that_stays_open_is_not_released_with_the_next_one(tmp_path: Path) -> None:
    unjudged = Unjudged(tmp_path)
    unjudged.hold(failure(checked_of(case_of(rows=((1, "x"),)))))
    unjudged.release(settled=False)
    unjudged.hold(failure(checked_of(case_of(rows=((2, "x"),)))))
    unjudged.release(settled=True)
    assert len(unjudged_files(tmp_path)) == 1
