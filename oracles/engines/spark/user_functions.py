"""Give a Spark session the user-defined functions of the query algebra, or a script the text that does it."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable
from typing import Any

from jars.build import MAIN_SOURCES
from oracles.engines.spark import python_functions
from oracles.rules.entries.functions import TRANSLATES
from strategies.ir import USER_FUNCTIONS, Language, Node, UserCall, type_text, walk

PYTHON = "PYSPARK_PYTHON"
"""The variable that names the workers' Python: by default the first ``python3`` of the PATH, which may be another."""
SCALA_FILE = "UserFunctions.scala"
TYPED_FILE = "TypedRows.scala"


def register_python(session: Any) -> None:
    """Register the functions in Python, plain and for translation; the jar registers those in Scala.

    :data:`TRANSLATES` stays as it was. A release that doesn't know it runs functions for translation as plain ones.
    """
    from pyspark import cloudpickle

    # Without this, a worker would look for this package, which a cluster's executors haven't got.
    cloudpickle.register_pickle_by_value(python_functions)  # type: ignore[no-untyped-call]
    before = session.conf.get(TRANSLATES, "false")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of each function that can't be translated
        for language, translates in (("python", "false"), ("translated", "true")):
            session.conf.set(TRANSLATES, translates)
            for name, function in USER_FUNCTIONS.items():
                session.udf.register(f"{language}_{name}", getattr(python_functions, name), type_text(function.result))
    session.conf.set(TRANSLATES, before)


def calls_in(nodes: Iterable[Node], language: Language) -> list[UserCall]:
    """The calls of user-defined functions in ``language``, one of each function, by name."""
    calls = (part for node in nodes for part in walk(node) if isinstance(part, UserCall))
    found = {call.name: call for call in calls if call.language == language}
    return [found[name] for name in sorted(found)]


def python_text(call: UserCall) -> str:
    """The definition of the function of ``call``, which is in Python."""
    return inspect.getsource(getattr(python_functions, call.function))


def scala_text(file: str) -> str:
    """The text of a Scala file: that of all functions in Scala, or that of the operations of typed Datasets.

    It needs nothing but Spark.
    """
    return (MAIN_SOURCES / "userfunctions" / file).read_text(encoding="utf-8")
