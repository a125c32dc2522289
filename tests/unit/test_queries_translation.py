"""The gaps of sqlglot's translation, and the queries that DuckDB isn't asked about."""

from __future__ import annotations

import pytest

from assay.queries.texts import query_text

UNNESTED = "LATERAL (SELECT UNNEST(l)) AS x(e)"
HELPED = {
    "SELECT e FROM t LATERAL VIEW explode(l) x AS e": f"SELECT e FROM t CROSS JOIN {UNNESTED}",
    "SELECT e FROM t LATERAL VIEW OUTER explode(l) x AS e": f"SELECT e FROM t LEFT JOIN {UNNESTED} ON TRUE",
    "SELECT e FROM t LATERAL VIEW explode_outer(l) x AS e": f"SELECT e FROM t LEFT JOIN {UNNESTED} ON TRUE",
    "SELECT e FROM t, LATERAL explode(l) AS x(e)": f"SELECT e FROM t CROSS JOIN {UNNESTED}",
    "SELECT e FROM t, LATERAL explode_outer(l) AS x(e)": f"SELECT e FROM t LEFT JOIN {UNNESTED} ON TRUE",
    "SELECT e FROM t LEFT JOIN LATERAL explode(l) AS x(e) ON e > 1": f"SELECT e FROM t LEFT JOIN {UNNESTED} ON e > 1",
    "SELECT p FROM t, LATERAL inline(l) AS x(p, q)": (
        "SELECT p FROM t CROSS JOIN LATERAL (SELECT UNNEST(l, max_depth => 2)) AS x(p, q)"
    ),
    "SELECT k FROM t LATERAL VIEW explode(m) x AS k, v": (
        "SELECT k FROM t CROSS JOIN LATERAL (SELECT UNNEST(MAP_ENTRIES(m), max_depth => 2)) AS x(k, v)"
    ),
    "SELECT a FROM t GROUP BY a, b GROUPING SETS ((a), (a, b))": "SELECT a FROM t GROUP BY GROUPING SETS ((a), (a, b))",
    "SELECT first_value(a, true) OVER (ORDER BY a DESC) FROM t": (
        "SELECT FIRST_VALUE(a IGNORE NULLS) OVER (ORDER BY a DESC) FROM t"
    ),
    "SELECT last_value(f(a, (b)), FALSE) OVER (ORDER BY a DESC) FROM t": (
        "SELECT LAST_VALUE(F(a, (b))) OVER (ORDER BY a DESC) FROM t"
    ),
    "SELECT nth_value(a, 2) OVER (ORDER BY a DESC) FROM t": "SELECT NTH_VALUE(a, 2) OVER (ORDER BY a DESC) FROM t",
    "SELECT /*+ BROADCAST(u) */ t.a FROM t JOIN u ON t.a = u.a": "SELECT t.a FROM t JOIN u ON t.a = u.a",
    "SELECT every(a > 0), some(a > 0) FROM t": "SELECT BOOL_AND(a > 0), BOOL_OR(a > 0) FROM t",
    "SELECT array_sort(l), sort_array(l), sort_array(l, false) FROM t": (
        "SELECT LIST_SORT(l, 'ASC', 'NULLS LAST'), LIST_SORT(l, 'ASC', 'NULLS FIRST'), ARRAY_REVERSE_SORT(l) FROM t"
    ),
    "SELECT a FROM t ORDER BY a NULLS LAST, b, c DESC": "SELECT a FROM t ORDER BY a NULLS LAST, b, c DESC",
    "SELECT rank() OVER (ORDER BY a NULLS LAST) FROM t": "SELECT RANK() OVER (ORDER BY a NULLS LAST) FROM t",
    "TABLE t": "SELECT * FROM t",
    "SELECT a FROM t UNION ALL TABLE u": "SELECT a FROM t UNION ALL SELECT * FROM u",
    "SELECT true AS first FROM t": "SELECT TRUE AS first FROM t",
}


@pytest.mark.parametrize(("spark", "duckdb"), HELPED.items(), ids=HELPED)
def test_what_sqlglot_lacks_is_said_in_duckdbs_words(spark, duckdb):
    made = query_text("q", spark)
    assert (made.duckdb, made.text) == (duckdb, spark), made.why_not


OTHERWISE = {
    "outer rows that would be lost": "SELECT e FROM t LATERAL VIEW OUTER posexplode(l) x AS p, e",
    "a count of no rows": "SELECT * FROM t PIVOT (count(a) FOR b IN (1, 2))",
}


@pytest.mark.parametrize("text", OTHERWISE.values(), ids=OTHERWISE)
def test_what_means_something_else_in_duckdb_is_not_translated(text):
    made = query_text("q", text)
    assert (made.duckdb, made.why_not[:27]) == ("", "sqlglot has no words for it")


ALONE = {
    "SELECT current_user() AS u FROM t": "current_user is answered by each engine for itself",
    "SELECT current_user FROM t": "current_user is answered by each engine for itself",
    "SELECT version() FROM t": "version is answered by each engine for itself",
    "SELECT CAST(parse_json(b) AS STRING) FROM t": "parse_json is about VARIANT",
    "SELECT a::variant FROM t": "variant is about VARIANT",
    "SELECT a FROM t WHERE b COLLATE UTF8_LCASE = 'A'": "COLLATE is about collations",
}
BOTH = ["SELECT version, user FROM t", "SELECT 'current_user()' FROM t", "SELECT `collate` FROM t"]


@pytest.mark.parametrize(("text", "why"), ALONE.items(), ids=ALONE)
def test_duckdb_is_not_asked_about_what_is_sparks_own(text, why):
    made = query_text("q", text)
    assert (made.duckdb, made.why_not.startswith(why), made.unstable) == ("", True, ""), made


@pytest.mark.parametrize("text", BOTH)
def test_a_column_called_so_is_asked_of_both(text):
    assert query_text("q", text).why_not == ""
