"""A query over the user's schema: only names of tables and the views before it are changed in its text."""

from __future__ import annotations

import pytest

from assay.queries.statements import View, views_read, with_views, without_databases
from assay.queries.texts import over_schema, query_text
from assay.queries.translation import ColumnTypes

NAMES = {("shop", "t"), ("lake", "shop", "t"), ("shop", "u")}
CALLED = {
    "SELECT shop.t.a FROM shop.t": "SELECT t.a FROM t",
    "SELECT a FROM lake.shop.t AS x JOIN SHOP.U USING (a)": "SELECT a FROM t AS x JOIN U USING (a)",
    "SELECT a FROM `shop`.`t` -- shop.t": "SELECT a FROM `t` -- shop.t",
    "SELECT 'shop.t', s.shop.t, shop.v FROM t": "SELECT 'shop.t', s.shop.t, shop.v FROM t",
    "SELECT '": "SELECT '",
}


@pytest.mark.parametrize(("text", "called"), CALLED.items(), ids=CALLED)
def test_tables_are_called_without_their_database(text, called):
    assert without_databases(text, NAMES) == called


V = View(name="v", text="SELECT a FROM t", head="(`x`)")
W = View(name="w", text="SELECT x FROM v")
OTHER = View(name="other", text="SELECT 1")
READ = {
    "SELECT * FROM w": [V, W],
    "SELECT x FROM t, V": [V],
    "WITH q AS (SELECT * FROM v) SELECT * FROM q": [V],
    "SELECT v FROM t AS w WHERE 'other' = a": [],
    "WITH v AS (SELECT 1 AS x) SELECT * FROM v": [],
    "SELECT * FROM elsewhere.v": [],
    "SELECT FROM WHERE v": [V],
}


@pytest.mark.parametrize(("text", "read"), READ.items(), ids=READ)
def test_the_views_of_a_query_are_those_that_it_reads_and_those_below(text, read):
    assert views_read(text, [V, W, OTHER]) == read


INNER = "SELECT * FROM (SELECT a FROM t) AS `v`(`x`)"
INLINED = {
    "SELECT v.x FROM v WHERE 'v' = x": f"SELECT v.x FROM ({INNER}) AS `v` WHERE 'v' = x",
    "SELECT r.x FROM u, `v` AS r": f"SELECT r.x FROM u, ({INNER}) AS r",
    "SELECT 1 WHERE 1 IN (SELECT x FROM v) -- v": f"SELECT 1 WHERE 1 IN (SELECT x FROM ({INNER}) AS `v`) -- v",
    "WITH q AS (SELECT * FROM w) SELECT * FROM q": (
        f"WITH q AS (SELECT * FROM (SELECT x FROM ({INNER}) AS `v`) AS `w`) SELECT * FROM q"
    ),
    "SELECT 1 FROM elsewhere.v, v": f"SELECT 1 FROM elsewhere.v, ({INNER}) AS `v`",
    "SELECT 1": "SELECT 1",
}


@pytest.mark.parametrize(("text", "whole"), INLINED.items(), ids=INLINED)
def test_a_view_is_a_subquery_where_it_is_read(text, whole):
    assert with_views(text, [V, W]) == whole


BEFORE = {
    "-- first\nSELECT x FROM v FROM": "-- first\nWITH `v`(`x`) AS (SELECT a FROM t)\nSELECT x FROM v FROM",
    "SELECT x FROM v TABLESAMPLE (5 ROWS)": "WITH `v`(`x`) AS (SELECT a FROM t)\nSELECT x FROM v TABLESAMPLE (5 ROWS)",
    "WITH q AS (TABLE v) SELECT 2": "WITH `v`(`x`) AS (SELECT a FROM t),\nq AS (TABLE v) SELECT 2",
    "WITH RECURSIVE q AS (TABLE v) SELECT 1": "WITH RECURSIVE `v`(`x`) AS (SELECT a FROM t),\nq AS (TABLE v) SELECT 1",
}


@pytest.mark.parametrize(("text", "whole"), BEFORE.items(), ids=BEFORE)
def test_where_their_places_are_not_known_views_are_the_first_of_a_querys_with(text, whole):
    assert with_views(text, [V]) == whole


STORED = View(name="t", text="SELECT a, parse_json(j) AS j FROM stored_t", native="SELECT a FROM stored_t", lost=("j",))


def over_stored(text):
    return over_schema(query_text("q", text), [STORED], ())


def test_duckdb_has_a_table_without_the_columns_that_it_has_no_type_for():
    made = over_stored("SELECT count(*), a FROM t GROUP BY a LIMIT 2")
    stored = "(SELECT a, parse_json(j) AS j FROM stored_t) AS `t` GROUP BY a"
    assert made.text == f"SELECT count(*), a FROM {stored} LIMIT 2"
    assert made.duckdb == 'SELECT COUNT(*), a FROM (SELECT a FROM stored_t) AS "t" GROUP BY a LIMIT 2'
    assert (made.limited.all_rows, made.why_not) == (f"SELECT COUNT(*), a FROM {stored}", "")


NEEDS = [
    "SELECT j FROM t",
    "SELECT * FROM t",
    "SELECT DISTINCT * FROM t",
    "SELECT t.* FROM t",
    "SELECT a FROM t NATURAL JOIN u",
]


@pytest.mark.parametrize("text", NEEDS)
def test_duckdb_is_not_asked_about_columns_that_it_lacks(text):
    made = over_stored(text)
    assert (made.duckdb, "a type that is made for Spark alone" in made.why_not) == ("", True), made


TYPES = ColumnTypes(floats=frozenset({"f", "g"}), maps=frozenset({"m"}))
TYPED = {
    "f + 1": "CAST(f AS DOUBLE) + 1",
    "f + g": "f + g",
    "(f + g) * 2": "CAST((f + g) AS DOUBLE) * 2",
    "-f > d": "CAST(-f AS DOUBLE) > d",
    "f = g": "f = g",
    "f IN (0.1, g)": "CAST(f AS DOUBLE) IN (0.1, CAST(g AS DOUBLE))",
    "f BETWEEN g AND 1": "CAST(f AS DOUBLE) BETWEEN CAST(g AS DOUBLE) AND 1",
    "sum(f)": "SUM(f)",
    "m[1]": "MAP_EXTRACT_VALUE(m, 1)",
    "t.m['k']": "MAP_EXTRACT_VALUE(t.m, 'k')",
    "map(1, 2)[1]": "MAP_EXTRACT_VALUE(MAP([1], [2]), 1)",
    "l[1]": "l[2]",
}


@pytest.mark.parametrize(("spark", "duckdb"), TYPED.items(), ids=TYPED)
def test_the_types_of_columns_change_the_translation(spark, duckdb):
    assert query_text("q", f"SELECT {spark} FROM t", types=TYPES).duckdb == f"SELECT {duckdb} FROM t"
