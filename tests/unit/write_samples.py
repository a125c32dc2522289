"""A statement of each kind, over the tables of the samples."""

from __future__ import annotations

from strategies.ir import (
    INT,
    Alias,
    Assignment,
    Col,
    Column,
    Compare,
    CteScan,
    Database,
    Delete,
    Exists,
    Filter,
    Insert,
    InSubquery,
    IsNull,
    Item,
    Lit,
    Merge,
    MergeClause,
    Outer,
    Overwrite,
    OverwritePartitions,
    Project,
    Scan,
    SetOp,
    Statement,
    Table,
    Update,
    With,
)

COLUMNS = (Column("a", INT), Column("b", INT))
T, U = Scan("t", COLUMNS), Scan("u", COLUMNS)
A, B = Col("a", INT, "t"), Col("b", INT, "t")
K, V = Col("a", INT, "s"), Col("b", INT, "s")
ONE = Lit(INT, 1)
A_IS_ONE = Compare("=", A, ONE)
KEYS = Project(U, (Item("a", Col("a", INT, "u")),))
TABLES = Database(
    (
        Table("t", COLUMNS, ((1, 1), (2, 2), (None, 3), (3, None), (1, 1))),
        Table("u", COLUMNS, ((1, 10), (5, 50), (None, 7))),
    )
)
S = Alias(U, "s")
SAME = Compare("=", A, K)
UPDATED = MergeClause("matched", "update", (Assignment("b", V),))
INSERTED = MergeClause("not matched", "insert", (Assignment("a", K), Assignment("b", V)), Compare(">", V, Lit(INT, 20)))

STATEMENTS: dict[str, tuple[Statement, list[tuple[int | None, int | None]]]] = {
    "delete": (Delete(T, Compare(">", A, ONE)), [(1, 1), (1, 1), (None, 3)]),
    "delete-all": (Delete(T), []),
    "delete-in": (Delete(T, InSubquery((A,), KEYS)), [(2, 2), (3, None), (None, 3)]),
    "delete-exists": (
        Delete(T, Exists(Filter(U, Compare("<=>", Col("a", INT, "u"), Outer("a", INT, "t"))))),
        [(2, 2), (3, None)],
    ),
    "update": (
        Update(T, (Assignment("b", A), Assignment("a", B)), IsNull(A)),
        [(1, 1), (1, 1), (2, 2), (3, None), (3, None)],
    ),
    "update-all": (Update(T, (Assignment("b", Lit(INT, 0)),)), [(1, 0), (1, 0), (2, 0), (3, 0), (None, 0)]),
    "insert": (Insert(T, U), [(1, 1), (1, 1), (1, 10), (2, 2), (3, None), (5, 50), (None, 3), (None, 7)]),
    "insert-of-the-table-twice": (
        Insert(T, SetOp("union", T, T, all=True)),
        [*[(1, 1)] * 6, *[(2, 2)] * 3, *[(3, None)] * 3, *[(None, 3)] * 3],
    ),
    "insert-with": (
        Insert(T, With("c", Filter(U, IsNull(Col("a", INT, "u"))), CteScan("c", COLUMNS))),
        [(1, 1), (1, 1), (2, 2), (3, None), (None, 3), (None, 7)],
    ),
    "overwrite": (Overwrite(T, Filter(T, A_IS_ONE)), [(1, 1), (1, 1)]),
    "overwrite-some": (
        Overwrite(T, U, A_IS_ONE),
        [(1, 10), (2, 2), (3, None), (5, 50), (None, 3), (None, 7)],
    ),
    "overwrite-partitions": (OverwritePartitions(T, U), [(1, 10), (2, 2), (3, None), (5, 50), (None, 7)]),
    "overwrite-partitions-by-itself": (
        OverwritePartitions(T, SetOp("union", Filter(T, A_IS_ONE), Filter(T, IsNull(A)), all=True)),
        [(1, 1), (1, 1), (2, 2), (3, None), (None, 3)],
    ),
    "merge": (
        Merge(
            T,
            S,
            SAME,
            (UPDATED, INSERTED, MergeClause("not matched by source", "delete", (), Compare("=", B, Lit(INT, 2)))),
        ),
        [(1, 10), (1, 10), (3, None), (5, 50), (None, 3)],
    ),
    "merge-delete": (Merge(T, S, SAME, (MergeClause("matched", "delete"),)), [(2, 2), (3, None), (None, 3)]),
    "merge-by-source": (
        Merge(
            T,
            Alias(KEYS, "s"),
            SAME,
            (MergeClause("not matched by source", "update", (Assignment("a", B),), IsNull(B)),),
        ),
        [(1, 1), (1, 1), (2, 2), (None, 3), (None, None)],
    ),
}
"""Statements with the rows that the table ``t`` of TABLES has afterwards, in the order of their texts."""
