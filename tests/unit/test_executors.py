"""A campaign whose cluster has no executor left waits for one, and tries the query again."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from assay.session.executors import with_executors
from oracles.engines.spark.jvm import ClusterLost
from oracles.engines.spark.start import SparkUnusable

CLUSTER, PROCESS = True, False


@dataclass
class Session:
    """As much of an engine as is asked: it starts after so many ``refusals``."""

    on_cluster: bool
    refusals: int = 0
    closed: int = 0

    def close(self) -> None:
        self.closed += 1

    @property
    def session(self) -> object:
        if self.refusals:
            self.refusals -= 1
            raise SparkUnusable("no executor")
        return self


@dataclass
class Query:
    """A query that is lost so many times before it has an answer."""

    losses: int
    how: type[Exception] = ClusterLost
    asked: int = 0

    def __call__(self) -> str:
        self.asked += 1
        if self.asked <= self.losses:
            raise self.how("no executor is left")
        return "answer"


@dataclass
class Ears:
    told: list[str] = field(default_factory=list)
    pauses: int = 0

    def pause(self, seconds: float) -> None:
        self.pauses += 1


def tried(session: Session, query: Query, ears: Ears, *, given_up: bool = False) -> str:
    return with_executors(session, query, told=ears.told.append, given_up=lambda: given_up, pause=ears.pause)


@pytest.mark.parametrize("how", [ClusterLost, SparkUnusable])
@pytest.mark.parametrize("losses", [1, 2])
def test_a_query_that_lost_its_executors_is_asked_again_on_a_fresh_session(losses, how):
    session, query, ears = Session(CLUSTER), Query(losses, how), Ears()
    assert tried(session, query, ears) == "answer"
    assert (query.asked, session.closed) == (losses + 1, losses)
    assert ears.told == ["no executor is left: waiting for executors"] * losses


def test_executors_are_waited_for():
    session, query, ears = Session(CLUSTER, refusals=4), Query(1), Ears()
    assert tried(session, query, ears) == "answer"
    assert (ears.pauses, ears.told[1:]) == (4, [""] * 4)


def test_what_loses_all_executors_again_and_again_is_tried_no_more():
    session, query, ears = Session(CLUSTER), Query(9), Ears()
    with pytest.raises(ClusterLost, match="3 times at one query"):
        tried(session, query, ears)
    assert query.asked == 3


def test_nobody_waits_who_was_told_to_end():
    session, query, ears = Session(CLUSTER, refusals=9), Query(1), Ears()
    with pytest.raises(ClusterLost):
        tried(session, query, ears, given_up=True)
    assert (query.asked, ears.pauses) == (1, 0)


@pytest.mark.parametrize("how", [ClusterLost, SparkUnusable, KeyError])
def test_where_spark_is_one_process_nothing_is_tried_again(how):
    session, query = Session(PROCESS), Query(1, how)
    with pytest.raises(how):
        tried(session, query, Ears())
    assert (query.asked, session.closed) == (1, 0)


def test_other_errors_pass():
    with pytest.raises(KeyError):
        tried(Session(CLUSTER), Query(1, KeyError), Ears())
