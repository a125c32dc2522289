"""The patterns about typed Datasets, fields that are set and columns of folders: queries that they fit, and others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    DOUBLE,
    INT,
    STRING,
    Aggregate,
    Alias,
    Array,
    Col,
    Column,
    Distinct,
    Filter,
    GetField,
    IsNull,
    Item,
    Join,
    Lateral,
    Lit,
    MakeArray,
    MakeStruct,
    OneRow,
    Outer,
    Project,
    RandomTest,
    Relation,
    Scan,
    SetOp,
    Settings,
    TypedCount,
    TypedFilter,
    TypedMap,
    WithField,
)
from tests.unit.ir_samples import case_over

T = Scan("t", (Column("a", INT),))
A = Col("a", INT)
INTERPRETED = Settings(codegen=False)
MAP = TypedMap(T, "a", "same")
ARRAYS = Project(T, (Item("x", MakeArray(INT, (A,))),))
TEXTS = Project(T, (Item("x", Lit(Array(STRING), None)),))
PAIRS = Project(T, (Item("x", MakeArray(INT, (A,))), Item("y", A)))
STRUCT = MakeStruct(("d",), (Lit(DOUBLE, (0.0).hex()),))
CHANGED = Project(T, (Item("x", WithField(STRUCT, "d", Lit(DOUBLE, (0.0).hex()))),))
KEPT = Project(T, (Item("x", STRUCT),))
FRAMES = Settings(form="dataframe")
FOLDERS = Settings("partitioned", conf=(("spark.sql.optimizer.metadataOnly", "true"),))
AT_RANDOM = Filter(T, IsNull(A), RandomTest(">=", 1))
READ_FIELD = IsNull(GetField(STRUCT, "d"))
BESIDE_AN_OUTER = Lateral(T, Alias(OneRow((Item("y", Outer("a", INT, "t")),)), "r"), "cross")
FIELD_AND_OUTER = Filter(BESIDE_AN_OUTER, READ_FIELD)
KEYS = Aggregate(T, (Item("a", A),), ())

FITTING: list[tuple[str, Relation, Settings]] = [
    ("map_of_another_s_objects", TypedMap(MAP, "a", "null"), INTERPRETED),
    ("map_of_another_s_objects", Distinct(TypedMap(TypedFilter(MAP, "a", "is_known"), "a", "same")), INTERPRETED),
    ("map_of_another_s_objects", TypedMap(TypedCount(T, "a", "n"), "a", "same"), INTERPRETED),
    ("null_for_a_typed_filter", Distinct(TypedFilter(ARRAYS, "x", "is_null")), Settings()),
    ("changed_field_below_a_semi_join", SetOp("intersect", SetOp("union", CHANGED, CHANGED), KEPT), FRAMES),
    (
        "changed_field_below_a_semi_join",
        SetOp("except", Distinct(SetOp("union", CHANGED, CHANGED, all=True)), KEPT),
        FRAMES,
    ),
    ("columns_beside_those_of_folders", KEYS, FOLDERS),
    ("columns_beside_those_of_folders", Distinct(T), FOLDERS),
    ("random_test_of_folders", Distinct(AT_RANDOM), FOLDERS),
    ("field_read_beside_an_outer_column", FIELD_AND_OUTER, Settings()),
    (
        "field_read_beside_an_outer_column",
        Join(BESIDE_AN_OUTER, Scan("u", (Column("c", INT),)), "inner", READ_FIELD),
        Settings("orc"),
    ),
]
BESIDE: list[tuple[str, Relation, Settings]] = [
    ("map_of_another_s_objects", TypedMap(MAP, "a", "null"), Settings(codegen=True)),
    ("map_of_another_s_objects", MAP, INTERPRETED),
    ("map_of_another_s_objects", TypedFilter(MAP, "a", "is_known"), INTERPRETED),
    ("map_of_another_s_objects", TypedMap(Distinct(MAP), "a", "same"), INTERPRETED),
    ("null_for_a_typed_filter", TypedFilter(ARRAYS, "x", "is_known"), Settings()),
    ("null_for_a_typed_filter", TypedFilter(TEXTS, "x", "is_null"), Settings()),
    ("null_for_a_typed_filter", TypedFilter(PAIRS, "x", "is_null"), Settings()),
    ("null_for_a_typed_filter", TypedFilter(T, "a", "is_null"), Settings()),
    (
        "changed_field_below_a_semi_join",
        SetOp("intersect", SetOp("union", CHANGED, CHANGED), KEPT),
        Settings(form="sql"),
    ),
    ("changed_field_below_a_semi_join", SetOp("intersect", SetOp("union", KEPT, KEPT), CHANGED), FRAMES),
    ("changed_field_below_a_semi_join", SetOp("intersect", CHANGED, SetOp("union", KEPT, KEPT)), FRAMES),
    (
        "changed_field_below_a_semi_join",
        SetOp("intersect", SetOp("union", CHANGED, CHANGED, all=True), KEPT),
        FRAMES,
    ),
    ("changed_field_below_a_semi_join", SetOp("union", SetOp("union", CHANGED, CHANGED), KEPT), FRAMES),
    ("columns_beside_those_of_folders", T, FOLDERS),
    ("random_test_of_folders", AT_RANDOM, FOLDERS),
    ("random_test_of_folders", Distinct(T), FOLDERS),
    ("random_test_of_folders", Distinct(AT_RANDOM), replace(FOLDERS, conf=())),
    ("columns_beside_those_of_folders", KEYS, replace(FOLDERS, conf=())),
    ("columns_beside_those_of_folders", KEYS, replace(FOLDERS, source="parquet")),
    ("field_read_beside_an_outer_column", FIELD_AND_OUTER, Settings("csv")),
    ("field_read_beside_an_outer_column", BESIDE_AN_OUTER, Settings()),
    ("field_read_beside_an_outer_column", Filter(T, READ_FIELD), Settings()),
]


def _fits(pattern: str, query: Relation, settings: Settings) -> bool:
    return PATTERNS[pattern](replace(case_over(query), settings=settings))


@pytest.mark.parametrize(("pattern", "query", "settings"), FITTING)
def test_a_pattern_fits_its_bug(pattern: str, query: Relation, settings: Settings) -> None:
    assert _fits(pattern, query, settings)


@pytest.mark.parametrize(("pattern", "query", "settings"), BESIDE)
def test_a_pattern_fits_no_query_beside_its_bug(pattern: str, query: Relation, settings: Settings) -> None:
    assert not _fits(pattern, query, settings)
