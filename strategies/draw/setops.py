"""Draw right sides of set operators: relations with fitting columns, which are likely to share rows with the left."""

from __future__ import annotations

from dataclasses import replace

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.items import named
from strategies.draw.operands import Fields
from strategies.draw.scopes import scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    Cast,
    Col,
    Database,
    Distinct,
    Expr,
    Filter,
    Item,
    Project,
    Relation,
    Scan,
    SqlType,
    can_cast,
    common_type,
    from_fields,
    operators,
    referable,
    scans,
)


def fitting_scan(draw: DrawFn, schema: Database, left: Relation) -> Relation:
    """A scan of a table whose columns fit those of ``left``, or of any table if none fits; mostly of one that ``left``
    doesn't read.
    """
    tables = [Scan(table.name, table.columns) for table in schema.tables]
    types, read = tuple(field.type for field in left.fields), set(scans(left))
    fitting = [scan for scan in tables if _fits(scan, types)] or tables
    others = [scan for scan in fitting if scan not in read]
    return pick(draw, fitting if not others or one_in(draw, 4) else others)


def fitting_table(draw: DrawFn, schema: Database, left: Relation) -> Relation:
    """A table, or a projection of one, that fits ``left``; now and then its columns are in another order, or under each
    other's names.
    """
    scan = fitting_scan(draw, schema, left)
    right = fitted(draw, scan, tuple(field.type for field in left.fields))
    return turned(draw, right) if right is scan and one_in(draw, 2) else right


def variant(draw: DrawFn, left: Relation, room: int) -> Relation:
    """``left`` with another filter, and now and then with its columns, or only their names, in another order, as
    columns correspond by position; or, if it is a projection, with other columns of its types. It has at most ``room``
    operators, besides the projection for that order.
    """
    above = operators(left) < room and one_in(draw, 4)
    distinct = len({field.name for field in left.fields}) == len(left.fields)
    if isinstance(left, Project) and distinct and not above and one_in(draw, 4):
        return _other(draw, left)
    base = left.child if isinstance(left, Filter) and not above else left
    filtered = base if one_in(draw, 8) else Filter(base, draw(predicates(scope(from_fields(base)))))
    fields = scope(filtered.fields)
    names = {field.name for field in fields}
    if len(fields) == 1 or len(names) < len(fields):
        return filtered
    if _turned_within_types(fields) != fields:
        return turned(draw, filtered) if one_in(draw, 2) else filtered
    return _in_order(draw, filtered, fields, fields[1:] + fields[:1]) if one_in(draw, 4) else filtered


def _other(draw: DrawFn, left: Project) -> Project:
    """``left`` with other columns of its types, of the same relation, in place of the columns that it shows."""
    columns = [field.column() for field in referable(scope(left.child.fields))]
    items = []
    for item in left.items:
        others = [column for column in columns if column.type == item.value.type]
        items.append(replace(item, value=pick(draw, others)) if isinstance(item.value, Col) and others else item)
    return replace(left, items=tuple(items))


def can_turn(relation: Relation) -> bool:
    """Whether ``relation`` has two columns of one type, and all have names of their own."""
    fields = scope(relation.fields)
    has_names = len({field.name for field in fields}) == len(fields) and referable(fields) == fields
    return has_names and _turned_within_types(fields) != fields


def turned(draw: DrawFn, relation: Relation) -> Relation:
    """``relation`` with its columns of each type, or only their names, in another order, if there is one."""
    fields = scope(relation.fields)
    return _in_order(draw, relation, fields, _turned_within_types(fields)) if can_turn(relation) else relation


def _in_order(draw: DrawFn, relation: Relation, fields: Fields, order: Fields) -> Relation:
    if one_in(draw, 2):
        return Project(relation, tuple(Item(field.name, field.column()) for field in order))
    return Project(relation, _named_as(fields, order))


def _turned_within_types(fields: Fields) -> Fields:
    """``fields`` with the fields of each type rotated by one position among themselves."""
    order = list(fields)
    for kind in dict.fromkeys(field.type for field in fields):
        places = [place for place, field in enumerate(fields) if field.type == kind]
        for place, other in zip(places, places[1:] + places[:1], strict=True):
            order[place] = fields[other]
    return tuple(order)


def with_names_turned(draw: DrawFn, child: Relation) -> Relation:
    """A projection of columns under each other's names; DISTINCT where columns have no names of their own."""
    fields = scope(child.fields)
    if len(referable(fields)) < len(fields) or len({field.name for field in fields}) < len(fields):
        return Distinct(child)
    return Project(child, renamed(fields, 1 + draw(below(len(fields)))))


def renamed(fields: Fields, turn: int) -> tuple[Item, ...]:
    """``fields``, which have distinct names, as items with the names rotated by ``turn`` positions."""
    turn %= len(fields)
    return _named_as(fields, fields[turn:] + fields[:turn])


def _named_as(names: Fields, fields: Fields) -> tuple[Item, ...]:
    return tuple(Item(name.name, field.column()) for name, field in zip(names, fields, strict=True))


def _fits(relation: Relation, types: tuple[SqlType, ...]) -> bool:
    return len(relation.fields) == len(types) and all(
        common_type(field.type, kind) is not None for field, kind in zip(relation.fields, types, strict=True)
    )


def fitted(draw: DrawFn, relation: Relation, types: tuple[SqlType, ...]) -> Relation:
    """``relation``, or a projection of it, as the other side of a set operator over columns of ``types``."""
    if _fits(relation, types):
        return relation
    fields = scope(relation.fields)
    items = named(draw, fields, [_fit(draw, fields, kind) for kind in types])
    columns = tuple(Item(item.value.name, item.value) for item in items if isinstance(item.value, Col))
    return Project(relation, columns if len(columns) == len(items) and one_in(draw, 4) else items)


def _fit(draw: DrawFn, fields: Fields, kind: SqlType) -> Expr:
    columns = [field.column() for field in referable(fields)]
    same = [column for column in columns if column.type == kind]
    wider = [column for column in columns if common_type(column.type, kind) is not None]
    if same or wider:
        return pick(draw, same or wider)
    casts = [Cast(column, kind) for column in columns if can_cast(column.type, kind)]
    return pick(draw, casts) if casts else draw_literal(draw, kind)
