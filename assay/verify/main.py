"""``tox run -e verify -- --rule …``: verify rules, one after the other in each worker; the worst verdict is the end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console

from assay.fuzz.incident_log import red_lines, without_lost_jvms
from assay.session.console import console as console_of
from assay.session.console import table
from assay.session.ending import Exit
from assay.session.session import prepare_java
from assay.verify.session import VerificationEnd, VerifyRequest, VerifySession
from assay.verify.verification import VerificationOutcome
from assay.verify.workers import Answer, answers
from oracles.answers.atomic import write_json


def run(request: VerifyRequest) -> int:
    """Verify each requested rule; the worst verdict is the exit code."""
    started = time.monotonic()
    prepare_java()
    console = console_of()
    results: list[VerificationEnd] = []
    incidents: list[Mapping[str, Any]] = []
    open_incidents: list[Mapping[str, Any]] = []
    for answer in _answers(request, console):
        console.file.write(answer.printed)
        results += [answer.ended] if answer.ended else []
        incidents += answer.incidents
        wrong = answer.ended is not None and answer.ended.outcome == "refuted"
        open_incidents += without_lost_jvms(answer.incidents) if wrong else answer.incidents
        if request.options.summary_json is not None:
            # After each rule: a run that is stopped keeps what it has.
            head = {"format": 1, **answer.versions, "seconds": round(time.monotonic() - started, 1)}
            rules = {result.rule: result.summary for result in sorted(results, key=lambda result: result.rule)}
            write_json(request.options.summary_json, {**head, "rules": rules, "incidents": incidents})
    if len(results) > 1:
        console.print(_table(results))
    red = red_lines(open_incidents)
    for line in red:
        console.print(line, highlight=False, soft_wrap=True)
    return Exit.SUITE_FAILED if red else exit_of([result.outcome for result in results])


def _answers(request: VerifyRequest, console: Console) -> Iterator[Answer]:
    if request.workers > 1 and request.count is not None and request.count > 1:
        yield from answers(request, request.count, console)
        return
    with VerifySession(request, console) as session:
        for place in range(len(session)):
            told = len(session.log.incidents)
            ended = session.verify(place)
            yield Answer(
                ended=ended, printed="", incidents=list(session.log.incidents[told:]), versions=session.versions
            )


def exit_of(outcomes: Sequence[VerificationOutcome]) -> Exit:
    """Refuted comes first, then what is not known."""
    if "refuted" in outcomes:
        return Exit.FOUND
    return Exit.GREEN if set(outcomes) == {"verified"} else Exit.UNDECIDED


def _table(results: Sequence[VerificationEnd]) -> Any:
    head = ("rule", "verdict", "pairs", "comparisons", "seconds", "excused")
    rows = [
        (
            result.rule,
            result.outcome,
            f"{result.summary['pairs']:,}",
            f"{result.summary['comparisons']:,}",
            f"{result.summary['seconds']:,.0f}",
            ", ".join(result.summary["excused"]),
        )
        for result in sorted(results, key=lambda result: result.rule)
    ]
    return table("verified up to a bound", head, rows, left=(0, 1, 5))
