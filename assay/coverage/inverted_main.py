"""``tox run -e inversions``: the share of inverted conditionals of the optimizer that drawn cases show."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from assay.coverage.inverted import CHANGED, FATES, LEG_SECONDS, SEEN, Fate, Inverted, Inverting, cpu_minutes
from assay.coverage.measure import jobs_of, shape_names
from assay.coverage.parts import rule_of
from assay.coverage.report import percent
from assay.session.console import console as console_of
from assay.session.console import table
from assay.session.ending import BadInput, Exit
from assay.session.options import Options
from assay.session.session import check_names, prepare, prepare_java
from oracles.answers.atomic import write_json
from oracles.engines.spark.inversions import Conditional
from oracles.rules.catalogue import short_name
from strategies.draw.seeding import ignore_local_constants
from strategies.shapes import load_shapes

_SHOWN = 30
"""Survivors with another plan that are printed; the summary has all."""


@dataclass(frozen=True, slots=True)
class InversionScore:
    """The results of all inverted conditionals, and the number that never ran: ``never``, by rule or helper.

    ``rules`` are names of rules by their classes.
    """

    tried: Sequence[Inverted]
    never: Mapping[str, int]
    ran: int
    rules: Mapping[str, str]

    def name_of(self, conditional: Conditional) -> str:
        """The rule or helper that a conditional belongs to."""
        return rule_of(conditional.class_name, self.rules)[1]

    @property
    def fates(self) -> Counter[Fate]:
        """The number of tried conditionals by fate."""
        return Counter(each.fate for each in self.tried)

    @property
    def shown(self) -> float:
        """Of those that changed a plan without an error, the share with wrong rows; 0 if there were none."""
        fates = self.fates
        changed = fates["wrong rows"] + fates["another plan"]
        return fates["wrong rows"] / changed if changed else 0.0

    @property
    def by_rule(self) -> dict[str, Counter[Fate]]:
        """The fates by rule or helper, those that never ran among them."""
        found: dict[str, Counter[Fate]] = {name: Counter({"never run": count}) for name, count in self.never.items()}
        for each in self.tried:
            found.setdefault(self.name_of(each.conditional), Counter())[each.fate] += 1
        return dict(sorted(found.items()))

    @property
    def survivors(self) -> list[Inverted]:
        """The inverted conditionals that changed a plan but no rows, the most often run first."""
        return sorted((each for each in self.tried if each.fate == "another plan"), key=lambda each: -each.runs)


def run(options: Options, most: int) -> int:
    """Invert up to ``most`` conditionals that the cases of ``options`` run, and print what becomes of them.

    The exit code is UNDECIDED if no inversion changed anything, or if too many JVMs were lost.
    """
    own = [rule.name for rule in options.rules if rule.class_name]
    if own:
        raise BadInput(f"--rule {', '.join(own)}: only conditionals of Spark's own rules are inverted")
    started = time.monotonic()
    prepare_java()
    ignore_local_constants()
    shapes, names = load_shapes(), [rule.name for rule in options.rules]
    with prepare(options, probes=True).supervised() as harness:
        harness.spark.time_limit = LEG_SECONDS
        check_names(harness, options.rules)
        listed = {found.rule_name: short_name(found.rule_name) for found in harness.spark.discovered()}
        rules = {**listed, **{rule.rule_name: rule.name for rule in harness.catalogue.rules}}

        def wanted(conditional: Conditional) -> bool:
            return not names or rule_of(conditional.class_name, rules)[1] in names

        inverting = Inverting(harness=harness, shapes=shapes, run_seed=options.seed)
        inverting.collect(jobs_of(options.max_examples, ("general", "shapes"), shape_names(shapes, names)))
        chosen = inverting.sample(most, wanted)
        tried = inverting.tried_each(chosen)
        every = inverting.conditionals
        never = Counter(
            rule_of(each.class_name, rules)[1]
            for number, each in enumerate(every)
            if number not in inverting.runs and wanted(each)
        )
        ran = sum(wanted(every[number]) for number in inverting.runs)
        score = InversionScore(tried, never, ran, rules)
        minutes, version = cpu_minutes(inverting.spark), harness.spark.version
    _print(console_of(), score, len(inverting.bases), minutes)
    if inverting.losses:
        console_of().print(f"Spark's JVM was lost {inverting.losses} times: the processor time of these is not counted")
    if options.summary_json is not None:
        seconds = round(time.monotonic() - started, 1)
        head = {
            "format": 1,
            "spark": version,
            "seed": options.seed,
            "seconds": seconds,
            "cpu_minutes": round(minutes, 2),
            "losses": inverting.losses,
        }
        write_json(options.summary_json, {**head, "cases": len(inverting.bases), **summary(score)})
    why = undecided(score, len(chosen))
    if why:
        print(why)
    return Exit.UNDECIDED if why else Exit.GREEN


def undecided(score: InversionScore, chosen: int) -> str:
    """The reason why the run says nothing, in one line; '' if it does."""
    if len(score.tried) < chosen:
        return f"ended after {len(score.tried):,} of {chosen:,} conditionals: too many JVMs were lost"
    if not chosen:
        return "no case runs a conditional of the named rules" if score.never else "no conditional was tried"
    if not any(score.fates[fate] for fate in CHANGED):
        return f"none of the {chosen:,} inverted conditionals changed anything"
    return ""


def rules_table(score: InversionScore) -> Table:
    """The fates by rule, and of all rules together."""
    by_rule = score.by_rule
    total = sum(by_rule.values(), Counter[Fate]())
    rows = ((name, *(str(fates[fate] or "") for fate in FATES)) for name, fates in by_rule.items())
    made = table("inverted conditionals by rule", ("rule", *FATES), rows)
    made.add_section()
    made.add_row("all", *(str(total[fate]) for fate in FATES))
    return made


def totals_text(score: InversionScore, cases: int, minutes: float) -> list[str]:
    """The score in a few lines."""
    fates, count = score.fates, len(score.tried)
    seen = sum(fates[fate] for fate in SEEN)
    shares = ", ".join(f"{fates[fate]:,} {fate}" for fate in FATES if fate != "never run")
    every = score.ran + sum(score.never.values())
    return [
        f"{cases:,} cases ran {score.ran:,} of {every:,} conditionals; {count:,} were inverted: {shares}",
        f"a check sees {percent(seen, count, 0)} of them; of those that change a plan without an error, "
        f"{100 * score.shown:.0f} % give wrong rows; {minutes:.1f} minutes of processor time",
    ]


def summary(score: InversionScore) -> dict[str, Any]:
    """The score in ``--summary-json``, with each conditional that was tried."""
    return {
        "conditionals": score.ran + sum(score.never.values()),
        "ran": score.ran,
        "fates": {fate: score.fates[fate] for fate in FATES if fate != "never run"},
        "wrong_rows_of_changed": round(score.shown, 4),
        "rules": {name: {fate: fates[fate] for fate in FATES} for name, fates in score.by_rule.items()},
        "tried": [
            {
                "rule": score.name_of(each.conditional),
                "class": each.conditional.class_name,
                "method": each.conditional.method,
                "file": each.conditional.file,
                "line": each.conditional.line,
                "fate": each.fate,
                "runs": each.runs,
                "cases": each.cases,
            }
            for each in score.tried
        ],
    }


def _print(console: Console, score: InversionScore, cases: int, minutes: float) -> None:
    console.print(rules_table(score))
    survivors = score.survivors
    if survivors:
        console.print("survived with another plan, the most often run first", style="italic")
    for each in survivors[:_SHOWN]:
        place = f"{each.conditional.file}:{each.conditional.line}"
        text = f"{score.name_of(each.conditional)}: {place}, ran {each.runs:,} times"
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    for line in totals_text(score, cases, minutes):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
