"""The order of the tests of mutants, and the fuzzer that they share."""

from __future__ import annotations

import pytest

from assay.fuzz.mutants import MutantFuzzer


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the streams of general queries, which take longest, at equal distances: each worker begins with one."""
    streams = [item for item in items if _is_stream(item)]
    if not streams:
        return
    others = [item for item in items if not _is_stream(item)]
    for place, stream in enumerate(streams):
        others.insert(place * (len(items) // len(streams)), stream)
    items[:] = others


def _is_stream(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("by")
    return mark is not None and mark.args == ("general",)


@pytest.fixture(scope="session")
def fuzzer(run, harness, recorder, supervised):
    options = run.options
    return MutantFuzzer(
        harness=harness,
        recorder=recorder,
        failures=options.failures,
        run_seed=options.seed,
        subject=run.setup.subject,
        databases=options.databases,
        supervised=supervised,
    )
