"""A harness as a process: it waits for requests, and answers each."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import traceback
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil
from hypothesis import HealthCheck, given, seed
from hypothesis import strategies as st

from assay.bench.loads import cases_of
from assay.bench.messages import Floor, Place, Planned, Ready, Request, RoundCost, RoundRequest, RoundResult, Seen, Told
from assay.bench.naive import NaiveHarness
from assay.bench.phases import Clock, TimedDuckdb, TimedHarness
from assay.fuzz.drawing import generating
from assay.fuzz.failure_store import FailureStore
from assay.fuzz.finding import digest
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.policy import Policy
from assay.fuzz.record import Recorder
from assay.session.ending import BadInput
from oracles.checks.paths import PathsDiffer
from oracles.checks.result import CheckResult
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.jvm import SparkLost
from oracles.engines.spark.leg_conf import leg_conf
from oracles.engines.spark.start import SparkUnusable
from oracles.failures.failure import to_json
from oracles.rules.rule import Rule
from oracles.rules.switch import Reference, switch_off
from oracles.sql import SparkCompiler
from oracles.triage.divergences import load
from strategies.ir import Case

Lot = tuple[bool, int]
"""The choice of rules to switch off: all that changed the plan, or those at the bits of a number. It is drawn before a
check, so that later draws never depend on the result of the check."""

_LOTS: st.SearchStrategy[Lot] = st.tuples(st.booleans(), st.integers(1, 2**32 - 1))


class Fault(RuntimeError):
    """A harness failed; the text is the harness's own message."""


class NotAlike(Fault):
    """The fast path and the plain path reach different verdicts; the fast path has written both results to disk."""


def serve(requests: Connection, place: Place) -> None:
    """Start the harness, and answer requests until there are no more; an error is sent as an answer, too."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="assay-bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        try:
            process = HarnessProcess(place, folder)
            stack.callback(process.close)
            requests.send(process.ready())
            while True:
                requests.send(process.answer(requests.recv()))
        except (EOFError, BrokenPipeError):
            return  # nobody asks any more
        except (BadInput, SparkUnusable) as problem:
            requests.send(BadInput(str(problem)))
        except PathsDiffer as differ:
            requests.send(NotAlike("\n".join([str(differ), *getattr(differ, "__notes__", [])])))
        except SparkLost as lost:
            requests.send(Fault(str(lost)))
        except Exception:  # noqa: BLE001  # whatever it is, the process that waits has to be told
            requests.send(Fault(traceback.format_exc()))


class HarnessProcess:
    """A harness with its clock and its fuzzer: runs rounds and measures their cost."""

    def __init__(self, place: Place, folder: Path) -> None:
        self._place = place
        self._clock = Clock()
        self._harness = self._made()
        self._recorder = Recorder(folder / "checks.jsonl")
        policy = Policy(
            draw_off=lambda data, changed_plan: changed_plan,
            divergences=load(),
            fast=place.harness == "fast",
            on_record=False,
        )
        self._fuzzer = Fuzzer(
            harness=self._harness,
            subject=place.setup.subject,
            recorder=self._recorder,
            store=FailureStore(folder=place.failures),
            policy=policy,
            run_seed=place.seed,
        )
        self._last: dict[str, CheckResult] = {}

    def _made(self) -> TimedHarness:
        place, clock = self._place, self._clock
        if place.harness == "naive":
            injected = {rule.name: rule.class_name for rule in place.setup.spark.injected}
            return NaiveHarness(clock, place.discovered, place.release, injected=injected, master=place.master)
        return TimedHarness(SparkEngine(place.setup.spark, timer=clock), TimedDuckdb(clock), clock)

    def ready(self) -> Ready:
        """Start Spark, and return its release and its rules."""
        spark = self._harness.spark
        if self._place.harness == "naive":
            return Ready(spark.version, self._place.discovered)
        return Ready(spark.version, tuple(spark.discovered()))

    def answer(self, request: Request) -> object:
        """Answer a request; raises the errors of the checks that it runs."""
        if isinstance(request, RoundRequest):
            return self._round(request)
        return Planned(self._floor()) if isinstance(request, Floor) else self._told(request)

    def close(self) -> None:
        """End Spark."""
        self._recorder.close()
        self._harness.__exit__(None, None, None)

    def _round(self, request: RoundRequest) -> RoundResult:
        self._last = {}
        self._clock.read()
        before, within = self._spent(), 0.0

        @seed(request.seed)
        @generating(
            request.count,
            suppress_health_check=list(HealthCheck),  # how long draws take is what is measured
        )
        @given(case=cases_of(request.load), lot=_LOTS)
        def examples(case: Case, lot: Lot) -> None:
            nonlocal within
            start = time.perf_counter()
            mark = digest(case)
            if mark not in self._last:
                self._last[mark] = self._checked(case, mark, lot, request)
            within += time.perf_counter() - start

        examples()
        after = self._spent()
        seconds, python, jvm = (late - early for late, early in zip(after, before, strict=True))
        python_memory, jvm_memory = self._memory()
        cost = RoundCost(
            seconds=seconds,
            python_seconds=python,
            jvm_seconds=jvm,
            python_memory=python_memory,
            jvm_memory=jvm_memory,
        )
        phases = {**self._clock.read(), "generate": cost.seconds - within}
        # Guilty rules are looked for in all of the harnesses alike, and seldom: this is no part of a check's time.
        seen = tuple(self._seen(mark, checked) for mark, checked in self._last.items())
        return RoundResult(seen, cost, phases)

    def _checked(self, case: Case, mark: str, lot: Lot, request: RoundRequest) -> CheckResult:
        def choose(data: st.DataObject, changed_plan: Sequence[Rule]) -> Sequence[Rule]:
            if request.off is None:
                return drawn_off(lot, changed_plan)
            return [self._harness.catalogue.rule(name) for name in request.off.get(mark, ())]

        self._fuzzer.policy = replace(self._fuzzer.policy, draw_off=choose, databases=request.databases)
        checked = self._fuzzer.check_case(case, _NO_DATA)
        assert checked is not None  # no target rule
        self._recorder.check(checked, checked.verdict, mark)
        return checked

    def _seen(self, mark: str, checked: CheckResult) -> Seen:
        judged, _ = self._fuzzer.judged(checked)
        verdict = judged.verdict
        return Seen(mark, (verdict.name, verdict.kind, verdict.blame), checked.off, 1 + checked.beside.agreed)

    def _floor(self) -> float | None:
        """Seconds that Spark takes for a check's planning, on the average; None where no query has a SQL text."""
        spark, taken = self._harness.spark, list[float | None]()
        assert isinstance(spark, SparkEngine)  # the naive harness is not asked
        for checked in self._last.values():
            case, settings = checked.case, checked.settings
            if not SparkCompiler().supports(case.query):
                continue
            text = SparkCompiler.under(case.settings).compile(case.query)
            off = [self._harness.catalogue.rule(name).switch for name in checked.off]
            on_conf = {**leg_conf(case.settings), **settings.on}
            off_conf = {**leg_conf(case.settings), **switch_off(filter(None, off), settings.off)}
            with spark.in_memory([case.database]):
                taken.append(spark.planning_seconds(text, on_conf, off_conf))
        known = [seconds for seconds in taken if seconds is not None]
        return sum(known) / len(known) if known else None

    def _told(self, request: Told) -> dict[str, dict[str, Any]]:
        return {mark: to_json(self._fuzzer.failure(self._last[mark])) for mark in request.marks}

    def _spent(self) -> tuple[float, float, float]:
        own = time.process_time()
        jvm = psutil.Process(self._harness.spark.pid).cpu_times()
        return time.perf_counter(), own, jvm.user + jvm.system

    def _memory(self) -> tuple[int, int]:
        processes = (os.getpid(), self._harness.spark.pid)
        python, jvm = (psutil.Process(process).memory_info().rss for process in processes)
        return python, jvm


_NO_DATA: Any = None
"""Nothing is drawn during a check."""


def drawn_off(lot: Lot, changed_plan: Sequence[Rule]) -> Sequence[Rule]:
    """All of ``changed_plan``, or some of them and at least one, as ``lot`` has it.

    Rules that only a reference operator can stand in for stay on: a stock session has none.
    """
    everything, number = lot
    switched = [rule for rule in changed_plan if not isinstance(rule.switch, Reference)]
    some = [rule for place, rule in enumerate(switched) if number >> place % 32 & 1]
    return switched if everything else some or switched[:1]
