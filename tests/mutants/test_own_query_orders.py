"""A wrong rule that loses the order of a user's query is noticed by the columns of its ORDER BY."""

from __future__ import annotations

import pytest

from assay.queries.classification import classification
from assay.queries.prepared import Prepared, prepared
from assay.queries.texts import query_text
from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.result import LegSettings
from oracles.rules.switch import switched_on
from strategies.ir import DOUBLE, INT, Case, Column, Database, Table

pytestmark = pytest.mark.by("shape")

WRONG = "EliminateSortsAnyConstantKey"
T = Table(
    "t",
    (Column("a", INT), Column("b", INT), Column("d", DOUBLE)),
    ((2, 7, (1.0).hex()), (1, 8, (0.5).hex()), (None, 9, (2.0).hex()), (1, 6, (0.5).hex())),
)
SEEN = {
    "a key and a constant": "SELECT a, b FROM t ORDER BY a, 1 + 1",
    "a key under another name": "SELECT b, a AS x FROM t ORDER BY x DESC, 1 + 1",
    "a number": "SELECT b, a FROM t ORDER BY 2, 1 + 1",
    "two keys": "SELECT a, b FROM t ORDER BY a NULLS LAST, b DESC, 1 + 1",
}
UNSEEN = {
    "a key that is not shown": "SELECT b FROM t ORDER BY a, 1 + 1",
    "a floating point number": "SELECT d FROM t ORDER BY d, 1 + 1",
}


def checked(harness: Harness, text: str) -> tuple[str, str | None]:
    (asked,) = prepared(harness.spark, [query_text("q", text)], Database((T,)), without_duckdb=frozenset())
    assert isinstance(asked, Prepared)
    rule = harness.catalogue.rule(WRONG)
    found = harness.check(Case(asked.verbatim, Database((T,))), fixed([rule]), LegSettings(on=switched_on(WRONG)))
    assert found.fired == (WRONG,)
    return classification(found).name, found.verdict.blame


@pytest.mark.parametrize("text", SEEN.values(), ids=SEEN)
def test_rows_in_another_order_of_its_columns_are_a_finding(harness: Harness, text: str) -> None:
    assert checked(harness, text) == ("finding", "on")


@pytest.mark.parametrize("text", UNSEEN.values(), ids=UNSEEN)
def test_an_order_that_the_answer_does_not_show_is_not_judged(harness: Harness, text: str) -> None:
    assert checked(harness, text) == ("all", None)
