"""Put grouping sets, pivots, unpivots and windows over another input, or give them fewer columns."""

from __future__ import annotations

from dataclasses import replace

from oracles.reductions.repoint import Change, Fit, Places, keep, prune, repointing, total_order
from strategies.ir import Col, GroupingId, GroupingSets, Pivot, Relation, Unpivot, Window


def refit_grouping_sets(relation: GroupingSets, child: Relation, repoint: Change) -> Fit:
    """``relation`` over ``child``, without the items that can't be computed any more, and their keys in the sets."""
    keys, key_places = keep(relation.keys, repoint)
    aggregates, places = keep(relation.aggregates, repoint)
    ids, id_places = keep(relation.ids, lambda found: _id(found, relation, repoint))
    moved = (*key_places, *_after(places, len(keys)), *_after(id_places, len(keys) + len(aggregates)))
    sets = _sets(relation, key_places)
    bare = GroupingSets(child, relation.kind, keys, aggregates, ids, sets)
    if relation.having is None:
        return Fit(bare, moved)
    having = prune(relation.having, repointing(relation.fields, bare.fields, moved))
    return Fit(replace(bare, having=having), moved)


def _id(found: GroupingId, relation: GroupingSets, repoint: Change) -> GroupingId:
    """GROUPING_ID of all keys becomes one of the kept keys; raises InvalidQuery for one of a removed key."""
    if len(found.keys) == 1 or len(found.keys) < len(relation.keys):
        changed: GroupingId = repoint(found)
        return changed
    return replace(found, keys=keep(found.keys, repoint)[0])


def _sets(relation: GroupingSets, places: Places) -> tuple[tuple[int, ...], ...]:
    moved = ([places[at] for at in found] for found in relation.sets)
    return tuple(tuple(at for at in found if at is not None) for found in moved)


def _after(places: Places, width: int) -> Places:
    return tuple(None if place is None else place + width for place in places)


def refit_pivot(relation: Pivot, child: Relation, repoint: Change) -> Fit:
    """``relation`` over ``child``; raises InvalidQuery if its column or the operand of its aggregate is gone."""
    keys, places = keep(relation.keys, repoint)
    column, aggregate = repoint(relation.column), repoint(relation.aggregate)
    values = tuple(range(len(keys), len(keys) + len(relation.values)))
    return Fit(replace(relation, child=child, keys=keys, column=column, aggregate=aggregate), (*places, *values))


def refit_unpivot(relation: Unpivot, fit: Fit) -> Fit:
    """``relation`` over the relation of ``fit``, with those of its columns that are left.

    :raises InvalidQuery: none is.
    """
    old, new = relation.child.fields, fit.relation.fields
    places = {field.name: place for field, place in zip(old, fit.places, strict=True)}
    left = [place for column in relation.columns if (place := places[column.name]) is not None]
    made = replace(relation, child=fit.relation, columns=tuple(Col(new[at].name, new[at].type) for at in left))
    width = len(made.kept)
    moved = (fit.places[at] for at in relation.kept)
    return Fit(made, (*(made.kept.index(at) if at in made.kept else None for at in moved), width, width + 1))


def refit_window(relation: Window, fit: Fit, repoint: Change) -> Fit:
    """``relation`` over the relation of ``fit``, in a total order if it needs one; a window without functions is
    replaced by its input.
    """
    child = fit.relation
    columns, places = keep(relation.columns, repoint)
    if not columns:
        return Fit(child, (*fit.places, *(None for _ in places)))
    partition, order = keep(relation.partition, repoint)[0], keep(relation.order, repoint)[0]
    if any(over.needs_total_order for over in columns) or (relation.order and not order):
        order = total_order(order, child)
    moved = replace(relation, child=child, columns=columns, partition=partition, order=order)
    return Fit(moved, (*fit.places, *_after(places, len(child.fields))))


def narrow_groups(relation: GroupingSets | Pivot, positions: tuple[int, ...]) -> Relation | None:
    """``relation`` with only the fields at ``positions``; None for a pivot without values.

    :raises InvalidQuery: there would be no key left.
    """
    width = len(relation.keys)
    keys = tuple(key for at, key in enumerate(relation.keys) if at in positions)
    if isinstance(relation, Pivot):
        values = tuple(value for at, value in enumerate(relation.values, width) if at in positions)
        return replace(relation, keys=keys, values=values) if values else None
    gone = {key.value for at, key in enumerate(relation.keys) if at not in positions}
    aggregates = tuple(item for at, item in enumerate(relation.aggregates, width) if at in positions)
    ids = tuple(found for at, found in enumerate(relation.ids, width + len(relation.aggregates)) if at in positions)
    if len(keys) < width:
        ids = tuple(replace(found, keys=tuple(key for key in found.keys if key not in gone)) for found in ids)
    kept = [at for at in range(width) if at in positions]
    places = tuple(kept.index(at) if at in kept else None for at in range(width))
    sets = _sets(relation, places)
    bare = replace(relation, keys=keys, aggregates=aggregates, ids=ids, sets=sets, having=None)
    if relation.having is None:
        return bare
    moved = tuple(positions.index(at) if at in positions else None for at in range(len(relation.fields)))
    return replace(bare, having=prune(relation.having, repointing(relation.fields, bare.fields, moved)))
