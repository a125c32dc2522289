"""Words for SQLite: the functions of the query algebra that it has, or is given (``assay_…``).

A word is a ``str.format`` template, as those in :mod:`oracles.sql.words`. Where a function needs other words for
doubles (whose NaN is a text in SQLite) or decimals, a table of their own has them. A function in no table is
unsupported.
"""

from __future__ import annotations

from collections.abc import Mapping

_WHOLE_NUMBERS = {
    "abs": "abs({})",
    "negative": "(-({}))",
    "sign": "CAST(sign({}) AS REAL)",
    "divide": "(CAST({} AS REAL) / nullif({}, 0))",
    "try_divide": "(CAST({} AS REAL) / nullif({}, 0))",
    "int_divide": "({} / nullif({}, 0))",
    "modulo": "({} % nullif({}, 0))",
    "positive_modulo": "((({0} % {1}) + {1}) % {1})",
    "bit_and": "({} & {})",
    "bit_or": "({} | {})",
    "bit_xor": "(({0} | {1}) - ({0} & {1}))",
    "bit_not": "(~({}))",
    "shift_left": "({} << {})",
    "shift_right": "({} >> {})",
}

_CONDITIONS = {
    "is_true": "({} IS 1)",
    "is_not_true": "({} IS NOT 1)",
    "is_false": "({} IS 0)",
    "is_not_false": "({} IS NOT 0)",
    "is_unknown": "({} IS NULL)",
    "if": "CASE WHEN {} THEN {} ELSE {} END",
    "nvl": "coalesce({}, {})",
    "nvl2": "CASE WHEN {} IS NOT NULL THEN {} ELSE {} END",
    # SQLite's max and min of two are NULL where one is.
    "greatest": "coalesce(max({0}, {1}), {0}, {1})",
    "least": "coalesce(min({0}, {1}), {0}, {1})",
}

_TEXTS = {
    "upper": "assay_upper({})",
    "lower": "assay_lower({})",
    "length": "assay_length({})",
    "octet_length": "length(CAST({} AS BLOB))",
    "bit_length": "(8 * length(CAST({} AS BLOB)))",
    "trim": "trim({}, ' ')",
    "ltrim": "ltrim({}, ' ')",
    "rtrim": "rtrim({}, ' ')",
    "trim_both": "trim({}, {})",
    "trim_leading": "ltrim({}, {})",
    "trim_trailing": "rtrim({}, {})",
    "concat": "({} || {})",
    "concat_ws": "assay_concat_ws({}, {}, {})",
    "reverse": "assay_reverse({})",
    "starts_with": "assay_starts_with({}, {})",
    "ends_with": "assay_ends_with({}, {})",
    "contains": "assay_contains({}, {})",
    "position": "assay_position({}, {})",
    "left": "assay_left({}, {})",
    "right": "assay_right({}, {})",
    "chr": "char({})",
    "binary_length": "length({})",
    "hex": "assay_hex({})",  # SQLite's of NULL is a text
}

_TIMES = {
    "date_diff": "({} - {})",
    "date_add": "assay_date({} + {})",
    "unix_date": "({})",
    "unix_micros": "({})",
}

SQLITE_FUNCTIONS: Mapping[str, str] = {**_WHOLE_NUMBERS, **_CONDITIONS, **_TEXTS, **_TIMES}
"""Where the first argument is neither a double nor a decimal."""

_DOUBLES = ("abs", "negative", "sign", "divide", "try_divide", "floor", "ceil", "square_root", "is_nan", "nanvl")
SQLITE_DOUBLE_FUNCTIONS: Mapping[str, str] = {
    **{name: f"assay_{name}({{}})" for name in _DOUBLES},
    "divide": "assay_divide({}, {})",
    "try_divide": "assay_divide({}, {})",
    "is_nan": "(coalesce({}, 0) = 'nan')",
    "nanvl": "CASE WHEN {0} = 'nan' THEN {1} ELSE {0} END",
    **{name: _CONDITIONS[name] for name in ("nvl", "nvl2", "greatest", "least")},
}
"""Where it is a double."""

SQLITE_DECIMAL_FUNCTIONS: Mapping[str, str] = {
    "abs": "abs({})",
    "negative": "(-({}))",
    **{name: _CONDITIONS[name] for name in ("nvl", "nvl2", "greatest", "least")},
}
"""Where it is a decimal of 18 digits or fewer."""
