"""Planted faults in how values and their types are read: each comparator is wrong in one thing of theirs."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import pyarrow as pa

from oracles.answers.outcome import rows_from_arrow
from oracles.answers.rows import diff, same
from tests.meta.comparator_faults import (
    SERIAL,
    Mutant,
    as_days,
    as_number,
    as_raw,
    bytes_of,
    cells_of,
    double_or_null,
    integer_of,
    is_nan,
    judges,
    matches,
    nearly,
    normalized,
    null_as,
    null_as_serial,
    of_type,
    reads,
    rereads_doubles,
    retyped,
    rows_where,
    text_of,
)
from tests.meta.comparator_laws import Comparator
from tests.meta.comparator_pairs import INT, MICROS_PER_DAY, STRING


def _maps_as_lists(table: pa.Table) -> pa.Table:
    entries = pa.list_(pa.struct([("key", STRING), ("value", INT)]))
    columns = [each.cast(entries) if pa.types.is_map(each.type) else each for each in table.columns]
    return pa.table(columns, names=table.column_names)


VALUE_MUTANTS = (
    # Types
    reads("types ignored", "different: 1 and TRUE", retyped(lambda tag: "any")),
    judges(
        "types ignored where there are no values",
        "different: types of empty results",
        lambda a, b: not diff(a, b) and (not (a.ordered and b.ordered) or a.rows == b.rows),
    ),
    judges(
        "types of empty results ignored",
        "different: types of empty results",
        lambda a, b: same(a, b) or not (a.rows or b.rows),
    ),
    reads(
        "widths of integers ignored",
        "different: widths of integers",
        retyped(lambda tag: re.sub(r"int\d+", "int", tag)),
    ),
    reads("1 = TRUE", "different: 1 and TRUE in a list", retyped(lambda tag: re.sub(r"int\d+|bool", "int", tag))),
    reads(
        "1 = '1'",
        "different: 1 and '1'",
        retyped(lambda tag: re.sub(r"int\d+|string", "text", tag), lambda tag, payload: str(payload)),
    ),
    reads("1 = 1.0", "different: 1 and 1.0", retyped(lambda tag: re.sub(r"int\d+|double", "number", tag), as_number)),
    reads(
        "1 = the decimal 1",
        "different: 1 and the decimal 1",
        retyped(lambda tag: re.sub(r"int\d+|decimal128\(\d+, \d+\)", "number", tag), as_number),
    ),
    reads(
        "1.5 = the decimal 1.5",
        "different: 1.5 and the decimal 1.5",
        retyped(lambda tag: re.sub(r"double|decimal128\(\d+, \d+\)", "number", tag), as_number),
    ),
    reads(
        "precision ignored", "different: precision of empty results", retyped(lambda tag: re.sub(r"\(\d+, ", "(", tag))
    ),
    reads(
        "precision and scale ignored",
        "different: precisions of a decimal",
        retyped(lambda tag: re.sub(r"\(\d+, \d+\)", "", tag)),
    ),
    reads(
        "text of normalized decimals",
        "different: scales of a decimal",
        retyped(lambda tag: re.sub(r"\(\d+, \d+\)", "", tag), normalized),
    ),
    reads("time zone ignored", "different: with and without a zone", retyped(lambda tag: tag.replace(", tz=UTC", ""))),
    reads(
        "a day = its midnight",
        "different: a day and its midnight",
        retyped(lambda tag: tag.replace("date32[day]", "timestamp[us]"), as_days),
    ),
    reads(
        "a day = its number",
        "different: a day and its number",
        retyped(lambda tag: tag.replace("date32[day]", "int32")),
    ),
    reads(
        "text = its bytes",
        "different: text and its bytes",
        retyped(lambda tag: tag.replace("string", "binary"), as_raw),
    ),
    reads(
        "types of lists' children ignored",
        "different: empty lists of other types",
        retyped(lambda tag: re.sub(r"list<.*>", "list", tag)),
    ),
    reads(
        "names of fields ignored",
        "different: names of a struct's fields",
        retyped(lambda tag: re.sub(r"\w+: ", "", tag)),
    ),
    reads(
        "names of fields unquoted", "different: a field and a name like one", retyped(lambda tag: tag.replace('"', ""))
    ),
    reads(
        "a list = a struct",
        "different: a list and a struct",
        retyped(lambda tag: re.sub(r"struct<p: (.*)>", r"list<\1>", tag)),
    ),
    # NULL
    reads("NULL = ''", "different: NULL and ''", null_as("string", "")),
    reads("NULL = 'NULL'", "different: NULL and 'NULL'", null_as("string", "NULL")),
    reads("NULL = 0", "different: NULL and 0", null_as("int", 0)),
    reads("NULL = false", "different: NULL and false", null_as("bool", False)),
    reads("NULL = NaN", "different: NULL and NaN", null_as("double", "nan")),
    reads("NULL = no bytes", "different: NULL and no bytes", null_as("binary", b"")),
    reads("NULL = the epoch", "different: NULL and the epoch", null_as("date32", 0)),
    reads("NULL = an empty list", "different: NULL and an empty list", null_as("list", ())),
    reads("NULL = a list of NULL", "different: NULL and a list of NULL", null_as("list", (None,))),
    reads("NULL = a struct of NULLs", "different: NULL and a struct of NULLs", null_as("struct", (None, None))),
    matches("NULL equals anything", "different: NULL and a value", lambda x, y: x is None or y is None or x == y),
    reads("NULL equals nothing", "equal: NULL and NULL", null_as_serial),
    reads("rows of NULLs dropped", "different: a row of NULLs and none", rows_where(lambda row: not row or any(row))),
    reads("rows with a NULL dropped", "different: NULL in another column", rows_where(all)),
    reads(
        "all NULLs of a row moved together",
        "different: NULL in another column",
        lambda rows: replace(rows, rows=tuple(tuple(None for _ in row) if None in row else row for row in rows.rows)),
    ),
    # Floating point
    matches(
        "NaN equals any number",
        "different: NaN and a number",
        lambda x, y: x == y or (double_or_null(x, y) and None not in (x, y) and (is_nan(x) or is_nan(y))),
    ),
    reads(
        "NaN equals nothing",
        "equal: NaN and NaN",
        of_type("double", lambda payload: f"nan {next(SERIAL)}" if payload == "nan" else payload),
    ),
    reads(
        "NaN = infinity",
        "different: NaN and infinity",
        of_type("double", text_of(lambda text: "inf" if text == "nan" else text)),
    ),
    reads(
        "infinities without sign",
        "different: infinities",
        of_type("double", text_of(lambda text: text.replace("-inf", "inf"))),
    ),
    rereads_doubles("-0.0 is no 0.0", "equal: -0.0 and 0.0", pa.float64(), lambda value: float(str(value)).hex()),
    rereads_doubles("-0.0 is no 0.0 in a list", "equal: -0.0 and 0.0 in a list", pa.list_(pa.float64()), str),
    rereads_doubles(
        "-0.0 is no 0.0 in a struct", "equal: -0.0 and 0.0 in a struct", pa.struct([("p", pa.float64())]), str
    ),
    matches("doubles within a tolerance", "different: the last bit of a double", nearly),
    reads(
        "tiny doubles are zero",
        "different: the least double and zero",
        of_type("double", text_of(lambda text: "0x0.0p+0" if "p-10" in text else text)),
    ),
    # Exact numbers
    reads(
        "decimals by float",
        "different: decimals beyond 53 bits",
        of_type("decimal", text_of(lambda text: str(float(text)))),
    ),
    reads("decimals rounded to one", "different: cents", of_type("decimal", text_of(lambda text: text[:-1]))),
    reads(
        "bigints by float",
        "different: integers beyond 53 bits",
        of_type("int64", integer_of(lambda value: int(float(value)))),
    ),
    reads(
        "bigints by 32 bits",
        "different: integers beyond 32 bits",
        of_type("int64", integer_of(lambda value: value % 2**32)),
    ),
    reads("signs ignored", "different: signs", of_type("int", integer_of(abs))),
    # Dates and timestamps
    reads("milliseconds", "different: microseconds", of_type("timestamp", integer_of(lambda value: value // 1_000))),
    reads("seconds", "different: milliseconds", of_type("timestamp", integer_of(lambda value: value // 1_000_000))),
    reads(
        "timestamps by date",
        "different: hours of a day",
        of_type("timestamp", integer_of(lambda value: value // MICROS_PER_DAY)),
    ),
    reads(
        "timestamps by time of day",
        "different: days at the same hour",
        of_type("timestamp", integer_of(lambda value: value % MICROS_PER_DAY)),
    ),
    reads(
        "timestamps by float",
        "different: the last microseconds of 64 bits",
        of_type("timestamp", integer_of(lambda value: int(float(value)))),
    ),
    reads(
        "dates end with the year 9999",
        "different: days beyond the year 9999",
        of_type("date32", integer_of(lambda value: min(value, 2_932_896))),
    ),
    reads("dates by month", "different: days", of_type("date32", integer_of(lambda value: value // 30))),
    # Text and binary
    reads("case folded", "different: case", of_type("string", text_of(str.casefold))),
    reads("trimmed", "different: leading space", of_type("string", text_of(str.strip))),
    reads("trailing space cut", "different: trailing space", of_type("string", text_of(str.rstrip))),
    reads(
        "blank = empty",
        "different: space and nothing",
        of_type("string", text_of(lambda text: "" if text.isspace() else text)),
    ),
    reads(
        "text ends with a zero byte",
        "different: trailing zero byte",
        of_type("string", text_of(lambda text: text.partition("\0")[0])),
    ),
    reads(
        "trailing zeros of digits cut",
        "different: digits of equal value",
        of_type("string", text_of(lambda text: re.sub(r"\.0+$", "", text))),
    ),
    reads(
        "text composed",
        "different: composed and decomposed",
        of_type("string", text_of(lambda text: unicodedata.normalize("NFC", text))),
    ),
    reads(
        "line ends unified", "different: line ends", of_type("string", text_of(lambda text: text.replace("\r\n", "\n")))
    ),
    reads("text cut at 255", "different: a long text's end", of_type("string", text_of(lambda text: text[:255]))),
    reads(
        "broken UTF-8 replaced",
        "different: two kinds of broken UTF-8",
        of_type("string", lambda raw: raw.decode(errors="replace") if isinstance(raw, bytes) else raw),
    ),
    reads(
        "broken UTF-8 escaped",
        "different: broken UTF-8 and its escape",
        of_type("string", lambda raw: raw.decode(errors="backslashreplace") if isinstance(raw, bytes) else raw),
    ),
    reads(
        "binary as text",
        "different: bytes that are no text",
        of_type("binary", bytes_of(lambda raw: raw.decode(errors="replace").encode())),
    ),
    reads("binary in lower case", "different: bytes that are letters", of_type("binary", bytes_of(bytes.lower))),
    reads(
        "binary ends with a zero byte",
        "different: bytes and one more",
        of_type("binary", bytes_of(lambda raw: raw.partition(b"\0")[0])),
    ),
    # Nested values
    reads(
        "order in lists ignored",
        "different: order in a list",
        of_type("list", cells_of(lambda cells: tuple(sorted(cells, key=repr)))),
    ),
    reads(
        "lists as sets",
        "different: repeats in a list",
        of_type("list", cells_of(lambda cells: tuple(sorted(set(cells), key=repr)))),
    ),
    reads("first element only", "different: length of a list", of_type("list", cells_of(lambda cells: cells[:1]))),
    reads(
        "NULLs in lists dropped",
        "different: NULL in a list",
        of_type("list", cells_of(lambda cells: tuple(filter(None, cells)))),
    ),
    reads(
        "NULL fields ignored",
        "different: NULL in a struct",
        of_type("struct", cells_of(lambda cells: tuple(cell or ("int32", 0) for cell in cells))),
    ),
    reads("values of maps ignored", "different: values of a map", of_type("entry", cells_of(lambda cells: cells[:1]))),
    reads("keys of maps ignored", "different: keys of a map", of_type("entry", cells_of(lambda cells: cells[1:]))),
    reads(
        "values of maps apart from their keys",
        "different: values of a map, changed about",
        of_type("map<", cells_of(lambda cells: tuple(sorted(part for _, pair in cells for part in pair)))),
    ),
    Mutant(
        Comparator(
            "entries of maps in their order",
            rows=lambda table, ordered: rows_from_arrow(_maps_as_lists(table), ordered),
        ),
        "equal: entries of a map in another order",
    ),
    reads(
        "a month is 30 days",
        "different: a month and 30 days",
        of_type("month", lambda payload: str(payload).replace("1 months 0 days", "0 months 30 days")),
    ),
    reads("intervals ignored", "different: intervals", of_type("duration", lambda payload: 0)),
    reads("times of day ignored", "different: times of day", of_type("time", lambda payload: 0)),
    reads("first field only", "different: last field", of_type("struct", cells_of(lambda cells: cells[:1]))),
    reads("first field ignored", "different: first field", of_type("struct", cells_of(lambda cells: cells[1:]))),
    reads(
        "order of fields ignored",
        "different: fields swapped",
        of_type("struct", cells_of(lambda cells: tuple(sorted(cells, key=repr)))),
    ),
    reads(
        "values in a list of structs ignored",
        "different: a struct in a list",
        of_type("list<struct", lambda payload: ()),
    ),
)
