"""A finding as the page shows it: the query, the data, the rows that differ, the plans, how to reproduce it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from assay.report.campaigns import Found
from assay.report.plan_sides import Sides, sides
from oracles.answers.outcome import InvalidOutcome, Outcome, Raised, Rows
from oracles.answers.plural import number
from oracles.answers.rows import difference_table, from_plain, show, show_row
from oracles.failures.again import replay_command, script_command
from oracles.failures.failure import Failure
from strategies.ir import Settings, Table, Value

MAX_ROWS = 20
_LONGEST_MESSAGE = 600
_BLAMED_LEGS = {"spark": ("on", "off")}
_CULPRITS = {"spark": "Spark", "duckdb": "DuckDB", "unknown": "culprit unknown"}
"""The culprit of a finding without guilty rules, as its title names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table as texts. ``more`` rows were left out; ``odd`` are the columns that are to blame."""

    name: str
    head: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]
    more: int = 0
    counts: int = 0
    odd: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One finding as the page shows it. The last ``counts`` columns of ``difference`` are copies per leg."""

    fingerprint: str
    kind: str
    rules: tuple[str, ...]
    blame: str
    reason: str
    confirmed: bool
    facts: tuple[tuple[str, str], ...]
    sql: tuple[tuple[str, str], ...]
    tables: tuple[Grid, ...]
    difference: tuple[Grid, ...]
    raised: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]
    plans: tuple[Sides, ...]
    commands: tuple[str, ...]
    example: str

    @property
    def title(self) -> str:
        """The guilty rules, or the culprit if there are none."""
        return ", ".join(self.rules) or _CULPRITS.get(self.blame, self.blame)


def card(found: Found) -> Card:
    """The card of ``found`` on the page."""
    failure, row = found.failure, found.row
    legs = _legs(failure)
    rows = {name: outcome for name, outcome in legs.items() if isinstance(outcome, Rows)}
    grids, notes = _difference(failure, rows)
    return Card(
        fingerprint=failure.fingerprint,
        kind=str(failure.verdict.kind),
        rules=failure.rules,
        blame=str(failure.verdict.blame),
        reason=failure.verdict.reason,
        confirmed=failure.confirmed,
        facts=_facts(failure, row),
        sql=tuple(failure.sql.items()),
        tables=tuple(map(_table, failure.case.database.tables)),
        difference=grids,
        raised=tuple(
            (name, outcome.condition, " ".join(outcome.message.split())[:_LONGEST_MESSAGE])
            for name, outcome in legs.items()
            if isinstance(outcome, Raised)
        ),
        notes=notes,
        plans=tuple(sides(rule, *plans) for rule, plans in failure.plans.items()),
        commands=(
            *((script_command(found.script, failure=failure),) if found.script else ()),
            replay_command(found.file, failure=failure),
        ),
        example=f"@example({failure.case!r})",
    )


def _legs(failure: Failure) -> dict[str, Outcome]:
    """The legs' outcomes; of a file that was changed by hand, those that can be read."""
    legs: dict[str, Outcome] = {}
    for name, plain in failure.legs.items():
        try:
            legs[name] = from_plain(plain)
        except InvalidOutcome:
            continue
    return legs


def _facts(failure: Failure, row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    told = {
        "seen": _seen(row["count"], len(row["runs"])),
        "without Assay": failure.stock.told if failure.stock else "",
        "size": f"{number(row['operators'], 'operator')}, {number(row['rows'], 'row')}",
        "engines": ", ".join(f"{name} {version}" for name, version in failure.versions.items()),
        "seed": "" if failure.seed is None else str(failure.seed),
        "mutant": failure.subject.mutant or "",
        "settings": ", ".join(_settings(failure.case.settings)),
        "turned off": ", ".join(failure.off),
    }
    return tuple((name, text) for name, text in told.items() if text)


def _seen(checks: int, runs: int) -> str:
    if not checks:
        return "in a round that was not finished"
    return f"in {number(checks, 'check')} of {number(runs, 'run')}"


def _settings(settings: Settings) -> list[str]:
    """The settings that differ from their defaults, as texts."""
    named = [
        f"{field.name} {getattr(settings, field.name)}"
        for field in fields(settings)
        if field.name != "conf" and getattr(settings, field.name) != field.default
    ]
    return [*named, *(f"{key} {value}" for key, value in settings.conf)]


def _table(table: Table) -> Grid:
    counted = list(table.counted().items())
    return Grid(
        name=table.name,
        head=(*((column.name, repr(column.type)) for column in table.columns), ("copies", "")),
        rows=tuple((*map(_value, row), f"×{count}") for row, count in counted[:MAX_ROWS]),
        more=max(0, len(counted) - MAX_ROWS),
        counts=1,
    )


def _value(value: Value) -> str:
    return "NULL" if value is None else repr(value)


def _difference(failure: Failure, legs: Mapping[str, Rows]) -> tuple[tuple[Grid, ...], tuple[str, ...]]:
    """The rows that differ with their copies in each leg, or the rows of the only leg that has any; and remarks."""
    names = [name for name, _ in _columns(failure)]
    if len(legs) < 2:
        return tuple(_answer(name, rows, names) for name, rows in legs.items()), ()
    table = difference_table(legs)
    notes = []
    if len(set(table.schemas)) > 1:
        notes.append(table.types)
    if table.parting is not None:
        position, each = table.parting
        shown = "; ".join(f"{leg} {show_row(row)}" for leg, row in zip(table.legs, each, strict=True))
        notes.append(f"the order parts at row {position}: {shown}")
    if not table.counts:
        return (), tuple(notes)
    wide = len(table.schemas[0])
    blamed = _BLAMED_LEGS.get(str(failure.verdict.blame), (failure.verdict.blame,))
    grid = Grid(
        name="rows that differ",
        head=(*_head(names, table.schemas[0]), *((leg, "") for leg in table.legs)),
        rows=tuple((*_cells(row, wide), *(f"×{count}" for count in counts)) for row, counts in table.counts[:MAX_ROWS]),
        more=max(0, len(table.counts) - MAX_ROWS),
        counts=len(table.legs),
        odd=tuple(wide + place for place, leg in enumerate(table.legs) if leg in blamed),
    )
    return (grid,), tuple(notes)


def _cells(row: tuple[Any, ...], wide: int) -> tuple[str, ...]:
    """The row's values, in as many cells as the first leg has columns: legs may differ in that too."""
    return (
        tuple(map(show, row)) if len(row) == wide else (show_row(row), *("" for _ in range(wide - 1)))[: max(1, wide)]
    )


def _columns(failure: Failure) -> Sequence[tuple[str, str]]:
    return [(field.name, repr(field.type)) for field in failure.case.query.fields]


def _head(names: Sequence[str], schema: Sequence[str]) -> tuple[tuple[str, str], ...]:
    known = names if len(names) == len(schema) else [f"column {place + 1}" for place in range(len(schema))]
    return tuple(zip(known, schema, strict=True))


def _answer(leg: str, rows: Rows, names: Sequence[str]) -> Grid:
    return Grid(
        name=f"rows of {leg}",
        head=_head(names, rows.schema),
        rows=tuple(tuple(map(show, row)) for row in rows.rows[:MAX_ROWS]),
        more=max(0, len(rows.rows) - MAX_ROWS),
    )
