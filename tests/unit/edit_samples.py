"""Cases to edit."""

from __future__ import annotations

from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Item,
    Join,
    Lit,
    Node,
    Relation,
    Scan,
    SetOp,
    Table,
    scans,
    walk,
)

A, B = Column("a", INT), Column("b", INT)
T0, T1 = Scan("t0", (A, B)), Scan("t1", (A,))
COL_A = Col("a", INT)
ONE = Compare("=", COL_A, Lit(INT, 1))
TWO_TABLES = Database((Table("t0", (A, B), ((1, 2), (None, 0))), Table("t1", (A,), ((1,),))))


def case_of(query: Relation, database: Database = TWO_TABLES) -> Case:
    read = {scan.table for scan in scans(query)}
    return Case(query, Database(tuple(table for table in database.tables if table.name in read)))


JOINED = Join(T0, T1, "inner", Compare("=", Col("a", INT, "t0"), Col("a", INT, "t1")))
SUM = Aggregate(Filter(T0, ONE), (Item("b", Col("b", INT)),), (Item("m", Agg("min", COL_A)),))
UNION = SetOp("union", T1, Filter(T1, ONE))
PLAIN = (case_of(T0), case_of(JOINED), case_of(SUM), case_of(UNION))
FILTERED = case_of(Filter(T0, ONE))


def conditions(case: Case) -> list[Node]:
    return [node.condition for node in walk(case.query) if isinstance(node, Filter)]
