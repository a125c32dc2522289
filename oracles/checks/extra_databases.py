"""Run the plans of one check over several databases, because planning costs most of a check and ignores the data.

The first database gets the whole check. The legs' plans then run over each extra database, in the same calls. If an
extra database gives different answers, that does not count yet: the case is checked over that database alone, with
plans of its own (see :mod:`oracles.checks.paths`). The verdict of that check counts, and its case is minimized.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from oracles.answers.outcome import Outcome, Raised, Rows, has_rows
from oracles.checks.verdict import Verdict, judge
from oracles.engines.protocol import LegReport
from strategies.draw.tables import refilled
from strategies.ir import AnyLimit, Case, Database

NOT_RUN = Raised("NOT_RUN", None, "it can't be run in the driver over this database", "unsupported")
"""The outcome of a leg over a database on which it needs jobs, or raises."""


@dataclass(frozen=True, slots=True)
class ExtraDatabases:
    """The databases of a check beside the first one; ``duckdb`` waits for DuckDB's answers over them."""

    databases: Sequence[Database] = ()
    duckdb: Callable[[], Sequence[Outcome]] = tuple


NO_EXTRA_DATABASES = ExtraDatabases()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An extra database over which the legs of a check do not all agree, with their outcomes."""

    database: Database
    verdict: Verdict
    legs: dict[str, Outcome]

    @property
    def convicts(self) -> bool:
        """Whether the verdict is a finding of a kind that speaks against a rule."""
        return self.verdict.kind is not None and self.verdict.kind.convicts


@dataclass(frozen=True, slots=True)
class ExtraResults:
    """The results over the extra databases: how many agreed, the first one with the gravest other verdict, and the
    first one over which all agreed on an answer that has rows.

    A finding that speaks against a rule is graver than one about the engines, which may be a known divergence.
    """

    agreed: int = 0
    elsewhere: Mismatch | None = None
    with_rows: Database | None = None


def others_of(case: Case, count: int) -> tuple[Database, ...]:
    """Draw ``count`` extra databases for ``case``, the same ones at each call.

    There are none for a limit without an order and for a query in three parts, which need more than one answer to
    judge.
    """
    return () if isinstance(case.query, AnyLimit) or case.partition is not None else refills(case, count)


def refills(case: Case, count: int) -> tuple[Database, ...]:
    """Draw ``count`` extra databases for any case: the first and then one in two has few NULLs, and of the others, from
    the fourth on, each has few rows or an empty table.
    """
    random = Random(repr(case))
    return tuple(
        refilled(case.database, random, few=place > 2 and place % 2 == 1, dense=place % 2 == 0)
        for place in range(count)
    )


def beside(others: ExtraDatabases, on: LegReport, off: LegReport | None) -> ExtraResults:
    """Compare the legs' answers over the ``others``; no results if a leg ran as Spark jobs, over the first database."""
    on_rows, off_rows = on.others, on.others if off is None else off.others
    if not others.databases or not len(others.databases) == len(on_rows) == len(off_rows):
        return ExtraResults()
    agreed, differing, with_rows = 0, list[Mismatch](), list[Database]()
    for database, one, other, theirs in zip(others.databases, on_rows, off_rows, others.duckdb(), strict=True):
        if one is None and other is None and (off is not None or isinstance(theirs, Raised)):
            continue
        legs: dict[str, Outcome] = {"on": _or_not_run(one), "off": _or_not_run(other), "duckdb": theirs}
        # The plans are those of the first database, whose verdict says whether a rule fired.
        verdict = judge(legs["on"], legs["off"], theirs, fired=True)
        if verdict.name == "agree":
            agreed += 1
            with_rows += [database] if has_rows(legs["on"]) else []
        else:
            differing.append(Mismatch(database, verdict, legs))
    return ExtraResults(agreed, max(differing, key=_gravity, default=None), next(iter(with_rows), None))


def _gravity(mismatch: Mismatch) -> int:
    """The order in which one mismatch is chosen: a leg without rows may have raised where the others have rows."""
    if mismatch.convicts:
        return 3
    if mismatch.verdict.name == "finding":
        return 2
    return int(NOT_RUN in (mismatch.legs["on"], mismatch.legs["off"]))


def _or_not_run(rows: Rows | None) -> Outcome:
    return NOT_RUN if rows is None else rows
