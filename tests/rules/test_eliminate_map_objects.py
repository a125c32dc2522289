"""EliminateMapObjects by hand: arrays whose objects are primitive ones, and others."""

from __future__ import annotations

import pytest

from strategies.ir import (
    INT,
    STRING,
    Array,
    Call,
    Cast,
    Coalesce,
    Col,
    Element,
    HigherOrder,
    Item,
    Lit,
    MakeArray,
    Project,
    TypedFilter,
    TypedMap,
)
from tests.rules.expected import T0, Expected, holds
from tests.rules.stock import tables_of, without
from tests.rules.typed_rows import DATAFRAME, TYPED, T, answer_of, listed

RULE = "EliminateMapObjects"
EXPECTED = Expected(
    holds(MakeArray),
    DATAFRAME,
    TypedFilter(Project(T0, (Item("x", MakeArray(INT, (Lit(INT, 0),))),)), "x", "is_known"),
    {"a map": holds(TypedMap), "an element of a column": holds(Coalesce)},
)
_A, _ZERO = Col("a", INT), Lit(INT, 0)
_KNOWN = MakeArray(INT, (Coalesce((_A, _ZERO)), Lit(INT, 1), Lit(INT, 1)))
_TEXTS = HigherOrder("transform", Col("x", Array(INT)), Cast(Element(INT), STRING))
_TEXT = Call("array_join", (_TEXTS, Lit(STRING, ",")))
ARRAYS = {
    "map": TypedMap(listed(T, x=_KNOWN), "x", "same"),
    "filter": TypedFilter(listed(T, x=_KNOWN), "x", "is_known"),
}
KEPT = {
    "elements that may be NULL": TypedMap(listed(T, x=MakeArray(INT, (_A, _A))), "x", "same"),
    "a row": TypedMap(listed(T, x=_KNOWN, a=_A), "x", "same"),
}

_tables = tables_of(TYPED)


class TestEliminateMapObjects:
    @pytest.mark.parametrize("query", ARRAYS.values(), ids=ARRAYS)
    def test_elements_are_not_looked_at(self, spark, query):
        texts = listed(query, x=_TEXT)
        got, kept = answer_of(spark, texts), answer_of(spark, texts, without(RULE))
        assert RULE in got.rules
        assert "mapobjects" not in got.optimized
        assert "mapobjects" in kept.optimized
        assert got.rows == kept.rows == {("1,1,1",): 2, ("2,1,1",): 1, ("0,1,1",): 1}

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        texts = listed(query, x=_TEXT)
        assert RULE not in answer_of(spark, texts).rules
