"""The script on a page of the gallery shows the bug on a plain session, without anything of Assay's."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from docs.gallery_pages import load as pages
from docs.gallery_pages import script
from oracles.engines.spark.java import java_environment

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
