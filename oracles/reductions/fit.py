"""Replace a relation inside a query, and make all relations above it fit again.

A reduction keeps the types but not the meaning: an expression that refers to a removed column is removed as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count, pairwise

from oracles.reductions.fitting_partition import fitting_partition
from oracles.reductions.groups import narrow_groups, refit_grouping_sets, refit_pivot, refit_unpivot, refit_window
from oracles.reductions.nested import is_nested, query_at, steps, with_query_at
from oracles.reductions.recursion import refit_recursive
from oracles.reductions.repoint import (
    Change,
    Fit,
    attempted,
    column_change,
    in_place,
    keep,
    prune,
    repointing,
    total_order,
)
from oracles.reductions.writes import refit_statement
from strategies.ir import (
    BOOLEAN,
    Aggregate,
    Alias,
    AnyLimit,
    Case,
    Column,
    CteScan,
    Database,
    Deduplicate,
    Distinct,
    Filter,
    Generate,
    GroupingSets,
    InvalidQuery,
    Item,
    Join,
    Lateral,
    Limit,
    Lit,
    OneRow,
    Pivot,
    Project,
    RandomColumn,
    Recursive,
    Relation,
    Repartition,
    RowNumbers,
    SetOp,
    Sort,
    Statement,
    Typed,
    TypedCount,
    TypedFilter,
    TypedMap,
    Unpivot,
    Values,
    ValuesRow,
    Window,
    With,
    from_fields,
    init_fields,
    operators,
    qualifiers,
    scans,
    takes_hint,
    with_outers,
)

Path = tuple[str, ...]


def sides(relation: Relation) -> Path:
    """Names of the inputs of ``relation``: child, or left and right. The table that a statement changes is none."""
    inputs = (name for name, value in init_fields(relation).items() if isinstance(value, Relation))
    return tuple(name for name in inputs if not (relation.is_statement and name == "target"))


def paths(relation: Relation) -> list[Path]:
    """The path to every relation of a query, also in subqueries, parents first."""
    ways = [(side, getattr(relation, side)) for side in sides(relation)]
    ways += [(step, query_at(relation, step)) for step in steps(relation)]
    return [(), *((side, *rest) for side, below in ways for rest in paths(below))]


def relation_at(query: Relation, path: Path) -> Relation:
    """The relation at ``path``."""
    for side in path:
        query = query_at(query, side) if is_nested(side) else getattr(query, side)
    return query


def with_query(case: Case, query: Relation, database: Database | None = None) -> Case:
    """``case`` with another query, and perhaps database, without unused tables; still partitioned if possible."""
    used = {scan.table for scan in scans(query)}
    tables = tuple(table for table in (database or case.database).tables if table.name in used)
    partition = case.partition and fitting_partition(query, case.partition)
    return replace(case, query=query, database=Database(tables), partition=partition)


def splice(query: Relation, path: Path, fit: Fit) -> Relation:
    """``query`` with ``fit`` in place of the relation at ``path``; raises InvalidQuery if that is impossible."""
    for depth in reversed(range(len(path))):
        fit = refit(relation_at(query, path[:depth]), {path[depth]: fit})
    return fit.relation


def splice_equal(query: Relation, target: Relation, fit: Fit) -> Relation:
    """``query`` with ``fit`` in place of each relation equal to ``target``; raises InvalidQuery if impossible."""
    return _with_equal(query, target, fit).relation


def _with_equal(node: Relation, target: Relation, fit: Fit) -> Fit:
    if node == target:
        return fit
    for step in steps(node):
        query = query_at(node, step)
        inside = _with_equal(query, target, fit)
        if inside != in_place(query):
            node = with_query_at(node, step, inside, narrow)
    return refit(node, {side: _with_equal(getattr(node, side), target, fit) for side in sides(node)})


def refit(relation: Relation, inputs: Mapping[str, Fit]) -> Fit:
    """``relation`` over other inputs; raises InvalidQuery if none of it is left, or if it can't be repaired."""
    for step in filter(is_nested, inputs):
        return in_place(with_query_at(relation, step, inputs[step], narrow))
    fits = {side: inputs.get(side) or in_place(getattr(relation, side)) for side in sides(relation)}
    if all(fit == in_place(getattr(relation, side)) for side, fit in fits.items()):
        return in_place(relation)
    if isinstance(relation, Statement):
        return refit_statement(relation, fits, narrow)
    if isinstance(relation, Join):
        return _refit_join(relation, fits["left"], fits["right"])
    if isinstance(relation, SetOp):
        return _refit_set(relation, fits["left"], fits["right"])
    if isinstance(relation, With):
        return _refit_with(relation, fits["definition"], fits["body"])
    fit = fits["child"]
    child = fit.relation
    repoint = repointing(relation.child.fields, child.fields, fit.places)  # type: ignore[attr-defined]  # not a Scan
    if isinstance(relation, Filter):
        condition = prune(relation.condition, repoint)
        return Fit(replace(relation, child=child, condition=condition), fit.places) if condition else fit
    if isinstance(relation, Project):
        items, places = keep(relation.items, repoint)
        return Fit(Project(child, items), places)
    if isinstance(relation, Aggregate):
        return _refit_aggregate(relation, child, repoint)
    if isinstance(relation, GroupingSets):
        return refit_grouping_sets(relation, child, repoint)
    if isinstance(relation, Pivot):
        return refit_pivot(relation, child, repoint)
    if isinstance(relation, Unpivot):
        return refit_unpivot(relation, fit)
    if isinstance(relation, Window):
        return refit_window(relation, fit, repoint)
    if isinstance(relation, Generate):
        return _refit_generate(relation, fit, repoint)
    if isinstance(relation, Recursive):
        return refit_recursive(relation, fit)
    if isinstance(relation, RowNumbers):
        order = total_order(keep(relation.order, repoint)[0], child)
        return Fit(replace(relation, child=child, order=order), (*fit.places, len(child.fields)))
    if isinstance(relation, RandomColumn):
        return Fit(replace(relation, child=child), (*fit.places, len(child.fields)))
    if isinstance(relation, Limit):
        order = total_order(keep(relation.order, repoint)[0], child)
        return Fit(replace(relation, child=child, order=order), fit.places)
    if isinstance(relation, Sort):
        keys = keep(relation.order, repoint)[0]
        return Fit(replace(relation, child=child, order=keys), fit.places) if keys else fit
    if isinstance(relation, Repartition):
        kept = keep(relation.keys, repoint)[0]
        return fit if relation.keys and not kept else Fit(replace(relation, child=child, keys=kept), fit.places)
    if isinstance(relation, Deduplicate):
        old = [field.name for field in relation.child.fields]
        moved = [fit.places[old.index(key)] for key in relation.keys]
        return Fit(
            replace(relation, child=child, keys=tuple(child.fields[at].name for at in moved if at is not None)),
            fit.places,
        )
    if isinstance(relation, Typed):
        return _refit_typed(relation, fit)
    return Fit(replace(relation, child=child), fit.places)  # type: ignore[call-arg]  # Alias, Distinct, AnyLimit


def _refit_aggregate(relation: Aggregate, child: Relation, repoint: Change) -> Fit:
    keys, key_places = keep(relation.keys, repoint)
    aggregates, places = keep(relation.aggregates, repoint)
    all_places = (*key_places, *(None if place is None else place + len(keys) for place in places))
    bare = Aggregate(child, keys, aggregates)
    if relation.having is None:
        return Fit(bare, all_places)
    having = prune(relation.having, repointing(relation.fields, bare.fields, all_places))
    return Fit(replace(bare, having=having), all_places)


def _refit_typed(relation: Typed, fit: Fit) -> Fit:
    """``relation`` over its column's new name; without the column only the input of a filter or a map is left."""
    counts = isinstance(relation, TypedCount)
    at = fit.places[relation.place]
    if at is None:
        if counts:
            raise InvalidQuery("a typed count's column is gone")
        return fit
    changed = replace(relation, child=fit.relation, column=fit.relation.fields[at].name)
    return Fit(changed, (0, 1)) if counts else Fit(changed, fit.places)


def _refit_generate(relation: Generate, fit: Fit, repoint: Change) -> Fit:
    width, made = len(fit.relation.fields), len(relation.fields) - len(relation.child.fields)
    array = attempted(repoint, relation.array)
    if array is None:
        return Fit(fit.relation, (*fit.places, *(None,) * made))
    return Fit(replace(relation, child=fit.relation, array=array), (*fit.places, *range(width, width + made)))


def _refit_join(relation: Join, left: Fit, right: Fit) -> Fit:
    if qualifiers(left.relation) & qualifiers(right.relation):
        used = qualifiers(left.relation) | qualifiers(right.relation)
        name = next(name for name in map("x{}".format, count(1)) if name not in used)
        right = Fit(Alias(right.relation, name), right.places)
    if isinstance(relation, Lateral):
        right = _refit_lateral(relation, left, right)
    old = from_fields(relation.left) + from_fields(relation.right)
    new = from_fields(left.relation) + from_fields(right.relation)
    width = len(left.relation.fields)
    places = (*left.places, *(None if place is None else place + width for place in right.places))
    on = relation.on
    if on is not None:
        on = prune(on, repointing(old, new, places)) or Lit(BOOLEAN, True)
    hint = relation.hint if takes_hint(right.relation) else None
    joined = replace(relation, left=left.relation, right=right.relation, on=on, hint=hint)
    return Fit(joined, places[: len(relation.fields)])


def _refit_lateral(relation: Lateral, left: Fit, right: Fit) -> Fit:
    """The right side, with an alias, for another left side."""
    change = column_change(from_fields(relation.left), from_fields(left.relation), left.places)
    side = with_outers(right.relation, change)
    if isinstance(side, Alias):
        return Fit(side, right.places)
    used = qualifiers(left.relation) | qualifiers(side)
    return Fit(Alias(side, next(name for name in map("x{}".format, count(1)) if name not in used)), right.places)


def _refit_with(relation: With, definition: Fit, body: Fit) -> Fit:
    """``relation`` with a new definition and body; the body's scans get the definition's new columns."""

    def read(relation: Relation, name: str) -> CteScan:
        return CteScan(name, tuple(Column(field.name, field.type) for field in relation.fields))

    old, new = read(relation.definition, relation.name), read(definition.relation, relation.name)
    if old != new:
        body = body.then(_with_equal(body.relation, old, Fit(new, definition.places)))
    return Fit(With(relation.name, definition.relation, body.relation), body.places)


def _refit_set(relation: SetOp, left: Fit, right: Fit) -> Fit:
    pairs = [(one, two) for one, two in zip(left.places, right.places, strict=True)]
    kept = [(one, two) for one, two in pairs if one is not None and two is not None]
    counter = count()
    places = tuple(None if None in pair else next(counter) for pair in pairs)
    one = narrow(left.relation, tuple(one for one, _ in kept))
    two = narrow(right.relation, tuple(two for _, two in kept))
    return Fit(replace(relation, left=one, right=two), places)


_PASSING = (Filter, Distinct, Limit, AnyLimit, Sort, Repartition, Deduplicate, Alias, TypedFilter, TypedMap)
"""Relations with the columns of their child."""


def narrow(relation: Relation, positions: tuple[int, ...]) -> Relation:
    """``relation`` with only the fields at ``positions``, in that order, without another operator if possible.

    :raises InvalidQuery: ``positions`` is empty.
    """
    if positions == tuple(range(len(relation.fields))):
        return relation
    ascending = all(one < two for one, two in pairwise(positions))
    if isinstance(relation, Project) and len(set(positions)) == len(positions):
        return replace(relation, items=tuple(relation.items[at] for at in positions))
    if isinstance(relation, Aggregate) and ascending:
        return _narrow_aggregate(relation, positions)
    if isinstance(relation, OneRow) and len(set(positions)) == len(positions):
        return OneRow(tuple(relation.items[at] for at in positions))
    if isinstance(relation, Values):
        rows = (ValuesRow(tuple(row.cells[at] for at in positions)) for row in relation.rows)
        return Values(tuple(relation.names[at] for at in positions), tuple(rows))
    if isinstance(relation, (GroupingSets, Pivot)) and ascending and (found := narrow_groups(relation, positions)):
        return found
    if isinstance(relation, Window) and ascending and (found := _narrow_window(relation, positions)):
        return found
    if isinstance(relation, SetOp):
        return replace(relation, left=narrow(relation.left, positions), right=narrow(relation.right, positions))
    if isinstance(relation, _PASSING):
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
    return replace(bare, having=prune(relation.having, repointing(relation.fields, bare.fields, places)))


def _narrow_window(relation: Window, positions: tuple[int, ...]) -> Relation | None:
    width = len(relation.child.fields)
    kept = tuple(at for at in positions if at < width)
    columns = tuple(relation.columns[at - width] for at in positions if at >= width)
    if not columns:
        return narrow(relation.child, kept)
    bare = replace(relation, columns=columns)
    if len(kept) == width:
        return bare
    child = narrow(relation.child, kept)
    places = tuple(kept.index(at) if at in kept else None for at in range(width))
    found = refit(bare, {"child": Fit(child, places)}).relation
    fits = len(found.fields) == len(positions) and operators(child) <= operators(relation.child)
    return found if fits else None


def _pick(relation: Relation, positions: tuple[int, ...]) -> Relation:
    chosen = [relation.fields[at] for at in positions]
    names = [field.name for field in chosen]
    if len(set(names)) != len(names):
        names = [f"x{at}" for at in range(1, len(names) + 1)]
    return Project(relation, tuple(Item(name, field.column()) for name, field in zip(names, chosen, strict=True)))
