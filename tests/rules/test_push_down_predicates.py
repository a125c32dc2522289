"""PushDownPredicates by hand: its three parts in one pass, what it stops at, and what it takes to turn it off."""

from __future__ import annotations

from datetime import date

import pytest

from oracles.checks.check import SwitchFailed
from oracles.checks.choices import all_that_changed, fixed
from oracles.rules.entries.known import OPTIMIZER, PUSHES_PREDICATES
from oracles.rules.rule import Rule
from oracles.rules.switch import Excluded
from oracles.triage.bisect import guilty_rules
from oracles.triage.divergences import fitting, load
from strategies.ir import (
    DOUBLE,
    INT,
    Agg,
    Aggregate,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Filter,
    Item,
    Join,
    Lit,
    Relation,
    Scan,
    Table,
)
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected
from tests.rules.filters_over import conditions, filter_over, having
from tests.rules.stock import WITHOUT_PUSHDOWN, answer, operators, tables_of

RULE = "PushDownPredicates"
EXPECTED = Expected(
    lambda query: having(query) or filter_over(Relation)(query) or any(conditions(query)),
    ANY_FORM,
    Filter(Distinct(T0), A_IS_ZERO),
    {
        "CombineFilters": filter_over(Filter),
        "PushPredicateThroughNonJoin": filter_over(Distinct),
        "PushPredicateThroughJoin": filter_over(Join),
    },
)
ROWS = Database((Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (1, 2), (2, None), (None, 3), (3, 3))),))
CASCADE = (
    "SELECT * FROM (SELECT * FROM (SELECT a, count(*) AS n FROM (TABLE t UNION ALL TABLE t) GROUP BY a) AS g "
    "JOIN t USING (a) WHERE n > 1) WHERE a > 1"
)


_tables = tables_of(ROWS)


def off(*names: str) -> dict[str, str]:
    return {"spark.sql.optimizer.excludedRules": ",".join(OPTIMIZER + name for name in names)}


class TestPushDownPredicates:
    def test_a_filter_goes_through_everything_in_one_pass(self, spark):
        got, without = answer(spark, CASCADE), answer(spark, CASCADE, WITHOUT_PUSHDOWN)
        assert got.rows == without.rows == {(2, 2, None): 1, (3, 2, 3): 1}
        below_the_aggregate = operators(got)[operators(got).index("Union") :]
        assert below_the_aggregate.count("Filter") == 3  # each branch of the union, and the other side of the join
        assert "Filter" not in operators(got)[: operators(got).index("Join")]
        assert operators(without).index("Filter") < operators(without).index("Join")

    @pytest.mark.parametrize(
        "query",
        [
            "SELECT * FROM (SELECT * FROM t ORDER BY a, b LIMIT 2) WHERE a > 0",
            "SELECT * FROM (SELECT * FROM t ORDER BY a, b LIMIT 2 OFFSET 1) WHERE a > 0",
            "SELECT * FROM (SELECT * FROM t ORDER BY a, b OFFSET 3) WHERE a > 0",
        ],
        ids=["limit", "limit and offset", "offset"],
    )
    def test_no_filter_passes_a_limit(self, spark, query):
        """The limit would make up for the rows that the filter drops below, with other ones."""
        got = answer(spark, query)
        assert operators(got)[0] == "Filter"
        assert RULE not in got.rules
        assert got.rows == answer(spark, query, WITHOUT_PUSHDOWN).rows

    @pytest.mark.parametrize(
        ("names", "rules"),
        [
            ((RULE,), {"PushPredicateThroughNonJoin"}),
            ((RULE, "PushPredicateThroughJoin"), {"PushPredicateThroughNonJoin"}),
            ((RULE, "PushPredicateThroughNonJoin"), set()),
        ],
        ids=["the rule", "and the batch on subqueries", "and the batch on Python"],
    )
    def test_a_batch_of_its_own_moves_a_filter_unless_that_is_off_too(self, spark, names, rules):
        query = "SELECT a, count(*) AS n FROM t GROUP BY a HAVING a > 1"
        got = answer(spark, query, off(*names))
        assert {name for name in got.rules if name.startswith("PushPredicate")} == rules
        assert operators(got)[0] == ("Aggregate" if rules else "Filter")

    @pytest.mark.parametrize(
        ("names", "rules"),
        [
            ((RULE, "PushPredicateThroughNonJoin"), {"PushPredicateThroughJoin"}),
            ((RULE, "PushPredicateThroughNonJoin", "PushPredicateThroughJoin"), set()),
        ],
        ids=["without", "with"],
    )
    def test_the_batch_on_subqueries_moves_what_is_above_a_join(self, spark, names, rules):
        query = "SELECT x.a FROM t AS x LEFT JOIN t AS y ON x.a = y.a WHERE x.b > 1"
        got = answer(spark, query, off(*names))
        assert {name for name in got.rules if name.startswith("PushPredicate")} == rules

    def test_no_filter_moves_by_the_rule_that_adds_some_to_a_join(self, spark):
        """PushExtraPredicateThroughJoin makes filters of an OR in an ON, which stays: it needs not be off as well."""
        query = "SELECT x.a FROM t AS x JOIN t AS y ON x.a = y.a AND (x.b = 1 AND y.b = 2 OR x.b = 3 AND y.b = 3)"
        got = answer(spark, query, WITHOUT_PUSHDOWN)
        assert "PushExtraPredicateThroughJoin" in got.rules
        assert "OR" in got.optimized.splitlines()[1]
        assert got.rows == answer(spark, query).rows == {(1,): 1, (3,): 1}


EMPTY = Database((Table("t0", T0.columns),))
CASE = Case(EXPECTED.least, EMPTY)


class TestTheSwitch:
    @pytest.mark.parametrize("name", [RULE, *EXPECTED.reaches])
    def test_the_rule_and_its_parts_go_off_together(self, harness, name):
        assert harness.catalogue.rule(name).switch == Excluded(PUSHES_PREDICATES)

    @pytest.mark.parametrize(
        "rule",
        [
            Rule(
                name=RULE,
                rule_name=PUSHES_PREDICATES[0],
                batch="a batch",
                switch=Excluded(PUSHES_PREDICATES[1:]),
                law="a law",
            ),
            Rule(
                name="Part",
                rule_name=PUSHES_PREDICATES[1],
                batch="",
                switch=Excluded(PUSHES_PREDICATES[:1]),
                tracked_as=PUSHES_PREDICATES[0],
            ),
        ],
        ids=["the whole", "a part in a batch of its own"],
    )
    def test_a_switch_that_leaves_something_at_work_is_no_check(self, harness, rule):
        with pytest.raises(SwitchFailed, match=rule.name):
            harness.check(CASE, fixed([rule]))

    def test_a_finding_is_laid_to_the_whole_once(self, harness):
        """All that changed the plan is offered to be turned off; its parts aren't, though batches list them."""
        names = {OPTIMIZER + name for name in ("PushPredicateThroughJoin", "PushPredicateThroughNonJoin")}
        assert [rule.name for rule in harness.catalogue.offered(names)] == [RULE]

    @pytest.mark.parametrize("name", [RULE, *EXPECTED.reaches])
    def test_bisection_copes_with_a_rule_whose_switch_turns_off_others(self, harness, zeros, name):
        """A known difference that any of the switches hides, and that no other rule's does."""
        rules = [harness.catalogue.rule(rule) for rule in ("ColumnPruning", name, "CollapseProject")]
        checked = harness.check(zeros, fixed(rules))
        assert (checked.verdict.kind, checked.verdict.blame) == ("rule", "on")
        assert guilty_rules(harness, checked) == (name,)

    def test_bisection_names_the_whole_where_nobody_asked_for_a_part(self, harness, zeros):
        checked = harness.check(zeros, all_that_changed)
        guilty = guilty_rules(harness, checked)
        assert guilty == (RULE,)
        (known,) = fitting(load(), checked, guilty, harness.spark.version, date(2026, 12, 1))
        assert known.id == "zeros-pushed-to-a-file"


@pytest.fixture(scope="module")
def zeros():
    """-0.0 in a file, and a condition on 0.0 that Parquet is asked once it has passed the aggregate."""
    table = Table("z", (Column("a", DOUBLE),), (((-0.0).hex(),),))
    column = Col("a", DOUBLE)
    counted = Aggregate(Scan("z", table.columns), (Item("a", column),), (Item("n", Agg("count")),))
    return Case(Filter(counted, Compare("=", column, Lit(DOUBLE, (0.0).hex()))), Database((table,)))
