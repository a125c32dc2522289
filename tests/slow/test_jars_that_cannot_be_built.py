"""Runs of tests in a checkout whose Scala doesn't compile end in one line, as soon as that is known."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("assay", "oracles", "strategies", "jars", "tests")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """The project in another folder, with a type error in the Scala of its main jar."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("target", "__pycache__"))
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    broken = folder / "jars" / "src" / "main" / "scala" / "Broken.scala"
    broken.write_text('object Broken { val number: Int = "text" }\n')
    return folder


@pytest.mark.parametrize("workers", [0, 2])
def test_it_ends_before_the_first_test(checkout, workers):
    asked = [sys.executable, "-m", "pytest", "-q", "-n", str(workers), "-p", "no:cacheprovider", "--assay-run", "rules"]
    done = subprocess.run(
        [*asked, "tests/rules/test_regressions.py", "tests/rules/test_check.py"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stdout.splitlines() if "its Scala doesn't compile" in line]
    assert (done.returncode, len(said), "no tests ran" in done.stdout) == (4, 1, True), done.stdout + done.stderr
