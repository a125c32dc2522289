"""Two tables, with names for their columns and for small expressions of these."""

from __future__ import annotations

from strategies.ir import (
    DOUBLE,
    INT,
    STRING,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Lit,
    Scan,
    Table,
)

COLUMNS = (Column("a", INT), Column("b", STRING), Column("d", DOUBLE), Column("n", Decimal(10, 2)))
T0, T1 = Scan("t0", COLUMNS), Scan("t1", COLUMNS)
ROWS = ((1, "x", "nan", "1.25"), (1, "x", "nan", "1.25"), (None, None, None, None), (-2, "", "-0x0.0p+0", "-0.05"))
DATABASE = Database((Table("t0", COLUMNS, ROWS), Table("t1", COLUMNS, ROWS[1:])))

A, B, D, N = (Col(column.name, column.type) for column in COLUMNS)
ONE, NULL_INT = Lit(INT, 1), Lit(INT, None)
YES = Compare("=", A, ONE)
