"""``tox run -e answers-spark41 -- --out FILE``: the answers of one release to the queries of a seed, a line each.

This is one side of ``compare``. Both sides draw the same queries: those that the older of the two releases runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from hypothesis import HealthCheck, given, seed

from assay.fuzz.case_mix import fuzz_cases
from assay.fuzz.drawing import generating
from assay.fuzz.finding import digest
from assay.fuzz.fuzzer import shard_seed
from assay.session.options import Options
from assay.session.session import prepare, prepare_java
from oracles.answers.outcome import Outcome
from oracles.answers.rows import from_plain as outcome_from_plain
from oracles.answers.rows import to_plain as outcome_to_plain
from oracles.checks.check import Harness
from oracles.patterns.unsupported import supported_on
from strategies.ir import Case, without_limit
from strategies.ir.codec import from_plain, to_plain
from strategies.shapes import load_shapes

_ROUND = 200
"""Cases drawn at once; a later round draws others."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a case on the Spark release ``spark``, and the rules that changed its plan."""

    spark: str
    case: Case
    outcome: Outcome
    changed_plan: frozenset[str]


def write(options: Options, out: Path, as_of: str, cases: Path | None) -> None:
    """Run the drawn cases, or those in ``cases``, and write each answer to disk before the next case runs."""
    prepare_java()
    with prepare(options).harness() as harness, out.open("w", encoding="utf-8") as file:
        if cases is not None:
            for answer in read(cases):
                _ask(harness, answer.case, file, fast=False)
            return
        seen: set[str] = set()
        rounds = 0
        while len(seen) < options.max_examples:
            _one_round(harness, options, as_of, rounds, seen, file)
            rounds += 1


def _one_round(harness: Harness, options: Options, as_of: str, number: int, seen: set[str], file: TextIO) -> None:
    @seed(shard_seed(options.seed, "compare", number))
    @generating(
        min(_ROUND, options.max_examples - len(seen) + 10),
        suppress_health_check=list(HealthCheck),  # slow draws cost time here, and nothing is judged by them
    )
    @given(supported_on(as_of, fuzz_cases(load_shapes(), ())))
    def examples(case: Case) -> None:
        mark = digest(case)
        if mark not in seen and len(seen) < options.max_examples:
            seen.add(mark)
            _ask(harness, case, file, fast=True)

    examples()


def _ask(harness: Harness, case: Case, file: TextIO, *, fast: bool) -> None:
    # Of a LIMIT without an order either may take other rows.
    query = without_limit(case.query)
    with harness.spark.stage(case.database, case.settings, fast=fast) as stage, stage.leg(query, {}) as leg:
        report = leg.run()
    assert report.outcome is not None  # it was run
    line = {
        "spark": harness.spark.version,
        "case": to_plain(case),
        "outcome": outcome_to_plain(report.outcome),
        "effective": sorted(rule.name for rule in harness.catalogue.named(report.changed_plan)),
    }
    file.write(json.dumps(line) + "\n")
    file.flush()


def read(file: Path) -> Iterator[Answer]:
    """Read the answers in a file, up to the first line that was cut off."""
    if not file.exists():
        return
    with closing(file.open(encoding="utf-8")) as lines:
        for text in lines:
            try:
                line: dict[str, Any] = json.loads(text)
            except ValueError:
                return
            outcome = outcome_from_plain(line["outcome"])
            yield Answer(line["spark"], from_plain(line["case"]), outcome, frozenset(line["effective"]))


def copy(answers: Iterable[Answer], file: Path) -> None:
    """Write the cases of ``answers`` to a file for ``--cases``."""
    lines = [
        {
            "spark": answer.spark,
            "case": to_plain(answer.case),
            "outcome": outcome_to_plain(answer.outcome),
            "effective": sorted(answer.changed_plan),
        }
        for answer in answers
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
