"""Templates for SQLite: functions of the query algebra, by its own functions or installed ones (``assay_…``).

These are ``str.format`` templates as in :mod:`oracles.sql.words`; ``{first}`` is the name of the first argument's type
as a text, ``{unit}`` ten to the power of its scale. Each type of first argument has its own table, because SQLite's
encodings differ (see :mod:`oracles.sql.sqlite.values`). A function in no table is unsupported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oracles.sql.sqlite.values import MICROS_OF_A_DAY
from strategies.ir import DATE, DOUBLE, INTERVAL, MONTHS, TIME, TIMESTAMP, TIMESTAMP_NTZ, Array, Decimal, SqlType


def _given(names: Iterable[str], *arguments: str) -> dict[str, str]:
    """Templates for functions installed in SQLite under their own names."""
    return {name: f"assay_{name}({', '.join(arguments)})" for name in names}


_OF_ANY = {
    "field_of_json": "{}",
    "field_of_json_array": "{}",
    "is_struct_of_json": "({} IS NOT NULL)",
    "field_of_csv": "{}",
    "nvl": "coalesce({}, {})",
    "nvl2": "CASE WHEN {} IS NOT NULL THEN {} ELSE {} END",
}
_OF_PLAIN = {
    **_OF_ANY,
    # SQLite's max and min of two arguments are NULL if one of them is.
    "greatest": "coalesce(max({0}, {1}), {0}, {1})",
    "least": "coalesce(min({0}, {1}), {0}, {1})",
}

_NUMBERS = {
    "abs": "abs({})",
    "negative": "(-({}))",
    "sign": "CAST(({0} > 0) - ({0} < 0) AS REAL)",  # sign() is not in every build
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
    "integer_power": "assay_integer_power({}, {})",
    "bit_count": "assay_bit_count({})",
    "make_date": "assay_make_date({}, {}, {})",
    "chr": "char({})",
}

_CONDITIONS = {
    "is_true": "({} IS 1)",
    "is_not_true": "({} IS NOT 1)",
    "is_false": "({} IS 0)",
    "is_not_false": "({} IS NOT 0)",
    "is_unknown": "({} IS NULL)",
    "if": "CASE WHEN {} THEN {} ELSE {} END",
}

_TEXTS = {
    **_given(("upper", "lower", "length", "reverse", "ascii", "md5", "sha256"), "{}"),
    **_given(
        ("starts_with", "ends_with", "contains", "position", "left", "right", "split", "like", "ilike"), "{}", "{}"
    ),
    **_given(("substring", "lpad", "rpad", "replace", "translate", "split_part", "concat_ws"), "{}", "{}", "{}"),
    "like_all": "(assay_like({0}, {1}) AND assay_like({0}, {2}))",
    "like_any": "(assay_like({0}, {1}) OR assay_like({0}, {2}))",
    "not_like_all": "(NOT assay_like({0}, {1}) AND NOT assay_like({0}, {2}))",
    "not_like_any": "(NOT assay_like({0}, {1}) OR NOT assay_like({0}, {2}))",
    "repeat": "assay_repeat({}, {})",
    "octet_length": "length(CAST({} AS BLOB))",
    "bit_length": "(8 * length(CAST({} AS BLOB)))",
    "trim": "trim({}, ' ')",
    "ltrim": "ltrim({}, ' ')",
    "rtrim": "rtrim({}, ' ')",
    "trim_both": "trim({}, {})",
    "trim_leading": "ltrim({}, {})",
    "trim_trailing": "rtrim({}, {})",
    "concat": "({} || {})",
    "binary_length": "length({})",
    "binary_concat": "assay_binary_concat({}, {})",
    "hex": "assay_hex({})",  # SQLite's hex(NULL) is a text
}

_MICROS = f"({{}} * {MICROS_OF_A_DAY})"
_CALENDAR = ("year", "quarter", "month", "day", "day_of_week", "day_of_week_iso", "weekday", "day_of_year")
_FIELDS = (*_CALENDAR, "week_of_year", "year_of_week")
_HOURS = MICROS_OF_A_DAY // 24

_DATES = {
    **_given((*_FIELDS, "day_name", "month_name"), _MICROS),
    "date_diff": "({} - {})",
    "date_add": "assay_date({} + {})",
    "unix_date": "({})",
    "last_day": f"assay_day_of(assay_last_day({_MICROS}))",
    "first_of_month": f"assay_day_of(assay_truncated({_MICROS}, 'MONTH'))",
    "start_of": f"assay_day_of(assay_truncated({_MICROS}, {{}}))",
    "plus_month_interval": f"assay_day_of(assay_plus_months({_MICROS}, {{}}))",
    "add_months": f"assay_day_of(assay_plus_months({_MICROS}, {{}}))",
}
_INSTANTS = {
    **_given((*_FIELDS, "hour", "minute", "second", "minute_text"), "{}"),
    "second_fraction": "(({0} % 60000000 + 60000000) % 60000000)",
    "truncated": "assay_truncated({}, {})",
    "plus_days": f"assay_moment({{}} + {{}} * {MICROS_OF_A_DAY})",
    "plus_hours": f"assay_moment({{}} + {{}} * {_HOURS})",
    "plus_months": "assay_plus_months({}, {})",
    "plus_interval": "assay_moment({} + {})",
    "plus_month_interval": "assay_plus_months({}, {})",
    "time_between": "({} - {})",
    # Whole units, rounded towards zero by SQLite's division.
    "days_between": f"(({{1}} - {{0}}) / {MICROS_OF_A_DAY})",
    "hours_between": f"(({{1}} - {{0}}) / {_HOURS})",
    "unix_seconds": "assay_floor_quotient({}, 1000000)",
    "unix_millis": "assay_floor_quotient({}, 1000)",
    "unix_micros": "({})",
}

_INTERVALS = {
    "interval_days": f"({{}} / {MICROS_OF_A_DAY})",
    "interval_hours": f"({{}} % {MICROS_OF_A_DAY} / {_HOURS})",
}

_MONTHS = {
    "interval_years": "({} / 12)",
    "interval_months": "({} % 12)",
}
_TIMES = {
    "hour_of_time": f"({{}} / {_HOURS}000)",
    "minute_of_time": "({} / 60000000000 % 60)",
    "second_of_time": "({} / 1000000000 % 60)",
}

_DOUBLES = {
    **_given(("abs", "negative", "sign", "round", "round_half_even", "floor", "ceil", "square_root"), "{}"),
    "divide": "assay_divide({}, {})",
    "try_divide": "assay_divide({}, {})",
    "double_modulo": "assay_double_modulo({}, {})",
    "is_nan": "(coalesce({}, 0) = 'nan')",
    "nanvl": "CASE WHEN {0} = 'nan' THEN {1} ELSE {0} END",
}
_DECIMALS = {
    "abs": "abs({})",
    "negative": "(-({}))",
    "decimal_modulo": "assay_remainder({}, {})",
    "decimal_floor": "assay_floor_quotient({}, {unit})",
    "decimal_ceil": "assay_ceil_quotient({}, {unit})",
}

_ARRAYS = {
    **_given(
        (
            *("size", "array_min", "array_max", "array_sort", "sort_array", "sort_array_desc", "array_distinct"),
            *("array_reverse", "array_compact"),
        ),
        "{first}",
        "{}",
    ),
    **_given(
        (
            *("array_get", "array_at", "array_contains", "array_position", "array_concat", "array_append"),
            *("array_prepend", "array_remove", "array_join", "array_union", "array_except", "array_intersect"),
            "arrays_overlap",
        ),
        "{first}",
        "{}",
        "{}",
    ),
    "array_concat": "assay_array_concat({first}, {}, {})",
    "slice": "assay_slice({first}, {}, {}, {})",
}

_OTHERS: Mapping[str, str] = {**_NUMBERS, **_CONDITIONS, **_TEXTS, **_OF_PLAIN, "month_interval": "({})"}


def words_for(kind: SqlType) -> Mapping[str, str]:
    """The templates for functions whose first argument is of ``kind``."""
    if isinstance(kind, Array):
        return {**_ARRAYS, **_OF_ANY}
    special: dict[SqlType, dict[str, str]] = {
        DOUBLE: _DOUBLES,
        DATE: _DATES,
        TIMESTAMP: _INSTANTS,
        TIMESTAMP_NTZ: _INSTANTS,
        INTERVAL: _INTERVALS,
        MONTHS: _MONTHS,
        TIME: _TIMES,
    }
    own = _DECIMALS if isinstance(kind, Decimal) else special.get(kind)
    return _OTHERS if own is None else {**own, **_OF_PLAIN}
