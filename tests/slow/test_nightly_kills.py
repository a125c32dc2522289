"""kill -9 of a whole campaign, again and again, at moments that nobody chose."""

from __future__ import annotations

import json
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.ledger.folder import Folder
from assay.ledger.read import Ledger
from oracles.failures.failure import read_failure
from tests.slow.nightly_runs import Running, rule

KILLS = int(os.environ.get("ASSAY_KILLS", "3"))
"""Of each campaign; with 20 the test takes some minutes: ``ASSAY_KILLS=20 tox run -e cli -- -k kills``."""

_LATEST = 12.0
"""Seconds after which a campaign is killed at the latest: its start, its first rounds and findings are all in there."""


@dataclass(frozen=True)
class Kill:
    """The files right before a kill, and the findings afterwards."""

    rounds: frozenset[int]
    guilty: frozenset[tuple[str, ...]]
    told: frozenset[str]
    rounds_after: tuple[int, ...]
    guilty_after: frozenset[tuple[str, ...]]
    kept_after: frozenset[str]
    begun_after: int | None


def numbers(folder: Folder) -> list[int]:
    return [one.id.number for one in folder.read_rounds()]


def guilty(folder: Folder) -> frozenset[tuple[str, ...]]:
    return frozenset(read_failure(file).rules for file in folder.findings.glob("*.json"))


def kept(folder: Folder) -> frozenset[str]:
    files = [*folder.findings.glob("*.json"), *folder.originals.glob("*.json")]
    return frozenset(read_failure(file).fingerprint for file in files)


def begun(folder: Folder) -> int | None:
    """The number of the round that was in flight, as the worker had it on disk; None where it was at no round."""
    path: Path = folder.current_case(0)
    current_case = json.loads(path.read_text()) if path.exists() else {}
    return int(current_case["round"].rpartition("-")[2]) if "round" in current_case else None


def told(text: str) -> frozenset[str]:
    """The findings that the campaign had spoken of in whole lines."""
    lines = [line for line in text.splitlines(keepends=True) if line.startswith("finding ") and line.endswith("\n")]
    return frozenset(line.split()[1].rstrip(":") for line in lines)


@pytest.fixture(scope="module")
def kills(tmp_path_factory):
    """A campaign about a wrong rule, killed at random moments, each time started again; then one that is let live."""
    out = tmp_path_factory.mktemp("kills") / "c"
    options = ("--budget", "1h", *rule("DropsFilters"))
    draw = random.Random(os.urandom(8))
    kills = []
    for turn in range(KILLS):
        with Running(out, *options) as run:
            if turn % 2:
                run.until_rounds(1)  # later than any random moment of a slow machine
            time.sleep(draw.uniform(0, _LATEST))
            rounds, found = frozenset(numbers(run.folder)), guilty(run.folder)
            run.kill()
        folder = run.folder
        after = (tuple(numbers(folder)), guilty(folder), kept(folder), begun(folder))
        kills.append(Kill(rounds, found, told(run.text), *after))
    with Running(out, *options) as run:
        run.until_rounds(2)
        run.interrupt()
    return kills, run


def test_kills_lose_no_round_that_was_finished(kills):
    for kill in kills[0]:
        assert kill.rounds <= set(kill.rounds_after)


def test_kills_lose_at_most_the_round_in_flight(kills):
    for kill in kills[0]:
        last = max(kill.rounds_after, default=0)
        assert kill.begun_after in (None, last, last + 1)
        assert sorted(kill.rounds_after) == list(range(1, last + 1))


def test_kills_lose_no_finding(kills):
    for kill, later in zip(kills[0], [*kills[0][1:], None], strict=True):
        assert kill.guilty <= kill.guilty_after
        assert kill.told <= kill.kept_after
        assert later is None or kill.kept_after <= later.kept_after


def test_a_campaign_that_was_killed_goes_on(kills):
    seen, run = kills
    rounds = run.folder.read_rounds()
    assert len(rounds) >= len(seen[-1].rounds_after) + 2
    (file,) = run.folder.findings.glob("*.json")
    assert read_failure(file).rules == ("DropsFilters",)
    with Ledger([run.folder.path]) as ledger:
        assert ledger.totals()["checks"] == sum(one.checks for one in rounds)
        assert 1 <= len(ledger.query("SELECT * FROM runs")) <= KILLS + 1
