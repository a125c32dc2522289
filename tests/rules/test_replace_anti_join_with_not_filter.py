"""ReplaceAntiJoinWithNotFilter, a rule of one's own: runs last; right as it should be, convicted as first written."""

from __future__ import annotations

import pytest

from assay.session.own_rule import AS_WRITTEN
from strategies.ir import INT, Column, Compare, Database, Filter, Join, Relation, SetOp, Table, walk
from strategies.shapes import load_shapes
from strategies.shapes.replace_anti_join_with_not_filter import HOLES
from tests.rules.expected import A_IS_ZERO, ANY_FORM, T0, Expected, joins
from tests.rules.own_rules import convicting, own_checks, with_rule, without_rule
from tests.rules.seed_tables import FLIGHTS
from tests.rules.shape_checks import wrong
from tests.rules.stock import operators

RULE = "ReplaceAntiJoinWithNotFilter"
WRITTEN = RULE + AS_WRITTEN
SHAPE = load_shapes()[RULE]
MISSES = {miss.name: miss for miss in SHAPE.near_misses}
DRAWS = 24


def _except_or_anti_join(query: Relation) -> bool:
    """Whether a query holds an EXCEPT, or an anti join by ``<=>``."""
    return any(
        (isinstance(node, SetOp) and node.kind == "except")
        or (
            isinstance(node, Join)
            and node.kind == "anti"
            and any(part.op == "<=>" for part in walk(node) if isinstance(part, Compare))
        )
        for node in walk(query)
    )


EXPECTED = Expected(
    _except_or_anti_join,
    ANY_FORM,
    SetOp("except", T0, Filter(T0, A_IS_ZERO)),
    {"an anti join by hand": joins("anti")},
)
ROWS = Database(
    (
        Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (1, 1), (2, None), (None, 3), (None, None))),
        Table("u", (Column("a", INT), Column("b", INT)), ((1, 1),)),
    )
)
ARTICLE = "SELECT * FROM flights WHERE month < 3 EXCEPT SELECT * FROM flights WHERE month = 12"
ANSI_OFF = {"spark.sql.ansi.enabled": "false"}
"""``month = 12`` compares a text with a number: in ANSI mode 'NA' raises."""


def joined(right: str, on: str = "l.a <=> r.a AND l.b <=> r.b", left: str = "t", kind: str = "LEFT ANTI") -> str:
    """An anti join by hand."""
    return f"SELECT * FROM {left} l {kind} JOIN (SELECT * FROM {right}) r ON {on}"


ELIGIBLE = {
    "what an EXCEPT has become": "SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1",
    "by hand": joined("t WHERE a > 1"),
    "both filtered": joined("t WHERE a > 1", left="(SELECT * FROM t WHERE b > 0)"),
    "the pairs turned": joined("t WHERE a > 1", "r.b <=> l.b AND r.a <=> l.a"),
    "in a subquery": f"SELECT * FROM u WHERE a IN (SELECT a FROM ({joined('t WHERE a > 1')}))",
}
NOT_ELIGIBLE = {
    "plain equality": joined("t WHERE a > 1", "l.a = r.a AND l.b = r.b"),
    "one column": joined("t WHERE a > 1", "l.a <=> r.a"),
    "one column twice": joined("t WHERE a > 1", "l.a <=> r.a AND l.a <=> r.b"),
    "columns crossed": joined("t WHERE a > 1", "l.a <=> r.b AND l.b <=> r.a"),
    "one more condition": joined("t WHERE a > 1", "l.a <=> r.a AND l.b <=> r.b AND l.a > r.b"),
    "either is enough": joined("t WHERE a > 1", "l.a <=> r.a OR l.b <=> r.b"),
    "nondeterministic": joined("t WHERE a > 1 AND rand() < 0.5"),
    "another relation": joined("u WHERE a > 1"),
    "semi": joined("t WHERE a > 1", kind="LEFT SEMI"),
    "no filter on the right": joined("t"),
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
    @pytest.mark.parametrize(
        ("name", "condition"),
        [
            (WRITTEN, "NOT (isnotnull(month) AND (cast(month as int) = 12))"),
            (RULE, "NOT coalesce((isnotnull(month) AND (cast(month as int) = 12)), false)"),
        ],
        ids=["as written", "as it should be"],
    )
    def test_with_it_the_plan_has_two_filters_that_no_rule_combines(self, harness, name, condition):
        got = with_rule(harness, name, ARTICLE, ANSI_OFF)
        assert operators(got) == ["Aggregate", "Filter", "Filter", "Relation"]
        _, upper, lower, _ = got.plain.splitlines()
        assert upper.endswith(f"Filter {condition}")
        assert lower.endswith("Filter (isnotnull(month) AND (cast(month as int) < 3))")

    @pytest.mark.parametrize("name", [WRITTEN, RULE], ids=["as written", "as it should be"])
    def test_both_answer_it_rightly(self, harness, name):
        assert with_rule(harness, name, ARTICLE, ANSI_OFF).rows == {("2008", "1", "WN"): 1, ("2008", "2", None): 1}

    @pytest.mark.parametrize(("name", "kept"), [(WRITTEN, 2), (RULE, 3)], ids=["as written", "as it should be"])
    def test_is_not_null_saves_the_months_that_are_null_and_not_those_that_are_no_number(self, harness, name, kept):
        """Without ANSI mode a text that is no number is NULL once it is cast: nothing keeps such a row away."""
        query = "SELECT * FROM flights EXCEPT SELECT * FROM flights WHERE month = 12"
        rows = with_rule(harness, name, query, ANSI_OFF).rows
        assert sum(month in (None, "NA") for _, month, _ in rows) == kept


@pytest.mark.usefixtures("_tables")
class TestReplaceAntiJoinWithNotFilter:
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


class TestDrawnCases:
    def test_as_it_should_be_it_fires_on_its_shape_and_is_acquitted(self, harness):
        found = own_checks(harness, RULE, SHAPE.fires(), 6 * DRAWS)
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
