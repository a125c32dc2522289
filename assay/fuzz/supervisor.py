"""Supervision of checks: a run continues after a lost JVM or a fault of Assay's own, and records each as an incident.

Each case is written to disk before it runs, so that it is known if the process dies.
"""

from __future__ import annotations

import json
import os
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TypeVar

from hypothesis.errors import HypothesisException

from assay.fuzz.isolated_rerun import TIMES, loss_text, run_alone
from assay.fuzz.supervision import Guard
from assay.session.ending import BadInput
from assay.session.executors import with_executors
from assay.session.full_disk import StillNoRoom, met_full_disk, patiently
from oracles.answers.outcome import Raised, is_timeout
from oracles.checks.check import Harness
from oracles.checks.paths import PathsDiffer
from oracles.checks.result import CheckResult, LegSettings
from oracles.checks.verdict import Verdict
from oracles.engines.protocol import Loss
from oracles.engines.spark.jvm import ClusterLost, SparkLost
from oracles.engines.spark.start import SparkUnusable
from oracles.failures.loss import is_loss
from oracles.rules.rule import Rule
from strategies.ir import Case, to_plain

T = TypeVar("T")
_ENOUGH = 3
"""The number of repeated losses of one kind after which isolated reruns stop, because each one takes minutes."""
_SAME_FAULT = 20
"""The number of faults from one line of code that become incidents; more of them would only fill the disk."""
_MOST_LOST_CHECKS = 10
"""The number of checks that may be lost to Assay's own faults; one more ends the run."""
_IN_A_ROW = 5
"""The number of checks in a row that may lose a JVM each; one more ends the run."""
_SAMPLE_SECONDS = 1.0
_UNREPEATED: Mapping[str, str] = {"late": "late", "worker": "rerun"}
"""Kinds of incidents that did not repeat in an isolated rerun, other than a lost JVM."""
_NO_WORDS: Mapping[str, Any] = {}
_PASSING = (HypothesisException, StillNoRoom, SparkUnusable, BadInput)
"""Exceptions that are no faults of a check: the end of a draw, and exceptions that end the process."""
_RETRIED = ("died", "cut off")
"""Losses after which a case is checked once more, because they may come from outside."""


@dataclass(slots=True, kw_only=True)
class Supervisor(Guard):
    """The supervisor of the checks of one process.

    ``suspects`` are the rules that the run is about, if any. ``case_file`` is the file of the current case. ``tell`` is
    called with each incident: a kind (see :mod:`oracles.failures.incidents`), a line, and facts. ``limit`` is the time
    limit of a leg in seconds. Unless it ``restarts``, a lost JVM in :meth:`attempt` ends the run after its incident.
    """

    harness: Harness
    suspects: Sequence[Rule]
    settings: LegSettings
    case_file: Path
    tell: Callable[..., None]
    limit: float
    end: threading.Event = field(default_factory=threading.Event)
    facts: dict[str, Any] = field(default_factory=dict)
    restarts: bool = True
    losses: Counter[str] = field(default_factory=Counter)
    at_work: int = 0
    incidents: int = 0
    _faults: Counter[str] = field(default_factory=Counter)
    _lost_checks: int = 0
    _lost_in_a_row: int = 0
    _sampled: float = 0.0

    def check(self, case: Case, run: Callable[[], CheckResult | None]) -> CheckResult | None:
        """Call ``run``, a check of ``case``; after a timeout or a lost JVM, the result of an isolated rerun.

        If the JVM died or was cut off and the rerun finds nothing, the case is checked once more. None if ``run``
        failed by a fault of Assay's own.
        """

        def checked_with_room() -> CheckResult | None:
            checked = run()
            if checked is not None and met_full_disk(checked):
                raise OSError(28, "a leg had no room on the disk")
            return checked

        reruns: list[CheckResult] = []

        def rerun(alone: CheckResult) -> CheckResult:
            reruns.append(alone)
            return alone

        checked = self._supervised(case, checked_with_room, rerun, None)
        if reruns:
            return checked
        for lost in self.harness.spark.lost_executors():
            self._incident("executor", lost, case=to_plain(case))
        if checked is None or checked.verdict.name == "finding":
            return checked  # whatever a leg that is late would have said
        late = [name for name, end in checked.legs.items() if is_timeout(end)]
        # Not of ``case``: it may have been late over another database.
        return self.alone(checked.case, f"{', '.join(late)} ran out of time", "late") if late else checked

    def check_each(self, case: Case, run: Callable[[], Sequence[CheckResult]]) -> Sequence[CheckResult]:
        """Call ``run``, several checks of ``case``; an isolated rerun after a lost JVM, no results if Assay failed."""
        return self._supervised(case, run, lambda alone: [alone], [])

    def _supervised(self, case: Case, what: Callable[[], T], of_one: Callable[[CheckResult], T], none: T) -> T:
        self.write_current_case(case, "check")
        lost_before = False
        while True:
            try:
                done = self._patiently(what)
            except ClusterLost as gone:
                return of_one(self._not_run(case, str(gone)))
            except _PASSING:
                raise
            except Exception as error:  # noqa: BLE001  # a lost JVM comes as any of many
                how = self.harness.spark.lost(error)
                if how is None:
                    self._lost_check(error, case)
                    return none
            else:
                self._lost_in_a_row = 0
                return done
            self._lost_in_a_row += 1
            if self._lost_in_a_row > _IN_A_ROW:
                self._lost_in_a_row = 0
                line = f"{self._how(how)}, as in {_IN_A_ROW} checks right before: nothing can be checked"
                self.harness.spark.close()
                raise SparkLost(line)
            alone = self.alone(case, self._how(how), how, self._last_words(how))
            if lost_before or how not in _RETRIED or alone.verdict.name == "finding":
                return of_one(alone)
            # This case did not take the JVM, so it is checked like any other.
            lost_before = True
            self.write_current_case(case, "check")

    def attempt(self, case: Case | None, what: Callable[[], T], otherwise: T) -> T:
        """Run ``what``, and retry once if the JVM died or was cut off; ``otherwise`` if both or Assay itself failed."""
        if case is not None:
            self.write_current_case(case, "look closer")
        for again in (True, False):
            try:
                return self._patiently(what)
            except ClusterLost:
                return otherwise
            except _PASSING:
                raise
            except Exception as error:  # noqa: BLE001  # a lost JVM comes as any of many
                how = self.harness.spark.lost(error)
                if how is None:
                    self._fault(error, case)
                    return otherwise
            line = f"{self._how(how)} while a finding was attributed or minimized" if self.restarts else self._how(how)
            self._incident("jvm", line, case=to_plain(case) if case else None, **self._last_words(how))
            if not self.restarts:
                raise SparkLost(line)
            self.harness.spark.close()
            if not again or how not in _RETRIED:
                break
        return otherwise

    def persist(self, write: Callable[[], T]) -> T:
        """Run ``write``, and wait while the disk is full."""
        return self._patiently(write)

    def stopped(self) -> bool:
        """Whether the fuzzer must end, because ``end`` is set."""
        return self.end.is_set()

    def write_current_case(self, case: Case, doing: str) -> None:
        """Write to disk the case that is about to run, and what it runs for."""
        self.at_work += 1
        clock = time.monotonic()
        if clock - self._sampled > _SAMPLE_SECONDS:
            self._sampled = clock
            self.harness.spark.sample_memory()
        now = datetime.now(tz=timezone.utc).isoformat()
        text = json.dumps({"format": 1, **self.facts, "since": now, "doing": doing, "case": to_plain(case)})
        self._patiently(lambda: _replaced(self.case_file, text))

    def _patiently(self, what: Callable[[], T]) -> T:
        told = threading.Event()

        def waiting(why: str) -> None:
            self.at_work += 1
            if not told.is_set():
                told.set()
                self._incident("disk", f"no room, waiting: {why}")

        spark = self.harness.spark
        return patiently(
            lambda: with_executors(
                spark, what, told=self._without_executors, given_up=self.end.is_set, pause=self.end.wait
            ),
            waiting=waiting,
            given_up=self.end.is_set,
            pause=self.end.wait,
        )

    def _without_executors(self, why: str) -> None:
        self.at_work += 1
        if why:
            self._incident("cluster", why)

    def last(self) -> Any:
        """The content of the file of the current case; None if there is no file."""
        return last_case(self.case_file)

    def alone(self, case: Case, before: str, kind: str, words: Mapping[str, Any] = _NO_WORDS) -> CheckResult:
        """The result of an isolated rerun of ``case``; ``before`` says in words why it is run again.

        ``kind`` says how the JVM was lost, or is 'late' for a query that took too long, or 'worker' for a query whose
        worker died. ``words`` are the last words of the JVM.
        """
        plain = to_plain(case)
        if self.losses[kind] >= _ENOUGH:
            line = f"{before}; no isolated rerun, as it happened {self.losses[kind]} times before"
            self._incident("late" if kind == "late" else "repeated", line, case=plain, **words)
            if kind != "late":
                self.harness.spark.close()
            return self._not_run(case, f"{before}; as others did before")

        def check_case() -> CheckResult:
            return run_alone(
                self.harness,
                case,
                self.suspects,
                self.settings,
                before=before,
                about_to=lambda leg: self.write_current_case(case, f"alone: {leg}"),
                limit=self.limit,
            )

        try:
            checked = self._patiently(check_case)
        except ClusterLost as gone:
            return self._not_run(case, f"{before}; {gone}")
        except _PASSING:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, it is told
            self._incident(_UNREPEATED.get(kind, "jvm"), before, case=plain, **words)
            self._fault(error, case)
            return self._not_run(case, f"{before}; alone, Assay failed")
        again = checked.verdict.name == "finding" and is_loss(checked)
        if again:
            self.losses[kind] += 1
        line = f"{before}; alone, with {TIMES} times the limit, it {'happened again' if again else 'did not'}"
        named = "repeated" if again and kind != "late" else _UNREPEATED.get(kind, "jvm")
        self._incident(named, line, case=plain, repeated=again, **words)
        return checked

    def _how(self, how: Loss) -> str:
        words = self.harness.spark.last_words()
        if how == "died" and words is not None:
            return f"the JVM {words.line}"
        return loss_text(how)

    def _last_words(self, how: Loss) -> dict[str, Any]:
        """The last words of the JVM; kills a JVM that still runs but does not answer, because closing it could hang."""
        words = self.harness.spark.last_words()
        if how == "cut off":
            self.harness.spark.kill()
        return {} if words is None else {"last_words": words.facts()}

    def _lost_check(self, error: Exception, case: Case) -> None:
        self._lost_checks += 1
        if self._lost_checks > _MOST_LOST_CHECKS:
            raise error
        self._fault(error, case)

    def _fault(self, error: Exception, case: Case | None) -> None:
        """Record that Assay itself failed at ``case``; a lost Spark and a broken pipe are raised again."""
        if isinstance(error, (SparkLost, BrokenPipeError)):
            raise error
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
        self._faults[place] += 1
        if self._faults[place] > _SAME_FAULT:
            self.incidents += 1
            return
        line = "; ".join([f"{place}: {error}".splitlines()[0], *getattr(error, "__notes__", [])])
        kind = "paths" if isinstance(error, PathsDiffer) else "fault"
        trace = "".join(traceback.format_exception(error))
        self._incident(kind, line, case=to_plain(case) if case else None, current_case=self.last(), trace=trace)

    def _incident(self, kind: str, line: str, **facts: Any) -> None:
        self.incidents += 1
        self.tell(kind, line, **facts)

    def _not_run(self, case: Case, why: str) -> CheckResult:
        verdict = Verdict(name="inconclusive", reason=why)
        return CheckResult(
            case=case,
            off=(),
            fired=(),
            differed=False,
            verdict=verdict,
            legs={"on": Raised("NOT_RUN", None, why, "timeout")},
            settings=self.settings,
        )


def current_case(folder: Path, worker: str) -> Path:
    """The file in a run's ``folder`` of the current case of ``worker``."""
    return folder / f"{worker}.case.json"


def last_case(case_file: Path) -> Any:
    """The last content of the file ``case_file``: a case, and what it was running for; None if there is no file."""
    for path in (case_file, _beside(case_file)):
        with suppress(FileNotFoundError):
            return json.loads(path.read_text(encoding="utf-8"))
    return None


def supervisor_of(
    harness: Harness,
    suspects: Sequence[Rule],
    settings: LegSettings,
    *,
    case_file: Path,
    tell: Callable[..., None],
    restarts: bool = True,
) -> Supervisor:
    """A supervisor for a run that is no campaign; nothing sets its ``end``."""
    facts, limit = {"process": os.getpid()}, harness.spark.time_limit
    return Supervisor(
        harness=harness,
        suspects=suspects,
        settings=settings,
        case_file=case_file,
        tell=tell,
        limit=limit,
        facts=facts,
        restarts=restarts,
    )


def _beside(case_file: Path) -> Path:
    """The file in which the next content of ``case_file`` is made."""
    return case_file.with_suffix(".new")


def _replaced(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` without a sync to the disk. If this process dies, that file is whole, or else the one
    beside it.
    """
    beside = _beside(path)
    beside.write_text(text, encoding="utf-8")
    path.unlink(missing_ok=True)  # some file systems wait for the disk if a file is renamed over another one
    beside.rename(path)
