"""How a run is cut into shards, and that no two parts of it draw the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.fuzz.finding import digest
from assay.fuzz.fuzzer import SHARD, shard_seed, shards
from strategies.draw.cases import cases
from strategies.ir import INT, Case, Column, Database, Scan, Settings, Table

DEFAULTS = Settings()
T = Scan("t", (Column("a", INT),))


def case(*rows: tuple[int | None], settings: Settings = DEFAULTS) -> Case:
    """A scan of one column."""
    return Case(T, Database((Table("t", T.columns, rows),)), settings)


@given(st.integers(1, 100_000))
def test_shards_sum_to_the_count(count: int) -> None:
    sizes = shards(count)
    assert sum(sizes) == count
    assert all(0 < size <= SHARD for size in sizes)
    assert set(sizes[:-1]) <= {SHARD}


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(0, []), (1, [1]), (SHARD, [SHARD]), (SHARD + 1, [SHARD, 1]), (3 * SHARD, [SHARD] * 3)],
    ids=str,
)
def test_shards_are_full_but_for_the_last(count: int, sizes: list[int]) -> None:
    assert shards(count) == sizes


PARTS = [
    (run_seed, name, number)
    for run_seed in range(20)
    for name in (*range(20), *(f"mutant/{letter}" for letter in "abc"), "general")
    for number in range(20)
]


def test_every_run_shard_and_round_has_a_seed_of_its_own() -> None:
    assert len({shard_seed(*parts) for parts in PARTS}) == len(PARTS)


@given(st.integers(0, 2**64), st.integers(0, 1000), st.integers(0, 1000))
def test_a_seed_has_64_bits(run_seed: int, shard: int, number: int) -> None:
    assert 0 <= shard_seed(run_seed, shard, number) < 2**64


def test_seeds_stay_what_they_are_from_process_to_process() -> None:
    """A hash that Python salts would make every worker draw something else than it said."""
    assert shard_seed(1, "000", 0) == 9639528007976214621


@given(cases(max_operators=2), cases(max_operators=2))
def test_digests_tell_cases_apart(one: Case, two: Case) -> None:
    assert (digest(one) == digest(two)) == (one == two)


@pytest.mark.parametrize(
    "other",
    [case((1,)), case((None,)), case((2,), (1,)), case(settings=Settings(aqe=True))],
    ids=["a row", "NULL", "two rows", "settings"],
)
def test_a_case_that_differs_in_anything_is_another_case(other: Case) -> None:
    assert digest(other) != digest(case())
