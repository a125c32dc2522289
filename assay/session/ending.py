"""The exit codes of all environments, decided in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of a process."""

    GREEN = 0
    FOUND = 1
    BAD_INPUT = 2
    UNDECIDED = 3
    SUITE_FAILED = 4


class BadInput(ValueError):
    """The user asked for something that isn't there or can't be; one line that says what, where, what to do."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run: the exit code, and a line for each reason that isn't a finding."""

    code: Exit
    why: tuple[str, ...]


def ending(
    *,
    suite_failed: bool,
    findings: int = 0,
    survivors: int = 0,
    thin: Sequence[str] = (),
    broken: Sequence[str] = (),
) -> Exit:
    """The exit code of a run that began to check.

    ``survivors`` are mutants that were not killed, ``thin`` the named rules of which too little is known, ``broken``
    the ceilings that were broken. A run that was cut short by a fault of the suite says so whatever else it found (its
    findings are on disk); a rule of which too little is known comes before a ceiling, which it mostly explains.
    """
    if suite_failed:
        return Exit.SUITE_FAILED
    if findings or survivors:
        return Exit.FOUND
    if thin:
        return Exit.UNDECIDED
    return Exit.FOUND if broken else Exit.GREEN


# pytest's own codes mean other things: 1 a failed test, 2 interrupted (or broken collection), 3 internal error,
# 4 usage, 5 nothing collected.
_OF_PYTEST: Mapping[int, Exit] = {
    0: Exit.GREEN,
    1: Exit.FOUND,
    2: Exit.SUITE_FAILED,
    3: Exit.SUITE_FAILED,
    4: Exit.SUITE_FAILED,
    5: Exit.BAD_INPUT,
}


def of_pytest(code: int) -> Exit:
    """Assay's exit code for what pytest ended with, where the run has no verdicts of its own."""
    return _OF_PYTEST.get(int(code), Exit.SUITE_FAILED)
