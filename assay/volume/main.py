"""``tox run -e volume -- --scale ROWS``: rules on and off over large tables, where spilling and re-planning happen."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from assay.fuzz.incident_log import IncidentLog, incident_line
from assay.fuzz.supervisor import current_case, supervisor_of
from assay.session import command
from assay.session.ending import BadInput, Exit
from assay.session.options import Options
from assay.session.session import Setup, check_names, optimizing, prepare, prepare_java
from assay.volume.execution import MASTER, SESSION
from assay.volume.hunt import VolumeHunt
from assay.volume.table import Course, ended, print_course, print_done, summary
from oracles.answers.atomic import write_json
from oracles.failures.scripts.confirm import StockSpark

CHECKS = 10
ROWS = 1_000_000
_LEAST = 1_000


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of every environment, with a session's settings for volume; ``own`` are those that the user gave."""

    options: Options
    own: Options
    rows: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Check so many queries over tables of so many rows; see :mod:`assay.session.ending` for how it ends."""

    def run(console: Console) -> int:
        asked = _asked(_parser().parse_args(arguments))
        prepare_java()
        return _run(asked, console)

    return command.ended(run)


def _parser() -> argparse.ArgumentParser:
    parser = command.parser_of("volume", "Rules on and off over large tables.")
    parser.set_defaults(spark_master=MASTER)
    parser.add_argument("--scale", default=str(ROWS), metavar="ROWS", help=f"rows of each table (default {ROWS:,})")
    return parser


def _asked(raw: argparse.Namespace) -> Asked:
    own = command.options_of(raw, max_examples=CHECKS)
    if not raw.scale.isdecimal() or int(raw.scale) < _LEAST:
        raise BadInput(f"--scale {raw.scale}: needs a number of rows, from {_LEAST:,} on")
    options = replace(own, spark_conf={**SESSION, **own.spark_conf})
    return Asked(options, own, int(raw.scale))


def volume_setup(options: Options) -> Setup:
    """The session of ``options``, whose settings are for volume."""
    return optimizing(prepare(options))


def _run(asked: Asked, console: Console) -> int:
    started = time.monotonic()
    setup = volume_setup(asked.options)

    def heard(incident: Mapping[str, Any]) -> None:
        console.print(incident_line(incident), markup=False, highlight=False, soft_wrap=True)

    log = IncidentLog(asked.options.failures, heard)
    course = Course(asked.rows)
    with (
        tempfile.TemporaryDirectory(prefix="assay-volume-") as folder,
        setup.laboratory() as laboratory,
    ):
        rules = check_names(laboratory, asked.options.rules)
        hunt = VolumeHunt(
            laboratory,
            setup.subject,
            replace(setup.subject, conf=asked.own.spark_conf),
            asked.options.failures,
            Path(folder),
            asked.rows,
            asked.options.seed,
            rules,
            StockSpark(asked.options.spark_home),
            guard=supervisor_of(
                laboratory,
                rules,
                setup.subject.settings,
                hand=current_case(Path(folder), "main"),
                tell=log.tell,
                restarts=False,
            ),
        )
        for done in hunt.run(asked.options.max_examples):
            course.add(done)
            print_done(console, done, len(course.done), asked.options.max_examples)
        versions = {"spark": laboratory.spark.version, "duckdb": laboratory.duckdb.version}
    seconds = round(time.monotonic() - started, 1)
    print_course(console, course, seconds)
    end = ended(course, [rule.name for rule in rules])
    code = Exit.SUITE_FAILED if log.red else end.code
    for line in (*end.why, *log.red):
        console.print(line, highlight=False, soft_wrap=True)
    console.print(f"again with: --scale {asked.rows} --hypothesis-seed {asked.options.seed}", highlight=False)
    if asked.options.summary_json is not None:
        head = {"format": 1, **versions, "seed": asked.options.seed, "seconds": seconds, "exit": int(code)}
        write_json(asked.options.summary_json, {**head, **summary(course), "incidents": log.incidents})
    return code


if __name__ == "__main__":
    sys.exit(main())
