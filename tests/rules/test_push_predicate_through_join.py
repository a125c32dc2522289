"""PushPredicateThroughJoin by hand: every kind of join, a condition of either side and of both, above it and in ON."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracles.checks.choices import fixed
from oracles.checks.result import LegSettings
from strategies.ir import (
    INT,
    Alias,
    Arith,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Filter,
    Join,
    Lit,
    Relation,
    Table,
)
from strategies.shapes.push_predicate_through_join import MOVES, STAYS, Move
from strategies.shapes.sides import scan
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected
from tests.rules.filters_over import conditions
from tests.rules.seed_tables import PEOPLE
from tests.rules.stock import WITHOUT_PUSHDOWN, answer, operators

RULE = "PushPredicateThroughJoin"
_S0 = Alias(T0, "s0")
_EQUAL = Compare("=", Col("a", INT, "t0"), Col("a", INT, "s0"))


def _has(move: Move) -> Callable[[Relation], bool]:
    return lambda query: move in conditions(query)


EXPECTED = Expected(
    lambda query: not set(MOVES).isdisjoint(conditions(query)),
    ANY_FORM,
    Filter(Join(T0, _S0, "inner", _EQUAL), Compare("=", Col("a", INT, "t0"), Lit(INT, 0))),
    {" ".join(move): _has(move) for move in MOVES},
)

_PAIR = (Column("k", INT), Column("v", INT))
ROWS = Database(
    (
        Table("l", _PAIR, ((1, 1), (1, 2), (2, 1), (None, 1), (3, None), (4, 4))),
        Table("r", _PAIR, ((1, 1), (1, None), (2, 2), (None, 2), (5, 1), (4, 4))),
    )
)
CONDITION = {"left": "l.v < 3", "right": "r.v < 3", "both": "l.v < r.v"}
JOINS = {"semi": "LEFT SEMI", "anti": "LEFT ANTI"}


def _query(move: Move) -> str:
    """The condition is true for NULL where it must stay: otherwise the join would become an inner one."""
    kind, place, side = move
    condition = CONDITION[side]
    if place == "on":
        return f"SELECT * FROM l {JOINS.get(kind, kind)} JOIN r ON l.k = r.k AND {condition}"
    on = "" if kind == "cross" else "ON l.k = r.k"
    kept = "" if move in MOVES else " IS NOT FALSE"
    return f"SELECT * FROM l {JOINS.get(kind, kind)} JOIN r {on} WHERE ({condition}){kept}"


@pytest.fixture(scope="module", autouse=True)
def _tables(harness):
    with harness.spark.loaded(ROWS, "parquet"), harness.spark.loaded(PEOPLE, "parquet"):
        yield


WITHOUT_INFERENCE = {
    "spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.InferFiltersFromConstraints"
}


class TestPushPredicateThroughJoin:
    @pytest.mark.parametrize("move", MOVES, ids=[" ".join(move) for move in MOVES])
    def test_moves_and_answers_as_without_it(self, spark, move):
        with_it, without = answer(spark, _query(move)), answer(spark, _query(move), WITHOUT_PUSHDOWN)
        assert with_it.rows == without.rows
        assert "PushDownPredicates" in with_it.rules
        assert operators(with_it)[0] == "Join"

    @pytest.mark.parametrize("move", STAYS, ids=[" ".join(move) for move in STAYS])
    def test_stays_and_answers_as_without_it(self, spark, move):
        with_it = answer(spark, _query(move), WITHOUT_INFERENCE)
        without = answer(spark, _query(move), WITHOUT_PUSHDOWN)
        assert with_it.rows == without.rows
        assert operators(with_it).count("Filter") == (move[1] == "where")

    def test_the_articles_example(self, spark):
        """Both sides have a condition above the join, and each goes to its side."""
        query = "SELECT * FROM ds1 JOIN ds2 ON id = no WHERE ds1.age >= 9 AND ds2.age >= 20"
        got = answer(spark, query)
        assert got.rows == {("Michael", 9, "Michael", 29): 1}
        assert operators(got) == ["Join", "Filter", "Relation", "Filter", "Relation"]

    @pytest.mark.parametrize("kind", ["left", "right", "full"])
    def test_a_condition_that_rejects_null_has_made_an_outer_join_an_inner_one_before(self, spark, kind):
        got = answer(spark, f"SELECT * FROM l {kind} JOIN r ON l.k = r.k WHERE l.v < 3 AND r.v < 3")
        assert got.rows == {(1, 1, 1, 1): 1, (1, 2, 1, 1): 1, (2, 1, 2, 2): 1}
        assert "Join Inner" in got.optimized

    @pytest.mark.parametrize(
        ("on", "rows"),
        [
            ("l.k = r.k AND NULL", 0),
            ("l.k = r.k AND (r.v = 1 OR NULL)", 2),
            ("l.k = r.k AND NOT (r.v = 1 AND NULL)", 2),
        ],
        ids=["always", "unless true", "unless false"],
    )
    @pytest.mark.parametrize("conf", [{}, WITHOUT_PUSHDOWN], ids=["on", "off"])
    def test_an_on_that_is_null_does_not_hold(self, spark, on, rows, conf):
        got = answer(spark, f"SELECT * FROM l JOIN r ON {on}", conf)
        assert sum(got.rows.values()) == rows

    def test_a_filter_goes_through_two_joins_in_one_pass(self, spark):
        query = "SELECT l.v FROM l LEFT JOIN r ON l.k = r.k LEFT JOIN r AS s ON l.k = s.k WHERE l.v > 1"
        got, without = answer(spark, query), answer(spark, query, WITHOUT_PUSHDOWN)
        assert got.rows == without.rows == {(2,): 4, (4,): 1}
        assert operators(got)[0] == operators(without)[0] == "Project"
        assert "Filter" in operators(without)[:2]
        assert "Filter" not in operators(got)[:2]

    def test_what_spark_knows_to_raise_is_not_asked_of_rows_without_a_partner(self, spark):
        query = "SELECT l.v FROM l JOIN r ON l.k = r.k WHERE l.v < 9 AND nullif(l.k, 3) > 0 AND {} IS NOT NULL"
        known = answer(spark, query.format("if(l.k = 3, raise_error('a'), 1)"))
        assert operators(known)[:2] == ["Project", "Filter"]

    def test_a_sum_is_asked_of_rows_without_a_partner_too_and_may_raise(self, harness):
        """Spark promises no order of evaluation, and calls few expressions known to raise: sums aren't among them."""
        tables = Table("t0", _PAIR, ((1, 2**31 - 1), (2, 1))), Table("t1", _PAIR, ((2, 2),))
        left, right = (scan(table) for table in tables)
        keys = Compare("=", Col("k", INT, "t0"), Col("k", INT, "t1"))
        one_more = Arith("+", Col("v", INT, "t0"), Lit(INT, 1))
        query = Filter(Join(left, right, "inner", keys), Compare(">", one_more, Lit(INT, 0)))
        checked = harness.check(Case(query, Database(tables)), fixed([harness.catalogue.rule(RULE)]))
        assert (checked.fired, checked.verdict.kind, checked.verdict.blame) == ((RULE,), "error", "on")

    def test_its_own_work_is_told_from_that_of_the_other_parts(self, harness):
        """Below the full join a filter passes a DISTINCT; the join is as it was."""
        rules = [harness.catalogue.rule(name) for name in (RULE, "PushPredicateThroughNonJoin")]
        database = Database((Table("t0", T0.columns),))
        side = Alias(Filter(Distinct(T0), A_IS_ZERO), "s1")
        beside = Join(side, _S0, "full", Compare("=", Col("a", INT, "s1"), Col("a", INT, "s0")))
        fired = [
            harness.check(Case(query, database), fixed(rules), LegSettings()).fired
            for query in (beside, EXPECTED.least)
        ]
        assert fired == [("PushPredicateThroughNonJoin",), (RULE,)]
