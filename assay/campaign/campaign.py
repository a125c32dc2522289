"""The coordinator: hands out rounds until the budget ends, and sees to it that whatever dies is started again."""

from __future__ import annotations

import select
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from assay.campaign.campaign_state import CampaignState
from assay.campaign.display import Display, Shown, Speed
from assay.campaign.loss import loss_of_worker
from assay.campaign.sources import next_work, round_size
from assay.campaign.worker_pool import WorkerHandle, WorkerPool, delay
from assay.fuzz.finding_text import finding_facts
from assay.ledger.folder import PACK, Folder
from assay.ledger.rounds import Work, from_bytes
from assay.session.full_disk import patiently
from oracles.failures.failure import Failure, Subject, write_failure
from oracles.failures.scripts.confirm import with_script
from oracles.triage.dedup import Known

CampaignEnd = Literal["budget", "stopped", "gave up"]
"""The reason why a campaign ended: its budget is used up, a signal stopped it, or workers died again and again."""

_TICK_SECONDS = 0.2
_WRAP_UP_SECONDS = 60.0
_LAST_SCRIPT_SECONDS = 180.0
"""Seconds that workers get to finish if no signal stopped the campaign: enough for the script of a last finding."""
_DEATHS = 6
"""The deaths of a worker in a row, without a finished round, after which the campaign gives up."""


@dataclass(slots=True)
class _Vacant:
    """A place whose worker died: when the next one starts, how many died there in a row, and which case it reruns."""

    since: float
    deaths: int
    case: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The work of a campaign: sources of cases, rounds, budget and number of workers.

    :param choices: where rounds may take their cases from.
    :param size: the checks of a round of general queries.
    :param budget: seconds.
    :param first: the number of the first round.
    :param max_rounds: the rounds that end the campaign before its time.
    """

    choices: Sequence[Work]
    size: int
    budget: float
    workers: int
    first: int
    max_rounds: int | None = None


@dataclass(slots=True, kw_only=True)
class Campaign:
    """One run of a campaign.

    ``unfinished`` are findings that an earlier run had not finished when it stopped, ``beside`` is called in every step
    of the main loop, and ``asks`` counts the signals that ask the campaign to stop.
    """

    pool: WorkerPool
    plan: Plan
    subject: Subject
    state: CampaignState
    display: Display
    unfinished: list[Path] = field(default_factory=list)
    beside: Callable[[], None] = lambda: None
    asks: int = field(init=False, default=0)
    unusable: str = field(init=False, default="")
    versions: Mapping[str, str] = field(init=False, default_factory=dict)
    _handles: dict[int, WorkerHandle] = field(init=False, default_factory=dict)
    _vacant: dict[int, _Vacant] = field(init=False, default_factory=dict)
    _stopping: float | None = field(init=False, default=None)
    _handed_out: int = field(init=False, default=0)
    _deadline: float = field(init=False, default=0.0)
    _speed: Speed = field(init=False, default_factory=Speed)
    _read: set[str] = field(init=False, default_factory=set)

    @property
    def folder(self) -> Folder:
        """The campaign's folder."""
        return self.pool.folder

    def run(self) -> CampaignEnd:
        """Run until the budget ends; findings and finished rounds are on disk whatever happens, kill -9 included."""
        started = time.monotonic()
        self._deadline = started + self.plan.budget
        self._read |= {file.stem for file in self.folder.rounds.glob("*.parquet")}
        ended: CampaignEnd = "budget"
        try:
            for number in range(self.plan.workers):
                self._handles[number] = self.pool.start(number)
            while self._handles or (self._vacant and self._stopping is None):
                now = time.monotonic()
                for handle in list(self._handles.values()):
                    self._attend(handle, now)
                self._refill(now)
                self.beside()
                over = now - started >= self.plan.budget or self._has_all_rounds()
                if self._stopping is None and (self.asks or over or self._hopeless()):
                    ended = "stopped" if self.asks else "budget" if over else "gave up"
                    self._stop(now)
                patience = _WRAP_UP_SECONDS if self.asks else _LAST_SCRIPT_SECONDS
                if self._stopping is not None and (self.asks > 1 or now - self._stopping > patience):
                    self._break_off()
                    break
                if self.display.is_due(now):
                    self.display.show(self._shown(now, now - started), now)
                self._listen()
        finally:
            for handle in self._handles.values():
                handle.end()
        return ended

    def _is_over(self) -> bool:
        return self._stopping is not None or time.monotonic() >= self._deadline

    def _has_all_rounds(self) -> bool:
        return self._handed_out == self.plan.max_rounds and not any(handle.doing for handle in self._handles.values())

    def _hopeless(self) -> bool:
        return bool(self.unusable) or any(vacant.deaths >= _DEATHS for vacant in self._vacant.values())

    def _listen(self) -> None:
        handles = [handle.receiver.handle for handle in self._handles.values()]
        with suppress(InterruptedError):
            select.select(handles, [], [], _TICK_SECONDS)

    def _attend(self, handle: WorkerHandle, now: float) -> None:
        for message in handle.receiver.messages():
            handle.heard = now
            _HANDLERS[message["type"]](self, handle, message)
        if handle.receiver.ended or handle.has_ended:
            for message in handle.receiver.messages():
                _HANDLERS[message["type"]](self, handle, message)
            self._gone(handle, "ended")
        elif self.pool.stands_still(handle, now):
            self._gone(handle, "stood still, and was killed")

    def _give_task(self, handle: WorkerHandle) -> None:
        handle.doing = None
        if self._is_over():
            return
        if self.unfinished:
            handle.ask(do="resume", file=str(self.unfinished.pop()))
            return
        if self._handed_out == self.plan.max_rounds:
            return
        doing = [other.doing for other in self._handles.values() if other.doing]
        under_way = [Work(task["kind"], task["name"]) for task in doing if task["do"] == "round"]
        work = next_work(self.plan.choices, self.state.covered, under_way, self.plan.size)
        number = self.plan.first + self._handed_out
        size = round_size(work, self.plan.size)
        handle.ask(do="round", number=number, kind=work.kind, name=work.name, size=size)
        self._handed_out += 1

    def _ready(self, handle: WorkerHandle, message: Mapping[str, Any]) -> None:
        handle.ready = True
        self.versions = message["versions"]
        if handle.inherited is not None and self._stopping is None:
            handle.ask(do="alone", case=handle.inherited)
        else:
            self._give_task(handle)

    def _beat(self, handle: WorkerHandle, message: Mapping[str, Any]) -> None:
        if message["at_work"] != handle.at_work:
            handle.at_work, handle.moved = message["at_work"], time.monotonic()
        handle.verdicts = message["verdicts"]

    def _finding(self, handle: WorkerHandle, message: Mapping[str, Any]) -> None:
        finding, replaces = message["finding"], message["replaces"]
        known = finding["fingerprint"] in self.state.findings
        self.state.found(finding, replaces)
        if not known or replaces:
            was = f" (was {replaces})" if replaces and replaces != finding["fingerprint"] else ""
            self.display.line(f"finding {finding['fingerprint']}{was}: {finding_facts(finding)}: {finding['file']}")

    def _incident(self, handle: WorkerHandle, message: Mapping[str, Any]) -> None:
        self.state.incidents[message["kind"]] += 1
        self.display.line(f"incident, worker {handle.number}: {message['line']}")

    def _done(self, handle: WorkerHandle, message: Mapping[str, Any]) -> None:
        file = Path(message["file"])
        for one in from_bytes(file.read_bytes()):
            self.state.finished(one)
        self._read.add(file.stem)
        self.state.members = max(self.state.members, message["members"])
        self.state.blocks = max(self.state.blocks, message["blocks"])
        handle.deaths, handle.verdicts = 0, {}
        if sum(1 for _ in self.folder.rounds.glob("*.parquet")) >= PACK:
            with suppress(OSError):  # without room for it they stay as they are
                # The files of other workers' rounds that are still to be read must stay.
                self.folder.pack(self._read)
        self._give_task(handle)

    def _free(self, handle: WorkerHandle, message: Mapping[str, Any]) -> None:
        self._give_task(handle)

    def _unusable(self, handle: WorkerHandle, message: Mapping[str, Any]) -> None:
        self.display.line(f"worker {handle.number} can't start: {message['line']}")
        if not self.versions:
            self.unusable = message["line"]

    def _left(self, handle: WorkerHandle, message: Mapping[str, Any]) -> None:
        handle.leaving = True

    def _gone(self, handle: WorkerHandle, how: str) -> None:
        current_case = self.pool.current_case(handle)
        code = handle.end()
        del self._handles[handle.number]
        if handle.leaving or (self._stopping is not None and code == 0):
            return
        told = f"worker {handle.number} {how}" + (f" with code {code}" if how == "ended" else "")
        self._lost_worker(handle, told, current_case)
        case = current_case["case"] if current_case and not handle.leaving else None
        if current_case and case and current_case["doing"].startswith("alone"):
            self._lost_again(handle, loss_of_worker(current_case, self.subject, self.versions))
            case = None
        deaths = handle.deaths + 1
        self._vacant[handle.number] = _Vacant(time.monotonic() + delay(deaths), deaths, case)

    def _lost_again(self, handle: WorkerHandle, failure: Failure) -> None:
        failure, _ = with_script(failure, ())
        earlier = Known(self.folder.findings).earlier(failure)
        file = earlier.file if earlier else self._kept(failure)
        summary = (earlier.failure if earlier else failure).summary(file)
        self._finding(handle, {"finding": summary, "replaces": None})

    def _kept(self, failure: Failure) -> Path:
        return patiently(
            lambda: write_failure(self.folder.findings, failure),
            waiting=lambda why: self.display.line(f"no room, waiting: {why}"),
            given_up=lambda: bool(self.asks),
        )

    def _lost_worker(self, handle: WorkerHandle, told: str, current_case: Mapping[str, Any] | None) -> None:
        """Record the death of a worker; its current round is lost with all of its checks."""
        if handle.doing is not None and handle.doing["do"] == "round":
            checks = sum(handle.verdicts.values())
            self.state.lost_rounds += 1
            self.state.lost_checks += checks
            told += f"; round {handle.doing['number']} is lost, with {checks} checks"
        self.state.incidents["worker"] += 1
        self.display.line(f"incident: {told}")
        said = self.pool.last_words(handle)
        with suppress(OSError):  # a full disk was reported before
            self.folder.write_incident(
                "worker", told, run=self.pool.config.run, current_case=current_case, last_words=said
            )

    def _refill(self, now: float) -> None:
        if self._stopping is not None or self._hopeless():
            return
        for number, vacant in list(self._vacant.items()):
            if now >= vacant.since:
                del self._vacant[number]
                self._handles[number] = self.pool.start(number, vacant.deaths, vacant.case)

    def _stop(self, now: float) -> None:
        self._stopping = now
        for handle in self._handles.values():
            handle.tell(do="stop")

    def _break_off(self) -> None:
        for handle in self._handles.values():
            self._lost_worker(handle, f"worker {handle.number} didn't end in time", self.pool.current_case(handle))

    def _shown(self, now: float, elapsed: float) -> Shown:
        under_way = sum((Counter(handle.verdicts) for handle in self._handles.values()), Counter[str]())
        checks = self.state.checks + under_way.total()
        at = [f"{handle.number}: {_told_task(handle)}" for handle in self._handles.values()]
        return Shown(
            elapsed=elapsed,
            budget=self.plan.budget,
            speed=self._speed.of(now, checks),
            state=self.state,
            under_way=under_way,
            at=at,
        )


_HANDLERS: Mapping[str, Callable[[Campaign, WorkerHandle, Mapping[str, Any]], None]] = {
    "ready": Campaign._ready,
    "beat": Campaign._beat,
    "finding": Campaign._finding,
    "incident": Campaign._incident,
    "done": Campaign._done,
    "free": Campaign._free,
    "unusable": Campaign._unusable,
    "left": Campaign._left,
}


def _told_task(handle: WorkerHandle) -> str:
    if handle.doing is None:
        return "starting" if not handle.ready else "ending"
    if handle.doing["do"] == "alone":
        return "a query alone"
    if handle.doing["do"] == "resume":
        return "an earlier finding"
    return " ".join(part for part in (handle.doing["kind"], handle.doing["name"]) if part)
