"""Compare results: whether they are equal, which rows differ, and how to show and store them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from oracles.answers.outcome import KINDS, MONTHS, Cell, InvalidOutcome, Kind, Outcome, Payload, Raised, Row, Rows

_EPOCH = datetime(1970, 1, 1)


def diff(one: Rows, two: Rows) -> dict[Row, int]:
    """Surplus copies of each row: positive in ``one``, negative in ``two``; empty when the multisets are equal.

    This compares rows alone: it ignores their order, and types without any value. ``same`` compares both.
    """
    surplus = Counter(one.rows)
    surplus.subtract(Counter(two.rows))
    return {row: copies for row, copies in surplus.items() if copies}


def same(one: Rows, two: Rows) -> bool:
    """Whether both results have equal types and the same number of copies of each row.

    The order counts only if both results are ordered, and that of some columns only if both are ordered by these.
    """
    if one.schema != two.schema:
        return False
    if one.rows == two.rows:
        return True
    return not (_have_one_order([one, two]) and one.sequence != two.sequence) and not diff(one, two)


@dataclass(frozen=True, slots=True)
class DifferenceTable:
    """The differences among the answers of several legs, to be printed.

    :param legs: the names of the legs.
    :param schemas: the types of each leg's columns.
    :param counts: each row with different numbers of copies in the legs, with these numbers; in order of
        first appearance.
    :param parting: if all legs are ordered, or ordered by the same columns, and have the same rows in different orders:
        the first position at which they differ, from 0, and each leg's row there.
    """

    legs: tuple[str, ...]
    schemas: tuple[tuple[str, ...], ...]
    counts: tuple[tuple[Row, tuple[int, ...]], ...]
    parting: tuple[int, tuple[Row, ...]] | None

    @property
    def types(self) -> str:
        """One line: 'types equal: (int32)', or each leg's types."""
        if len(set(self.schemas)) <= 1:
            return f"types equal: {_types(self.schemas[0]) if self.schemas else '()'}"
        each = (f"{leg} {_types(schema)}" for leg, schema in zip(self.legs, self.schemas, strict=True))
        return f"types differ: {', '.join(each)}"


def difference_table(legs: Mapping[str, Rows]) -> DifferenceTable:
    """The rows in which ``legs`` differ, with their numbers of copies per leg."""
    counters = [Counter(leg.rows) for leg in legs.values()]
    rows = dict.fromkeys(row for leg in legs.values() for row in leg.rows)
    counted = ((row, tuple(counter[row] for counter in counters)) for row in rows)
    counts = tuple((row, copies) for row, copies in counted if len(set(copies)) > 1)
    parting = None if counts or not _have_one_order([*legs.values()]) else _parting([*legs.values()])
    return DifferenceTable(tuple(legs), tuple(leg.schema for leg in legs.values()), counts, parting)


def _have_one_order(legs: list[Rows]) -> bool:
    return len({(leg.ordered, leg.keys) for leg in legs}) == 1


def _parting(legs: list[Rows]) -> tuple[int, tuple[Row, ...]] | None:
    steps = enumerate(zip(*(leg.sequence for leg in legs), strict=True))
    place = next((position for position, cells in steps if len(set(cells)) > 1), None)
    return None if place is None else (place, tuple(leg.rows[place] for leg in legs))


def _types(schema: tuple[str, ...]) -> str:
    return f"({', '.join(schema)})"


def show_row(row: Row) -> str:
    """A row for a human reader: ``(NULL, 1, 'a')``."""
    return f"({', '.join(map(show, row))})"


def show(cell: Cell) -> str:
    """A value for a human reader, close to SQL; two cells of one type that differ are shown differently."""
    if cell is None:
        return "NULL"
    tag, payload = cell
    if tag == "entry" and isinstance(payload, tuple):
        return ": ".join(map(show, payload))
    if tag.startswith("map<") and isinstance(payload, tuple):
        return f"{{{', '.join(map(show, payload))}}}"
    if isinstance(payload, tuple):
        return f"[{', '.join(map(show, payload))}]" if tag.startswith("list") else show_row(payload)
    if isinstance(payload, bytes):
        return f"X'{payload.hex()}'"
    if tag == "bool":
        return "TRUE" if payload else "FALSE"
    if tag == "string":
        return repr(payload)
    if tag in ("double", "float", "halffloat"):
        return repr(float.fromhex(str(payload)))
    if tag == "date32[day]" and isinstance(payload, int):
        return _show_date(payload)
    if tag.startswith("timestamp[us") and isinstance(payload, int):
        return _show_timestamp(payload)
    return str(payload)


def _show_date(days: int) -> str:
    try:
        return date.fromordinal(_EPOCH.toordinal() + days).isoformat()
    except (OverflowError, ValueError):
        return f"day {days}"


def _show_timestamp(micros: int) -> str:
    try:
        return (_EPOCH + timedelta(microseconds=micros)).isoformat(sep=" ", timespec="microseconds")
    except OverflowError:
        return f"microsecond {micros}"


def to_plain(outcome: Outcome) -> dict[str, Any]:
    """``outcome`` as plain data for JSON: a cell is null or [type, value], bytes are {"hex": ...}."""
    if isinstance(outcome, Raised):
        fields = {name: getattr(outcome, name) for name in ("condition", "sqlstate", "message", "kind")}
        return {"raised": fields}
    rows = [[_plain_cell(cell) for cell in row] for row in outcome.rows]
    keys = {"keys": list(outcome.keys)} if outcome.keys else {}
    return {"schema": list(outcome.schema), "ordered": outcome.ordered, **keys, "rows": rows}


def _plain_cell(cell: Cell) -> list[Any] | None:
    return None if cell is None else [cell[0], _plain_payload(cell[1])]


def _plain_payload(payload: Payload) -> Any:
    if isinstance(payload, tuple):
        return [_plain_cell(item) for item in payload]
    return {"hex": payload.hex()} if isinstance(payload, bytes) else payload


def from_plain(plain: object) -> Outcome:
    """The outcome that ``to_plain`` wrote.

    :raises InvalidOutcome: ``plain`` is no such outcome.
    """
    match plain:
        case {
            "raised": {"condition": str(name), "sqlstate": str() | None as state, "message": str(text), "kind": kind}
        }:
            return Raised(name, state, text, _kind_from_plain(kind))
        case {"schema": list(schema), "ordered": bool(ordered), "rows": list(rows), **rest}:
            if all(isinstance(tag, str) for tag in schema):
                return Rows(tuple(schema), tuple(map(_row_from_plain, rows)), ordered, _keys_from_plain(rest))
    raise InvalidOutcome(f"neither rows nor an error: {plain!r:.200}")


def _keys_from_plain(rest: Mapping[object, object]) -> tuple[int, ...]:
    match rest:
        case {"keys": list(keys)} if all(isinstance(place, int) for place in keys):
            return tuple(keys)
        case {"keys": keys}:
            raise InvalidOutcome(f"not the numbers of columns: {keys!r:.200}")
    return ()


def _kind_from_plain(plain: object) -> Kind:
    for kind in KINDS:
        if kind == plain:
            return kind
    raise InvalidOutcome(f"unknown kind of error {plain!r:.200}: not one of {', '.join(KINDS)}")


def _row_from_plain(plain: object) -> Row:
    if not isinstance(plain, list):
        raise InvalidOutcome(f"not a row: {plain!r:.200}")
    return tuple(map(_cell_from_plain, plain))


def _cell_from_plain(plain: object) -> Cell:
    match plain:
        case None:
            return None
        case [str(tag), payload]:
            return tag, _payload_from_plain(tag, payload)
    raise InvalidOutcome(f"not a cell: {plain!r:.200}")


def _payload_from_plain(tag: str, plain: object) -> Payload:
    payload: Payload
    match plain:
        case bool() | int() | str():
            payload = plain
        case list():
            payload = tuple(map(_cell_from_plain, plain))
        case {"hex": str(digits), **rest} if not rest:
            payload = _bytes_from_hex(digits)
        case _:
            raise InvalidOutcome(f"not a value: {plain!r:.200}")
    # By exact type, not isinstance: a bool is an int to Python.
    if type(payload) not in _payload_types(tag):
        raise InvalidOutcome(f"not a value of type {tag}: {plain!r:.200}")
    return payload


def _payload_types(tag: str) -> tuple[type, ...]:
    if tag.startswith(("list<", "struct<", "map<")) or tag == "entry":
        return (tuple,)
    if tag == "string":
        return (str, bytes)
    if tag == "binary":
        return (bytes,)
    if tag == "bool":
        return (bool,)
    if tag.startswith(("int8", "int16", "int32", "int64", "uint", "date32", "timestamp", "duration")):
        return (int,)
    if tag in ("time", MONTHS):
        return (int,)
    return (str,)


def _bytes_from_hex(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise InvalidOutcome(f"not hexadecimal: {digits!r:.200}") from error
