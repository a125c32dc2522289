"""TPC-DS as users would run it: 99 queries, laid out by a DuckDB of its own, over hostile rows and over its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.assay import ROOT

NAMES = [f"q{number:02}" for number in range(1, 100)]


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tpcds")
    environment = folder / "tox"
    command = [sys.executable, "-m", "tox", "run", "-q", "--workdir", environment, "-e", "tpcds", "--", "ds", "0.01"]
    subprocess.run([*command, "-c", ROOT], cwd=folder, check=True)
    return folder
