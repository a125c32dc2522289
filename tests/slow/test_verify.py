"""Verification as its users run it: verdicts, exit codes and the summary, with the example rules as users' own."""

from __future__ import annotations

import json

import pytest

from jars.build import EXAMPLE_SOURCES
from tests.cli.assay import verify

FIRST = ("--spark-conf", "spark.sql.optimizer.replaceExceptWithFilter=false")
FILES = {
    "unsound": (EXAMPLE_SOURCES / "aswritten" / "ReplaceExceptWithNotFilter.scala", 1, "refuted"),
    "sound": (EXAMPLE_SOURCES / "ReplaceExceptWithNotFilter.scala", 0, "verified"),
}


@pytest.mark.parametrize(("file", "code", "verdict"), FILES.values(), ids=FILES)
def test_an_example_rule(tmp_path, file, code, verdict):
    out = tmp_path / "summary.json"
    rule = f"{file}@plan-normalization"
    options = ("--failures", tmp_path, "--summary-json", out, "--budget", "150s", "--pairs", 4)
    ended = verify("--rule", rule, *FIRST, *options, cwd=tmp_path)
    assert ended.code == code, ended.text
    (summary,) = json.loads(out.read_text())["rules"].values()
    assert (summary["verdict"], summary["lost"], len(summary["findings"])) == (verdict, 0, code)
    assert summary["comparisons"] > 0
    assert summary["coverage"]["ran"] > 0


def test_a_rule_of_sparks_that_no_small_query_fires(tmp_path):
    ended = verify("--rule", "EliminateSerialization", "--bound", "operators=1", "--budget", "60s", cwd=tmp_path)
    assert (ended.code, "never fired" in ended.text) == (3, True), ended.text
