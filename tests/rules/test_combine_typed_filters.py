"""CombineTypedFilters by hand: filters right above one another, and others."""

from __future__ import annotations

import pytest

from strategies.ir import Distinct, TypedFilter, walk
from tests.rules.expected import T0, Expected
from tests.rules.stock import operators, tables_of, without
from tests.rules.typed_rows import DATAFRAME, TYPED, answer_of, numbers

RULE = "CombineTypedFilters"


def _filters(query) -> int:
    return sum(isinstance(node, TypedFilter) for node in walk(query))


EXPECTED = Expected(
    lambda query: _filters(query) > 1,
    DATAFRAME,
    TypedFilter(TypedFilter(T0, "a", "is_known"), "a", "is_known"),
    {"three filters": lambda query: _filters(query) > 2},
)
_N = numbers()
COMBINED = {
    "two columns": (TypedFilter(TypedFilter(_N, "a", "is_known"), "b", "is_even"), {(1, 2): 1, (1, -4): 1}),
    "one column": (TypedFilter(TypedFilter(_N, "a", "is_known"), "a", "is_even"), {(2, None): 1}),
    "none that fits both": (TypedFilter(TypedFilter(_N, "a", "is_known"), "a", "is_null"), {}),
    "three": (
        TypedFilter(TypedFilter(TypedFilter(_N, "a", "is_known"), "b", "is_known"), "b", "is_even"),
        {(1, 2): 1, (1, -4): 1},
    ),
}
KEPT = {
    "one filter": TypedFilter(_N, "a", "is_even"),
    "DISTINCT between": TypedFilter(Distinct(TypedFilter(_N, "a", "is_known")), "b", "is_known"),
}

_tables = tables_of(TYPED)


class TestCombineTypedFilters:
    @pytest.mark.parametrize(("query", "rows"), COMBINED.values(), ids=COMBINED)
    def test_one_filter_is_left(self, spark, query, rows):
        got, kept = answer_of(spark, query), answer_of(spark, query, without(RULE))
        assert RULE in got.rules
        assert operators(got).count("TypedFilter") == 1
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer_of(spark, query).rules
