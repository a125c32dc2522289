"""The size of a case: a tuple that every accepted reduction decreases."""

from __future__ import annotations

from dataclasses import fields

from oracles.reductions.repoint import position
from strategies.ir import (
    BINARY,
    BOOLEAN,
    DATE,
    FLOATING,
    INT,
    INTERVAL,
    LANGUAGES,
    MONTHS,
    RANDOM_FUNCTIONS,
    STRING,
    TIME,
    WHOLE,
    Aggregate,
    AnyLimit,
    Array,
    Case,
    Col,
    Collated,
    Decimal,
    GroupingSets,
    Item,
    Join,
    Lateral,
    Limit,
    Lit,
    Map,
    Node,
    Pivot,
    Project,
    RandomColumn,
    RandomTest,
    Recursive,
    Relation,
    Repartition,
    SetOp,
    Settings,
    Sort,
    SortKey,
    SqlType,
    Struct,
    Typed,
    TypedMap,
    UserCall,
    Value,
    init_fields,
    is_in_python,
    operators,
    walk,
)

Size = tuple[int, ...]

_LADDER = 10
_NULL_COST = 1_000
_USER_CALL = 20
"""The nodes that a function of users counts for: more than its meaning has, which may take its place."""


def simple_values(kind: SqlType) -> tuple[Value, ...]:
    """Values of ``kind`` that are easy to read, ascending, the simplest first; never NULL."""
    steps = range(_LADDER)
    if kind == BOOLEAN:
        return (False, True)
    if kind in (*WHOLE, INTERVAL, MONTHS):
        return tuple(steps)
    if kind == TIME:
        return tuple(step * 1_000 for step in steps)
    if kind in FLOATING:
        return tuple(float(step).hex() for step in steps)
    if kind == STRING or isinstance(kind, Collated):
        return tuple("abcdefghij")
    if kind == BINARY:
        return tuple(letter.encode().hex() for letter in "abcdefghij")
    if isinstance(kind, Decimal):
        if kind.precision == kind.scale:
            return tuple(f"0.{step:0{kind.scale}d}" for step in steps)
        return tuple(f"{step}.{'0' * kind.scale}".removesuffix(".") for step in steps)
    if isinstance(kind, Array):
        return ((), *((value,) for value in simple_values(kind.element)))
    if isinstance(kind, Map):
        key = simple_values(kind.key)[0]
        return ((), *(((key, value),) for value in simple_values(kind.value)))
    if isinstance(kind, Struct):
        return tuple(zip(*(simple_values(field) for _, field in kind.fields), strict=False))
    days = tuple(f"2020-01-{step + 1:02d}" for step in steps)
    return days if kind == DATE else tuple(f"{day} 00:00:00.000000" for day in days)


def cost(kind: SqlType, value: Value) -> int:
    """The distance of ``value`` from a simple one. NULL costs most, so that a NULL left in a minimized case matters."""
    if value is None:
        return _NULL_COST
    simple = simple_values(kind)
    return simple.index(value) if value in simple else _LADDER + len(str(value))


def size(case: Case) -> Size:
    """Operators, rows, relations, expression nodes, columns, their places, hazards, types, constants, settings.

    The numbers are compared in this order: fewer operators outweigh all other numbers.
    """
    nodes = list(walk(case.query))
    relations = [node for node in nodes if isinstance(node, Relation)]
    literals = [node for node in nodes if isinstance(node, Lit)]
    calls = sum(isinstance(node, (UserCall, Typed)) or is_in_python(node) for node in nodes)
    columns = [column for table in case.database.tables for column in table.columns]
    return (
        operators(case.query),
        case.database.row_count,
        len(relations),
        len(nodes) - len(relations) + _USER_CALL * calls + (len(list(walk(case.partition))) if case.partition else 0),
        len(columns),
        sum(map(_distance, nodes)),
        sum(map(_hazards, nodes)),
        sum(kind != INT for kind in [column.type for column in columns] + [literal.kind for literal in literals]),
        sum(cost(literal.kind, literal.value) for literal in literals) + _cells(case) + sum(map(_counts, nodes)),
        sum(_off_default(getattr(case.settings, field.name), field.default) for field in fields(Settings)),
    )


def _off_default(value: object, default: object) -> int:
    """The distance of a setting from its default: for numbers their difference, for entries of a configuration their
    number, else 1 if it is not the default.
    """
    if isinstance(value, tuple):
        return len(value)
    return abs(value - default) if isinstance(value, int) and isinstance(default, int) else int(value != default)


def _cells(case: Case) -> int:
    return sum(
        cost(column.type, value)
        for table in case.database.tables
        for row in table.rows
        for column, value in zip(table.columns, row, strict=True)
    )


def _counts(node: Node) -> int:
    if isinstance(node, Repartition):
        return node.count or 0
    if isinstance(node, Recursive):
        return node.steps
    return node.count + node.offset if isinstance(node, (Limit, AnyLimit)) else 0


def _distance(node: Node) -> int:
    """The sum of the positions in its input of the columns that ``node`` passes on."""
    if not isinstance(node, LISTS):
        return 0
    fields = node.child.fields
    return sum(position(item.value, fields) for item in items_of(node) if isinstance(item.value, Col))


def _hazards(node: Node) -> int:
    if isinstance(node, SortKey):
        return node.descending + (not node.nulls_first)
    if isinstance(node, Sort):
        return node.within
    if isinstance(node, Repartition):
        return node.kind != "repartition"
    if isinstance(node, SetOp):
        return 0  # neither of ALL and DISTINCT is the simpler one
    if isinstance(node, Join):
        return (node.kind not in ("inner", "cross")) + isinstance(node, Lateral) + (node.hint is not None)
    if isinstance(node, RandomTest):
        return node != RandomTest("<", 1)
    if isinstance(node, TypedMap):
        return node.function != "same"
    if isinstance(node, RandomColumn):
        return node.function != RANDOM_FUNCTIONS[0]
    if isinstance(node, UserCall):
        return node.language != LANGUAGES[0]
    if isinstance(node, LISTS):
        sets = len(node.grouped_by) if isinstance(node, GroupingSets) else 0
        return sets + sum(reuses_name(item, node) for item in items_of(node))
    return sum(
        value is True for name, value in init_fields(node).items() if name in ("negated", "distinct", "ignore_nulls")
    )


Listing = Project | Aggregate | GroupingSets | Pivot
LISTS = (Project, Aggregate, GroupingSets, Pivot)
"""Relations whose first fields are items over the fields of their child."""


def items_of(relation: Listing) -> tuple[Item, ...]:
    """The items of ``relation``, in the order of its fields."""
    if isinstance(relation, Project):
        return relation.items
    return relation.keys if isinstance(relation, Pivot) else (*relation.keys, *relation.aggregates)


def reuses_name(item: Item, relation: Listing) -> bool:
    """Whether ``item`` has the name of an input column without being that column."""
    same = isinstance(item.value, Col) and item.value.name == item.name
    return not same and any(field.name == item.name for field in relation.child.fields)
