"""The settings under which a user's query runs over its drawn databases."""

from __future__ import annotations

from random import Random

import pytest

from assay.queries.cases import settings_of


def _settings(count):
    return [settings_of(number, Random(number), count=count) for number in range(count)]


def test_three_databases_in_four_take_the_fast_path_over_one_two_and_three_partitions():
    drawn = _settings(8)
    assert [each.table_partitions for each in drawn if each.is_quick] == [1, 2, 3, 1, 2, 3]


def test_the_fourth_database_never_takes_the_fast_path():
    assert not any(each.is_quick for each in _settings(200)[3::4])


def test_some_databases_run_as_a_stock_session_does():
    stock = [each for each in _settings(200) if each.is_stock]
    assert {each.table_partitions for each in stock} == {1, 2}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_of_fewer_than_four_databases_some_run_otherwise(count):
    drawn = [
        settings_of(number, Random(f"{seed}/{number}"), count=count) for seed in range(200) for number in range(count)
    ]
    share = sum(not each.is_quick or each.is_stock for each in drawn) / len(drawn)
    assert (0.15 < share < 0.35, any(each.is_stock for each in drawn)) == (True, True), share
