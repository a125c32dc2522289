"""Rules that prune the fields of structs: they act where a query reads some fields, and not where it reads them all."""

from __future__ import annotations

import pytest

from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed
from strategies.draw.values import PAIR
from strategies.ir import (
    BIGINT,
    INT,
    Agg,
    Aggregate,
    Array,
    Call,
    Case,
    Col,
    Column,
    Compare,
    Database,
    FieldOfEach,
    Filter,
    Generate,
    GetField,
    Item,
    Lit,
    MakeStruct,
    Project,
    Relation,
    Repartition,
    Scan,
    Settings,
    Source,
    Struct,
    Table,
)

A, S = Col("a", INT), Col("s", PAIR)
N, E = Col("n", Struct((("n", PAIR), ("r", BIGINT)))), Col("e", Array(PAIR))
COLUMNS = tuple(Column(column.name, column.type) for column in (A, S, N, E))
SCAN = Scan("t0", COLUMNS)
ROWS = (
    (1, (1, "a"), ((2, "b"), 3), ((1, "a"), None, (None, "b"))),
    (2, (None, "a"), (None, 3), ()),
    (2, None, ((None, None), None), (None,)),
    (None, (0, None), None, None),
)
DATABASE = Database((Table("t0", COLUMNS, ROWS),))
ONE = Lit(INT, 1)
FIRST = Call("array_get", (E, Lit(INT, 0)))
ELEMENTS = Generate(SCAN, E, "x")
X = Col("x", PAIR)


def _listed(child: Relation, *values: Col | GetField | FieldOfEach | Call) -> Project:
    return Project(child, tuple(Item(f"v{place}", value) for place, value in enumerate(values)))


def changed(harness: Harness, query: Relation, source: Source = "parquet") -> set[str]:
    """The rules that change the plan of ``query`` over files, on whose answer all legs agree."""
    case = Case(query, DATABASE, Settings(source=source, aqe=True, codegen=True, partitions=2))
    checked = harness.check(case, all_that_changed)
    assert checked.verdict.name in {"agree", "vacuous"}, checked.verdict.reason
    return {name.rpartition(".")[2] for name in checked.changed_plan}


PRUNED = {
    "field": _listed(SCAN, GetField(S, "p")),
    "field of a field": _listed(SCAN, GetField(GetField(N, "n"), "q")),
    "field of an element": _listed(SCAN, GetField(FIRST, "p")),
    "field of each element": _listed(SCAN, FieldOfEach(E, "q")),
    "field in a condition": _listed(Filter(SCAN, Compare("=", GetField(S, "p"), ONE)), A),
    "field of a generated element": _listed(ELEMENTS, GetField(X, "q")),
    "field above a repartition": _listed(Repartition(SCAN, "repartition", 2), GetField(S, "p")),
}


@pytest.mark.parametrize("source", ["parquet", "orc"])
@pytest.mark.parametrize("query", PRUNED.values(), ids=PRUNED)
def test_files_are_read_by_fields(harness: Harness, query: Relation, source: Source) -> None:
    assert "SchemaPruning" in changed(harness, query, source)


WHOLE = {
    "column": _listed(SCAN, S),
    "column beside its field": _listed(SCAN, S, GetField(S, "p")),
    "all elements": _listed(ELEMENTS, X),
    "another column": _listed(SCAN, A),
}


@pytest.mark.parametrize("query", WHOLE.values(), ids=WHOLE)
def test_files_are_not_read_by_fields_where_the_column_is_read_whole(harness: Harness, query: Relation) -> None:
    assert "SchemaPruning" not in changed(harness, query)


def test_the_number_of_elements_needs_one_field(harness: Harness) -> None:
    counted = Aggregate(ELEMENTS, (), (Item("n", Agg("count")),))
    assert "GenerateOptimization" in changed(harness, counted)
    assert "GenerateOptimization" not in changed(harness, _listed(ELEMENTS, X))


def test_a_field_of_a_made_struct_is_its_value(harness: Harness) -> None:
    made = MakeStruct(("p", "q"), (A, S))
    assert "SimplifyExtractValueOps" in changed(harness, _listed(SCAN, GetField(made, "p")))
    assert "SimplifyExtractValueOps" not in changed(harness, _listed(SCAN, GetField(S, "p")))
