"""Replace a relation by another one, and make expressions over the old relation refer to the new one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar, cast

from strategies.ir import And, Col, Expr, Field, InvalidQuery, Node, Or, Relation, SortKey, resolve, substitute

N = TypeVar("N", bound=Node)
Fields = tuple[Field, ...]
Places = tuple[int | None, ...]
Change = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Fit:
    """``relation`` as the replacement of another one, and the new position of each old field (None if it is gone)."""

    relation: Relation
    places: Places

    def then(self, other: Fit) -> Fit:
        """``other``, which replaces ``self.relation``, as a replacement of the relation that ``self`` replaces."""
        return Fit(other.relation, tuple(None if place is None else other.places[place] for place in self.places))


def in_place(relation: Relation) -> Fit:
    """``relation`` as the replacement of a relation with the same columns, field by field."""
    return Fit(relation, tuple(range(len(relation.fields))))


def position(column: Col, fields: Fields) -> int:
    """The index of the field that ``column`` refers to; raises InvalidQuery if it refers to none or several."""
    found = resolve(column, fields)
    if len(found) != 1:
        raise InvalidQuery(f"{column!r} means {len(found)} columns")
    return next(index for index, candidate in enumerate(fields) if candidate is found[0])


def repointing(old: Fields, new: Fields, places: Places) -> Change:
    """A function that makes expressions over ``old`` refer to ``new``; raises InvalidQuery if a column is gone."""
    change = column_change(old, new, places)
    return lambda node: substitute(node, change)


def column_change(old: Fields, new: Fields, places: Places) -> Callable[[Col], Col]:
    """A function from columns of ``old`` to columns of ``new``; raises InvalidQuery if a column is gone."""

    def change(column: Col) -> Col:
        place = places[position(column, old)]
        if place is None:
            raise InvalidQuery(f"{column!r} is gone")
        field = new[place]
        bare = Col(field.name, field.type)
        return bare if column.qualifier is None and len(resolve(bare, new)) == 1 else field.column()

    return change


def attempted(change: Change, node: N) -> N | None:
    """``change(node)``, or None if it raises InvalidQuery."""
    try:
        return cast(N, change(node))
    except InvalidQuery:
        return None


def prune(condition: Expr, change: Change) -> Expr | None:
    """``change(condition)``; if it fails for an AND or OR, one changed side; None if no part can be changed."""
    kept = attempted(change, condition)
    if kept is None and isinstance(condition, (And, Or)):
        return prune(condition.left, change) or prune(condition.right, change)
    return kept


def keep(items: tuple[N, ...], change: Change) -> tuple[tuple[N, ...], Places]:
    """The ``items`` that ``change`` can change, changed, and the new position of each item."""
    changed = [attempted(change, item) for item in items]
    counter = count()
    return tuple(item for item in changed if item is not None), tuple(
        None if item is None else next(counter) for item in changed
    )


def total_order(order: tuple[SortKey, ...], child: Relation) -> tuple[SortKey, ...]:
    """A total order: ``order`` and then the columns that it leaves out."""
    covered = {position(key.value, child.fields) for key in order if isinstance(key.value, Col)}
    return (*order, *(SortKey(field.column()) for at, field in enumerate(child.fields) if at not in covered))
