"""Sorts, exchanges and rows without a table get smaller like all else, and only what matters of them stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracles.reductions.reducer import candidates, reduce, size
from oracles.sql import SparkCompiler
from strategies.ir import (
    INT,
    STRING,
    Alias,
    Arith,
    Call,
    Coalesce,
    Col,
    Compare,
    Filter,
    Item,
    Join,
    Lateral,
    Lit,
    OneRow,
    Outer,
    Project,
    Relation,
    Repartition,
    SetOp,
    Sort,
    SortKey,
    from_plain,
    has_an_order,
    scans,
    to_plain,
    walk,
)
from tests.unit.wrong_operators import T0, T2, A, B, S, case_of, number

_BY_ALL = (SortKey(S, True), SortKey(B, nulls_first=False), SortKey(A))
_SORTED = Sort(Filter(T0, Compare("<", A, number(5))), (SortKey(Arith("+", A, B), True), SortKey(number(1)), *_BY_ALL))
_WITHIN = Sort(Repartition(T0, "distribute", None, (B, Arith("+", A, B))), _BY_ALL[:2], within=True)
_HINTS = Repartition(Repartition(_SORTED, "range", 3, (A, S)), "coalesce", 2)
_ROW = OneRow((Item("a", Coalesce((Lit(INT, None), number(7)))), Item("s", Call("concat", (Lit(STRING, "x"),) * 2))))
_OF_A_ROW = Lateral(
    Alias(T0, "o"),
    Alias(OneRow((Item("x", Coalesce((Outer("a", INT, "o"), number(3)))), Item("y", Outer("s", STRING, "o")))), "r"),
    "cross",
)
ZOO: dict[str, Relation] = {
    "a sort": _SORTED,
    "within": _WITHIN,
    "hints": _HINTS,
    "a sort of both sides": SetOp("except", Sort(T0, _BY_ALL), Sort(T0, _BY_ALL[:1]), all=True),
    "a row": Join(T2, Alias(_ROW, "r"), "left", Compare("=", Col("k", INT, "t2"), Col("a", INT, "r"))),
    "a row of a row": _OF_A_ROW,
}
EVERY = pytest.mark.parametrize("query", ZOO.values(), ids=ZOO)


def reduced(query: Relation, needed: Callable[[Relation], object]) -> Relation:
    assert needed(query)
    return reduce(case_of(query), lambda case: bool(needed(case.query)), deadline_seconds=1e9).case.query


@EVERY
def test_every_candidate_is_a_smaller_case_that_can_be_stored(query: Relation) -> None:
    case = case_of(query)
    found = list(candidates(case))
    assert len(found) > 20
    assert [candidate for candidate in found if size(candidate) >= size(case)] == []
    assert [candidate for candidate in found if from_plain(to_plain(candidate)) != candidate] == []


@EVERY
def test_a_table_alone_is_left_where_its_rows_matter(query: Relation) -> None:
    (scan,) = walk(reduced(query, scans))
    assert [scan] == list(scans(scan))
    assert len(scan.columns) == 1


def _has(kind: str) -> Callable[[Relation], bool]:
    return lambda query: any(isinstance(node, Repartition) and node.kind == kind for node in walk(query))


LEFT: dict[str, tuple[Relation, Callable[[Relation], object], str]] = {
    "any sort": (
        _SORTED,
        lambda query: any(isinstance(node, Sort) for node in walk(query)),
        "SELECT * FROM `t0` ORDER BY `a` ASC NULLS FIRST",
    ),
    "an order at the top": (Sort(T0, _BY_ALL), has_an_order, "SELECT * FROM `t0` ORDER BY `s` ASC NULLS FIRST"),
    "a sort within": (
        _WITHIN,
        lambda query: any(isinstance(node, Sort) and node.within for node in walk(query)),
        "SELECT * FROM `t0` SORT BY `b` ASC NULLS FIRST",
    ),
    "any exchange": (
        _WITHIN,
        lambda query: any(isinstance(node, Repartition) for node in walk(query)),
        "SELECT /*+ REPARTITION(1) */ * FROM `t0`",
    ),
    "a range": (_HINTS, _has("range"), "SELECT /*+ REPARTITION_BY_RANGE(`s`) */ * FROM `t0`"),
    "an outer value": (
        _OF_A_ROW,
        lambda query: any(isinstance(node, Outer) for node in walk(query)),
        "SELECT * FROM `t0` CROSS JOIN LATERAL (SELECT `t0`.`a` AS `x`) AS `r`",
    ),
}


@pytest.mark.parametrize(("query", "needed", "left"), LEFT.values(), ids=LEFT)
def test_only_what_matters_is_left(query: Relation, needed: Callable[[Relation], object], left: str) -> None:
    assert SparkCompiler().compile(reduced(query, needed)) == left


def test_a_sort_whose_keys_are_gone_goes_with_them() -> None:
    wide = Project(Sort(T0, (SortKey(B),)), (Item("a", A),))
    found = reduced(wide, lambda query: [field.name for field in query.fields] == ["a"])
    assert not any(isinstance(node, Sort) for node in walk(found))
