"""Bugs that were found once, each replayed from its file: still excused by its known divergence, or mended for good."""

from __future__ import annotations

import pytest

from assay.fuzz.corpus import corpus_files
from assay.replay.regressions import replayed
from oracles.triage.divergences import load
from tests.rules.corpus import broken, read_regression

pytestmark = pytest.mark.one_in(1)  # each bug that came back is a fault of its own

FILES = corpus_files()


@pytest.fixture(scope="module")
def divergences():
    return load()


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_bug_that_was_found_once_ends_as_it_must(harness, divergences, file):
    """``tox run -e replay -- FILE`` shows the same by itself."""
    regression = read_regression(file)
    verdict = replayed(harness, regression.failure, divergences).verdict
    assert not broken(regression.expected, verdict, divergences, harness.spark.version)
