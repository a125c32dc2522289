"""An EXCEPT that some rows are left of, for rules about EXCEPT: the plan is another, and the answer has rows."""

from __future__ import annotations

from hypothesis import strategies as st

from strategies.ir import INT, Case, Col, Column, Compare, Database, Filter, Lit, Scan, SetOp, Table

_PAIRS = (Column("a", INT), Column("b", INT))
_ROWS = Database((Table("t0", _PAIRS, ((1, 2), (1, 2), (5, 6), (7, None))),))


def excepts_with_rows():
    """``t0 WHERE a < n EXCEPT t0 WHERE b < m``."""
    return st.tuples(st.integers(2, 20), st.integers(-20, 2)).map(lambda bounds: Case(_query(*bounds), _ROWS))


def _query(left, right):
    return SetOp("except", _below("a", left), _below("b", right))


def _below(name, bound):
    return Filter(Scan("t0", _PAIRS), Compare("<", Col(name, INT), Lit(INT, bound)))
