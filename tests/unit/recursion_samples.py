"""Recursive common table expressions: all forms of an anchor, a step and a place."""

from __future__ import annotations

from strategies.ir import (
    BOOLEAN,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Col,
    Column,
    Compare,
    CteScan,
    Exists,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Join,
    Lit,
    Not,
    NullIf,
    OneRow,
    Outer,
    Project,
    Recursive,
    Relation,
    ScalarSubquery,
    SetOp,
    TryArith,
    With,
)
from tests.unit.sample_tables import NULL_INT, ONE, T0, T1, YES, A, B

X, K = Col("x", INT), Col("k", INT)
AB = Project(T0, (Item("a", A), Item("b", B)))
ABK, XYK = ("a", "b", "k"), ("x", "y", "k")
_A1 = Project(T1, (Item("x", A),))
_C = CteScan("c", (Column("a", INT), Column("b", STRING)))
_CK = CteScan("c", (*_C.columns, Column("k", INT)))
_JOINED = Join(Alias(AB, "l"), Alias(AB, "r"), "cross")
_MOST = ScalarSubquery(Aggregate(T1, (), (Item("m", Agg("max", A)),)))
_LARGER = Filter(Recursive(AB, ABK), Compare("<", A, Outer("a", INT, "o")))

RECURSIONS: dict[str, Relation] = {
    "recursive": Recursive(AB, ABK),
    "recursive-without-steps": Recursive(AB, ABK, 0),
    "recursive-by-a-condition": Recursive(AB, ABK, 4, (), IsNull(A, negated=True)),
    "recursive-by-nothing": Recursive(AB, ABK, 2, (), Lit(BOOLEAN, False)),
    "recursive-with-changes": Recursive(
        AB, ABK, 3, (Item("b", NullIf(B, Lit(STRING, "x"))), Item("a", TryArith("+", A, K))), Not(YES)
    ),
    "recursive-of-constants": Recursive(OneRow((Item("x", ONE), Item("y", ONE))), XYK, 3, (Item("x", NULL_INT),)),
    "recursive-of-a-column-twice": Recursive(
        Project(T1, (Item("a", A), Item("a", A))), XYK, 3, (Item("x", K), Item("y", X))
    ),
    "recursive-of-a-join": Recursive(
        _JOINED, ("a", "b", "c", "d", "k"), 2, (Item("c", A), Item("b", Col("d", STRING)))
    ),
    "recursive-by-in-subquery": Recursive(AB, ABK, 2, (), InSubquery((A,), Filter(_A1, IsNull(X, negated=True)))),
    "recursive-by-not-in-subquery": Recursive(AB, ABK, 2, (), InSubquery((A,), _A1, negated=True)),
    "recursive-by-a-value": Recursive(AB, ABK, 2, (), Compare("<=", A, _MOST)),
    "recursive-of-a-recursive": Recursive(Recursive(AB, ABK), ("a", "b", "j", "k"), 2, (Item("j", K),)),
    "recursive-below": SetOp("except", Project(Recursive(AB, ABK), (Item("a", A),)), _A1, all=True),
    "recursive-in-a-subquery": Filter(Alias(T0, "o"), Exists(_LARGER)),
    "recursive-read-twice": With("c", Recursive(AB, ABK), SetOp("union", Filter(_CK, YES), Alias(_CK, "x"), all=True)),
    "recursive-of-a-cte": With("c", AB, Recursive(_C, ABK, 2)),
    "any-limit-of-a-recursive": AnyLimit(Recursive(AB, ABK, 2), 4, 1),
}
