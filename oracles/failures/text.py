"""Print a failure: verdict, query in both dialects, data, difference, plans around the guilty rules, and replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from oracles.answers.outcome import Raised, Rows
from oracles.answers.rows import difference_table, from_plain, show_row
from oracles.failures.again import replay_command, script_command
from oracles.failures.caller import caller_folder
from oracles.failures.failure import Failure, script_path
from strategies.ir import Table

MAX_ROWS = 20
_WIDTH = 9


def render(failure: Failure, file: Path | None, plans: Mapping[str, tuple[str, str]]) -> str:
    """Format a failure as text; ``plans`` holds the plans right before and after each guilty rule."""
    scale = failure.scale
    sections = [
        _headline(failure),
        *(_entry(dialect, text) for dialect, text in failure.sql.items()),
        *(_entry(table.name, _table(table)) for table in failure.case.database.tables),
        *([_entry("scale", f"{scale.rows:,} rows of each table, made from seed {scale.seed}")] if scale else []),
        _entry("settings", repr(failure.case.settings)),
        *(_entry(*part) for part in _differences(failure)),
    ]
    for name, (before, after) in plans.items():
        sections += [_entry("before", f"{name}\n{before.rstrip()}"), _entry("after", after.rstrip())]
    sections.append(_entry("example", f"@example({failure.case!r})"))
    if failure.stock is not None:
        sections.append(_entry("stock", failure.stock.told))
    if file is not None and script_path(file).is_file():
        sections.append(_entry("script", script_command(str(script_path(file)), failure=failure)))
    if file is not None:
        sections.append(_entry("replay", replay_command(str(file), failure=failure, folder=caller_folder())))
    return "\n".join(sections)


def _headline(failure: Failure) -> str:
    verdict = failure.verdict
    guilty = f"[{', '.join(failure.rules)}]" if failure.rules else ""
    sure = "" if failure.confirmed else " (unconfirmed)"
    if failure.stock is not None and failure.stock.shown == "assay-only":
        sure += " (only in Assay's session)"
    return f"{verdict.kind} finding{guilty}, blame {verdict.blame}{sure}: {verdict.reason}"


def _entry(name: str, text: str) -> str:
    first, *rest = text.splitlines() or [""]
    return "\n".join([f"  {name:<{_WIDTH - 1}} {first}", *(" " * (_WIDTH + 2) + line for line in rest)])


def _table(table: Table) -> str:
    header = ", ".join(f"{column.name} {column.type!r}" for column in table.columns)
    counted = [f"({', '.join(map(_value, row))}) x{count}" for row, count in table.counted().items()]
    return "\n".join([f"({header})", *_first(counted)])


def _value(value: object) -> str:
    return "NULL" if value is None else repr(value)


def _first(lines: Sequence[str]) -> list[str]:
    more = len(lines) - MAX_ROWS
    return [*lines[:MAX_ROWS], *([f"... and {more} more"] if more > 0 else [])]


def _differences(failure: Failure) -> list[tuple[str, str]]:
    legs = {name: from_plain(plain) for name, plain in failure.legs.items()}
    parts = [
        (name, f"raised {outcome.condition}: {' '.join(outcome.message.split())[:300]}")
        for name, outcome in legs.items()
        if isinstance(outcome, Raised)
    ]
    rows = {name: outcome for name, outcome in legs.items() if isinstance(outcome, Rows)}
    if len(rows) < 2:
        return [*parts, *((name, _rows(outcome)) for name, outcome in rows.items())]
    table = difference_table(rows)
    lines = [
        f"{show_row(row)}  " + "  ".join(f"{leg} x{count}" for leg, count in zip(table.legs, counts, strict=True))
        for row, counts in table.counts
    ]
    if table.parting is not None:
        position, each = table.parting
        shown = "  ".join(f"{leg} {show_row(row)}" for leg, row in zip(table.legs, each, strict=True))
        lines.append(f"the order parts at row {position}: {shown}")
    return [*parts, ("diff", "\n".join([*_first(lines), table.types]))]


def _rows(rows: Rows) -> str:
    return "\n".join([f"({', '.join(rows.schema)})", *_first([show_row(row) for row in rows.rows])])
