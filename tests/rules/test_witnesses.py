"""Each known divergence is still there: its witness fails on a plain session, without anything of Assay's.

The script of its page in the gallery shows it, too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date
from importlib.metadata import version

import pytest

from docs.gallery_pages import load as pages
from docs.gallery_pages import script
from oracles.engines.spark.java import java_environment
from oracles.triage.divergences import load

ENTRIES = load()
HERE = [entry for entry in ENTRIES if entry.covers(version("pyspark"))]


@pytest.fixture(scope="module")
def witnessed():
    done = subprocess.run(
        [sys.executable, "-m", "oracles.triage.witness"], capture_output=True, text=True, timeout=900, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("entry", HERE, ids=[entry.id for entry in HERE])
def test_a_witness_still_fails(witnessed, entry):
    """One that doesn't is stale: the bug is mended, and the entry has to go."""
    assert witnessed[entry.id]


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.id for entry in ENTRIES])
def test_an_entry_has_not_expired(entry):
    """An expired entry excuses nothing; it is looked at again, and renewed or deleted."""
    assert date.today() <= entry.expires


SCRIPTS = {
    "SPARK-58383": [
        "under default settings:",
        *("  Row(a=3)", "  Row(a=4)"),
        "under other settings:",
        *("  Row(a=2)", "  Row(a=4)"),
        "they differ",
    ],
    "duckdb-limit-over-full-join": ["with the optimizer:", "  (2,)", "without it:", "  (1,)", "they differ"],
}


@pytest.mark.parametrize(("name", "lines"), SCRIPTS.items(), ids=SCRIPTS)
def test_the_script_of_the_gallery_prints_both_answers(name, lines, tmp_path):
    ((entry, _),) = [each for each in pages() if each[0]["id"] == name]
    done = subprocess.run(
        [sys.executable, "-c", script(entry, None)],
        cwd=tmp_path,
        env={**os.environ, **java_environment()},
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
    )
    assert done.stdout.splitlines()[-len(lines) :] == lines
