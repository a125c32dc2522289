"""Witnesses beside a campaign: what is said of them, and that they never outlive it; the process is a small one."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from assay.campaign.witnesses import Witnesses

_LIMIT = 60.0


def run(tmp_path: Path, program: str) -> tuple[Witnesses, list[str]]:
    """``program`` in the witnesses' place, to its end."""
    told: list[str] = []
    witnesses = Witnesses(logs=tmp_path / "logs", tell=told.append, command=(sys.executable, "-c", program))
    witnesses.start()
    end = time.monotonic() + _LIMIT
    while not told and time.monotonic() < end:
        witnesses.look()
        time.sleep(0.02)
    return witnesses, told


def test_a_witness_that_fails_no_more_makes_its_entry_stale(tmp_path: Path) -> None:
    witnesses, told = run(tmp_path, """print('noise\\n{"A": true, "B": false, "C": true}')""")
    assert (witnesses.ended, witnesses.stale) == (True, ["B"])
    assert told == [
        "known divergences: 2 of 3 witnesses fail as they should",
        "stale: B: its witness does not fail any more: delete the entry, if the bug is mended",
    ]


@pytest.mark.parametrize("program", ["raise SystemExit(3)", "pass"], ids=["it fails", "it says nothing"])
def test_witnesses_that_could_not_be_run_make_nothing_stale(tmp_path: Path, program: str) -> None:
    witnesses, told = run(tmp_path, program)
    assert (witnesses.ended, witnesses.stale, len(told)) == (False, [], 1)
    assert "could not be run" in told[0]


def test_witnesses_end_with_their_campaign(tmp_path: Path) -> None:
    told: list[str] = []
    witnesses = Witnesses(
        logs=tmp_path, tell=told.append, command=(sys.executable, "-c", "import time; time.sleep(1000)")
    )
    witnesses.start()
    witnesses.look()
    witnesses.end()
    witnesses.look()
    assert (witnesses.ended, told) == (False, [])


def test_witnesses_that_were_never_started_end_too(tmp_path: Path) -> None:
    Witnesses(logs=tmp_path, tell=lambda told: None).end()
    assert list(tmp_path.iterdir()) == []
