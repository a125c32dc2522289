"""Spark's plan texts, read back as trees."""

from __future__ import annotations

import pytest

from oracles.rules.plans import PlanNode, read_plan

JOINED = """\
Project [a#1]
+- Join Inner, (a#1 = c#3)
   :- Filter exists#5 [a#1]
   :  :  +- Project [1 AS 1#7]
   :  :     +- Filter (c#3 > 1)
   :  :        +- Relation u[c#3] parquet
   :  +- Relation t[a#1] parquet
   +- !Filter (c#3 > 1)
      +- LocalRelation <empty>, [c#3]
"""


def kinds(node: PlanNode) -> object:
    return (node.kind, *map(kinds, node.children))


def test_levels_become_children_and_subqueries_are_left_out() -> None:
    assert kinds(read_plan(JOINED)) == (
        "Project",
        ("Join", ("Filter", ("Relation",)), ("Filter", ("LocalRelation",))),
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Filter (a#1 > 2)", "Filter"),
        ("Aggregate [a#1], [a#1]", "Aggregate"),
        ("Union false, false", "Union"),
        ("!Project [a#1]", "Project"),
        ("Relation[a#1] parquet", "Relation"),
        ("OneRowRelation", "OneRowRelation"),
    ],
)
def test_a_nodes_kind_is_its_first_word(text: str, kind: str) -> None:
    assert read_plan(text).kind == kind


@pytest.mark.parametrize(
    ("kind", "below", "number"),
    [
        ("Filter", (), 2),
        ("Filter", ("Relation",), 1),
        ("Join", ("Filter",), 1),
        ("Join", ("Relation",), 0),
        ("Project", ("Filter", "Join"), 1),
    ],
)
def test_nodes_are_counted_by_what_is_right_below(kind: str, below: tuple[str, ...], number: int) -> None:
    assert read_plan(JOINED).count(kind, *below) == number
