"""Constants as users write them in Spark SQL, where such a literal has the very type of the constant."""

from __future__ import annotations

from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOATING,
    INT,
    INTERVAL,
    MONTHS,
    SMALLINT,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    Decimal,
    SqlType,
    Value,
)

_SUFFIXES: dict[SqlType, str] = {INT: "", BIGINT: "L", SMALLINT: "S", TINYINT: "Y"}
_WORDS: dict[SqlType, str] = {DATE: "DATE", TIMESTAMP: "TIMESTAMP", TIMESTAMP_NTZ: "TIMESTAMP_NTZ"}


def plain_literal(kind: SqlType, value: Value) -> str | None:
    """``value``, of a type that is no text, binary, array or struct, as a literal; None if no literal has that type."""
    if kind == BOOLEAN:
        return str(value).upper()
    if kind in _SUFFIXES:
        return f"{value}{_SUFFIXES[kind]}"
    if kind in (INTERVAL, MONTHS):
        return span_literal(kind, int(str(value)))
    if kind == TIME:
        return time_literal(int(str(value)))
    if kind in _WORDS:
        return f"{_WORDS[kind]} '{value}'"
    if kind in FLOATING:
        number = float.fromhex(str(value))
        suffix = "D" if kind == DOUBLE else "F"
        return f"{number!r}{suffix}" if abs(number) < float("inf") else None  # NaN isn't less, either
    assert isinstance(kind, Decimal)
    return _decimal(kind, str(value))


def span_literal(kind: SqlType, value: int) -> str:
    """The only way to write an interval of ``value`` microseconds, or of so many months."""
    sign = "-" if value < 0 else ""
    if kind == MONTHS:
        years, months = divmod(abs(value), 12)
        return f"INTERVAL '{sign}{years}-{months}' YEAR TO MONTH"
    day, clock = _days_and_clock(abs(value))
    return f"INTERVAL '{sign}{day} {clock}' DAY TO SECOND"


def time_literal(nanos: int) -> str:
    """The time of day that is ``nanos`` after midnight; they are whole microseconds."""
    _, clock = _days_and_clock(nanos // 1_000)
    return f"TIME '{clock}'"


def _days_and_clock(micros: int) -> tuple[int, str]:
    seconds, fraction = divmod(micros, 1_000_000)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    day, hour = divmod(hours, 24)
    return day, f"{hour:02d}:{minute:02d}:{second:02d}.{fraction:06d}"


def _decimal(kind: Decimal, text: str) -> str | None:
    """Spark takes the digits of a literal for its precision."""
    whole, point, fraction = text.lstrip("-").partition(".")
    digits = max(len((whole + fraction).lstrip("0")), len(fraction), 1)
    return (text if point else f"{text}BD") if digits == kind.precision else None
