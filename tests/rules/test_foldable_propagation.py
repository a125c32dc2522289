"""FoldablePropagation by hand: a constant column in operators above it, and where it stops being constant."""

from __future__ import annotations

from datetime import date

import pytest

from oracles.checks.choices import fixed
from oracles.triage.attribution import guilty_rules
from oracles.triage.divergences import fitting, load
from strategies.ir import (
    DOUBLE,
    INT,
    Agg,
    Aggregate,
    Alias,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Item,
    Join,
    Limit,
    Lit,
    Project,
    Scan,
    Table,
    Window,
    walk,
)
from tests.rules.expected import ANY_FORM, T0, Expected, holds, joins
from tests.rules.stock import answer, tables_of, without


def has_constant(query):
    """Whether a query holds a projection with a constant."""
    return any(
        isinstance(node, Project) and any(isinstance(item.value, Lit) for item in node.items) for node in walk(query)
    )


RULE = "FoldablePropagation"
X, A = Col("x", INT), Col("a", INT)
EXPECTED = Expected(
    has_constant,
    ANY_FORM,
    Aggregate(Project(T0, (Item("x", Lit(INT, 0)), Item("a", A))), (Item("k0", X),), (Item("n0", Agg("count")),)),
    {
        "a sort": holds(Limit),
        "a window": holds(Window),
        "distinct rows": holds(Distinct),
        "a join": joins("inner"),
        "an outer join": joins("left", "right"),
        "a full join": joins("full"),
        "a semi join": joins("semi", "anti"),
        "an aggregate": holds(Aggregate),
        "any join": holds(Join),
    },
)
ROWS = Database(
    (
        Table("t", (Column("a", INT), Column("b", INT)), ((1, 2), (2, 2), (None, 1), (3, None))),
        Table("s", (Column("a", INT), Column("b", INT)), ((1, 2), (1, 1), (None, None))),
    )
)
KNOWN, OTHER = "(SELECT 2 AS x, a, b FROM t) AS l", "(SELECT 1 AS x, a, b FROM s) AS r"
PROPAGATED = {
    "a key": (f"SELECT x, count(*) AS n FROM {KNOWN} GROUP BY x", "Aggregate [2], [2 AS x, count(1) AS n]"),
    "distinct rows": (f"SELECT DISTINCT x, b FROM {KNOWN}", "Aggregate [2, b], [2 AS x, b]"),
    "a sort": (f"SELECT x, a FROM {KNOWN} ORDER BY x, a, b LIMIT 2", "Sort [a ASC NULLS FIRST"),
    "a window": (f"SELECT a, sum(x) OVER (PARTITION BY b) AS n FROM {KNOWN}", "[sum(2) windowspecdefinition(b, "),
    "a join": (f"SELECT l.a, s.b FROM {KNOWN} JOIN s ON l.x = s.b", "(2 = b)"),
    "above a join": (f"SELECT r.x + 1 AS y FROM t JOIN {OTHER} ON t.a = r.a", "[2 AS y]"),
    "a kept side": (f"SELECT x + 1 AS y FROM {KNOWN} LEFT JOIN s ON l.a = s.a", "[3 AS y]"),
    "grouping sets": (f"SELECT x, b, max(x) AS m FROM {KNOWN} GROUP BY ROLLUP (x, b)", "max(2) AS m]"),
}
KEPT = {
    "a padded side": f"SELECT r.x, t.a FROM t LEFT JOIN {OTHER} ON t.a = r.a",
    "a padded side, asked about": f"SELECT t.a FROM t LEFT JOIN {OTHER} ON t.a = r.a WHERE r.x IS NULL",
    "both sides padded": f"SELECT l.x, r.x AS y FROM {KNOWN} FULL JOIN {OTHER} ON l.a = r.a",
    "branches": "SELECT x, count(*) FROM (SELECT 1 AS x, a FROM t UNION ALL SELECT 2 AS x, a FROM s) GROUP BY x",
    "no constant": "SELECT a, count(*) FROM t GROUP BY a",
}


_tables = tables_of(ROWS)


class TestFoldablePropagation:
    @pytest.mark.parametrize(("query", "propagated"), PROPAGATED.values(), ids=PROPAGATED)
    def test_an_operator_above_has_the_constant(self, spark, query, propagated):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE in got.rules
        assert propagated in got.plain
        assert propagated not in kept.plain
        assert got.rows == kept.rows

    @pytest.mark.parametrize("query", KEPT.values(), ids=KEPT)
    def test_keeps_away(self, spark, query):
        got, kept = answer(spark, query), answer(spark, query, without(RULE))
        assert RULE not in got.rules
        assert got.rows == kept.rows

    def test_a_padded_row_has_null_for_the_constant(self, spark):
        got = answer(spark, f"SELECT t.a, r.x FROM t LEFT JOIN {OTHER} ON t.a = r.a")
        assert got.rows == {(1, 1): 2, (2, None): 1, (None, None): 1, (3, None): 1}

    def test_a_total_has_null_for_the_constant(self, spark):
        got = answer(spark, f"SELECT x, count(*) FROM {KNOWN} GROUP BY ROLLUP (x)")
        assert RULE in got.rules
        assert got.rows == {(2, 4): 1, (None, 4): 1}


@pytest.mark.parametrize(("constant", "known"), [((-0.0).hex(), ["zeros-in-place-of-a-column"]), ((0.0).hex(), [])])
def test_a_zero_that_a_file_is_asked_for_in_place_of_a_column_is_a_known_divergence(harness, constant, known):
    table = Table("z", (Column("a", DOUBLE),), (((0.0).hex(),),) * 2)
    scan = Scan("z", table.columns)
    zero = Alias(Project(scan, (Item("b", Lit(DOUBLE, constant)),)), "r")
    joined = Join(scan, zero, "inner", Compare("=", Col("a", DOUBLE), Col("b", DOUBLE)))
    rules = [harness.catalogue.rule(name) for name in (RULE, "InferFiltersFromConstraints")]
    checked = harness.check(Case(joined, Database((table,))), fixed(rules))
    guilty = guilty_rules(harness, checked) if known else ()
    fits = fitting(load(), checked, guilty, harness.spark.version, date(2026, 12, 1))
    assert ([each.id for each in fits], checked.verdict.kind) == (known, "rule" if known else None)
