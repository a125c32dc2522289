"""Ratios with their spread, the tenths of a long run, and the keys of the summary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.bench.figures import KEYS, Moment, Spread, last_over_second, ratios, summary, tenth_memory, tenth_rates

MEBI = 2**20


def steady(seconds: float, chunks: int, rate: float, *, memory: int = MEBI) -> list[Moment]:
    """A run that makes ``rate`` checks a second, looked at after each of ``chunks`` even parts."""
    ends = [seconds * number / chunks for number in range(1, chunks + 1)]
    return [Moment(end, round(end * rate), memory, memory) for end in ends]


def test_a_spread_is_the_middle_the_least_and_the_most() -> None:
    assert Spread.of([3.0, 1.0, 8.0, 2.0]) == Spread(2.5, 1.0, 8.0)


def test_of_nothing_there_is_no_spread() -> None:
    assert Spread.of([]) is None


def test_a_spread_shows_all_three() -> None:
    assert Spread(2.5, 1.0, 8.0).text(".1f") == "2.5 (1.0 … 8.0)"


def test_ratios_are_taken_round_by_round() -> None:
    assert ratios([10.0, 30.0, 5.0], [2.0, 3.0, 0.0]) == [5.0, 10.0]


def test_rounds_of_two_harnesses_are_as_many() -> None:
    with pytest.raises(ValueError, match="shorter"):
        ratios([1.0, 2.0], [1.0])


@pytest.mark.parametrize("chunks", [10, 37, 400], ids="{} looks".format)
def test_a_steady_run_has_ten_even_tenths(chunks: int) -> None:
    rates = tenth_rates(steady(1000.0, chunks, 50.0))
    assert rates == pytest.approx([50.0] * 10, rel=0.02)
    assert last_over_second(rates) == pytest.approx(1.0, rel=0.02)


def test_a_run_that_slows_down_shows_it_in_its_last_tenth() -> None:
    slow = Moment(100.0, 950, MEBI, MEBI)
    rates = tenth_rates([*steady(90.0, 9, 10.0), slow])
    assert rates[-1] == pytest.approx(5.0)
    assert last_over_second(rates) == pytest.approx(0.5)


def test_what_is_slow_at_first_is_in_the_first_tenth_alone() -> None:
    rates = tenth_rates([Moment(10.0, 1, MEBI, MEBI), Moment(100.0, 901, MEBI, MEBI)])
    assert rates[0] == pytest.approx(0.1)
    assert rates[1:] == pytest.approx([10.0] * 9)


def test_a_single_look_is_an_even_run() -> None:
    assert tenth_rates([Moment(20.0, 100, MEBI, MEBI)]) == pytest.approx([5.0] * 10)


@given(st.lists(st.tuples(st.floats(0.01, 100), st.integers(0, 500)), min_size=1, max_size=60))
def test_tenths_add_up_to_the_whole(steps: list[tuple[float, int]]) -> None:
    moments: list[Moment] = []
    seconds, checks = 0.0, 0
    for more, made in steps:
        seconds, checks = seconds + more, checks + made
        moments.append(Moment(seconds, checks, MEBI, MEBI))
    assert sum(tenth_rates(moments)) * seconds / 10 == pytest.approx(checks, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    "rates", [[], [1.0] * 9, [1.0, 0.0, *[1.0] * 8]], ids=["no run", "nine", "nothing in the second"]
)
def test_without_ten_tenths_nothing_is_divided(rates: list[float]) -> None:
    assert last_over_second(rates) is None


def test_no_run_has_no_tenths() -> None:
    assert (tenth_rates([]), tenth_memory([])) == ([], [])


def test_memory_is_that_of_both_processes() -> None:
    assert tenth_memory(steady(100.0, 40, 10.0, memory=3 * MEBI)) == [6 * MEBI] * 10


def test_memory_that_was_not_looked_at_in_every_tenth_is_not_told() -> None:
    assert tenth_memory(steady(100.0, 5, 10.0)) == []


def test_a_summary_has_every_key_and_null_for_what_was_not_measured() -> None:
    told = summary({"fast_over_naive": Spread(31.23456, 20.0, 40.0), "seconds_of_long_run": 1800.5})
    assert tuple(told) == KEYS
    assert (told["fast_over_naive"], told["seconds_of_long_run"]) == (31.235, 1800.5)
    assert {told[key] for key in set(KEYS) - {"fast_over_naive", "seconds_of_long_run"}} == {None}


def test_a_figure_of_another_name_is_refused() -> None:
    with pytest.raises(ValueError, match="fast_over_nothing"):
        summary({"fast_over_nothing": 1.0})
