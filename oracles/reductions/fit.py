"""Putting another relation into a query's place, and making everything above it fit again.

A reduction need not keep the meaning, only the types: what refers to a column that is gone goes as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Any, TypeVar, cast

from strategies.ir import (
    BOOLEAN,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Case,
    Col,
    Database,
    Deduplicate,
    Distinct,
    Expr,
    Field,
    Filter,
    InvalidQuery,
    Item,
    Join,
    Limit,
    Lit,
    Node,
    Or,
    Project,
    Relation,
    SetOp,
    SortKey,
    from_fields,
    init_fields,
    operators,
    qualifiers,
    resolve,
    scans,
    transform,
)

N = TypeVar("N", bound=Node)
Path = tuple[str, ...]
Fields = tuple[Field, ...]
Change = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Fit:
    """``relation`` in the place of another one, and where each field of the other is now (None: nowhere)."""

    relation: Relation
    places: tuple[int | None, ...]

    def then(self, other: Fit) -> Fit:
        """``other``, which takes the place of ``self.relation``, as seen from what ``self`` replaced."""
        return Fit(other.relation, tuple(None if place is None else other.places[place] for place in self.places))


def in_place(relation: Relation) -> Fit:
    """``relation`` for one with the same columns, field by field."""
    return Fit(relation, tuple(range(len(relation.fields))))


def sides(relation: Relation) -> Path:
    """Names of the inputs of ``relation``: child, or left and right."""
    return tuple(name for name, value in init_fields(relation).items() if isinstance(value, Relation))


def paths(relation: Relation) -> list[Path]:
    """The way to every relation of a query, parents first."""
    return [(), *((side, *rest) for side in sides(relation) for rest in paths(getattr(relation, side)))]


def relation_at(query: Relation, path: Path) -> Relation:
    """The relation at ``path``."""
    for side in path:
        query = getattr(query, side)
    return query


def with_query(case: Case, query: Relation) -> Case:
    """``case`` with another query, and without the tables that it doesn't scan."""
    used = {scan.table for scan in scans(query)}
    tables = tuple(table for table in case.database.tables if table.name in used)
    return replace(case, query=query, database=Database(tables))


def splice(query: Relation, path: Path, fit: Fit) -> Relation:
    """``query`` with ``fit`` in the place of the relation at ``path``. Raises InvalidQuery where it can't be."""
    for depth in reversed(range(len(path))):
        fit = refit(relation_at(query, path[:depth]), {path[depth]: fit})
    return fit.relation


def splice_equal(query: Relation, target: Relation, fit: Fit) -> Relation:
    """``query`` with ``fit`` for every relation in it that equals ``target``. Raises InvalidQuery where it can't be."""
    return _with_equal(query, target, fit).relation


def _with_equal(node: Relation, target: Relation, fit: Fit) -> Fit:
    if node == target:
        return fit
    return refit(node, {side: _with_equal(getattr(node, side), target, fit) for side in sides(node)})


def position(column: Col, fields: Fields) -> int:
    """Which of ``fields`` the column means; they come from a query, so it means one."""
    (found,) = resolve(column, fields)
    return next(index for index, candidate in enumerate(fields) if candidate is found)


def refit(relation: Relation, inputs: Mapping[str, Fit]) -> Fit:
    """``relation`` over other inputs. Raises InvalidQuery when nothing of it is left, or when it can't be repaired."""
    fits = {side: inputs.get(side) or in_place(getattr(relation, side)) for side in sides(relation)}
    if all(fit == in_place(getattr(relation, side)) for side, fit in fits.items()):
        return in_place(relation)
    if isinstance(relation, Join):
        return _refit_join(relation, fits["left"], fits["right"])
    if isinstance(relation, SetOp):
        return _refit_set(relation, fits["left"], fits["right"])
    fit = fits["child"]
    child = fit.relation
    repoint = _repointing(relation.child.fields, child.fields, fit.places)  # type: ignore[attr-defined]  # not a Scan
    if isinstance(relation, Filter):
        condition = _prune(relation.condition, repoint)
        return Fit(Filter(child, condition), fit.places) if condition else fit
    if isinstance(relation, Project):
        items, places = _keep_items(relation.items, repoint)
        return Fit(Project(child, items), places)
    if isinstance(relation, Aggregate):
        return _refit_aggregate(relation, child, repoint)
    if isinstance(relation, Limit):
        order = _order(tuple(filter(None, (_try(repoint, key) for key in relation.order))), child)
        return Fit(replace(relation, child=child, order=order), fit.places)
    if isinstance(relation, Deduplicate):
        old = [field.name for field in relation.child.fields]
        moved = [fit.places[old.index(key)] for key in relation.keys]
        return Fit(
            replace(relation, child=child, keys=tuple(child.fields[at].name for at in moved if at is not None)),
            fit.places,
        )
    return Fit(replace(relation, child=child), fit.places)  # type: ignore[call-arg]  # Alias, Distinct, AnyLimit


def _repointing(old: Fields, new: Fields, places: tuple[int | None, ...]) -> Change:
    def change(node: Node) -> Node:
        if not isinstance(node, Col):
            return node
        place = places[position(node, old)]
        if place is None:
            raise InvalidQuery(f"{node!r} is gone")
        field = new[place]
        bare = Col(field.name, field.type)
        return bare if node.qualifier is None and len(resolve(bare, new)) == 1 else field.column()

    return lambda node: transform(node, change)


def _try(change: Change, node: N) -> N | None:
    try:
        return cast(N, change(node))
    except InvalidQuery:
        return None


def _prune(condition: Expr, change: Change) -> Expr | None:
    kept = _try(change, condition)
    if kept is None and isinstance(condition, (And, Or)):
        return _prune(condition.left, change) or _prune(condition.right, change)
    return kept


def _keep_items(items: tuple[Item, ...], change: Change) -> tuple[tuple[Item, ...], tuple[int | None, ...]]:
    changed = [_try(change, item) for item in items]
    counter = count()
    return tuple(filter(None, changed)), tuple(None if item is None else next(counter) for item in changed)


def _refit_aggregate(relation: Aggregate, child: Relation, repoint: Change) -> Fit:
    keys, key_places = _keep_items(relation.keys, repoint)
    aggregates, places = _keep_items(relation.aggregates, repoint)
    all_places = (*key_places, *(None if place is None else place + len(keys) for place in places))
    bare = Aggregate(child, keys, aggregates)
    if relation.having is None:
        return Fit(bare, all_places)
    having = _prune(relation.having, _repointing(relation.fields, bare.fields, all_places))
    return Fit(replace(bare, having=having), all_places)


def _refit_join(relation: Join, left: Fit, right: Fit) -> Fit:
    if qualifiers(left.relation) & qualifiers(right.relation):
        used = qualifiers(left.relation) | qualifiers(right.relation)
        name = next(name for name in map("x{}".format, count(1)) if name not in used)
        right = Fit(Alias(right.relation, name), right.places)
    old = from_fields(relation.left) + from_fields(relation.right)
    new = from_fields(left.relation) + from_fields(right.relation)
    width = len(left.relation.fields)
    places = (*left.places, *(None if place is None else place + width for place in right.places))
    on = relation.on
    if on is not None:
        on = _prune(on, _repointing(old, new, places)) or Lit(BOOLEAN, True)
    return Fit(Join(left.relation, right.relation, relation.kind, on), places[: len(relation.fields)])


def _refit_set(relation: SetOp, left: Fit, right: Fit) -> Fit:
    pairs = [(one, two) for one, two in zip(left.places, right.places, strict=True)]
    kept = [(one, two) for one, two in pairs if one is not None and two is not None]
    counter = count()
    places = tuple(None if None in pair else next(counter) for pair in pairs)
    one = narrow(left.relation, tuple(one for one, _ in kept))
    two = narrow(right.relation, tuple(two for _, two in kept))
    return Fit(replace(relation, left=one, right=two), places)


def _order(order: tuple[SortKey, ...], child: Relation) -> tuple[SortKey, ...]:
    """A total order again: ``order`` and then the columns that it leaves out."""
    covered = {position(key.value, child.fields) for key in order if isinstance(key.value, Col)}
    return (*order, *(SortKey(field.column()) for at, field in enumerate(child.fields) if at not in covered))


def narrow(relation: Relation, positions: tuple[int, ...]) -> Relation:
    """Just those fields of ``relation``, in that order, with no more operators where that can be.

    Raises InvalidQuery when ``positions`` is empty.
    """
    if positions == tuple(range(len(relation.fields))):
        return relation
    ascending = all(one < two for one, two in pairwise(positions))
    if isinstance(relation, Project) and len(set(positions)) == len(positions):
        return replace(relation, items=tuple(relation.items[at] for at in positions))
    if isinstance(relation, Aggregate) and ascending:
        return _narrow_aggregate(relation, positions)
    if isinstance(relation, SetOp):
        return replace(relation, left=narrow(relation.left, positions), right=narrow(relation.right, positions))
    if isinstance(relation, (Filter, Distinct, Limit, AnyLimit, Deduplicate, Alias)):
        child = narrow(relation.child, positions)
        if operators(child) <= operators(relation.child):
            places = tuple(positions.index(at) if at in positions else None for at in range(len(relation.fields)))
            return refit(relation, {"child": Fit(child, places)}).relation
    if isinstance(relation, Join) and positions and max(positions) < len(relation.left.fields):
        return narrow(relation.left, positions)
    if isinstance(relation, Join) and positions and min(positions) >= len(relation.left.fields):
        return narrow(relation.right, tuple(at - len(relation.left.fields) for at in positions))
    return _pick(relation, positions)


def _narrow_aggregate(relation: Aggregate, positions: tuple[int, ...]) -> Relation:
    keys = tuple(key for at, key in enumerate(relation.keys) if at in positions)
    aggregates = tuple(item for at, item in enumerate(relation.aggregates, len(relation.keys)) if at in positions)
    bare = replace(relation, keys=keys, aggregates=aggregates, having=None)
    if relation.having is None:
        return bare
    places = tuple(positions.index(at) if at in positions else None for at in range(len(relation.fields)))
    return replace(bare, having=_prune(relation.having, _repointing(relation.fields, bare.fields, places)))


def _pick(relation: Relation, positions: tuple[int, ...]) -> Relation:
    chosen = [relation.fields[at] for at in positions]
    names = [field.name for field in chosen]
    if len(set(names)) != len(names):
        names = [f"x{at}" for at in range(1, len(names) + 1)]
    return Project(relation, tuple(Item(name, field.column()) for name, field in zip(names, chosen, strict=True)))
