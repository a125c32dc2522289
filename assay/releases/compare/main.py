"""``tox run -e compare -- --left spark41 --right spark43``: the same queries on two releases, before an upgrade."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from assay.fuzz.finding import digest
from assay.releases.compare.answers import copy, read
from assay.releases.compare.sides import DIFFER, Difference, Sides, confirmed
from assay.releases.runner import Factor, Runner
from assay.session.console import console as console_of
from assay.session.console import table
from assay.session.ending import BadInput, Exit
from oracles.answers.atomic import write_json
from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import difference_table, show_row
from oracles.answers.rows import to_plain as outcome_to_plain
from oracles.checks.tally import fewer_than_half
from oracles.engines.duckdb import DuckdbEngine
from oracles.sql import DuckdbCompiler, spark_text
from strategies.ir import without_limit
from strategies.ir.codec import to_plain

_SHOWN = 5
"""Differences that are printed, the smallest; all are on disk."""


def run(left: Factor, right: Factor, *, out: Path, checks: int, seed: int, others: Sequence[str]) -> int:
    """Run the cases on both releases, and print the differences: FOUND if any, SUITE_FAILED if a release can't run,
    UNDECIDED if fewer than half of the queries have the same rows.

    ``others`` are options of the sides' own.
    """
    if left == right:
        raise BadInput(f"compare: {left.name} with itself: name another release")
    out.mkdir(parents=True, exist_ok=True)
    console = console_of()
    runner = Runner(console)
    drawn = ["--max-examples", str(checks), "--hypothesis-seed", str(seed), *others]
    sides = _asked(left, right, drawn, out, "answers", runner)
    if sides is None:
        return Exit.SUITE_FAILED
    found = sides.differences()
    if found:
        cases = out / "cases.jsonl"
        differing = {repr(one.case) for one in found}
        copy((answer for answer, _ in sides.pairs if repr(answer.case) in differing), cases)
        again = _asked(left, right, ["--cases", str(cases), *others], out, "again", runner)
        found = confirmed(found, again) if again is not None else found
    _tell(console, left, right, sides, found, out)
    console.print(f"all of it: {out}; again with: --hypothesis-seed {seed}", soft_wrap=True)
    if found:
        return Exit.FOUND
    alike, asked = sides.counts()["same rows"], len(sides.pairs) + sides.missing
    if fewer_than_half(alike, asked):
        console.print(f"undecided: only {alike:,} of {asked:,} queries have the same rows on both sides")
        return Exit.UNDECIDED
    return Exit.GREEN


def _as_of(left: Factor, right: Factor) -> str:
    """The older of both: 4.1.0 of spark41."""
    older = min((left, right), key=lambda each: each.factor).factor.removeprefix("spark")
    return f"{older[0]}.{older[1:]}.0"


def _asked(left: Factor, right: Factor, asked: Sequence[str], out: Path, name: str, runner: Runner) -> Sides | None:
    files = []
    for side, release in (("left", left), ("right", right)):
        file, log = out / f"{name}.{side}.jsonl", out / f"{side}.log"
        arguments = [*asked, "--as-of", _as_of(left, right), "--out", str(file)]
        what = f"{name} in {file.name}, told in {log.name}"
        if runner.run(release, "answers", arguments, log, what=what) != Exit.GREEN:
            return None
        files.append(file)
    return Sides.of(*map(read, files))


def _tell(console: Console, left: Factor, right: Factor, sides: Sides, found: Sequence[Difference], out: Path) -> None:
    rows = ((rule, f"{ours:,}", f"{theirs:,}") for rule, ours, theirs in sides.rules())
    heading = "cases whose plan a rule changed"
    console.print(table(heading, ("rule", left.name, right.name), rows, title_justify="left"))
    counts = sides.counts()
    lines = [f"{what}: {counts[what]:,}" for what in ("same rows", "both raise", *DIFFER, "not judged") if counts[what]]
    console.print(f"{len(sides.pairs):,} queries on {left.name} and {right.name}: {', '.join(lines)}", soft_wrap=True)
    if sides.missing:
        console.print(f"{sides.missing:,} queries were asked of one side alone")
    with DuckdbEngine() as duckdb:
        told = [
            (one, duckdb.run(without_limit(one.case.query), one.case.database, time_zone=one.case.settings.time_zone))
            for one in found
        ]
    for number, (one, third) in enumerate(told):
        file = out / "differences" / f"{digest(one.case)}.json"
        write_json(file, as_json(one, third, left.name, right.name))
        if number < _SHOWN:
            console.print(text_of(one, third, left.name, right.name), highlight=False, markup=False, soft_wrap=True)
    unconfirmed = sum(counts[what] for what in DIFFER) - len(found)
    console.print(f"{len(found):,} differ, and again on the plain path; {unconfirmed:,} did so once", soft_wrap=True)


def as_json(one: Difference, duckdb: Outcome, left: str, right: str) -> dict[str, object]:
    """A difference as data, for its file: the case, all three answers, and the side that DuckDB agrees with."""
    return {
        "format": 1,
        "how": one.likeness,
        "duckdb_has": one.sided(duckdb),
        "sql": spark_text(one.case.query, one.case.settings),
        "case": to_plain(one.case),
        "answers": {
            name: outcome_to_plain(outcome)
            for name, outcome in ((left, one.left), (right, one.right), ("duckdb", duckdb))
        },
    }


def text_of(one: Difference, duckdb: Outcome, left: str, right: str) -> str:
    """A difference as text, for the terminal."""
    lines = [f"{one.likeness}; DuckDB has the rows of: {one.sided(duckdb)}"]
    lines += [f"  spark    {spark_text(one.case.query, one.case.settings)}"]
    lines += [f"  duckdb   {DuckdbCompiler().compile(without_limit(one.case.query))}"]
    lines += [f"  {each.name:<8} {len(each.rows)} rows" for each in one.case.database.tables]
    if isinstance(one.left, Rows) and isinstance(one.right, Rows):
        difference = difference_table({left: one.left, right: one.right})
        lines += [
            f"  diff     {show_row(row)}  "
            + "  ".join(f"{n} x{c}" for n, c in zip(difference.legs, counts, strict=True))
            for row, counts in difference.counts[:10]
        ]
        lines.append(f"           {difference.types}")
    for name, outcome in ((left, one.left), (right, one.right)):
        if isinstance(outcome, Raised):
            lines.append(f"  {name:<8} raises {outcome.condition}: {outcome.message.splitlines()[0][:160]}")
    return "\n".join(lines)
