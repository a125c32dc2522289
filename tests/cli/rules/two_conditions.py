"""Filters of two conditions that some rows meet, for rules about AND: the plan is another, and the answer has rows."""

from __future__ import annotations

from hypothesis import strategies as st

from strategies.ir import INT, And, Case, Col, Column, Compare, Database, Filter, Lit, Scan, Table

_PAIRS = (Column("a", INT), Column("b", INT))
_ROWS = Database((Table("t0", _PAIRS, ((1, 2), (5, 6), (7, None))),))


def filters_of_two_conditions():
    """``t0 WHERE b < n AND a < m``."""
    return st.tuples(st.integers(3, 20), st.integers(2, 20)).map(lambda numbers: Case(_query(*numbers), _ROWS))


def _query(first, second):
    a, b = Col("a", INT), Col("b", INT)
    return Filter(Scan("t0", _PAIRS), And(Compare("<", b, Lit(INT, first)), Compare("<", a, Lit(INT, second))))
