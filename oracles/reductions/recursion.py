"""A recursive common table expression over another anchor."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from oracles.reductions.repoint import Fit, attempted, prune, repointing
from strategies.ir import Item, Recursive


def refit_recursive(relation: Recursive, fit: Fit) -> Fit:
    """``relation`` over another anchor: a column has its old name, and no change that reads a column that is gone."""
    old: dict[int, str] = {}
    for name, place in zip(relation.names, fit.places, strict=False):
        if place is not None:
            old.setdefault(place, name)
    taken = {name.casefold() for name in relation.names}
    fresh = (name for name in map("x{}".format, count(1)) if name not in taken)
    names = tuple(old.get(at) or next(fresh) for at in range(len(fit.relation.fields)))
    bare = Recursive(fit.relation, (*names, relation.names[-1]), relation.steps)
    places = (*fit.places, len(names))
    repoint = repointing(relation.fields, bare.fields, places)
    changes: dict[str, Item] = {}
    for item in relation.changes:
        place = places[relation.names.index(item.name)]
        changed = None if place is None else attempted(repoint, item)
        if place is not None and changed is not None and changed.value.type == bare.fields[place].type:
            changes.setdefault(names[place], replace(changed, name=names[place]))
    condition = relation.condition and prune(relation.condition, repoint)
    return Fit(replace(bare, changes=tuple(changes.values()), condition=condition), places)
