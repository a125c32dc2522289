"""SPARK-58383's pattern: an EXCEPT whose condition is bound to another column of the same name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from strategies.ir import Distinct, Filter, IsNull, Item, Project, Relation, SetOp
from tests.unit.test_divergences import ENTRY, A, B, T, excused

COMPUTED = (Item("a", B),)
OWN, PLAIN = Project(T, COMPUTED), Project(T, (Item("a", A),))
ABOVE = Project(Filter(T, IsNull(A)), COMPUTED)
SHADOWED: dict[str, Relation] = {
    "a column computed above the filter": SetOp("except", OWN, ABOVE),
    "of a filtered side, too": SetOp("except", Project(Filter(T, IsNull(B)), COMPUTED), ABOVE),
    "a column that the right side calls otherwise": SetOp(
        "except", OWN, Project(Filter(T, IsNull(A)), (Item("x", B),))
    ),
    "in another place": SetOp("except", T, Filter(Project(T, (Item("b", A), Item("a", B))), IsNull(A))),
    "below other operators": Distinct(SetOp("except", OWN, ABOVE)),
}
CLEAR: dict[str, Relation] = {
    "a scan": T,
    "no filter": SetOp("except", OWN, OWN),
    "a filter above what is computed": SetOp("except", OWN, Filter(OWN, IsNull(A))),
    "a filter of another column": SetOp("except", OWN, Project(Filter(T, IsNull(B)), COMPUTED)),
    "columns under their own names": SetOp("except", PLAIN, Project(Filter(T, IsNull(A)), (Item("a", A),))),
    "sides that compute other columns": SetOp("except", PLAIN, ABOVE),
    "a new name": SetOp("except", Project(T, (Item("c", B),)), ABOVE),
    "except all": SetOp("except", OWN, ABOVE, all=True),
    "intersect": SetOp("intersect", OWN, ABOVE),
    "no set operator": OWN,
}
PATTERNED = replace(ENTRY, pattern="except_condition_takes_another_column")


@pytest.mark.parametrize("query", SHADOWED.values(), ids=SHADOWED)
def test_a_query_of_the_pattern_is_excused(query: Relation) -> None:
    assert excused(PATTERNED, query=query)


@pytest.mark.parametrize("query", CLEAR.values(), ids=CLEAR)
def test_a_query_beside_the_pattern_is_not(query: Relation) -> None:
    assert not excused(PATTERNED, query=query)


@pytest.mark.parametrize("query", [*SHADOWED.values(), *CLEAR.values()], ids=[*SHADOWED, *CLEAR])
def test_anything_is_every_query(query: Relation) -> None:
    assert excused(query=query)
