"""The wheel, in an environment of its own, run from an empty folder: what it holds, what it needs, and one verdict."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pyspark
import pytest
import tomllib

from tests.cli.assay import ROOT, RULES

EXTRA = "spark" + "".join(pyspark.__version__.split(".")[:2])


def run(*command: object, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """``command`` with an environment in which nothing leads back to the checkout."""
    ours = ("PYTEST_", "TOX_", "PYTHONPATH", "VIRTUAL_ENV")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env={**plain, **environ}, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", folder, ROOT, cwd=folder)
    assert built.returncode == 0, built.stderr
    (file,) = folder.glob("assay-*.whl")
    return file


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """A virtual environment with the wheel and this Spark."""
    folder = tmp_path_factory.mktemp("environment")
    for command in (
        [sys.executable, "-m", "venv", folder],
        [folder / "bin" / "python", "-m", "pip", "install", "--quiet", f"{wheel}[{EXTRA}]"],
    ):
        done = run(*command, cwd=folder)
        assert done.returncode == 0, done.stderr
    yield folder
    shutil.rmtree(folder)


def test_the_wheel_holds_every_file_of_its_packages(wheel):
    """A pattern of .gitignore may keep a package out."""
    tops = ("assay", "jars", "oracles", "strategies")
    listed = run("git", "ls-files", *tops, cwd=ROOT).stdout.split()
    held = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert len(listed) > 500
    assert held == set(listed)


def test_the_wheel_asks_for_the_groups_of_the_project(wheel):
    with ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith("METADATA")]
        asked = message_from_string(archive.read(name).decode()).get_all("Requires-Dist")
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    pins = [f"{each}; extra == '{EXTRA}'" for each in groups[EXTRA] if "==" in each]
    assert f"pyspark=={pyspark.__version__}; extra == '{EXTRA}'" in pins
    assert {*pins, *(each for each in groups["installed"] if "==" in each)} <= set(asked)
    assert len([each for each in asked if "extra ==" not in each]) == len(groups["installed"])
    assert len([each for each in asked if "extra == 'proof'" in each]) == len(groups["proof"])


def test_a_wrong_rule_is_convicted_from_an_empty_folder(environment, tmp_path):
    assay, here = environment / "bin" / "assay", tmp_path / "here"
    here.mkdir()
    shutil.copy(RULES / "DropsFilters.scala", here)
    asked = ("--rule", "DropsFilters.scala", "--hypothesis-seed", 3, "--max-examples", 60, "--scale", 0)
    summary, cache = tmp_path / "summary.md", tmp_path / "cache"
    where = {"GITHUB_STEP_SUMMARY": str(summary), "XDG_CACHE_HOME": str(cache)}
    ended = run(assay, "check-rule", *asked, cwd=here, **where)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "convicted (another answer): " in ended.stdout
    (failure,) = (here / "failures").glob("*.json")
    assert f"replay   assay replay {failure}" in ended.stdout
    assert summary.read_text().startswith("## DropsFilters@optimizer: convicted\n")
    assert [path.name for path in (cache / "assay" / "jars").glob("*/assay-[0-9]*.jar")] != []
    assert list(environment.rglob("target")) == []

    again = run(assay, "replay", failure, cwd=here, **where)
    assert (again.returncode, "rule finding[DropsFilters], blame on" in again.stdout) == (1, True), again.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--version"], 0, "assay 0.1.0"),
        (["--help"], 0, "check-rule"),
        (["check-rule"], 2, "name a rule with --rule"),
        (["check-rule", "--rule", "none.scala"], 2, "no such file"),
        (["fuzz"], 2, "needs a clone"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_command_is_there(environment, tmp_path, arguments, code, said):
    ended = run(environment / "bin" / "assay", *arguments, cwd=tmp_path)
    assert (ended.returncode, said in ended.stdout + ended.stderr) == (code, True), ended.stdout + ended.stderr
    assert code == 0 or len(ended.stderr.splitlines()) == 1
