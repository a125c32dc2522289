"""Draw values from a small hostile domain for each type, so that rows join, values repeat, and engines fail.

The values of one type are the same everywhere (cells, literals, every table), and those of types that
widen into one another overlap. All values have the same meaning in both engines: letters have single letters
as upper and lower case, doubles are dyadic and small (sums are exact in any order), never the greatest
double.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTERVAL,
    MONTHS,
    SMALLINT,
    STRING,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    WHOLE,
    Array,
    Collated,
    Decimal,
    Lit,
    Map,
    SqlType,
    Struct,
    Value,
    integer_range,
)

_PLACES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 0, 1, 0, 1, 2, 0)
INDEXES = len(_PLACES)
"""The bound of the indexes by which cells and literals of any type are drawn, so that a value keeps its place
in the domain when the shrinker changes a type. No domain is larger; its first values are drawn most."""

_INSTANTS = (
    "1970-01-01 00:00:00.000000",
    "2024-02-29 00:00:00.000000",
    "2024-02-29 12:34:56.123456",
    "1969-12-31 23:59:59.999999",
    "1900-01-01 00:00:00.000000",
    "9999-12-31 23:59:59.999999",
)

_DOMAINS: dict[SqlType, tuple[Value, ...]] = {
    BOOLEAN: (False, True),
    **{kind: (0, 1, 2, -1, 3, *reversed(integer_range(kind))) for kind in WHOLE},
    DOUBLE: (
        *(number.hex() for number in (0.0, 1.0, -0.0, -1.0, 0.5, 2.0, 2.75)),
        "nan",
        "inf",
        "-inf",
    ),
    # 0.1 is another number in 64 bits.
    FLOAT: (
        *(number.hex() for number in (0.0, 1.0, -0.0, -1.0, 0.5, 2.0)),
        "0x1.99999a0000000p-4",
        "nan",
        "inf",
        "-inf",
    ),
    STRING: ("", "a", "b", "A", "ab", " a", "é", "\N{MUSICAL SYMBOL G CLEF}", "\\'", "12", "a "),
    BINARY: ("", "61", "00", "ff", "6162", "6100"),
    DATE: ("1970-01-01", "2024-02-29", "2024-03-01", "1969-12-31", "0001-01-01", "9999-12-31"),
    TIMESTAMP: _INSTANTS,
    TIMESTAMP_NTZ: _INSTANTS,
    # Of a second, a microsecond, a day, a day and a half, and 25 years.
    INTERVAL: (
        *(0, 1_000_000, -1_000_000, 1, 86_400_000_000, -1, 129_600_000_000),
        *(-129_600_000_000, 800_000_000_000_000, -800_000_000_000_000),
    ),
    # A year, more and less, and a century.
    MONTHS: (0, 1, 12, -1, 13, -12, -13, 1_200, -1_200),
    # Midnight, a second and a microsecond later, noon, and the last microsecond of a day.
    TIME: (0, 1_000_000_000, 1_000, 43_200_000_000_000, 86_399_999_999_000),
}

COLUMN_TYPES: tuple[SqlType, ...] = (
    INT,
    STRING,
    BIGINT,
    DOUBLE,
    BOOLEAN,
    SMALLINT,
    DATE,
    Decimal(9, 2),
    TIMESTAMP_NTZ,
    TIMESTAMP,
    BINARY,
    Decimal(18, 4),
    TINYINT,
    FLOAT,
    Decimal(28, 6),
    INTERVAL,
    MONTHS,
    TIME,
)
"""The plain types that columns of base tables are drawn from, simplest first."""

PAIR = Struct((("p", INT), ("q", STRING)))

NESTED_TYPES: tuple[SqlType, ...] = (
    Array(INT),
    Array(STRING),
    PAIR,
    Array(DOUBLE),
    Struct((("d", DOUBLE), ("t", DATE))),
    Array(PAIR),
    Struct((("n", PAIR), ("r", BIGINT))),
)
"""The types made of plain types, drawn for a column now and then."""

MAX_ELEMENTS = 3
"""The most elements of an array in a cell or a literal."""


_MOST_DIGITS = 28
"""The most digits of drawn decimals: sums of all rows have ten more, which is what decimals can have."""


@cache
def domain(kind: SqlType) -> tuple[Value, ...]:
    """The values of ``kind`` to draw from, simplest first, without NULL."""
    if isinstance(kind, Decimal):
        unit = 10**kind.scale
        greatest = 10 ** min(kind.precision, _MOST_DIGITS) - 1
        digits = dict.fromkeys((0, unit, 1, -unit, 2, greatest, -greatest))
        return tuple(_decimal_text(number, kind.scale) for number in digits if abs(number) <= greatest)
    if isinstance(kind, Array):
        one, two, three, *_ = (*domain(kind.element), *domain(kind.element), None)
        return ((), (one,), (one, two), (None,), (two, None, two), (two, one, three))
    if isinstance(kind, Struct):
        ladder = [tuple(domain(field)[step] for _, field in kind.fields) for step in (0, 1)]
        mixed = tuple(None if place % 2 else value for place, value in enumerate(ladder[0]))
        other = tuple(value if place % 2 else None for place, value in enumerate(ladder[1]))
        return (*ladder, mixed, other, (None,) * len(kind.fields))
    if isinstance(kind, Collated):
        return domain(STRING)
    if isinstance(kind, Map):
        one, two, *_ = domain(kind.key)
        three, four, *_ = (*domain(kind.value), *domain(kind.value))
        return ((), ((one, three),), ((one, three), (two, four)), ((two, None),), ((two, three), (one, four)))
    return _DOMAINS[kind]


def _decimal_text(number: int, scale: int) -> str:
    digits = f"{abs(number):0{scale + 1}d}"
    whole, fraction = digits[: len(digits) - scale], digits[len(digits) - scale :]
    return ("-" if number < 0 else "") + (f"{whole}.{fraction}" if scale else whole)


def value_at(kind: SqlType, index: int) -> Value:
    """The value of ``kind`` for a drawn ``index``."""
    values = domain(kind)
    return values[_PLACES[index] % len(values)]


def one_of_two(kind: SqlType, index: int) -> Value:
    """The first or the third value of ``kind`` for a drawn ``index``, 0.0 or -0.0 of numbers that have both signs of
    zero; the first or the second one of types with two values.
    """
    values = domain(kind)
    return values[min(2, len(values) - 1)] if index % 2 else values[0]


@st.composite
def _values(draw: DrawFn, kind: SqlType, null_share: int) -> Value:
    return draw_value(draw, kind, null_share=null_share)


def draw_value(draw: DrawFn, kind: SqlType, *, null_share: int) -> Value:
    """One value of ``kind``, NULL in ``null_share`` of twenty.

    NULL or not and the value are drawn separately, so a NULL that survives shrinking matters.
    """
    index, twentieth = draw(below(INDEXES)), draw(below(20))
    return None if twentieth >= 20 - null_share else value_at(kind, index)


def draw_literal(draw: DrawFn, kind: SqlType) -> Lit:
    """One literal of ``kind``, NULL in one of twenty."""
    return Lit(kind, draw_value(draw, kind, null_share=1))


@cache
def values(kind: SqlType, *, allow_null: bool = True) -> SearchStrategy[Value]:
    """Values of ``kind``, NULL in three of ten; shrinks to false, 0, '' and the like."""
    return _values(kind, 6 if allow_null else 0)


@cache
def literals(kind: SqlType, *, allow_null: bool = True) -> SearchStrategy[Lit]:
    """Typed literals from the same domain as the cells, NULL in one of twenty."""
    return _values(kind, 1 if allow_null else 0).map(lambda value: Lit(kind, value))
