"""One seed is one set of cases, however many workers share them."""

from __future__ import annotations

import json

import pytest

from tests.cli.assay import fuzz

CHECKS = 104  # two shards, so that two workers have something to share


def _cases(folder):
    lines = [json.loads(text) for path in folder.glob("*.jsonl") for text in path.read_text().splitlines()]
    return sorted(line["case"] for line in lines if "case" in line)


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    fuzz("-n", "1", "--max-examples", CHECKS, "--hypothesis-seed", 11, "--record", folder, "--failures", folder / "f")
    return _cases(folder)


def test_workers_share_out_the_same_cases(one_worker, tmp_path):
    fuzz(
        "-n", "2", "--max-examples", CHECKS, "--hypothesis-seed", 11, "--record", tmp_path, "--failures", tmp_path / "f"
    )
    assert (_cases(tmp_path), len(one_worker)) == (one_worker, CHECKS)


def test_another_seed_draws_other_cases(one_worker, tmp_path):
    fuzz("-n", "1", "--max-examples", 20, "--hypothesis-seed", 12, "--record", tmp_path, "--failures", tmp_path / "f")
    assert len(set(_cases(tmp_path)) & set(one_worker)) < 5
