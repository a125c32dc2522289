"""The forms (SQL or DataFrame) and sources of a shape's cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import FormsOf, cases_of
from strategies.draw.tables import MAX_ROWS, schemas
from strategies.ir import Case, Database, Deduplicate, Form, Pivot, Relation, walk

Question = tuple[Database, Relation]
"""Empty tables and a query over them."""

P = ParamSpec("P")
Build = Callable[Concatenate[DrawFn, Database, P], Relation]
"""Draws a query over given tables."""


@st.composite
def over_tables(draw: DrawFn, build: Build[P], /, *args: P.args, **options: P.kwargs) -> Question:
    """Drawn tables, and the query that ``build(draw, tables, …)`` draws over them."""
    schema = draw(schemas())
    return schema, build(draw, schema, *args, **options)


@st.composite
def over_one_table(draw: DrawFn, build: Build[P], /, *args: P.args, **options: P.kwargs) -> Question:
    """One drawn table, and the query that ``build(draw, table, …)`` draws over it."""
    schema = draw(schemas(max_tables=1))
    return schema, build(draw, schema, *args, **options)


def any_form(query: Relation) -> tuple[Form, ...]:
    """Both forms, for most shapes, which have no Aggregate with only keys."""
    return ("sql", "dataframe")


def not_of_pivots(query: Relation) -> tuple[Form, ...]:
    """Both forms, or only SQL for a query with a pivot, which has no DataFrame program here."""
    return ("sql",) if any(isinstance(node, Pivot) for node in walk(query)) else ("sql", "dataframe")


def sql_alone(query: Relation) -> tuple[Form, ...]:
    """Only SQL, or no form for a query with a Deduplicate, which DISTINCT then replaces."""
    return () if any(isinstance(node, Deduplicate) for node in walk(query)) else ("sql",)


def dataframe_only(query: Relation) -> tuple[Form, ...]:
    """Only the DataFrame form, for methods that SQL lacks."""
    return ("dataframe",)


@st.composite
def over_fixed(
    draw: DrawFn,
    database: Database,
    build: Callable[Concatenate[DrawFn, P], Relation],
    /,
    *args: P.args,
    **options: P.kwargs,
) -> Question:
    """The tables of ``database``, and the query that ``build(draw, …)`` draws over them."""
    return database, build(draw, *args, **options)


def from_files(cases: SearchStrategy[Case]) -> SearchStrategy[Case]:
    """``cases`` without local relations, over which the first batches fold much before most rules run."""
    return cases.map(_from_file)


def file_cases(
    questions: SearchStrategy[Question],
    *,
    forms_of: FormsOf = any_form,
    max_rows: int = MAX_ROWS,
    needs: Mapping[str, Any] | None = None,
) -> SearchStrategy[Case]:
    """Cases of a shape's questions, with rows in files, and with what the rule ``needs`` of the settings.

    ``forms_of`` is of :func:`strategies.draw.cases.cases_of`.
    """
    cases = from_files(cases_of(questions, max_rows=max_rows, forms_of=forms_of))
    if not needs:
        return cases
    return cases.map(lambda case: replace(case, settings=replace(case.settings, **needs)))


def over_files(cases: SearchStrategy[Case]) -> SearchStrategy[Case]:
    """``cases`` without tables of a data source of the second kind, which takes filters from the plan."""
    return cases.map(_over_files)


def _from_file(case: Case) -> Case:
    if case.settings.source != "local":
        return case
    return replace(case, settings=replace(case.settings, source="parquet"))


def _over_files(case: Case) -> Case:
    if case.settings.source != "v2":
        return case
    return replace(case, settings=replace(case.settings, source="parquet", capabilities=()))
