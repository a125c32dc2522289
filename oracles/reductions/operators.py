"""Remove operators: replace a relation by one below it, or by a simpler one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from oracles.reductions.fit import Path, paths, relation_at, splice, splice_equal, with_query
from oracles.reductions.nested import is_nested
from oracles.reductions.repoint import Fit, in_place, position
from oracles.reductions.search import Edit, Search, attempt
from oracles.reductions.size import LISTS, items_of
from oracles.reductions.writes import below_statement, simpler_statements
from strategies.ir import (
    RANDOM_FUNCTIONS,
    Agg,
    Aggregate,
    AnyLimit,
    Case,
    Col,
    Expr,
    Filter,
    Generate,
    GroupingId,
    GroupingSets,
    InvalidQuery,
    Join,
    Lateral,
    Limit,
    Over,
    Pivot,
    Project,
    RandomColumn,
    RandomTest,
    Recursive,
    Relation,
    Repartition,
    RowNumbers,
    Sort,
    Statement,
    Typed,
    TypedCount,
    TypedMap,
    Unpivot,
    Values,
    Window,
    With,
    columns_of,
    inlined,
    is_in_python,
    walk,
)
from strategies.ir import operators as count_operators

Computed = Expr | Agg | Over | GroupingId


def operators(case: Case) -> Search:
    """Replace every relation, from the root down, by each one below it, the largest cut first, or by a simpler one.

    The root is replaced by whole queries before single tables, which seldom fail.
    """
    visited: set[Path] = set()
    while todo := [path for path in paths(case.query) if path not in visited]:
        visited.add(todo[0])
        edits = _edits(case, todo[0])
        while edit := next(edits, None):
            accepted = yield from attempt(edit[0], *edit[1])
            if accepted is not None:
                # Most edits of the new case were just tried, and so cost no time.
                case = accepted
                edits = _edits(case, todo[0])


def _edits(case: Case, path: Path) -> Iterator[Edit]:
    if path not in paths(case.query):  # the last success removed it
        return
    node = relation_at(case.query, path)
    below = sorted(paths(node), key=lambda way: _order(relation_at(node, way), is_root=not path))
    for way in below:
        for fit in _fits(node, way):
            yield from _replacing(case, path, fit)
    for simpler in _simpler(node):
        yield from _replacing(case, path, Fit(simpler, tuple(range(len(node.fields)))))
    if isinstance(node, Generate) and node.position is not None:
        width = len(node.child.fields)
        yield from _replacing(case, path, Fit(replace(node, position=None), (*range(width), None, width)))
    if isinstance(node, (Aggregate, GroupingSets, Pivot)) and node.keys:
        places = [at if at < len(node.keys) else None for at in range(len(node.fields))]
        yield _keys_alone, (case, path, node, tuple(places))


def _replacing(case: Case, path: Path, fit: Fit) -> Iterator[Edit]:
    """Replace all equal relations, as the sides of a set operator may have to stay equal, then the one at ``path``."""
    node = relation_at(case.query, path)
    if sum(other == node for other in walk(case.query)) > 1:
        yield _spliced_equal, (case, node, fit)
    yield _spliced, (case, path, fit)


def _order(relation: Relation, *, is_root: bool) -> tuple[bool, int, int]:
    small = count_operators(relation)
    return is_root and small == 0, small, len(paths(relation))


def _spliced(case: Case, path: Path, fit: Fit) -> Case:
    return with_query(case, splice(case.query, path, fit))


def _spliced_equal(case: Case, node: Relation, fit: Fit) -> Case:
    return with_query(case, splice_equal(case.query, node, fit))


def _keys_alone(case: Case, path: Path, node: Aggregate | GroupingSets | Pivot, places: tuple[int | None, ...]) -> Case:
    return _spliced(case, path, Fit(Project(node.child, node.keys), places))


def _fits(node: Relation, way: Path) -> Iterator[Fit]:
    """The relation at ``way`` in place of ``node``: by the columns passed on, and by position if the types fit."""
    traced = in_place(node)
    for side in way:
        traced = traced.then(_below(traced.relation, side))
    yield traced
    by_position = in_place(traced.relation)
    if by_position != traced and [f.type for f in node.fields] == [f.type for f in traced.relation.fields]:
        yield by_position


def _below(node: Relation, side: str) -> Fit:
    """The input ``side`` of ``node`` in place of ``node``."""
    child = relation_at(node, (side,))
    if isinstance(node, Statement) and not is_nested(side):
        return below_statement(node, child, side)
    if is_nested(side) or side == "definition":
        return Fit(child, (None,) * len(node.fields))
    places: tuple[int | None, ...] = tuple(range(len(child.fields)))
    if isinstance(node, LISTS):
        computed: list[Computed] = [item.value for item in items_of(node)]
        computed += node.ids if isinstance(node, GroupingSets) else ()
        computed += [node.aggregate] * len(node.values) if isinstance(node, Pivot) else ()
        return Fit(child, _sources(computed, child))
    if isinstance(node, Window):
        return Fit(child, (*places, *_sources(node.columns, child)))
    if isinstance(node, TypedCount):
        return Fit(child, (node.place, None))
    if isinstance(node, Generate):
        return Fit(child, (*places, *_sources([node.array] * (len(node.fields) - len(places)), child)))
    if isinstance(node, Unpivot):
        return Fit(child, (*node.kept, None, position(node.columns[0], child.fields)))
    if isinstance(node, (RowNumbers, RandomColumn, Recursive)):
        return Fit(child, (*places, None))
    if isinstance(node, Join):
        lost = (None,) * (len(node.fields) - len(places))
        if node.kind in ("semi", "anti"):
            return Fit(child, places if side == "left" else (None,) * len(node.fields))
        return Fit(child, (*places, *lost) if side == "left" else (*lost, *places))
    return Fit(child, places)


def _sources(values: Iterable[Computed], child: Relation) -> tuple[int | None, ...]:
    """The column of ``child`` that replaces each of ``values``, if possible another column for each value."""
    found: list[int | None] = []
    for value in values:
        ranked = _ranked(value, child)
        found.append(next((at for at in ranked if at not in found), next(iter(ranked), None)))
    return tuple(found)


def _ranked(value: Computed, child: Relation) -> list[int]:
    """The columns of ``child`` that can replace ``value``, the best one first: of its type, then used in it."""
    if isinstance(value, Col):
        return [position(value, child.fields)]
    inside = {position(column, child.fields) for column in columns_of(value)}
    places = range(len(child.fields))
    return sorted(places, key=lambda at: (child.fields[at].type != value.type, at not in inside, at))


def _valid(node: Relation, **changes: object) -> Iterator[Relation]:
    try:
        yield replace(node, **changes)  # type: ignore[arg-type]  # fields by their names
    except InvalidQuery:
        return


_OPTIONAL: dict[type[Relation], tuple[str, ...]] = {
    GroupingSets: ("sets",),
    Recursive: ("changes",),
    Repartition: ("keys",),
    Sort: ("order",),
    Values: ("rows",),
    Window: ("partition", "order"),
}
"""By relation, the fields whose elements can be removed one by one, without a change of other fields."""


def _simpler(node: Relation) -> Iterator[Relation]:
    """Simpler relations in place of ``node``, mostly the same operator with fewer parts."""
    if isinstance(node, Statement):
        yield from simpler_statements(node)
    if isinstance(node, (Aggregate, GroupingSets)) and node.having is not None:
        yield replace(node, having=None)
    if isinstance(node, GroupingSets):
        if not node.ids:
            yield Aggregate(node.child, node.keys, node.aggregates, node.having)
        yield from _valid(node, kind="rollup", sets=())
    for name in _OPTIONAL.get(type(node), ()):
        parts: tuple[object, ...] = getattr(node, name)
        for at in range(len(parts)):
            yield from _valid(node, **{name: parts[:at] + parts[at + 1 :]})
    if isinstance(node, Filter) and node.random is not None:
        yield replace(node, random=None)
        yield from _valid(node, random=RandomTest("<", 1))
    if is_in_python(node):
        yield replace(node, in_python=False)
    if isinstance(node, RandomColumn):
        yield from _valid(node, function=RANDOM_FUNCTIONS[0])
    if isinstance(node, With):
        yield from _inlined(node)
    if isinstance(node, Recursive):
        yield from (replace(node, steps=steps) for steps in range(node.steps))
        if node.condition is not None:
            yield replace(node, condition=None)
    if isinstance(node, Lateral):
        yield Join(node.left, node.right, node.kind, node.on)
    if isinstance(node, Join) and node.hint is not None:
        yield replace(node, hint=None)
    if isinstance(node, Join) and node.kind not in ("inner", "cross"):
        yield replace(node, kind="inner")
    if isinstance(node, Sort) and node.within:
        yield replace(node, within=False)
    if isinstance(node, Repartition):
        yield from _valid(node, kind="repartition", count=1, keys=())
        yield from _valid(node, count=None)
        yield from _valid(node, count=1)
    if isinstance(node, Typed):
        yield node.meaning
    if isinstance(node, TypedMap):
        yield from _valid(node, function="same")
    if isinstance(node, (Limit, AnyLimit)):
        halves = (node.offset // 2, node.count), (node.offset, node.count // 2)
        for offset, count in ((0, 1), (0, node.count), (node.offset, 1), *halves):
            yield replace(node, offset=offset, count=count)


def _inlined(node: With) -> Iterator[Relation]:
    try:
        yield inlined(node)
    except InvalidQuery:  # names of the definition shadow others
        return
