"""Drawn statements: what each promises, reaches and shrinks to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import strategies as st

from strategies.draw.cases import cases
from strategies.draw.statements import file_writes, statements
from strategies.ir import (
    INT,
    MERGE_ACTIONS,
    MERGE_CONDITIONS,
    STRING,
    Aggregate,
    And,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Delete,
    Insert,
    Lit,
    Merge,
    Overwrite,
    OverwritePartitions,
    Relation,
    Scan,
    Statement,
    Subquery,
    Table,
    Update,
    operators,
    scans,
    subqueries_of,
    suits_files,
    walk,
)
from tests.unit.strategy_asserts import Sample, assert_all_examples, minimal

COLUMNS = (Column("a", INT), Column("b", STRING))
SCHEMA = Database((Table("t0", COLUMNS), Table("t1", COLUMNS)))
T0 = Scan("t0", COLUMNS)
SAMPLE = Sample(statements(SCHEMA, max_operators=2))
FILES = Sample(file_writes(SCHEMA, max_operators=2))


def clauses(query: Relation) -> tuple[tuple[str, str, bool], ...]:
    found = query.clauses if isinstance(query, Merge) else ()
    return tuple((clause.when, clause.action, clause.condition is None) for clause in found)


REACHED: dict[str, Callable[[Relation], bool]] = {
    **{kind.__name__: lambda query, kind=kind: isinstance(query, kind) for kind in (Delete, Update, Insert, Merge)},
    "all rows are deleted": lambda query: isinstance(query, Delete) and query.condition is None,
    "all rows are updated": lambda query: isinstance(query, Update) and query.condition is None,
    "all rows are overwritten": lambda query: isinstance(query, Overwrite) and query.condition is None,
    "some rows are overwritten": lambda query: isinstance(query, Overwrite) and query.condition is not None,
    "a subquery": lambda query: (
        isinstance(query, (Delete, Update)) and any(isinstance(node, Subquery) for node in walk(query))
    ),
    "a part for the source beside a subquery": lambda query: (
        isinstance(query, Delete)
        and isinstance(query.condition, And)
        and not any(True for _ in subqueries_of(query.condition.left))
        and any(True for _ in subqueries_of(query.condition.right))
    ),
    "two columns": lambda query: isinstance(query, Update) and len(query.assignments) == 2,
    "the table reads itself": lambda query: sum(scan == query.target for scan in scans(query)) > 1,
    "another table is read": lambda query: len(set(scans(query))) > 1,
    "a row may be met twice": lambda query: not has_one_row_for_each(query),
    "a clause that goes on": lambda query: isinstance(query, Merge) and len(query.clauses) > 2,
    **{
        f"{when}: {action}": lambda query, when=when, action=action: (
            (when, action) in {(each, what) for each, what, _ in clauses(query)}
        )
        for when in MERGE_CONDITIONS
        for action in MERGE_ACTIONS
        if (action == "insert") == (when == "not matched")
    },
}


@pytest.mark.parametrize("what", REACHED)
def test_statements_reach(what: str) -> None:
    assert SAMPLE.find_any(REACHED[what], within=2_000)


IN_FILES: dict[str, Callable[[Relation], bool]] = {
    **{
        kind.__name__: lambda query, kind=kind: isinstance(query, kind)
        for kind in (Insert, Overwrite, OverwritePartitions)
    },
    "the table reads itself": lambda query: query.target in scans(query.query),
    "partitions are overwritten by rows of the table": lambda query: (
        isinstance(query, OverwritePartitions) and query.target in scans(query.query)
    ),
}


@pytest.mark.parametrize("what", IN_FILES)
def test_writes_to_files_reach(what: str) -> None:
    assert FILES.find_any(IN_FILES[what], within=1_000)


def test_writes_to_files_suit_files() -> None:
    assert_all_examples(file_writes(SCHEMA, max_operators=2), suits_files, count=100)


def test_writes_to_files_shrink_to_an_insert() -> None:
    assert minimal(file_writes(SCHEMA, max_operators=2), lambda _: True) == Insert(T0, T0)


def has_one_row_for_each(query: Relation) -> bool:
    """The source of a MERGE is grouped by what it is met by, or is one row."""
    return not isinstance(query, Merge) or isinstance(query.source.child, Aggregate)


def raises_at_most(query: Relation) -> bool:
    """Rows that are met several times are changed, which raises: what else becomes of them is up to the engine."""
    return has_one_row_for_each(query) or (
        isinstance(query, Merge) and any(clause.when == "matched" for clause in query.clauses)
    )


def test_a_row_of_the_table_is_met_once_or_the_merge_may_raise() -> None:
    assert_all_examples(statements(SCHEMA, max_operators=2), raises_at_most, count=100)


def test_statements_obey_their_bound() -> None:
    """Beside a projection to the table's types, and what groups the source of a MERGE."""
    assert_all_examples(
        statements(SCHEMA, max_operators=0), lambda query: operators(query) <= 1 + _own(query), count=60
    )


def _own(query: Relation) -> int:
    return 0 if isinstance(query, (Delete, Update)) else 1


def test_statements_shrink_to_a_delete() -> None:
    assert minimal(statements(SCHEMA, max_operators=2), lambda _: True) == Delete(
        T0, Compare("=", Col("a", INT), Lit(INT, 0))
    )


@pytest.mark.slow
def test_one_case_in_16_is_a_statement_over_tables_that_can_be_changed() -> None:
    sample = _few(cases())
    written = [case for case in sample if isinstance(case.query, Statement)]
    assert 0.04 < len(written) / len(sample) < 0.09
    assert {(case.settings.source, case.settings.form, case.partition) for case in written} == {
        ("v2", "sql", None),
        ("partitioned", "sql", None),
        ("cached", "sql", None),
    }
    assert 0.01 < sum(case.settings.source != "v2" for case in written) / len(sample) < 0.035


def _few(strategy: st.SearchStrategy[Case]) -> list[Case]:
    return list(islice(Sample(strategy), 1_500))
