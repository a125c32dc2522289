"""A plugin of pytest's: whoever judges a finding fails. To be loaded into a run with ``-p``."""

from __future__ import annotations

from typing import Any

import assay.fuzz.fuzzer
from oracles.checks.check import Harness
from oracles.checks.result import CheckResult


def failing(harness: Harness, checked: CheckResult, *_: Any) -> tuple[CheckResult, tuple[str, ...]]:
    if checked.verdict.name == "finding":
        raise ValueError("planted: nobody can judge this")
    return checked, ()


assay.fuzz.fuzzer.judged = failing  # type: ignore[attr-defined]  # that is the fault
