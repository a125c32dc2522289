"""Patterns of queries that are texts: what they fit, what stands beside it, and how their cause is taken out."""

from __future__ import annotations

import pytest

from oracles.patterns.causes import REWRITES
from oracles.patterns.queries import PATTERNS
from strategies.ir import Case, Database, Verbatim


def case(spark, duckdb=""):
    return Case(Verbatim(spark, duckdb or spark), Database(()))


FITS = {
    "in_subquery_as_a_value": [
        "SELECT a IN (SELECT a FROM u) FROM t",
        "SELECT a FROM t WHERE (a IN (SELECT a FROM u)) IS NULL",
        "SELECT a FROM t WHERE coalesce(a NOT IN (SELECT a FROM u), b)",
        "SELECT 1 FROM t FULL JOIN u ON t.a = u.a AND t.b NOT IN (SELECT a FROM u)",
        "SELECT 1 FROM t LEFT JOIN u ON NOT (t.b IN (SELECT a FROM u))",
        "SELECT a, count(*) FROM t GROUP BY a HAVING max(b IN (SELECT a FROM u))",
    ],
    "correlation_of_equal_values": [
        "SELECT corr(a, b) FROM t",
        "SELECT a FROM t GROUP BY a HAVING regr_slope(b, c) > 1",
        "SELECT Corr(a, b) OVER (PARTITION BY c) FROM t",
    ],
    "common_table_over_another": [
        "WITH x AS (SELECT a FROM t), y AS (SELECT a FROM X) SELECT a FROM y",
        "WITH x AS (WITH y AS (SELECT a FROM t) SELECT a FROM y) SELECT a FROM x",
    ],
    "groups_by_a_sum_in_two_orders": [
        "SELECT count(*) FROM t GROUP BY CUBE (a + b, b + a)",
        "SELECT count(*) FROM t GROUP BY a * b, b * a WITH ROLLUP",
        "SELECT count(*) FROM t GROUP BY GROUPING SETS ((a + b), (b + a))",
    ],
}
BESIDE = {
    "in_subquery_as_a_value": [
        "SELECT a FROM t WHERE a IN (SELECT a FROM u)",
        "SELECT a FROM t WHERE b > 1 AND (a NOT IN (SELECT a FROM u) OR b = 0)",
        "SELECT 1 FROM t JOIN u ON t.a = u.a AND t.b IN (SELECT a FROM u)",
        "SELECT a IN (1, 2) FROM t",
        "SELECT FROM WHERE",
    ],
    "correlation_of_equal_values": ["SELECT covar_pop(a, b), 'corr(a, b)' FROM t", "SELECT corr FROM t"],
    "common_table_over_another": [
        "WITH x AS (SELECT a FROM t) SELECT a FROM x",
        "WITH x AS (SELECT a FROM t), y AS (SELECT a FROM u) SELECT x.a FROM x JOIN y ON x.a = y.a",
        "WITH x AS (SELECT * FROM (SELECT a FROM t) AS s) SELECT a FROM x",
        "SELECT a FROM (SELECT a FROM t) AS x",
    ],
    "groups_by_a_sum_in_two_orders": [
        "SELECT a + b, b + a FROM t GROUP BY a + b",
        "SELECT count(*) FROM t GROUP BY CUBE (a + b, a - b)",
        "SELECT a + b, b + a, count(*) FROM t GROUP BY a + b, b + a",
        "SELECT a + b, b + a, count(*) FROM t GROUP BY CUBE (a, b)",
    ],
}


def pairs(table):
    return [(name, text) for name, texts in table.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), pairs(FITS), ids=str)
def test_a_pattern_fits_a_text_with_its_cause(name, text):
    assert PATTERNS[name](case(text))


@pytest.mark.parametrize(("name", "text"), pairs(BESIDE), ids=str)
def test_a_pattern_fits_no_text_beside_it(name, text):
    assert not PATTERNS[name](case(text))


OUT = {
    "in_as_flags": [
        ("SELECT a IN (SELECT a FROM u) FROM t", "SELECT (COALESCE(a IN (SELECT a FROM u), FALSE)) FROM t"),
        (
            "SELECT 1 FROM t FULL JOIN u ON t.a NOT IN (SELECT a FROM u)",
            "SELECT 1 FROM t FULL JOIN u ON NOT (COALESCE(t.a IN (SELECT a FROM u), FALSE))",
        ),
        (
            "SELECT a NOT IN (SELECT a FROM u) FROM t WHERE a IN (SELECT a FROM u)",
            "SELECT (COALESCE(NOT a IN (SELECT a FROM u), FALSE)) FROM t WHERE a IN (SELECT a FROM u)",
        ),
    ],
    "correlations_without_nan": [
        ("SELECT corr(a, b) FROM t", "SELECT NULLIF(CORR(a, b), CAST('NaN' AS DOUBLE)) FROM t"),
        (
            "SELECT corr(a, b) FILTER(WHERE a > 0) OVER (PARTITION BY c) FROM t",
            "SELECT NULLIF(CORR(a, b) FILTER(WHERE a > 0) OVER (PARTITION BY c), CAST('NaN' AS DOUBLE)) FROM t",
        ),
    ],
    "sums_in_one_order": [
        ("SELECT b + a FROM t GROUP BY CUBE (a + b, b + a)", "SELECT a + b FROM t GROUP BY CUBE (a + b, a + b)"),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "without"), [(name, *texts) for name, each in OUT.items() for texts in each], ids=str
)
def test_the_cause_is_taken_out_of_both_texts(name, text, without):
    assert REWRITES[name](case(text)).query == Verbatim(without, without)


@pytest.mark.parametrize("name", OUT)
def test_a_text_without_the_cause_is_left_alone(name):
    assert REWRITES[name](case("SELECT a FROM t WHERE a IN (SELECT a FROM u)")) is None


def test_a_text_that_duckdb_has_not_got_is_left_alone():
    query = Verbatim("SELECT corr(a, b) FROM t", why_not="no words")
    assert REWRITES["correlations_without_nan"](Case(query, Database(()))) is None
