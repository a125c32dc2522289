"""The options that commands share, each declared once for the command line and for pytest."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import click

from assay.options import types
from assay.session.ending import BadInput
from assay.session.known import known_divergences
from assay.session.options import DATABASES, Options

_SHARED: dict[str, dict[str, Any]] = {
    "--max-examples": {"type": types.WHOLE, "help": "completed checks in all, over all workers"},
    "--rule": {
        "type": types.RULE,
        "multiple": True,
        "help": "NAME, a.b.Class[@point] or File.scala[:Class][@point]; repeatable",
    },
    "--rule-jar": {"type": types.FILE, "multiple": True, "help": "a jar with rules of your own; repeatable"},
    "--extensions": {"type": types.CLASS, "multiple": True, "help": "a SparkSessionExtensions function; repeatable"},
    "--off": {"type": click.Choice(("rule", "all", "subset")), "help": "the rules that the off leg turns off"},
    "--spark-conf": {"type": types.SETTING, "multiple": True, "help": "a setting of both Spark legs; repeatable"},
    "--spark-master": {
        "type": types.MASTER,
        "default": "local[1]",
        "help": "local[n], local-cluster[n,cores,MB], spark://host:port",
    },
    "--spark-home": {"type": types.FOLDER, "help": "a Spark distribution or built source tree"},
    "--failures": {"type": types.OUT_FOLDER, "default": "failures", "help": "where failure files go"},
    "--summary-json": {"type": types.OUT_FILE, "help": "write the run's figures there"},
    "--record": {"type": types.OUT_FOLDER, "help": "keep the run's record there, a line for each check"},
    "--known": {
        "type": types.PATH,
        "metavar": "FILE",
        "help": "known divergences of your own, as replay --register writes them",
    },
    "--databases": {
        "type": types.WHOLE,
        "metavar": "K",
        "default": str(DATABASES),
        "help": "databases a pair of plans",
    },
    "--by": {
        "type": click.Choice(("shape", "general", "both")),
        "default": "both",
        "help": "the queries that mutants are hunted with",
    },
}

SEED = "--hypothesis-seed"
KIND = "--assay-run"
"""The name of pytest's option for the kind of the run."""


def shared_options(
    *, without: Collection[str] = (), helps: Mapping[str, str] | None = None, **defaults: str
) -> list[click.Option]:
    """The shared options except those in ``without``; ``defaults`` replaces their defaults, ``helps`` their helps."""
    made = []
    for name, how in _SHARED.items():
        if name not in without:
            how = {**how, "help": (helps or {}).get(name, how["help"])}
            option = click.Option([name], **how, show_default=True)
            option.default = defaults.get(option.name or "", option.default)
            made.append(option)
    return made


def seed_option(default: str | None = None) -> click.Option:
    """``--hypothesis-seed``, which Hypothesis's plugin declares for pytest."""
    text = "the run's seed; drawn if not given" if default is None else "the run's seed"
    return click.Option([SEED], type=types.SEED, default=default, show_default=True, help=text)


def workers_option() -> click.Option:
    """``-n``, of commands that share their work among processes themselves."""
    return click.Option(
        ["-n", "--numprocesses", "workers"],
        type=types.WHOLE,
        default="1",
        show_default=True,
        help="workers, each with a Spark of its own",
    )


def unsteered_option() -> click.Option:
    """``--unsteered``, of commands that draw edits of interesting cases."""
    return click.Option(["--unsteered"], is_flag=True, help="draw no edits of cases that did something new")


def take_options(given: dict[str, Any], *, max_examples: int, makes_known: bool = False) -> Options:
    """Remove the shared options from ``given``, and return them as one value; ``max_examples`` is the default.

    The file of ``--known`` is read, so that what is wrong with it is said before Spark starts; with ``makes_known`` it
    may be missing.
    """
    taken = {name: given.pop(name) for option in shared_options() if (name := str(option.name)) in given}
    if taken.get("off") == "rule" and not taken["rule"]:
        raise BadInput("--off rule: name the rule with --rule")
    known = taken.get("known")
    if known is not None and (known.exists() or not makes_known):
        known_divergences(known)
    seed = given.pop("hypothesis_seed", None)
    return Options(
        seed=secrets.randbits(32) if seed is None else seed,
        max_examples=taken.get("max_examples") or max_examples,
        rules=taken.get("rule", ()),
        rule_jars=taken.get("rule_jar", ()),
        extensions=taken.get("extensions", ()),
        off=taken.get("off"),
        spark_conf=dict(taken.get("spark_conf", ())),
        spark_master=taken.get("spark_master", "local[1]"),
        spark_home=taken.get("spark_home"),
        failures=taken.get("failures", Path("failures")),
        summary_json=taken.get("summary_json"),
        by=taken.get("by", "both"),
        record=taken.get("record"),
        known=known,
        databases=taken.get("databases", DATABASES),
    )


def declare_for_pytest(group: Any) -> None:
    """Declare the shared options in a group of pytest's parser, which keeps their texts."""
    for option in shared_options():
        default = _SHARED[option.opts[0]].get("default")
        how: dict[str, Any] = {"default": [], "action": "append"} if option.multiple else {"default": default}
        group.addoption(*option.opts, help=option.help, **how)


def options_of_pytest(raw: Mapping[str, Any], *, here: Path, seed: int, max_examples: int) -> Options:
    """Parse the texts that pytest kept as shared options, with paths from ``here``; BadInput for a wrong text."""
    context = click.Context(click.Command("pytest"), obj=here)
    options = shared_options()
    try:
        given = {str(option.name): option.type_cast_value(context, raw[str(option.name)]) for option in options}
    except click.BadParameter as problem:
        raise BadInput(problem.format_message()) from problem
    return take_options({**given, "hypothesis_seed": seed}, max_examples=max_examples)
