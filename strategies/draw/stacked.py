"""Draw an operator right above another one, for the rules that move operators past each other."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn

from strategies.draw.aggregates import aggregates
from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.exprs import predicates
from strategies.draw.items import named
from strategies.draw.joins import join_conditions, side
from strategies.draw.limits import limited
from strategies.draw.operands import Fields
from strategies.draw.ranks import among_the_first, ranks
from strategies.draw.scopes import fresh_alias, scope
from strategies.draw.setops import fitting_table
from strategies.draw.windows import window, window_over
from strategies.ir import (
    BOOLEAN,
    Aggregate,
    Alias,
    And,
    Database,
    Distinct,
    Filter,
    Generate,
    Join,
    Lit,
    Or,
    Project,
    Relation,
    Scan,
    SetOp,
    Window,
    from_fields,
    referable,
    scans,
)


def _filtered(draw: DrawFn, schema: Database, child: Relation, room: int) -> Relation:
    fields = scope(from_fields(child))
    if (found := ranks(child)) and not one_in(draw, 3):
        return Filter(child, among_the_first(draw, found))
    if (made := made_fields(child)) and one_in(draw, 2):
        return Filter(child, draw(predicates(made, depth=0)))
    if isinstance(child, Join) and one_in(draw, 2) and (sides := _sides(child)):
        one, two = (draw(predicates(side, depth=0)) for side in sides)
        return Filter(child, pick(draw, (Or, And))(one, two))
    return Filter(child, draw(predicates(fields, depth=draw(below(2)))))


def made_fields(child: Relation) -> Fields:
    """The fields that ``child`` itself computes: a condition on them must stay above it."""
    match child:
        case Aggregate(keys=keys):
            width = len(keys)
        case Window(child=below) | Generate(child=below):
            width = len(below.fields)
        case _:
            return ()
    fields = scope(child.fields)
    return tuple(field for field in fields[width:] if field in referable(fields))


def _sides(join: Join) -> tuple[Fields, Fields] | None:
    """The fields of ``join``'s left and right side that a condition above it can refer to; None if a side has none."""
    fields = scope(from_fields(join))
    known, left = referable(fields), len(from_fields(join.left))
    one, two = (tuple(field for field in part if field in known) for part in (fields[:left], fields[left:]))
    return (one, two) if one and two else None


def _chosen(draw: DrawFn, schema: Database, child: Relation, room: int) -> Relation:
    """Some of the columns, of one side only where there are sides."""
    fields = scope(child.fields)
    sides = sorted({field.qualifier for field in child.fields if field.qualifier is not None})
    side = pick(draw, sides) if sides else None
    shown = [field for field, full in zip(fields, child.fields, strict=True) if side in (None, full.qualifier)]
    columns = [field for field in referable(tuple(shown)) if field in referable(fields)]
    if not columns:
        return Distinct(child)
    chosen = [pick(draw, columns).column() for _ in range(pick(draw, (1, 2)))]
    return Project(child, named(draw, fields, chosen))


def _grouped(draw: DrawFn, schema: Database, child: Relation, room: int) -> Relation:
    fields = scope(child.fields)
    known = referable(fields)
    keys = [pick(draw, known).column()] if known and not one_in(draw, 3) else []
    result = draw(aggregates(fields, bits=field_bits(child), depth=0))
    items = named(draw, fields, (*keys, result))
    return Aggregate(child, items[: len(keys)], items[len(keys) :])


def _met(draw: DrawFn, schema: Database, child: Relation, room: int) -> Relation:
    """Rows that have a partner in a table, or have none, or beside their partners; now and then just if that has any
    such row, or with nothing to meet.
    """
    left = side(draw, child)
    read = {scan.table for scan in scans(child)}
    others = [table for table in schema.tables if table.name not in read]
    table = pick(draw, schema.tables if not others or one_in(draw, 4) else others)
    scan = Scan(table.name, table.columns)
    right = Alias(Filter(scan, Lit(BOOLEAN, False)) if one_in(draw, 12) else scan, fresh_alias(left))
    own = scope(from_fields(left) + right.fields)[len(left.fields) :]
    on = draw(predicates(own, depth=0) if one_in(draw, 4) else join_conditions(left, right))
    fits = most_rows(left) * most_rows(right) <= MAX_JOINED_ROWS
    return Join(left, right, pick(draw, ("semi", "anti", "inner", "inner") if fits else ("semi", "anti")), on)


def _cut(draw: DrawFn, schema: Database, child: Relation, room: int) -> Relation:
    """The first rows in an order of all columns."""
    return limited(draw, child)


def _windowed(draw: DrawFn, schema: Database, child: Relation, room: int) -> Relation:
    """A window of the same partition or order, if the child is one, or any window."""
    return window_over(draw, child) if isinstance(child, Window) else window(draw, child)


def _united(draw: DrawFn, schema: Database, child: Relation, room: int) -> Relation:
    """Rows together with those of a table; now and then of some columns, where there is room for that, too."""
    left = _chosen(draw, schema, child, room) if room > 0 and one_in(draw, 2) else child
    return SetOp("union", left, fitting_table(draw, schema, left), not one_in(draw, 3))


MOVED: tuple[Callable[[DrawFn, Database, Relation, int], Relation], ...] = (
    *[_filtered] * 3,
    *[_chosen] * 2,
    *[_met] * 3,
    *[_grouped] * 2,
    _united,
    *[_cut] * 2,
    *[_windowed] * 2,
)
"""Each puts an operator over a relation, or two where ``room`` is left for more; the first is the simplest."""
