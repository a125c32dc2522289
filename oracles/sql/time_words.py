"""Templates for functions of dates and timestamps: Spark's, then DuckDB's."""

from __future__ import annotations

_WHOLE_UNITS = "((epoch_us({{0}}) - (epoch_us({{0}}) % {0} + {0}) % {0}) // {0})"

_BETWEEN = "date_sub('{}', CAST({{}} AS TIMESTAMP), CAST({{}} AS TIMESTAMP))"  # with a zone, a day may be lost

_DAY = "CAST(CAST({} AS TIMESTAMP) AS DATE)"
_TIME = "CAST(CAST({} AS TIMESTAMP) AS TIME)"
_END = (  # the end's day, or the day before if the end's time of day is earlier than the start's; the same backwards
    f"({_DAY.format('{1}')} + CASE WHEN {_DAY.format('{1}')} > {_DAY.format('{0}')}"
    f" AND {_TIME.format('{1}')} < {_TIME.format('{0}')} THEN -1 WHEN {_DAY.format('{1}')} < {_DAY.format('{0}')}"
    f" AND {_TIME.format('{1}')} > {_TIME.format('{0}')} THEN 1 ELSE 0 END)"
)
_IN_MONTHS_OF_32_DAYS = "((year({0}) * 12 + month({0})) * 32 + day({0}))"
_MONTHS_BETWEEN = (  # as java.time.LocalDate.until; DuckDB's date_sub counts up to a month's last day as a whole month
    f"(({_IN_MONTHS_OF_32_DAYS.format(_END)} - {_IN_MONTHS_OF_32_DAYS.format(_DAY.format('{0}'))}) // 32)"
)

_DAY_MICROS, _HOUR_MICROS = 86_400_000_000, 3_600_000_000

TIME_WORDS: dict[str, tuple[str, str]] = {
    "year": ("year({})", "CAST(year({}) AS INTEGER)"),
    "quarter": ("quarter({})", "CAST(quarter({}) AS INTEGER)"),
    "month": ("month({})", "CAST(month({}) AS INTEGER)"),
    "day": ("day({})", "CAST(day({}) AS INTEGER)"),
    "day_of_week": ("dayofweek({})", "CAST(dayofweek({}) + 1 AS INTEGER)"),  # Sunday is 1 in Spark, 0 in DuckDB
    "day_of_week_iso": ("extract(DAYOFWEEK_ISO FROM {})", "CAST(isodow({}) AS INTEGER)"),
    "weekday": ("weekday({})", "CAST(isodow({}) - 1 AS INTEGER)"),
    "day_of_year": ("dayofyear({})", "CAST(dayofyear({}) AS INTEGER)"),
    "week_of_year": ("weekofyear({})", "CAST(weekofyear({}) AS INTEGER)"),
    "year_of_week": ("extract(YEAROFWEEK FROM {})", "CAST(isoyear({}) AS INTEGER)"),
    "hour": ("hour({})", "CAST(hour({}) AS INTEGER)"),
    "minute": ("minute({})", "CAST(minute({}) AS INTEGER)"),
    "second": ("second({})", "CAST(second({}) AS INTEGER)"),
    "second_fraction": (
        "extract(SECOND FROM {})",
        "CAST(CAST(microsecond({}) AS DECIMAL(18,0)) / 1000000 AS DECIMAL(8,6))",
    ),
    "last_day": ("last_day({})", "last_day({})"),
    "first_of_month": ("trunc({}, 'MM')", "CAST(date_trunc('month', {}) AS DATE)"),
    "start_of": ("trunc({}, {})", "CAST(date_trunc({1}, {0}) AS DATE)"),
    "truncated": ("CAST(date_trunc({1}, {0}) AS {result})", "CAST(date_trunc({1}, {0}) AS {result})"),
    "make_date": (
        "make_date(CASE WHEN {0} BETWEEN 1 AND 9999 THEN {0} END, {1}, {2})",
        "make_date(CASE WHEN {0} BETWEEN 1 AND 9999 THEN {0} END, {1}, {2})",
    ),
    "date_diff": ("datediff({}, {})", "CAST({} - {} AS INTEGER)"),
    "date_add": ("date_add({}, {})", "({} + {})"),
    "add_months": ("add_months({}, {})", "CAST({} + to_months({}) AS DATE)"),
    "plus_days": ("({} + make_dt_interval({}))", "({} + to_days({}))"),
    "plus_hours": ("({} + make_dt_interval(0, {}))", "({} + to_hours({}))"),
    "plus_months": ("({} + make_ym_interval(0, {}))", "({} + to_months({}))"),
    "plus_interval": ("({} + {})", "({} + to_microseconds({}))"),
    # In DuckDB an interval is a number of microseconds, whose division rounds towards zero.
    "time_between": ("({} - {})", "(epoch_us({}) - epoch_us({}))"),
    "interval_days": ("extract(DAY FROM {})", f"CAST({{}} // {_DAY_MICROS} AS INTEGER)"),
    "interval_hours": (
        "CAST(extract(HOUR FROM {}) AS INT)",
        f"CAST({{}} % {_DAY_MICROS} // {_HOUR_MICROS} AS INTEGER)",
    ),
    # In DuckDB a number of months; its division of INTEGERs rounds towards zero.
    "plus_month_interval": ("({} + {})", "CAST({} + to_months({}) AS {result})"),
    "month_interval": ("make_ym_interval(0, {})", "({})"),
    "interval_years": ("extract(YEAR FROM {})", "({} // 12)"),
    # In DuckDB a number of nanoseconds.
    "hour_of_time": ("hour({})", f"CAST({{}} // {_HOUR_MICROS}000 AS INTEGER)"),
    "minute_of_time": ("minute({})", "CAST({} // 60000000000 % 60 AS INTEGER)"),
    "second_of_time": ("second({})", "CAST({} // 1000000000 % 60 AS INTEGER)"),
    "interval_months": ("CAST(extract(MONTH FROM {}) AS INT)", "({} % 12)"),
    "days_between": ("timestampdiff(DAY, {}, {})", _BETWEEN.format("day")),
    "hours_between": ("timestampdiff(HOUR, {}, {})", _BETWEEN.format("hour")),
    "months_between_whole": ("timestampdiff(MONTH, {}, {})", _MONTHS_BETWEEN),
    "unix_date": ("unix_date({})", "CAST({} - DATE '1970-01-01' AS INTEGER)"),
    # epoch_ms rounds, and a double doesn't have enough digits.
    "unix_seconds": ("unix_seconds({})", _WHOLE_UNITS.format(1_000_000)),
    "unix_millis": ("unix_millis({})", _WHOLE_UNITS.format(1_000)),
    "unix_micros": ("unix_micros({})", "epoch_us({})"),
    "day_name": ("dayname({})", "left(dayname({}), 3)"),
    "month_name": ("monthname({})", "left(monthname({}), 3)"),
    # A text that is read again as it was written: SimplifyDateTimeConversions leaves the first writing alone.
    "clock_text": (
        "date_format(to_timestamp(date_format({}, 'HH:mm'), 'HH:mm'), 'HH:mm')",
        "strftime({}, '%H:%M')",
    ),
    "minute_text": ("date_format({}, 'yyyy-MM-dd HH:mm')", "strftime({}, '%Y-%m-%d %H:%M')"),
}
