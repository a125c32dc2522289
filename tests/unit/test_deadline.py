"""A time limit by one thread: it acts once, in time, on what lasts too long and on nothing else."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from threading import Event
from weakref import ref

import pytest

from oracles.engines.deadline import Deadline

SOON = 0.05


class Counted:
    """An action at a deadline, which counts its calls."""

    def __init__(self) -> None:
        self.times = 0
        self.done = Event()

    def act(self) -> None:
        self.times += 1
        self.done.set()


@pytest.fixture
def counted() -> Counted:
    return Counted()


@pytest.fixture
def deadline(counted: Counted) -> Iterator[Deadline]:
    made = Deadline(counted.act)
    yield made
    made.close()


def test_what_lasts_too_long_is_acted_on_once(deadline: Deadline, counted: Counted) -> None:
    with deadline.within(SOON) as is_late:
        assert counted.done.wait(60)
        time.sleep(2 * SOON)
    assert (is_late(), counted.times) == (True, 1)


def test_what_ends_in_time_is_left_alone(deadline: Deadline, counted: Counted) -> None:
    for _ in range(3):
        with deadline.within(SOON) as is_late:
            pass
        assert not is_late()
    time.sleep(3 * SOON)
    assert counted.times == 0


@pytest.mark.parametrize("earlier", [60.0, SOON / 10], ids=["longer", "shorter"])
def test_the_limit_is_that_of_what_is_under_way(deadline: Deadline, counted: Counted, earlier: float) -> None:
    with deadline.within(earlier):
        pass
    with deadline.within(SOON) as is_late:
        assert counted.done.wait(60)
    assert (is_late(), counted.times) == (True, 1)


def test_being_late_is_told_of_each_alone(deadline: Deadline, counted: Counted) -> None:
    with deadline.within(SOON):
        assert counted.done.wait(60)
    with deadline.within(60) as is_late:
        pass
    assert not is_late()


def test_what_is_raised_within_is_raised(deadline: Deadline) -> None:
    with pytest.raises(KeyError), deadline.within(60):
        raise KeyError


def test_its_thread_ends_with_it(counted: Counted) -> None:
    made = Deadline(counted.act)
    with made.within(60):
        pass
    made.close()
    assert not made._watcher.is_alive()


def test_who_is_forgotten_is_not_kept_by_it() -> None:
    counted = Counted()
    gone, made = ref(counted), Deadline(counted.act)
    with made.within(60):
        pass
    del counted
    gc.collect()
    assert gone() is None
    made.close()
