"""On a cluster, cases that don't say how they are run are run so that rows are shuffled between executors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.run.spread import PARTITIONS, spread
from strategies.ir import Settings
from tests.unit.failure_samples import case_of

SAID = [Settings(codegen=True), Settings(source="csv"), Settings(partitions=5), Settings(statistics=True)]


@pytest.mark.parametrize("form", ["sql", "dataframe"])
@pytest.mark.parametrize("ansi", [True, False])
def test_what_says_nothing_is_run_adaptively_in_several_partitions(form, ansi):
    case = replace(case_of(), settings=Settings(form=form, ansi=ansi))
    assert spread(case) == replace(case, settings=Settings(form=form, ansi=ansi, aqe=True, partitions=PARTITIONS))
    assert PARTITIONS > 1


@pytest.mark.parametrize("settings", SAID, ids=str)
def test_what_says_something_stays_as_it_is(settings):
    case = replace(case_of(), settings=settings)
    assert spread(case) == case
