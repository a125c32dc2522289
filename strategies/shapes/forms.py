"""In which forms a shape can be run."""

from __future__ import annotations

from strategies.ir import Form, Relation


def any_form(query: Relation) -> tuple[Form, ...]:
    """Shapes of set operators are queries of either form: none holds an Aggregate with keys alone."""
    return ("sql", "dataframe")


def dataframe_only(query: Relation) -> tuple[Form, ...]:
    """Just DataFrames have ``dropDuplicates``."""
    return ("dataframe",)
