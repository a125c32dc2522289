"""One side of a comparison of releases: what it answers is written down, and a Spark that answers wrongly is seen."""

from __future__ import annotations

import sys

import pytest

from assay.releases.compare.answers import read
from assay.releases.compare.sides import Sides, confirmed
from tests.cli.assay import RULES, run

CHECKS = 60


def _answers(folder, name, *options):
    command = [
        sys.executable,
        "-m",
        "assay",
        "answers",
        "--as-of",
        "4.3.0",
        "--out",
        folder / name,
        *options,
    ]
    ended = run(command, folder)
    assert ended.code == 0, ended.text
    return list(read(folder / name))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("answers")


@pytest.fixture(scope="module")
def right(folder):
    return _answers(folder, "right.jsonl", "--max-examples", CHECKS, "--hypothesis-seed", 3)


def test_the_same_spark_answers_alike_on_both_paths(folder, right):
    again = _answers(folder, "again.jsonl", "--cases", folder / "right.jsonl")
    sides = Sides.of(right, again)
    assert (len(sides.pairs), sides.missing, sides.differences()) == (CHECKS, 0, [])


def test_a_spark_that_drops_filters_answers_otherwise(folder, right):
    """The rule stands for whatever another release does wrong."""
    rule = ("--rule", f"{RULES / 'DropsFilters.scala'}@optimizer", "--spark-conf", "spark.assay.rule.DropsFilters=true")
    wrong = _answers(folder, "wrong.jsonl", "--max-examples", CHECKS, "--hypothesis-seed", 3, *rule)
    sides = Sides.of(right, wrong)
    again = _answers(folder, "wrong_again.jsonl", "--cases", folder / "wrong.jsonl", *rule)
    assert (len(sides.pairs), sides.missing) == (CHECKS, 0)
    assert confirmed(sides.differences(), Sides.of(right, again))
