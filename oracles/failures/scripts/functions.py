"""The functions of users that a script for stock Spark defines, as its template has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracles.engines.spark.user_functions import calls_in, class_texts, python_text, tables_in
from oracles.rules.entries.functions import TRANSLATES
from strategies.ir import Node, type_text


def functions_of(nodes: Sequence[Node]) -> dict[str, Any]:
    """The template's variables about the functions that ``nodes`` call."""
    python, translated = calls_in(nodes, "python"), calls_in(nodes, "translated")
    tables = tables_in(nodes)
    return {
        "python_texts": sorted({python_text(call) for call in (*python, *translated)}),
        "python_functions": [(call, type_text(call.type)) for call in python],
        "translated_functions": [(call, type_text(call.type)) for call in translated],
        "translates": TRANSLATES,
        "table_functions": tables,
        "table_classes": class_texts(tables),
        "scala_functions": bool(calls_in(nodes, "scala")),
    }
