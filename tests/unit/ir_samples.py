"""At least one of every node of the query algebra, each in a query that both engines can run."""

from __future__ import annotations

import strategies.ir
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Arith,
    Between,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Deduplicate,
    Distinct,
    Expr,
    Filter,
    InList,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Node,
    Not,
    NullIf,
    Or,
    Project,
    Relation,
    Remainder,
    Scan,
    SetOp,
    SortKey,
    Table,
    TryArith,
    When,
)

COLUMNS = (Column("a", INT), Column("b", STRING), Column("d", DOUBLE), Column("n", Decimal(10, 2)))
T0, T1 = Scan("t0", COLUMNS), Scan("t1", COLUMNS)
ROWS = ((1, "x", "nan", "1.25"), (1, "x", "nan", "1.25"), (None, None, None, None), (-2, "", "-0x0.0p+0", "-0.05"))
DATABASE = Database((Table("t0", COLUMNS, ROWS), Table("t1", COLUMNS, ROWS[1:])))

A, B, D, N = (Col(column.name, column.type) for column in COLUMNS)
ONE, NULL_INT = Lit(INT, 1), Lit(INT, None)
YES = Compare("=", A, ONE)

LITERALS: dict[str, Lit] = {
    "boolean": Lit(BOOLEAN, False),
    "smallint": Lit(SMALLINT, -32768),
    "int": Lit(INT, -2147483648),
    "bigint": Lit(BIGINT, -9223372036854775808),
    "nan": Lit(DOUBLE, "nan"),
    "infinity": Lit(DOUBLE, "-inf"),
    "negative-zero": Lit(DOUBLE, "-0x0.0p+0"),
    "subnormal": Lit(DOUBLE, "0x0.0000000000001p-1022"),
    "decimal": Lit(Decimal(18, 18), "-0.000000000000000001"),
    "string": Lit(STRING, "it's \\ ${a} \0 \n \u2028 😀 `\""),
    "binary": Lit(BINARY, "00ff5c27"),
    "no-bytes": Lit(BINARY, ""),
    "date": Lit(DATE, "0001-01-01"),
    "timestamp": Lit(TIMESTAMP, "1969-12-31 23:59:59.999999"),
    "timestamp-ntz": Lit(TIMESTAMP_NTZ, "9999-12-31 23:59:59.999999"),
    "null": Lit(Decimal(5, 0), None),
}

EXPRESSIONS: dict[str, Expr] = {
    **{f"literal-{name}": literal for name, literal in LITERALS.items()},
    "column": D,
    "compare": Compare("<=", A, Lit(DOUBLE, "0x1.8000000000000p+0")),
    "null-safe": Compare("<=>", B, Lit(STRING, None)),
    "and": And(YES, Lit(BOOLEAN, None)),
    "or": Or(YES, Lit(BOOLEAN, None)),
    "not": Not(YES),
    "is-null": IsNull(B),
    "is-not-null": IsNull(B, negated=True),
    "in": InList(A, (ONE, NULL_INT)),
    "not-in": InList(A, (ONE, NULL_INT), negated=True),
    "between": Between(N, Lit(Decimal(10, 2), "0.00"), N),
    "not-between": Between(D, Lit(DOUBLE, None), D, negated=True),
    "case": CaseWhen((When(YES, B), When(IsNull(A), Lit(STRING, "none"))), Lit(STRING, "else")),
    "case-without-else": CaseWhen((When(YES, D),)),
    "coalesce": Coalesce((A, ONE)),
    "nullif": NullIf(D, Lit(DOUBLE, "nan")),
    "arith": Arith("*", D, D),
    "try": TryArith("+", A, Lit(INT, 2147483647)),
    "remainder": Remainder(A, -7),
    "cast": Cast(A, Decimal(12, 2)),
    "cast-to-binary": Cast(Lit(STRING, "é"), BINARY),
    "cast-fraction": Cast(Lit(Decimal(3, 3), "-0.125"), STRING),
    "call": Call("concat", (B, Call("substring", (B, Lit(INT, -1), ONE)))),
    "call-nanvl": Call("nanvl", (D, Cast(A, DOUBLE))),
}

_L, _R = Alias(T0, "l"), Alias(T1, "r")
_EQUAL = Compare("<=>", Col("a", INT, "l"), Col("a", INT, "r"))
_SORTED = tuple(SortKey(column, descending=column is A, nulls_first=column is not B) for column in (A, B, D, N))
_COUNT = Item("n", Agg("count"))
_NARROW = Project(T0, (Item("a", A), Item("b", B)))

RELATIONS: dict[str, Relation] = {
    "scan": T0,
    "alias": _L,
    "alias-of-a-query": Alias(Distinct(T0), "x"),
    "project": Project(T0, (Item("b", Arith("+", D, D)), Item("a", B))),
    "filter": Filter(T0, YES),
    "filter-of-a-filter": Filter(Filter(T0, YES), IsNull(B)),
    "project-of-a-filter": Project(Filter(_L, IsNull(Col("a", INT, "l"))), (Item("a", Col("a", INT, "l")),)),
    "inner": Join(_L, _R, "inner", _EQUAL),
    "left": Join(_L, _R, "left", _EQUAL),
    "right": Join(_L, _R, "right", _EQUAL),
    "full": Join(_L, _R, "full", _EQUAL),
    "semi": Join(_L, _R, "semi", _EQUAL),
    "anti": Join(_L, _R, "anti", _EQUAL),
    "cross": Join(T0, Distinct(T1), "cross"),
    "join-of-a-join": Join(T0, Join(_L, _R, "left", _EQUAL), "inner", Compare("=", Col("a", INT, "t0"), ONE)),
    "names-twice": Filter(Distinct(Join(_L, _R, "left", _EQUAL)), Lit(BOOLEAN, True)),
    "aggregate": Aggregate(
        Filter(T0, IsNull(A)),
        (Item("k", Arith("+", D, D)),),
        (Item("s", Agg("sum", N, distinct=True, where=YES)), _COUNT),
        Compare(">", Col("n", BIGINT), Lit(BIGINT, 1)),
    ),
    "aggregate-without-keys": Aggregate(T0, (), (_COUNT, Item("s", Agg("sum", A)))),
    "aggregate-of-keys-alone": Aggregate(T0, (Item("a", ONE),), ()),
    "aggregate-that-shadows": Aggregate(
        T0, (Item("a", B),), (Item("m", Agg("max", A)),), Compare("=", Col("m", INT), ONE)
    ),
    "having-try": Aggregate(
        T0, (), (Item("m", Agg("max", A)),), IsNull(TryArith("-", Col("m", INT), ONE), negated=True)
    ),
    "distinct": Distinct(T0),
    "distinct-project": Distinct(Project(T0, (Item("x", A),))),
    "deduplicate": Deduplicate(Project(T0, (Item("x", A), Item("y", Cast(A, STRING)))), ("x",)),
    "deduplicate-without-keys": Deduplicate(Project(T0, (Item("x", ONE),)), ()),
    "union-all": SetOp("union", _NARROW, Project(T1, (Item("x", D), Item("y", B))), all=True),
    "except": SetOp("except", T0, Filter(T0, YES)),
    "except-all-chain": SetOp("except", SetOp("except", T0, T1, all=True), T1, all=True),
    "intersect-of-a-union": SetOp("intersect", T0, SetOp("union", T0, T1)),
    "limit": Limit(T0, _SORTED, 2, 1),
    "limit-of-a-projection": Limit(_NARROW, (SortKey(B), SortKey(A)), 3),
    "any-limit": AnyLimit(SetOp("union", T0, T1, all=True), 2, 1),
    "any-limit-of-a-limit": AnyLimit(Limit(T0, _SORTED, 3), 2),
    "count-of-any-limit": Aggregate(AnyLimit(T0, 1), (), (_COUNT,)),
    **{f"project-{name}": Project(T0, (Item("x", expression),)) for name, expression in EXPRESSIONS.items()},
}

NODES = sorted(
    (
        kind
        for kind in vars(strategies.ir).values()
        if isinstance(kind, type) and issubclass(kind, Node) and kind not in (Node, Expr, Relation)
    ),
    key=lambda kind: kind.__name__,
)
"""Every kind of node that a query is made of."""
