"""What the commands that start a Spark of their own have in common: their options, and how their faults end."""

from __future__ import annotations

import argparse
import secrets
import sys
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from rich.console import Console

from assay.session.ending import BadInput, Exit
from assay.session.options import Options, add_options, caller_folder, parse_options, parse_seed
from oracles.checks.paths import PathsDiffer
from oracles.engines.spark.jvm import SparkLost
from oracles.engines.spark.start import SparkUnusable

_ELSEWHERE = ("--off", "--by", "--record")
"""Options of runs in pytest, which have no meaning here."""

_WIDTH = 150
"""Columns of what is printed where there is no terminal."""


class SuiteFailed(AbstractContextManager["SuiteFailed"]):
    """Ends the process with the exit code for a fault of the suite, whatever it is: Python's own 1 means a finding."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception) and not isinstance(error, _TOLD):
            traceback.print_exception(error)
            raise SystemExit(Exit.SUITE_FAILED) from error


_TOLD = (BadInput, SparkUnusable, SparkLost, PathsDiffer)
"""What is told in a line."""


def ended(run: Callable[[Console], int]) -> int:
    """The exit code of ``run``, which is given where to print; what it couldn't do is told in a line."""
    try:
        with SuiteFailed():
            return run(Console(width=None if sys.stdout.isatty() else _WIDTH))
    except (BadInput, SparkUnusable) as problem:
        print(problem, file=sys.stderr)
        return Exit.BAD_INPUT
    except (SparkLost, PathsDiffer) as fault:
        print("\n".join([str(fault), *getattr(fault, "__notes__", [])]), file=sys.stderr)
        return Exit.SUITE_FAILED


def parser_of(name: str, description: str) -> argparse.ArgumentParser:
    """A parser of the options that every environment has, but for those of pytest's, and of the seed."""
    parser = argparse.ArgumentParser(prog=name, description=description)

    def add(option: str, **how: Any) -> None:
        if option not in _ELSEWHERE:
            parser.add_argument(option, **how)

    add_options(add)
    parser.set_defaults(off=None, by="both", record=None)
    parser.add_argument("--hypothesis-seed", metavar="N", help="the run's seed; drawn if not given")
    return parser


def options_of(raw: argparse.Namespace, *, max_examples: int) -> Options:
    """What :func:`parser_of` read; ``max_examples`` unless the caller said otherwise. BadInput in one line."""
    seed = secrets.randbits(32) if raw.hypothesis_seed is None else parse_seed(raw.hypothesis_seed)
    return parse_options(raw, here=caller_folder(), seed=seed, max_examples=max_examples)
