"""Run over a Spark Connect server: the limits of such a run, and its harness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.session.ending import BadInput
from assay.session.options import Options
from oracles.checks.check import Harness
from oracles.engines.connect.acting import can_be_asked
from oracles.engines.connect.engine import ConnectEngine
from oracles.engines.duckdb import DuckdbEngine
from oracles.failures.failure import Subject
from oracles.rules.rule import Rule

_NO_SPARK_OF_OURS = "local[1]"


@dataclass(frozen=True, slots=True)
class Connection:
    """The configuration with which a run over the server at ``url`` starts its engines."""

    url: str
    subject: Subject
    own: tuple[str, ...] = ()

    def harness(self) -> Harness:
        """Engines that start at their first use."""
        return Harness(ConnectEngine(self.url, self.subject.conf, self.own), DuckdbEngine())

    def limits(self, harness: Harness, rules: Sequence[Rule]) -> list[str]:
        """List what the server can't switch off or report, a line each; BadInput if one of ``rules`` can't be off."""
        engine = harness.spark
        assert isinstance(engine, ConnectEngine)  # made above
        if refused := [rule.name for rule in rules if rule.tracked_as or not can_be_asked(rule.switch)]:
            raise BadInput(f"--rule {', '.join(refused)}: nothing turns it off by itself on a server without our jar")
        return [
            f"over Connect nothing turns off: {', '.join(engine.unswitched())}",
            "over Connect 'fired' means: without the rule the optimized plan is another (Spark's own count isn't told)",
        ]


def connection(url: str, options: Options) -> Connection:
    """A run over the server at ``url``."""
    own = tuple(rule.class_name for rule in options.rules if rule.class_name)
    return Connection(url, Subject(conf=options.spark_conf), own)


def require_stock(options: Options) -> None:
    """Raise BadInput if ``options`` need Assay's jar, which the server doesn't have."""
    files = [str(rule.source) for rule in options.rules if rule.source]
    for option, value in (
        ("--rule", ", ".join(files)),
        ("--rule-jar", ", ".join(map(str, options.rule_jars))),
        ("--extensions", ", ".join(options.extensions)),
        ("--spark-home", str(options.spark_home or "")),
        ("--spark-master", "" if options.spark_master == _NO_SPARK_OF_OURS else options.spark_master),
    ):
        if value:
            raise BadInput(f"{option} {value}: not with --connect, whose server runs what was given to it at its start")
