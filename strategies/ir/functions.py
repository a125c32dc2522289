"""Signatures of the scalar functions of the query algebra.

Only what both engines can be made to agree about is here; a function's rendering is each compiler's own.
All functions are total on the arguments that their ``check`` admits, and NULL for a NULL argument unless
a compiler's table says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from strategies.ir.types import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    SqlType,
    Value,
)

Constants = tuple[Value | None, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """Argument types, result type, and which arguments must be literals (``constants``) that pass ``check``.

    ``check`` is given the values of the constant arguments in order; it keeps out the arguments on which
    the engines differ or raise (position 0, negative lengths).
    """

    arguments: tuple[SqlType, ...]
    result: SqlType
    constants: tuple[int, ...] = ()
    check: Callable[..., bool] = lambda *_: True


_MAX_DAYS = 10_000

FUNCTIONS: dict[str, Signature] = {
    # strings
    "upper": Signature((STRING,), STRING),
    "lower": Signature((STRING,), STRING),
    "length": Signature((STRING,), INT),
    "octet_length": Signature((STRING,), INT),
    "trim": Signature((STRING,), STRING),
    "ltrim": Signature((STRING,), STRING),
    "rtrim": Signature((STRING,), STRING),
    "concat": Signature((STRING, STRING), STRING),
    "replace": Signature((STRING, STRING, STRING), STRING),
    "starts_with": Signature((STRING, STRING), BOOLEAN),
    "ends_with": Signature((STRING, STRING), BOOLEAN),
    "contains": Signature((STRING, STRING), BOOLEAN),
    "position": Signature((STRING, STRING), INT),
    "substring": Signature((STRING, INT, INT), STRING, (1, 2), lambda start, size: start != 0 and size >= 0),
    "left": Signature((STRING, INT), STRING, (1,), lambda size: size >= 0),
    "right": Signature((STRING, INT), STRING, (1,), lambda size: size >= 0),
    "lpad": Signature((STRING, INT, STRING), STRING, (1, 2), lambda size, pad: size <= 50 and pad != ""),
    "like": Signature((STRING, STRING), BOOLEAN, (1,), lambda pattern: "$" not in pattern),
    "binary_length": Signature((BINARY,), INT),
    "hex": Signature((BINARY,), STRING),
    # dates and timestamps
    "year": Signature((DATE,), INT),
    "quarter": Signature((DATE,), INT),
    "month": Signature((DATE,), INT),
    "day": Signature((DATE,), INT),
    "day_of_week": Signature((DATE,), INT),
    "day_of_year": Signature((DATE,), INT),
    "last_day": Signature((DATE,), DATE),
    "first_of_month": Signature((DATE,), DATE),
    "date_diff": Signature((DATE, DATE), INT),
    "date_add": Signature((DATE, INT), DATE, (1,), lambda days: abs(days) <= _MAX_DAYS),
    "hour": Signature((TIMESTAMP_NTZ,), INT),
    "minute": Signature((TIMESTAMP_NTZ,), INT),
    "unix_micros": Signature((TIMESTAMP,), BIGINT),
    # doubles
    "abs": Signature((DOUBLE,), DOUBLE),
    "is_nan": Signature((DOUBLE,), BOOLEAN),
    "nanvl": Signature((DOUBLE, DOUBLE), DOUBLE),
}
