"""Samples of UNPIVOT, each in a query that both engines can run."""

from __future__ import annotations

from strategies.ir import INT, Arith, Col, Filter, IsNull, Item, Project, Relation, Unpivot
from tests.unit.sample_tables import ONE, T0, T1, A, B

_TWO = Project(T0, (Item("a", A), Item("m", Arith("+", A, ONE)), Item("b", B)))

UNPIVOTS: dict[str, Relation] = {
    "unpivot": Unpivot(T1, (A,), "x", "v"),
    "unpivot-of-two": Unpivot(_TWO, (Col("m", INT), A), "x", "v"),
    "unpivot-nulls": Unpivot(_TWO, (Col("m", INT), A), "a", "v", nulls=True),
    "unpivot-all": Unpivot(Filter(Project(T1, (Item("b", B),)), IsNull(B, negated=True)), (B,), "b", "a"),
}
