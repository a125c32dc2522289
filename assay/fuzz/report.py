"""The tables at the end of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from assay.fuzz.finding_text import finding_line
from assay.fuzz.incident_log import incident_line
from assay.fuzz.record import Record
from assay.fuzz.silent_table import silent_table
from assay.session.console import table, text_of
from oracles.answers.plural import number
from oracles.checks.conclusion import Conclusion
from oracles.checks.evidence import RuleCount, differed_text, stock_lines, two_legs_lines

GENERAL_SURVIVORS = 0.15


def closing_table(record: Record, seconds: float) -> str:
    """The tables at the end of a fuzz run: rules, rules that never fired, verdicts, silent entries, and findings."""
    tally = record.tally
    tables = [
        _rules_table(record),
        *([_never_table(record)] if record.coverage.never else []),
        _verdicts_table(record),
        *([silent_table(record.fits, record.fitting, tally.excused, tally.checks)] if record.fits else []),
    ]
    return text_of(*tables, "\n".join(_closing_lines(record, seconds)))


def _rules_table(record: Record) -> Table:
    """The table of rules.

    ``changed`` counts the checks in which a rule changed the on leg's plan; the columns after it those in which it
    was off on the off leg. A dash in ``differed`` says that all checks in which the rule fired had two legs. ``entry``
    says whether Assay's own list of rules has the rule.
    """
    coverage = record.coverage
    counts = [(name, record.rules.get(name, RuleCount())) for name in sorted({*record.rules, *coverage.changed})]
    known = {name for name, entry in coverage.release.items() if entry.known}
    return table(
        "rules",
        ("rule", "changed", "checked", "fired", "differed", "entry"),
        (
            (
                name,
                str(coverage.changed.get(name, 0)),
                str(count.checked),
                str(count.fired),
                differed_text(count),
                "yes" if name in known else "",
            )
            for name, count in counts
        ),
        left=(0, 5),
    )


def _never_table(record: Record) -> Table:
    """The table of rules that changed no plan, by the reason."""
    never = record.coverage.never
    return table(
        "never fired",
        ("because", "rules of this Spark that changed no plan"),
        (
            (why or "?", ", ".join(sorted(name for name, own in never.items() if own == why)))
            for why in sorted(set(never.values()))
        ),
        left=(0, 1),
    )


def _verdicts_table(record: Record) -> Table:
    tally = record.tally
    return table(
        "verdicts",
        ("verdict", "checks", "%"),
        ((name, str(checks), f"{100 * checks / max(1, tally.checks):.1f}") for name, checks in tally.verdicts.items()),
        left=(0, 1, 2),
    )


def _closing_lines(record: Record, seconds: float) -> list[str]:
    """The lines below the tables: speed, coverage, excuses, legs, findings and incidents."""
    coverage, tally = record.coverage, record.tally
    return [
        f"{tally.checks} checks in {seconds:.0f} s ({tally.checks / max(seconds, 0.001):.1f}/s), "
        f"{tally.nonempty} agreements with rows",
        *([f"the same plans agreed over {record.others} databases more"] if record.others else []),
        f"{len(coverage.changed)} of {len(coverage.release)} rules changed a plan, "
        f"{len(coverage.pairs)} pairs together",
        *(f"excused by {name}: {count}" for name, count in tally.excused.items()),
        *two_legs_lines(record.legs),
        *stock_lines(record.legs, tally.checks),
        *(
            [f"DuckDB's optimizer raised in {record.optimizer_failures}: answered without it"]
            if record.optimizer_failures
            else []
        ),
        *([_on_executors(record)] if record.executors else []),
        *map(finding_line, record.findings),
        *map(incident_line, record.incidents),
    ]


def _on_executors(record: Record) -> str:
    told = ", ".join(f"{name}: {checks}" for name, checks in sorted(record.executors.items()))
    return f"checks that an executor ended tasks for, by its id: {told}"


def kill_table(record: Record) -> str:
    """The table of mutants: the search, the result, examples, seconds, and the size of the minimized case.

    Below it stand the wrong answers that known divergences excused; these do not count as kills.
    """
    figures = ("examples", "seconds", "operators", "rows")
    shown = table(
        "mutants",
        ("mutant", "rule", "by", "killed", *figures),
        (
            (
                kill["name"],
                kill["rule"],
                kill["by"],
                "yes" if kill["killed"] else "NO",
                *("" if kill[key] is None else str(kill[key]) for key in figures),
            )
            for kill in sorted(record.kills, key=lambda each: (each["rule"], each["name"], each["by"]))
        ),
        left=range(4),
    )
    excused = {kill["name"]: kill.get("excused", 0) for kill in record.kills if kill.get("excused")}
    told = f"kills excused by known divergences: {sum(excused.values())}{_named(excused)}"
    return text_of(shown, told, *map(incident_line, record.incidents))


def _named(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{name} {count}' for name, count in sorted(counts.items()))})" if counts else ""


def conclude_kills(kills: Sequence[Mapping[str, Any]]) -> Conclusion:
    """The conclusion from the searches for mutants."""
    killed, alive = sum(bool(kill["killed"]) for kill in kills), survivors(kills)
    if not kills:
        return Conclusion("no wrong rule was hunted: nothing is known", False, ("mutants: none was hunted: see above",))
    broken = (f"mutants: {', '.join(alive)} survived",) if alive else ()
    return Conclusion(f"{killed:,} of {number(len(kills), 'hunt')} for wrong rules ended in a kill", not alive, broken)


def survivors(kills: Sequence[Mapping[str, Any]]) -> list[str]:
    """The mutants whose survival makes a run red.

    Cases of its rule's shape must kill every mutant; general queries may leave 15 % of the mutants alive.
    """
    alive = [kill for kill in kills if not kill["killed"]]
    general = [kill["name"] for kill in alive if kill["by"] == "general"]
    allowed = GENERAL_SURVIVORS * sum(kill["by"] == "general" for kill in kills)
    return [kill["name"] for kill in alive if kill["by"] == "shape"] + (general if len(general) > allowed else [])
