"""Casts in SQLite's SQL, between the encodings of values (see :mod:`oracles.sql.sqlite.values`)."""

from __future__ import annotations

from oracles.sql.dialect import UnsupportedNode
from oracles.sql.sqlite.values import MICROS_OF_A_DAY
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    FLOATING,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    WHOLE,
    Decimal,
    SqlType,
    type_text,
)

_INSTANTS = (TIMESTAMP, TIMESTAMP_NTZ)
_WIDEST = 18
"""The most digits of decimals that always fit into SQLite's integers."""


def widened(text: str, source: SqlType, target: SqlType) -> str:
    """``text`` of type ``source`` as a value of ``target``, a type that contains all values of ``source``."""
    if source == target or (source in WHOLE and target in WHOLE) or (source in _INSTANTS and target in _INSTANTS):
        return text
    if source in WHOLE and target in FLOATING:
        return f"CAST({text} AS REAL)"
    if (source, target) == (FLOAT, DOUBLE):
        return text
    if source == DATE and target in _INSTANTS:
        return f"({text} * {MICROS_OF_A_DAY})"
    if isinstance(target, Decimal):
        require_narrow(target)
        scale = source.scale if isinstance(source, Decimal) else 0
        return text if target.scale == scale else f"({text} * {10 ** (target.scale - scale)})"
    raise UnsupportedNode(f"SqliteCompiler can't widen {type_text(source)} to {type_text(target)}")


def cast(text: str, source: SqlType, target: SqlType) -> str:
    """``text`` of type ``source``, cast to ``target``."""
    if source == BOOLEAN and target not in (STRING, BOOLEAN):
        return cast(text, BIGINT, target)
    if target == BOOLEAN and source != BOOLEAN:
        return f"({text} <> 0)"
    if target == STRING and source == BOOLEAN:
        return f"CASE {text} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"
    if target == STRING and source in WHOLE:
        return f"CAST({text} AS TEXT)"
    if target == STRING and isinstance(source, Decimal):
        return f"assay_decimal_text({text}, {source.scale})"
    if target == STRING and source == DATE:
        return f"assay_date_text({text})"
    if target == STRING and source in _INSTANTS:
        return f"assay_instant_text({text})"
    if target == BINARY and source == STRING:
        return f"CAST({text} AS BLOB)"
    if target == DOUBLE and isinstance(source, Decimal):
        return f"assay_quotient({text}, {10**source.scale})"
    if target == DATE and source in _INSTANTS:
        return f"assay_floor_quotient({text}, {MICROS_OF_A_DAY})"
    return widened(text, source, target)


def require_narrow(kind: Decimal) -> None:
    """Raise UnsupportedNode if a decimal of ``kind`` may have more digits than SQLite's integers."""
    if kind.precision > _WIDEST:
        raise UnsupportedNode(f"SqliteCompiler has no {type_text(kind)}: its integers have {_WIDEST} digits")
