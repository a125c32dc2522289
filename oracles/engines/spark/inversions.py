"""Invert any one conditional of the optimizer's classes while the session runs: a wrong optimizer that nobody wrote.

The session's JVM has to be started with the agent, as for :mod:`oracles.engines.spark.probes`, and can have no probes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from oracles.engines.spark.jvm import SparkJvm
from oracles.engines.spark.probes import begin, taken
from oracles.engines.spark.start import Methods

_NONE = -1


@dataclass(frozen=True, slots=True)
class Conditional:
    """A conditional jump in a class: ``method`` with its type, ``file`` and ``line`` of its text."""

    class_name: str
    method: str
    file: str
    line: int


class Inversions:
    """The conditionals of a running session, of which one at a time can be inverted. A JVM can have them once.

    :param packages: names of classes whose whole packages are taken.
    :param rules: names of classes that are taken, with what is nested in them.
    :raises ProbesFailed: the JVM has no agent, or a class can't be changed.
    """

    def __init__(self, spark: SparkJvm, *, packages: Iterable[str] = (), rules: Iterable[str] = ()) -> None:
        jvm: Any = spark.session._jvm
        self._spark = spark
        self._java = Methods(jvm.org.apache.spark.sql.assay.probes.Inversions)
        begin(spark, self._java, packages, rules, ())

    @cached_property
    def conditionals(self) -> tuple[Conditional, ...]:
        """All conditionals; the number of one is its place here."""
        found = json.loads(self._spark.calling(self._java.conditionals))
        return tuple(Conditional(each["class"], each["method"], each["file"], each["line"]) for each in found)

    def take(self) -> Mapping[int, int]:
        """The number of runs of each conditional since the last call, by its number, without those that did not run.

        :raises ProbesFailed: a class that was loaded since can't be changed.
        """
        return taken(self._spark, self._java)

    @contextmanager
    def inverted(self, number: int) -> Iterator[None]:
        """Invert one conditional while the context lasts."""
        self._spark.calling(lambda: self._java.invert(number))
        try:
            yield
        finally:
            self._spark.calling(lambda: self._java.invert(_NONE))
