"""ReplaceExceptWithNotFilter, a rule of one's own: right as it should be, and convicted as it was first written."""

from __future__ import annotations

import pytest

from assay.fuzz.conviction import convicts
from assay.session.own_rule import AS_WRITTEN
from oracles.checks.choices import fixed
from oracles.checks.result import LegSettings
from oracles.rules.switch import switched_on
from oracles.triage.attribution import judged
from oracles.triage.divergences import load
from strategies.ir import (
    INT,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Item,
    Lit,
    Project,
    Relation,
    SetOp,
    Table,
    walk,
)
from strategies.shapes import load_shapes
from strategies.shapes.replace_except_with_not_filter import HOLES
from strategies.shapes.sides import scan
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected
from tests.rules.own_rules import convicting, own_checks, with_rule, without_rule
from tests.rules.seed_tables import FLIGHTS
from tests.rules.shape_checks import wrong
from tests.rules.stock import operators

RULE = "ReplaceExceptWithNotFilter"
WRITTEN = RULE + AS_WRITTEN
SHAPE = load_shapes()[RULE]
MISSES = {miss.name: miss for miss in SHAPE.near_misses}
DRAWS = 24


def _of_a_filter(query: Relation) -> bool:
    """Whether a query holds an EXCEPT whose right side is a filter."""
    return any(
        isinstance(node.right, Filter) for node in walk(query) if isinstance(node, SetOp) and node.kind == "except"
    )


EXPECTED = Expected(
    _of_a_filter,
    ANY_FORM,
    SetOp("except", T0, Filter(T0, A_IS_ZERO)),
    {
        "both sides filtered": lambda query: any(
            isinstance(node.left, Filter) for node in walk(query) if isinstance(node, SetOp)
        ),
        "a filter on top of the left side's": lambda query: any(
            isinstance(node.right, Filter) and node.right.child == node.left and isinstance(node.left, Filter)
            for node in walk(query)
            if isinstance(node, SetOp)
        ),
    },
)
ROWS = Database(
    (
        Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (1, 1), (2, None), (None, 3), (None, None))),
        Table("u", (Column("a", INT), Column("b", INT)), ((1, 1),)),
    )
)
PAIRS = Table("t0", (Column("a", INT), Column("b", INT)), ((1, None), (3, 2)))
A, B = Col("a", INT), Col("b", INT)
CROSSED = Case(
    SetOp(
        "except",
        Project(scan(PAIRS), (Item("x", A), Item("y", B))),
        Filter(Project(scan(PAIRS), (Item("y", A), Item("x", B))), Compare(">", Col("y", INT), Lit(INT, 2))),
    ),
    Database((PAIRS,)),
)
"""The names of the right side's columns are those of the left's, in another order."""
ARTICLE = "SELECT * FROM flights WHERE month < 3 EXCEPT SELECT * FROM flights WHERE month = 12"
ANSI_OFF = {"spark.sql.ansi.enabled": "false"}
"""``month = 12`` compares a text with a number: in ANSI mode 'NA' raises."""

ELIGIBLE = {
    "relation and filter": "SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1",
    "filter and filter": "SELECT * FROM t WHERE b > 0 EXCEPT SELECT * FROM t WHERE a > 1",
    "filter over the same filter": (
        "SELECT * FROM t WHERE b > 0 EXCEPT SELECT * FROM (SELECT * FROM t WHERE b > 0) WHERE a > 1"
    ),
    "other names": "SELECT * FROM t EXCEPT SELECT * FROM (SELECT a AS b, b AS a FROM t) WHERE a > 1",
    "in a subquery": "SELECT * FROM u WHERE a IN (SELECT a FROM (SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1))",
    "in a CTE that is used twice": (
        "WITH c AS (SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1) SELECT * FROM c UNION ALL SELECT * FROM c"
    ),
}
NOT_ELIGIBLE = {
    "nondeterministic": "SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1 AND rand() < 2",
    "nondeterministic on the left": "SELECT * FROM t WHERE rand() < 2 EXCEPT SELECT * FROM t WHERE a > 1",
    "subquery": "SELECT * FROM t EXCEPT SELECT * FROM t WHERE a IN (SELECT a FROM u)",
    "floating column": (
        "SELECT * FROM (SELECT DOUBLE(a) AS a FROM t) EXCEPT SELECT * FROM (SELECT DOUBLE(a) AS a FROM t) WHERE a > 1"
    ),
    "another relation": "SELECT * FROM t EXCEPT SELECT * FROM u WHERE a > 1",
    "columns in another order": "SELECT a, b FROM t EXCEPT SELECT * FROM (SELECT b, a FROM t) WHERE a > 1",
    "no filter on the right": "SELECT * FROM t WHERE a > 1 EXCEPT SELECT * FROM t",
    "EXCEPT ALL": "SELECT * FROM t EXCEPT ALL SELECT * FROM t WHERE a > 1",
}


@pytest.fixture(scope="module")
def _tables(harness):
    with harness.spark.loaded(ROWS, "parquet"):
        yield


@pytest.fixture(scope="module")
def _flights(harness):
    with harness.spark.loaded(FLIGHTS, "csv"):
        yield


@pytest.mark.usefixtures("_flights")
class TestTheArticlesQuery:
    def test_without_it_the_plan_is_an_aggregate_over_an_anti_join(self, harness):
        got = without_rule(harness, RULE, ARTICLE, ANSI_OFF)
        assert operators(got)[:2] == ["Aggregate", "Join"]
        assert "LeftAnti" in got.plain

    @pytest.mark.parametrize(
        ("name", "condition"),
        [
            (WRITTEN, "((cast(month as int) < 3) AND NOT (cast(month as int) = 12))"),
            (RULE, "((cast(month as int) < 3) AND NOT coalesce((cast(month as int) = 12), false))"),
        ],
        ids=["as written", "as it should be"],
    )
    def test_with_it_the_plan_is_an_aggregate_over_one_filter(self, harness, name, condition):
        got = with_rule(harness, name, ARTICLE, ANSI_OFF)
        assert operators(got) == ["Aggregate", "Filter", "Relation"]
        assert condition in got.plain

    @pytest.mark.parametrize("name", [WRITTEN, RULE], ids=["as written", "as it should be"])
    def test_both_answer_it_rightly(self, harness, name):
        """``month < 3`` keeps no month that is NULL or no number: this query doesn't show what is wrong."""
        assert with_rule(harness, name, ARTICLE, ANSI_OFF).rows == {("2008", "1", "WN"): 1, ("2008", "2", None): 1}

    @pytest.mark.parametrize(("name", "kept"), [(WRITTEN, 0), (RULE, 3)], ids=["as written", "as it should be"])
    def test_without_the_first_filter_a_month_that_is_null_or_no_number_tells(self, harness, name, kept):
        query = "SELECT * FROM flights EXCEPT SELECT * FROM flights WHERE month = 12"
        rows = with_rule(harness, name, query, ANSI_OFF).rows
        assert sum(month in (None, "NA") for _, month, _ in rows) == kept


@pytest.mark.usefixtures("_tables")
class TestReplaceExceptWithNotFilter:
    @pytest.mark.parametrize("query", ELIGIBLE.values(), ids=ELIGIBLE)
    def test_acts_and_answers_as_without_it(self, harness, query):
        on, off = with_rule(harness, RULE, query), without_rule(harness, RULE, query)
        assert "NOT coalesce(" in on.plain
        assert "LeftAnti" in off.plain
        assert "LeftAnti" not in on.plain
        assert on.rows == off.rows

    @pytest.mark.parametrize("query", NOT_ELIGIBLE.values(), ids=NOT_ELIGIBLE)
    def test_keeps_away(self, harness, query):
        assert operators(with_rule(harness, RULE, query)) == operators(without_rule(harness, RULE, query))

    @pytest.mark.parametrize(
        ("condition", "kept"),
        [
            ("a = 1", {(2, None): 1, (None, 3): 1, (None, None): 1}),
            ("a > 1 OR b > 1", {(1, 1): 1, (None, None): 1}),
            ("a = NULL", {(1, 1): 1, (2, None): 1, (None, 3): 1, (None, None): 1}),
            ("a IS NULL", {(1, 1): 1, (2, None): 1}),
        ],
        ids=["comparison", "or", "NULL itself", "is null"],
    )
    def test_rows_for_which_the_condition_is_null_stay_once(self, harness, condition, kept):
        assert with_rule(harness, RULE, f"SELECT * FROM t EXCEPT SELECT * FROM t WHERE {condition}").rows == kept


class TestDrawnCases:
    def test_as_it_should_be_it_fires_on_its_shape_and_is_acquitted(self, harness):
        found = own_checks(harness, RULE, SHAPE.fires(), 2 * DRAWS)
        assert sum(RULE in check.fired for check in found) >= 0.9 * len(found)
        assert sum(check.differed for check in found) >= 0.7 * len(found)
        assert sum(check.has_rows for check in found) >= 0.2 * len(found)
        assert wrong(found) == []

    @pytest.mark.parametrize("miss", MISSES.values(), ids=MISSES)
    def test_near_miss_is_told_apart_and_answered_rightly(self, harness, miss):
        found = own_checks(harness, RULE, miss.cases(), DRAWS // 3)
        assert {RULE in check.fired for check in found} == {miss.fires}
        assert wrong(found) == []

    @pytest.mark.parametrize("hole", HOLES)
    def test_as_written_it_is_convicted_on_each_of_its_holes(self, harness, hole):
        assert convicting(own_checks(harness, WRITTEN, MISSES[hole].cases(), DRAWS))

    @pytest.mark.parametrize(("entries", "ending"), [(load(), "excused"), ((), "finding")], ids=["known", "unknown"])
    def test_a_bug_that_it_hides_is_put_to_the_rule_that_has_it(self, harness, entries, ending):
        """Without it ReplaceExceptWithFilter acts, and binds ``y > 2`` to the left side's y: another column."""
        off = fixed([harness.catalogue.rule(RULE)])
        first = harness.check(CROSSED, off, LegSettings(on=switched_on(RULE)))
        checked, rules = judged(harness, first, entries)
        assert (first.verdict.kind, first.verdict.blame) == ("rule", "off")
        assert (checked.verdict.name, checked.verdict.blame, rules) == (ending, "on", ("ReplaceExceptWithFilter",))
        assert checked.verdict.divergence == ("SPARK-58383" if entries else None)
        assert not convicts(checked.verdict, rules, RULE)

    def test_as_written_it_raises_where_no_column_has_the_name(self, harness):
        found = own_checks(harness, WRITTEN, MISSES["names_unknown"].cases(), DRAWS // 3)
        assert {(check.verdict.name, check.verdict.kind, check.verdict.blame) for check in found} == {
            ("finding", "internal", "on")
        }
