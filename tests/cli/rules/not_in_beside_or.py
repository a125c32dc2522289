"""Queries that ``ForgetsInBesideOr`` fires on."""

from __future__ import annotations

from hypothesis import strategies as st

from strategies.ir import (
    INT,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    InSubquery,
    Item,
    Lit,
    Not,
    Or,
    Project,
    Scan,
    Table,
)

_PAIRS = (Column("a", INT), Column("b", INT))
_SCHEMA = Database((Table("t0", _PAIRS), Table("t1", _PAIRS)))


def not_in_or():
    """``t0 WHERE NOT (a IN (SELECT a FROM t1 WHERE b > n) OR b > m)``."""
    return st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda numbers: (_SCHEMA, _query(*numbers)))


def _query(inside, outside):
    a, b = Col("a", INT), Col("b", INT)
    values = Project(Filter(Scan("t1", _PAIRS), Compare(">", b, Lit(INT, inside))), (Item("x", a),))
    return Filter(Scan("t0", _PAIRS), Not(Or(InSubquery((a,), values), Compare(">", b, Lit(INT, outside)))))
