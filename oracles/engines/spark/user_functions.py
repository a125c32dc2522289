"""Give a Spark session the user-defined functions of the query algebra, or a script the text that does it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from jars.build import MAIN_SOURCES
from oracles.engines.spark import python_functions
from strategies.ir import USER_FUNCTIONS, Node, UserCall, type_text, walk

PYTHON = "PYSPARK_PYTHON"
"""The variable that names the workers' Python: by default the first ``python3`` of the PATH, which may be another."""
SCALA_FILE = "UserFunctions.scala"
_SCALA_SOURCE = MAIN_SOURCES / "assay" / "functions" / SCALA_FILE


def register_python(session: Any) -> None:
    """Register the functions in Python; the jar registers those in Scala."""
    from pyspark import cloudpickle

    # Without this, a worker would look for this package, which a cluster's executors haven't got.
    cloudpickle.register_pickle_by_value(python_functions)  # type: ignore[no-untyped-call]
    for name, function in USER_FUNCTIONS.items():
        session.udf.register(f"python_{name}", getattr(python_functions, name), type_text(function.result))


def calls_in(nodes: Iterable[Node]) -> list[UserCall]:
    """The calls of user-defined functions, one of each function in each language, by name."""
    found = {part.name: part for node in nodes for part in walk(node) if isinstance(part, UserCall)}
    return [found[name] for name in sorted(found)]


def python_text(calls: Iterable[UserCall]) -> str:
    """The definitions of the functions in Python among ``calls``; '' if there are none."""
    functions = [getattr(python_functions, call.function) for call in calls if call.language == "python"]
    return "\n\n".join(map(inspect.getsource, functions))


def scala_text(calls: Iterable[UserCall]) -> str:
    """The text of the Scala file that registers all functions in Scala; '' if none of ``calls`` is in Scala."""
    return _SCALA_SOURCE.read_text(encoding="utf-8") if any(call.language == "scala" for call in calls) else ""
