"""PropagateEmptyRelation by hand: what each operator makes of no rows."""

from __future__ import annotations

import pytest

from strategies.ir import BOOLEAN, INT, Column, Database, Filter, Join, Limit, Lit, Relation, SetOp, Table, walk
from tests.rules.expected import ANY_FORM, S0, T0, Expected, holds, joins
from tests.rules.stock import answer, operators, tables_of, without

RULE = "PropagateEmptyRelation"
NEVER = Lit(BOOLEAN, False)


def says_that_nothing_is_there(query: Relation) -> bool:
    """Whether a filter or a join has a constant for its condition, or a limit is one to no rows."""
    for node in walk(query):
        match node:
            case Limit(count=0) | Filter(condition=Lit()) | Join(on=Lit()):
                return True
    return False


EXPECTED = Expected(
    says_that_nothing_is_there,
    ANY_FORM,
    Join(T0, S0, "left", NEVER),
    {
        "a union": holds(SetOp),
        "a full join": joins("full"),
        "an anti join": joins("anti"),
        "a right join": joins("right"),
    },
)

PAIR = (Column("a", INT), Column("b", INT))
ROWS = ((1, 2), (1, 2), (None, 3))
TABLES = Database((Table("t", PAIR, ROWS), Table("u", PAIR, ROWS[1:])))
NONE = "(SELECT * FROM u WHERE false)"
SAME = {(1, 2): 2, (None, 3): 1}

# The query, the operators that are left, the rows.
REWRITTEN = {
    "union": (f"TABLE t UNION ALL {NONE}", ["Relation"], SAME),
    "union on the right": (f"{NONE} UNION ALL TABLE t", ["Relation"], SAME),
    "union of three": (
        f"TABLE t UNION ALL {NONE} UNION ALL TABLE u",
        ["Union", "Relation", "Relation"],
        {(1, 2): 3, (None, 3): 2},
    ),
    "union of nothing": (f"{NONE} UNION ALL {NONE}", ["LocalRelation"], {}),
    "inner join": (f"SELECT * FROM t JOIN {NONE} n ON t.a = n.a", ["LocalRelation"], {}),
    "left join": (
        f"SELECT t.a, n.b FROM t LEFT JOIN {NONE} n ON t.a = n.a",
        ["Project", "Relation"],
        {(1, None): 2, (None, None): 1},
    ),
    "left join of nothing": (f"SELECT * FROM {NONE} n LEFT JOIN t ON t.a = n.a", ["LocalRelation"], {}),
    "right join": (f"SELECT t.a, t.b FROM {NONE} n RIGHT JOIN t ON t.a = n.a", ["Relation"], SAME),
    "full join": (f"SELECT t.a, t.b FROM t FULL JOIN {NONE} n ON t.a = n.a", ["Relation"], SAME),
    "semi join": (f"SELECT * FROM t LEFT SEMI JOIN {NONE} n ON t.a = n.a", ["LocalRelation"], {}),
    "anti join": (f"SELECT * FROM t LEFT ANTI JOIN {NONE} n ON t.a = n.a", ["Relation"], SAME),
    "a join that is never true": ("SELECT t.a, t.b FROM t LEFT JOIN u ON false", ["Relation"], SAME),
    "except": (f"TABLE t EXCEPT {NONE}", ["Aggregate", "Relation"], dict.fromkeys(SAME, 1)),
    "intersect": (f"TABLE t INTERSECT {NONE}", ["LocalRelation"], {}),
    "limit 0": ("TABLE t UNION ALL (SELECT * FROM u LIMIT 0)", ["Relation"], SAME),
    "groups": (f"SELECT a, count(*) FROM {NONE} GROUP BY a", ["LocalRelation"], {}),
    "window": (f"SELECT rank() OVER (ORDER BY a) FROM {NONE}", ["LocalRelation"], {}),
    "explode": (f"SELECT explode(array(a, b)) FROM {NONE}", ["LocalRelation"], {}),
}
KEPT = {
    "no keys": (f"SELECT count(*) FROM {NONE}", ["Aggregate", "LocalRelation"], {(0,): 1}),
    "no keys, max": (f"SELECT max(a) FROM {NONE}", ["Aggregate", "LocalRelation"], {(None,): 1}),
    "not known": ("TABLE t UNION ALL SELECT * FROM u WHERE a > 5", ["Union", "Relation", "Filter", "Relation"], SAME),
    "rows": ("TABLE t UNION ALL TABLE u", ["Union", "Relation", "Relation"], {(1, 2): 3, (None, 3): 2}),
}


_tables = tables_of(TABLES)


class TestPropagateEmptyRelation:
    @pytest.mark.parametrize(("query", "left", "rows"), REWRITTEN.values(), ids=REWRITTEN)
    def test_propagates_and_answers_as_without_it(self, spark, query, left, rows):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert operators(got) == left
        assert len(operators(kept)) > len(left)
        assert got.rows == kept.rows == rows

    @pytest.mark.parametrize(("query", "left", "rows"), KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query, left, rows):
        got = answer(spark, query)
        assert RULE not in got.rules
        assert operators(got) == left
        assert got.rows == rows
