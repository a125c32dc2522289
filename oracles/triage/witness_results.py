"""The stored results of the witnesses: for each entry and release both answers, both plans and the tables' rows.

The gallery of docs is made of them. A run of one release replaces the results of that release, and leaves the others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from oracles.answers.atomic import write_text
from oracles.triage.divergences import Divergence, Witness
from oracles.triage.witness_sides import Answer, Side, Sides

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "_gallery" / "results.json"
COMMAND = "python -m oracles.triage.witness --results docs/_gallery/results.json"
"""Stores the results of the release that is installed; ``--only ID`` those of one entry."""

Stored: TypeAlias = dict[str, dict[str, Any]]
"""By an entry's id and an engine ("Spark 4.3.0", "DuckDB 2.0.1") a result, as JSON has it."""

_DUCKDB = "DuckDB "
_WIDTH = 118


@dataclass(frozen=True, slots=True)
class Witnessed:
    """The result of a witness on ``engine``, a name and a version; ``tables`` are the rows of its tables."""

    engine: str
    sides: Sides
    tables: Mapping[str, Answer]


def read(path: Path = RESULTS) -> Stored:
    """The stored results; none if there is no file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def store(path: Path, entries: Sequence[Divergence], witnessed: Mapping[str, Witnessed]) -> None:
    """Put the results ``witnessed``, by their entries' ids, into the file ``path``.

    :param entries: all entries; results of others are deleted, and so are those of another witness or release.
    """
    write_text(path, json_text(merged(read(path), entries, witnessed)) + "\n")


def merged(stored: Stored, entries: Sequence[Divergence], witnessed: Mapping[str, Witnessed]) -> Stored:
    """``stored`` with the results ``witnessed`` in their places, and without what is out of date."""
    kept: Stored = {}
    for entry in entries:
        results = {
            engine: result for engine, result in stored.get(entry.id, {}).items() if _fits(entry, engine, result)
        }
        new = witnessed.get(entry.id)
        if new is not None:
            results.pop(new.engine, None)
            if new.sides.differ:
                results[new.engine] = _settled(entry, stored.get(entry.id, {}).get(new.engine), new)
        if results:
            kept[entry.id] = results
    return kept


def _fits(entry: Divergence, engine: str, result: Mapping[str, Any]) -> bool:
    of_release = engine.startswith(_DUCKDB) or entry.covers(engine.partition(" ")[2])
    return of_release and result["witness"] == digest(entry.witness)


def _settled(entry: Divergence, before: Mapping[str, Any] | None, new: Witnessed) -> Mapping[str, Any]:
    """The result to store. Memory that is read before it is written has other rows each time: the stored ones stay."""
    plain = _plain(entry, new)
    now_and_then = entry.blame == "duckdb" and entry.witness.instead
    if before is None or not now_and_then or not _differ(before):
        return plain
    return before if {**before, "query": plain["query"]} == plain else plain


def faults(stored: Stored, entry: Divergence) -> Iterator[str]:
    """The faults of the results of ``entry``, each with the command that mends it."""
    where = "" if entry.blame == "duckdb" else f" on Spark {' or '.join(entry.releases)}"
    mend = f"run {COMMAND} --only {entry.id}{where}"
    results = stored.get(entry.id, {})
    if not results:
        yield f"{entry.id} has no stored result: {mend}"
    for engine, result in results.items():
        if not _fits(entry, engine, result):
            yield f"{entry.id}: the result of {engine} is of another witness or release: {mend}"
        if not _differ(result):
            yield f"{entry.id}: both sides are equal in the result of {engine}: {mend}, or delete the entry"


def digest(witness: Witness) -> str:
    """A text that differs for witnesses that differ."""
    return hashlib.sha256(json.dumps(asdict(witness), sort_keys=True).encode()).hexdigest()[:12]


def _differ(result: Mapping[str, Any]) -> bool:
    one, other = (_answer(result[name]) for name in ("query", "other"))
    return one.differs(other)


def _plain(entry: Divergence, witnessed: Witnessed) -> dict[str, Any]:
    return {
        "witness": digest(entry.witness),
        "query": _plain_side(witnessed.sides.query),
        "other": _plain_side(witnessed.sides.other),
        "tables": {name: _plain_answer(rows) for name, rows in witnessed.tables.items()},
    }


def _plain_side(side: Side) -> dict[str, Any]:
    return {**_plain_answer(side.answer), "plan": list(side.plan)}


def _plain_answer(answer: Answer) -> dict[str, Any]:
    if answer.error:
        return {"error": answer.error, "condition": answer.condition, "message": answer.message}
    return {"columns": list(answer.columns), "rows": [list(row) for row in answer.rows]}


def _answer(plain: Mapping[str, Any]) -> Answer:
    if "error" in plain:
        return Answer((), (), plain["error"], plain["condition"], plain["message"])
    return Answer(tuple(plain["columns"]), tuple(map(tuple, plain["rows"])))


def json_text(value: object, indent: str = "") -> str:
    """``value`` as JSON with sorted keys: a row or a line of a plan takes a line, and so does what fits into one."""
    short = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if len(indent) + len(short) <= _WIDTH and not _has_records(value):
        return short
    inner = f"{indent} "
    if isinstance(value, dict) and value:
        items = (f"{json.dumps(key, ensure_ascii=False)}: {json_text(each, inner)}" for key, each in _sorted(value))
        return _lines("{", items, "}", indent)
    if isinstance(value, list) and value:
        return _lines("[", (json_text(each, inner) for each in value), "]", indent)
    return short


def _has_records(value: object) -> bool:
    return isinstance(value, dict) and any(isinstance(each, dict) for each in value.values())


def _sorted(value: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    return sorted(value.items())


def _lines(start: str, items: Iterable[str], end: str, indent: str) -> str:
    return f"{start}\n" + ",\n".join(f"{indent} {item}" for item in items) + f"\n{indent}{end}"
