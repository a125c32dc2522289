"""A user's schema is read as it is, or refused in one line."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from assay.queries.schema import arrow_kind, read_schema
from assay.queries.stored import plain_value, stored_rows
from assay.session.ending import BadInput
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Array,
    Column,
    Decimal,
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
    "TINYINT": SMALLINT,
    "FLOAT": DOUBLE,
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


MAPPED = ("TINYINT", "FLOAT", "VARCHAR(10)", "CHAR(3)", "ARRAY<FLOAT>", "STRUCT<p: TINYINT>")


@pytest.mark.parametrize("said", MAPPED)
def test_a_type_that_another_one_stands_for_is_told(tmp_path, said):
    (line,) = read_schema(written(tmp_path, f"CREATE TABLE t (a {said}, b {said})")).mapped
    assert line.endswith(": t.a and 1 more")


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
    "CREATE TABLE t (a MAP<STRING, INT>)": "table t: column a MAP<STRING, INT> has a type that can't be drawn",
    "CREATE TABLE t (a INT, b INTERVAL DAY)": "can't be",
    "CREATE TABLE t (a ARRAY<MAP<STRING, INT>>)": "table t: column a",
    "CREATE TABLE t (a VARIANT)": "table t: column a VARIANT",
    "CREATE TABLE t (a INT, A INT)": "table t: two columns have the same name",
    "CREATE TABLE t (a INT); CREATE TABLE T (a INT)": "there are two tables called T",
    "CREATE TABLE shop.t (a INT)": "table shop.t: leave the database out",
    "CREATE VIEW v AS SELECT 1": "just CREATE TABLE can be drawn",
    "CREATE TABLE t AS SELECT 1 AS a": "needs its columns listed",
    "INSERT INTO t VALUES (1)": "just CREATE TABLE can be drawn",
    "CREATE TABLE t (a INT": "can't be read as Spark SQL",
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
    "int8": (pa.int8(), (SMALLINT, True)),
    "uint32": (pa.uint32(), (BIGINT, True)),
    "uint64": (pa.uint64(), (Decimal(20, 0), True)),
    "int64": (pa.int64(), (BIGINT, False)),
    "float": (pa.float32(), (DOUBLE, True)),
    "large_string": (pa.large_string(), (STRING, False)),
    "dictionary": (pa.dictionary(pa.int8(), pa.string()), (STRING, False)),
    "instant": (pa.timestamp("ms", "UTC"), (TIMESTAMP, False)),
    "local": (pa.timestamp("ns"), (TIMESTAMP_NTZ, False)),
    "decimal": (pa.decimal128(20, 3), (Decimal(20, 3), False)),
    "list": (pa.list_(pa.float32()), (Array(DOUBLE), True)),
    "struct": (pa.struct([("p", pa.int32())]), (Struct((("p", INT),)), False)),
    "map": (pa.map_(pa.string(), pa.int32()), (None, False)),
    "time": (pa.time64("us"), (None, False)),
    "struct of a map": (pa.struct([("p", pa.map_(pa.string(), pa.int32()))]), (None, False)),
}


@pytest.mark.parametrize(("kind", "ours"), ARROW.values(), ids=ARROW)
def test_a_stored_type_is_that_type_or_one_that_holds_its_values(kind, ours):
    assert arrow_kind(kind) == ours


TABLE = pa.table(
    {
        "i": pa.array([1, None], pa.int32()),
        "d": pa.array([float("nan"), -0.0]),
        "t": pa.array([0, -1], pa.timestamp("us", "Europe/Berlin")),
        "n": pa.array([{"p": [1, None]}, None], pa.struct([("p", pa.list_(pa.int64()))])),
    }
)
ROWS = (
    (1, "nan", "1970-01-01 00:00:00.000000", ((1, None),)),
    (None, "-0x0.0p+0", "1969-12-31 23:59:59.999999", None),
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
