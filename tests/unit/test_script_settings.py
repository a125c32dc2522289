"""Scripts of findings hold the tables, the time zone and the configuration that the case has."""

from __future__ import annotations

import pytest

from oracles.failures.scripts.script import NoScript
from strategies.ir import SOURCES, Settings
from tests.unit.failure_samples import case_of
from tests.unit.script_samples import of_case

STATEMENTS: dict[str, tuple[Settings, str]] = {
    **{
        f"read from {source}": (Settings(source), "CREATE TABLE `t0` (`a` INT, `s` STRING) USING ")
        for source in SOURCES
        if source not in ("partitioned", "v2", "variant")
    },
    "read from folders": (
        Settings("partitioned"),
        "CREATE TABLE `t0_in_folders` (`a` INT, `s` STRING) USING parquet PARTITIONED BY (`a`)",
    ),
    "rows in folders": (Settings("partitioned"), "INSERT INTO `t0_in_folders` (`a`, `s`) VALUES\n    (1, 'x')"),
    "read from folders in order": (
        Settings("partitioned"),
        "CREATE VIEW `t0` AS SELECT `a`, `s` FROM `t0_in_folders`",
    ),
    "read from a VARIANT": (
        Settings("variant"),
        "CREATE VIEW `t0` AS SELECT variant_get(`t0_variant`, '$.a', 'INT') AS `a`, "
        "variant_get(`t0_variant`, '$.s', 'STRING') AS `s` FROM `t0_stored`",
    ),
    "rows in a VARIANT": (
        Settings("variant"),
        "INSERT INTO `t0_stored` SELECT to_variant_object(named_struct('a', CAST(`a` AS INT), "
        "'s', CAST(`s` AS STRING))) AS `t0_variant` FROM VALUES\n    (1, 'x')",
    ),
    "cached": (Settings("cached"), "CACHE TABLE `t0`"),
    "as CSV": (Settings("csv"), "USING csv OPTIONS ('nullValue' = '\\\\N', 'emptyValue' = ''"),
    "analyzed": (Settings(statistics=True), "ANALYZE TABLE `t0` COMPUTE STATISTICS FOR COLUMNS `a`, `s`"),
    "rows": (Settings(), "INSERT INTO `t0` VALUES\n    (1, 'x'),\n    (1, 'x'),\n    (NULL, 'it\\'s')"),
}


@pytest.mark.parametrize(("settings", "statement"), STATEMENTS.values(), ids=STATEMENTS)
def test_tables_are_made_as_the_case_has_them(settings: Settings, statement: str) -> None:
    made = of_case(case_of(settings=settings))["SPARK_TABLES"]
    assert any(statement in each for each in made)


def test_tables_of_the_jars_data_source_are_on_no_stock_spark() -> None:
    with pytest.raises(NoScript, match="data source of Assay's own jar"):
        of_case(case_of(settings=Settings("v2")))


ELSEWHERE = case_of(settings=Settings(time_zone="Etc/GMT+8"))


def test_a_script_is_in_the_time_zone_of_its_case_with_rows_written_in_utc() -> None:
    names = of_case(ELSEWHERE)
    assert names["MEANING"]["spark.sql.session.timeZone"] == "Etc/GMT+8"
    first, *_, last = names["SPARK_TABLES"]
    assert first == "SET spark.sql.session.timeZone = UTC"
    assert last == "SET spark.sql.session.timeZone = Etc/GMT+8"
    assert "SET TimeZone = 'UTC'" in names["DUCKDB_SETTINGS"]
    assert names["DUCKDB_TABLES"][-1] == "SET TimeZone = 'Etc/GMT+8'"
    usual = of_case(case_of(settings=Settings()))
    assert not [each for each in (*usual["SPARK_TABLES"], *usual["DUCKDB_TABLES"]) if "SET" in each]


def test_a_script_has_the_entries_of_its_case() -> None:
    names = of_case(case_of(settings=Settings(conf=(("spark.sql.caseSensitive", "true"),))))
    assert names["FOUND_UNDER"]["spark.sql.caseSensitive"] == "true"
    assert "spark.sql.caseSensitive" not in of_case(case_of(settings=Settings()))["FOUND_UNDER"]


def test_each_partition_with_rows_is_a_file_of_its_own() -> None:
    names = of_case(case_of(settings=Settings(table_partitions=2)))
    inserted = [statement for statement in names["SPARK_TABLES"] if "INSERT" in statement]
    assert inserted == [
        "INSERT INTO `t0` VALUES\n    (1, 'x'),\n    (NULL, 'it\\'s')",
        "INSERT INTO `t0` VALUES\n    (1, 'x')",
    ]
    assert names["MEANING"]["spark.sql.files.maxPartitionBytes"] == "1m"
    many = of_case(case_of(settings=Settings(table_partitions=4)))
    assert sum("INSERT" in statement for statement in many["SPARK_TABLES"]) == 3
    assert "spark.sql.files.maxPartitionBytes" not in of_case(case_of(settings=Settings()))["MEANING"]
