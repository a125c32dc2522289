"""The steering of a campaign: cases that ran new blocks, shared between its workers through its folder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from assay.fuzz.steering import Member, SteeringCorpus, Watch
from assay.ledger.blocks import block_id
from oracles.answers.atomic import write_text
from oracles.engines.protocol import Engine
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.optimizer_probes import OptimizerProbes
from oracles.engines.spark.probes import Block, Probes, ProbesFailed
from strategies.edits.edits import is_member
from strategies.ir import Case, InvalidQuery, from_plain, to_plain

FORMAT = 1


@dataclass(slots=True, kw_only=True)
class CampaignSteering(Watch):
    """Counts the blocks that each check of a worker runs, and keeps the cases that ran new ones.

    :param spark: the worker's engine, which has the agent for probes.
    :param folder: where each worker has a file of its members; see :func:`write_members`.
    :param name: the name of this worker's file.
    :param told: called with one line if there can be no probes, from when on nothing is counted.
    """

    spark: Engine
    folder: Path
    name: str
    told: Callable[[str], None]
    corpus: SteeringCorpus = field(default_factory=SteeringCorpus)
    _own: list[Member] = field(default_factory=list)
    _read: Counter[str] = field(default_factory=Counter)
    _probes: OptimizerProbes = field(default_factory=OptimizerProbes)
    _counting: Probes | None = None
    _failed: bool = False
    _saved: int = 0
    _checks: int = 0
    _first: dict[int, int] = field(default_factory=dict)

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks with probes; empty if there can be no probes, or if no check has begun yet."""
        return self._counting.blocks if self._counting else ()

    def begin(self) -> None:
        """Forget the blocks that ran before the next check."""
        self._counting = None
        if self._failed or not isinstance(self.spark, SparkEngine):
            return
        try:
            self._counting = self._probes.of(self.spark)
            self._counting.take()
        except ProbesFailed as error:
            self._failed, self._counting = True, None
            self.told(f"no steering: {error}")

    def end(self, case: Case) -> None:
        """Count the blocks that the check of ``case`` ran, unless its JVM is gone."""
        if self._counting is None or not isinstance(self.spark, SparkEngine):
            return
        if self._probes.of(self.spark) is not self._counting:
            return
        self._checks += 1
        new = self.corpus.add(case, self._counting.take().keys())
        self._first |= {block_id(self._counting.blocks[number].key): self._checks for number in new}
        if new and is_member(case):
            self._own.append(Member(case, new))

    def first_run(self) -> dict[int, int]:
        """The ids of the blocks that were new since the last call, and the check since then, from 1, that ran each."""
        first, self._first, self._checks = self._first, {}, 0
        return first

    def read(self) -> None:
        """Add the members of all workers, and of earlier runs, that this worker doesn't know."""
        mark = self._mark()
        for file in sorted(self.folder.glob("*.jsonl")):
            if file.stem == self.name and self._read[file.stem]:
                continue  # this worker alone writes it, from what it knows
            members = read_members(file, mark, after=self._read[file.stem])
            self._read[file.stem] += len(members)
            for member in members:
                self.corpus.adopt(member)
            if file.stem == self.name:
                self._own += members

    def save(self) -> None:
        """Write this worker's members, if there are new ones."""
        if len(self._own) > self._saved:
            write_members(self.folder / f"{self.name}.jsonl", self._own, self._mark())
            self._saved = self._read[self.name] = len(self._own)

    def _mark(self) -> str:
        if self._failed or not isinstance(self.spark, SparkEngine):
            return ""
        try:
            return mark_of(self._probes.of(self.spark).blocks)
        except ProbesFailed:
            return ""


def mark_of(blocks: Sequence[Block]) -> str:
    """16 hex digits for the numbering of ``blocks``: two sessions with the same mark number blocks alike."""
    text = "\n".join("\t".join(map(str, block.key)) for block in blocks)
    return sha256(text.encode()).hexdigest()[:16]


def write_members(file: Path, members: Sequence[Member], mark: str) -> None:
    """Write ``members`` to ``file``, a line of JSON for each, atomically."""
    lines = (
        json.dumps({"format": FORMAT, "blocks_of": mark, "new": sorted(member.new), "case": to_plain(member.case)})
        for member in members
    )
    write_text(file, "".join(f"{line}\n" for line in lines))


def read_members(file: Path, mark: str, *, after: int = 0) -> list[Member]:
    """The members in ``file`` after the first ``after`` lines.

    A member of another numbering has no new blocks. One of another format or algebra is left out, as is the rest of the
    file, because the file was written by another version of Assay.
    """
    members = []
    with suppress(InvalidQuery):
        for line in file.read_text(encoding="utf-8").splitlines()[after:]:
            data: dict[str, Any] = json.loads(line)
            if data["format"] != FORMAT:
                break
            new = data["new"] if data["blocks_of"] == mark else ()
            members.append(Member(from_plain(data["case"]), frozenset(new)))
    return members
