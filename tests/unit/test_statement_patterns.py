"""Patterns of known divergences about statements, and the source of a MERGE without the cause of one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.patterns.causes import REWRITES
from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Alias,
    And,
    Arith,
    Assignment,
    Between,
    Capability,
    Case,
    Col,
    Column,
    Compare,
    Delete,
    Exists,
    Filter,
    Insert,
    Item,
    Lit,
    Merge,
    MergeClause,
    NullIf,
    Outer,
    Project,
    Relation,
    ScalarSubquery,
    Scan,
    Settings,
    Statement,
    Update,
)
from tests.unit.ir_samples import case_over

T = Scan("t", (Column("a", INT), Column("b", INT)))
A, B = Col("a", INT), Col("b", INT)
ONE = Compare("=", A, Lit(INT, 1))
SAME = Filter(Alias(T, "i"), Compare("=", Col("a", INT, "i"), Outer("a", INT, "t")))
GIVEN = (Assignment("a", A),)


def case_of(statement: Statement) -> Case:
    return replace(case_over(T), query=statement, settings=Settings("v2"))


@pytest.mark.parametrize(
    ("statement", "fits"),
    [
        (Update(T, GIVEN, Exists(SAME)), True),
        (Update(T, GIVEN, Exists(T)), False),
        (Update(T, GIVEN, ONE), False),
        (Update(T, GIVEN), False),
        (Delete(T, Exists(SAME)), True),
        (Delete(T, Exists(T)), False),
        (Insert(T, Filter(T, Exists(SAME))), False),
    ],
    ids=["correlated", "not correlated", "no subquery", "no condition", "DELETE", "DELETE, not correlated", "INSERT"],
)
def test_the_pattern_of_changed_rows_asks_for_a_subquery_about_the_row(statement: Statement, fits: bool) -> None:
    case = replace(case_over(T), settings=Settings("v2"))
    assert PATTERNS["change_by_a_correlated_subquery"](replace(case, query=statement)) == fits


SUM = Arith("+", A, Lit(INT, 1))


@pytest.mark.parametrize(
    ("statement", "fits"),
    [
        (Delete(T, Between(SUM, Lit(INT, 0), B)), True),
        (Delete(T, And(ONE, Compare("=", NullIf(SUM, B), B))), True),
        (Delete(T, Between(A, SUM, B)), False),
        (Delete(T, Compare("=", NullIf(A, SUM), B)), False),
        (Delete(T, Compare("=", SUM, B)), False),
        (Delete(T), False),
        (Update(T, GIVEN, Between(SUM, Lit(INT, 0), B)), False),
    ],
    ids=["BETWEEN", "NULLIF", "BETWEEN of a column", "NULLIF of a column", "a comparison", "no condition", "UPDATE"],
)
def test_the_pattern_of_computed_operands_asks_for_a_deletion_by_one(statement: Statement, fits: bool) -> None:
    assert PATTERNS["deletion_by_a_computed_operand"](case_of(statement)) == fits


GREATEST = ScalarSubquery(Aggregate(T, (), (Item("m", Agg("max", A)),)))


@pytest.mark.parametrize(
    ("statement", "capabilities", "fits"),
    [
        (Delete(T, Exists(T)), ("runtime filters",), True),
        (Delete(T, Compare("<=>", A, GREATEST)), ("runtime filters", "splits"), True),
        (Delete(T, Compare("=", A, GREATEST)), ("runtime filters",), False),
        (Delete(T, And(ONE, Exists(T))), ("runtime filters",), False),
        (Delete(T, Exists(T)), ("splits",), False),
        (Delete(T, ONE), ("runtime filters",), False),
        (Delete(T), ("runtime filters",), False),
        (Update(T, GIVEN, Exists(T)), ("runtime filters",), False),
    ],
    ids=[
        "EXISTS",
        "a value",
        "perhaps NULL",
        "a part perhaps NULL",
        "no runtime filters",
        "no subquery",
        "no condition",
        "UPDATE",
    ],
)
def test_the_pattern_of_deletions_by_a_subquery_asks_for_runtime_filters(
    statement: Statement, capabilities: tuple[Capability, ...], fits: bool
) -> None:
    case = replace(case_of(statement), settings=Settings("v2", capabilities=capabilities))
    assert PATTERNS["deletion_by_a_value_of_a_subquery"](case) == fits
    rewritten = REWRITES["without_runtime_filters"](case)
    assert (rewritten is not None) == fits
    assert rewritten is None or "runtime filters" not in rewritten.settings.capabilities


ROWS = Project(T, (Item("k", A), Item("v", B)))
GROUPS = Aggregate(T, (Item("k", A),), (Item("v", Agg("max", B)),))
LEFT_ALONE = MergeClause("not matched by source", "delete")
MATCHED = MergeClause("matched", "delete")
NEW = MergeClause("not matched", "insert", (Assignment("a", Col("k", INT, "m")), Assignment("b", Col("v", INT, "m"))))


def merge(source: Relation, *clauses: MergeClause) -> Merge:
    return Merge(T, Alias(source, "m"), Compare("=", Col("a", INT, "t"), Col("k", INT, "m")), clauses)


@pytest.mark.parametrize(
    ("statement", "fits"),
    [
        (merge(ROWS, LEFT_ALONE), True),
        (merge(ROWS, NEW, LEFT_ALONE), True),
        (merge(ROWS, MATCHED, LEFT_ALONE), False),
        (merge(ROWS, NEW), False),
        (merge(GROUPS, LEFT_ALONE), False),
        (Delete(T, ONE), False),
    ],
    ids=["rows left alone", "and new ones", "and matched ones", "new ones by themselves", "by groups", "a DELETE"],
)
def test_the_pattern_of_merges_asks_for_rows_left_alone_and_none_matched(statement: Statement, fits: bool) -> None:
    assert PATTERNS["merge_without_matched"](case_of(statement)) == fits


def test_the_source_of_a_merge_gets_one_row_for_each_key() -> None:
    rewritten = REWRITES["one_row_for_each_source_key"](case_of(merge(ROWS, NEW, LEFT_ALONE)))
    assert rewritten == case_of(merge(GROUPS, NEW, LEFT_ALONE))


@pytest.mark.parametrize("source", [GROUPS, T], ids=["groups", "a table itself"])
def test_another_source_stays_as_it_is(source: Relation) -> None:
    on = Compare("=", Col("a", INT, "t"), Col(source.fields[0].name, INT, "m"))
    statement = Merge(T, Alias(source, "m"), on, (LEFT_ALONE,))
    assert REWRITES["one_row_for_each_source_key"](case_of(statement)) is None
