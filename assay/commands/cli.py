"""``python -m assay COMMAND``: finds the command, runs it, and makes one line and an exit code of what went wrong."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

import assay
from assay.options.project import arguments_of, find
from assay.session.ending import BadInput, Exit
from jars.build import NO_SPARK, is_checkout
from oracles.checks.paths import PathsDiffer
from oracles.engines.spark.jvm import SparkLost
from oracles.engines.spark.probes import ProbesFailed
from oracles.engines.spark.start import SparkUnusable
from oracles.failures.caller import caller_folder

COMMANDS = (
    "fuzz",
    "mutants",
    "check-rule",
    "verify",
    "queries",
    "volume",
    "coverage",
    "inversions",
    "nightly",
    "merge",
    "report",
    "replay",
    "rediscover",
    "matrix",
    "compare",
    "answers",
    "bench",
    "seed-bench",
)
"""Each is ``command`` in the module of its name, with _ for -."""

OF_A_CHECKOUT = {
    "fuzz": "is run by pytest from the tests",
    "mutants": "is run by pytest from the tests",
    "matrix": "runs environments of tox",
    "compare": "runs environments of tox",
}
"""Commands that an installed Assay doesn't have, each with the reason."""

_OF_SPARK = {"pyspark", "py4j"}

_BAD = (BadInput, SparkUnusable)
_FAULTS = (SparkLost, PathsDiffer, ProbesFailed)


class _Commands(click.Group):
    """The commands; one is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if name not in OF_A_CHECKOUT or is_checkout()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in OF_A_CHECKOUT and not is_checkout():
            raise BadInput(f"assay {cmd_name}: {OF_A_CHECKOUT[cmd_name]}, and needs a clone of Assay's repository")
        found: click.Command = import_module(f"assay.commands.{cmd_name.replace('-', '_')}").command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMANDS, n=1, cutoff=0.3)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(COMMANDS)}"
            raise BadInput(f"assay: there is no command {args[0]}: {hint}")
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"assay {assay.__version__}")
        ctx.exit()


group = _Commands(
    "assay",
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="print Assay's version",
        )
    ],
    help="Check whether rules of Spark's optimizer change answers.",
    no_args_is_help=True,
)


def declare(
    name: str, summary: str, options: Iterable[click.Parameter], *, example: str
) -> Callable[[Callable[..., int]], click.Command]:
    """Make a command of a function that takes the parsed options by their names and returns an exit code."""
    return lambda function: click.Command(
        name, params=list(options), callback=function, help=summary, epilog=f"\b\nExample:\n  {example}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command of ``arguments`` (the process's own if None); returns its exit code."""
    given = list(map(str, sys.argv[1:] if arguments is None else arguments))
    try:
        ended: Any = group.main(_with_project(given), "assay", standalone_mode=False)
        return int(ended or 0)
    except NoArgsIsHelpError as problem:
        print(problem.format_message(), file=sys.stderr)
        return Exit.BAD_INPUT
    except click.ClickException as problem:
        print(f"{_named(given)}: {' '.join(problem.format_message().split())}", file=sys.stderr)
        return Exit.BAD_INPUT
    except _BAD as problem:
        print(problem, file=sys.stderr)
        return Exit.BAD_INPUT
    except _FAULTS as fault:
        print("\n".join([str(fault), *getattr(fault, "__notes__", [])]), file=sys.stderr)
        return Exit.SUITE_FAILED
    except click.Abort:
        print("stopped", file=sys.stderr)
        return Exit.SUITE_FAILED
    except Exception as error:  # noqa: BLE001  # Python's own 1 means a finding
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _OF_SPARK:
            print(NO_SPARK, file=sys.stderr)
            return Exit.BAD_INPUT
        traceback.print_exception(error)
        return Exit.SUITE_FAILED


_PASS_ON = {"matrix": ("nightly",)}
"""Commands that pass options on to others."""


def _with_project(arguments: Sequence[str]) -> list[str]:
    """``arguments`` with the options that an ``assay.toml`` adds to those of the command."""
    if not arguments or arguments[0] not in COMMANDS or not {"--help"}.isdisjoint(arguments):
        return list(arguments)
    file = find(caller_folder())
    if file is None:
        return list(arguments)
    name, *others = arguments
    context = click.Context(group)
    commands = [group.get_command(context, each) for each in (name, *_PASS_ON.get(name, ()))]
    return [name, *arguments_of(file, [command for command in commands if command], others), *others]


def _named(arguments: Sequence[str]) -> str:
    """The command in ``arguments``, for messages."""
    return next((each for each in arguments if each in COMMANDS), "assay")
