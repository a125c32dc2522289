"""How a comparator is made wrong: ways to lose, add or overlook something while reading or while comparing."""

from __future__ import annotations

import itertools
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

import pyarrow as pa

from oracles.answers.outcome import Cell, Payload, Row, Rows, rows_from_arrow
from tests.meta.comparator_laws import Comparator
from tests.meta.comparator_pairs import MICROS_PER_DAY

SERIAL = itertools.count()

CellEdit = Callable[[str, Payload], Payload]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong comparator, and the name of the law that must convict it."""

    comparator: Comparator
    law: str


# Faults of reading: the real rows, and then something is lost or added.


def reads(name: str, law: str, change: Callable[[Rows], Rows]) -> Mutant:
    return Mutant(Comparator(name, rows=lambda table, ordered: change(rows_from_arrow(table, ordered))), law)


def of_type(prefix: str, edit: Callable[[Payload], Payload]) -> Callable[[Rows], Rows]:
    """Changes the values of the types that begin with ``prefix``, also inside of lists and structs."""

    def change_cell(cell: Cell) -> Cell:
        if cell is None:
            return None
        tag, payload = cell
        inner = tuple(map(change_cell, payload)) if isinstance(payload, tuple) else payload
        return tag, edit(inner) if tag.startswith(prefix) else inner

    return lambda rows: replace(rows, rows=tuple(tuple(map(change_cell, row)) for row in rows.rows))


def retyped(retype: Callable[[str], str], edit: CellEdit = lambda _, payload: payload) -> Callable[[Rows], Rows]:
    """Changes the texts of types, and the values where another type needs another form."""

    def change_cell(cell: Cell) -> Cell:
        if cell is None:
            return None
        tag, payload = cell
        inner = tuple(map(change_cell, payload)) if isinstance(payload, tuple) else edit(tag, payload)
        return retype(tag), inner

    def change(rows: Rows) -> Rows:
        cells = tuple(tuple(map(change_cell, row)) for row in rows.rows)
        return Rows(tuple(map(retype, rows.schema)), cells, rows.ordered)

    return change


def null_as(prefix: str, payload: Payload) -> Callable[[Rows], Rows]:
    """Reads NULL as a value of its column's type."""

    def change(rows: Rows) -> Rows:
        instead = [(tag, payload) if tag.startswith(prefix) else None for tag in rows.schema]
        filled = (tuple(cell or other for cell, other in zip(row, instead, strict=True)) for row in rows.rows)
        return replace(rows, rows=tuple(filled))

    return change


def null_as_serial(rows: Rows) -> Rows:
    """Reads every NULL as a value that hasn't been there before."""
    filled = (
        tuple((tag, next(SERIAL)) if cell is None else cell for tag, cell in zip(rows.schema, row, strict=True))
        for row in rows.rows
    )
    return replace(rows, rows=tuple(filled))


def rows_where(keep: Callable[[Row], bool]) -> Callable[[Rows], Rows]:
    return lambda rows: replace(rows, rows=tuple(filter(keep, rows.rows)))


def first_chunk(table: pa.Table, ordered: bool) -> Rows:
    return rows_from_arrow(pa.Table.from_batches(table.to_batches()[:1], table.schema), ordered)


def columns(part: slice) -> Callable[[Rows], Rows]:
    return lambda rows: Rows(rows.schema[part], tuple(row[part] for row in rows.rows), rows.ordered)


def reschemed(name: str, law: str, texts: Callable[[pa.Field], str]) -> Mutant:
    """Lets more of an Arrow field than its SQL type count."""

    def read(table: pa.Table, ordered: bool) -> Rows:
        rows, schema = rows_from_arrow(table, ordered), tuple(map(texts, table.schema))
        retagged = (tuple(cell and (tag, cell[1]) for tag, cell in zip(schema, row, strict=True)) for row in rows.rows)
        return Rows(schema, tuple(retagged), ordered)

    return Mutant(Comparator(name, rows=read), law)


def rereads_doubles(name: str, law: str, kind: pa.DataType, read_cell: Callable[[object], Payload]) -> Mutant:
    """Reads the columns of type ``kind`` in its own way."""

    def read(table: pa.Table, ordered: bool) -> Rows:
        rows = rows_from_arrow(table, ordered)
        cells = [list(column) for column in zip(*rows.rows, strict=True)] if rows.rows else []
        own = {index: table.column(index).to_pylist() for index, field in enumerate(table.schema) if field.type == kind}
        for index, values in own.items() if cells else ():
            cells[index] = [None if value is None else (rows.schema[index], read_cell(value)) for value in values]
        return replace(rows, rows=tuple(zip(*cells, strict=True)) if cells else rows.rows)

    return Mutant(Comparator(name, rows=read), law)


# Faults of comparing: the rows are right, and then they are compared wrongly.


def compares(name: str, law: str, differ: Callable[[Rows, Rows], dict[Row, int]]) -> Mutant:
    """Finds the wrong surplus, and judges by it."""

    def judge(one: Rows, two: Rows) -> bool:
        in_order = one.ordered and two.ordered
        return one.schema == two.schema and not differ(one, two) and (not in_order or one.rows == two.rows)

    return Mutant(Comparator(name, diff=differ, same=judge), law)


def judges(name: str, law: str, judge: Callable[[Rows, Rows], bool]) -> Mutant:
    """Finds the right surplus, and doesn't judge by it."""
    return Mutant(Comparator(name, same=judge), law)


def matches(name: str, law: str, equal: Callable[[Cell, Cell], bool]) -> Mutant:
    """Pairs rows off one by one, with an equality that is none."""

    def differ(one: Rows, two: Rows) -> dict[Row, int]:
        surplus, rest = Counter[Row](), list(two.rows)
        for row in one.rows:
            partner = next((other for other in rest if len(row) == len(other) and all(map(equal, row, other))), None)
            if partner is None:
                surplus[row] += 1
            else:
                rest.remove(partner)
        surplus.subtract(Counter(rest))
        return {row: copies for row, copies in surplus.items() if copies}

    return compares(name, law, differ)


def surplus_of(one: Iterable[Row], two: Iterable[Row]) -> dict[Row, int]:
    surplus = Counter(one)
    surplus.subtract(Counter(two))
    return {row: copies for row, copies in surplus.items() if copies}


def checksum(rows: Rows) -> int:
    total = 0
    for row in rows.rows:
        total ^= zlib.crc32(repr(row).encode())
    return total


def text_of(edit: Callable[[str], str]) -> Callable[[Payload], Payload]:
    return lambda payload: edit(payload) if isinstance(payload, str) else payload


def bytes_of(edit: Callable[[bytes], bytes]) -> Callable[[Payload], Payload]:
    return lambda payload: edit(payload) if isinstance(payload, bytes) else payload


def integer_of(edit: Callable[[int], int]) -> Callable[[Payload], Payload]:
    return lambda payload: edit(payload) if isinstance(payload, int) else payload


def cells_of(edit: Callable[[tuple[Cell, ...]], tuple[Cell, ...]]) -> Callable[[Payload], Payload]:
    return lambda payload: edit(payload) if isinstance(payload, tuple) else payload


def nearly(one: Cell, two: Cell) -> bool:
    if one is None or two is None or one[0] != two[0] or one[0] != "double":
        return one == two
    first, second = float.fromhex(str(one[1])), float.fromhex(str(two[1]))
    return one == two or abs(first - second) <= 1e-9 * max(abs(first), abs(second)) < float("inf")


def is_nan(cell: Cell) -> bool:
    return cell == ("double", "nan")


def double_or_null(one: Cell, two: Cell) -> bool:
    return all(cell is None or cell[0] == "double" for cell in (one, two))


def as_days(tag: str, payload: Payload) -> Payload:
    return payload * MICROS_PER_DAY if tag.startswith("date32") and isinstance(payload, int) else payload


def as_raw(tag: str, payload: Payload) -> Payload:
    return payload.encode() if tag == "string" and isinstance(payload, str) else payload


def as_number(tag: str, payload: Payload) -> Payload:
    """A double and a decimal as the text of one number."""
    if tag == "double" and isinstance(payload, str):
        return str(float.fromhex(payload))
    if tag.startswith("decimal") and isinstance(payload, str):
        return str(float(payload))
    return str(float(payload)) if tag.startswith("int") and isinstance(payload, int) else payload


def normalized(tag: str, payload: Payload) -> Payload:
    return str(Decimal(payload).normalize()) if tag.startswith("decimal") and isinstance(payload, str) else payload
