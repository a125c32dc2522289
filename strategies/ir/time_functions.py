"""Functions of dates and timestamps."""

from __future__ import annotations

from strategies.ir.signatures import ANY, Signature
from strategies.ir.types import BIGINT, DATE, INT, INTERVAL, MONTHS, STRING, TIME, TIMESTAMP, TIMESTAMP_NTZ, Decimal

_MAX_DAYS = 10_000
_MAX_MICROS = _MAX_DAYS * 86_400_000_000
_INSTANTS = {TIMESTAMP, TIMESTAMP_NTZ}
_TIMES = {DATE, *_INSTANTS}
_UNITS = ("YEAR", "QUARTER", "MONTH", "WEEK")

_FIELD = Signature((ANY,), INT, over=_TIMES.__contains__)
_CLOCK = Signature((ANY,), INT, over=_INSTANTS.__contains__)
_BETWEEN = Signature((ANY, ANY), BIGINT, over=_INSTANTS.__contains__)
_MOVED = Signature((ANY, INT), ANY, (1,), lambda count: abs(count) <= _MAX_DAYS, _INSTANTS.__contains__)

TIME_FUNCTIONS: dict[str, Signature] = {
    "year": _FIELD,
    "quarter": _FIELD,
    "month": _FIELD,
    "day": _FIELD,
    "day_of_week": _FIELD,
    "day_of_week_iso": _FIELD,
    "weekday": _FIELD,
    "day_of_year": _FIELD,
    "week_of_year": _FIELD,
    "year_of_week": _FIELD,
    "hour": _CLOCK,
    "minute": _CLOCK,
    "second": _CLOCK,
    "second_fraction": Signature((ANY,), Decimal(8, 6), over=_INSTANTS.__contains__),
    "last_day": Signature((DATE,), DATE),
    "first_of_month": Signature((DATE,), DATE),
    "start_of": Signature((DATE, STRING), DATE, (1,), _UNITS.__contains__),
    "truncated": Signature((ANY, STRING), ANY, (1,), (*_UNITS, "DAY", "HOUR").__contains__, _INSTANTS.__contains__),
    "make_date": Signature((INT, INT, INT), DATE, (1, 2), lambda month, day: 1 <= month <= 12 and 1 <= day <= 28),
    "date_diff": Signature((DATE, DATE), INT),
    "date_add": Signature((DATE, INT), DATE, (1,), lambda days: abs(days) <= _MAX_DAYS),
    "add_months": Signature((DATE, INT), DATE, (1,), lambda months: abs(months) <= 1_000),
    "plus_days": _MOVED,
    "plus_hours": _MOVED,
    "plus_months": Signature((ANY, INT), ANY, (1,), lambda count: abs(count) <= 1_000, _INSTANTS.__contains__),
    "plus_interval": Signature(
        (TIMESTAMP_NTZ, INTERVAL), TIMESTAMP_NTZ, (1,), lambda micros: abs(micros) <= _MAX_MICROS
    ),
    "time_between": Signature((TIMESTAMP_NTZ, TIMESTAMP_NTZ), INTERVAL),
    "interval_days": Signature((INTERVAL,), INT),
    "interval_hours": Signature((INTERVAL,), INT),
    "plus_month_interval": Signature(
        (ANY, MONTHS), ANY, (1,), lambda months: abs(months) <= 1_000, _TIMES.__contains__
    ),
    "month_interval": Signature((INT,), MONTHS),
    "interval_years": Signature((MONTHS,), INT),
    "interval_months": Signature((MONTHS,), INT),
    "hour_of_time": Signature((TIME,), INT),
    "minute_of_time": Signature((TIME,), INT),
    "second_of_time": Signature((TIME,), INT),
    "days_between": _BETWEEN,
    "hours_between": _BETWEEN,
    "months_between_whole": _BETWEEN,
    "unix_date": Signature((DATE,), INT),
    "unix_seconds": Signature((TIMESTAMP,), BIGINT),
    "unix_millis": Signature((TIMESTAMP,), BIGINT),
    "unix_micros": Signature((TIMESTAMP,), BIGINT),
    "day_name": Signature((DATE,), STRING),
    "month_name": Signature((DATE,), STRING),
    "clock_text": Signature((ANY,), STRING, over=_INSTANTS.__contains__),
    "minute_text": Signature((ANY,), STRING, over=_INSTANTS.__contains__),
}
"""``make_date`` is NULL for a year out of the calendar. ``interval_hours`` are those beside whole days,
``interval_months`` those beside whole years.
"""
