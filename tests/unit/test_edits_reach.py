"""Kinds of edits, and what each makes of a case."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strategies import ir
from strategies.edits.edits import edited_cases
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    Col,
    Compare,
    Distinct,
    Filter,
    Item,
    Join,
    Lit,
    Node,
    Not,
    Or,
    Project,
    Recursive,
    SetOp,
    walk,
)
from tests.unit.edit_samples import COL_A, FILTERED, JOINED, ONE, PLAIN, SUM, T0, UNION, case_of, conditions
from tests.unit.strategy_asserts import drawn, find_any


def has(kind: type[Node]) -> Callable[[Case], bool]:
    return lambda case: any(isinstance(node, kind) for node in walk(case.query))


def kinds(case: Case) -> set[str]:
    return {node.kind for node in walk(case.query) if isinstance(node, (Join, SetOp))}


RECURSION = Recursive(T0, ("a", "b", "k"), 1, (), ONE)
RANKED = ir.Window(T0, (ir.Over("w", ir.Ranking("rank")),), (COL_A,), (ir.SortKey(Col("b", INT)),))
SHIFTED = ir.Window(T0, (ir.Over("w", ir.Peek("lag", COL_A, 1)),), (), (ir.SortKey(COL_A), ir.SortKey(Col("b", INT))))
EXPLODED = ir.Generate(T0, ir.MakeArray(INT, (COL_A,)), "e")


def shown_value(value: ir.Expr) -> ir.Project:
    return ir.Project(T0, (Item("x", value),))


SHOWN = shown_value(COL_A)
REACHED = {
    "a filter over a scan": (PLAIN[0], has(Filter)),
    "DISTINCT": (PLAIN[0], has(Distinct)),
    "a limit": (PLAIN[0], has(ir.Limit)),
    "a window": (PLAIN[0], has(ir.Window)),
    "a union with itself": (
        PLAIN[0],
        lambda case: any(isinstance(node, SetOp) and node.left == node.right for node in walk(case.query)),
    ),
    "a semi join": (PLAIN[0], lambda case: "semi" in kinds(case)),
    "an anti join": (PLAIN[0], lambda case: "anti" in kinds(case)),
    "an inner join under a projection": (PLAIN[0], lambda case: "inner" in kinds(case)),
    "an outer join in place of an inner one": (
        PLAIN[1],
        lambda case: isinstance(case.query, Join) and case.query == ir_replace(JOINED, kind="full"),
    ),
    "another set operator": (PLAIN[3], lambda case: case.query == ir_replace(UNION, kind="except")),
    "ALL": (PLAIN[3], lambda case: case.query == ir_replace(UNION, all=True)),
    "another aggregate function": (PLAIN[2], lambda case: Agg("max", COL_A) in walk(case.query)),
    "a negated condition": (FILTERED, lambda case: conditions(case) == [Not(ONE)]),
    "a test whether the condition is NULL": (FILTERED, lambda case: conditions(case) == [ir.IsNull(ONE)]),
    "a conjunction": (FILTERED, lambda case: any(isinstance(c, And) and c.left == ONE for c in conditions(case))),
    "a disjunction": (FILTERED, lambda case: any(isinstance(c, Or) and c.left == ONE for c in conditions(case))),
    "another comparison": (FILTERED, lambda case: Compare("<", COL_A, Lit(INT, 1)) in conditions(case)),
    "another constant": (FILTERED, lambda case: Compare("=", COL_A, Lit(INT, 2)) in conditions(case)),
    "more steps": (case_of(RECURSION), lambda case: case.query == ir_replace(RECURSION, steps=3)),
    "another condition of a step": (
        case_of(RECURSION),
        lambda case: case.query == ir_replace(RECURSION, condition=Not(ONE)),
    ),
    "another direction": (
        case_of(RANKED),
        lambda case: case.query == ir_replace(RANKED, order=(ir.SortKey(Col("b", INT), descending=True),)),
    ),
    "another place of NULL": (
        case_of(RANKED),
        lambda case: case.query == ir_replace(RANKED, order=(ir.SortKey(Col("b", INT), nulls_first=False),)),
    ),
    "a window without a key": (case_of(RANKED), lambda case: case.query == ir_replace(RANKED, partition=())),
    "a window with one more key": (
        case_of(RANKED),
        lambda case: case.query == ir_replace(RANKED, partition=(COL_A, Col("b", INT))),
    ),
    "a set operator whose right columns change places": (
        case_of(SetOp("union", T0, T0)),
        lambda case: (
            isinstance(case.query, SetOp)
            and case.query.left == T0
            and case.query.right == Project(T0, (Item("b", Col("b", INT)), Item("a", COL_A)))
        ),
    ),
    "another rank": (case_of(RANKED), lambda case: ir.Ranking("dense_rank") in walk(case.query)),
    "the next row": (case_of(SHIFTED), lambda case: ir.Peek("lead", COL_A, 1) in walk(case.query)),
    "rows of no elements": (case_of(EXPLODED), lambda case: case.query == ir_replace(EXPLODED, outer=True)),
    "another value": (case_of(SHOWN), lambda case: case.query == shown_value(Col("b", INT))),
    "a value unless it is NULL": (
        case_of(SHOWN),
        lambda case: case.query == shown_value(ir.Coalesce((COL_A, Lit(INT, 0)))),
    ),
    "another key": (
        PLAIN[2],
        lambda case: isinstance(case.query, Aggregate) and case.query.keys == (Item("b", COL_A),),
    ),
    "all rows in place of groups": (
        PLAIN[2],
        lambda case: (
            isinstance(case.query, Aggregate)
            and case.query.keys == ()
            and case.query.aggregates[0].value == Agg("max", Col("b", INT))
        ),
    ),
    "another argument": (
        PLAIN[2],
        lambda case: any(isinstance(n, Agg) and n.function == "min" and n.operand != COL_A for n in walk(case.query)),
    ),
    "no filter": (FILTERED, lambda case: case.query == T0),
    "other settings": (PLAIN[0], lambda case: case.query == T0 and case.settings.codegen),
    "a part of a donor": (
        PLAIN[0],
        lambda case: any(isinstance(node, Alias) and node.child == SUM.child for node in walk(case.query)),
    ),
}


def ir_replace(node: Node, **changes: object) -> Node:
    return type(node)(**{**ir.init_fields(node), **changes})


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("case", "holds"), REACHED.values(), ids=REACHED)
def test_an_edit_reaches(case: Case, holds: Callable[[Case], bool]):
    find_any(edited_cases(case, donors=PLAIN), holds, within=4_000)


def test_counts_of_maps_are_edited() -> None:
    """Maps have no DISTINCT and no NULLIF."""
    counted = Aggregate(T0, (), (Item("n", Agg("count", ir.MakeMap((Lit(INT, 1),), (COL_A,)))),))
    for case in drawn(edited_cases(case_of(counted), donors=PLAIN), count=200):
        compared = [node.left for node in walk(case.query) if isinstance(node, ir.NullIf)]
        once = [node.operand for node in walk(case.query) if isinstance(node, Agg) and node.distinct]
        assert not any(isinstance(part, ir.MakeMap) for part in (*compared, *once))
