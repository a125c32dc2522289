"""From options to a harness: jars built, rules compiled and loaded, engines ready to start."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from assay.session.class_archive import archive_flags
from assay.session.ending import BadInput
from assay.session.mutant_sources import Mutant
from assay.session.options import Options, RuleRequest
from assay.session.rule_names import require_rules
from jars.agent import agent_jar
from jars.build import TARGET, BuildError, CompileError, Jars, build, compile_rule, find_spark_jars
from oracles.checks.check import Harness
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.spark import home
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.home import UnfitHome
from oracles.engines.spark.java import NoJava, find_java, java_environment
from oracles.engines.spark.master import addresses, is_cluster
from oracles.engines.spark.start import INLINING_LESS, OPTIMIZING, InjectedRule, SparkOptions, SparkUnusable
from oracles.engines.spark.watchdog import Watchdog
from oracles.failures.failure import Subject
from oracles.rules.catalogue import MissingRule, UnknownRule
from oracles.rules.rule import Rule

_ANSWER_SECONDS = 5
_LONG_SECONDS = 600
_HOUR = 3_600


@dataclass(frozen=True, slots=True)
class Setup:
    """The configuration with which a run starts its engines."""

    spark: SparkOptions
    subject: Subject

    def harness(self, *, watchdog: Watchdog | None = None) -> Harness:
        """Engines that start at their first use; with a ``watchdog``, a JVM that doesn't answer is killed.

        On a cluster there always is one: what waits for executors doesn't come back by itself.
        """
        if watchdog is None and is_cluster(self.spark.master):
            watchdog = Watchdog()
        return Harness(SparkEngine(self.spark, watchdog=watchdog), DuckdbEngine())

    def supervised(self) -> Harness:
        """Engines for a supervisor: a JVM without memory ends, and one that doesn't answer is killed."""
        return mortal(self).harness(watchdog=Watchdog())


def mortal(setup: Setup) -> Setup:
    """``setup`` for sessions whose JVM exits when it runs out of memory."""
    return _flagged(setup, ["-XX:+ExitOnOutOfMemoryError"])


def optimizing(setup: Setup) -> Setup:
    """``setup`` for sessions whose code the JVM compiles a second time, for speed."""
    return _flagged(setup, OPTIMIZING)


def lasting(setup: Setup, seconds: float) -> Setup:
    """``setup`` for sessions that check for so long: :func:`optimizing` from ten minutes on.

    Two workers on two cores do 5 and 15 checks a second in their first two minutes with it, 12 and 22 without; from the
    ninth minute on they do 30 with it, and 19 without. Nine minutes are where it has made up for what it took.

    In sessions of up to an hour the compiler inlines less: one worker does 3,103 checks in a campaign's first eleven
    minutes, 2,705 without that; from the sixth minute on both do five a second. Longer ones were not measured.
    """
    if seconds < _LONG_SECONDS:
        return setup
    return optimizing(setup) if seconds > _HOUR else _flagged(optimizing(setup), INLINING_LESS)


def _flagged(setup: Setup, flags: Sequence[str]) -> Setup:
    return replace(setup, spark=replace(setup.spark, jvm_flags=(*setup.spark.jvm_flags, *flags)))


def prepare_java() -> None:
    """Put a usable Java into this process's environment, and so into its workers'; BadInput where there is none."""
    try:
        os.environ.update(java_environment())
    except NoJava as error:
        raise BadInput(str(error)) from error


def _reach(master: str) -> None:
    """BadInput unless something listens where a standalone cluster's masters are to be: said before Java is started."""
    problems = []
    for host, port in addresses(master):
        try:
            socket.create_connection((host, port), timeout=_ANSWER_SECONDS).close()
        except OSError as error:
            problems.append(f"{host}:{port} ({error})")
        else:
            return
    if problems:
        raise BadInput(f"--spark-master {master}: no master answers at {', '.join(problems)}")


def require_spark(spark_home: Path | None) -> None:
    """Choose the pyspark of ``spark_home``, or the installed one; BadInput in one line where there is none."""
    try:
        if spark_home is None:
            find_spark_jars()
        else:
            home.use(spark_home)
    except UnfitHome as error:
        raise BadInput(f"--spark-home {error}") from error
    except BuildError as error:
        raise BadInput(str(error)) from error


def prepare(options: Options, mutants: Sequence[Mutant] = (), *, probes: bool = False) -> Setup:
    """Build the jars, compile the user's rules; BadInput in one line (compile errors: one line each).

    :param probes: start the JVM with the agent that :mod:`oracles.engines.spark.probes` needs.
    """
    _reach(options.spark_master)
    require_spark(options.spark_home)
    try:
        require_rules(options, [mutant.name for mutant in mutants])
        java = find_java().java
        jars = _own_jars(java, options.spark_home)
        sources = {rule.source for rule in options.rules if rule.source}
        extra = (jars.main, *options.rule_jars)
        compiled = [
            compile_rule(source, TARGET / "rules", extra, java=java, spark_home=options.spark_home)
            for source in sorted(sources)
        ]
    except CompileError as error:
        raise BadInput("the rule doesn't compile:\n" + "\n".join(error.messages)) from error
    except (BuildError, NoJava) as error:
        raise BadInput(str(error)) from error
    injected = [InjectedRule(rule.name, rule.class_name, rule.point) for rule in options.rules if rule.class_name]
    loaded = (*injected, *(mutant.injected() for mutant in mutants))
    own = (jars.mutants,) if mutants and jars.mutants else ()
    spark = SparkOptions(
        jars=(jars.main, *own, *compiled, *options.rule_jars),
        injected=loaded,
        extensions=options.extensions,
        conf=options.spark_conf,
        master=options.spark_master,
        spark_home=options.spark_home,
        jvm_flags=archive_flags(java, jars.main) if options.spark_home is None else (),
        agent=agent_jar() if probes else None,
    )
    own_rules = tuple(rule.text for rule in options.rules if rule.class_name)
    jars_given = tuple(map(str, options.rule_jars))
    subject = Subject(
        rules=own_rules,
        jars=jars_given,
        extensions=options.extensions,
        conf=options.spark_conf,
        spark_home=None if options.spark_home is None else str(options.spark_home),
    )
    return Setup(spark, subject)


def prepare_jars(spark_home: Path | None) -> None:
    """Build Assay's own jars; BadInput in one line where there is no Java, or no Spark that they compile for."""
    try:
        _own_jars(find_java().java, spark_home)
    except (BuildError, NoJava) as error:
        raise BadInput(str(error)) from error


def _own_jars(java: Path, spark_home: Path | None) -> Jars:
    """Assay's own jars; a Spark that they don't compile for is one that Assay doesn't run on."""
    try:
        return build(java, spark_home)
    except CompileError as error:
        raise BuildError(f"Assay doesn't run on this Spark: its Scala doesn't compile: {error.messages[0]}") from error


def check_names(harness: Harness, rules: Sequence[RuleRequest]) -> list[Rule]:
    """The catalogue's rules of these names, having started Spark; BadInput for what it doesn't know or can't load."""
    try:
        catalogue = harness.catalogue
        for rule in rules:
            if rule.class_name and sum(other.name == rule.name for other in catalogue.rules) > 1:
                raise BadInput(f"--rule {rule.text}: Spark has a rule called {rule.name}: give yours another name")
        return [catalogue.rule(rule.name) for rule in rules]
    except (UnknownRule, MissingRule) as error:
        raise BadInput(str(error)) from error
    except SparkUnusable as error:
        raise BadInput(_asked_for(str(error), rules)) from error


def _asked_for(problem: str, rules: Sequence[RuleRequest]) -> str:
    """``problem`` after the ``--rule`` whose class it begins with, if it does."""
    asked = next((rule for rule in rules if rule.class_name and problem.startswith(f"{rule.class_name}:")), None)
    return problem if asked is None else f"--rule {asked.text}: {problem}"


def versions() -> dict[str, str]:
    """The installed engines' versions, without starting them."""
    return {"spark": home.release(), "duckdb": version("duckdb")}
