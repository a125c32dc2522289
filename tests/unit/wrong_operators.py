"""Wrong operators of the tiny engine, each with a big query over big tables that shows it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    Arith,
    Case,
    CaseWhen,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Expr,
    Filter,
    InList,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Not,
    Or,
    Project,
    Relation,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
    When,
    scans,
)
from tests.unit.tiny_engine import Faults, Rows, apply, differs, value

ABC = (Column("a", INT), Column("b", INT), Column("s", STRING))
KV = (Column("k", INT), Column("v", INT))
T0, T1, T2, T3 = Scan("t0", ABC), Scan("t1", ABC), Scan("t2", KV), Scan("t3", ABC)
DATABASE = Database(
    (
        Table("t0", ABC, ((7, 3, "x"), (7, 3, "x"), (7, 3, "x"), (None, 2, ""), (4, None, "long"), (12, 1, None))),
        Table("t1", ABC, ((7, 3, "x"), (4, None, "long"), (4, None, "long"), (None, 2, ""), (-5, 9, "y"))),
        Table("t2", KV, ((7, 100), (7, None), (4, 41), (None, 17), (99, 1))),
        Table("t3", ABC, ((12, 1, None), (7, 3, "x"), (5, 5, "five"), (4, None, "long"))),
    )
)


def case_of(query: Relation) -> Case:
    """``query`` over the tables that it scans."""
    read = {scan.table for scan in scans(query)}
    return Case(query, Database(tuple(table for table in DATABASE.tables if table.name in read)))


FAR_FROM_DEFAULT = Settings(source="csv", form="dataframe", aqe=True, codegen=True, partitions=3, table_partitions=4)
A, B, S = Col("a", INT), Col("b", INT), Col("s", STRING)
SAME = (Item("a", A), Item("b", B), Item("s", S))


def number(constant: int | None) -> Lit:
    return Lit(INT, constant)


def over(child: Relation, top: int) -> Relation:
    """Four operators above ``child`` (a, b, s) that keep its rows: what a drawn query has, and no failure needs."""
    wide = Filter(child, Or(IsNull(A), Compare("<>", A, number(top))))
    doubled = Arith("-", Arith("+", A, B), B)
    kept = CaseWhen((When(IsNull(B), A), When(Compare("=", B, number(0)), A)), doubled)
    named = Project(wide, (Item("a", kept), Item("b", B), Item("s", Coalesce((S, Lit(STRING, "none"))))))
    either = Or(InList(B, (number(1), number(2), number(3), number(9))), Not(Compare("=", B, number(1))))
    return Distinct(Filter(named, Or(either, IsNull(B))))


def shifted(child: Relation) -> Relation:
    """``child`` (a, b, s) with other values under the same names."""
    return Project(child, (Item("a", Arith("+", A, number(1))), Item("b", B), Item("s", S)))


def joined(left: Relation, where: Expr | None = None) -> Relation:
    """``left`` (a, b, s) with what t2 has for its a's, as (a, b, s)."""
    one, two = Alias(left, "l"), Alias(T2, "r")
    on = And(Compare("=", Col("a", INT, "l"), Col("k", INT, "r")), Not(IsNull(Col("k", INT, "r"))))
    items = (Item("a", Col("a", INT, "l")), Item("b", Col("v", INT, "r")), Item("s", Col("s", STRING, "l")))
    both = Join(one, two, "left", on)
    return Project(both if where is None else Filter(both, where), items)


def grouped(child: Relation) -> Relation:
    """``child`` (a, b, s) by s, as (a, b, s)."""
    counts = (Item("n", Agg("count", A)), Item("m", Agg("max", B)), Item("d", Agg("count", A, distinct=True)))
    some = Aggregate(child, (Item("s", S),), counts, having=Compare(">", Col("n", BIGINT), Lit(BIGINT, 0)))
    groups = Filter(some, Or(Compare("<", Col("m", INT), number(3)), IsNull(Col("m", INT))))
    return Project(groups, (Item("a", Col("m", INT)), Item("b", Col("m", INT)), Item("s", S)))


def first(child: Relation, count: int, offset: int) -> Relation:
    return Limit(child, tuple(SortKey(column, descending=True) for column in (A, B, S)), count, offset)


def united(core: Relation) -> Relation:
    """``core`` (a, b, s) deep in a query of more than a dozen operators."""
    return SetOp("union", over(Filter(T3, Compare(">", A, number(100))), 1000), joined_after(core), all=True)


def joined_after(core: Relation) -> Relation:
    return Filter(Project(Project(core, SAME), SAME), Or(IsNull(A), Compare("<", A, number(5000))))


def pair(kind: Any, *, every: bool) -> Relation:
    """A set operator over two queries of several operators each."""
    one = Filter(Project(T0, SAME), Or(Compare("<", B, number(50)), IsNull(B)))
    two = Project(Filter(T1, Not(Compare("=", A, number(-5)))), SAME)
    return SetOp(kind, one, two, all=every)


def is_all(node: SetOp, kind: str) -> bool:
    return (node.kind, node.all) == (kind, True)


def copies_ignored(node: SetOp, left: Rows, right: Rows) -> Rows:
    kept = [row for row in left if row not in right]
    return kept if is_all(node, "except") else apply(node, left, right)


def right_ignored(node: SetOp, left: Rows, right: Rows) -> Rows:
    return left if is_all(node, "except") else apply(node, left, right)


def most_copies(node: SetOp, left: Rows, right: Rows) -> Rows:
    one, two = Counter(left), Counter(right)
    shared = Counter({row: max(one[row], two[row]) for row in one if row in two})
    return list(shared.elements()) if is_all(node, "intersect") else apply(node, left, right)


def boundary_missed(node: SetOp, left: Rows, right: Rows) -> Rows:
    """Intersects what both sides have more than once."""
    one, two = Counter(left), Counter(right)
    shared = Counter({row: min(one[row], two[row]) for row in one if min(one[row], two[row]) > 1})
    return list(shared.elements()) if is_all(node, "intersect") else apply(node, left, right)


def union_made_distinct(node: SetOp, left: Rows, right: Rows) -> Rows:
    return list({*left, *right}) if node.kind == "union" else apply(node, left, right)


def except_as_filter(node: SetOp, left: Rows, right: Rows) -> Rows:
    """NOT condition, without coalesce: rows for which it is NULL are lost."""
    if node.kind != "except" or node.all or not isinstance(node.right, Filter) or node.left != node.right.child:
        return apply(node, left, right)
    rows = [row for row in left if value(node.right.condition, node.right.child.fields, row) is False]
    return list(dict.fromkeys(rows))


def projection_forgotten(node: SetOp, left: Rows, right: Rows) -> Rows:
    """A renaming projection above the filter is taken for none."""
    renamed = isinstance(node.right, Project) and isinstance(node.right.child, Filter)
    if node.kind != "except" or node.all or not renamed or node.left != node.right.child.child:
        return apply(node, left, right)
    condition = node.right.child.condition
    return list(dict.fromkeys(row for row in left if value(condition, node.left.fields, row) is not True))


def chain_miscounted(node: SetOp, left: Rows, right: Rows) -> Rows:
    """An EXCEPT ALL of an EXCEPT ALL takes nothing more away."""
    chained = isinstance(node.left, SetOp) and is_all(node.left, "except") and is_all(node, "except")
    return left if chained else apply(node, left, right)


def null_passes(node: Filter, rows: Rows) -> Rows:
    return [row for row in rows if value(node.condition, node.child.fields, row) is not False]


def distinct_by_first(node: Distinct, rows: Rows) -> Rows:
    return list({row[0]: row for row in rows}.values())


def distinct_ignored(node: Distinct, rows: Rows) -> Rows:
    return rows


def outer_as_inner(node: Join, left: Rows, right: Rows) -> Rows:
    return apply(replace(node, kind="inner"), left, right)


def counts_nulls(node: Aggregate, rows: Rows) -> Rows:
    stars = (replace(item, value=_star(item.value)) for item in node.aggregates)
    return apply(replace(node, aggregates=tuple(stars)), rows)


def _star(agg: Any) -> Agg:
    return Agg("count") if agg.function == "count" and not agg.distinct else agg


def offset_ignored(node: Limit, rows: Rows) -> Rows:
    return apply(replace(node, offset=0), rows)


def pushed_below(node: Filter, rows: Rows) -> Rows:
    """A condition on a group is asked of no group at all."""
    return rows if isinstance(node.child, Aggregate) else apply(node, rows)


def rejects_null(node: Filter, rows: Rows) -> Rows:
    """Any condition above an outer join is taken for one that no NULL passes."""
    above_outer = isinstance(node.child, Join) and node.child.kind == "left"
    return [row for row in apply(node, rows) if not (above_outer and row[-1] is None)]


@dataclass(frozen=True)
class Planted:
    """A wrong operator, a big query that shows it, and how small a query and tables can show it."""

    name: str
    query: Relation
    faults: Faults
    operators: int
    rows: int

    @property
    def case(self) -> Case:
        return Case(self.query, DATABASE, FAR_FROM_DEFAULT)

    def fails(self, case: Case) -> bool:
        return differs(case, self.faults)


PLANTED = (
    Planted("except-all-ignores-copies", united(pair("except", every=True)), {SetOp: copies_ignored}, 1, 3),
    Planted("except-all-ignores-right", united(pair("except", every=True)), {SetOp: right_ignored}, 1, 2),
    Planted("intersect-all-takes-most", united(pair("intersect", every=True)), {SetOp: most_copies}, 1, 3),
    Planted("intersect-all-needs-two", united(pair("intersect", every=True)), {SetOp: boundary_missed}, 1, 2),
    Planted("union-is-distinct", united(pair("union", every=True)), {SetOp: union_made_distinct}, 1, 2),
    Planted(
        "except-loses-null-conditions",
        united(SetOp("except", over(T0, 900), Filter(over(T0, 900), And(Compare(">", B, number(5)), Not(IsNull(A)))))),
        {SetOp: except_as_filter},
        2,
        1,
    ),
    Planted(
        "filter-passes-null",
        united(over(Filter(T0, Compare(">", Arith("+", A, B), number(3))), 70)),
        {Filter: null_passes},
        1,
        1,
    ),
    Planted("distinct-by-first-column", united(over(joined(over(T0, 70)), 80)), {Distinct: distinct_by_first}, 1, 2),
    Planted("distinct-ignored", united(over(joined(over(T0, 70)), 80)), {Distinct: distinct_ignored}, 1, 2),
    Planted("outer-join-is-inner", united(over(joined(over(T0, 70)), 80)), {Join: outer_as_inner}, 1, 1),
    Planted("count-counts-nulls", united(grouped(over(T0, 70))), {Aggregate: counts_nulls}, 1, 1),
    Planted("filter-pushed-below-aggregate", united(grouped(over(T0, 70))), {Filter: pushed_below}, 2, 1),
    Planted("limit-ignores-offset", united(first(over(T1, 70), 3, 2)), {Limit: offset_ignored}, 1, 1),
    Planted(
        "except-forgets-projection",
        united(SetOp("except", over(T0, 900), shifted(Filter(over(T0, 900), Compare(">", B, number(2)))))),
        {SetOp: projection_forgotten},
        3,
        1,
    ),
    Planted(
        "except-all-chain-miscounts",
        united(SetOp("except", pair("except", every=True), joined_after(Project(T3, SAME)), all=True)),
        {SetOp: chain_miscounted},
        2,
        2,
    ),
    Planted(
        "filter-rejects-null", united(joined(over(T0, 70), IsNull(Col("v", INT, "r")))), {Filter: rejects_null}, 2, 1
    ),
)
