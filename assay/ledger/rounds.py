"""A round as the ledger keeps it: plain data, and the table of one row that it is in a file.

A row holds all of a round, lists included, so that one file that is renamed into place is the whole of it: no reader
ever sees a round's verdicts without its coverage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as parquet

from oracles.checks.evidence import LEGS, RuleCount
from oracles.checks.stats import Stats

WorkKind = Literal["shape", "composite", "general", "steered"]
RoundEnd = Literal["full", "stopped", "fault"]
"""A round made all its checks (or its strategy has no more), was stopped before, or a fault of the suite ended it."""

FORMAT = 1


class UnreadableRound(ValueError):
    """A file holds no rounds of this format; the message is one line that says why."""


@dataclass(frozen=True, slots=True)
class Work:
    """The source of a round's cases: a shape or a composite shape by ``name``, or general or steered queries ('')."""

    kind: WorkKind
    name: str = ""


@dataclass(frozen=True, slots=True)
class RoundId:
    """The id of a round: the ``run`` of the campaign, the ``shard`` of ``shards`` (from 1), and the number in it."""

    run: str
    shard: int
    shards: int
    number: int

    @property
    def text(self) -> str:
        """The id as text, as in names of files."""
        return f"{self.run}-{self.shard}of{self.shards}-{self.number:06}"


@dataclass(slots=True, kw_only=True)
class Round(Stats):
    """A finished round. ``run_seed`` and the id's shard and number make the seed of its draws.

    ``plans`` (by the fingerprint of the on leg's plan) and ``pairs`` (by the names of two rules) have the number of
    checks, and the number of the first such check, from 1. ``blocks`` (by :func:`assay.ledger.blocks.block_id`) has the
    check that ran each block of the optimizer which its worker had not seen run. ``cases`` is the number of distinct
    cases that were checked. ``findings`` are as a summary lists them, with the count within this round. ``rules`` also
    has the rules that changed the on leg's plan. ``executors`` and ``others`` are not kept in files.
    """

    id: RoundId
    work: Work
    run_seed: int
    worker: int
    started: datetime
    seconds: float
    ended: RoundEnd
    versions: Mapping[str, str]
    cases: int = 0
    pairs: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    plans: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    blocks: Mapping[int, int] = field(default_factory=dict)
    findings: Sequence[Mapping[str, Any]] = ()


def _list_of(**fields: pa.DataType) -> pa.ListType:
    return pa.list_(pa.struct(list(fields.items())))


_COUNT, _TEXT = pa.int32(), pa.string()
SCHEMA = pa.schema(
    {
        "format": _COUNT,
        "id": _TEXT,
        "run": _TEXT,
        "shard": _COUNT,
        "shards": _COUNT,
        "number": _COUNT,
        "run_seed": _TEXT,  # any whole number
        "worker": _COUNT,
        "kind": _TEXT,
        "name": _TEXT,
        "started": pa.timestamp("us", "UTC"),
        "seconds": pa.float64(),
        "ended": _TEXT,
        "spark": _TEXT,
        "duckdb": _TEXT,
        "checks": _COUNT,
        "cases": _COUNT,
        "nonempty": _COUNT,
        "stumbles": _COUNT,
        "verdicts": _list_of(verdict=_TEXT, checks=_COUNT),
        "excused": _list_of(divergence=_TEXT, checks=_COUNT),
        "rules": _list_of(rule=_TEXT, changed=_COUNT, checked=_COUNT, fired=_COUNT, differed=_COUNT),
        "pairs": _list_of(one=_TEXT, other=_TEXT, checks=_COUNT, first=_COUNT),
        "plans": _list_of(plan=pa.uint64(), checks=_COUNT, first=_COUNT),
        "findings": _list_of(
            fingerprint=_TEXT,
            kind=_TEXT,
            blame=_TEXT,
            rules=pa.list_(_TEXT),
            operators=_COUNT,
            rows=_COUNT,
            count=_COUNT,
            confirmed=pa.bool_(),
        ),
        "fits": _list_of(divergence=_TEXT, checks=_COUNT),
        "fitting": _COUNT,
        "queries": _COUNT,
        "legs": _list_of(leg=_TEXT, checks=_COUNT),
        "two_legs": _list_of(rule=_TEXT, checks=_COUNT),
        "agreed": _list_of(rule=_TEXT, checks=_COUNT),
        "blocks": _list_of(block=pa.uint64(), first=_COUNT),
    }
)
"""The columns of a file of rounds; each row is a round."""

ADDED = ("fits", "fitting", "queries", "legs", "two_legs", "agreed", "blocks")
"""Columns that files of an earlier Assay lack; they are NULL for such files.

Without ``legs``, an agreement counts as evidence of every leg. Without ``two_legs``, plans count as different in checks
that had two legs. Without ``agreed``, all checks with other plans or with two legs count as agreements.
"""

_SUMMARY = ("fingerprint", "kind", "blame", "rules", "operators", "rows", "count", "confirmed")


def to_row(one: Round) -> dict[str, Any]:
    """``one`` as a row of ``SCHEMA``."""
    return {
        "format": FORMAT,
        "id": one.id.text,
        "run": one.id.run,
        "shard": one.id.shard,
        "shards": one.id.shards,
        "number": one.id.number,
        "run_seed": str(one.run_seed),
        "worker": one.worker,
        "kind": one.work.kind,
        "name": one.work.name,
        "started": one.started,
        "seconds": one.seconds,
        "ended": one.ended,
        "spark": one.versions.get("spark", ""),
        "duckdb": one.versions.get("duckdb", ""),
        "checks": one.checks,
        "cases": one.cases,
        "nonempty": one.nonempty,
        "stumbles": one.optimizer_failures,
        "verdicts": _counted(one.verdicts, "verdict"),
        "excused": _counted(one.excused, "divergence"),
        "rules": [
            {"rule": name, "changed": s.changed, "checked": s.checked, "fired": s.fired, "differed": s.differed}
            for name, s in sorted(one.rules.items())
        ],
        "pairs": [
            {"one": names[0], "other": names[1], "checks": checks, "first": first}
            for names, (checks, first) in one.pairs.items()
        ],
        "plans": [
            {"plan": int(plan, 16), "checks": checks, "first": first} for plan, (checks, first) in one.plans.items()
        ],
        "findings": [{key: finding[key] for key in _SUMMARY} for finding in one.findings],
        "fits": _counted(one.fits, "divergence"),
        "fitting": one.fitting,
        "queries": one.queries,
        "legs": _counted(one.legs, "leg"),
        "two_legs": _counted({name: count.two_legs for name, count in one.rules.items() if count.two_legs}, "rule"),
        "agreed": _counted({name: count.agreed for name, count in one.rules.items() if count.agreed}, "rule"),
        "blocks": [{"block": block, "first": first} for block, first in one.blocks.items()],
    }


def from_row(row: Mapping[str, Any]) -> Round:
    """The round in a row that :func:`to_row` made; UnreadableRound for a row of another format."""
    if row.get("format") != FORMAT:
        raise UnreadableRound(f"a round of format {row.get('format')!r}; this Assay reads format {FORMAT}")
    verdicts = _counter(row["verdicts"], "verdict")
    two_legs, agreed = _counter(row["two_legs"], "rule"), _agreed(row)
    return Round(
        id=RoundId(row["run"], row["shard"], row["shards"], row["number"]),
        work=Work(row["kind"], row["name"]),
        run_seed=int(row["run_seed"]),
        worker=row["worker"],
        started=row["started"],
        seconds=row["seconds"],
        ended=row["ended"],
        versions={"spark": row["spark"], "duckdb": row["duckdb"]},
        cases=row["cases"],
        pairs={(each["one"], each["other"]): (each["checks"], each["first"]) for each in row["pairs"]},
        plans={f"{each['plan']:016x}": (each["checks"], each["first"]) for each in row["plans"]},
        blocks={each["block"]: each["first"] for each in row["blocks"] or ()},
        findings=tuple(row["findings"]),
        verdicts=verdicts,
        excused=_counter(row["excused"], "divergence"),
        rules={
            each["rule"]: RuleCount(
                checked=each["checked"],
                fired=each["fired"],
                differed=each["differed"],
                two_legs=two_legs[each["rule"]],
                agreed=agreed[each["rule"]],
                changed=each["changed"],
            )
            for each in row["rules"]
        },
        legs=Counter(dict.fromkeys(LEGS, verdicts["agree"])) if row["legs"] is None else _counter(row["legs"], "leg"),
        fits=_counter(row["fits"], "divergence"),
        fitting=row["fitting"] or 0,
        nonempty=row["nonempty"],
        optimizer_failures=row["stumbles"],
        unfired=0 if row["queries"] is None else row["queries"] - row["checks"],
    )


def _agreed(row: Mapping[str, Any]) -> Counter[str]:
    if row["agreed"] is not None:
        return _counter(row["agreed"], "rule")
    alone = _counter(row["two_legs"], "rule")
    return Counter({each["rule"]: each["differed"] + alone[each["rule"]] for each in row["rules"]})


def _counter(rows: Iterable[Mapping[str, Any]] | None, key: str) -> Counter[str]:
    return Counter({row[key]: row["checks"] for row in rows or ()})


def _counted(counts: Mapping[str, int], key: str) -> list[dict[str, Any]]:
    return [{key: name, "checks": count} for name, count in sorted(counts.items())]


def to_bytes(rounds: Iterable[Round]) -> bytes:
    """The content of a Parquet file of ``rounds``."""
    return table_bytes(pa.Table.from_pylist([to_row(each) for each in rounds], schema=SCHEMA))


def table_bytes(table: pa.Table) -> bytes:
    """The content of a Parquet file of a table of ``SCHEMA``."""
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def is_of_rounds(schema: pa.Schema) -> bool:
    """Whether a file's ``schema`` is SCHEMA, except for columns that an earlier Assay did not write."""
    wanted = [column for column in SCHEMA if column.name in schema.names or column.name not in ADDED]
    return bool(schema.equals(pa.schema(wanted)))


def table_of(content: bytes) -> pa.Table:
    """The table in a file's ``content``, with all columns of ``SCHEMA``; UnreadableRound where it holds no rounds."""
    try:
        table = parquet.read_table(pa.BufferReader(content))
    except (pa.ArrowInvalid, OSError) as error:
        raise UnreadableRound(f"no Parquet file: {error}") from error
    for name in ADDED:
        if name not in table.schema.names:
            kind = SCHEMA.field(name).type
            table = table.append_column(name, pa.nulls(table.num_rows, kind))
    if not table.schema.equals(SCHEMA):
        raise UnreadableRound("a Parquet file of something else than rounds")
    return table


def from_bytes(content: bytes) -> list[Round]:
    """The rounds in a file's ``content``; UnreadableRound where there are none of this format."""
    return [from_row(row) for row in table_of(content).to_pylist()]
