"""Put each rule of the blind set on trial with the product's own command, and print a table of the verdicts.

``python -m tests.blind.trial [--only NAME] [--seed N] [--max-examples N] [-n N] [--out DIR]``

A rule's outcome is a file ``NAME.json`` of the folder, written when its trial ends. A run with the same seed and number
of checks goes on where the last one stopped; a rule whose source has changed is tried again.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import click
from rich.console import Console
from rich.table import Table

from assay.session.ending import Exit
from oracles.answers.atomic import write_json, write_text
from tests.blind.sources import WrongRule, load_rules

ROOT = Path(__file__).resolve().parents[2]
OUTCOMES = ("convicted", "thin evidence", "never fired", "acquitted")
_WITH_VERDICT = (Exit.GREEN, Exit.FOUND, Exit.UNDECIDED)


class TrialFailed(RuntimeError):
    """``check-rule`` ended without a verdict; its output is in the rule's log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The verdict on a rule, after ``checks`` queries in ``seconds``; ``kind`` is the finding's, of a conviction.

    ``fired`` and ``differed`` count queries. ``source`` is the digest of the rule's source.
    """

    rule: str
    point: str
    law: str
    source: str
    seed: int
    max_examples: int
    verdict: str
    kind: str
    checks: int
    fired: int
    differed: int
    seconds: float


def digest(rule: WrongRule) -> str:
    """16 hex digits of the rule's source."""
    return hashlib.sha256(rule.source.read_bytes()).hexdigest()[:16]


def command(rule: WrongRule, folder: Path, *, seed: int, max_examples: int) -> list[str]:
    """The command that tries ``rule``, with its summary and its failures in ``folder``."""
    options = {
        "--rule": rule.request,
        "--max-examples": max_examples,
        "--hypothesis-seed": seed,
        "--scale": 0,
        "--summary-json": _summary(rule, folder),
        "--failures": folder / "failures",
    }
    return [sys.executable, "-m", "assay", "check-rule", *(str(part) for pair in options.items() for part in pair)]


def earlier(rule: WrongRule, folder: Path, *, seed: int, max_examples: int) -> Outcome | None:
    """The outcome that an earlier run of the same trial left; None if there is none."""
    file = _outcome(rule, folder)
    if not file.is_file():
        return None
    found = Outcome(**json.loads(file.read_text(encoding="utf-8")))
    same = (found.source, found.seed, found.max_examples) == (digest(rule), seed, max_examples)
    return found if same else None


def tried(rule: WrongRule, folder: Path, *, seed: int, max_examples: int) -> Outcome:
    """Try ``rule`` now; TrialFailed if there is no verdict."""
    summary, started = _summary(rule, folder), time.monotonic()
    summary.unlink(missing_ok=True)
    asked = command(rule, folder, seed=seed, max_examples=max_examples)
    environ = {**os.environ, "PYTHONHASHSEED": "0"}  # as in tox.ini: one seed is one set of queries
    done = subprocess.run(asked, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    log = folder / f"{rule.name}.log"
    write_text(log, done.stdout + done.stderr)
    if done.returncode not in _WITH_VERDICT or not summary.is_file():
        raise TrialFailed(f"{rule.name}: check-rule ended with {done.returncode} and no verdict; see {log}")
    trial = json.loads(summary.read_text(encoding="utf-8"))["rules"][rule.name]
    outcome = Outcome(
        rule=rule.name,
        point=str(rule.point),
        law=rule.law,
        source=digest(rule),
        seed=seed,
        max_examples=max_examples,
        verdict=trial["verdict"],
        kind=", ".join(finding["kind"] for finding in trial["findings"]),
        checks=trial["queries"],
        fired=trial["fired"],
        differed=trial["differed"],
        seconds=round(time.monotonic() - started, 1),
    )
    write_json(_outcome(rule, folder), asdict(outcome))
    return outcome


def table_of(outcomes: Sequence[Outcome]) -> Table:
    """A row for each outcome."""
    table = Table("rule", "point", "verdict", "kind", "checks", "fired", "differed", "seconds")
    for each in outcomes:
        counts = (f"{count:,}" for count in (each.checks, each.fired, each.differed))
        table.add_row(each.rule, each.point, each.verdict, each.kind, *counts, f"{each.seconds:.0f}")
    return table


def totals(outcomes: Sequence[Outcome]) -> str:
    """How many rules have each verdict, and the checks up to a conviction."""
    verdicts = Counter(each.verdict for each in outcomes)
    parts = [f"{verdicts[verdict]} {verdict}" for verdict in OUTCOMES]
    checks = sorted(each.checks for each in outcomes if each.verdict == "convicted")
    convictions = f"; checks to a conviction: median {median(checks):.0f}, most {checks[-1]:,}" if checks else ""
    return f"{len(outcomes)} rules: {', '.join(parts)}{convictions}; {sum(each.seconds for each in outcomes):.0f} s"


def _summary(rule: WrongRule, folder: Path) -> Path:
    return folder / "summaries" / f"{rule.name}.json"


def _outcome(rule: WrongRule, folder: Path) -> Path:
    return folder / f"{rule.name}.json"


@click.command()
@click.option("--only", multiple=True, metavar="NAME", help="this rule alone; repeatable")
@click.option("--seed", default=1, show_default=True, help="the seed of each trial")
@click.option("--max-examples", default=3000, show_default=True, type=click.IntRange(min=1), help="checks of a rule")
@click.option("-n", "workers", default=1, show_default=True, type=click.IntRange(min=1), help="trials side by side")
@click.option("--out", default=ROOT / "artifacts" / "blind", type=click.Path(path_type=Path), help="the outcomes")
def main(only: tuple[str, ...], seed: int, max_examples: int, workers: int, out: Path) -> None:
    """Try the rules of the blind set, in the order of their names, and print the table."""
    rules = {rule.name: rule for rule in load_rules()}
    if unknown := sorted(set(only) - set(rules)):
        raise click.BadParameter(f"no rule of the set is called {', '.join(unknown)}", param_hint="--only")
    console, folder = Console(), out.resolve()
    (folder / "summaries").mkdir(parents=True, exist_ok=True)

    def one(rule: WrongRule) -> Outcome:
        outcome = earlier(rule, folder, seed=seed, max_examples=max_examples)
        outcome = outcome or tried(rule, folder, seed=seed, max_examples=max_examples)
        console.print(f"{outcome.rule}: {outcome.verdict} in {outcome.checks:,} checks", highlight=False)
        return outcome

    with ThreadPoolExecutor(workers) as pool:
        outcomes = list(pool.map(one, [rule for rule in rules.values() if not only or rule.name in only]))
    console.print(table_of(outcomes))
    console.print(totals(outcomes), highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
