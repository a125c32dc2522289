"""Joins, set operators, groups, orders and limits over bags with NULL, NaN, both zeros, and rows that repeat.

Where many small queries ask one kind of question, they are one UNION ALL, each under its name.
"""

from __future__ import annotations

from functools import reduce
from itertools import product

from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    JOIN_KINDS,
    SET_KINDS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Deduplicate,
    Distinct,
    Expr,
    Filter,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Or,
    Project,
    Relation,
    Row,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
    type_text,
)
from tests.rules.semantic_samples import HOSTILE_DATABASE, PAIRS, TYPES, X, Y
from tests.unit.ir_samples import DATABASE, RELATIONS

_COLUMNS = (Column("k", INT), Column("d", DOUBLE), Column("s", STRING))
_ROWS: tuple[tuple[Row, int], ...] = (
    ((1, "nan", "x"), 2),
    ((1, "-0x0.0p+0", None), 1),
    ((2, "0x0.0p+0", ""), 3),
    ((None, None, None), 2),
    ((None, "inf", "x"), 1),
    ((3, "0x1.8000000000000p+0", "y"), 1),
)
_OTHER_ROWS: tuple[tuple[Row, int], ...] = (
    ((1, "nan", "x"), 1),
    ((2, "-0x0.0p+0", ""), 2),
    ((2, None, "x"), 1),
    ((None, None, None), 3),
    ((4, "inf", "z"), 1),
)


def _table(name: str, counted: tuple[tuple[Row, int], ...]) -> Table:
    return Table(name, _COLUMNS, tuple(row for row, copies in counted for _ in range(copies)))


BAGS = Database((_table("t0", _ROWS), _table("t1", _OTHER_ROWS), _table("t2", ())))
T0, T1, T2 = (Scan(table.name, table.columns) for table in BAGS.tables)
L, R = Alias(T0, "l"), Alias(T1, "r")
K, D, S = (Col(column.name, column.type) for column in _COLUMNS)
LK, LD, LS = (Col(column.name, column.type, "l") for column in _COLUMNS)
RK, RD, RS = (Col(column.name, column.type, "r") for column in _COLUMNS)
XK = Col("k", INT, "x")
FALSE, UNKNOWN = Lit(BOOLEAN, False), Lit(BOOLEAN, None)


def together(named: dict[str, Relation]) -> Relation:
    """All rows of all of ``named``, which have columns of the same types, each row with its query's name."""
    columns = ((Item(f"c{n}", field.column()) for n, field in enumerate(r.fields)) for r in named.values())
    tagged = (
        Project(relation, (Item("query", Lit(STRING, name)), *items))
        for (name, relation), items in zip(named.items(), columns, strict=True)
    )
    return reduce(lambda one, two: SetOp("union", one, two, all=True), tagged)


ON: dict[str, Expr] = {
    "equal": Compare("=", LK, RK),
    "floating": Compare("=", LD, RD),
    "less": Compare("<", LK, RK),
    "widened": Compare("=", LK, RD),
    "left-only": And(Compare("=", LK, RK), Compare(">", LD, Lit(DOUBLE, "0x0.0p+0"))),
    "or-null": Or(Compare("<=>", LK, RK), IsNull(RS)),
    "unknown": UNKNOWN,
}
_NULL_SAFE, _SAME_DOUBLE = Compare("<=>", LK, RK), Compare("<=>", LD, RD)
_EACH_ALONE = And(Compare("=", RK, RK), Compare("<=>", LK, LK))
_ON_KINDS = [kind for kind in JOIN_KINDS if kind != "cross"]
ON_JOINS: dict[str, Relation] = {
    f"{kind} {name}": Join(L, R, kind, on) for kind, (name, on) in product(_ON_KINDS, ON.items())
}
JOINS: dict[str, Relation] = {
    **{f"{kind} null-safe": Join(L, R, kind, _NULL_SAFE) for kind in _ON_KINDS},
    **{f"{kind} itself": Join(L, Alias(T0, "r"), kind, _SAME_DOUBLE) for kind in _ON_KINDS},
    **{f"{kind} on each side alone": Join(L, Alias(T0, "r"), kind, _EACH_ALONE) for kind in _ON_KINDS},
    **{f"{kind} nothing": Join(L, Alias(T2, "r"), kind, _NULL_SAFE) for kind in ("left", "anti", "full")},
    **{f"nothing {kind}": Join(Alias(T2, "l"), R, kind, _NULL_SAFE) for kind in ("left", "right", "full")},
    "cross": Join(T0, T1, "cross"),
    "cross nothing": Join(T0, T2, "cross"),
    "left of a semi": Join(Join(L, R, "semi", _NULL_SAFE), Alias(T1, "x"), "left", Compare("=", LK, XK)),
}

_SETS = {f"{kind}{' all' if keep else ''}": (kind, keep) for kind, keep in product(SET_KINDS, (False, True))}
SETS: dict[str, Relation] = {
    **{name: SetOp(kind, T0, T1, all=keep) for name, (kind, keep) in _SETS.items()},
    **{f"{name} itself": SetOp(kind, T0, T0, all=keep) for name, (kind, keep) in _SETS.items()},
    **{f"{name} nothing": SetOp(kind, T0, T2, all=keep) for name, (kind, keep) in _SETS.items()},
    **{f"nothing {name}": SetOp(kind, T2, T0, all=keep) for name, (kind, keep) in _SETS.items()},
    "chain": SetOp("except", SetOp("except", T0, T1, all=True), Filter(T1, IsNull(K)), all=True),
    "nested": SetOp("intersect", SetOp("union", T0, T1, all=True), SetOp("except", T0, T2, all=True), all=True),
    "right first": SetOp("except", T0, SetOp("except", T1, T0, all=True), all=True),
    "columns twice": SetOp("except", Join(L, R, "left", ON["equal"]), Join(L, R, "inner", ON["equal"]), all=True),
}

_WIDENED = (
    (SMALLINT, INT),
    (INT, BIGINT),
    (SMALLINT, DOUBLE),
    (BIGINT, DOUBLE),
    (INT, Decimal(10, 2)),
    (SMALLINT, Decimal(5, 5)),
    (Decimal(10, 2), Decimal(18, 0)),
    (Decimal(5, 5), Decimal(10, 2)),
    (DATE, TIMESTAMP_NTZ),
    (DATE, TIMESTAMP),
    (TIMESTAMP_NTZ, TIMESTAMP),
)
_COUNT = (Item("n", Agg("count")),)
_N = Col("n", BIGINT)


def _narrow(column: Col) -> Project:
    return Project(PAIRS, (Item("x", column),))


def _counted(relation: Relation) -> Relation:
    return Aggregate(relation, (), _COUNT)


WIDENING: dict[str, Relation] = {
    **{
        f"union, {name}": SetOp(
            "union",
            Project(PAIRS, tuple(Item(f"a{number}", X[pair[side]]) for number, pair in enumerate(_WIDENED))),
            Project(PAIRS, tuple(Item(f"b{number}", X[pair[1 - side]]) for number, pair in enumerate(_WIDENED))),
            all=True,
        )
        for name, side in (("wide right", 0), ("wide left", 1))
    },
    **{
        f"{kind} of each pair": together(
            {
                f"{type_text(one)} {type_text(two)}": _counted(SetOp(kind, _narrow(X[one]), _narrow(Y[two]), all=True))
                for one, two in _WIDENED
            }
        )
        for kind in ("except", "intersect")
    },
}


def _first(column: Col, descending: bool, nulls_first: bool) -> Relation:
    return Limit(Distinct(_narrow(column)), (SortKey(Col("x", column.type), descending, nulls_first),), 7, 1)


ORDERS: dict[str, Relation] = {
    **{f"{type_text(kind)} asc nulls first": _first(X[kind], False, True) for kind in TYPES},
    "DOUBLE asc nulls last": _first(X[DOUBLE], False, False),
    "DOUBLE desc nulls last": _first(X[DOUBLE], True, False),
    "STRING desc nulls first": _first(X[STRING], True, True),
}

_TOTAL = (SortKey(D, True, False), SortKey(S, False, False), SortKey(K))
LIMITS: dict[str, Relation] = {
    "none": Limit(T0, _TOTAL, 0),
    "all": Limit(T0, _TOTAL, 100),
    "offset": Limit(T0, _TOTAL, 3, 4),
    "past the end": Limit(T0, _TOTAL, 3, 100),
    "of nothing": Limit(T2, _TOTAL, 3),
    "count": _counted(AnyLimit(T0, 4, 2)),
    "count past the end": _counted(AnyLimit(T0, 100, 9)),
}

KEYS: dict[str, Relation] = {
    "sizes of groups": together(
        {type_text(kind): Project(Aggregate(PAIRS, (Item("x", X[kind]),), _COUNT), (Item("n", _N),)) for kind in TYPES}
    ),
    "numbers of values": together({type_text(kind): _counted(Distinct(_narrow(X[kind]))) for kind in TYPES}),
    "groups of doubles": Aggregate(PAIRS, (Item("x", X[DOUBLE]),), _COUNT),
    "pairs of values": Distinct(Project(PAIRS, (Item("x", X[DOUBLE]), Item("y", Y[STRING])))),
}
GROUPS: dict[str, Relation] = {
    "distinct": Distinct(T0),
    "deduplicate": Deduplicate(T0, ("s", "k", "d")),
    "having without keys": Aggregate(T0, (), _COUNT, Compare(">", _N, Lit(BIGINT, 3))),
    "having false without keys": Aggregate(T0, (), _COUNT, FALSE),
    "having unknown": Aggregate(T0, (Item("k", K),), _COUNT, Compare("=", K, Lit(INT, 1))),
    "having of nothing": Aggregate(T2, (), _COUNT, Compare("=", _N, Lit(BIGINT, 0))),
    "constant key": Aggregate(T0, (Item("one", Lit(INT, 1)),), _COUNT),
    "constant key of nothing": Aggregate(T2, (Item("one", Lit(INT, 1)),), _COUNT),
    "alias like a column": Aggregate(T0, (Item("d", K), Item("k", D)), (Item("s", Agg("max", S)),)),
    "same key twice": Aggregate(T0, (Item("a", K), Item("b", K)), _COUNT, IsNull(Col("b", INT))),
    "swapped names": Limit(
        Project(T0, (Item("s", K), Item("k", S))), (SortKey(Col("s", INT)), SortKey(Col("k", STRING))), 4
    ),
    "name hides a column in where": Project(Filter(T0, IsNull(K)), (Item("k", D), Item("d", K))),
}

SQL, PROGRAM = Settings(), Settings(form="dataframe")
QUERIES: dict[str, tuple[Relation, Database, tuple[Settings, ...]]] = {
    f"{section}: {name}": (relation, database, ways)
    for section, relations, database, ways in (
        ("on", ON_JOINS, BAGS, (SQL,)),
        ("join", JOINS, BAGS, (SQL, PROGRAM)),
        ("set", SETS, BAGS, (SQL, PROGRAM)),
        ("widening", WIDENING, HOSTILE_DATABASE, (SQL,)),
        ("order", ORDERS, HOSTILE_DATABASE, (SQL,)),
        ("limit", LIMITS, BAGS, (SQL, PROGRAM)),
        ("key", KEYS, HOSTILE_DATABASE, (SQL,)),
        ("group", GROUPS, BAGS, (SQL, PROGRAM)),
        ("sample", RELATIONS, DATABASE, (SQL, PROGRAM)),
    )
    for name, relation in relations.items()
    if not isinstance(relation, AnyLimit) and not name.startswith("project-")
}
"""Every query that has one answer, its tables, and the ways in which Spark is asked; scalar expressions have
their own tests."""
