"""How a shape can be run: in which forms, and from where."""

from __future__ import annotations

from dataclasses import replace

from hypothesis.strategies import SearchStrategy

from strategies.ir import Case, Form, Pivot, Relation, walk


def any_form(query: Relation) -> tuple[Form, ...]:
    """Most shapes are queries of either form: none holds an Aggregate with keys alone."""
    return ("sql", "dataframe")


def not_of_pivots(query: Relation) -> tuple[Form, ...]:
    """Either form, but a pivot, for which only SQL is written."""
    return ("sql",) if any(isinstance(node, Pivot) for node in walk(query)) else ("sql", "dataframe")


def dataframe_only(query: Relation) -> tuple[Form, ...]:
    """Just DataFrames have ``dropDuplicates``."""
    return ("dataframe",)


def from_files(cases: SearchStrategy[Case]) -> SearchStrategy[Case]:
    """``cases``, none over a local relation: a filter over one is computed before Replace Operators is reached."""
    return cases.map(_from_file)


def _from_file(case: Case) -> Case:
    if case.settings.source != "local":
        return case
    return replace(case, settings=replace(case.settings, source="parquet"))
