"""One process's part of a verification: a Spark session, and the rules to verify in it, one by one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console

from assay.coverage.own_rule import OwnProbes
from assay.fuzz.incident_log import IncidentLog, printed_on
from assay.fuzz.supervision import Guard
from assay.fuzz.supervisor import current_case, supervisor_of
from assay.session.ending import BadInput
from assay.session.known import known_divergences
from assay.session.mutant_sources import Mutant, UnknownMutant, named
from assay.session.options import LEG_SECONDS, Options
from assay.session.rules_on_trial import classes_of, rules_on_trial
from assay.session.session import lasting, prepare
from assay.session.stock import stock_spark
from assay.verify.bound import Bound
from assay.verify.text import databases_text, enumerated_briefly, enumerated_text, print_verification
from assay.verify.verification import VerificationOutcome
from assay.verify.verifier import Verifier, why_not
from oracles.checks.check import Harness
from oracles.checks.result import NO_SETTINGS, LegSettings
from oracles.rules.rule import Rule
from strategies.shapes import load_shapes


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyRequest:
    """The options of a ``verify`` run; ``mutants`` are names of planted rules, ``workers`` the number of processes.

    ``every``: the rules are all that there are, so those without two plans to compare are left out.
    ``prove``: the pairs of plans are put to the solver, too.
    """

    options: Options
    mutants: tuple[str, ...]
    bound: Bound
    workers: int = 1
    every: bool = False
    prove: bool = False

    @property
    def count(self) -> int | None:
        """The number of rules to verify; None if extensions bring rules that only a session can list."""
        brought = self.options.extensions and not self.options.rules
        return None if brought else len(self.options.rules) + len(self.mutants)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationEnd:
    """The end of one verification as plain data; ``summary`` is that of ``--summary-json``."""

    rule: str
    outcome: VerificationOutcome
    summary: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Task:
    """A rule, the settings of both legs, and the planted rule that it is, if it is one."""

    rule: Rule
    settings: LegSettings
    mutant: Mutant | None = None


class VerifySession(AbstractContextManager["VerifySession"]):
    """The rules of a run in one session, by their places: those of the options in order, then the planted ones.

    :raises BadInput: when it is entered, if one of them can't be verified.
    """

    def __init__(self, request: VerifyRequest, console: Console) -> None:
        self.request, self._console, self._stack = request, console, ExitStack()
        self.log = IncidentLog(request.options.failures, printed_on(console))

    def __enter__(self) -> VerifySession:
        options = self.request.options
        with self._stack:
            mutants = _mutants(self.request.mutants)
            self._divergences = known_divergences(options.known)
            prepared = prepare(options, mutants, probes=bool(options.rules or options.extensions))
            each = self.request.bound.seconds * (2 if self.request.prove else 1)
            setup = lasting(prepared, each * (self.request.count or 1) / self.request.workers)
            self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="assay-verify-")))
            self._harness = harness = self._stack.enter_context(setup.supervised())
            harness.spark.time_limit = harness.duckdb.time_limit = LEG_SECONDS
            self._subject = setup.subject
            self._tasks = _tasks(self.request, mutants, harness, self._console)
            self._probes = self._made_probes()
            self._shapes = {name: shape.cases() for name, shape in load_shapes().items()}
            self._stack = self._stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def versions(self) -> dict[str, str]:
        """The running engines' versions."""
        return {"spark": self._harness.spark.version, "duckdb": self._harness.duckdb.version}

    def verify(self, place: int) -> VerificationEnd | None:
        """Verify the rule at ``place``, and print the result; None for one that is left out."""
        task = self._tasks[place]
        if why := why_not(task.rule, self._harness):
            self._console.print(f"{task.rule.name}: {why}", highlight=False, soft_wrap=True)
            return None
        result = self._verifier(task).verify(task.rule)
        print_verification(self._console, result)
        stages = result.finder.stages
        reached = {
            "reached": enumerated_text(stages),
            "briefly": enumerated_briefly(stages),
            "databases": databases_text(result) if result.sweeps else "none",
        }
        planted = {"mutant_of": task.mutant.rule} if task.mutant else {}
        summary = {**result.summary(), **reached, **planted}
        return VerificationEnd(rule=result.rule, outcome=result.outcome, summary=summary)

    def _made_probes(self) -> OwnProbes:
        """Probes for all rules but the planted ones: a JVM can have them once."""
        own = classes_of(self._harness)
        planted = {task.rule.name for task in self._tasks if task.mutant}
        sparks = {task.rule.name: task.rule.rule_name for task in self._tasks if task.rule.name not in own}

        def said(line: str) -> None:
            self._console.print(line, highlight=False, markup=False, soft_wrap=True)

        return OwnProbes(
            classes={name: class_name for name, class_name in own.items() if name not in planted},
            sparks={name: class_name for name, class_name in sparks.items() if name not in planted},
            told=said,
        )

    def _verifier(self, task: _Task) -> Verifier:
        harness, options, mutant = self._harness, self.request.options, task.mutant
        case_file = current_case(self._folder, "main")

        def guard(rule: Rule) -> Guard:
            return supervisor_of(harness, [rule], task.settings, case_file=case_file, tell=self.log.tell)

        return Verifier(
            harness=harness,
            subject=replace(self._subject, mutant=mutant.name if mutant else None, settings=task.settings),
            folder=self._folder,
            failures=options.failures,
            bound=self.request.bound,
            guard=guard,
            stock=stock_spark(options),
            stands_for={mutant.name: mutant.rule} if mutant else {},
            probes=self._probes,
            shapes=self._shapes,
            divergences=self._divergences,
            prove=self.request.prove,
        )


def _mutants(names: Sequence[str]) -> list[Mutant]:
    try:
        return named(names)
    except UnknownMutant as error:
        raise BadInput(str(error)) from error


def _tasks(request: VerifyRequest, mutants: Sequence[Mutant], harness: Harness, console: Console) -> list[_Task]:
    options = request.options
    rules = rules_on_trial(options, harness, console) if options.rules or options.extensions else []
    planted = [
        _Task(harness.catalogue.rule(mutant.name), mutant.settings(harness.catalogue), mutant) for mutant in mutants
    ]
    tasks = [*(_Task(rule, NO_SETTINGS) for rule in rules), *planted]
    for task in tasks:
        if (why := why_not(task.rule, harness)) and not request.every:
            raise BadInput(f"{task.rule.name}: {why}")
    return tasks
