"""A JVM with the agent, or without, that runs the planted programs beside this module; no Spark session."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from jars.agent import agent_jar
from jars.build import build, find_compiler
from oracles.engines.spark.java import java_environment

HERE = Path(__file__).parent
SOURCE = (HERE / "Planted.scala").read_text()
LISTED_ELSEWHERE = (
    "org.apache.spark.sql.execution.adaptive.AQEPropagateEmptyRelation",
    "org.apache.spark.sql.execution.datasources.v2.V2ScanRelationPushDown",
    "org.apache.spark.sql.execution.dynamicpruning.PartitionPruning",
    "org.apache.spark.sql.catalyst.analysis.UpdateAttributeNullability",
)
"""Rules that the optimizers list, and whose classes are in other packages."""


def planted_jvm(folder: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Compile the planted programs into ``folder``, and return a function that runs one by its class's name."""
    environ = {**os.environ, **java_environment()}
    compiler = find_compiler(Path(environ["JAVA_HOME"]) / "bin" / "java")
    main = build(compiler.java).main
    jar = folder / "planted.jar"
    compiler.compile(sorted(HERE.glob("Planted*.scala")), jar, (), (main,))
    class_path = os.pathsep.join(map(str, (jar, main, compiler.spark_jars / "*")))

    def run(*arguments: str, agent: bool = True) -> subprocess.CompletedProcess[str]:
        flags = [f"-javaagent:{agent_jar()}"] if agent else []
        command = [str(compiler.java), *flags, "-cp", class_path, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)

    return run
