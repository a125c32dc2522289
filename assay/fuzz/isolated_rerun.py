"""Isolated rerun of a query that lost its engine or timed out: each leg alone, on a fresh session, with more time.

The whole check runs if Spark's legs have different rows, or if nothing repeats and the legs do not all have the same
rows. Otherwise a loss or a timeout that repeats is a finding, unless the leg was starved; all else is inconclusive.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping

from assay.fuzz.starvation import is_starved, times_of
from oracles.answers.outcome import Kind, Outcome, Raised, Rows, is_timeout
from oracles.answers.plural import number
from oracles.answers.rows import same
from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed, fixed
from oracles.checks.finding_kind import FindingKind
from oracles.checks.result import CheckResult, LegSettings
from oracles.checks.verdict import Blame, Verdict
from oracles.engines.protocol import Loss
from oracles.failures.loss import JVM_LOSSES, LOSSES
from oracles.rules.rule import Rule
from oracles.rules.switch import switch_off
from strategies.ir import Case

TIMES = 5
"""The time limit of a leg in an isolated rerun, as a multiple of its limit in a check."""

_LEGS = ("on", "off", "duckdb")


def lost(how: Loss) -> Raised:
    """The outcome of a leg whose JVM was lost."""
    kind: Kind = "timeout" if how == "hung" else "internal"
    return Raised(JVM_LOSSES[how], None, loss_text(how), kind)


def loss_text(how: Loss) -> str:
    """A clause that says how the JVM was lost."""
    return {"out of memory": "the JVM ran out of memory", "cut off": "the JVM was cut off"}.get(how, f"the JVM {how}")


def _repeats(outcome: Outcome) -> bool:
    return is_timeout(outcome) or (isinstance(outcome, Raised) and outcome.condition in LOSSES)


def judge_alone(legs: Mapping[str, Outcome], before: str, starved: Collection[str] = ()) -> Verdict:
    """The verdict of an isolated rerun; ``before`` says in words why the query was run again.

    A lost process takes precedence over a timeout, and Spark's legs over DuckDB. If both of Spark's legs fail, the
    blame is unknown. A timeout of a leg that was ``starved`` tells nothing.
    """
    repeating = [name for name in _LEGS if name in legs and _repeats(legs[name])]
    if not repeating:
        return Verdict(name="inconclusive", reason=f"{before}; alone, it did not happen again")
    late = [name for name in repeating if name in starved and is_timeout(legs[name])]
    if late == repeating:
        why = f"{before}; alone, {', '.join(late)} waited for a processor most of the time"
        return Verdict(name="inconclusive", reason=why)
    repeating = [name for name in repeating if name not in late]
    ends = {name: legs[name] for name in repeating}
    grave = [name for name, end in ends.items() if isinstance(end, Raised) and end.kind == "internal"]
    kind = FindingKind.INTERNAL if grave else FindingKind.TIMEOUT
    told = "; ".join(f"{name}: {_text(legs[name])}" for name in _LEGS if name in legs)
    return Verdict(
        name="finding", kind=kind, blame=_blame(grave or repeating), reason=f"alone on a fresh session: {told}"
    )


def _blame(legs: Iterable[str]) -> Blame:
    spark = [leg for leg in legs if leg != "duckdb"]
    if len(spark) == 2:
        return "unknown"
    if not spark:
        return "duckdb"
    return "on" if spark == ["on"] else "off"


def _text(outcome: Outcome) -> str:
    return number(len(outcome.rows), "row") if isinstance(outcome, Rows) else outcome.condition


def run_alone(
    harness: Harness,
    case: Case,
    suspects: Iterable[Rule],
    settings: LegSettings,
    *,
    limit: float,
    before: str = "it was lost",
    about_to: Callable[[str], None] = lambda leg: None,
) -> CheckResult:
    """Run each leg of ``case`` on a fresh session with ``TIMES`` the ``limit``; ``about_to`` is called before each leg.

    The off leg turns off the ``suspects``, or if there are none, every rule that can be turned off. ``fired`` of the
    result has the guilty rules: the suspects if only the on leg of Spark fails, else none. If the legs' answers show
    more than a loss or a timeout, the result is that of a whole check with the same limit.
    """
    harness.spark.close()  # first of all: whoever is asked for rules may have to start Spark
    suspected = tuple(suspects)
    rules = suspected or tuple(harness.catalogue.switchable())
    confs = {"on": settings.on, "off": switch_off([rule.switch for rule in rules if rule.switch], settings.off)}
    legs: dict[str, Outcome] = {}
    starved: list[str] = []
    harness.spark.time_limit = harness.duckdb.time_limit = limit * TIMES
    try:
        for leg, conf in confs.items():
            about_to(leg)
            legs[leg], waited = _spark_alone(harness, case, conf, needed=limit)
            starved += [leg] * waited
        about_to("duckdb")
        legs["duckdb"] = harness.duckdb.run(case.query, case.database, time_zone=case.settings.time_zone)
        if _says_more(legs):
            about_to("check")
            return harness.check(case, fixed(suspected) if suspected else all_that_changed, settings)
    finally:
        harness.spark.time_limit = harness.duckdb.time_limit = limit
    verdict = judge_alone(legs, before, starved)
    guilty = tuple(rule.name for rule in suspected) if verdict.blame == "on" else ()
    return CheckResult(
        case=case,
        off=tuple(rule.name for rule in rules),
        fired=guilty,
        differed=False,
        verdict=verdict,
        legs=legs,
        settings=settings,
    )


def _says_more(legs: Mapping[str, Outcome]) -> bool:
    """Whether Spark's legs have other rows, or nothing repeats and the legs do not all have the same rows."""
    on, off, *_ = ends = list(legs.values())
    if isinstance(on, Rows) and isinstance(off, Rows) and not same(on, off):
        return True
    return not any(map(_repeats, ends)) and not all(
        isinstance(on, Rows) and isinstance(end, Rows) and same(on, end) for end in ends
    )


def _spark_alone(harness: Harness, case: Case, conf: Mapping[str, str], *, needed: float) -> tuple[Outcome, bool]:
    """The outcome of a leg, and whether the JVM was starved: had no thread that ran for the ``needed`` seconds."""
    spark = harness.spark
    _ = spark.session  # what keeps Spark from starting is no outcome
    pid, started = spark.pid, time.monotonic()
    before = times_of(pid) if pid is not None else {}

    def starved() -> bool:
        return pid is not None and is_starved(before, times_of(pid), time.monotonic() - started, needed)

    try:
        with spark.stage(case.database, case.settings) as stage, stage.leg(case.query, conf) as leg:
            outcome = leg.run().outcome
            assert outcome is not None  # it was run
            return outcome, starved()
    except Exception as error:
        how = spark.lost(error)
        if how is None:
            raise
        waited = starved()
        spark.close()
        return lost(how), waited
