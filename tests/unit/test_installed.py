"""An Assay outside of a checkout: where its jars go, what it has, and what it says of what is missing."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import tomllib

from assay.commands import cli
from assay.session import session
from assay.session.ending import Exit
from jars.build import BuildError, build, is_checkout, jar_folder, only_one
from oracles.engines.spark.java import find_java
from oracles.failures import again
from oracles.failures.failure import Subject
from oracles.failures.text import render
from tests.unit.failure_samples import failure

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The folder ``jars`` of an installation."""
    folder = tmp_path / "site-packages" / "jars"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "One.scala").write_text("object One")
    return folder


def test_a_checkout_keeps_its_jars_beside_the_sources(tmp_path: Path) -> None:
    assert is_checkout(ROOT / "jars")
    assert jar_folder(ROOT / "jars", {"XDG_CACHE_HOME": str(tmp_path)}) == ROOT / "jars" / "target"


@pytest.mark.parametrize(
    ("environ", "cache"),
    [({"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/c/assay"), ({"HOME": "/h"}, "/h/.cache/assay")],
    ids=["XDG_CACHE_HOME", "HOME"],
)
def test_an_installation_keeps_its_jars_in_the_users_cache(installed, environ, cache) -> None:
    assert jar_folder(installed, environ).parent == Path(cache, "jars")


def test_the_folder_is_named_after_the_content_of_the_sources(installed: Path) -> None:
    first = jar_folder(installed, {})
    assert jar_folder(installed, {}) == first
    (installed / "src" / "One.scala").write_text("object Two")
    assert jar_folder(installed, {}) != first


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(BuildError, match=r"^can't compile into .*/file/jars: Not a directory$"),
        only_one(tmp_path / "file" / "jars"),
    ):
        pass


@pytest.mark.parametrize("name", sorted(cli.OF_A_CHECKOUT))
def test_a_command_of_a_checkout_says_so_in_one_line(name, monkeypatch, capsys) -> None:
    monkeypatch.setattr(cli, "is_checkout", lambda: False)
    assert cli.main([name, "--help"]) == Exit.BAD_INPUT
    said = capsys.readouterr().err
    assert said.startswith(f"assay {name}: ")
    assert said.endswith("needs a clone of Assay's repository\n")


def test_help_lists_what_there_is(monkeypatch, capsys) -> None:
    cli.main(["--help"])
    here = capsys.readouterr().out
    monkeypatch.setattr(cli, "is_checkout", lambda: False)
    cli.main(["--help"])
    elsewhere = capsys.readouterr().out
    assert ("  matrix " in here, "  matrix " in elsewhere, "  check-rule " in elsewhere) == (True, False, True)


def test_the_version_is_printed(capsys) -> None:
    assert cli.main(["--version"]) == Exit.GREEN
    assert capsys.readouterr().out == "assay 0.1.0\n"


@pytest.mark.parametrize(
    ("spark", "environment"),
    [("4.3.0", "replay"), ("4.0.5", "replay-spark40"), ("3.5.9", "replay-spark35"), ("9.9.0-SNAPSHOT", "replay")],
)
def test_a_failure_is_replayed_on_its_release_by_the_command_that_there_is(monkeypatch, spark, environment) -> None:
    found = replace(failure(), versions={"spark": spark})
    assert again.replay_command("a b.json", failure=found) == f"tox run -e {environment} -- 'a b.json'"
    monkeypatch.setattr(again, "is_checkout", lambda: False)
    assert again.replay_command("a b.json", failure=found) == "assay replay 'a b.json'"


@pytest.mark.parametrize(
    ("folder", "project"),
    [(ROOT, []), (ROOT / "docs", []), (Path("/elsewhere"), ["-c", str(ROOT)])],
    ids=["in the checkout", "below it", "elsewhere"],
)
def test_a_replay_outside_of_the_checkout_names_it(folder, project) -> None:
    command = shlex.split(again.replay_command("a.json", failure=failure(), folder=folder))
    assert command == ["tox", "run", *project, "-e", "replay", "--", "a.json"]


def test_a_failure_printed_outside_of_the_checkout_is_replayed_from_there(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    monkeypatch.chdir(tmp_path)
    assert render(failure(), tmp_path / "a.json", {}).endswith(f"tox run -c {ROOT} -e replay -- {tmp_path}/a.json")


@pytest.mark.parametrize("files", [("python/lib/pyspark.zip",), ()], ids=["with its pyspark", "without one"])
def test_a_finding_of_another_spark_is_shown_again_on_that_spark(monkeypatch, tmp_path, files) -> None:
    home = tmp_path / "it's my spark"
    for file in files:
        (home / file).parent.mkdir(parents=True)
        (home / file).touch()
    found = replace(failure(), subject=Subject(spark_home=str(home)))
    command = shlex.split(again.replay_command("--register", "a b.json", failure=found))
    assert command == ["tox", "run", "-e", "replay", "--", "--spark-home", str(home), "--register", "a b.json"]
    monkeypatch.setattr(again, "is_checkout", lambda: False)
    command = shlex.split(again.replay_command("a b.json", failure=found))
    assert command == ["assay", "replay", "--spark-home", str(home), "a b.json"]
    paths = [f"PYTHONPATH={home / file}" for file in files]
    command = shlex.split(again.script_command("a b.py", failure=found))
    assert command == [f"SPARK_HOME={home}", *paths, "python", "a b.py"]


def test_each_release_but_the_newest_has_an_environment_to_replay_in() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    releases = [f"{name[5]}.{name[6:]}" for name in extras if re.fullmatch(r"spark\d+", name)]
    assert [*again.OLDER, "4.3"] == releases


WITHOUT_SPARK = """
import sys
sys.modules["pyspark"] = sys.modules["py4j"] = None
from assay.commands.cli import main
sys.exit(main(sys.argv[1:]))
"""


OWN = ["--schema", "tests/slow/own_schema.sql", "--queries", "tests/slow/own_queries"]


@pytest.mark.parametrize(
    "arguments", [["queries", *OWN], ["check-rule", "--rule", "CombineFilters"]], ids=lambda a: a[0]
)
def test_without_pyspark_there_is_one_line(arguments: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT_SPARK, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    said = "has no pyspark: install Assay with the extra of a release, spark35 to spark43"
    assert (ended.returncode, ended.stderr) == (Exit.BAD_INPUT, f"{sys.executable} {said}\n")


def test_a_spark_that_our_scala_does_not_compile_for_is_said_so(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "Ours.scala").write_text("object Ours { noSuchSpark() }")
    own = partial(build, main_sources=tmp_path, shims=tmp_path / "none", target=tmp_path / "target")
    monkeypatch.setattr(session, "build", own)
    with pytest.raises(BuildError, match=r"^Assay doesn't run on this Spark: .*Ours\.scala:1: error: not found"):
        session._own_jars(find_java().java, None)
