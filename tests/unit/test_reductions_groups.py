"""The reducer takes parts away from windows, grouping sets, pivots and literal rows, and leaves what is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from oracles.reductions.reducer import candidates, reduce, size
from oracles.sql import SparkCompiler
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    STRING,
    Agg,
    Alias,
    And,
    Arith,
    Case,
    CaseWhen,
    Col,
    Compare,
    Database,
    Filter,
    Frame,
    GroupingId,
    GroupingSets,
    IsNull,
    Item,
    Join,
    Lit,
    Node,
    Over,
    Peek,
    Pivot,
    PivotValue,
    Project,
    Ranking,
    Relation,
    SetOp,
    SortKey,
    Table,
    Values,
    ValuesRow,
    When,
    Window,
    from_plain,
    scans,
    to_plain,
    walk,
)
from tests.unit.wrong_operators import T0, T1, T2, A, B, S, case_of, number

N = TypeVar("N", bound=Node)
_ALL = (SortKey(B, True), SortKey(S, nulls_first=False), SortKey(A))
_ROWS = tuple(
    ValuesRow((Lit(INT, place), Lit(STRING, text), Lit(DOUBLE, None))) for place, text in enumerate(("x", "y", ""))
)
_PLACES = Window(
    Filter(T0, IsNull(A, negated=True)),
    (
        Over("r", Ranking("row_number")),
        Over("g", Peek("lag", Arith("+", A, B), 2, number(7), ignore_nulls=True)),
        Over("m", Agg("max", S, where=Compare("<", A, number(5))), Frame("rows", -1, 1)),
        Over("n", Agg("count"), Frame("range", None, 0)),
    ),
    (S, Arith("+", A, B)),
    _ALL,
)
_NEAR = Window(
    T0,
    (Over("a", Agg("sum", B), Frame("range", -1, 2)),),
    (S,),
    (SortKey(CaseWhen((When(Compare("<", A, number(9)), A),)), True, False),),
)
_SETS = GroupingSets(
    T0,
    "sets",
    (Item("a", A), Item("b", B), Item("k", Arith("+", A, B))),
    (Item("m", Agg("max", S)), Item("n", Agg("count", distinct=True, operand=S))),
    (GroupingId("i", (B,)),),
    ((0, 1), (2,), (), (1, 2)),
    And(Compare(">", Col("n", BIGINT), Lit(BIGINT, 0)), IsNull(Col("b", INT))),
)
_CUBE = GroupingSets(
    Filter(T0, IsNull(S)),
    "cube",
    (Item("a", A), Item("b", B), Item("s", S)),
    (),
    (GroupingId("i", (A, B, S)), GroupingId("j", (S,))),
)
_PIVOT = Pivot(
    T0,
    (Item("s", S), Item("x", Arith("+", A, B))),
    Agg("sum", B, where=IsNull(S, negated=True)),
    A,
    (PivotValue("p", number(7)), PivotValue("q", number(None)), PivotValue("r", number(4))),
)
_VALUES = Join(
    Alias(Values(("a", "s", "d"), _ROWS), "v"), T2, "left", Compare("=", Col("a", INT, "v"), Col("k", INT, "t2"))
)
ZOO: dict[str, Relation] = {
    "places": _PLACES,
    "range": _NEAR,
    "window of a window": Window(_NEAR, (Over("y", Ranking("rank")),), (), (SortKey(B),)),
    "sets": _SETS,
    "cube": _CUBE,
    "pivot": _PIVOT,
    "values": _VALUES,
    "groups of places": GroupingSets(_PLACES, "rollup", (Item("r", Col("r", INT)),), (Item("t", Agg("max", S)),)),
    "sides of a set operator": SetOp(
        "except", Project(_PIVOT, (Item("s", S),)), Project(_PLACES, (Item("m", Col("m", STRING)),))
    ),
}
EVERY = pytest.mark.parametrize("query", ZOO.values(), ids=ZOO)


def found(case: Case, kind: type[N]) -> list[N]:
    return [node for node in walk(case.query) if isinstance(node, kind)]


def reduced(query: Relation, needed: Callable[[Case], object]) -> Case:
    case = case_of(query)
    assert needed(case)
    return reduce(case, lambda candidate: bool(needed(candidate)), deadline_seconds=1e9).case


@EVERY
def test_every_candidate_is_a_smaller_case_that_can_be_stored(query: Relation) -> None:
    case = case_of(query)
    found = list(candidates(case))
    assert len(found) > 20
    assert [candidate for candidate in found if size(candidate) >= size(case)] == []
    assert [candidate for candidate in found if from_plain(to_plain(candidate)) != candidate] == []


@pytest.mark.parametrize(
    "query", [query for query in ZOO.values() if query != _VALUES], ids=[name for name in ZOO if name != "values"]
)
def test_a_table_alone_is_left_where_nothing_matters(query: Relation) -> None:
    (scan,) = scans(reduced(query, lambda _: True).query)
    assert reduced(query, lambda _: True) == Case(scan, Database((Table(scan.table, scan.columns),)))
    assert len(scan.columns) == 1


def over_of(name: str) -> Callable[[Case], bool]:
    return lambda case: any(over.function.function == name for over in found(case, Over))


def framed(unit: str) -> Callable[[Case], bool]:
    return lambda case: any(over.frame and over.frame.unit == unit and over.frame.low for over in found(case, Over))


_UNION = SetOp("union", Project(_PLACES, (Item("r", Col("r", INT)),)), Project(T1, (Item("a", A),)), all=True)
LEFT: dict[str, tuple[Relation, Callable[[Case], object], str]] = {
    "a place keeps a total order": (
        _UNION,
        over_of("row_number"),
        "SELECT *, row_number() OVER (ORDER BY `s` ASC NULLS FIRST) AS `r` FROM `t0`",
    ),
    "an aggregate needs no order": (_PLACES, over_of("count"), "SELECT *, count(*) OVER () AS `n` FROM `t0`"),
    "a value of another row": (
        _PLACES,
        over_of("lag"),
        "SELECT *, lag(`a`, CAST(2 AS INT)) OVER (ORDER BY `a` ASC NULLS FIRST) AS `g` FROM `t0`",
    ),
    "a frame of rows": (
        _PLACES,
        framed("rows"),
        "SELECT *, max(`s`) OVER (ORDER BY `s` ASC NULLS FIRST ROWS BETWEEN 1 PRECEDING AND 1"
        " FOLLOWING) AS `m` FROM `t0`",
    ),
    "a frame of a range": (
        ZOO["window of a window"],
        framed("range"),
        "SELECT *, sum(`b`) OVER (ORDER BY `t0`.`b` ASC NULLS FIRST RANGE BETWEEN 1 PRECEDING"
        " AND 2 FOLLOWING) AS `a` FROM `t0`",
    ),
    "a partition": (
        _PLACES,
        lambda case: any(window.partition for window in found(case, Window)),
        "SELECT *, count(*) OVER (PARTITION BY `a`) AS `n` FROM `t0`",
    ),
    "a window of a window": (
        ZOO["window of a window"],
        lambda case: len(found(case, Window)) == 2,
        "SELECT *, rank() OVER (ORDER BY `b` ASC NULLS FIRST) AS `y` FROM (SELECT *, sum(`b`)"
        " OVER () AS `a` FROM `t0`) AS `q0`",
    ),
    "an id keeps its key": (
        _CUBE,
        lambda case: found(case, GroupingId),
        "SELECT `s`, CAST(grouping(`s`) AS BIGINT) AS `j` FROM `t0` GROUP BY ROLLUP (`s`)",
    ),
    "an id of two keys": (
        _CUBE,
        lambda case: any(len(node.keys) > 1 for node in found(case, GroupingId)),
        "SELECT `b`, `s`, grouping_id(`b`, `s`) AS `i` FROM `t0` GROUP BY ROLLUP (`b`, `s`)",
    ),
    "the empty set": (
        _SETS,
        lambda case: any(() in node.sets for node in found(case, GroupingSets)),
        "SELECT `b` FROM `t0` GROUP BY GROUPING SETS ((), (`b`))",
    ),
    "having": (
        _SETS,
        lambda case: any(node.having for node in found(case, GroupingSets)),
        "SELECT `b` FROM `t0` GROUP BY GROUPING SETS ((`b`)) HAVING CAST(true AS BOOLEAN)",
    ),
    "cube": (
        _CUBE,
        lambda case: any(node.kind == "cube" for node in found(case, GroupingSets)),
        "SELECT `s` FROM `t0` GROUP BY CUBE (`s`)",
    ),
    "pivot": (
        ZOO["sides of a set operator"],
        lambda case: found(case, Pivot),
        "SELECT * FROM (SELECT `a` AS `q0`, `b` AS `q1` FROM `t0`) AS `q0` PIVOT (sum(`q1`)"
        " FOR `q0` IN (CAST(0 AS INT) AS `r`))",
    ),
    "a value of a pivot": (
        _PIVOT,
        lambda case: any(node.literal.value is None for node in found(case, PivotValue)),
        "SELECT * FROM (SELECT `a` AS `q0`, `b` AS `q1` FROM `t0`) AS `q0` PIVOT (sum(`q1`)"
        " FOR `q0` IN (CAST(NULL AS INT) AS `q`))",
    ),
    "literal rows": (_VALUES, lambda case: found(case, Values), "SELECT * FROM VALUES (CAST(0 AS INT)) AS `q0`(`d`)"),
}


@pytest.mark.parametrize(("query", "needed", "left"), LEFT.values(), ids=LEFT)
def test_what_is_left(query: Relation, needed: Callable[[Case], object], left: str) -> None:
    assert SparkCompiler("cast").compile(reduced(query, needed).query) == left
