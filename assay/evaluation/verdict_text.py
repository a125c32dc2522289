"""The printed result of an evaluation: the verdict, the counts, the counterexamples, and the times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from assay.evaluation.acquittal import EvaluationStats
from assay.evaluation.rule_evaluation import RuleEvaluation
from assay.evaluation.timing import Timing
from assay.session.console import table
from assay.verify.text import headline as verification_headline
from assay.verify.text import notes as verification_notes
from assay.verify.verification import Verification
from oracles.answers.plural import number
from oracles.checks.evidence import LEAST
from oracles.checks.finding_kind import FindingKind
from oracles.checks.misbehaviour import THROWS
from oracles.checks.result import CheckResult
from oracles.checks.tally import CEILINGS
from oracles.rules.points import Point

_COLOURS = {"acquitted": "green", "convicted": "red", "never fired": "yellow", "thin evidence": "yellow"}
_WORST_FIRST = ("convicted", "thin evidence", "never fired", "acquitted")
_MORE = {"more_pairs": "see verify --pairs", "more_time": "see --verify TIME"}
"""The ways to more small queries; a trial has no option for their number."""
_MOST = 8
_LONGEST_SQL = 200


def print_evaluation(console: Console, evaluation: RuleEvaluation) -> None:
    """Print the result of one evaluation: the counterexamples first, the verdict last."""
    for text in evaluation.counterexamples:
        console.print(Text(text), soft_wrap=True)
        console.print()
    if evaluation.outcome != "convicted":
        console.print(_operators(evaluation))
    if evaluation.outcome == "never fired":
        console.print(_shapes(evaluation))
    if evaluation.timings:
        console.print(_times(evaluation.timings))
    console.print(_verdict(evaluation))
    for line in evaluation.coverage.lines() if evaluation.coverage else ():
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def name_of(evaluation: RuleEvaluation) -> str:
    """The rule, with the point where it has one of its own."""
    return f"{evaluation.rule}@{evaluation.point}" if evaluation.point else evaluation.rule


def ending_line(evaluations: Sequence[RuleEvaluation]) -> str:
    """All verdicts in one line: ``Mine: acquitted``, and of several rules ``convicted: A, B · acquitted: C``."""
    if len(evaluations) == 1:
        return f"{name_of(evaluations[0])}: {evaluations[0].outcome}"
    names = {
        outcome: ", ".join(name_of(each) for each in evaluations if each.outcome == outcome) for outcome in _WORST_FIRST
    }
    return " · ".join(f"{outcome}: {which}" for outcome, which in names.items() if which)


def _verdict(evaluation: RuleEvaluation) -> Panel:
    colour = _COLOURS[evaluation.outcome]
    lines = [Text(headline(evaluation), style="bold"), *map(Text, [*hints(evaluation), *notes(evaluation)])]
    return Panel(Text("\n").join(lines), title=f"{name_of(evaluation)}: {evaluation.outcome}", border_style=colour)


def headline(evaluation: RuleEvaluation) -> str:
    """The verdict in one line: ``fired in 812, plans differed in 640 of 1,000 queries (900 checked)``."""
    stats = evaluation.stats
    counts = _counts(stats)
    if evaluation.outcome == "convicted":
        offences = ", ".join(sorted({_offence(each.checked) for each in evaluation.findings}))
        return f"convicted ({offences}): {counts if stats.queries else _by_small_queries(evaluation)}"
    if evaluation.outcome == "acquitted":
        return f"acquitted: {counts}, {_agreed(stats)}, no difference"
    if evaluation.outcome == "never fired":
        return f"never fired in {stats.queries:,} queries: nothing is known about this rule"
    return f"thin evidence: {counts}; {_lacking(stats)}"


def _by_small_queries(evaluation: RuleEvaluation) -> str:
    assert evaluation.verification is not None  # a rule that no query was drawn for
    return f"a small query, {verification_headline(evaluation.verification)}"


def _counts(stats: EvaluationStats) -> str:
    """The queries on which the rule fired, of all that were drawn: most may have been planned and not checked."""
    count = stats.count
    checked = f"{count.checked:,} checked" if count.checked != stats.queries else ""
    if stats.all_alone:
        return f"fired in {count.fired:,} of {stats.queries:,} queries{_in_brackets(checked)}, against DuckDB alone"
    alone = f"{count.two_legs:,} against DuckDB alone" if count.two_legs else ""
    of = f"of {stats.queries:,} queries{_in_brackets(checked, alone)}"
    return f"fired in {count.fired:,}, plans differed in {count.differed:,} {of}"


def _in_brackets(*parts: str) -> str:
    told = ", ".join(filter(None, parts))
    return f" ({told})" if told else ""


def _agreed(stats: EvaluationStats) -> str:
    return f"{number(stats.evidence, 'kind')} of queries agreed with rows"


def _lacking(stats: EvaluationStats) -> str:
    """The evidence so far, and the findings that prevent an acquittal."""
    where = "" if stats.all_alone else " where the plans differed"
    found = [
        f"{_agreed(stats)}{where} ({LEAST} needed)",
        f"{stats.excused.total():,} excused" if stats.excused else "",
        f"{stats.unexplained.total():,} unexplained" if stats.unexplained else "",
        *(f"{count:,} {name}" for name, count in stats.unclear.items()),
    ]
    return ", ".join(filter(None, found))


def _offence(checked: CheckResult) -> str:
    kind = checked.verdict.kind
    if THROWS in checked.misbehaviour and kind in (FindingKind.INTERNAL, FindingKind.ERROR):
        return "it throws"
    return "" if kind is None else kind.label


def hints(evaluation: RuleEvaluation) -> list[str]:
    """Reasons why a rule never fired, from the plans that it was given; next steps if the evidence is thin."""
    if evaluation.outcome == "thin evidence":
        return _next_steps(evaluation.stats)
    if evaluation.outcome != "never fired" or not evaluation.point:
        return []
    if not evaluation.plans_seen.legs:
        return [f"no plan came to {evaluation.point}: the rule was never called"]
    return [_missing(name, evaluation) for name in evaluation.operators if name not in evaluation.plans_seen.nodes]


def _next_steps(stats: EvaluationStats) -> list[str]:
    lines = []
    if not stats.count.differed and not stats.count.two_legs:
        lines.append("the plans that ran never differed: other rules do the same, or undo what it does")
    if stats.evidence < LEAST:
        enough = f" (about {_enough(stats):,} at this rate)" if stats.evidence else ""
        lines.append(
            "for more evidence: --shapes FILE.py with queries that suit the rule, "
            f"--max-examples N{enough}, or another --hypothesis-seed"
        )
    lines += [
        f"{count:,} of {stats.count.fired:,} queries on which it fired, or may have, ended {name}, "
        f"more than {CEILINGS[name]} %: --shapes takes queries without them"
        for name, count in stats.unclear.items()
    ]
    for found, what in ((stats.excused, "excused by"), (stats.unexplained, "not known to have another cause:")):
        if found:
            which = ", ".join(f"{name} ({count:,})" for name, count in sorted(found.items()))
            lines.append(f"{what} {which}: the rule may have a part in it; --shapes takes queries without it")
    return lines


def _enough(stats: EvaluationStats) -> int:
    """The number of queries that is likely to give enough evidence, rounded up to two digits."""
    needed = ceil(stats.queries * LEAST / stats.evidence)
    unit: int = 10 ** max(0, len(str(needed)) - 2)
    return ceil(needed / unit) * unit


def _missing(operator: str, evaluation: RuleEvaluation) -> str:
    if operator in evaluation.analyzed.nodes and evaluation.point != Point.PLAN_NORMALIZATION:
        return f"{operator} no longer exists at {evaluation.point}; try @{Point.PLAN_NORMALIZATION}"
    return f"no query had a node {operator} at {evaluation.point}: --shapes takes queries of your own"


def notes(evaluation: RuleEvaluation) -> list[str]:
    """Notes below the verdict: times, findings with another cause, and files."""
    stats, small = evaluation.stats, evaluation.verification
    lines = []
    if small is not None and stats.queries:
        lines += _small_queries(small, convicted=evaluation.outcome == "convicted")
    if stats.databases:
        lines.append(f"the same plans agreed over {stats.databases:,} databases more")
    if evaluation.rows and not evaluation.timings:
        lines.append(f"time: no query over tables of {evaluation.rows:,} rows ended in time, with the rule on and off")
    if evaluation.timings and not any(each.ratios[0] > 1 or each.ratios[-1] < 1 for each in evaluation.timings):
        lines.append("time: no difference beyond what varies from turn to turn")
    if stats.restless:
        lines.append(
            f"note: not idempotent in {number(stats.restless, 'check')} (it changes its own result again); rules at "
            f"{evaluation.point} are run until nothing changes"
        )
    lines += _of_others(evaluation)
    if stats.files:
        lines.append(f"note: on disk, one of each bug: {', '.join(map(str, stats.files))}")
    return lines


def _of_others(evaluation: RuleEvaluation) -> list[str]:
    """The findings that the rule has no part in, with the guilty rules where they are known."""
    known, lines = Counter[str](), []
    for (what, rules), count in sorted(evaluation.stats.guilty.items()):
        known[what] += count
        tried = ", ".join(name for name in rules if name in evaluation.beside)
        names = ", ".join(name for name in rules if name not in evaluation.beside)
        guilty = ", and ".join(filter(None, [f"{tried}, also on trial" if tried else "", names]))
        lines.append(f"note: {number(count, 'finding')} ({what}) that the rule has no part in; guilty: {guilty}")
    return lines + [
        f"note: {number(count, 'finding')} ({what}) that the rule has no part in: tox run -e fuzz looks into "
        f"{'these' if count > 1 else 'it'}"
        for what, count in sorted((evaluation.stats.others - known).items())
    ]


def _small_queries(small: Verification, *, convicted: bool) -> list[str]:
    """The result of the small queries; beside a conviction not their verdict, which would say less of the rule."""
    if convicted and not small.findings:
        return [f"small queries ({small.finder.queries:,}) did not show it"]
    told = f"small queries: {verification_headline(small)}"
    return [told] if convicted else [told, *verification_notes(small, **_MORE)]


def _operators(evaluation: RuleEvaluation) -> Table:
    """A table of the operators that the rule names, and of the most frequent ones in the plans that it was given."""
    title = f"plans at {evaluation.point or 'Spark'}: {evaluation.plans_seen.legs:,}"
    return table(title, ("operator", "queries", "the rule names it"), operator_rows(evaluation), left=(0, 2))


def operator_rows(evaluation: RuleEvaluation) -> list[tuple[str, str, str]]:
    """The operators that the rule names, and those most frequent in its plans: name, queries, 'yes' for the former."""
    given = evaluation.plans_seen
    often = sorted(given.nodes, key=lambda name: (-given.nodes[name], name))[:_MOST]
    names = [*evaluation.operators, *(name for name in often if name not in evaluation.operators)]
    return [(name, f"{given.nodes.get(name, 0):,}", "yes" if name in evaluation.operators else "") for name in names]


def _shapes(evaluation: RuleEvaluation) -> Table:
    plans = evaluation.plans_seen.shapes.items()
    title = "the most frequent plans that the rule was given"
    return table(title, ("plan", "queries"), ((Text(name), f"{count:,}") for name, count in plans))


def _times(timings: Sequence[Timing]) -> Table:
    rows = max(timing.rows for timing in timings)
    made = table(f"time with tables of {rows:,} rows", ("query", "on", "off", "times as fast", "from-to"))
    for column in made.columns[1:]:
        column.no_wrap = True
    for timing in timings:
        sql, *figures = time_row(timing)
        made.add_row(Text(sql), *figures)
    return made


def time_row(timing: Timing) -> tuple[str, str, str, str, str]:
    """The query, its medians with the rule on and off, their ratio, and the least and the greatest ratio."""
    low, *_, high = timing.ratios
    on, off = (f"{sorted(times)[len(times) // 2]:,.0f} ms" for times in (timing.on, timing.off))
    shown = timing.sql if len(timing.sql) <= _LONGEST_SQL else timing.sql[:_LONGEST_SQL] + "…"
    return shown, on, off, f"{timing.ratio:.2f}", f"{low:.2f}-{high:.2f}"
