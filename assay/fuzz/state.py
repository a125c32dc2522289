"""The state of one process of a run: its options, the folder of its record, and the kind of the run."""

from __future__ import annotations

import secrets
import tempfile
import time
from pathlib import Path

import pytest

from assay.fuzz.progress import Progress
from assay.options.shared import KIND, options_of_pytest
from assay.session.mutant_sources import Mutant, load_mutants
from assay.session.options import By, Options, parse_seed
from assay.session.session import Setup
from oracles.checks.check import Harness
from oracles.failures.caller import caller_folder

FUZZ_CHECKS = {"debug": 50, "dev": 2_000, "ci": 600, "nightly": 20_000}
"""The number of checks of a fuzz run without --max-examples, by Hypothesis profile; other profiles use that of dev."""

_SECONDS_OF_CHECK = 0.1
"""A low estimate of the time of a check in one of several workers; too low an estimate only makes a run slower."""

_BY_GENERAL_SECONDS = 3600.0
"""The estimated time of a search for mutants with general queries: the whole search takes longer."""

KEY = pytest.StashKey["Run"]()


class Run:
    """The state of one process of a run: its options, the folder of its record, and the kind of the run."""

    def __init__(self, config: pytest.Config, profile: str) -> None:
        worker = getattr(config, "workerinput", None)
        self.is_controller = worker is None
        self.worker = worker["workerid"] if worker else "main"
        self._workers = int(worker["workercount"]) if worker else 1
        self.kind: str = config.getoption(KIND)
        seed = config.getoption("--hypothesis-seed")
        given = parse_seed(seed) if seed is not None else secrets.randbits(32)
        self.here = Path(worker["assay_here"]) if worker else caller_folder()
        self.options: Options = options_of_pytest(
            vars(config.option),
            here=self.here,
            seed=worker["assay_seed"] if worker else given,
            max_examples=FUZZ_CHECKS.get(profile, FUZZ_CHECKS["dev"]),
        )
        self.folder = Path(worker["assay_folder"]) if worker else self.options.record or _temporary()
        if self.is_controller:
            for earlier in self.folder.glob("*.jsonl"):
                earlier.unlink()
        self.mutants: tuple[Mutant, ...] = load_mutants() if self.kind == "mutants" else ()
        self.started = time.monotonic()
        self.progress: Progress | None = None
        self.setup: Setup | None = None
        self.started_engines: Harness | None = None
        """Engines that were started to look up the names of rules, until the tests take them over."""

    @property
    def lasts(self) -> float:
        """The estimated seconds that this process will check; 0 for tests, and for mutants by shape alone."""
        if self.kind == "mutants":
            return mutants_seconds(self.options.by)
        return fuzzing_seconds(self.options.max_examples, self._workers) if self.kind == "fuzz" else 0.0


def fuzzing_seconds(checks: int, workers: int) -> float:
    """The estimated seconds that each of ``workers`` needs for its part of ``checks`` checks."""
    return checks / workers * _SECONDS_OF_CHECK


def mutants_seconds(by: By) -> float:
    """The estimated seconds that a search for mutants by such queries takes, in so far as it is long."""
    return 0.0 if by == "shape" else _BY_GENERAL_SECONDS


def _temporary() -> Path:
    return Path(tempfile.mkdtemp(prefix="assay-run-"))
