"""Queries that only later Spark releases support, and that are not run on older ones, which refuse them.

A query that a release doesn't support proves nothing about it; a query that it supports, but fails to run, stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from oracles.patterns.windows import window_aggregate_with_a_filter
from oracles.rules.releases import is_among
from strategies.ir import (
    DATE,
    TIME,
    Agg,
    Aggregate,
    Call,
    Case,
    Collate,
    Collated,
    Compare,
    Exists,
    Filter,
    GroupingSets,
    InSubquery,
    Join,
    Lateral,
    Limit,
    Lit,
    Map,
    OneRow,
    Outer,
    Recursive,
    Relation,
    ScalarSubquery,
    SetOp,
    Typed,
    Window,
    conjuncts,
    is_in_python,
    is_made_of,
    partitioned,
    walk,
)


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A feature that the releases in ``before``, a version specifier, don't support; ``asked_by`` finds its cases."""

    before: str
    what: str
    asked_by: Callable[[Case], bool]


def _calls(*functions: str) -> Callable[[Case], bool]:
    return lambda case: any(isinstance(node, Call) and node.function in functions for node in walk(case.query))


def _aggregates_by(function: str) -> Callable[[Case], bool]:
    return lambda case: any(isinstance(node, Agg) and node.function == function for node in walk(case.query))


def _inner_queries(case: Case) -> list[Relation]:
    """Subqueries, and the right sides of LATERAL joins."""
    laterals = [node.right for node in walk(case.query) if isinstance(node, Lateral)]
    return laterals + [n.query for n in walk(case.query) if isinstance(n, (Exists, InSubquery, ScalarSubquery))]


def limit_over_an_outer_column(case: Case) -> bool:
    """A limit in a subquery or LATERAL, over an outer column."""
    return any(
        isinstance(node, Limit) and any(isinstance(part, Outer) for part in walk(node.child))
        for query in _inner_queries(case)
        for node in walk(query)
    )


def outer_column_below_except_or_intersect(case: Case) -> bool:
    """EXCEPT or INTERSECT in a subquery or LATERAL, over an outer column."""
    return any(
        isinstance(node, SetOp) and node.kind != "union" and any(isinstance(part, Outer) for part in walk(node))
        for query in _inner_queries(case)
        for node in walk(query)
    )


def range_of_days_over_dates(case: Case) -> bool:
    """A window over dates with a frame that starts or ends a number of days away."""
    return any(
        isinstance(node, Window)
        and [key.value.type for key in node.order] == [DATE]
        and any(
            over.frame is not None and over.frame.unit == "range" and over.frame.has_offset for over in node.columns
        )
        for node in walk(case.query)
    )


def unequal_outer_column_below_an_aggregate(case: Case) -> bool:
    """EXISTS or IN over an aggregate of rows that a condition on an outer column selects, other than an equality."""
    return any(
        isinstance(node, (Aggregate, GroupingSets)) and _outers(node.child) > _equated(node.child)
        for subquery in walk(case.query)
        if isinstance(subquery, (Exists, InSubquery))
        for node in walk(subquery.query)
    )


def _outers(relation: Relation) -> int:
    return sum(isinstance(part, Outer) for part in walk(relation))


def _equated(relation: Relation) -> int:
    parts = [part for node in walk(relation) if isinstance(node, Filter) for part in conjuncts(node.condition)]
    equalities = (part for part in parts if isinstance(part, Compare) and part.op == "=")
    return sum(isinstance(side, Outer) for part in equalities for side in (part.left, part.right))


def correlated_subquery_in_on(case: Case) -> bool:
    """EXISTS or IN over an outer column, in the condition of a join.

    A feature of 4.0 (https://github.com/apache/spark/pull/42725: "not yet supported" before). 3.5's analyzer accepts
    it, and the planner refuses it unless a rule moves it into a filter, so that each such rule would be blamed.
    """
    return any(
        isinstance(part, (Exists, InSubquery)) and _outers(part.query) > 0
        for node in walk(case.query)
        if isinstance(node, Join) and node.on is not None
        for part in walk(node.on)
    )


def outer_column_below_union(case: Case) -> bool:
    """UNION in EXISTS or IN, over an outer column."""
    return any(
        isinstance(node, SetOp) and node.kind == "union" and _outers(node) > 0
        for subquery in walk(case.query)
        if isinstance(subquery, (Exists, InSubquery))
        for node in walk(subquery.query)
    )


def map_of_the_query_around(case: Case) -> bool:
    """A subquery that reads a map of the query around it, which older releases can't join by."""
    return any(isinstance(node, Outer) and isinstance(node.kind, Map) for node in walk(case.query))


def outer_column_without_from(case: Case) -> bool:
    """EXISTS or IN over a SELECT without FROM that reads an outer column."""
    return any(
        isinstance(node, OneRow) and _outers(node) > 0
        for subquery in walk(case.query)
        if isinstance(subquery, (Exists, InSubquery))
        for node in walk(subquery.query)
    )


def filter_of_a_window_in_its_select(case: Case) -> bool:
    """A filter of the rows of a window, which the text says by QUALIFY."""
    merged = case.settings.clauses == "merged"
    return merged and any(isinstance(node, Filter) and isinstance(node.child, Window) for node in walk(case.query))


def asks_for_collations(case: Case) -> bool:
    """A text under a collation, or a column of such texts."""
    columns = (column for table in case.database.tables for column in table.columns)
    return any(isinstance(node, Collate) for node in walk(case.query)) or any(
        isinstance(column.type, Collated) for column in columns
    )


def asks_for_trimming_collations(case: Case) -> bool:
    """A text or a column under a collation that ignores spaces at the end."""
    kinds = [column.type for table in case.database.tables for column in table.columns]
    kinds += [node.type for node in walk(case.query) if isinstance(node, Collate)]
    return any(isinstance(kind, Collated) and kind.collation.endswith("RTRIM") for kind in kinds)


def asks_for_times(case: Case) -> bool:
    """A time of day, constant or in a column."""
    columns = (column.type for table in case.database.tables for column in table.columns)
    constants = (node.type for node in walk(case.query) if isinstance(node, Lit))
    return any(is_made_of(kind, TIME) for kind in (*columns, *constants))


def stores_times_in_files_of_text_or_orc(case: Case) -> bool:
    """A table with times of day in ORC or CSV files."""
    columns = (column.type for table in case.database.tables for column in table.columns)
    return case.settings.source in ("orc", "csv") and any(is_made_of(kind, TIME) for kind in columns)


def written_in_pipes(case: Case) -> bool:
    """SQL text of pipe operators."""
    return case.settings.clauses == "piped" and case.settings.form == "sql"


_PIPES = Unsupported("<4.0", "pipes", written_in_pipes)

UNSUPPORTED: tuple[Unsupported, ...] = (
    _PIPES,
    Unsupported("<4.0", "dayname() and monthname()", _calls("day_name", "month_name")),
    Unsupported("<4.0", "VARIANT", lambda case: case.settings.source == "variant"),
    Unsupported("<4.0", "collations", asks_for_collations),
    Unsupported("<4.1", "TIME", asks_for_times),
    Unsupported("<4.2", "TIME in ORC and CSV files", stores_times_in_files_of_text_or_orc),
    Unsupported("<4.1", "collations that trim", asks_for_trimming_collations),
    Unsupported("<4.0", "listagg()", _aggregates_by("listagg")),
    Unsupported("<4.0", "mode() of one answer", _aggregates_by("mode")),
    Unsupported(
        "<4.0",
        "recursive common table expressions",
        lambda case: any(isinstance(node, Recursive) for node in walk(case.query)),
    ),
    Unsupported("<4.0", "LIMIT over what is correlated", limit_over_an_outer_column),
    Unsupported("<4.0", "RANGE of days over dates", range_of_days_over_dates),
    Unsupported(
        "<4.0",
        "an aggregate in EXISTS or IN, correlated by more than equality",
        unequal_outer_column_below_an_aggregate,
    ),
    Unsupported("<4.0", "EXCEPT and INTERSECT of what is correlated", outer_column_below_except_or_intersect),
    Unsupported("<4.0", "UNION of what is correlated in EXISTS or IN", outer_column_below_union),
    Unsupported("<4.0", "EXISTS and IN, correlated, in ON (SPARK-45009)", correlated_subquery_in_on),
    Unsupported("<4.0", "a map of the query around a subquery", map_of_the_query_around),
    Unsupported("<4.0", "an outer column in a SELECT without FROM, in EXISTS or IN", outer_column_without_from),
    # The jar writes in these releases, too, but nobody has compared what they do with statements.
    Unsupported("<4.3", "statements that change a table", lambda case: case.query.is_statement),
    # The jar has typed Datasets there, too, but nobody has compared what these releases do with them.
    Unsupported("<4.3", "typed Datasets", lambda case: any(isinstance(node, Typed) for node in walk(case.query))),
    # These releases have table functions in Python, too, but nobody has compared what they do with them.
    Unsupported("<4.3", "table functions in Python", lambda case: any(map(is_in_python, walk(case.query)))),
    Unsupported("<4.2", "QUALIFY", filter_of_a_window_in_its_select),
    Unsupported("<4.2", "FILTER of an aggregate in a window", window_aggregate_with_a_filter),
)


def lacking(spark: str, entries: tuple[Unsupported, ...] = UNSUPPORTED) -> tuple[Unsupported, ...]:
    """The ``entries`` that Spark ``spark`` doesn't support yet."""
    return tuple(entry for entry in entries if is_among(spark, entry.before))


def runs(spark: str, case: Case) -> bool:
    """Whether Spark ``spark`` supports ``case``, in three parts, too, if the case has a predicate for these."""
    missing = lacking(spark)
    if missing and case.partition is not None:
        in_parts = replace(case, query=partitioned(case.query, case.partition), partition=None)
        return not any(entry.asked_by(in_parts) for entry in missing)
    return not any(entry.asked_by(case) for entry in missing)


class NoneSupported(BaseException):
    """A release supports none of many draws, the first ones of a search. Hypothesis lets it pass."""


def supported_on(spark: str, cases: st.SearchStrategy[Case], *, give_up: int | None = None) -> st.SearchStrategy[Case]:
    """The ``cases`` that Spark ``spark`` supports; it is asked the same queries without pipes if it has none.

    :param give_up: a draw raises NoneSupported if it is the last of so many, and none of them was supported.
    """
    missing = lacking(spark)
    if not missing:
        return cases
    refused, any_supported = 0, False

    def is_supported(case: Case) -> bool:
        nonlocal refused, any_supported
        if runs(spark, case):
            any_supported = True
            return True
        refused += 1
        if refused == give_up and not any_supported:
            raise NoneSupported
        return False

    return (cases.map(_without_pipes) if _PIPES in missing else cases).filter(is_supported)


def _without_pipes(case: Case) -> Case:
    """``case`` with merged SELECTs if it is written in pipes; any other as it is."""
    if not written_in_pipes(case):
        return case
    return replace(case, settings=replace(case.settings, clauses="merged"))
