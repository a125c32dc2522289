"""Reset settings to their defaults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from oracles.reductions.search import Edit, Search, attempt, sweep
from strategies.ir import Case, Settings


def default_settings(case: Case) -> Search:
    """Reset all settings at once: most failures need none of them."""
    yield from attempt(_with_settings, case, Settings())


def single_settings(case: Case) -> Search:
    """Reset one setting after the other, and one entry of a configuration or one capability of the tables; of several
    partitions two remain if one isn't enough.
    """
    yield from sweep(case, _single)


def _single(case: Case) -> Iterator[Edit]:
    for field in fields(Settings):
        if getattr(case.settings, field.name) != field.default:
            yield _with_default, (case, field.name)
    for entry in case.settings.conf:
        yield _with_value, (case, "conf", tuple(each for each in case.settings.conf if each != entry))
    for capability in case.settings.capabilities:
        yield (
            _with_value,
            (case, "capabilities", tuple(each for each in case.settings.capabilities if each != capability)),
        )
    for name in ("partitions", "table_partitions"):
        if getattr(case.settings, name) > 2:
            yield _with_value, (case, name, 2)


def _with_settings(case: Case, settings: Settings) -> Case:
    return replace(case, settings=settings)


def _with_default(case: Case, name: str) -> Case:
    return _with_value(case, name, getattr(Settings(), name))


def _with_value(case: Case, name: str, value: Any) -> Case:
    return _with_settings(case, replace(case.settings, **{name: value}))
