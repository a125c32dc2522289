"""A query that took its engine down, or took too long: each leg by itself, on a fresh session, with more time.

What repeats so is a finding, and what doesn't proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import get_args

from oracles.answers.outcome import Kind, Outcome, Raised, Rows
from oracles.checks.check import Harness
from oracles.checks.finding_kind import FindingKind
from oracles.checks.result import CheckResult, LegSettings
from oracles.checks.verdict import Blame, Verdict
from oracles.engines.protocol import Loss
from oracles.failures.loss import LOSSES
from oracles.rules.rule import Rule
from oracles.rules.switch import switch_off
from strategies.ir import Case

TIMES = 5
"""The limit of time alone, in limits of a check."""

_LEGS = ("on", "off", "duckdb")
_CONDITIONS: Mapping[Loss, str] = dict(zip(get_args(Loss), LOSSES, strict=False))


def lost(how: Loss) -> Raised:
    """The outcome of a leg whose JVM was lost."""
    kind: Kind = "timeout" if how == "hung" else "internal"
    return Raised(_CONDITIONS[how], None, loss_text(how), kind)


def loss_text(how: Loss) -> str:
    """How a JVM was lost, as a clause."""
    return {"out of memory": "the JVM ran out of memory", "cut off": "the JVM was cut off"}.get(how, f"the JVM {how}")


def is_timeout(outcome: Outcome) -> bool:
    """Whether a leg ran out of time."""
    return isinstance(outcome, Raised) and outcome.kind == "timeout"


def _repeats(outcome: Outcome) -> bool:
    return is_timeout(outcome) or (isinstance(outcome, Raised) and outcome.condition in LOSSES)


def judge_alone(legs: Mapping[str, Outcome], before: str) -> Verdict:
    """The verdict on legs that were run alone, after ``before`` had happened to their query.

    A lost process weighs more than lost time, and Spark's legs more than DuckDB's; what both of Spark's do is nobody's
    in particular.
    """
    repeating = [name for name in _LEGS if name in legs and _repeats(legs[name])]
    if not repeating:
        return Verdict("inconclusive", None, None, f"{before}; alone, it did not happen again")
    ends = {name: legs[name] for name in repeating}
    grave = [name for name, end in ends.items() if isinstance(end, Raised) and end.kind == "internal"]
    kind = FindingKind.INTERNAL if grave else FindingKind.TIMEOUT
    told = "; ".join(f"{name}: {_text(legs[name])}" for name in _LEGS if name in legs)
    return Verdict("finding", kind, _blame(grave or repeating), f"alone on a fresh session: {told}")


def _blame(legs: Iterable[str]) -> Blame:
    spark = [leg for leg in legs if leg != "duckdb"]
    if len(spark) == 2:
        return "unknown"
    if not spark:
        return "duckdb"
    return "on" if spark == ["on"] else "off"


def _text(outcome: Outcome) -> str:
    return f"{len(outcome.rows)} rows" if isinstance(outcome, Rows) else outcome.condition


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
    """Each leg of ``case`` on a fresh session, for ``TIMES`` the ``limit``; ``about_to`` hears which comes next.

    The off leg does without the ``suspects``, or where there are none, without every rule that can go off. The check's
    ``fired`` are the guilty ones: the suspects, where the on leg alone fails.
    """
    harness.spark.close()  # first of all: whoever is asked for rules may have to start Spark
    suspected = tuple(suspects)
    rules = suspected or tuple(harness.catalogue.switchable())
    confs = {"on": settings.on, "off": switch_off([rule.switch for rule in rules if rule.switch], settings.off)}
    legs: dict[str, Outcome] = {}
    harness.spark.time_limit = harness.duckdb.time_limit = limit * TIMES
    try:
        for leg, conf in confs.items():
            about_to(leg)
            legs[leg] = _spark_alone(harness, case, conf)
        about_to("duckdb")
        legs["duckdb"] = harness.duckdb.run(case.query, case.database)
    finally:
        harness.spark.time_limit = harness.duckdb.time_limit = limit
    verdict = judge_alone(legs, before)
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


def _spark_alone(harness: Harness, case: Case, conf: Mapping[str, str]) -> Outcome:
    spark = harness.spark
    _ = spark.session  # what keeps Spark from starting is no outcome
    try:
        with spark.stage(case.database, case.settings) as stage, stage.leg(case.query, conf) as leg:
            outcome = leg.run().outcome
            assert outcome is not None  # it was run
            return outcome
    except Exception as error:
        how = spark.lost(error)
        if how is None:
            raise
        spark.close()
        return lost(how)
