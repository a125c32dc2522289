"""ObjectSerializerPruning by hand: columns and fields that are read of what a map makes, and such as stay."""

from __future__ import annotations

import pytest

from strategies.ir import INT, STRING, Col, GetField, Item, Project, TypedCount, TypedFilter, TypedMap
from strategies.shapes.typed_rows import P
from tests.rules.expected import T0, Expected, holds
from tests.rules.stock import tables_of, without
from tests.rules.typed_rows import DATAFRAME, TYPED, T, answer_of, listed, numbers

RULE = "ObjectSerializerPruning"
_A, _B, _S, _R = Col("a", INT), Col("b", INT), Col("s", STRING), Col("r", P)
EXPECTED = Expected(
    holds(TypedMap),
    DATAFRAME,
    Project(
        TypedMap(Project(T0, (Item("x0", _A), Item("x1", _A))), "x0", "same"),
        (Item("x0", Col("x0", INT)),),
    ),
    {"a table of its own columns": lambda query: "Project" not in repr(query).partition("TypedMap")[2]},
)
READ = {
    "one column": (listed(TypedMap(T, "a", "zero_if_null"), x=_B), {(2,): 1, (-4,): 1, (None,): 1, (3,): 1}),
    "the changed column": (listed(TypedMap(T, "a", "zero_if_null"), x=_A), {(1,): 2, (2,): 1, (0,): 1}),
    "the last column of two": (listed(TypedMap(T, "s", "mark"), x=_S), {("x!",): 1, ("none",): 2, ("!",): 1}),
    "a field": (listed(TypedMap(T, "r", "same"), x=GetField(_R, "q")), {(2,): 1, (3,): 1, (None,): 1, (5,): 1}),
    "two fields and a column": (
        listed(TypedMap(T, "r", "same"), x=GetField(_R, "q"), y=GetField(_R, "p"), z=_B),
        {(2, 1, 2): 1, (3, None, -4): 1, (None, None, None): 1, (5, 4, 3): 1},
    ),
}
KEPT = {
    "all columns": listed(TypedMap(numbers(), "a", "same"), x=_B, y=_A),
    "a count of rows": TypedCount(TypedMap(numbers(), "a", "same"), "a", "n"),
    "a filter's columns": listed(TypedFilter(T, "a", "is_known"), x=_B),
}

_tables = tables_of(TYPED)


class TestObjectSerializerPruning:
    @pytest.mark.parametrize(("query", "rows"), READ.values(), ids=READ)
    def test_less_is_made(self, spark, query, rows):
        got, kept = answer_of(spark, query), answer_of(spark, query, without(RULE))
        assert RULE in got.rules
        made, of_old = (each.plain.partition("MapElements")[0].count("getexternalrowfield") for each in (got, kept))
        assert made < of_old
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        assert RULE not in answer_of(spark, query).rules
