"""Rules without a shape of their own that wait for a form of query, which general queries have on purpose."""

from __future__ import annotations

import pytest

from strategies.ir import INT, STRING, Column, Database, Struct, Table
from tests.rules.stock import answer, operators, tables_of

_PAIR = (Column("a", INT), Column("b", INT))
_ROWS = ((1, 2), (1, None), (None, 2), (3, 0), (3, 0))
TABLES = Database(
    (
        Table("t", _PAIR, _ROWS),
        Table("u", _PAIR, _ROWS[:3]),
        Table("words", (Column("s", STRING), Column("x", Struct((("p", INT), ("q", STRING))))), (("aB", (1, "q")),)),
    )
)

_LOWER = "SELECT *, count(*) OVER (PARTITION BY a ORDER BY b) AS n FROM t"
FORMS = {
    "CollapseWindow": f"SELECT *, max(b) OVER (PARTITION BY a ORDER BY b) AS m FROM ({_LOWER})",
    "TransposeWindow": f"SELECT *, max(b) OVER (ORDER BY b) AS m FROM ({_LOWER})",
    "LimitPushDownThroughWindow": "SELECT *, rank() OVER (ORDER BY b) AS n FROM t LIMIT 2",
    "OptimizeJoinCondition": "SELECT * FROM t JOIN u ON t.a = u.a OR (t.a IS NULL AND u.a IS NULL)",
    "PushExtraPredicateThroughJoin": "SELECT * FROM t JOIN u ON (t.a = 1 AND u.b = 2) OR (t.a = 3 AND t.b = u.b)",
    "SimplifyCaseConversionExpressions": "SELECT upper(lower(s)) FROM words",
    "SchemaPruning": "SELECT x.p FROM words",
}
SUM_OF_COUNT = "SELECT a, sum(n) FROM (SELECT a, b, count(*) AS n FROM t GROUP BY a, b) GROUP BY a"


_tables = tables_of(TABLES)


@pytest.mark.parametrize(("rule", "query"), FORMS.items(), ids=FORMS)
def test_the_rule_acts_on_its_form(spark, rule, query):
    assert rule in answer(spark, query).rules


def test_counts_are_summed_up_before_the_rule_of_that_name_has_its_turn(spark):
    got = answer(spark, SUM_OF_COUNT)
    assert got.rules & {"V2ScanRelationPushDown", "CollapseGroupedSumOfCount"} == {"V2ScanRelationPushDown"}
    assert operators(got) == ["Aggregate", "Project", "Relation"]
    assert got.rows == {(1, 2): 1, (None, 1): 1, (3, 2): 1}
