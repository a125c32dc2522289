"""A query that may depend on more than its rows: a difference counts where all else has one and the same answer."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from assay.queries import nondeterminism as module
from assay.queries.nondeterminism import nondeterminism
from assay.queries.prepared import Prepared
from assay.queries.texts import query_text
from oracles.answers.outcome import Rows
from oracles.checks.check import Harness
from tests.unit.test_queries_classification import checked


def rows(*numbers: int) -> Rows:
    return Rows(("int32",), tuple((("int32", number),) for number in numbers))


TEXT = query_text("q", "SELECT a FROM t WHERE d < current_date()")
ASKED = cast(Prepared, SimpleNamespace(query=TEXT, all_rows=None))
WHY = "current_date has an answer of its own each time"
HARNESS = cast(Harness, SimpleNamespace(catalogue=SimpleNamespace(rule=lambda name: SimpleNamespace(switch=None))))
SAMPLES = {
    "DuckDB has off's rows, and off has them in any order": (rows(1, 2), "", ""),
    "DuckDB has off's rows, and off has others in another order": (rows(1, 2), "it differs", WHY),
    "DuckDB has rows of its own": (rows(1), "", WHY),
    "DuckDB has on's rows": (rows(), "", WHY),
}


@pytest.mark.parametrize(("duckdb", "by_order", "why"), SAMPLES.values(), ids=SAMPLES)
def test_the_text_is_no_reason_where_two_engines_have_one_answer(monkeypatch, duckdb, by_order, why) -> None:
    monkeypatch.setattr(module, "_by_order", lambda *given: by_order)
    found = checked(rows(), rows(1, 2), duckdb)
    assert nondeterminism(HARNESS, ASKED, found, Random(1)) == why
