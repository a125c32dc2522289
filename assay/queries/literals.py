"""Collect the constants that queries compare their columns with, so that filters let some drawn rows through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal as Number
from decimal import InvalidOperation

from sqlglot import exp

from assay.queries.texts import QueryText
from strategies.ir import (
    BIGINT,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Database,
    Decimal,
    InvalidQuery,
    SqlType,
    Value,
    check_value,
)

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.Between, exp.In, exp.Like)


def compared_literals(queries: Iterable[QueryText], schema: Database) -> dict[tuple[str, str], tuple[Value, ...]]:
    """By table and column: the constants that queries compare a column of this name with, and values next to them."""
    found: dict[tuple[str, str], dict[Value, None]] = {}
    by_name: dict[str, list[tuple[str, str, SqlType]]] = {}
    for table in schema.tables:
        for column in table.columns:
            by_name.setdefault(column.name.casefold(), []).append((table.name, column.name, column.type))
    for name, constant in (pair for query in queries if query.tree for pair in _compared(query.tree)):
        for table_name, column_name, kind in by_name.get(name, ()):
            found.setdefault((table_name, column_name), {}).update(dict.fromkeys(values_near(kind, constant)))
    return {place: tuple(values) for place, values in found.items() if values}


def _compared(tree: exp.Expr) -> Iterator[tuple[str, str]]:
    """Columns' names in lower case, each with the text of a constant that it is compared with."""
    for node in tree.find_all(*_COMPARISONS):
        if node.find(exp.Query):
            continue
        constants = [each.name for each in node.find_all(exp.Literal)]
        for column in node.find_all(exp.Column):
            yield from ((column.name.casefold(), constant) for constant in constants)


def values_near(kind: SqlType, constant: str) -> list[Value]:
    """The value of ``kind`` of a constant, and the values next to it; none if the constant is no value of ``kind``."""
    read = _READERS.get(type(kind) if isinstance(kind, Decimal) else kind)
    near: list[Value] = []
    if read is None:
        return near
    with suppress(ValueError, InvalidOperation, OverflowError):
        for value in read(kind, constant):
            with suppress(InvalidQuery):
                check_value(kind, value)
                near.append(value)
    return near


def _integers(_: SqlType, text: str) -> list[Value]:
    number = int(text)
    return [number, number - 1, number + 1]


def _decimals(kind: SqlType, text: str) -> list[Value]:
    assert isinstance(kind, Decimal)
    unit = Number(1).scaleb(-kind.scale)
    number = Number(text).quantize(unit)
    return [format(each, "f") for each in (number, number - unit, number + unit)]


def _strings(_: SqlType, text: str) -> list[Value]:
    # Texts that fit a LIKE: its wildcards replaced by nothing, and by something.
    return [*dict.fromkeys((text, text.replace("%", "").replace("_", "x"), text.replace("%", " ").replace("_", "x")))]


def _dates(_: SqlType, text: str) -> list[Value]:
    day = date.fromisoformat(text[:10])
    return [each.isoformat() for each in (day, day - timedelta(days=1), day + timedelta(days=1))]


def _instants(_: SqlType, text: str) -> list[Value]:
    moment = datetime.fromisoformat(text).replace(tzinfo=None)
    step = timedelta(microseconds=1)
    return [each.isoformat(sep=" ", timespec="microseconds") for each in (moment, moment - step, moment + step)]


_READERS: Mapping[object, Callable[[SqlType, str], list[Value]]] = {
    SMALLINT: _integers,
    INT: _integers,
    BIGINT: _integers,
    Decimal: _decimals,
    DOUBLE: lambda _, text: [float(text).hex()],
    STRING: _strings,
    DATE: _dates,
    TIMESTAMP: _instants,
    TIMESTAMP_NTZ: _instants,
}
