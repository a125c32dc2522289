"""A worker of a campaign: one Spark session, kept warm, and one round after the other as the coordinator says.

It starts with a line of JSON on its standard input that says what the campaign is about (:class:`WorkerConfig`), then
takes tasks from there, and answers on the pipe that its argument names. When its input ends, the coordinator is gone,
and so is the worker.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any

from assay.campaign.channel import Sender
from assay.campaign.options import script_limit
from assay.campaign.resume import resume
from assay.campaign.sources import cases_of_work
from assay.campaign.steering import CampaignSteering
from assay.coverage.parts import parts_of, rule_names
from assay.fuzz.case_mix import off_policy
from assay.fuzz.coverage import listed
from assay.fuzz.failure_store import FailureStore
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.policy import Policy
from assay.fuzz.steering import SteeringCorpus, Watch
from assay.fuzz.supervisor import Supervisor
from assay.ledger.blocks import write_blocks
from assay.ledger.counting import Counting
from assay.ledger.folder import Folder
from assay.ledger.rounds import RoundEnd, RoundId, Work
from assay.session.ending import BadInput
from assay.session.full_disk import StillNoRoom
from assay.session.known import known_divergences
from assay.session.mutant_sources import Mutant, named, together
from assay.session.options import Options, options_from_plain
from assay.session.session import check_names, lasting, mortal, prepare
from assay.session.stock import stock_spark
from oracles.checks.check import Harness
from oracles.checks.paths import PathsDiffer
from oracles.engines.spark.jvm import SparkLost
from oracles.engines.spark.probes import Block
from oracles.engines.spark.start import SparkUnusable
from oracles.engines.spark.watchdog import Watchdog
from oracles.failures.failure import Subject
from oracles.triage.dedup import Known
from strategies.ir import Case, from_plain
from strategies.shapes import load_shapes

_BEAT_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerConfig:
    """The configuration of a worker: plain data, as JSON has it."""

    worker: int
    run: str
    out: str
    options: Mapping[str, Any]
    mutants: Sequence[str]
    seed: int
    shard: int
    shards: int
    limit: float
    budget: float
    steered: bool

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> WorkerConfig:
        """The configuration in the message of the coordinator."""
        return cls(**{each.name: data[each.name] for each in fields(cls)})


@dataclass(slots=True, kw_only=True)
class Worker:
    """A worker of a campaign: takes tasks from the coordinator, runs them and reports."""

    config: WorkerConfig
    sender: Sender
    end: threading.Event = field(default_factory=threading.Event)
    tasks: queue.SimpleQueue[Mapping[str, Any]] = field(default_factory=queue.SimpleQueue)
    counting: Counting = field(default_factory=Counting)
    supervisor: Supervisor | None = None
    steering: CampaignSteering | None = None
    listed_blocks: bool = False

    @property
    def folder(self) -> Folder:
        """The campaign's folder."""
        return Folder(Path(self.config.out))

    def run(self) -> None:
        """Start, and take tasks until there are no more."""
        config = self.config
        options = options_from_plain(config.options)
        mutants = named(config.mutants)
        setup = lasting(mortal(prepare(options, mutants, probes=config.steered)), config.budget)
        with setup.harness(watchdog=Watchdog()) as harness:
            harness.spark.time_limit = harness.duckdb.time_limit = config.limit
            fuzzer = self._fuzzer(options, mutants, setup.subject, harness)
            versions = {"spark": harness.spark.version, "duckdb": harness.duckdb.version}
            self.sender.send("ready", versions=versions)
            while (task := self.tasks.get())["do"] != "leave":
                if task["do"] == "round":
                    self._round(task, fuzzer, versions)
                elif task["do"] == "alone":
                    self._again_alone(task, fuzzer)
                else:
                    self._resume(task, fuzzer)

    def _fuzzer(self, options: Options, mutants: Sequence[Mutant], subject: Subject, harness: Harness) -> Fuzzer:
        """The fuzzer of all rounds; makes the supervisor and the steering of this worker, too."""
        config = self.config
        rules = check_names(harness, options.rules)
        self.supervisor = Supervisor(
            harness=harness,
            suspects=rules,
            settings=subject.settings,
            case_file=self.folder.current_case(config.worker),
            tell=self._incident,
            limit=config.limit,
            end=self.end,
            facts={"worker": config.worker, "run": config.run},
        )
        self.folder.write_release(harness.spark.version, listed(harness.catalogue))
        policy = Policy(
            draw_off=off_policy(options.off, [rule.name for rule in rules], harness.catalogue),
            divergences=known_divergences(options.known),
            targets=rules,
            fast=not harness.spark.on_cluster,
            databases=options.databases,
        )
        store = FailureStore(
            folder=self.folder.findings,
            guard=self.supervisor,
            stock=replace(stock_spark(options), time_limit=script_limit(config.limit)),
            known=Known(self.folder.findings),
            originals=self.folder.originals,
        )
        if config.steered:
            self.steering = CampaignSteering(
                spark=harness.spark,
                folder=self.folder.corpus,
                name=f"{config.shard}of{config.shards}-worker-{config.worker}",
                told=lambda line: self._incident("steering", line),
            )
        return Fuzzer(
            harness=harness,
            watch=self.steering or Watch(),
            subject=_planted(subject, mutants, harness),
            recorder=self.counting,
            store=store,
            policy=policy,
            run_seed=config.seed,
        )

    def _round(self, task: Mapping[str, Any], fuzzer: Fuzzer, versions: Mapping[str, str]) -> None:
        config = self.config
        identity = RoundId(config.run, config.shard, config.shards, task["number"])
        work = Work(task["kind"], task["name"])
        self.counting = fuzzer.recorder = counting = Counting(told=self._found)
        assert self.supervisor is not None  # made before the first task
        self.supervisor.facts |= {"round": identity.text, "kind": work.kind, "name": work.name, "seed": config.seed}
        started, clock = datetime.now(tz=timezone.utc), time.monotonic()
        part = f"nightly/{config.shard}of{config.shards}/{identity.number}"
        with _Fault(self) as fault:
            fuzzer.run(cases_of_work(work, load_shapes(), self._members()), part, task["size"])
        ended: RoundEnd = "fault" if fault.happened else "stopped" if self.end.is_set() else "full"
        if self.steering is not None:
            counting.blocks = self.steering.first_run()
            self._list_blocks(self.steering.blocks, fuzzer.harness)
        finished = counting.round(
            identity,
            work,
            run_seed=config.seed,
            worker=config.worker,
            started=started,
            seconds=time.monotonic() - clock,
            ended=ended,
            versions=versions,
        )
        file = self.supervisor.persist(lambda: self.folder.write_round(finished))
        self.counting = Counting()
        corpus = SteeringCorpus()
        if self.steering is not None:
            self.supervisor.persist(self.steering.save)
            corpus = self.steering.corpus
        self.sender.send("done", file=str(file), members=len(corpus.members), blocks=len(corpus.known))

    def _list_blocks(self, blocks: Sequence[Block], harness: Harness) -> None:
        """Write the blocks of the running Spark to the ledger, once."""
        if blocks and not self.listed_blocks and self.supervisor is not None:
            parts = parts_of(blocks, rule_names(harness))
            self.supervisor.persist(lambda: write_blocks(self.folder.blocks, harness.spark.version, parts))
            self.listed_blocks = True

    def _members(self) -> list[Case]:
        """The cases of the steering corpus, with what other workers have added."""
        if self.steering is None:
            return []
        self.steering.read()
        return self.steering.corpus.cases

    def _again_alone(self, task: Mapping[str, Any], fuzzer: Fuzzer) -> None:
        """Rerun the case alone that another worker was checking when it died."""
        assert self.supervisor is not None  # made before the first task
        case = from_plain(task["case"])
        assert isinstance(case, Case)  # as it was written
        with _Fault(self):
            checked = self.supervisor.alone(case, "the worker died", "worker")
            if checked.verdict.name == "finding":
                fuzzer.record_finding(checked, checked.fired)
        self.sender.send("free")

    def _resume(self, task: Mapping[str, Any], fuzzer: Fuzzer) -> None:
        """Resume a finding that an earlier run had not finished."""
        with _Fault(self):
            resume(Path(task["file"]), fuzzer)
        self.sender.send("free")

    def _found(self, summary: Mapping[str, Any], replaces: str | None) -> None:
        self.sender.send("finding", finding=dict(summary), replaces=replaces)

    def _incident(self, kind: str, told: str, **facts: Any) -> None:
        self.sender.send("incident", kind=kind, line=told)
        with suppress(OSError):  # a full disk was reported before
            self.folder.write_incident(kind, told, worker=self.config.worker, run=self.config.run, **facts)

    def beat(self) -> None:
        """Report that the worker is alive, and its progress."""
        while True:
            time.sleep(_BEAT_SECONDS)
            at_work = self.supervisor.at_work if self.supervisor else 0
            self._send_or_leave("beat", at_work=at_work, verdicts=dict(self.counting.verdicts))

    def _send_or_leave(self, message_type: str, **facts: Any) -> None:
        try:
            self.sender.send(message_type, **facts)
        except BrokenPipeError:
            self.leave()

    def listen(self) -> None:
        """Receive tasks from the coordinator until it is gone."""
        for line in sys.stdin:
            task = json.loads(line)
            if task["do"] == "stop":
                self.end.set()
                self.tasks.put({"do": "leave"})
            else:
                self.tasks.put(task)
        self.leave()

    def leave(self) -> None:
        """End at once: whatever is worth keeping is on disk."""
        if self.supervisor is not None:
            self.supervisor.harness.spark.abandon()
        os._exit(0)


def _planted(subject: Subject, mutants: Sequence[Mutant], harness: Harness) -> Subject:
    """``subject`` with all of ``mutants`` active."""
    if not mutants:
        return subject
    names = ",".join(mutant.name for mutant in mutants)
    return replace(subject, mutant=names, settings=together(mutants, harness.catalogue))


class _Fault(AbstractContextManager["_Fault"]):
    """A context in which an error of Assay itself ends the round and is reported; the campaign goes on."""

    def __init__(self, worker: Worker) -> None:
        self.happened = False
        self._worker = worker

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is None or not isinstance(error, Exception) or isinstance(error, (StillNoRoom, BrokenPipeError)):
            return False
        self.happened = True
        supervisor = self._worker.supervisor
        assert supervisor is not None  # made before the first task
        if isinstance(error, SparkLost) or supervisor.harness.spark.lost(error):
            supervisor.harness.spark.close()
        notes = getattr(error, "__notes__", [])
        line = "; ".join([f"{type(error).__name__}: {error}".splitlines()[0], *notes])
        what = "paths" if isinstance(error, PathsDiffer) else "fault"
        self._worker._incident(what, line, current_case=supervisor.last(), trace=traceback.format_exception(error))
        return True


def main() -> int:
    """Serve the coordinator whose pipe the only argument names."""
    sender = Sender(int(sys.argv[1]))
    worker = Worker(config=WorkerConfig.of(json.loads(sys.stdin.readline())), sender=sender)
    for work in (worker.listen, worker.beat):
        threading.Thread(target=work, daemon=True, name=work.__name__).start()
    try:
        worker.run()
    except (BadInput, SparkUnusable) as problem:
        sender.send("unusable", line=str(problem))
    except StillNoRoom as problem:
        sender.send("incident", kind="lost", line=f"there was no room until the end, so a round is lost: {problem}")
    except BrokenPipeError:
        worker.leave()
    else:
        sender.send("left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
