"""Draw queries for large tables, with about as many rows as the tables, and independent of the order of their rows.

Joins have a key that is unique on one side, or are semi or anti joins; no sum depends on the order of the rows, and no
LIMIT takes some of many rows.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from strategies.draw.values import COLUMN_TYPES, NESTED_TYPES, domain
from strategies.ir import (
    BIGINT,
    DATE,
    INT,
    INTEGERS,
    INTERVAL,
    MONTHS,
    SMALLINT,
    STRING,
    TIME,
    TIMESTAMP_NTZ,
    Agg,
    AggFunction,
    Aggregate,
    Alias,
    And,
    Coalesce,
    Col,
    Column,
    Compare,
    CompareOp,
    Database,
    Decimal,
    Distinct,
    Expr,
    Field,
    Filter,
    IsNull,
    Item,
    Join,
    JoinKind,
    Lit,
    Not,
    Project,
    Relation,
    Scan,
    SetKind,
    SetOp,
    SqlType,
    Table,
    is_plain,
)

KEY = Column("k", BIGINT)
"""The first column of each table, with values that the tables share."""

_STORED = tuple(kind for kind in COLUMN_TYPES if kind not in (INTERVAL, MONTHS, TIME))
"""The plain types of columns. DuckDB, which compares large answers, has numbers in place of Spark's intervals and
times."""
_ORDERED: tuple[SqlType, ...] = (*INTEGERS, STRING, DATE, TIMESTAMP_NTZ)
_NESTED = 0.2
_STEPS = (0, 1, 1, 2)


def large_schema(random: Random) -> Database:
    """Two empty tables with the same columns: a key, and two to four columns of any type."""
    kinds = [random.choice(_STORED) for _ in range(random.randint(2, 4))]
    if random.random() < _NESTED:
        kinds[-1] = random.choice(NESTED_TYPES)
    columns = (KEY, *(Column(f"c{at}", kind) for at, kind in enumerate(kinds)))
    return Database((Table("t0", columns), Table("t1", columns)))


def large_query(schema: Database, random: Random) -> Relation:
    """A query over a :func:`large_schema`: up to two steps that keep the columns, and one at the end."""
    query: Relation = _scan(schema, random)
    for _ in range(random.choice(_STEPS)):
        query = random.choice((_filtered, _filled, _set_of))(query, schema, random)
    return random.choice(_ENDS)(query, schema, random)


def _scan(schema: Database, random: Random) -> Scan:
    table = random.choice(schema.tables)
    return Scan(table.name, table.columns)


def _column(query: Relation, random: Random, fits: Callable[[SqlType], bool] = lambda _: True) -> Col | None:
    found = [field for field in query.fields if fits(field.type)]
    return Col(*_bare(random.choice(found))) if found else None


def _bare(field: Field) -> tuple[str, SqlType]:
    return field.name, field.type


def _condition(query: Relation, random: Random) -> Expr:
    """A condition that some rows meet; on the key, whose values mostly differ from all constants, most rows meet it."""
    column = _column(query, random, is_plain)
    assert column is not None  # the key is plain
    if random.random() < 0.3:
        missing = IsNull(column)
        return missing if random.random() < 0.3 and column.name != KEY.name else Not(missing)
    ops: tuple[CompareOp, ...] = ("<>",) if column.name == KEY.name else ("=", "<>", "<", ">=", "<=>")
    op = random.choice(ops)
    return Compare(op, column, Lit(column.type, random.choice(domain(column.type))))


def _filtered(query: Relation, schema: Database, random: Random) -> Relation:
    return Filter(query, _condition(query, random))


def _filled(query: Relation, schema: Database, random: Random) -> Relation:
    """Replace NULLs of one column by a value that the column may have anyway."""
    filled = _column(query, random, is_plain)
    assert filled is not None  # the key is plain

    def value(field: Field) -> Expr:
        column = Col(*_bare(field))
        if column != filled:
            return column
        return Coalesce((column, Lit(field.type, random.choice(domain(field.type)))))

    return Project(query, tuple(Item(field.name, value(field)) for field in query.fields))


def _set_of(query: Relation, schema: Database, random: Random) -> Relation:
    other: Relation = _scan(schema, random)
    if random.random() < 0.5:
        other = _filtered(other, schema, random)
    kind: SetKind = random.choice(("except", "except", "intersect", "union"))
    return SetOp(kind, query, other, all=random.random() < 0.6)


def _distinct(query: Relation, schema: Database, random: Random) -> Relation:
    return Distinct(query)


def _grouped(query: Relation, schema: Database, random: Random) -> Relation:
    keys = random.sample(query.fields, random.randint(1, 2))
    items = tuple(Item(field.name, Col(*_bare(field))) for field in keys)
    return Aggregate(query, items, _figures(query, random))


def _figures(query: Relation, random: Random) -> tuple[Item, ...]:
    """Aggregates with the same values in any order of the rows, and without overflow."""
    figures = [Item("n", Agg("count"))]
    if column := _column(query, random):
        figures.append(Item("m", Agg("count", column, distinct=random.random() < 0.3)))
    if column := _column(query, random, _ORDERED.__contains__):
        function: AggFunction = random.choice(("min", "max"))
        figures.append(Item("x", Agg(function, column)))
    if column := _column(query, random, lambda kind: kind in (SMALLINT, INT) or isinstance(kind, Decimal)):
        figures.append(Item("s", Agg("sum", column)))
    return tuple(figures)


def _looked_for(query: Relation, schema: Database, random: Random) -> Relation:
    """A semi or anti join with another table."""
    kind: JoinKind = random.choice(("semi", "anti"))
    left, right = Alias(query, "l"), Alias(_scan(schema, random), "r")
    return Join(left, right, kind, _partners(left, right, random))


def _joined(query: Relation, schema: Database, random: Random) -> Relation:
    """An outer or inner join with one row per key, so that each row has at most one partner."""
    kind: JoinKind = random.choice(("inner", "left", "right", "full"))
    scan = _scan(schema, random)
    once = Aggregate(scan, (Item(KEY.name, Col(KEY.name, KEY.type)),), _figures(scan, random))
    left, right = Alias(query, "l"), Alias(once, "r")
    return Join(left, right, kind, _partners(left, right, random, keys_alone=True))


def _partners(left: Alias, right: Alias, random: Random, *, keys_alone: bool = False) -> Expr:
    op: CompareOp = random.choice(("=", "=", "<=>"))
    on: Expr = Compare(op, left.fields[0].column(), right.fields[0].column())
    if keys_alone or random.random() < 0.5:
        return on
    place = random.randrange(1, len(left.fields))
    one, other = left.fields[place], right.fields[place]
    return And(on, Compare(op, one.column(), other.column())) if is_plain(one.type) else on


_ENDS = (_set_of, _set_of, _distinct, _grouped, _looked_for, _joined, _joined)
