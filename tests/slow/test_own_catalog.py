"""A user's schema out of a catalog that their own settings name, here a database that Spark reaches by JDBC."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cli.assay import queries

_STORE = "spark.sql.catalog.shop"
_MADE = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
for setting in sys.argv[1:]:
    spark = spark.config(*setting.split("=", 1))
spark = spark.getOrCreate()
spark.sql("CREATE TABLE shop.APP.orders (id INT NOT NULL, day DATE, amount DECIMAL(9,2), note STRING)")
spark.sql("CREATE TABLE shop.APP.returns (id BIGINT, good BOOLEAN)")
spark.stop()
"""
QUERIES = {
    "kept": "SELECT id, sum(amount) AS s FROM orders WHERE id NOT IN (SELECT id FROM returns WHERE good) GROUP BY id",
    "days": "SELECT DISTINCT day FROM orders WHERE amount > 0",
}


def _settings(folder):
    return [
        f"{_STORE}=org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog",
        f"{_STORE}.url=jdbc:derby:{folder / 'shop'};create=true",
        f"{_STORE}.driver=org.apache.derby.iapi.jdbc.AutoloadedDriver",
    ]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A folder with the database and the queries."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "queries").mkdir()
    for name, text in QUERIES.items():
        (folder / "queries" / f"{name}.sql").write_text(text)
    subprocess.run([sys.executable, "-c", _MADE, *_settings(folder)], cwd=folder, check=True, capture_output=True)
    return folder


def _asked(folder, schema):
    settings = [word for setting in _settings(folder) for word in ("--spark-conf", setting)]
    size = ("--max-examples", 6, "--hypothesis-seed", 1, "--summary-json", "s.json")
    return queries("--schema", schema, "--queries", "queries", *settings, *size, cwd=folder)


def test_tables_of_a_catalog_are_drawn_with_their_columns(shop):
    ended = _asked(shop, "catalog:shop.APP")
    told = json.loads((shop / "s.json").read_text())["queries"]
    assert ended.code == 0, ended.text
    counts = {name: (each["all"] > 0, each["with_rows"] > 0, each["findings"]) for name, each in told.items()}
    assert counts == dict.fromkeys(QUERIES, (True, True, 0)), ended.text


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("catalog:shop.NOWHERE", "--schema catalog:shop.NOWHERE: "),
        ("catalog:other.APP", "--schema catalog:other.APP: "),
        ("catalog:shop.SYSCS_DIAG", "--schema catalog:shop.SYSCS_DIAG: has no tables"),
    ],
    ids=["no such namespace", "no such catalog", "nothing in it"],
)
def test_what_spark_cannot_read_is_one_line(shop, schema, said):
    ended = _asked(shop, schema)
    assert (ended.code, len(ended.text.strip().splitlines()), said in ended.text) == (2, 1, True), ended.text
