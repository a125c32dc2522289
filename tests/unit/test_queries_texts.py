"""A query is read, not run: its statements, DuckDB's words, and whether its answer may be its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.queries.literals import compared_literals, values_near
from assay.queries.nondeterminism import cut
from assay.queries.prepared import positions
from assay.queries.statements import View
from assay.queries.texts import Limited, over_schema, query_text, read_queries
from assay.queries.translation import ColumnTypes
from assay.session.ending import BadInput
from oracles.answers.outcome import Raised, Rows
from strategies.ir import BINARY, DATE, DOUBLE, INT, SMALLINT, STRING, TIMESTAMP_NTZ, Column, Database, Decimal, Table


def test_queries_are_taken_from_files_in_order_and_as_they_are(tmp_path):
    (tmp_path / "b.sql").write_text("-- two\nSELECT ';' AS a;\n\nSELECT 2 /* ; */ AS `b;` ;\n-- done\n")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "c.sql").write_text("SELECT  3")
    (tmp_path / "a.txt").write_text("SELECT 4")
    assert {query.name: query.text for query in read_queries(tmp_path)} == {
        "b:1": "SELECT ';' AS a",
        "b:2": "SELECT 2 /* ; */ AS `b;`",
        "below/c": "SELECT  3",
    }
    assert [query.name for query in read_queries(tmp_path / "below" / "c.sql")] == ["c"]


def test_a_file_that_is_no_text_is_a_query_that_says_so_over_any_schema(tmp_path):
    (tmp_path / "a.sql").write_bytes(b"SELECT \xff")
    (asked,) = read_queries(tmp_path)
    assert (asked.text, asked.why_not[:40]) == ("", "its file can't be read as UTF-8 text: 'u")
    views = [View(name="v", text="SELECT * FROM t")]
    assert over_schema(asked, views, {("shop", "t")}, ColumnTypes(maps=frozenset({"m"}))) == asked


def test_a_text_without_words_can_be_told():
    assert (query_text("q", "").unstable, query_text("q", "").tree) == ("", None)


@pytest.mark.parametrize("place", ["nowhere", "."])
def test_no_query_is_bad_input(tmp_path, place):
    with pytest.raises(BadInput, match="--queries"):
        read_queries(tmp_path / place)


def test_duckdb_gets_words_of_its_own_or_the_reason_why_not():
    asked = query_text("q", "SELECT a FROM t LEFT ANTI JOIN u ON t.a <=> u.a")
    assert (asked.duckdb, asked.why_not) == ("SELECT a FROM t ANTI JOIN u ON t.a IS NOT DISTINCT FROM u.a", "")
    unread = query_text("q", "SELECT FROM WHERE LIMIT 3")
    assert (unread.duckdb, unread.why_not[:23], unread.tree) == ("", "sqlglot can't read it: ", None)
    assert unread.limited == Limited(None, None, "SELECT FROM WHERE LIMIT 3")


ALL_SETS = "GROUP BY ROLLUP (a, b) HAVING COUNT(*) > 0"
GROUPINGS = {
    "GROUP BY ROLLUP (a, b)": ALL_SETS,
    "GROUP BY a, b WITH ROLLUP": ALL_SETS,
    "GROUP BY a, b WITH CUBE": "GROUP BY CUBE (a, b) HAVING COUNT(*) > 0",
    "GROUP BY ROLLUP (a, b) HAVING a > 0 OR b > 0": ("GROUP BY ROLLUP (a, b) HAVING (a > 0 OR b > 0) AND COUNT(*) > 0"),
    "GROUP BY GROUPING SETS ((a), ())": "GROUP BY GROUPING SETS ((a), ()) HAVING COUNT(*) > 0",
    "GROUP BY GROUPING SETS ((), ())": "GROUP BY GROUPING SETS ((), ()) HAVING COUNT(*) > 0",
    "GROUP BY GROUPING SETS (ROLLUP (a))": "GROUP BY GROUPING SETS (ROLLUP (a)) HAVING COUNT(*) > 0",
    "GROUP BY ROLLUP (a), CUBE (b)": "GROUP BY ROLLUP (a), CUBE (b) HAVING COUNT(*) > 0",
    "GROUP BY GROUPING SETS ((a), (b))": "GROUP BY GROUPING SETS ((a), (b))",
    "GROUP BY GROUPING SETS (())": "GROUP BY GROUPING SETS (())",
    "GROUP BY a, ROLLUP (b)": "GROUP BY a, ROLLUP (b)",
    "GROUP BY a": "GROUP BY a",
}


@pytest.mark.parametrize(("spark", "duckdb"), GROUPINGS.items(), ids=GROUPINGS)
def test_the_group_of_all_rows_has_none_of_no_rows(spark, duckdb):
    text = f"SELECT count(*) FROM (SELECT count(*) FROM t {spark}) AS s"
    assert query_text("q", text).duckdb == f"SELECT COUNT(*) FROM (SELECT COUNT(*) FROM t {duckdb}) AS s"


UNSTABLE = [
    "SELECT rand() FROM t",
    "SELECT a, row_number() OVER (ORDER BY b) FROM t",
    "SELECT first(a) FROM t",
    "SELECT COLLECT_LIST(a) FROM t",
    "SELECT current_date FROM t",
    "SELECT a FROM t TABLESAMPLE (10 ROWS)",
    "SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
    "SELECT * FROM (SELECT a FROM t LIMIT 3)",
    "SELECT a FROM t WHERE b IN (SELECT b FROM u ORDER BY b LIMIT 1) ORDER BY a LIMIT 2",
    "(SELECT a FROM t LIMIT 1) UNION ALL SELECT a FROM t",
]
STABLE = [
    "SELECT a, rank() OVER (ORDER BY b) FROM t",
    "SELECT first, `rows` FROM t",
    "SELECT 'rand()' FROM t",
    "SELECT sum(a) OVER (PARTITION BY b) FROM t",
    "SELECT a FROM t ORDER BY a LIMIT 3",
    "SELECT count(*) FROM t GROUP BY mode",
]


@pytest.mark.parametrize("text", UNSTABLE)
def test_an_answer_that_rows_alone_may_not_determine_is_seen(text):
    assert query_text("q", text).unstable != ""


@pytest.mark.parametrize("text", STABLE)
def test_an_answer_that_rows_determine_is_left_alone(text):
    assert query_text("q", text).unstable == ""


LIMITED = {
    "SELECT a, b FROM t": None,
    "SELECT a, b FROM t LIMIT 3": Limited(3, 0, "SELECT a, b FROM t"),
    "SELECT a FROM t ORDER BY a LIMIT 3 OFFSET 1": Limited(3, 1, "SELECT a FROM t ORDER BY a"),
    "SELECT a FROM t ORDER BY a LIMIT 1 + 1": Limited(None, 0, "SELECT a FROM t ORDER BY a"),
    "SELECT a FROM t OFFSET 2": Limited(0, 2, "SELECT a FROM t"),
}


@pytest.mark.parametrize(("text", "limited"), LIMITED.items(), ids=LIMITED)
def test_the_limit_at_the_end_is_known(text, limited):
    found = query_text("q", text).limited
    assert (found and replace(found, all_rows=" ".join(found.all_rows.split()))) == limited


ORDERED = {
    "SELECT a FROM t": (),
    "SELECT a FROM (SELECT a FROM t ORDER BY a) AS s": (),
    "SELECT a, b AS c FROM t ORDER BY c DESC, t.a, 2, a + 1 LIMIT 3": ("c", None, 2, None),
    "SELECT t.a, a + 1 AS x FROM t ORDER BY t.a, a + 1": (1, 2),
    "SELECT b AS a, a AS c FROM t ORDER BY a": ("a",),
    "SELECT a AS c FROM t ORDER BY a": (1,),
    "SELECT * FROM t ORDER BY a": ("a",),
    "SELECT a FROM t UNION ALL SELECT b FROM t ORDER BY A": ("A",),
}


@pytest.mark.parametrize(("text", "keys"), ORDERED.items(), ids=ORDERED)
def test_the_order_at_the_end_is_known(text, keys):
    assert query_text("q", text).keys == keys


PLACES = {
    "a name in any case": (("B",), [1]),
    "a number": ((3,), [2]),
    "a number of no column": ((4, 0), [None, None]),
    "a name that is there twice": (("a",), [None]),
    "no column": ((None, "x"), [None, None]),
}


@pytest.mark.parametrize(("keys", "places"), PLACES.values(), ids=PLACES)
def test_a_key_is_at_the_one_place_that_it_names(keys, places):
    assert positions(keys, ("a", "b", "A")) == places


def rows(*each):
    return Rows(("int32", "int32"), tuple((("int32", a), ("int32", b)) for a, b in each))


CUTS = {
    "takes all": (Limited(3, 0, ""), (), rows((1, 1), (1, 2), (1, 3)), True),
    "takes some, in no order": (Limited(2, 0, ""), (), rows((1, 1), (1, 2), (1, 3)), False),
    "takes none": (Limited(0, 0, ""), (), rows((1, 1), (2, 2)), True),
    "ordered, apart at the end": (Limited(2, 0, ""), (0,), rows((1, 1), (1, 2), (2, 3)), True),
    "ordered, equal at the end": (Limited(1, 0, ""), (0,), rows((1, 1), (1, 2), (2, 3)), False),
    "ordered by a number": (Limited(1, 0, ""), (0, 1), rows((1, 1), (1, 2), (2, 3)), True),
    "ordered by what isn't there": (Limited(1, 0, ""), (0, None), rows((1, 1), (2, 2)), False),
    "equal where the offset ends": (Limited(5, 1, ""), (0,), rows((1, 1), (1, 2)), False),
    "offset alone": (Limited(0, 1, ""), (0,), rows((1, 1), (2, 2)), True),
    "no plain number": (Limited(None, 0, ""), (0,), rows((1, 1)), False),
    "nothing to take from": (Limited(1, 0, ""), (0,), Raised("X", None, "", "user"), False),
}


@pytest.mark.parametrize(("limited", "places", "everything", "determined"), CUTS.values(), ids=CUTS)
def test_a_limit_is_judged_only_where_it_is_determined_what_it_takes(limited, places, everything, determined):
    assert (cut(limited, places, everything) == "") == determined


NEAR = {
    "integers": (INT, "5", [5, 4, 6]),
    "the greatest": (SMALLINT, "32767", [32767, 32766]),
    "decimals": (Decimal(4, 2), "0.05", ["0.05", "0.04", "0.06"]),
    "too long": (Decimal(4, 2), "100000", []),
    "doubles": (DOUBLE, "0.5", [(0.5).hex()]),
    "dates": (DATE, "1994-01-01", ["1994-01-01", "1993-12-31", "1994-01-02"]),
    "moments": (TIMESTAMP_NTZ, "1970-01-01", [f"19{day} 00:00:00.00000{n}" for day, n in [("70-01-01", 0)]]),
    "no date": (DATE, "BRASS", []),
    "patterns": (STRING, "%a%b_", ["%a%b_", "abx", " a bx"]),
    "none": (BINARY, "1", []),
}


@pytest.mark.parametrize(("kind", "constant", "values"), NEAR.values(), ids=NEAR)
def test_values_near_a_constant_are_of_the_columns_type(kind, constant, values):
    assert values_near(kind, constant)[: len(values) or None] == values


def test_columns_want_what_they_are_compared_with_and_no_others_do():
    schema = Database((Table("t", (Column("a", INT), Column("b", STRING))), Table("u", (Column("A", INT),))))
    query = query_text("q", "SELECT 9 FROM t, u WHERE t.a = 3 AND b LIKE 'x%' AND t.a < (SELECT max(a) + 7 FROM u)")
    assert compared_literals([query], schema) == {
        ("t", "a"): (3, 2, 4),
        ("u", "A"): (3, 2, 4),
        ("t", "b"): ("x%", "x", "x "),
    }
