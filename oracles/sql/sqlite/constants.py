"""Constants in SQLite's SQL."""

from __future__ import annotations

import re

from oracles.sql.sqlite.values import Raw


def literal(raw: Raw) -> str:
    """A constant of any type in SQLite's SQL."""
    if raw is None:
        return "NULL"
    if isinstance(raw, bytes):
        return f"X'{raw.hex()}'"
    if isinstance(raw, float):
        return _double(raw)
    return quote_text(raw) if isinstance(raw, str) else f"({raw})"


def _double(number: float) -> str:
    if number in (float("inf"), float("-inf")):
        return "9e999" if number > 0 else "(-9e999)"
    text = repr(number)
    # SQLite may read a number with more digits or an exponent as a neighbouring double.
    return f"({text})" if re.fullmatch(r"-?\d{1,7}\.\d{1,7}", text) else f"assay_double('{number.hex()}')"


def quote_text(text: str) -> str:
    """A text constant in SQLite's SQL."""
    if "\0" in text:
        return f"CAST(X'{text.encode().hex()}' AS TEXT)"
    return "'" + text.replace("'", "''") + "'"
