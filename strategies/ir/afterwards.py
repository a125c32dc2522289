"""The rows of a statement's table afterwards, as a query of the tables as they were."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from strategies.ir.bags import SetOp
from strategies.ir.expressions import And, Coalesce, Compare, Expr, Lit, Not
from strategies.ir.relations import Alias, Filter, Item, Join, JoinKind, Project, Relation, Scan
from strategies.ir.types import BOOLEAN
from strategies.ir.writes import (
    MERGE_CONDITIONS,
    Assignment,
    Delete,
    Insert,
    Merge,
    MergeClause,
    Overwrite,
    OverwritePartitions,
    Statement,
    Update,
)

_FALSE = Lit(BOOLEAN, False)


def afterwards(statement: Statement) -> Relation:
    """The query whose rows the table of ``statement`` has after it.

    It has rows also for a MERGE that raises because two rows of its source meet one of the table (see :func:`matches`).
    """
    target = statement.target
    match statement:
        case Delete():
            return _where(target, statement.condition, holds=False)
        case Update():
            changed = _values(_where(target, statement.condition), target, statement.assignments)
            return (
                changed
                if statement.condition is None
                else _all(_where(target, statement.condition, holds=False), changed)
            )
        case Insert():
            return _all(target, statement.query)
        case Overwrite():
            kept = [] if statement.condition is None else [_where(target, statement.condition, holds=False)]
            return _all(*kept, statement.query)
        case OverwritePartitions():
            return _all(_in_other_partitions(statement), statement.query)
        case Merge():
            return _merged(statement)
    raise AssertionError(f"no statement: {type(statement).__name__}")


def _in_other_partitions(statement: OverwritePartitions) -> Relation:
    """The rows of the table with a value of its partitioning column that no new row has."""
    target = statement.target
    value = Item("value", statement.query.fields[statement.by].column())
    new = Alias(Project(statement.query, (value,)), f"{target.table}_new")
    return Join(target, new, "anti", Compare("<=>", target.fields[statement.by].column(), new.fields[0].column()))


def matches(merge: Merge, kind: JoinKind = "inner") -> Relation:
    """Each row of the table with each row of the source that it meets; for 'semi' the table's rows alone, each once.

    If the two have different numbers of rows, several rows of the source meet one of the table.
    """
    return Join(merge.target, merge.source, kind, merge.on)


def _merged(merge: Merge) -> Relation:
    target = merge.target
    matched, not_matched, by_source = (
        [clause for clause in merge.clauses if clause.when == when] for when in MERGE_CONDITIONS
    )
    parts = [
        *_changed(matches(merge, "anti"), target, by_source),
        *_acted(Join(merge.source, target, "anti", merge.on), target, not_matched),
    ]
    if merge.needs_one_match:
        parts += _changed(matches(merge), target, matched)
    elif not matched:
        parts += _changed(matches(merge, "semi"), target, ())
    return _all(*parts) if parts else Filter(target, _FALSE)


def _changed(rows: Relation, target: Scan, clauses: Sequence[MergeClause]) -> list[Relation]:
    """``rows``, which have the table's columns, each changed by the first clause that fits it, or left as it is."""
    rest = _first_of(rows, clauses, None)
    return [*_acted(rows, target, clauses), *([] if rest is None else [_values(rest, target, ())])]


def _acted(rows: Relation, target: Scan, clauses: Sequence[MergeClause]) -> list[Relation]:
    """The rows that the ``clauses`` make of ``rows``."""
    acting = [clause for clause in clauses if clause.action != "delete"]
    found = ((clause, _first_of(rows, clauses, clause)) for clause in acting)
    return [_values(chosen, target, clause.assignments) for clause, chosen in found if chosen is not None]


def _first_of(rows: Relation, clauses: Sequence[MergeClause], wanted: MergeClause | None) -> Relation | None:
    """Those of ``rows`` of which ``wanted`` is the first clause that fits, or that no clause fits; None for no rows."""
    tests: list[Expr] = []
    for clause in clauses:
        if clause is wanted:
            tests += [] if clause.condition is None else [_is_true(clause.condition)]
            break
        if clause.condition is None:
            return None
        tests.append(Not(_is_true(clause.condition)))
    return Filter(rows, reduce(And, tests)) if tests else rows


def _where(rows: Relation, condition: Expr | None, *, holds: bool = True) -> Relation:
    """Those of ``rows`` for which ``condition`` is true, or is not; no condition is true for all."""
    if condition is None:
        return rows if holds else Filter(rows, _FALSE)
    return Filter(rows, _is_true(condition) if holds else Not(_is_true(condition)))


def _is_true(condition: Expr) -> Expr:
    return Coalesce((condition, _FALSE))


def _values(rows: Relation, target: Scan, assignments: Iterable[Assignment]) -> Relation:
    """``rows`` with the table's columns, of which ``assignments`` have new values."""
    new = {assignment.name: assignment.value for assignment in assignments}
    items = (Item(field.name, new.get(field.name, field.column())) for field in target.fields)
    return Project(rows, tuple(items))


def _all(*parts: Relation) -> Relation:
    return reduce(lambda one, two: SetOp("union", one, two, all=True), parts)
