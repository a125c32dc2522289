"""Failure of a query that killed a worker twice: the coordinator writes it, since the worker is dead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracles.answers.outcome import Raised
from oracles.checks.finding_kind import FindingKind
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Blame, Verdict
from oracles.failures.failure import Failure, Subject, failure_of
from oracles.failures.loss import WORKER_DIED
from oracles.sql import DuckdbCompiler, spark_text
from strategies.ir import Case, from_plain

_BLAMES: Mapping[str, Blame] = {"on": "on", "off": "off", "duckdb": "duckdb"}


def loss_of_worker(current_case: Mapping[str, Any], subject: Subject, versions: Mapping[str, str]) -> Failure:
    """The failure of the case in ``current_case``: the record of a worker that died while it reran one leg alone."""
    case = from_plain(current_case["case"])
    assert isinstance(case, Case)  # as it was written
    leg = current_case["doing"].removeprefix("alone: ")
    told = f"the worker died at it, and another one alone with the leg {leg}"
    legs = {leg: Raised(WORKER_DIED, None, told, "internal")}
    verdict = Verdict(name="finding", kind=FindingKind.INTERNAL, blame=_BLAMES.get(leg, "unknown"), reason=told)
    checked = CheckResult(
        case=case, off=(), fired=(), differed=False, verdict=verdict, legs=legs, settings=subject.settings
    )
    sql = {"spark": spark_text(case.query, case.settings), "duckdb": DuckdbCompiler().compile(case.query)}
    return failure_of(
        checked, (), subject=subject, versions=versions, sql=sql, seed=current_case.get("seed"), confirmed=True
    )
