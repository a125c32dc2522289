"""Each known divergence is still there: its witness fails on a plain session, with no more of Assay's than a source."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from importlib.metadata import version

import pytest

from oracles.triage.divergences import load

ENTRIES = load()
HERE = [entry for entry in ENTRIES if entry.covers(version("pyspark"))]


@pytest.fixture(scope="module")
def witnessed():
    done = subprocess.run(
        [sys.executable, "-m", "oracles.triage.witness"], capture_output=True, text=True, timeout=900, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("entry", HERE, ids=[entry.id for entry in HERE])
def test_a_witness_still_fails(witnessed, entry):
    """One that doesn't is stale: the bug is mended, and the entry has to go."""
    assert witnessed[entry.id]


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.id for entry in ENTRIES])
def test_an_entry_has_not_expired(entry):
    """An expired entry excuses nothing; it is looked at again, and renewed or deleted."""
    assert date.today() <= entry.expires
