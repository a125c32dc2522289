"""Count which basic blocks of the optimizer's classes run, by probes that an agent puts into them in the JVM.

The session's JVM has to be started with the agent: ``SparkOptions.agent`` is its jar. A class archive stays in use
beside the agent. Classes that are loaded are changed in place, without new members, so no class has to be known before
the session starts.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from oracles.engines.spark.jvm import SparkJvm
from oracles.engines.spark.start import Methods

OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer.Optimizer"
"""A class of the package that has most rules."""
_RAN = struct.Struct("<ii")


class ProbesFailed(RuntimeError):
    """Probes can't be put in, or count nothing: the fault is Assay's own, and no coverage is known."""


class BlockKey(NamedTuple):
    """The name of a block in every session of a Spark release: its class, method with type, and place in it."""

    class_name: str
    method: str
    place: int


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block: ``file`` is its source file's name, ``lines`` those of its text, none if the class has no lines;
    ``unreachable`` says why no query can run it, as far as its own code shows that, and is '' otherwise.
    """

    key: BlockKey
    file: str
    lines: tuple[int, ...]
    unreachable: str


class Probes:
    """The probes of a running session. A JVM can have them once.

    :param packages: names of classes whose whole packages get probes.
    :param rules: names of classes that get probes, with what is nested in them.
    :param own: names of classes whose whole source files get probes.
    :raises ProbesFailed: the JVM has no agent, or a class can't have probes.
    """

    def __init__(
        self, spark: SparkJvm, *, packages: Iterable[str] = (), rules: Iterable[str] = (), own: Iterable[str] = ()
    ) -> None:
        jvm: Any = spark.session._jvm
        self._spark = spark
        self._java = Methods(jvm.org.apache.spark.sql.assay.probes.Probes)
        begin(spark, self._java, packages, rules, own)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks with a probe, whether their classes are loaded or not; a block's number is its place here."""
        found: list[Block] = []
        for each in json.loads(self._spark.calling(self._java.blocks)):
            assert each["first"] == len(found)
            for method in each["methods"]:
                name = method["name"] + method["type"]
                for place, (lines, why) in enumerate(zip(method["lines"], method["unreachable"], strict=True)):
                    found.append(Block(BlockKey(each["class"], name, place), each["file"], tuple(lines), why))
        return tuple(found)

    def take(self) -> Mapping[int, int]:
        """The number of runs of each block since the last call, by its number, without blocks that did not run.

        :raises ProbesFailed: a class that was loaded since can't have probes.
        """
        return taken(self._spark, self._java)

    def pause(self) -> None:
        """Take the probes out of all classes until :meth:`resume`: nothing is counted, and no probe takes time."""
        self._spark.calling(self._java.pause)

    def resume(self) -> None:
        """Put the probes into the classes again, after a pause or without one."""
        self._spark.calling(self._java.resume)


def begin(spark: SparkJvm, java: Methods, packages: Iterable[str], rules: Iterable[str], own: Iterable[str]) -> None:
    """Have the agent change classes by ``java``, which is Probes or Inversions of the jar; raises ProbesFailed."""
    try:
        problems: str = spark.calling(lambda: java.begin(*map("\n".join, (packages, rules, own))))
    except spark.spark_errors as error:
        raise ProbesFailed(f"no probes: {str(error).strip().splitlines()[-1]}") from error
    _require(problems)


def taken(spark: SparkJvm, java: Methods) -> dict[int, int]:
    """The counts of ``java`` since the last call, by number, without those that are 0; raises ProbesFailed."""
    ran: bytes = spark.calling(java.take)
    _require(spark.calling(java.problems))
    return dict(_RAN.iter_unpack(ran))


def _require(problems: str) -> None:
    if problems:
        raise ProbesFailed(f"no probes in {len(problems.splitlines())} classes: {problems.splitlines()[0]}")
