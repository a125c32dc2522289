"""The driver's class path, with Spark's most used jars first."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from jars.build import find_spark_jars

# Before each job Spark's ClosureCleaner reads the classes of its closures again, from the first of some 280 jars that
# has them: with these in front a check takes a seventh less time.
_FIRST = ("spark-core_*.jar", "spark-sql_*.jar", "spark-catalyst_*.jar", "scala-library-*.jar")


def class_path(jars: Iterable[Path], spark_home: Path | None) -> str:
    """``spark.driver.extraClassPath``: Spark's most used jars, all others, then ``jars``.

    It begins the same for all sessions, as a class archive requires (:mod:`assay.session.class_archive`).
    """
    folder = find_spark_jars(spark_home)
    first = [jar for pattern in _FIRST for jar in sorted(folder.glob(pattern))]
    return os.pathsep.join(map(str, dict.fromkeys((*first, *sorted(folder.glob("*.jar")), *jars))))
