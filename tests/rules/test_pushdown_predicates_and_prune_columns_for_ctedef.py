"""PushdownPredicatesAndPruneColumnsForCTEDef by hand: a common table expression that stays has no more rows and columns
than the places that read it need.
"""

from __future__ import annotations

import pytest

from strategies.ir import (
    BOOLEAN,
    INT,
    Aggregate,
    Column,
    CteScan,
    Database,
    Distinct,
    Filter,
    Join,
    Limit,
    Lit,
    RandomColumn,
    RandomTest,
    RowNumbers,
    SetOp,
    Subquery,
    Table,
    With,
    walk,
)
from strategies.shapes.inline_cte import common
from tests.rules.expected import A_IS_ZERO, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "PushdownPredicatesAndPruneColumnsForCTEDef"
NOTES = "CleanUpTempCTEInfo"
_STAYS = Filter(T0, Lit(BOOLEAN, True), RandomTest("<", 1))
_SOME = Filter(common("c0", _STAYS), A_IS_ZERO)


def read_twice(query) -> bool:
    """Whether a query has a common table expression by chance that it reads in two places."""
    return any(
        isinstance(node, With)
        and any(isinstance(n, (RandomColumn, RowNumbers, RandomTest)) for n in walk(node.definition))
        and sum(isinstance(n, CteScan) for n in walk(node.body)) == 2
        for node in walk(query)
    )


def defined_by(*kinds):
    """Whether a query has a common table expression with a node of one of these kinds."""
    return lambda query: any(isinstance(node, With) and holds(*kinds)(node.definition) for node in walk(query))


EXPECTED = Expected(
    read_twice,
    frozenset({"sql"}),
    With("c0", _STAYS, SetOp("union", _SOME, _SOME)),
    {
        "a join": holds(Join),
        "a subquery": holds(Subquery),
        "numbers of rows": defined_by(RowNumbers),
        "a random value": defined_by(RandomColumn),
        "its first rows": defined_by(Limit),
        "its distinct rows": defined_by(Distinct),
        "its groups": defined_by(Aggregate),
    },
)

COLUMNS = (Column("a", INT), Column("b", INT), Column("c", INT))
TABLES = Database((Table("t", COLUMNS, ((1, 2, 7), (1, 2, 7), (2, 1, 8), (None, 3, 9))),))
CHANCE = "SELECT * FROM t WHERE rand() < 1"
FIRST = "SELECT * FROM t WHERE rand() < 1 ORDER BY c, b LIMIT 2"
ROWS = {
    "each under its condition": (
        CHANCE,
        "SELECT * FROM d WHERE a = 2 UNION ALL SELECT * FROM d WHERE b = 3",
        "Filter ((a = 2) OR (b = 3))",
        {(2, 1, 8): 1, (None, 3, 9): 1},
    ),
    "a condition that both have": (
        CHANCE,
        "SELECT * FROM d WHERE a = 1 INTERSECT ALL SELECT * FROM d WHERE b > 1 AND a = 1",
        "OR",
        {(1, 2, 7): 2},
    ),
    "its first rows": (FIRST, "TABLE d WHERE b = 3 UNION ALL SELECT * FROM d WHERE a = 1", "OR", {(1, 2, 7): 2}),
}
COLUMNS_OF = {
    "two of three": ("SELECT a, c FROM d UNION ALL SELECT c, a FROM d", 2, {(1, 7): 2, (7, 1): 2, (2, 8): 1}),
    "one for a condition": ("SELECT a FROM d WHERE c > 8 UNION ALL SELECT a FROM d", 2, {(None,): 2, (1,): 2, (2,): 1}),
    "none": ("SELECT count(*) FROM d UNION ALL SELECT count(*) FROM d", 0, {(4,): 2}),
}
KEPT = {
    "a place without a condition": (CHANCE, "SELECT * FROM d WHERE a = 2 UNION ALL TABLE d"),
    "read once": (CHANCE, "SELECT a FROM d WHERE a = 2"),
    "not by chance": ("TABLE t", "SELECT a FROM d WHERE a = 2 UNION ALL SELECT b FROM d WHERE a = 1"),
}


_tables = tables_of(TABLES)
