"""``tox run -e volume -- --scale ROWS``: rules on and off over large tables, where spilling and re-planning happen."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.incident_log import IncidentLog, printed_on
from assay.fuzz.supervisor import current_case, supervisor_of
from assay.session.console import console as console_of
from assay.session.known import known_divergences
from assay.session.options import Options
from assay.session.session import Setup, check_names, optimizing, prepare, prepare_java
from assay.session.stock import stock_spark
from assay.volume.execution import SESSION
from assay.volume.fuzzer import VolumeFuzzer
from assay.volume.table import RunStats, ended, print_done, print_stats, summary
from oracles.answers.atomic import write_json


def volume_setup(options: Options) -> Setup:
    """The session of ``options``, whose settings are for volume."""
    return optimizing(prepare(options))


def run(options: Options, rows: int) -> int:
    """Check so many queries over tables of so many ``rows``; see :mod:`assay.session.ending` for the exit code."""
    started = time.monotonic()
    own_conf = options.spark_conf
    options = replace(options, spark_conf={**SESSION, **own_conf})
    prepare_java()
    console = console_of()
    setup = volume_setup(options)

    log = IncidentLog(options.failures, printed_on(console))
    stats = RunStats(rows)
    with (
        tempfile.TemporaryDirectory(prefix="assay-volume-") as folder,
        setup.harness() as harness,
    ):
        rules = check_names(harness, options.rules)
        guard = supervisor_of(
            harness,
            rules,
            setup.subject.settings,
            case_file=current_case(Path(folder), "main"),
            tell=log.tell,
            restarts=False,
        )
        fuzzer = VolumeFuzzer(
            harness=harness,
            subject=setup.subject,
            usual=replace(setup.subject, conf=own_conf),
            store=FailureStore(folder=options.failures, guard=guard, stock=stock_spark(options)),
            folder=Path(folder),
            rows=rows,
            seed=options.seed,
            rules=rules,
            divergences=known_divergences(options.known),
        )
        for done in fuzzer.run(options.max_examples):
            stats.add(done)
            print_done(console, done, len(stats.done), options.max_examples)
        versions = {"spark": harness.spark.version, "duckdb": harness.duckdb.version}
    seconds = round(time.monotonic() - started, 1)
    print_stats(console, stats, seconds)
    end = ended(stats, [rule.name for rule in rules])
    code = log.close(console, end, f"--scale {rows} --hypothesis-seed {options.seed}")
    if options.summary_json is not None:
        head = {"format": 1, **versions, "seed": options.seed, "seconds": seconds, "exit": int(code)}
        write_json(options.summary_json, {**head, **summary(stats), "incidents": log.incidents})
    return code
