"""Remove columns of tables, projections and aggregates, with all columns that depend on them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from oracles.reductions.expressions import items_at, replacing
from oracles.reductions.fit import Path, narrow, paths, refit, relation_at, sides, with_query
from oracles.reductions.nested import query_at, steps, with_query_at
from oracles.reductions.repoint import Fit, position
from oracles.reductions.search import Edit, Search, leave_out, sweep
from oracles.reductions.size import LISTS, items_of
from oracles.reductions.writes import refit_statement
from strategies.ir import (
    Case,
    Col,
    CteScan,
    Database,
    Generate,
    GroupingSets,
    Item,
    Join,
    Node,
    OneRow,
    Pivot,
    Recursive,
    Relation,
    Scan,
    Statement,
    Table,
    TypedCount,
    Unpivot,
    Values,
    Window,
    With,
    columns_of,
)

Place = tuple[Path, int]
"""A column of the relation at a path; a base table's path is its name after an empty step."""

Threads = dict[Place, int]
"""The number of each column's thread: a set of columns that can only be removed together."""


def columns(case: Case) -> Search:
    """Remove runs of threads, and single threads.

    A thread is a column of a table with the columns of each scan of it, passed up through filters and joins, and across
    to the other side of each set operator. Columns computed from a removed thread are removed as well.
    """
    threads = _threads(case.query)
    numbers = sorted(set(threads.values()))
    yield from leave_out(numbers, partial(_keep, case, threads))


def earlier_columns(case: Case) -> Search:
    """Replace a passed-on column by an earlier one of the input, so that two sides of a query may become equal."""
    yield from sweep(case, _earlier)


def _earlier(case: Case) -> Iterator[Edit]:
    for path in paths(case.query):
        node = relation_at(case.query, path)
        if isinstance(node, LISTS):
            fields = node.child.fields
            taken = {position(item.value, fields) for item in items_of(node) if isinstance(item.value, Col)}
            for address, item in items_at(node):
                if isinstance(item.value, Col):
                    before = fields[: position(item.value, fields)]
                    free = [at for at, field in enumerate(before) if field.type == item.value.type and at not in taken]
                    for at in free[:1]:
                        yield from replacing(case, path, address, Item(item.name, fields[at].column()))


def _threads(query: Relation) -> Threads:
    threads: Threads = {}
    for number, place in enumerate((path, at) for path in paths(query) for at in range(_width(query, path))):
        threads[place] = number
    for path in paths(query):
        node = relation_at(query, path)
        for at in range(len(node.fields)):
            for other in _tied(query, node, path, at):
                _join(threads, (path, at), other)
    return threads


def _width(query: Relation, path: Path) -> int:
    return len(relation_at(query, path).fields)


def _join(threads: Threads, one: Place, two: Place) -> None:
    kept, gone = threads[one], threads.setdefault(two, threads[one])
    for place, number in threads.items():
        if number == gone:
            threads[place] = kept


def _tied(query: Relation, node: Relation, path: Path, at: int) -> list[Place]:
    """The input columns that the column ``at`` of ``node`` is passed on from."""
    if isinstance(node, Scan):
        return [(("", node.table), at)]
    if isinstance(node, Statement):
        return [(("", node.target.table), at), *(((*path, side), at) for side in sides(node) if side == "query")]
    if isinstance(node, CteScan):
        return [(_definition(query, path, node.name), at)]
    if isinstance(node, With):
        return [((*path, "body"), at)]
    if isinstance(node, (Values, *LISTS)):
        return []
    if isinstance(node, (Generate, Recursive, Window)) and at >= len(node.child.fields):
        return []
    if isinstance(node, Unpivot):
        return [((*path, "child"), node.kept[at])] if at < len(node.kept) else []
    if isinstance(node, TypedCount):
        return [((*path, "child"), node.place)] if at == 0 else []
    if isinstance(node, Join):
        width = len(node.left.fields)
        return [((*path, "left"), at) if at < width else ((*path, "right"), at - width)]
    return [((*path, side), at) for side in sides(node)]


def _definition(query: Relation, path: Path, name: str) -> Path:
    """The path of the definition of the common table expression ``name`` that a CteScan at ``path`` reads."""
    for depth in reversed(range(len(path))):
        node = relation_at(query, path[:depth])
        if isinstance(node, With) and node.name == name:
            return (*path[:depth], "definition")
    raise LookupError(name)


def _keep(case: Case, threads: Threads, numbers: Collection[int]) -> Case:
    doomed = _with_dependents(case.query, threads, set(threads.values()) - set(numbers))
    gone = {place for place, number in threads.items() if number in doomed}
    query = _without(case.query, (), gone).relation
    trimmed = Database(tuple(_trim(table, gone) for table in case.database.tables))
    return with_query(case, query, trimmed)


def _with_dependents(query: Relation, threads: Threads, doomed: set[int]) -> set[int]:
    """``doomed`` and the threads of all columns computed from them, directly or indirectly."""
    found = set(doomed)
    for path in reversed(paths(query)):  # inputs come before the relations that read them
        node = relation_at(query, path)
        for at, part in _computed(node):
            sources = (position(column, relation_at(node, ("child",)).fields) for column in columns_of(part))
            if any(threads[(*path, "child"), source] in found for source in sources):
                found.add(threads[path, at])
    return found if found == doomed else _with_dependents(query, threads, found)


def _computed(node: Relation) -> Iterator[tuple[int, Node]]:
    """The fields of ``node`` that are computed from those of its child, each with its expression."""
    if isinstance(node, Window):
        yield from enumerate(node.columns, len(node.child.fields))
    elif isinstance(node, LISTS):
        yield from enumerate(items_of(node))
    if isinstance(node, GroupingSets):
        yield from enumerate(node.ids, len(items_of(node)))
    if isinstance(node, Pivot):
        for at in range(len(node.keys), len(node.fields)):
            yield from ((at, part) for part in (node.aggregate, node.column))


def _scan(node: Scan | CteScan, stay: list[int]) -> Relation:
    return replace(node, columns=tuple(node.columns[at] for at in stay))


def _without(node: Relation, path: Path, gone: Collection[Place]) -> Fit:
    stay = [at for at in range(len(node.fields)) if (path, at) not in gone]
    if isinstance(node, (Scan, CteScan, Values, OneRow)):
        places = tuple(stay.index(at) if at in stay else None for at in range(len(node.fields)))
        left = narrow(node, tuple(stay)) if isinstance(node, (Values, OneRow)) else _scan(node, stay)
        return Fit(left, places)
    for step in steps(node):
        node = with_query_at(node, step, _without(query_at(node, step), (*path, step), gone), narrow)
    if isinstance(node, Statement):
        inputs = {side: _without(getattr(node, side), (*path, side), gone) for side in sides(node)}
        places = tuple(stay.index(at) if at in stay else None for at in range(len(node.fields)))
        return refit_statement(node, {"target": Fit(_scan(node.target, stay), places), **inputs}, narrow)
    fit = refit(node, {side: _without(getattr(node, side), (*path, side), gone) for side in sides(node)})
    if isinstance(node, (Generate, Recursive)) and len(stay) < len(node.fields):
        return _without_made(node, fit, stay)
    if not isinstance(node, (Window, *LISTS)):
        return fit
    kept = [place for at, place in enumerate(fit.places) if place is not None and at in stay]
    places = tuple(kept.index(place) if place in kept else None for place in fit.places)
    return Fit(narrow(fit.relation, tuple(kept)), places)


def _without_made(node: Generate | Recursive, fit: Fit, stay: Collection[int]) -> Fit:
    """Replace a Generate, or a recursion, by its input if a generated column, or the counter, is to be removed."""
    made = range(len(node.child.fields), len(node.fields))
    if all(at in stay for at in made) or not isinstance(fit.relation, (Generate, Recursive)):
        return fit
    return Fit(fit.relation.child, tuple(None if at in made else place for at, place in enumerate(fit.places)))


def _trim(table: Table, gone: Collection[Place]) -> Table:
    stay = [at for at in range(len(table.columns)) if (("", table.name), at) not in gone]
    rows = tuple(tuple(row[at] for at in stay) for row in table.rows)
    return replace(table, columns=tuple(table.columns[at] for at in stay), rows=rows)
