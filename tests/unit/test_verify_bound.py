"""The bound of a verification, and the text of what was enumerated."""

from __future__ import annotations

import pytest

from assay.session.ending import BadInput
from assay.verify.bound import Bound, parse_bound
from assay.verify.grammar import LEVELS, Level, Schema
from assay.verify.interest import in_order, operators_of
from assay.verify.pairs import Enumerated
from assay.verify.text import enumerated_text
from strategies.ir import INT, Alias, Column, Distinct, Join, Scan, SetOp

TWO = Schema((INT, INT), 2)
T0, T1 = (Scan(name, (Column("a", INT), Column("b", INT))) for name in ("t0", "t1"))


def test_what_is_not_named_keeps_its_default():
    assert parse_bound("--bound", "rows=1, operators=2") == Bound(rows=1, operators=2)


@pytest.mark.parametrize(
    "text", ["", "rows", "rows=0", "rows=4", "rows=x", "columns=1", "rows=1,rows=2", "rows=3,values=4"]
)
def test_any_other_bound_is_refused_in_one_line(text):
    with pytest.raises(BadInput, match=r"^--bound .*: (needs NAME=N|tables of 3 rows)"):
        parse_bound("--bound", text)


def test_a_level_counts_as_enumerated_only_if_it_is_over_all_columns():
    complete = [Enumerated(level, TWO, 10, complete=True) for level in (Level(1, 0), Level(1, 1), Level(2, 0))]
    assert enumerated_text(complete) == (
        "all of 1 operator with at most 1 further parts, of 2 operators with at most 0 further parts"
    )
    begun = [*complete[:2], Enumerated(Level(2, 0), TWO, 1_200)]
    assert enumerated_text(begun) == (
        "all of 1 operator with at most 1 further parts; "
        "the first 1,200 of 2 operators with 0 further parts over (INT, INT)"
    )
    assert enumerated_text([Enumerated(LEVELS[0], TWO)]).startswith("the first 0 of 1 operator")


JOIN = Join(Alias(T0, "l"), Alias(T1, "r"), "cross")
QUERIES = [Distinct(T0), SetOp("union", T0, T1, True), JOIN, SetOp("except", T0, T1)]


def test_queries_with_the_operators_that_a_rule_names_come_first_and_none_is_lost():
    assert list(in_order(QUERIES, Level(1, 0), ["Except"])) == [QUERIES[3], *QUERIES[:3]]
    assert list(in_order(QUERIES, Level(1, 0), [])) == list(in_order(QUERIES, Level(3, 0), ["Except"])) == QUERIES
    assert operators_of(JOIN) == {"Join"}
    assert operators_of(QUERIES[3]) == {"Except", "Distinct"}
