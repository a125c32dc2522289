"""Queries on which ``ForgetsTwice`` makes one of its two mistakes."""

from __future__ import annotations

from hypothesis import strategies as st

from strategies.ir import INT, Alias, Col, Column, Compare, Database, Filter, Join, Lit, Scan, Table

_ONE = (Column("a", INT),)
_SCHEMA = Database((Table("t0", _ONE), Table("t1", _ONE)))


def filters():
    """``t0 WHERE a > n``."""
    return st.integers(0, 4).map(
        lambda number: (_SCHEMA, Filter(Scan("t0", _ONE), Compare(">", Col("a", INT), Lit(INT, number))))
    )


def outer_joins():
    """``t0 LEFT JOIN t1 ON t0.a > t1.a``, and such."""
    left, right = Alias(Scan("t0", _ONE), "l"), Alias(Scan("t1", _ONE), "r")
    return st.sampled_from(("<", ">", "=")).map(
        lambda operator: (_SCHEMA, Join(left, right, "left", Compare(operator, Col("a", INT, "l"), Col("a", INT, "r"))))
    )
