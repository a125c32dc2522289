"""Functions of dates and timestamps to install in SQLite; timestamps are microseconds since the epoch."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime, timedelta

from oracles.sql.sqlite.values import EPOCH, EPOCH_DAY, MICROS_OF_A_DAY, Raw

_MICROS = timedelta(microseconds=1)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _moment(micros: int) -> datetime:
    """The timestamp; raises OverflowError beyond the calendar."""
    return EPOCH + timedelta(microseconds=micros)


def _micros(moment: datetime) -> int:
    return (moment - EPOCH) // _MICROS


def _field(read: Callable[[datetime], Raw]) -> Callable[[int], Raw]:
    return lambda micros: read(_moment(micros))


def _truncated(micros: int, unit: str) -> int:
    moment = _moment(micros)
    start = moment.replace(minute=0, second=0, microsecond=0)
    if unit == "HOUR":
        return _micros(start)
    start = start.replace(hour=0)
    if unit == "WEEK":
        start -= timedelta(days=start.weekday())
    first = {"YEAR": 1, "QUARTER": (start.month - 1) // 3 * 3 + 1, "MONTH": start.month}
    return _micros(start.replace(month=first[unit], day=1) if unit in first else start)


def _plus_months(micros: int, months: int) -> int:
    moment = _moment(micros)
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    return _micros(moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1])))


def _last_day(micros: int) -> int:
    moment = _moment(micros)
    return _micros(moment.replace(day=monthrange(moment.year, moment.month)[1]))


def _make_date(year: int, month: int, day: int) -> Raw:
    return date(year, month, day).toordinal() - EPOCH_DAY if 1 <= year <= 9999 else None


def _checked_date(days: int) -> int:
    date.fromordinal(days + EPOCH_DAY)  # raises beyond the calendar
    return days


def _instant_text(micros: int) -> str:
    return _moment(micros).isoformat(sep=" ", timespec="microseconds").rstrip("0").rstrip(".")


TIME_FUNCTIONS: dict[str, Callable[..., Raw]] = {
    "year": _field(lambda moment: moment.year),
    "quarter": _field(lambda moment: (moment.month - 1) // 3 + 1),
    "month": _field(lambda moment: moment.month),
    "day": _field(lambda moment: moment.day),
    "day_of_week": _field(lambda moment: moment.isoweekday() % 7 + 1),
    "day_of_week_iso": _field(lambda moment: moment.isoweekday()),
    "weekday": _field(lambda moment: moment.weekday()),
    "day_of_year": _field(lambda moment: moment.timetuple().tm_yday),
    "week_of_year": _field(lambda moment: moment.isocalendar().week),
    "year_of_week": _field(lambda moment: moment.isocalendar().year),
    "hour": _field(lambda moment: moment.hour),
    "minute": _field(lambda moment: moment.minute),
    "second": _field(lambda moment: moment.second),
    "day_name": _field(lambda moment: _DAYS[moment.weekday()]),
    "month_name": _field(lambda moment: _MONTHS[moment.month - 1]),
    "minute_text": _field(lambda moment: moment.isoformat(sep=" ", timespec="minutes")),
    "truncated": _truncated,
    "plus_months": _plus_months,
    "last_day": _last_day,
    "make_date": _make_date,
    "date": _checked_date,
    "moment": lambda micros: _micros(_moment(micros)),
    "day_of": lambda micros: micros // MICROS_OF_A_DAY,
    "date_text": lambda days: date.fromordinal(days + EPOCH_DAY).isoformat(),
    "instant_text": _instant_text,
}
