"""Other ways in: another Spark, and every rule off that can be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.assay import fuzz

CHECKS = 20
ALWAYS_OFF = ("PushDownPredicates", "RewriteExceptAll", "ReplaceExceptWithFilter")
KEPT = ("ConstantFolding", "EliminateOffsets", "CheckCartesianProducts")


@pytest.fixture(scope="module")
def summary(tmp_path_factory):
    """A run on a Spark of its own place, links to the installed one, with everything off.

    The name of a jar makes it another release, to which the pyspark of its own folder speaks.
    """
    import pyspark

    folder, installed = tmp_path_factory.mktemp("ways"), Path(pyspark.__file__).parent
    home = folder / "distribution"
    (home / "jars").mkdir(parents=True)
    for name in ("bin", "python"):
        (home / name).symlink_to(installed / name, target_is_directory=True)
    for jar in (installed / "jars").iterdir():
        snapshot = jar.name.startswith("spark-catalyst_")
        (home / "jars" / (f"{jar.stem}.1-SNAPSHOT.jar" if snapshot else jar.name)).symlink_to(jar)
    options = ("--max-examples", CHECKS, "--hypothesis-seed", 1, "--off", "all", "--spark-home", home)
    ended = fuzz("-n", "0", *options, "--summary-json", folder / "s.json", "--failures", folder / "failures")
    assert ended.code == 0, ended.text
    return json.loads((folder / "s.json").read_text())


def test_another_spark_is_run_when_it_is_named(summary):
    import pyspark

    assert (summary["spark"], summary["checks"]) == (pyspark.__version__, CHECKS)


@pytest.mark.parametrize("rule", ALWAYS_OFF)
def test_off_all_turns_a_rule_off_in_every_check(summary, rule):
    assert summary["rules"][rule]["checked"] == CHECKS


@pytest.mark.parametrize("rule", KEPT)
def test_off_all_leaves_on_what_other_things_need(summary, rule):
    assert rule not in summary["rules"]
