"""``tox run`` ends in one result for one commit, whatever the variables, the history and the name of the checkout."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path

import pytest
import tomllib

from tests.cli.tiny_tox import TOX, callers_environ

ROOT = Path(__file__).resolve().parents[2]
VARIABLES = {
    "none": {},
    "CI": {"CI": "true", "GITHUB_ACTIONS": "true", "HYPOTHESIS_PROFILE": "ci"},
    "another profile": {"HYPOTHESIS_PROFILE": "nightly"},
}

# Whoever sorts nothing sees the order of a set of texts; characters are what Hypothesis keeps a file about.
PROBE = """
from hypothesis import given, strategies as st

drawn = []

@given(st.integers(), st.text(st.characters(categories=["Lu"])))
def test_draws(number, text):
    drawn.append((number, text))

def test_prints():
    print("drawn", len(drawn), ascii(drawn), list({"a", "b", "c", "d", "e"}))
"""

# The cases of a seed, with as little imported as that takes, or with more.
DRAWN = """
import sys, hashlib
sys.path.insert(0, ".")
if sys.argv[1:]:
    __import__(sys.argv[1])
from hypothesis import HealthCheck, Phase, given, seed, settings
from assay.fuzz.case_mix import fuzz_cases
from strategies.shapes import load_shapes

texts = []

@seed(1)
@settings(max_examples=100, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=HealthCheck)
@given(fuzz_cases(load_shapes(), ()))
def draw(case):
    texts.append(repr(case))

draw()
print(len(texts), hashlib.sha256("".join(texts).encode()).hexdigest())
"""


@dataclass(frozen=True)
class Configured:
    """The run of an environment by tox, under some variables: its command without python, and those that it sets."""

    command: tuple[str, ...]
    sets: dict[str, str]


def configured(environment: str, variables: dict[str, str]) -> Configured:
    """The run that tox would make, as it says itself."""
    asked = [*TOX, "config", "-e", environment, "-k", "commands", "set_env"]
    environ = {**_bare(), **variables}
    text = subprocess.run(asked, cwd=ROOT, env=environ, check=True, capture_output=True, text=True).stdout
    said = ConfigParser(interpolation=None, delimiters="=", allow_no_value=True)
    said.read_string(text)
    section = said[f"testenv:{environment}"]
    _, *command = shlex.split(section["commands"])
    sets = dict(line.split("=", 1) for line in section["set_env"].split("\n") if line)
    ours = {name: value for name, value in sets.items() if name.startswith(("HYPOTHESIS_", "PYTHONHASHSEED"))}
    return Configured(tuple(command), ours)


def run(
    environment: str, variables: dict[str, str], folder: Path, *, instead: str = "", options: tuple[str, ...]
) -> str:
    """The output of the command of ``environment``, as tox runs it; over the tests of ``instead``, if it names some."""
    known = configured(environment, variables)
    folders = [word for word in known.command if word.startswith("tests/")]
    assert bool(folders) == bool(instead)
    command = [instead if folders and word == folders[0] else word for word in known.command if word not in folders[1:]]
    at = command.index("--junitxml")
    del command[at : at + 2]
    environ = {**_bare(), **variables, **known.sets, "PYTHONPATH": str(ROOT)}
    asked = [sys.executable, *command, "-n", "0", "-p", "no:cacheprovider", *options]
    # Where no test is run there is no evidence, which is red.
    return subprocess.run(asked, cwd=folder, env=environ, check=False, capture_output=True, text=True).stdout


def _bare() -> dict[str, str]:
    ours = ("CI", "GITHUB_", "HYPOTHESIS_", "PYTHONHASHSEED")
    return {name: value for name, value in callers_environ().items() if not name.startswith(ours)}


def env_list() -> list[str]:
    tox = ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini")
    return tox["tox"]["env_list"].split()


def environments_of(command: str) -> list[str]:
    """The environments of a plain ``tox run`` that run a command of Assay's."""
    return [name for name in env_list() if configured(name, {}).command[:3] == ("-m", "assay", command)]


def header(text: str) -> str:
    """The line that says with which seed the run goes on."""
    return next(line for line in text.splitlines() if line.startswith("assay: "))


@pytest.mark.parametrize("command", ["fuzz", "mutants"])
def test_no_variable_changes_what_is_checked(command, tmp_path):
    (environment,) = environments_of(command)
    texts = [run(environment, each, tmp_path, options=("--", "--collect-only", "-q")) for each in VARIABLES.values()]
    seeds = [re.findall(r"--hypothesis-seed \d+", text) for text in texts]
    items = [[line for line in text.splitlines() if line.startswith("tests/")] for text in texts]
    assert (seeds[1:], items[1:]) == (seeds[:-1], items[:-1])
    assert all(items)


@pytest.mark.parametrize("command", ["fuzz", "mutants"])
def test_the_seed_is_kept_in_the_repository(command):
    (environment,) = environments_of(command)
    assert "--hypothesis-seed" in configured(environment, {}).command


def test_the_number_of_checks_is_kept_in_the_repository():
    (environment,) = environments_of("fuzz")
    command = configured(environment, {}).command
    assert "--max-examples" in command


def test_the_suites_own_tests_take_the_same_examples_each_time(tmp_path):
    (tmp_path / "test_probe.py").write_text(PROBE)
    asked = {"instead": "test_probe.py", "options": ("-p", "conftest", "-s")}
    texts = [run("tests", each, tmp_path, **asked) for each in (*VARIABLES.values(), {})]
    drawn = [re.findall(r"drawn (.+)", text) for text in texts]
    assert drawn[1:] == drawn[:-1]
    assert int(drawn[0][0].split()[0]) > 50


@pytest.mark.slow  # as above
def test_examples_differ_where_one_says_so(tmp_path):
    (tmp_path / "test_probe.py").write_text(PROBE)
    asked = {"instead": "test_probe.py", "options": ("-p", "conftest", "-s", "--hypothesis-profile", "dev")}
    texts = [re.findall(r"drawn (.+)", run("tests", {}, tmp_path, **asked)) for _ in range(2)]
    assert texts[0] != texts[1]


def test_nothing_is_kept_for_the_next_run(tmp_path):
    (tmp_path / "test_probe.py").write_text(PROBE)
    run("tests", {}, tmp_path, instead="test_probe.py", options=("-p", "conftest"))
    assert [path.name for path in tmp_path.iterdir() if path.name == ".hypothesis"] == []


@pytest.mark.slow  # two runs of tox
@pytest.mark.parametrize("name", ["none", "CI"])
def test_fuzz_draws_a_new_seed_each_time(name, tmp_path):
    options = ("--", "--collect-only")
    assert len({header(run("fuzz", VARIABLES[name], tmp_path, options=options)) for _ in range(2)}) == 2


def test_fuzz_takes_the_seed_that_it_is_told(tmp_path):
    options = ("--hypothesis-seed", "7", "--", "--collect-only")
    assert "--hypothesis-seed 7," in header(run("fuzz", {"CI": "true"}, tmp_path, options=options))


def drawn(folder: Path, *more: str, hash_seed: str = "1") -> str:
    """A digest of the cases that a seed draws in a checkout."""
    environ = {**_bare(), "PYTHONHASHSEED": hash_seed, "HYPOTHESIS_STORAGE_DIRECTORY": os.devnull}
    asked = [sys.executable, "-c", DRAWN, *more]
    return subprocess.run(asked, cwd=folder, env=environ, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def drawn_here():
    return drawn(ROOT)


def test_a_seed_draws_the_same_whatever_has_been_imported(drawn_here):
    assert drawn(ROOT, "assay.campaign.main") == drawn_here


def test_a_seed_draws_the_same_for_every_order_of_sets(drawn_here):
    assert drawn(ROOT, hash_seed="2") == drawn_here


def test_a_seed_draws_the_same_in_a_checkout_below_a_folder_called_tests(drawn_here, tmp_path):
    checkout = tmp_path / "tests" / "checkout"
    for name in ("assay", "oracles", "strategies", "jars"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("target", "__pycache__"))
    assert drawn(checkout) == drawn_here


def test_the_release_of_hypothesis_is_one():
    """Another one draws other cases from the same seed."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    asked = [each for group in groups.values() for each in group if str(each).startswith("hypothesis")]
    assert [re.fullmatch(r"hypothesis==[\d.]+", each) is not None for each in asked] == [True]
