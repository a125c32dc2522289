"""The shapes of rules: what each promises, what it reaches, what it shrinks to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.session.mutant_sources import load_mutants
from assay.session.own_rule import AS_WRITTEN, OWN
from oracles.rules.entries.known import KNOWN
from oracles.sql import DataFrameCompiler, SparkCompiler
from strategies import ir
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    STRING,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Between,
    Call,
    Case,
    Coalesce,
    Compare,
    Database,
    Deduplicate,
    Distinct,
    Expr,
    Field,
    Filter,
    Join,
    Limit,
    Not,
    NullIf,
    Project,
    Relation,
    Row,
    SetOp,
    Settings,
    SqlType,
    Table,
    columns_of,
    operators,
    scans,
    type_text,
    walk,
)
from strategies.shapes import NearMiss, Shape, load_shapes
from strategies.shapes.conditions import plain_expressions, plain_predicates
from strategies.shapes.data import ALL_COUNTS, INT_AND_TEXT, counted, left_and_right
from strategies.shapes.sides import first_columns, fitting, scan
from tests.rules.expected import EMPTY, Expected, holds, joins, set_ops, snake
from tests.unit.strategy_asserts import Sample, assert_all_examples, find_any, minimal

pytestmark = pytest.mark.one_in(10)  # most of the time they draw

SHAPES = load_shapes()
NEAR_MISSES = [(shape, miss) for shape in SHAPES.values() for miss in shape.near_misses]
COMPILERS = {"sql": SparkCompiler(), "dataframe": DataFrameCompiler()}

# A slow machine isn't what these tests are about; every other health check is.
QUICK = settings(max_examples=60, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])


EXPECTED: dict[str, Expected] = {rule: import_module(f"tests.rules.test_{snake(rule)}").EXPECTED for rule in SHAPES}

each_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
each_near_miss = pytest.mark.parametrize(
    ("shape", "miss"), NEAR_MISSES, ids=[f"{shape.rule}-{miss.name}" for shape, miss in NEAR_MISSES]
)


@cache
def firing(rule: str) -> Sample[Case]:
    """Draws of what its shape says fires: the same for every question about them."""
    return Sample(SHAPES[rule].fires())


def some(rule: str, condition: Callable[[Case], bool]) -> Case:
    """A firing case with ``condition``; raises NoSuchExample where none is drawn."""
    return firing(rule).find_any(condition, within=5_000)


def test_every_rule_of_the_batch_has_a_shape() -> None:
    spark, own = ({rule for rule, shape in SHAPES.items() if shape.own is theirs} for theirs in (False, True))
    assert spark == {rule.name for rule in KNOWN if not rule.unshaped}
    assert own == {rule.name for rule in OWN if not rule.name.endswith(AS_WRITTEN)}


def test_every_mutant_has_a_shape_to_be_hunted_with() -> None:
    assert {mutant.shape_rule for mutant in load_mutants()} <= set(SHAPES)


@each_shape
def test_a_shape_names_its_near_misses_apart(shape: Shape) -> None:
    names = [miss.name for miss in shape.near_misses]
    assert len(set(names)) == len(names)


@each_shape
def test_a_shape_has_near_misses_on_both_sides_of_its_edge(shape: Shape) -> None:
    assert {miss.fires for miss in shape.near_misses} == {True, False}


@each_shape
def test_a_firing_case_holds_what_its_rule_rewrites(shape: Shape) -> None:
    expected = EXPECTED[shape.rule]
    cases = list(islice(firing(shape.rule), 60))
    assert [case for case in cases if not expected.holds(case.query)] == []
    assert {case.settings.form for case in cases} <= set(expected.forms)


def can_be_run_and_pasted(case: Case) -> bool:
    """In its own form, and by its text."""
    return COMPILERS[case.settings.form].supports(case.query) and eval(repr(case), vars(ir)) == case


@each_shape
def test_a_case_can_be_run_in_its_form_and_pasted(shape: Shape) -> None:
    assert [case for case in islice(firing(shape.rule), 60) if not can_be_run_and_pasted(case)] == []


@each_near_miss
def test_a_near_miss_can_be_run_in_its_form_and_pasted(shape: Shape, miss: NearMiss) -> None:
    assert_all_examples(miss.cases(), can_be_run_and_pasted, count=6)


@each_shape
def test_a_shape_shrinks_to_its_operator_over_an_empty_table(shape: Shape) -> None:
    """From one of a few first examples; from any of them to a case that is hardly larger, with no row."""
    expected = EXPECTED[shape.rule]
    settings_ = Settings(expected.source, min(expected.forms, key=["sql", "dataframe"].index), **expected.others)
    least = Case(expected.least, Database((EMPTY,)), settings_)
    found = []
    while least not in found and len(found) < _STARTS:
        found.append(minimal(shape.fires(), skipped=len(found)))
    assert least in found
    assert all((case.database, case.settings) == (least.database, settings_) for case in found)
    assert all(operators(case.query) <= operators(expected.least) + 1 for case in found)


_STARTS = 6


REACHED: dict[str, Callable[[Case, Expected], bool]] = {
    "a row": lambda case, _: case.database.row_count > 0,
    "a row of NULL alone": lambda case, _: any(set(row) == {None} for row in all_rows(case)),
    "a row twice": lambda case, _: any(2 in table.counted().values() for table in case.database.tables),
    "an empty table": lambda case, _: any(not table.rows for table in case.database.tables),
    "a type other than INT": lambda case, _: any(field.type != INT for field in case.query.fields),
    "nothing above": lambda case, expected: type(case.query) is type(expected.least),
    "a filter above": lambda case, expected: isinstance(case.query, Filter) and expected.holds(case.query.child),
    "a projection above": lambda case, expected: isinstance(case.query, Project) and expected.holds(case.query.child),
    "an aggregate above": lambda case, _: isinstance(case.query, Aggregate),
    "an alias above": lambda case, _: isinstance(case.query, Filter) and isinstance(case.query.child, Alias),
    "a set operator above": lambda case, expected: (
        isinstance(case.query, SetOp) and (expected.holds(case.query.left) or expected.holds(case.query.right))
    ),
}


def reached_by(shape: Shape) -> Iterator[str]:
    """Nothing stands above a statement."""
    above = () if EXPECTED[shape.rule].least.is_statement else _ABOVE
    return (what for what in REACHED if what in above or what not in _ABOVE)


_ABOVE = ("a filter above", "a projection above", "an aggregate above", "an alias above", "a set operator above")
EACH_REACHED = [(shape, what) for shape in SHAPES.values() for what in reached_by(shape)]


@pytest.mark.parametrize(("shape", "what"), EACH_REACHED, ids=[f"{what}-{shape.rule}" for shape, what in EACH_REACHED])
def test_every_shape_reaches(shape: Shape, what: str) -> None:
    expected = EXPECTED[shape.rule]
    assert some(shape.rule, lambda case: REACHED[what](case, expected))


OWN_CASES = [(rule, what) for rule, expected in EXPECTED.items() for what in expected.reaches]


@pytest.mark.parametrize(("rule", "what"), OWN_CASES, ids=[f"{rule}-{what}" for rule, what in OWN_CASES])
def test_a_shape_reaches_each_case_of_its_rule(rule: str, what: str) -> None:
    assert some(rule, lambda case: EXPECTED[rule].reaches[what](case.query))


def all_rows(case: Case) -> list[Row]:
    return [row for table in case.database.tables for row in table.rows]


def sides(query: Relation) -> Iterator[tuple[Relation, Relation]]:
    """Both sides of every set operator in a query."""
    return ((node.left, node.right) for node in walk(query) if isinstance(node, SetOp))


def tables(relation: Relation) -> set[str]:
    return {scan.table for scan in scans(relation)}


OWN_REACH: dict[str, tuple[str, Callable[[Relation], bool]]] = {
    "one table on both sides": (
        "ReplaceExceptWithAntiJoin",
        lambda query: any(tables(left) == tables(right) for left, right in sides(query)),
    ),
    "two tables": (
        "RewriteExceptAll",
        lambda query: any(tables(left) != tables(right) for left, right in sides(query)),
    ),
    "sides that are widened": (
        "RewriteIntersectAll",
        lambda query: any(
            [f.type for f in left.fields] != [f.type for f in right.fields] for left, right in sides(query)
        ),
    ),
    "a side without NULL": ("ReplaceIntersectWithSemiJoin", holds(Coalesce)),
    "a filter on the left": (
        "ReplaceExceptWithFilter",
        lambda query: any(holds(Filter)(left) for left, _ in sides(query)),
    ),
    "a projection on both sides": (
        "ReplaceExceptWithFilter",
        lambda query: any(isinstance(left, Project) and isinstance(right, Project) for left, right in sides(query)),
    ),
    "a base that is no table": ("ReplaceExceptWithFilter", holds(Distinct, Alias)),
    "a UNION": ("ReplaceDistinctWithAggregate", set_ops("union", keeps_all=False)),
    "keys that are some of the columns": (
        "ReplaceDeduplicateWithAggregate",
        lambda query: any(
            0 < len(node.keys) < len(node.fields) for node in walk(query) if isinstance(node, Deduplicate)
        ),
    ),
    "no keys": (
        "ReplaceDeduplicateWithAggregate",
        lambda query: any(not node.keys for node in walk(query) if isinstance(node, Deduplicate)),
    ),
    "a full join under a filter": (
        "EliminateOuterJoin",
        lambda query: any(isinstance(node, Filter) and joins("full")(node.child) for node in walk(query)),
    ),
    "distinct rows of one side": (
        "EliminateOuterJoin",
        lambda query: any(isinstance(node, Distinct) and joins("left")(node.child) for node in walk(query)),
    ),
    "partners that are unique": (
        "EliminateOuterJoin",
        lambda query: any(isinstance(node, Join) and holds(Distinct)(node.right) for node in walk(query)),
    ),
    "constants alone as keys": (
        "RemoveLiteralFromGroupExpressions",
        lambda query: any(
            bool(node.keys) and not any(columns_of(key) for key in node.keys)
            for node in walk(query)
            if isinstance(node, Aggregate)
        ),
    ),
    "a key's operands swapped": (
        "RemoveRepetitionFromGroupExpressions",
        lambda query: any(
            {Compare("=", key.value.right, key.value.left) for key in node.keys if isinstance(key.value, Compare)}
            & {key.value for key in node.keys if isinstance(key.value, Compare) and key.value.left != key.value.right}
            for node in walk(query)
            if isinstance(node, Aggregate)
        ),
    ),
    "an offset": (
        "LimitPushDown",
        lambda query: any(node.offset for node in walk(query) if isinstance(node, AnyLimit)),
    ),
    "a limit over DISTINCT": (
        "LimitPushDown",
        lambda query: any(isinstance(node, AnyLimit) and isinstance(node.child, Distinct) for node in walk(query)),
    ),
    "conditions in WHERE": ("ReorderJoin", lambda query: isinstance(query, Filter) and joins("cross")(query.child)),
    "three branches": (
        "PushProjectionThroughUnion",
        lambda query: any(isinstance(left, SetOp) for left, _ in sides(query)),
    ),
    "a sort": ("ColumnPruning", holds(Limit)),
    "a padded side": ("InferFiltersFromConstraints", joins("left")),
}


@pytest.mark.parametrize("what", OWN_REACH)
def test_a_shape_reaches(what: str) -> None:
    rule, condition = OWN_REACH[what]
    assert some(rule, lambda case: condition(case.query))


@pytest.mark.parametrize("copies", [(0, 5), (5, 0), (1, 1), (1, 2), (2, 1), (5, 5)], ids=str)
def test_counts_are_drawn_together(copies: tuple[int, int]) -> None:
    assert copies in ALL_COUNTS
    assert find_any(counted("except", keeps_all=True), lambda case: copies in counts(case), within=5_000)


def counts(case: Case) -> set[tuple[int, int]]:
    """Copies of each row on the left and on the right."""
    left, right = (table.counted() for table in case.database.tables)
    return {(left.get(row, 0), right.get(row, 0)) for row in {**left, **right}}


def test_rows_are_repeated_as_their_counts_say() -> None:
    database = left_and_right(INT_AND_TEXT, (((0, ""), (2, 0)), ((None, None), (1, 3))))
    assert [table.counted() for table in database.tables] == [{(0, ""): 2, (None, None): 1}, {(None, None): 3}]


def test_known_bugs_are_kept_out_of_hunts() -> None:
    shown = NearMiss("bug", lambda: st.just("bug"), fires=False, known_bug="SPARK-1")
    quiet = NearMiss("other", lambda: st.just("other"), fires=False)
    shape = Shape("R", lambda: st.just("fires"), (shown, quiet))
    seen: set[str] = set()

    @QUICK
    @given(shape.cases())
    def check(case: str) -> None:
        seen.add(case)

    check()
    assert seen == {"fires", "other"}


@QUICK
@given(plain_predicates((Field("a", INT), Field("b", INT)), depth=3))
def test_plain_predicates_hold_neither_between_nor_nullif(condition: Expr) -> None:
    assert not any(isinstance(node, (Between, NullIf)) for node in walk(condition))


@pytest.mark.parametrize("kind", [BIGINT, INT, DOUBLE], ids=type_text)
def test_plain_expressions_hold_no_division(kind: SqlType) -> None:
    """Their SQL has a NULLIF."""
    plain = plain_expressions((Field("a", INT), Field("d", DOUBLE)), kind, depth=2)
    divisions = {"divide", "int_divide", "modulo", "double_modulo"}
    assert_all_examples(
        plain, lambda found: not any(isinstance(n, Call) and n.function in divisions for n in walk(found))
    )


def test_plain_predicates_keep_what_between_was_for() -> None:
    ranges = plain_predicates((Field("a", INT),), depth=0)
    found = find_any(ranges, lambda condition: isinstance(condition, Not))
    assert isinstance(found, Not)
    assert isinstance(found.operand, And)


@pytest.mark.parametrize(
    ("types", "fits"),
    [((INT,), True), ((BIGINT,), True), ((STRING,), False), ((INT, INT), False)],
    ids=["the same", "wider", "another", "too many"],
)
def test_a_table_stands_against_columns_that_widen(types: tuple[SqlType, ...], fits: bool) -> None:
    assert fitting(EMPTY, types) is fits


def test_the_first_columns_of_a_table_are_the_table_where_these_are_all() -> None:
    table = Table("t0", INT_AND_TEXT)
    assert first_columns(table, 2) == scan(table)
    assert [field.name for field in first_columns(table, 1).fields] == ["a"]
