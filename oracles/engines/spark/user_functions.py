"""Give a Spark session the user-defined functions of the query algebra, or a script the text that does it."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from jars.build import MAIN_SOURCES
from oracles.engines.spark import python_functions, python_tables
from oracles.rules.entries.functions import TRANSLATES
from strategies.ir import (
    PYTHON_ELEMENTS,
    USER_FUNCTIONS,
    Generate,
    Language,
    Node,
    SqlType,
    UserCall,
    is_in_python,
    python_table_function,
    type_text,
    walk,
)

PYTHON = "PYSPARK_PYTHON"
"""The variable that names the workers' Python: by default the first ``python3`` of the PATH, which may be another."""
SCALA_FILE = "UserFunctions.scala"
TYPED_FILE = "TypedRows.scala"


def register_python(session: Any) -> None:
    """Register the functions in Python, plain and for translation; the jar registers those in Scala.

    :data:`TRANSLATES` stays as it was. A release that doesn't know it runs functions for translation as plain ones.
    """
    from pyspark import cloudpickle
    from pyspark.sql.functions import udtf
    from pyspark.sql.udtf import UserDefinedTableFunction

    # Without this, a worker would look for this package, which a cluster's executors haven't got.
    for module in (python_functions, python_tables):
        cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]  # cloudpickle ships no types
    before = session.conf.get(TRANSLATES, "false")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of each function that can't be translated
        for language, translates in (("python", "false"), ("translated", "true")):
            session.conf.set(TRANSLATES, translates)
            for name, function in USER_FUNCTIONS.items():
                session.udf.register(f"{language}_{name}", getattr(python_functions, name), type_text(function.result))
    session.conf.set(TRANSLATES, before)
    for element in PYTHON_ELEMENTS:
        for with_position in (False, True):
            made = udtf(_class(with_position), returnType=_columns(element, with_position), useArrow=False)
            assert isinstance(made, UserDefinedTableFunction)  # of a class it makes no decorator
            session.udtf.register(python_table_function(element, with_position=with_position), made.asDeterministic())


def _class(with_position: bool) -> type:
    return python_tables.Positions if with_position else python_tables.Elements


def _columns(element: SqlType, with_position: bool) -> str:
    """The columns of a table function in Python, as Spark has them."""
    return f"{'position INT, ' if with_position else ''}element {type_text(element)}"


@dataclass(frozen=True, slots=True)
class TableFunction:
    """A table function in Python for a script: its ``name`` in a session, and its ``columns`` there."""

    name: str
    class_name: str
    columns: str


def tables_in(nodes: Iterable[Node]) -> list[TableFunction]:
    """The table functions in Python that ``nodes`` read, by name."""
    found = (part for node in nodes for part in walk(node) if is_in_python(part))
    return sorted(set(map(_table_function, found)), key=lambda each: each.name)


def _table_function(node: Generate) -> TableFunction:
    with_position = node.position is not None
    columns = _columns(node.fields[-1].type, with_position)
    return TableFunction(node.function, _class(with_position).__name__, columns)


def class_texts(functions: Iterable[TableFunction]) -> list[str]:
    """The definitions of the classes of ``functions``."""
    return [inspect.getsource(getattr(python_tables, name)) for name in sorted({each.class_name for each in functions})]


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
