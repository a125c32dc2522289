"""Evidence for the parts of PushDownPredicates: each sees its own work, and is not fooled by the others'."""

from __future__ import annotations

import pytest

from oracles.rules.plans import PlanNode, read_plan
from oracles.rules.pushdown import conjuncts, filters_met, moved_through_join, moved_through_other

PARTS = {"combined": filters_met, "join": moved_through_join, "other": moved_through_other}

CHANGES: dict[str, tuple[str, str, set[str]]] = {
    "two filters become one": (
        """\
Filter (b#2 < 2)
+- Filter (a#1 > 1)
   +- Relation t[a#1,b#2] parquet""",
        """\
Filter ((a#1 > 1) AND (b#2 < 2))
+- Relation t[a#1,b#2] parquet""",
        {"combined"},
    ),
    "the same condition twice": (
        """\
Filter (a#1 > 1)
+- Filter (a#1 > 1)
   +- Relation t[a#1] parquet""",
        """\
Filter (a#1 > 1)
+- Relation t[a#1] parquet""",
        {"combined"},
    ),
    "below a projection": (
        """\
Filter (c#3 > 1)
+- Project [(a#1 + 1) AS c#3]
   +- Relation t[a#1] parquet""",
        """\
Project [(a#1 + 1) AS c#3]
+- Filter ((a#1 + 1) > 1)
   +- Relation t[a#1] parquet""",
        {"other"},
    ),
    "below a projection, where a filter takes it up": (
        """\
Filter (a#1 > 1)
+- Project [a#1]
   +- Filter (b#2 < 2)
      +- Relation t[a#1,b#2] parquet""",
        """\
Project [a#1]
+- Filter ((b#2 < 2) AND (a#1 > 1))
   +- Relation t[a#1,b#2] parquet""",
        {"combined", "other"},
    ),
    "a part of it below an aggregate": (
        """\
Filter ((a#1 > 1) AND (n#4L > 2))
+- Aggregate [a#1], [a#1, count(1) AS n#4L]
   +- Relation t[a#1] parquet""",
        """\
Filter (n#4L > 2)
+- Aggregate [a#1], [a#1, count(1) AS n#4L]
   +- Filter (a#1 > 1)
      +- Relation t[a#1] parquet""",
        {"other"},
    ),
    "to each branch of a union": (
        """\
Filter (a#1 > 1)
+- Union false, false
   :- Relation t[a#1] parquet
   +- Relation u[b#2] parquet""",
        """\
Union false, false
:- Filter (a#1 > 1)
:  +- Relation t[a#1] parquet
+- Filter (b#2 > 1)
   +- Relation u[b#2] parquet""",
        {"other"},
    ),
    "from above a join to a side": (
        """\
Filter (a#1 > 1)
+- Join LeftOuter, (a#1 = b#2)
   :- Relation t[a#1] parquet
   +- Relation u[b#2] parquet""",
        """\
Join LeftOuter, (a#1 = b#2)
:- Filter (a#1 > 1)
:  +- Relation t[a#1] parquet
+- Relation u[b#2] parquet""",
        {"join"},
    ),
    "from ON to a side": (
        """\
Join LeftOuter, ((a#1 = b#2) AND (b#2 > 1))
:- Relation t[a#1] parquet
+- Relation u[b#2] parquet""",
        """\
Join LeftOuter, (a#1 = b#2)
:- Relation t[a#1] parquet
+- Filter (b#2 > 1)
   +- Relation u[b#2] parquet""",
        {"join"},
    ),
    "from above a join into its ON": (
        """\
Filter (a#1 > b#2)
+- Join Cross
   :- Relation t[a#1] parquet
   +- Relation u[b#2] parquet""",
        """\
Join Cross, (a#1 > b#2)
:- Relation t[a#1] parquet
+- Relation u[b#2] parquet""",
        {"join"},
    ),
    "all of ON to the sides": (
        """\
Join Inner, ((a#1 = 1) AND (b#2 > 1))
:- Relation t[a#1] parquet
+- Relation u[b#2] parquet""",
        """\
Join Inner
:- Filter (a#1 = 1)
:  +- Relation t[a#1] parquet
+- Filter (b#2 > 1)
   +- Relation u[b#2] parquet""",
        {"join"},
    ),
    "through a join to a side that has a filter": (
        """\
Filter (a#1 > 1)
+- Join Inner, (a#1 = b#2)
   :- Filter (c#3 > 1)
   :  +- Relation t[a#1,c#3] parquet
   +- Relation u[b#2] parquet""",
        """\
Join Inner, (a#1 = b#2)
:- Filter ((c#3 > 1) AND (a#1 > 1))
:  +- Relation t[a#1,c#3] parquet
+- Relation u[b#2] parquet""",
        {"combined", "join"},
    ),
    "through a join and on through what is below it": (
        """\
Filter (a#1 > 1)
+- Join Inner, (a#1 = b#2)
   :- Project [a#1]
   :  +- Relation t[a#1,c#3] parquet
   +- Relation u[b#2] parquet""",
        """\
Join Inner, (a#1 = b#2)
:- Project [a#1]
:  +- Filter (a#1 > 1)
:     +- Relation t[a#1,c#3] parquet
+- Relation u[b#2] parquet""",
        {"join", "other"},
    ),
    "away from above a projection, through a join below it": (
        """\
Project [a#1]
+- Filter (a#1 > 1)
   +- Join Inner, (a#1 = b#2)
      :- Relation t[a#1] parquet
      +- Relation u[b#2] parquet""",
        """\
Project [a#1]
+- Join Inner, (a#1 = b#2)
   :- Filter (a#1 > 1)
   :  +- Relation t[a#1] parquet
   +- Relation u[b#2] parquet""",
        {"join"},
    ),
    "below a projection over a join that stays as it is": (
        """\
Filter (a#1 > b#2)
+- Project [a#1, b#2]
   +- Join FullOuter, (a#1 = b#2)
      :- Relation t[a#1] parquet
      +- Relation u[b#2] parquet""",
        """\
Project [a#1, b#2]
+- Filter (a#1 > b#2)
   +- Join FullOuter, (a#1 = b#2)
      :- Relation t[a#1] parquet
      +- Relation u[b#2] parquet""",
        {"other"},
    ),
    "filters below a join meet, and the join stays as it is": (
        """\
Join FullOuter, (a#1 = b#2)
:- Filter (a#1 > 1)
:  +- Filter (a#1 < 9)
:     +- Relation t[a#1] parquet
+- Relation u[b#2] parquet""",
        """\
Join FullOuter, (a#1 = b#2)
:- Filter ((a#1 < 9) AND (a#1 > 1))
:  +- Relation t[a#1] parquet
+- Relation u[b#2] parquet""",
        {"combined"},
    ),
    "a condition that two filters have in other words": (
        """\
Filter (1 < a#1)
+- Filter (a#1 > 1)
   +- Aggregate [a#1], [a#1, count(1) AS n#4L]
      +- Relation t[a#1] parquet""",
        """\
Filter (a#1 > 1)
+- Aggregate [a#1], [a#1, count(1) AS n#4L]
   +- Relation t[a#1] parquet""",
        {"combined"},
    ),
    "nothing": (
        """\
Filter (a#1 > 1)
+- Relation t[a#1] parquet""",
        """\
Filter (a#1 > 1)
+- Relation t[a#1] parquet""",
        set(),
    ),
    "other operators, so another rule's work": (
        """\
Filter (a#1 > 1)
+- Project [a#1]
   +- Relation t[a#1] parquet""",
        """\
Filter (a#1 > 1)
+- Relation t[a#1] parquet""",
        set(),
    ),
}


@pytest.mark.parametrize(("before", "after", "parts"), CHANGES.values(), ids=CHANGES)
def test_each_part_sees_its_own_work_alone(before: str, after: str, parts: set[str]) -> None:
    plans: tuple[PlanNode, PlanNode] = (read_plan(before), read_plan(after))
    assert {name for name, evidence in PARTS.items() if evidence(*plans)} == parts


@pytest.mark.parametrize(
    ("condition", "parts"),
    [
        ("", set()),
        ("(a#1 > 1)", {"(a#1 > 1)"}),
        ("isnotnull(a#1)", {"isnotnull(a#1)"}),
        ("((a#1 > 1) AND b#2)", {"(a#1 > 1)", "b#2"}),
        ("((x AND y) AND (z AND NOT (v AND w)))", {"x", "y", "z", "NOT (v AND w)"}),
        ("((x AND y) OR z)", {"((x AND y) OR z)"}),
        ("(x AND y) OR (z AND w)", {"(x AND y) OR (z AND w)"}),
        ("((s#1 = (() AND x)", {"((s#1 = (() AND x)"}),
    ],
    ids=["none", "one", "a call", "two", "nested", "an OR", "an OR without brackets", "text with a bracket"],
)
def test_a_condition_is_taken_apart_at_its_ands(condition: str, parts: set[str]) -> None:
    assert conjuncts(condition) == parts
