"""The bound of a verification, and the text of what was enumerated."""

from __future__ import annotations

import pytest

from assay.session.ending import BadInput
from assay.verify.bound import Bound, Stage, parse_bound
from assay.verify.grammar import Level, Schema
from assay.verify.interest import in_order, named_operators, named_types, operators_of
from assay.verify.pairs import Enumerated
from assay.verify.text import enumerated_briefly, enumerated_text
from assay.verify.vocabulary import CENTS
from strategies.ir import (
    DOUBLE,
    INT,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Column,
    Compare,
    Distinct,
    Exists,
    Filter,
    Item,
    Join,
    Lit,
    Project,
    Scan,
    SetOp,
)

TWO = Schema((INT, INT), 2)
DOUBLES = Schema((DOUBLE,), 2)
T0, T1 = (Scan(name, (Column("a", INT), Column("b", INT))) for name in ("t0", "t1"))


def test_what_is_not_named_keeps_its_default():
    assert parse_bound("--bound", "rows=1, operators=2") == Bound(rows=1, operators=2)


@pytest.mark.parametrize(
    "text", ["", "rows", "rows=0", "rows=4", "rows=x", "columns=1", "rows=1,rows=2", "rows=3,values=4"]
)
def test_any_other_bound_is_refused_in_one_line(text):
    with pytest.raises(BadInput, match=r"^--bound .*: (needs NAME=N|tables of 3 rows)"):
        parse_bound("--bound", text)


def enumerated(operators, parts, schema=TWO, part="all", queries=10, *, complete=True):
    """The enumeration of one stage."""
    return Enumerated(Stage(Level(operators, parts), schema, part), queries, complete=complete)


def test_a_level_counts_as_enumerated_only_if_it_is_over_all_columns():
    complete = [enumerated(1, 0), enumerated(1, 1), enumerated(2, 0)]
    assert enumerated_text(complete) == (
        "all of 1 operator with at most 1 further part, of 2 operators with at most 0 further parts"
    )
    assert enumerated_text([*complete[:2], enumerated(2, 0, queries=1_200, complete=False)]) == (
        "all of 1 operator with at most 1 further part; "
        "the first 1,200 of 2 operators with 0 further parts over (INT, INT)"
    )
    assert enumerated_text([enumerated(1, 0, queries=0, complete=False)]).startswith("the first 0 of 1 operator")


def test_a_level_without_its_other_operators_or_of_another_type_is_told_by_itself():
    named = [enumerated(1, 0, part="named"), enumerated(2, 0, part="named")]
    others = [enumerated(1, 0, part="others"), enumerated(1, 1, DOUBLES)]
    assert enumerated_text(named) == (
        "with operators that the rule names and no others, all of 1 operator with at most 0 further parts, "
        "of 2 operators with at most 0 further parts"
    )
    assert enumerated_text([*named, *others]) == (
        "all of 1 operator with at most 0 further parts; with operators that the rule names and no others, "
        "all of 2 operators with at most 0 further parts; "
        "over (DOUBLE), all of 1 operator with at most 1 further part"
    )
    assert enumerated_briefly([*named, *others]) == "1+0; rule's operators 2+0; types 1+1"
    assert enumerated_briefly([enumerated(1, 0, complete=False)]) == "none"


def test_the_types_that_a_rule_is_about_come_with_whole_numbers():
    first = [stage.schema.types for stage in Bound().stages(types=named_types("DecimalAggregates"))][:3]
    assert first == [(CENTS,), (INT, INT), (INT,)]
    assert not named_types("CollapseProject")
    every = [{(each.level, each.schema) for each in Bound().stages(types=types)} for types in ((), (CENTS,))]
    assert every[0] == every[1]


def test_the_parts_of_a_level_are_all_of_it():
    stages = list(Bound().stages(["Except"]))
    assert {(each.level, each.schema) for each in stages} == {(each.level, each.schema) for each in Bound().stages()}
    named = {(each.level, each.schema) for each in stages if each.part == "named"}
    assert named == {(each.level, each.schema) for each in stages if each.part == "others"}
    assert {each.part for each in Bound().stages()} == {"all"}


JOIN = Join(Alias(T0, "l"), Alias(T1, "r"), "cross")
QUERIES = [Distinct(T0), SetOp("union", T0, T1, True), JOIN, SetOp("except", T0, T1)]


def test_queries_with_the_operators_that_a_rule_names_come_first_and_none_is_lost():
    small, large = Stage(Level(1, 0), TWO), Stage(Level(3, 0), TWO)
    assert list(in_order(QUERIES, small, ["Except"])) == [QUERIES[3], *QUERIES[:3]]
    assert list(in_order(QUERIES, small, [])) == list(in_order(QUERIES, large, ["Except"])) == QUERIES
    assert operators_of(JOIN) == {"Join"}
    assert operators_of(QUERIES[3]) == {"Except"}
    assert operators_of(Aggregate(AnyLimit(T0, 1), (), (Item("n", Agg("count")),))) == {"Limit"}


@pytest.mark.parametrize(
    ("rule", "mentioned", "about"),
    [
        ("CombineUnions", ["Deduplicate", "Project"], {"Union", "Project"}),
        ("LimitPushDown", ["Sort"], {"Limit"}),
        ("PropagateEmptyRelation", ["Join", "LocalRelation"], {"Join", "LocalRelation"}),
        ("CollapseProject", ["Project"], {"Project"}),
        ("BooleanSimplification", ["Aggregate", "Project"], set()),
        ("ConstantFolding", [], set()),
        ("OptimizeSubqueries", [], {"Subquery"}),
        ("PullupCorrelatedPredicates", ["Filter"], {"Subquery", "Filter"}),
    ],
)
def test_a_rule_is_about_the_operators_of_its_class_and_its_name(rule, mentioned, about):
    assert named_operators(rule, mentioned) == about


@pytest.mark.parametrize("level", [Level(1, 0), Level(3, 0)], ids=["small", "large"])
def test_each_query_is_of_one_part(level):
    named = list(in_order(QUERIES, Stage(level, TWO, "named"), ["Union", "Join"]))
    others = list(in_order(QUERIES, Stage(level, TWO, "others"), ["Union", "Join"]))
    assert named == [QUERIES[1], JOIN]
    assert {*others} == {QUERIES[0], QUERIES[3]}


CONDITION = Compare("=", T0.fields[0].column(), Lit(INT, 0))
IN = Filter(T0, Exists(Alias(T1, "s")))
FILTER = Filter(T0, CONDITION)
PROJECTION = Project(T0, (Item("a", CONDITION.left),))


@pytest.mark.parametrize(
    ("query", "named", "part"),
    [
        (PROJECTION, ["Union"], "others"),
        (Distinct(PROJECTION), ["Distinct"], "named"),
        (FILTER, ["LocalRelation"], "others"),
        (IN, ["Subquery"], "named"),
        (IN, ["Join"], "others"),
        (IN, ["Join", "Filter"], "named"),
        (IN, ["Filter"], "others"),
    ],
)
def test_a_query_is_the_rules_own_if_it_has_operators_of_the_rule_and_none_that_matters_beside(query, named, part):
    parts = {part: list(in_order([query], Stage(Level(1, 0), TWO, part), named)) for part in ("named", "others", "all")}
    assert [name for name, queries in parts.items() if queries] == [part, "all"]
