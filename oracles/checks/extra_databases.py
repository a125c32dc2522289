"""One pair of plans over several databases: what a check costs is its plans, and they don't depend on the data.

The first database's check is the whole one. Over each of the others the legs' plans are run once more, in the calls
that ran them first. An answer there that isn't everybody's proves nothing yet: that database is put to a check of its
own, with plans of its own (see :mod:`oracles.checks.paths`), and it is that check which counts, and is made small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.checks.verdict import Verdict, judge
from oracles.engines.protocol import LegReport
from strategies.draw.tables import refilled
from strategies.ir import AnyLimit, Case, Database

NOT_RUN = Raised("NOT_RUN", None, "it can't be run in the driver over this database", "unsupported")
"""What stands for the answer of a leg over a database on which it needs jobs, or raises."""


@dataclass(frozen=True, slots=True)
class Others:
    """Databases beside the first one, and what waits for DuckDB's answers over them."""

    databases: Sequence[Database] = ()
    duckdb: Callable[[], Sequence[Outcome]] = tuple


NO_OTHERS = Others()


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another database on which the legs of a check don't all agree."""

    database: Database
    verdict: Verdict
    legs: dict[str, Outcome]


@dataclass(frozen=True, slots=True)
class Beside:
    """What came of the other databases: on how many all legs have agreed, and the first on which they haven't."""

    agreed: int = 0
    elsewhere: Elsewhere | None = None


def others_of(case: Case, count: int) -> tuple[Database, ...]:
    """``count`` other databases for ``case``, the same ones each time that it is asked.

    None where one database's answer isn't all there is to judge: a limit without an order, a query in three parts.
    """
    return () if isinstance(case.query, AnyLimit) or case.partition is not None else refills(case, count)


def refills(case: Case, count: int) -> tuple[Database, ...]:
    """The same for any case."""
    random = Random(repr(case))
    return tuple(refilled(case.database, random) for _ in range(count))


def beside(others: Others, on: LegReport, off: LegReport | None) -> Beside:
    """What the legs' answers over the ``others`` amount to; nothing where one of them ran in jobs, and so not there."""
    on_rows, off_rows = on.others, on.others if off is None else off.others
    if not others.databases or not len(others.databases) == len(on_rows) == len(off_rows):
        return Beside()
    agreed, elsewhere = 0, None
    for database, one, other, theirs in zip(others.databases, on_rows, off_rows, others.duckdb(), strict=True):
        if one is None and other is None:
            continue
        legs: dict[str, Outcome] = {"on": _or_not_run(one), "off": _or_not_run(other), "duckdb": theirs}
        # Whether something fired is for the first database's verdict to say: the plans are the same.
        verdict = judge(legs["on"], legs["off"], theirs, fired=True)
        if verdict.name == "agree":
            agreed += 1
        elif elsewhere is None:
            elsewhere = Elsewhere(database, verdict, legs)
    return Beside(agreed, elsewhere)


def _or_not_run(rows: Rows | None) -> Outcome:
    return NOT_RUN if rows is None else rows
