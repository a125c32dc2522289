"""Make statements fit other tables and queries, and find simpler ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from oracles.reductions.repoint import Change, Fit, attempted, in_place, prune, repointing
from strategies.ir import (
    BOOLEAN,
    Alias,
    Assignment,
    Delete,
    Expr,
    Insert,
    InvalidQuery,
    Lit,
    Merge,
    MergeClause,
    Overwrite,
    OverwritePartitions,
    Relation,
    Scan,
    Statement,
    Update,
)

Narrow = Callable[[Relation, tuple[int, ...]], Relation]


def refit_statement(statement: Statement, inputs: Mapping[str, Fit], narrow: Narrow) -> Fit:
    """``statement`` with other inputs: its ``target`` with fewer columns, its ``query`` or its ``source``.

    Parts of it that refer to columns that are gone are left out.

    :raises InvalidQuery: nothing is left of it, or rows to write lack a column.
    """
    target = inputs.get("target") or in_place(statement.target)
    if not isinstance(target.relation, Scan):
        raise InvalidQuery(f"{type(statement).__name__}: only a base table can be changed")
    change = repointing(statement.target.fields, target.relation.fields, target.places)
    new: Statement
    if isinstance(statement, Merge):
        new = _refit_merge(statement, target, inputs.get("source") or in_place(statement.source))
    elif isinstance(statement, (Insert, Overwrite, OverwritePartitions)):
        fit = inputs.get("query") or in_place(statement.query)
        kept = [place for place, left in zip(fit.places, target.places, strict=True) if left is not None]
        places = tuple(place for place in kept if place is not None)
        if len(places) < len(kept):
            raise InvalidQuery(f"{type(statement).__name__}: a written column is gone")
        query = narrow(fit.relation, places)
        if isinstance(statement, Overwrite):
            new = Overwrite(target.relation, query, _changed(statement.condition, change))
        else:
            new = replace(statement, target=target.relation, query=query)
    elif isinstance(statement, Update):
        given = _assigned(statement.assignments, target.relation, change)
        condition = _changed(statement.condition, change)
        new = Update(target.relation, given, condition)
    else:
        assert isinstance(statement, Delete)
        new = Delete(target.relation, _changed(statement.condition, change))
    return Fit(new, target.places)


def _changed(condition: Expr | None, change: Change) -> Expr | None:
    return None if condition is None else prune(condition, change)


def _assigned(given: tuple[Assignment, ...], target: Scan, change: Change) -> tuple[Assignment, ...]:
    """Assignments to columns of ``target`` that can still be made."""
    names = {column.name for column in target.columns}
    changed = (attempted(change, each) for each in given if each.name in names)
    return tuple(each for each in changed if each is not None)


def _refit_merge(merge: Merge, target: Fit, source: Fit) -> Merge:
    table: Any = target.relation
    named = source.relation if isinstance(source.relation, Alias) else Alias(source.relation, merge.source.name)
    old, width = (*merge.target.fields, *merge.source.fields), len(table.fields)
    places = (*target.places, *(None if place is None else place + width for place in source.places))
    change = repointing(old, (*table.fields, *named.fields), places)
    clauses = [
        replace(
            clause,
            condition=_changed(clause.condition, change),
            assignments=_assigned(clause.assignments, table, change),
        )
        for clause in merge.clauses
    ]
    return Merge(table, named, prune(merge.on, change) or Lit(BOOLEAN, True), tuple(clauses))


def below_statement(statement: Statement, child: Relation, side: str) -> Fit:
    """The input ``side`` of ``statement`` in its place: rows that it writes, or others."""
    width = len(statement.fields)
    return Fit(child, tuple(range(width)) if side == "query" else (None,) * width)


def simpler_statements(statement: Statement) -> Iterator[Statement]:
    """The same statement without a clause, an assignment or a condition, where it can be without."""
    for change in _changes(statement):
        try:
            yield replace(statement, **change)
        except InvalidQuery:  # a clause after it would never act
            continue


def _changes(statement: Statement) -> Iterator[dict[str, Any]]:
    if isinstance(statement, Merge):
        clauses = statement.clauses
        for at, clause in enumerate(clauses):
            rest = clauses[:at] + clauses[at + 1 :]
            if rest:
                yield {"clauses": rest}
            for simpler in _simpler_clauses(clause):
                yield {"clauses": (*clauses[:at], simpler, *clauses[at + 1 :])}
    if isinstance(statement, Update):
        given = statement.assignments
        for at in range(len(given)):
            yield {"assignments": given[:at] + given[at + 1 :]}
    if isinstance(statement, (Delete, Update, Overwrite)) and statement.condition is not None:
        yield {"condition": None}


def _simpler_clauses(clause: MergeClause) -> Iterator[MergeClause]:
    if clause.condition is not None:
        yield replace(clause, condition=None)
    if clause.action == "update":
        yield replace(clause, action="delete", assignments=())
