"""At least one of every node of the query algebra, each in a query that both engines can run."""

from __future__ import annotations

from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Arith,
    Array,
    Between,
    Call,
    Case,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Column,
    Compare,
    CteScan,
    Database,
    Decimal,
    Deduplicate,
    Distinct,
    Element,
    Exists,
    Expr,
    FieldOfEach,
    Filter,
    Frame,
    Generate,
    GetField,
    GroupingId,
    GroupingSets,
    HigherOrder,
    InList,
    InSubquery,
    IsNull,
    Item,
    Join,
    Lateral,
    Limit,
    Lit,
    MakeArray,
    MakeMap,
    MakeStruct,
    MapRead,
    Not,
    NullIf,
    OneRow,
    Or,
    Outer,
    Over,
    OverwritePartitions,
    Peek,
    Pivot,
    PivotValue,
    Project,
    RaiseError,
    RaisingArith,
    RaisingCast,
    RaisingElement,
    RandomColumn,
    RandomTest,
    Ranking,
    Relation,
    Remainder,
    Repartition,
    RowNumbers,
    ScalarSubquery,
    SetOp,
    Settings,
    Sort,
    SortKey,
    Struct,
    Table,
    TryArith,
    TryCast,
    TypedCount,
    TypedFilter,
    TypedMap,
    UserCall,
    Values,
    ValuesRow,
    Verbatim,
    When,
    Window,
    With,
    WithField,
    WithoutField,
    scans,
)
from tests.unit import sample_tables
from tests.unit.literal_samples import LITERALS
from tests.unit.recursion_samples import RECURSIONS
from tests.unit.sample_tables import NULL_INT, ONE, T0, T1, YES, A, B, D, N

COLUMNS, DATABASE = sample_tables.COLUMNS, sample_tables.DATABASE

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
    "decimals": Arith("*", N, Arith("+", N, N)),
    "try-cast": TryCast(D, INT),
    "try-cast-text": TryCast(B, DATE),
    "raising-sum": RaisingArith("*", A, ONE),
    "raising-quotient": RaisingArith("/", D, D, ansi=False),
    "raising-remainder": RaisingArith("%", A, ONE),
    "raising-cast": RaisingCast(D, INT),
    "raising-cast-text": RaisingCast(B, DATE, ansi=False),
    "raising-element": RaisingElement(MakeArray(INT, (A, ONE)), A),
    "raise-error": RaiseError("it's raised", STRING),
    "make-array": MakeArray(INT, (A, ONE)),
    "make-no-array": MakeArray(STRING),
    "get-field": GetField(MakeStruct(("p", "q"), (A, B)), "q"),
    "get-field-of-a-field": GetField(GetField(MakeStruct(("n",), (MakeStruct(("p",), (A,)),)), "n"), "p"),
    "with-field": WithField(MakeStruct(("p", "q"), (A, B)), "q", D),
    "without-field": WithoutField(WithField(MakeStruct(("p",), (A,)), "u", B), "p"),
    "field-of-each": FieldOfEach(MakeArray(Struct((("p", INT),)), (MakeStruct(("p",), (A,)),)), "p"),
    "map-read": MapRead(MakeMap((Lit(STRING, "k"), Lit(STRING, "it's")), (A, ONE)), B),
    "map-read-of-no-key": MapRead(CaseWhen((When(IsNull(A), MakeMap((ONE,), (B,))),)), Lit(INT, 2)),
    "user-call": UserCall("scala", "mark", (B,)),
    "user-call-of-a-call": UserCall("python", "add", (UserCall("python", "seven", ()), A)),
    "nested-order": Compare("<", MakeStruct(("p",), (A,)), Lit(Struct((("p", INT),)), (None,))),
    "nested-in": InList(MakeArray(INT, (A,)), (Lit(Array(INT), (1,)),)),
    "transform": HigherOrder("transform", MakeArray(INT, (A, ONE)), Cast(Element(INT), STRING)),
    "exists": HigherOrder("exists", MakeArray(INT, (A, ONE)), Compare("<", Element(INT), ONE)),
}

_L, _R = Alias(T0, "l"), Alias(T1, "r")
_EQUAL = Compare("<=>", Col("a", INT, "l"), Col("a", INT, "r"))
_SORTED = tuple(SortKey(column, descending=column is A, nulls_first=column is not B) for column in (A, B, D, N))
_COUNT = Item("n", Agg("count"))
_VALUES = ValuesRow((NULL_INT, Lit(STRING, "it's")))
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
    "aggregates-of-many-kinds": Aggregate(
        T0,
        (),
        (
            Item("c", Agg("count", A, distinct=True, others=(B,))),
            Item("l", Agg("listagg", B, others=(Lit(STRING, ","),))),
            Item("m", Agg("max_by", B, others=(MakeArray(INT, (A,)),))),
            Item("n", Agg("avg", N, where=IsNull(A, negated=True))),
            Item("p", Agg("percentile", A, others=(Lit(DOUBLE, "0x1.0000000000000p-1"),))),
            Item("s", Agg("collect_set", A, where=YES)),
        ),
    ),
    "typed-map-of-a-filter": TypedMap(TypedFilter(T0, "b", "is_empty"), "b", "mark"),
    "typed-count": TypedCount(TypedMap(T0, "a", "zero_if_null"), "a", "n"),
    "generate": Generate(Filter(T0, YES), Lit(Array(INT), (1, None)), "z"),
    "generate-outer-positions": Generate(
        Join(_L, _R, "left", _EQUAL), Call("array_repeat", (Col("b", STRING, "r"), ONE)), "a", position="p", outer=True
    ),
    "generate-in-python": Generate(Filter(T0, YES), MakeArray(INT, (A, ONE, A)), "z", in_python=True),
    "generate-in-python-outer-positions": Generate(T0, MakeArray(STRING, (B,)), "a", "p", outer=True, in_python=True),
    "join-by-a-hint": Join(_L, _R, "left", _EQUAL, "shuffle_hash"),
    "filter-at-random": Filter(T0, YES, RandomTest("<", 1)),
    "filter-not-at-random": Filter(
        Join(_L, _R, "left", _EQUAL), IsNull(Col("a", INT, "r")), RandomTest(">", 1, first=True)
    ),
    "row-numbers": Filter(RowNumbers(Filter(T0, YES), _SORTED, "z"), Compare("<", Col("z", BIGINT), Lit(BIGINT, 2))),
    "random-column": RandomColumn(T0, "z"),
    "random-text-column": Filter(RandomColumn(_L, "r0", "uuid"), Col("r0", BOOLEAN)),
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
    "sort": Sort(Filter(_L, IsNull(Col("a", INT, "l"))), (SortKey(Arith("+", D, D), True), SortKey(ONE))),
    "sort-within": Sort(Join(_L, _R, "left", _EQUAL), (SortKey(Col("a", INT, "r"), nulls_first=False),), within=True),
    "cluster": Sort(Repartition(T0, "distribute", None, (A, ONE)), (SortKey(A), SortKey(ONE)), within=True),
    "repartition": Repartition(Repartition(T0, "repartition", 2, (B,)), "repartition", 3),
    "coalesce": Repartition(T0, "coalesce", 1),
    "range": Repartition(T0, "range", 2, (A, B)),
    "rebalance": Repartition(Repartition(T0, "rebalance"), "rebalance", 2, (A,)),
    "values": Values(("a", "b"), (_VALUES, ValuesRow((Lit(INT, 7), Lit(STRING, None))))),
    "one-row": OneRow((Item("a", ONE), Item("b", Call("concat", (Lit(STRING, "it's"), Lit(STRING, None)))))),
    "one-row-below": Filter(OneRow((Item("a", MakeArray(INT, (ONE,))),)), IsNull(Col("a", Array(INT)))),
    "alias-of-values": Project(Alias(Values(("x",), (ValuesRow((NULL_INT,)),)), "v"), (Item("y", Col("x", INT, "v")),)),
    "window": Window(T0, (Over("n", Agg("count")), Over("m", Agg("max", B), Frame("rows", None, None)))),
    "window-of-peers": Window(
        Filter(_L, IsNull(Col("b", STRING, "l"), negated=True)),
        (
            Over("r", Ranking("rank")),
            Over("d", Ranking("dense_rank")),
            Over("p", Ranking("percent_rank")),
            Over("c", Ranking("cume_dist")),
            Over("s", Agg("sum", Col("n", Decimal(10, 2), "l"), where=Compare("=", Col("a", INT, "l"), ONE))),
            Over("e", Agg("every", IsNull(Col("d", DOUBLE, "l"))), Frame("range", 0, None)),
        ),
        (Col("a", INT, "l"),),
        (SortKey(Arith("+", Col("d", DOUBLE, "l"), Col("d", DOUBLE, "l")), True, False),),
    ),
    "window-of-places": Window(
        T0,
        (
            Over("r", Ranking("row_number")),
            Over("t", Ranking("ntile", 3)),
            Over("g", Peek("lag", B, 1, Lit(STRING, "none"))),
            Over("h", Peek("lead", A, -2, ignore_nulls=True)),
            Over("f", Peek("first_value", D), Frame("range", None, 0)),
            Over("l", Peek("last_value", N, ignore_nulls=True), Frame("rows", -1, 1)),
            Over("v", Peek("nth_value", B, 2)),
            Over("s", Agg("sum", A), Frame("rows", -2, -1)),
            Over("c", Agg("count"), Frame("rows", 1, None)),
        ),
        (),
        _SORTED,
    ),
    "window-of-a-range": Window(
        T0, (Over("n", Agg("count"), Frame("range", -1, 2)),), (), (SortKey(Cast(A, BIGINT), descending=True),)
    ),
    "window-of-days": Window(
        Project(T0, (Item("day", Lit(DATE, "2024-02-29")),)),
        (Over("n", Agg("count"), Frame("range", None, 30)),),
        (),
        (SortKey(Col("day", DATE)),),
    ),
    "rollup": GroupingSets(T0, "rollup", (Item("a", A), Item("y", B)), (_COUNT,)),
    "cube": GroupingSets(
        Filter(T0, IsNull(B, negated=True)),
        "cube",
        (Item("k", Arith("+", D, D)), Item("one", ONE)),
        (Item("s", Agg("sum", N, distinct=True, where=YES)),),
        having=Or(IsNull(Col("k", DOUBLE)), Compare(">", Col("one", INT), NULL_INT)),
    ),
    "grouping-sets": GroupingSets(
        T0,
        "sets",
        (Item("a", A), Item("b", B)),
        (),
        (GroupingId("i", (A,)), GroupingId("ij", (A, B))),
        ((0, 1), (), (1,), (1,)),
        Compare("<", Col("i", BIGINT), Lit(BIGINT, 1)),
    ),
    "grouping-sets-that-shadow": GroupingSets(T0, "rollup", (Item("b", A),), (), having=IsNull(Col("b", INT))),
    "pivot": Pivot(
        Filter(_L, IsNull(Col("d", DOUBLE, "l"), negated=True)),
        (Item("b", Col("b", STRING, "l")),),
        Agg("sum", Col("n", Decimal(10, 2), "l"), where=Compare("=", Col("a", INT, "l"), ONE)),
        Col("a", INT, "l"),
        (PivotValue("one", ONE), PivotValue("none", NULL_INT), PivotValue("q0", Lit(INT, 99))),
    ),
    "pivot-without-keys": Pivot(T0, (), Agg("count", A, distinct=True), B, (PivotValue("x", Lit(STRING, "x")),)),
    "pivot-count": Pivot(T0, (), Agg("count"), A, (PivotValue("x", ONE), PivotValue("y", Lit(INT, 99)))),
    **{f"project-{name}": Project(T0, (Item("x", expression),)) for name, expression in EXPRESSIONS.items()},
}

_O = Alias(T0, "o")
_OA, _OB = Col("a", INT, "o"), Col("b", STRING, "o")
_OUT_A, _OUT_B = Outer("a", INT, "o"), Outer("b", STRING, "o")
_SAME_B = Filter(T1, Compare("=", B, _OUT_B))
_A1 = Project(T1, (Item("x", A),))
_A1_SAME_B = Project(_SAME_B, (Item("x", A),))
_C = CteScan("c", (Column("a", INT), Column("b", STRING)))
_MOST_OF_ALL = Aggregate(T1, (), (Item("m", Agg("max", A)),))
_MOST = Aggregate(_SAME_B, (), (Item("m", Agg("max", A)),))
_HAVING_OUTER = Exists(Filter(T1, Compare("=", A, Outer("k", INT))))
_COUNT_SAME_B = Aggregate(_SAME_B, (), (_COUNT,))
_FIRST_TWO = Alias(Limit(Project(_SAME_B, (Item("x", A),)), (SortKey(Col("x", INT)),), 2), "r")

SUBQUERIES: dict[str, Expr] = {
    "exists": Exists(Filter(T1, YES)),
    "not-exists": Exists(T1, negated=True),
    "exists-of-one-row": Exists(OneRow((Item("x", _OUT_A),))),
    "in-one-row": InSubquery((_OB,), OneRow((Item("x", Coalesce((_OUT_B, Lit(STRING, "x")))),))),
    "exists-correlated": Exists(_SAME_B),
    "not-exists-correlated": Exists(Filter(T1, Compare("<", A, _OUT_A)), negated=True),
    "in-subquery": InSubquery((_OA,), _A1),
    "not-in-subquery": InSubquery((_OA,), _A1, negated=True),
    "not-of-in-subquery": Not(InSubquery((_OA,), _A1)),
    "in-correlated": InSubquery((_OA,), _A1_SAME_B),
    "not-in-correlated": InSubquery((_OA,), _A1_SAME_B, negated=True),
    "row-not-in-subquery": InSubquery((_OA, _OB), Project(T1, (Item("x", A), Item("y", B))), negated=True),
    "scalar": Compare("<=", _OA, ScalarSubquery(Aggregate(T1, (), (Item("m", Agg("max", A)),)))),
    "scalar-correlated": Compare("=", _OA, ScalarSubquery(_MOST)),
    "scalar-correlated-count": Compare("=", ScalarSubquery(_COUNT_SAME_B), Lit(BIGINT, 0)),
    "scalar-limit": IsNull(ScalarSubquery(Limit(Project(_SAME_B, (Item("x", A),)), (SortKey(Col("x", INT)),), 1))),
    "nested": Exists(Filter(Alias(T1, "p"), Exists(Filter(T0, Compare("=", A, Outer("a", INT, "p")))))),
    "or-in-subquery": Or(IsNull(_OB), InSubquery((_OA,), _A1)),
    "in-subquery-as-a-value": IsNull(InSubquery((_OA,), _A1, negated=True)),
    "case-of-in-subquery": CaseWhen((When(InSubquery((_OA,), _A1), IsNull(_OB)),), Lit(BOOLEAN, True)),
}
RELATIONS |= {
    **RECURSIONS,
    **{f"where-{name}": Filter(_O, predicate) for name, predicate in SUBQUERIES.items()},
    **{f"select-{name}": Project(_O, (Item("x", predicate),)) for name, predicate in SUBQUERIES.items()},
    "on-exists": Join(_O, _R, "left", And(Compare("=", _OA, Col("a", INT, "r")), Exists(_SAME_B))),
    "on-in-subquery": Join(_O, _R, "inner", Or(InSubquery((Col("a", INT, "r"),), _A1), IsNull(_OA))),
    "having-exists": Aggregate(_O, (Item("k", _OA),), (_COUNT,), Exists(T1)),
    "having-correlated": Aggregate(_O, (Item("k", _OA),), (_COUNT,), _HAVING_OUTER),
    "having-correlated-to-a-computed-key": Aggregate(_O, (Item("k", Coalesce((_OA, ONE))),), (_COUNT,), _HAVING_OUTER),
    "filter-of-a-subquery": Project(Filter(T0, InSubquery((ScalarSubquery(_MOST_OF_ALL),), _A1)), (Item("a", A),)),
    "lateral-inner": Lateral(_O, Alias(_SAME_B, "r"), "inner", Compare("=", Col("a", INT, "r"), _OA)),
    "lateral-left": Lateral(_O, _FIRST_TWO, "left", Lit(BOOLEAN, True)),
    "lateral-cross": Lateral(_O, Alias(_COUNT_SAME_B, "r"), "cross"),
    "lateral-of-a-projection": Lateral(
        _O, Alias(Project(T1, (Item("x", Arith("+", Cast(A, DOUBLE), Cast(_OUT_A, DOUBLE))),)), "r"), "cross"
    ),
    "lateral-without-outer": Lateral(_O, Alias(T1, "r"), "inner", Lit(BOOLEAN, True)),
    "join-of-a-lateral": Join(T1, Lateral(_O, Alias(_COUNT_SAME_B, "r"), "cross"), "cross"),
    "with-once": With("c", _NARROW, Filter(_C, IsNull(A))),
    "with-twice": With("c", _NARROW, SetOp("except", Filter(_C, YES), Alias(_C, "x"), all=True)),
    "with-never": With("c", _NARROW, T1),
    "with-in-a-subquery": Filter(_O, Exists(With("c", _NARROW, _C))),
    "with-read-by-a-subquery": With("c", _NARROW, Filter(_O, Exists(Filter(_C, Compare("=", A, _OUT_A))))),
    "with-of-a-with": With("c", With("d", _NARROW, CteScan("d", _C.columns)), With("e", _C, CteScan("e", _C.columns))),
    "with-below": SetOp("union", With("c", _NARROW, _C), _NARROW),
    "any-limit-of-a-with": AnyLimit(With("c", _NARROW, Limit(_C, (SortKey(A), SortKey(B)), 2)), 1),
}

TEXT = Verbatim("SELECT 1", "SELECT 1::INT")
"""A query of which the algebra knows nothing: neither its columns nor what it reads."""


def case_over(query: Relation) -> Case:
    """``query`` over empty tables."""
    tables = {scan.table: Table(scan.table, scan.columns) for scan in scans(query)}
    settings = Settings()
    if query.is_statement:
        settings = Settings("partitioned" if isinstance(query, OverwritePartitions) else "v2")
    return Case(query, Database(tuple(tables.values())), settings)
