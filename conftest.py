"""Hooks and fixtures of pytest: read the options, start one harness per worker, sum up the record, end the run."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import hypothesis.core
import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from assay.fuzz.fuzzer import shards
from assay.fuzz.incident_log import IncidentLog, red_lines
from assay.fuzz.job_summary import add_to_job_summary, fuzz_markdown, mutants_markdown
from assay.fuzz.progress import Progress
from assay.fuzz.record import Record, Recorder, read_record, summary
from assay.fuzz.report import closing_table, conclude_kills, kill_table, survivors
from assay.fuzz.state import KEY, Run
from assay.fuzz.supervision import Supervised
from assay.fuzz.supervisor import current_case, last_case, supervisor_of
from assay.options.shared import KIND, declare_for_pytest
from assay.session.ending import BadInput, Exit, ending, of_pytest
from assay.session.session import Setup, check_names, lasting, prepare, prepare_jars, prepare_java, versions
from oracles.answers.atomic import write_json
from oracles.checks.check import Harness
from oracles.checks.conclusion import Conclusion, conclude
from oracles.engines.spark.master import is_cluster
from oracles.engines.spark.start import SparkUnusable
from strategies.draw.seeding import collect_seldom, ignore_local_constants

default = settings.get_profile("default")  # named, because with CI set Hypothesis's own "ci" would be the parent
settings.register_profile("debug", default, max_examples=10, deadline=None)
settings.register_profile("dev", default, max_examples=50, deadline=None)
settings.register_profile("ci", default, max_examples=100, deadline=None, print_blob=True)
settings.register_profile("nightly", default, max_examples=5_000, deadline=None, print_blob=True)
# The profile of the suite's own tests in tox: the same examples for everyone, and none from a database.
settings.register_profile(
    "pinned", default, max_examples=100, deadline=None, print_blob=True, derandomize=True, database=None
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "dev")  # unless --hypothesis-profile names another
ignore_local_constants()
collect_seldom()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay")
    group.addoption(KIND, choices=("tests", "rules", "fuzz", "mutants"), default="tests", help="the kind of run")
    declare_for_pytest(group)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    # Hypothesis would give every test this one seed, so that two workers did the same work: shards get their own.
    hypothesis.core.global_force_seed = None
    try:
        run = config.stash[KEY] = Run(config, settings.get_current_profile_name())
        if run.is_controller and run.kind != "tests":
            _prepare_controller(config, run)
    except BadInput as problem:
        pytest.exit(str(problem), returncode=Exit.BAD_INPUT)


def _prepare_controller(config: pytest.Config, run: Run) -> None:
    """Prepare Java and the jars, and check the rules' names, before workers start: an error is reported once.

    The jars of tests are built while workers collect these and run those that need no Spark.
    """
    prepare_java()
    of_spark_alone = not run.options.rules and not run.options.extensions and not is_cluster(run.options.spark_master)
    if run.kind == "rules" and of_spark_alone:
        config.pluginmanager.register(_JarsBesideTests(run.options.spark_home))
        return
    run.setup = _setup(run)
    if of_spark_alone:
        return
    with ExitStack() as stack:
        engines = stack.enter_context(_engines(run, run.setup))
        check_names(engines, run.options.rules)
        if run.kind in ("fuzz", "mutants") and not config.getoption("tx", None):  # the hunts are in this process
            run.started_engines = engines
            stack.pop_all()


class _JarsBesideTests:
    """A plug-in that builds the jars beside the tests, and ends the run in one line where that can't be done."""

    def __init__(self, spark_home: Path | None) -> None:
        self._built = ThreadPoolExecutor(max_workers=1).submit(prepare_jars, spark_home)

    def pytest_runtest_logreport(self) -> None:
        if self._built.done() and isinstance(problem := self._built.exception(), BadInput):
            pytest.exit(str(problem), returncode=Exit.BAD_INPUT)


def _setup(run: Run) -> Setup:
    return lasting(prepare(run.options, run.mutants), run.lasts)


def _engines(run: Run, setup: Setup) -> Harness:
    """The engines of a run: fuzz and mutants runs survive the loss of their JVM; in tests, a loss is visible."""
    return setup.supervised() if run.kind in ("fuzz", "mutants") else setup.harness()


def pytest_configure_node(node: Any) -> None:
    """Send the folders and the seed of the run from the controller to each xdist worker."""
    run = node.config.stash[KEY]
    node.workerinput["assay_folder"] = str(run.folder)
    node.workerinput["assay_here"] = str(run.here)
    node.workerinput["assay_seed"] = run.options.seed


def pytest_report_header(config: pytest.Config) -> list[str]:
    run = config.stash[KEY]
    if run.kind not in ("fuzz", "mutants"):
        return []
    return [f"assay: --hypothesis-seed {run.options.seed}, profile {settings.get_current_profile_name()}"]


def pytest_sessionstart(session: pytest.Session) -> None:
    run = session.config.stash[KEY]
    if run.is_controller and run.kind in ("fuzz", "mutants"):
        capture = session.config.pluginmanager.get_plugin("capturemanager")
        total = run.options.max_examples if run.kind == "fuzz" else None
        assert capture is not None  # pytest's own
        run.progress = Progress(run.folder, total, capture.global_and_fixture_disabled)
        run.progress.start()


def pytest_testnodedown(node: Any, error: object) -> None:
    """Record the death of an xdist worker as an incident, with the case that the worker was checking."""
    run = node.config.stash[KEY]
    if error is None or run.kind not in ("fuzz", "mutants"):
        return
    name = node.gateway.id
    recorder = Recorder(run.folder / "controller.jsonl")
    log = IncidentLog(run.options.failures, recorder.incident)
    log.tell("worker", f"worker {name} died: {error}", current_case=last_case(current_case(run.folder, name)))
    recorder.close()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed and not any(key == "assay" for key, _ in report.user_properties):
        _faults.append(report.nodeid)


_faults: list[str] = []


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    run = session.config.stash.get(KEY, None)
    if run is None or not run.is_controller:
        return
    if run.progress is not None:
        run.progress.stop()
    if run.kind not in ("fuzz", "mutants") or exitstatus not in (0, 1):
        session.exitstatus = of_pytest(exitstatus)
        return
    record = read_record(run.folder)
    harmed = red_lines(record.incidents)
    for line in harmed:
        session.config.hook.pytest_runtest_logreport(report=_failed("incidents", line))
    failed = bool(_faults or harmed)
    if run.kind == "mutants":
        alive, shown = survivors(record.kills), conclude_kills(record.kills)
        session.exitstatus = ending(suite_failed=failed, survivors=len(alive), broken=shown.broken)
    else:
        shown = _conclusion(run, record)
        for line in (*shown.broken, *shown.thin):
            session.config.hook.pytest_runtest_logreport(report=_failed(line.partition(":")[0], line))
        found = len(record.findings)
        session.exitstatus = ending(suite_failed=failed, findings=found, thin=shown.thin, broken=shown.broken)
    if run.options.summary_json is not None:
        write_json(run.options.summary_json, _summary(run, record))


def _failed(name: str, line: str) -> pytest.TestReport:
    """A failed test for a reason other than a finding, so that pytest's last line and JUnit are red, too."""
    where = ("tests/fuzz", None, name)
    properties = [("assay", name)]  # told by itself
    return pytest.TestReport("::".join(where[::2]), where, {}, "failed", line, "call", user_properties=properties)


def _conclusion(run: Run, record: Record) -> Conclusion:
    """The conclusion of a fuzz run from its tally, evidence and findings."""
    named = [rule.name for rule in run.options.rules]
    return conclude(record.tally, record.evidence(named, run.options.max_examples), len(record.findings))


def _summary(run: Run, record: Record) -> dict[str, Any]:
    if run.kind == "mutants":
        return {"format": 1, "seed": run.options.seed, "mutants": list(record.kills)}
    seconds = time.monotonic() - run.started
    return summary(record, versions=versions(), seed=run.options.seed, seconds=seconds)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    run = config.stash.get(KEY, None)
    if run is None or run.kind not in ("fuzz", "mutants"):
        return
    record = read_record(run.folder)
    table = kill_table(record) if run.kind == "mutants" else closing_table(record, time.monotonic() - run.started)
    terminalreporter.write(table)
    harmed = red_lines(record.incidents)
    shown = conclude_kills(record.kills) if run.kind == "mutants" else _conclusion(run, record)
    good = shown.proof and not _faults and not harmed
    terminalreporter.write_line(shown.sentence, bold=True, green=good, red=not good)
    for line in (*harmed, *shown.red):
        terminalreporter.write_line(line, red=True)
    if run.kind == "mutants":
        add_to_job_summary(mutants_markdown(record))
        return
    terminalreporter.write_line(f"again with: --hypothesis-seed {run.options.seed}")
    seconds = time.monotonic() - run.started
    add_to_job_summary(fuzz_markdown(record, shown, seed=run.options.seed, seconds=seconds))


def pytest_unconfigure(config: pytest.Config) -> None:
    run = config.stash.get(KEY, None)
    if run is not None and run.started_engines is not None:
        run.started_engines.__exit__(None, None, None)
    if run is not None and run.is_controller and run.options.record is None:
        shutil.rmtree(run.folder, ignore_errors=True)


_DRAWS = re.compile(r"test_(\w+_over_draws|frequencies_\w+|strategies_(queries|rule_forms))\.py")
"""The modules that ask about the same draws: they are made once, for about a minute."""


class _ByModule(LoadScopeScheduling):  # type: ignore[misc]  # xdist ships no types
    """Schedule tests as ``--dist loadscope`` does, but modules that ask about the same draws form one scope."""

    def _split_scope(self, nodeid: str) -> str:
        module: str = super()._split_scope(nodeid)
        return "fuzz draws" if _DRAWS.match(Path(module).name) else module


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    """Use :class:`_ByModule` for ``--dist loadscope``, and xdist's own scheduler otherwise."""
    return _ByModule(config, log) if config.getoption("dist") == "loadscope" else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    run = metafunc.config.stash[KEY]
    if "shard" in metafunc.fixturenames:
        counts = shards(run.options.max_examples)
        metafunc.parametrize(("shard", "count"), list(enumerate(counts)), ids=[f"{i:03}" for i in range(len(counts))])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect mutants that ``--by`` excludes and, on a cluster, tests about rows in the driver; draws come first.

    One worker draws while another one, whose tests need Spark, makes what all sessions start from.
    """
    run = config.stash[KEY]
    items.sort(key=lambda item: not _DRAWS.match(item.path.name))
    options = run.options
    for item in items:
        if (kind := item.get_closest_marker("assay_run")) and kind.args[0] != run.kind:
            pytest.exit(f"{item.nodeid}: run it by python -m assay {kind.args[0]}", returncode=Exit.BAD_INPUT)
    others = [
        item
        for item in items
        if ((mark := item.get_closest_marker("by")) and options.by not in ("both", *mark.args))
        or (item.get_closest_marker("in_driver") and is_cluster(options.spark_master))
    ]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]


@pytest.fixture(scope="session")
def run(request: pytest.FixtureRequest) -> Run:
    """The state of the run in this process."""
    return request.config.stash[KEY]


@pytest.fixture(scope="session")
def harness(run: Run) -> Iterator[Harness]:
    """The engines of this worker, with the user's rules and all mutants loaded (these off); started when first used."""
    setup = run.setup = run.setup or _setup(run)
    engines, run.started_engines = run.started_engines or _engines(run, setup), None
    with engines:
        try:
            yield engines
        except SparkUnusable as problem:
            pytest.exit(str(problem), returncode=Exit.BAD_INPUT)


@pytest.fixture(scope="session")
def recorder(run: Run) -> Iterator[Recorder]:
    """The recorder of this worker's checks."""
    recorder = Recorder(run.folder / f"{run.worker}.jsonl")
    yield recorder
    recorder.close()


@pytest.fixture(scope="session")
def supervised(run: Run, harness: Harness, recorder: Recorder) -> Supervised:
    """A function that makes the supervisor of this worker's checks, from the rules and both legs' settings."""
    log = IncidentLog(run.options.failures, recorder.incident)
    case_file = current_case(run.folder, run.worker)
    return lambda rules, settings: supervisor_of(harness, rules, settings, case_file=case_file, tell=log.tell)


@pytest.fixture(scope="module")  # a test may have closed the session that another module's tests had
def spark(harness: Harness) -> Any:
    """A plain view of the session, for tests that speak SQL themselves."""
    return harness.spark.session
