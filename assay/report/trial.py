"""The page of a trial: the verdict on each rule with its evidence, and counterexamples with the plans side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.evaluation.rule_evaluation import RuleEvaluation
from assay.evaluation.verdict_text import ending_line, headline, hints, name_of, notes, operator_rows, time_row
from assay.fuzz.finding import Finding
from assay.report.campaigns import Found
from assay.report.findings import Card, card
from assay.report.tables import Cell, Table
from oracles.failures.failure import script_path

_MOODS = {"acquitted": "good", "convicted": "bad"}
_WORST = ("acquitted", "never fired", "thin evidence", "convicted")
_OPERATORS = ("operator", "queries", "the rule names it")
_TIMES = ("query", "on", "off", "times as fast", "from-to")


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedRule:
    """The section of one rule; ``counts`` are its checks by verdict, ``never`` its lines that never ran."""

    title: str
    outcome: str
    mood: str
    headline: str
    lines: Sequence[str]
    counts: Table
    operators: Table
    times: Table
    never: Sequence[str]
    cards: Sequence[Card]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPage:
    """All data of the page; ``red`` are lines about faults of the suite's own."""

    title: str
    mood: str
    facts: Sequence[str]
    red: Sequence[str]
    rules: Sequence[TriedRule]


def trial_page(evaluations: Sequence[RuleEvaluation], head: Mapping[str, Any], red: Sequence[str]) -> TrialPage:
    """The page of ``evaluations``, of which there is at least one; ``head`` is that of ``--summary-json``."""
    worst = max((each.outcome for each in evaluations), key=_WORST.index)
    facts = [f"Spark {head['spark']}", f"DuckDB {head['duckdb']}", f"seed {head['seed']}", f"{head['seconds']:,.0f} s"]
    if "stopped" in head:
        facts.append(f"stopped {head['stopped']}")
    return TrialPage(
        title=f"{', '.join(map(name_of, evaluations))}: Assay itself failed" if red else ending_line(evaluations),
        mood="bad" if red else _MOODS.get(worst, "poor"),
        facts=facts,
        red=red,
        rules=[_tried(number, each) for number, each in enumerate(evaluations)],
    )


def _tried(number: int, evaluation: RuleEvaluation) -> TriedRule:
    verdicts = sorted(evaluation.stats.verdicts.items())
    return TriedRule(
        title=name_of(evaluation),
        outcome=evaluation.outcome,
        mood=_MOODS.get(evaluation.outcome, "poor"),
        headline=headline(evaluation),
        lines=[*hints(evaluation), *notes(evaluation)],
        counts=_table(f"verdicts-{number}", ("verdict", "checks"), [(name, f"{count:,}") for name, count in verdicts]),
        operators=_table(f"operators-{number}", _OPERATORS, operator_rows(evaluation)),
        times=_table(f"times-{number}", _TIMES, map(time_row, evaluation.timings)),
        never=evaluation.coverage.lines() if evaluation.coverage else (),
        cards=[_card(each) for each in evaluation.findings],
    )


def _table(name: str, head: tuple[str, ...], rows: Any) -> Table:
    cells = tuple(tuple(map(Cell, row)) for row in rows)
    return Table(name, head, cells, frozenset(range(1, len(head))))


def _card(finding: Finding) -> Card:
    script = script_path(finding.file)
    row = {**finding.failure.summary(finding.file), "runs": ["this"]}
    return card(Found(row, finding.failure, str(finding.file), str(script) if script.is_file() else ""))
