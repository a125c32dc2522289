"""EliminateSerialization by hand: operations right above one another, whose objects are handed on."""

from __future__ import annotations

import pytest

from strategies.ir import Distinct, TypedCount, TypedFilter, TypedMap
from tests.rules.expected import T0, Expected, holds
from tests.rules.stock import tables_of, without
from tests.rules.typed_rows import DATAFRAME, TYPED, answer_of, numbers

RULE = "EliminateSerialization"
EXPECTED = Expected(
    holds(TypedMap),
    DATAFRAME,
    TypedMap(TypedFilter(T0, "a", "is_known"), "a", "same"),
    {
        "a map of a map": lambda query: "child=TypedMap" in repr(query) and repr(query).startswith("TypedMap"),
        "a filter of a map": lambda query: repr(query).startswith("TypedFilter(child=TypedMap"),
        "a count of a map": holds(TypedCount),
    },
)

_N = numbers()
HANDED = {
    "map of a map": (
        TypedMap(TypedMap(_N, "a", "zero_if_null"), "b", "null_if_negative"),
        {(1, 2): 1, (1, None): 1, (2, None): 1, (0, 3): 1},
    ),
    "both of one column": (
        TypedMap(TypedMap(_N, "b", "null_if_negative"), "b", "zero_if_null"),
        {(1, 2): 1, (1, 0): 1, (2, 0): 1, (None, 3): 1},
    ),
    "filter of a map": (
        TypedFilter(TypedMap(_N, "a", "zero_if_null"), "a", "is_even"),
        {(2, None): 1, (0, 3): 1},
    ),
    "map of a filter": (
        TypedMap(TypedFilter(_N, "a", "is_null"), "a", "zero_if_null"),
        {(0, 3): 1},
    ),
    "count of a map": (
        TypedCount(TypedMap(_N, "b", "null_if_negative"), "b", "n"),
        {(2, 1): 1, (None, 2): 1, (3, 1): 1},
    ),
}
KEPT = {
    "one map": TypedMap(_N, "a", "same"),
    "one filter": TypedFilter(_N, "a", "is_even"),
    "a count of rows": TypedCount(_N, "a", "n"),
    "DISTINCT between": TypedMap(Distinct(TypedMap(_N, "a", "same")), "b", "same"),
}

_tables = tables_of(TYPED)


class TestEliminateSerialization:
    @pytest.mark.parametrize(("query", "rows"), HANDED.values(), ids=HANDED)
    def test_objects_are_handed_on(self, spark, query, rows):
        got, kept = answer_of(spark, query), answer_of(spark, query, without(RULE))
        assert RULE in got.rules
        assert got.optimized.count("createexternalrow") < kept.optimized.count("createexternalrow")
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer_of(spark, query).rules
