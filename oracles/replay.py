"""``tox run -e replay -- FILE…``: failures again, on this machine; red while they still fail."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from oracles.check import Checked, Laboratory, fixed
from oracles.engines.spark import SparkLost
from oracles.engines.start import SparkUnusable
from oracles.failure_text import render
from oracles.repro import Failure, UnreadableFailure, failure_of, read_failure
from oracles.rules.catalogue import UnknownRule
from oracles.rules.mutants import load_mutants
from oracles.run.ending import BadInput, Exit
from oracles.run.options import Options, add_options, caller_folder, parse_options
from oracles.run.session import prepare, prepare_java


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay each file: FOUND if any still fails, else NEVER_FIRED if any can't be judged."""
    parser = argparse.ArgumentParser(prog="replay", description="Run failures again.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="failure files")
    add_options(parser.add_argument)
    try:
        raw = parser.parse_args(arguments)
        if not raw.files:
            raise BadInput("replay: name at least one failure file")
        failures = [_failure(caller_folder() / file) for file in raw.files]
        prepare_java()
        return _worst([_replay(file, failure, raw) for file, failure in failures])
    except (BadInput, SparkUnusable) as problem:
        print(problem, file=sys.stderr)
        return Exit.BAD_INPUT
    except SparkLost as fault:
        print(fault, file=sys.stderr)
        return Exit.SUITE_FAILED


def _worst(ends: Sequence[Exit]) -> Exit:
    return next((end for end in (Exit.FOUND, Exit.NEVER_FIRED) if end in ends), Exit.GREEN)


def _failure(path: Path) -> tuple[Path, Failure]:
    try:
        return path, read_failure(path)
    except UnreadableFailure as problem:
        raise BadInput(str(problem)) from problem


def _replay(file: Path, failure: Failure, raw: argparse.Namespace) -> Exit:
    options = options_of(failure, raw)
    setup = prepare(options, [mutant for mutant in load_mutants() if mutant.name == failure.subject.mutant])
    with setup.laboratory() as laboratory:
        try:
            rules = [laboratory.catalogue.rule(name) for name in failure.off]
        except UnknownRule as problem:
            print(f"{file.name}: can't be judged here: {problem}")
            return Exit.NEVER_FIRED
        checked = laboratory.check(failure.case, fixed(rules), failure.subject.settings, fast=failure.fast)
        return _told(file, failure, checked, laboratory)


def _told(file: Path, failure: Failure, checked: Checked, laboratory: Laboratory) -> Exit:
    if checked.verdict.name == "inconclusive":
        print(f"{file.name}: inconclusive: {checked.verdict.reason}")
        return Exit.NEVER_FIRED
    if checked.verdict.name != "finding":
        print(f"{file.name}: does not fail any more ({checked.verdict.name}): {checked.verdict.reason}")
        return Exit.GREEN
    versions = {"spark": laboratory.spark.version, "duckdb": laboratory.duckdb.version}
    again = failure_of(
        checked,
        failure.rules,
        subject=failure.subject,
        versions=versions,
        sql=failure.sql,
        seed=failure.seed,
        confirmed=True,
    )
    print(render(again, file, laboratory.plans_around(checked, failure.rules)))
    return Exit.FOUND


def options_of(failure: Failure, raw: argparse.Namespace) -> Options:
    """The caller's options for one file, with what that file says must be loaded unless the caller gave others."""
    own = argparse.Namespace(**vars(raw))
    own.rule_jar = raw.rule_jar or list(failure.subject.jars)
    own.rule = raw.rule or list(failure.subject.rules)
    own.extensions = raw.extensions or list(failure.subject.extensions)
    own.spark_conf = [*(f"{key}={value}" for key, value in failure.subject.conf.items()), *raw.spark_conf]
    return parse_options(own, here=caller_folder(), seed=failure.seed or 0, max_examples=1)


if __name__ == "__main__":
    sys.exit(main())
