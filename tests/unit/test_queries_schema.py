"""A user's schema is read as it is, or refused in one line."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from assay.queries.arrow_types import arrow_kind
from assay.queries.schema import read_schema
from assay.queries.stored import plain_value, stored_rows
from assay.session.ending import BadInput
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    Array,
    Column,
    Decimal,
    Map,
    Struct,
    Table,
)

TYPES = {
    "BOOLEAN": BOOLEAN,
    "SMALLINT": SMALLINT,
    "INT": INT,
    "INTEGER": INT,
    "BIGINT": BIGINT,
    "LONG": BIGINT,
    "DOUBLE": DOUBLE,
    "STRING": STRING,
    "BINARY": BINARY,
    "DATE": DATE,
    "TIMESTAMP": TIMESTAMP,
    "TIMESTAMP_LTZ": TIMESTAMP,
    "TIMESTAMP_NTZ": TIMESTAMP_NTZ,
    "DECIMAL": Decimal(10, 0),
    "DECIMAL(12)": Decimal(12, 0),
    "DECIMAL(38, 6)": Decimal(38, 6),
    "ARRAY<INT>": Array(INT),
    "STRUCT<p: INT, q: ARRAY<STRING>>": Struct((("p", INT), ("q", Array(STRING)))),
    "TINYINT": TINYINT,
    "BYTE": TINYINT,
    "FLOAT": FLOAT,
    "REAL": FLOAT,
    "MAP<STRING, ARRAY<FLOAT>>": Map(STRING, Array(FLOAT)),
    "STRUCT<p: MAP<INT, INT>>": Struct((("p", Map(INT, INT)),)),
    "VARCHAR(10)": STRING,
    "CHAR(3)": STRING,
}


def written(tmp_path, text):
    path = tmp_path / "my.sql"
    path.write_text(text)
    return path


@pytest.mark.parametrize(("said", "kind"), TYPES.items(), ids=TYPES)
def test_a_declared_type_is_that_type_or_one_that_holds_its_values(tmp_path, said, kind):
    schema = read_schema(written(tmp_path, f"CREATE TABLE t (a {said})"))
    assert schema.database.tables == (Table("t", (Column("a", kind),)),)


MAPPED = {
    "CHAR(3)": "CHAR(3) as STRING, comparisons don't ignore the blanks at its end",
    "HYPERTYPE": "left out, HYPERTYPE can't be drawn",
    "GEOMETRY(4326)": "left out, GEOMETRY(4326) can't be drawn",
    "INTERVAL": "left out, INTERVAL can't be drawn",
    "ARRAY<VARIANT>": "left out, ARRAY<VARIANT> can't be drawn",
    "ARRAY<STRING COLLATE UNICODE>": "left out, ARRAY<STRING COLLATE UNICODE> can't be drawn",
    "MAP<STRING, HYPERTYPE>": "left out, MAP<STRING, HYPERTYPE> can't be drawn",
    "STRUCT<p: INTERVAL DAY>": "left out, STRUCT<p: INTERVAL DAY> can't be drawn",
}


@pytest.mark.parametrize(("said", "told"), MAPPED.items(), ids=MAPPED)
def test_what_differs_from_a_declared_type_is_told_by_its_name(tmp_path, said, told):
    (line,) = read_schema(written(tmp_path, f"CREATE TABLE t (a {said}, b {said} COMMENT ',', k INT)")).mapped
    assert line == f"{told}: t.a and 1 more"


@pytest.mark.parametrize("said", ["TINYINT", "FLOAT", "VARCHAR(10)", "MAP<STRING, INT>", "VARIANT", "INTERVAL DAY"])
def test_of_a_type_that_stays_itself_nothing_is_told(tmp_path, said):
    assert read_schema(written(tmp_path, f"CREATE TABLE t (a {said})")).mapped == ()


def test_a_column_that_spark_refuses_is_left_out_with_sparks_reason(tmp_path):
    path = written(tmp_path, "CREATE TABLE t (a TIME(3), b TIME(3), k INT, v VARIANT)")
    schema = read_schema(path, lambda column: "no times" if "TIME" in column.made else "")
    assert schema.mapped == ("left out, TIME(3) can't be drawn: no times: t.a and 1 more",)
    assert [view.lost for view in schema.views] == [("v",)]
    assert [column.name for column in schema.database.table("stored_t").columns] == ["k", "v"]


MADE = {
    "VARIANT": "parse_json(to_json(`a`))",
    "INTERVAL DAY TO SECOND": "CAST(make_dt_interval(0, 0, 0, `a`) AS INTERVAL DAY TO SECOND)",
    "interval year": "CAST(make_ym_interval(0, `a`) AS INTERVAL YEAR)",
    "TIME(3)": "CAST(date_format(`a`, 'HH:mm:ss.SSSSSS') AS TIME(3))",
    "STRING COLLATE UTF8_LCASE": "CAST(`a` AS STRING COLLATE UTF8_LCASE)",
}


@pytest.mark.parametrize(("said", "expression"), MADE.items(), ids=MADE)
def test_a_column_of_a_type_of_sparks_own_is_made_of_a_stored_one(tmp_path, said, expression):
    schema = read_schema(written(tmp_path, f"CREATE TABLE t (a {said} NOT NULL, k INT)"))
    (view,) = schema.views
    assert view.text == f"SELECT {expression} AS `a`, `k` FROM `stored_t`"
    assert (view.native, view.lost) == ("SELECT `k` FROM `stored_t`", ("a",))
    assert ([table.name for table in schema.database.tables], schema.required) == (["stored_t"], {("stored_t", "a")})


def test_lengths_of_texts_are_known(tmp_path):
    schema = read_schema(written(tmp_path, "CREATE TABLE t (a VARCHAR(4), b CHAR(2), c STRING)"))
    assert schema.lengths == {("t", "a"): (4, False), ("t", "b"): (2, True)}


STATEMENTS = """
CREATE DATABASE IF NOT EXISTS shop; USE shop;
CREATE OR REPLACE TABLE shop.t (a INT, b STRING DEFAULT 'x,', `c d` MAP<STRING, INT> COMMENT 'AS') USING parquet;
INSERT INTO shop.t VALUES (1, 'a;b', map('k', 1)), (2, NULL, NULL);
INSERT INTO TABLE t (`c d`, a) VALUES (map(), 3);
CREATE TEMPORARY VIEW v (x COMMENT 'one', y) AS SELECT a, count(*) AS n FROM shop.t GROUP BY a;
CREATE TABLE made USING parquet PARTITIONED BY (a) AS SELECT a FROM t;
ANALYZE TABLE t COMPUTE STATISTICS;
"""


def test_views_rows_and_databases_are_read(tmp_path):
    schema = read_schema(written(tmp_path, STATEMENTS))
    columns = (Column("a", INT), Column("b", STRING), Column("c d", Map(STRING, INT)))
    assert schema.database.tables == (Table("t", columns),)
    assert [(view.name, view.head, view.text) for view in schema.views] == [
        ("v", "(`x`, `y`)", "SELECT a, count(*) AS n FROM t GROUP BY a"),
        ("made", "", "SELECT a FROM t"),
    ]
    assert schema.names == {("shop", "t")}
    assert schema.inserted == {
        "t": [
            "SELECT CAST(c0 AS INT), CAST(c1 AS STRING), CAST(c2 AS MAP<STRING, INT>) FROM VALUES "
            "(1, 'a;b', map('k', 1)), (2, NULL, NULL) AS v(c0, c1, c2)",
            "SELECT CAST(c1 AS INT), CAST(NULL AS STRING), CAST(c0 AS MAP<STRING, INT>) FROM VALUES "
            "(map(), 3) AS v(c0, c1)",
        ]
    }


def test_columns_that_are_never_null_and_those_of_partitions_are_known(tmp_path):
    text = """
    -- a comment; with a semicolon
    DROP TABLE IF EXISTS t;
    CREATE TABLE IF NOT EXISTS t (a INT NOT NULL, b STRING COMMENT 'x') USING parquet PARTITIONED BY (b);
    CREATE EXTERNAL TABLE u (a INT) PARTITIONED BY (day DATE) STORED AS PARQUET LOCATION 's3://nowhere/u';
    """
    schema = read_schema(written(tmp_path, text))
    assert [(table.name, [column.name for column in table.columns]) for table in schema.database.tables] == [
        ("t", ["a", "b"]),
        ("u", ["a", "day"]),
    ]
    assert schema.required == {("t", "a")}


REFUSED = {
    "CREATE TABLE t (a INT, A INT)": "table t: two columns have the same name",
    "CREATE TABLE t (a INT); CREATE TABLE T (a INT)": "there are two tables called T",
    "CREATE TABLE t (a INT); CREATE VIEW t AS SELECT 1 AS a": "there are two tables called t",
    "CREATE TABLE one.t (a INT); INSERT INTO two.t VALUES (1)": "there are two tables called t: one.t, two.t",
    "CREATE TABLE t (a HYPERTYPE)": "table t: none of its columns has a type that can be drawn",
    "CREATE TABLE t LIKE u": "needs its columns listed",
    "CREATE VIEW v": "needs a query",
    "INSERT INTO t VALUES (1)": "there is no table called t yet",
    "CREATE TABLE t (a INT); INSERT INTO t SELECT 1": "INSERT takes VALUES, not a query",
    "CREATE TABLE t (a INT); INSERT INTO t (b) VALUES (1)": "INSERT INTO t: it has no column b",
    "CREATE TABLE t (a VARIANT); INSERT INTO t VALUES (1)": "rows of t can't be taken",
    "ALTER TABLE t ADD COLUMN a INT": "declares no table, view or rows",
    "SELECT 1": "declares no table, view or rows",
    "CREATE TABLE t (a INT": "a parenthesis isn't closed",
    "CREATE TABLE t (a STRING DEFAULT 'x)": "can't be read as Spark SQL",
    "-- nothing": "has no CREATE TABLE statement",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items(), ids=REFUSED)
def test_what_cannot_be_drawn_is_one_line_with_the_file(tmp_path, text, said):
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as raised:
        read_schema(path)
    message = str(raised.value)
    assert (message.startswith(f"{path}: "), said in message, "\n" in message) == (True, True, False), message


ARROW = {
    "int8": (pa.int8(), (TINYINT, False)),
    "uint32": (pa.uint32(), (BIGINT, True)),
    "uint64": (pa.uint64(), (Decimal(20, 0), True)),
    "int64": (pa.int64(), (BIGINT, False)),
    "float": (pa.float32(), (FLOAT, False)),
    "large_string": (pa.large_string(), (STRING, False)),
    "dictionary": (pa.dictionary(pa.int8(), pa.string()), (STRING, False)),
    "instant": (pa.timestamp("ms", "UTC"), (TIMESTAMP, False)),
    "local": (pa.timestamp("ns"), (TIMESTAMP_NTZ, False)),
    "decimal": (pa.decimal128(20, 3), (Decimal(20, 3), False)),
    "list": (pa.list_(pa.uint8()), (Array(SMALLINT), True)),
    "struct": (pa.struct([("p", pa.int32())]), (Struct((("p", INT),)), False)),
    "map": (pa.map_(pa.string(), pa.int32()), (Map(STRING, INT), False)),
    "map of times": (pa.map_(pa.string(), pa.time64("us")), (None, False)),
    "time": (pa.time64("us"), (None, False)),
    "struct of a map": (
        pa.struct([("p", pa.map_(pa.string(), pa.int32()))]),
        (Struct((("p", Map(STRING, INT)),)), False),
    ),
}


@pytest.mark.parametrize(("kind", "ours"), ARROW.values(), ids=ARROW)
def test_a_stored_type_is_that_type_or_one_that_holds_its_values(kind, ours):
    assert arrow_kind(kind) == ours


TABLE = pa.table(
    {
        "i": pa.array([1, None], pa.int32()),
        "d": pa.array([float("nan"), -0.0]),
        "t": pa.array([0, -1], pa.timestamp("us", "Europe/Berlin")),
        "m": pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int32())),
        "n": pa.array([{"p": [1, None]}, None], pa.struct([("p", pa.list_(pa.int64()))])),
    }
)
ROWS = (
    (1, "nan", "1970-01-01 00:00:00.000000", (("a", 1),), ((1, None),)),
    (None, "-0x0.0p+0", "1969-12-31 23:59:59.999999", None, None),
)


@pytest.mark.parametrize("place", ["t.parquet", "t/part-0.parquet", "t.parquet/day=1/part-0.parquet"])
def test_a_table_of_files_is_called_like_its_file_or_folder_and_has_its_rows(tmp_path, place):
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(TABLE, tmp_path / place)
    schema = read_schema(tmp_path)
    assert [table.name for table in schema.database.tables] == ["t"]
    assert stored_rows(tmp_path, schema).table("t").rows == ROWS


def test_too_many_rows_and_broken_files_are_one_line(tmp_path, monkeypatch):
    parquet.write_table(TABLE, tmp_path / "t.parquet")
    schema = read_schema(tmp_path)
    monkeypatch.setattr("assay.queries.stored.MOST_ROWS", 1)
    with pytest.raises(BadInput, match="2 rows; it takes up to 1"):
        stored_rows(tmp_path, schema)
    (tmp_path / "t.parquet").write_text("no parquet")
    with pytest.raises(BadInput, match="can't be read as parquet"):
        read_schema(tmp_path)


def test_infinities_have_the_texts_of_plain_values():
    assert [plain_value(DOUBLE, value) for value in (float("inf"), float("-inf"), 0.5)] == ["inf", "-inf", (0.5).hex()]
