"""The constructors of the query algebra refuse what has no meaning, and say why."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Arith,
    Between,
    Call,
    Case,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Compare,
    Database,
    Decimal,
    Deduplicate,
    Distinct,
    Filter,
    InList,
    InvalidQuery,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Not,
    NullIf,
    Project,
    Remainder,
    SetOp,
    SortKey,
    Table,
    TryArith,
    When,
)
from tests.unit.ir_samples import COLUMNS, NULL_INT, ONE, T0, T1, YES, A, B, D, N

_L, _R = Alias(T0, "l"), Alias(T1, "r")
_AB = Project(T0, (Item("a", A), Item("b", B)))
_BOTH = Join(_L, _R, "inner", Compare("=", Col("a", INT, "l"), Col("a", INT, "r")))
_ANY = AnyLimit(T0, 1)
_DAYS = Lit(DATE, "2024-02-29")
_SAME_A = Compare("<=>", Col("a", INT, "l"), Col("a", INT, "r"))

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "literal-type": (lambda: Lit(INT, "1"), "'1' is not the plain value of a INT"),
    "literal-bool-for-int": (lambda: Lit(INT, True), "True is not the plain value of a INT"),
    "literal-range": (lambda: Lit(SMALLINT, 32768), "32768 is not"),
    "compare-operator": (lambda: Compare("==", A, A), "no operator '=='"),
    "compare-types": (lambda: Compare("=", A, B), "Compare: INT = STRING"),
    "compare-bigint-decimal": (lambda: Compare("<", Lit(BIGINT, 1), N), "BIGINT < DECIMAL"),
    "and": (lambda: And(YES, A), "And: needs BOOLEAN, got INT"),
    "not": (lambda: Not(B), "Not: needs BOOLEAN, got STRING"),
    "in-nothing": (lambda: InList(A, ()), "needs at least one item"),
    "in-types": (lambda: InList(A, (Lit(BIGINT, 1),)), r"one type, got \['BIGINT', 'INT'\]"),
    "between-types": (lambda: Between(A, ONE, D), "one type"),
    "case-nothing": (lambda: CaseWhen(()), "needs at least one branch"),
    "case-condition": (lambda: CaseWhen((When(A, A),)), "needs BOOLEAN, got INT"),
    "case-types": (lambda: CaseWhen((When(YES, A),), D), "one type"),
    "coalesce-nothing": (lambda: Coalesce(()), "needs at least one operand"),
    "coalesce-types": (lambda: Coalesce((A, B)), "one type"),
    "nullif-types": (lambda: NullIf(A, D), "one type"),
    "arith-operator": (lambda: Arith("/", D, D), "no operator '/'"),
    "arith-types": (lambda: Arith("+", A, D), "one type"),
    "arith-string": (lambda: Arith("+", B, B), r"STRING has no \+"),
    "arith-decimal": (lambda: TryArith("*", N, N), r"DECIMAL\(10,2\) has no \*"),
    "remainder-by-zero": (lambda: Remainder(A, 0), "divisor must not be 0 or -1"),
    "remainder-by-minus-one": (lambda: Remainder(A, -1), "divisor must not be 0 or -1"),
    "remainder-range": (lambda: Remainder(Lit(SMALLINT, 1), 40000), "40000 is not"),
    "remainder-type": (lambda: Remainder(D, 2), "needs an integer, got DOUBLE"),
    "cast-that-may-fail": (lambda: Cast(B, INT), "STRING to INT may fail or differ"),
    "cast-that-may-overflow": (lambda: Cast(A, Decimal(9, 0)), r"INT to DECIMAL\(9,0\) may fail"),
    "cast-to-exponents": (lambda: Cast(Lit(Decimal(7, 7), None), STRING), "may fail or differ"),
    "call-unknown": (lambda: Call("soundex", (B,)), "no function 'soundex'"),
    "call-arity": (lambda: Call("upper", (B, B)), r"upper takes .* got \(STRING, STRING\)"),
    "call-types": (lambda: Call("upper", (A,)), r"got \(INT\)"),
    "call-needs-literal": (lambda: Call("left", (B, A)), r"left: arguments \(1,\) must be literals"),
    "call-null-constant": (lambda: Call("left", (B, NULL_INT)), "must be literals in its range"),
    "call-constant-range": (lambda: Call("substring", (B, Lit(INT, 0), ONE)), "must be literals in its range"),
    "agg-unknown": (lambda: Agg("median", A), "no function 'median'"),
    "agg-operand": (lambda: Agg("sum"), "sum needs an operand"),
    "agg-count-distinct-star": (lambda: Agg("count", distinct=True), "count needs an operand"),
    "agg-type": (lambda: Agg("sum", B), r"no sum\(STRING\)"),
    "agg-every-type": (lambda: Agg("every", A), r"no every\(INT\)"),
    "agg-average-decimal": (lambda: Agg("avg", N), r"no avg\(DECIMAL\(10,2\)\)"),
    "agg-filter": (lambda: Agg("count", A, where=A), "FILTER needs BOOLEAN, got INT"),
    "filter-type": (lambda: Filter(T0, A), "a condition must be BOOLEAN, got INT"),
    "filter-unknown-column": (lambda: Filter(T0, IsNull(Col("z", INT))), "Filter: no column .*'z'.* in .t0.a INT"),
    "filter-other-type": (lambda: Filter(T0, IsNull(Col("a", BIGINT))), "other type of column"),
    "filter-ambiguous": (lambda: Filter(_BOTH, IsNull(A)), "ambiguous column"),
    "filter-lost-qualifier": (lambda: Filter(_AB, IsNull(Col("a", INT, "t0"))), "no column"),
    "project-nothing": (lambda: Project(T0, ()), "needs at least one column"),
    "project-name-twice": (lambda: Project(T0, (Item("x", A), Item("x", B))), "no name twice"),
    "project-aggregate": (lambda: Project(T0, (Item("x", Agg("count")),)), "x is an aggregate"),
    "join-kind": (lambda: Join(T0, T1, "outer", YES), "no kind 'outer'"),
    "join-without-on": (lambda: Join(T0, T1, "inner"), "a inner join needs ON"),
    "join-cross-with-on": (lambda: Join(T0, T1, "cross", Lit(BOOLEAN, True)), "a cross join has no ON"),
    "join-same-name": (lambda: Join(T0, T0, "cross"), r"both sides are called \['t0'\]"),
    "join-on-type": (lambda: Join(_L, _R, "inner", Col("a", INT, "l")), "a condition must be BOOLEAN"),
    "join-hidden-side": (lambda: Filter(Join(_L, _R, "semi", _SAME_A), IsNull(Col("a", INT, "r"))), "no column"),
    "aggregate-nothing": (lambda: Aggregate(T0, (), ()), "needs at least one column"),
    "aggregate-key": (lambda: Aggregate(T0, (Item("k", Agg("count")),), ()), "a key must not be an aggregate"),
    "aggregate-scalar": (lambda: Aggregate(T0, (), (Item("x", A),)), "aggregates must be Agg"),
    "aggregate-name-twice": (lambda: Aggregate(T0, (Item("x", A),), (Item("x", Agg("count")),)), "no name twice"),
    "aggregate-having": (lambda: Aggregate(T0, (Item("k", A),), (), IsNull(B)), "no column"),
    "deduplicate-unknown": (lambda: Deduplicate(T0, ("z",)), "must be among the columns"),
    "deduplicate-undetermined": (lambda: Deduplicate(_AB, ("a",)), "don't determine the other columns"),
    "deduplicate-name-twice": (lambda: Deduplicate(_BOTH, ("a",)), "each named once"),
    "set-kind": (lambda: SetOp("minus", T0, T1), "no kind 'minus'"),
    "set-arity": (lambda: SetOp("except", T0, _AB), "4 columns against 2"),
    "set-types": (lambda: SetOp("union", _AB, Project(T0, (Item("b", B), Item("a", A)))), "INT against STRING"),
    "limit-negative": (lambda: AnyLimit(T0, -1), "must not be negative"),
    "limit-offset": (lambda: AnyLimit(T0, 1, -1), "must not be negative"),
    "limit-partial-order": (lambda: Limit(_AB, (SortKey(A),), 1), "the order must name every column"),
    "limit-ambiguous": (lambda: Limit(Distinct(_BOTH), (SortKey(A),), 1), "ambiguous column"),
    "any-limit-filter": (lambda: Filter(_ANY, YES), "AnyLimit may stand at the top"),
    "any-limit-join": (lambda: Join(_ANY, T1, "cross"), "AnyLimit may stand at the top"),
    "any-limit-set": (lambda: SetOp("union", T0, _ANY), "AnyLimit may stand at the top"),
    "any-limit-sum": (lambda: Aggregate(_ANY, (), (Item("s", Agg("sum", A)),)), "AnyLimit may stand at the top"),
    "any-limit-groups": (lambda: Aggregate(_ANY, (Item("a", A),), (Item("n", Agg("count")),)), "AnyLimit may stand"),
    "decimal-scale": (lambda: Decimal(2, 3), r"DECIMAL\(2,3\): needs 0 <= scale <= precision"),
    "decimal-precision": (lambda: Decimal(39, 0), "1 to 38 digits"),
    "table-no-columns": (lambda: Table("t", ()), "needs at least one column"),
    "table-name-twice": (lambda: Table("t", (COLUMNS[0], COLUMNS[0])), "no name twice"),
    "table-row-width": (lambda: Table("t", COLUMNS[:1], ((1, 2),)), "has not 1 values"),
    "table-cell": (lambda: Table("t", COLUMNS[:1], (("1",),)), "is not the plain value of a INT"),
    "database-name-twice": (lambda: Database((Table("t", COLUMNS), Table("t", COLUMNS))), "must be distinct"),
    "case-without-table": (lambda: Case(T0, Database(())), "no table t0"),
    "case-other-columns": (lambda: Case(T0, Database((Table("t0", COLUMNS[:1]),))), "no table t0 with the columns"),
}


@pytest.mark.parametrize(("build", "message"), REFUSED.values(), ids=REFUSED)
def test_nonsense_is_refused_with_a_message_that_says_which(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidQuery, match=message):
        build()


ACCEPTED: dict[str, Callable[[], object]] = {
    "compare-int-decimal": lambda: Compare("<", A, N),
    "compare-date-timestamp": lambda: Compare("=", _DAYS, Lit(TIMESTAMP, None)),
    "remainder-negative": lambda: Remainder(A, -2),
    "call-constant": lambda: Call("substring", (B, Lit(INT, -1), Lit(INT, 0))),
    "cast-to-digits": lambda: Cast(Lit(Decimal(7, 6), None), STRING),
    "cast-with-room": lambda: Cast(A, Decimal(10, 0)),
    "filter-qualified": lambda: Filter(_BOTH, IsNull(Col("a", INT, "l"))),
    "filter-keeps-qualifiers": lambda: Project(Filter(_BOTH, _SAME_A), (Item("x", Col("a", INT, "r")),)),
    "join-nested-same-table": lambda: Join(T0, Distinct(T0), "cross"),
    "join-semi-keeps-left": lambda: Filter(Join(_L, _R, "semi", _SAME_A), IsNull(A)),
    "aggregate-keys-alone": lambda: Aggregate(T0, (Item("k", A),), ()),
    "having-by-output-name": lambda: Aggregate(T0, (Item("k", B),), (), IsNull(Col("k", STRING))),
    "deduplicate-all": lambda: Deduplicate(_AB, ("b", "a")),
    "deduplicate-determined": lambda: Deduplicate(Project(T0, (Item("x", A), Item("y", Cast(A, BIGINT)))), ("x",)),
    "any-limit-count": lambda: Aggregate(_ANY, (), (Item("n", Agg("count")),)),
    "limit-zero": lambda: Limit(_AB, (SortKey(B), SortKey(A)), 0),
}


@pytest.mark.parametrize("build", ACCEPTED.values(), ids=ACCEPTED)
def test_what_is_next_to_nonsense_is_accepted(build: Callable[[], object]) -> None:
    assert build() == build()
