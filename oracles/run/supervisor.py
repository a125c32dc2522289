"""What stands around a worker's checks: the query at hand is on disk before it runs, and a lost JVM isn't the end."""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TypeVar

from oracles.check import Checked, Laboratory, LegSettings
from oracles.engines.spark_jvm import ClusterLost, Loss
from oracles.outcome import Raised
from oracles.rules.rule import Rule
from oracles.run.executors import with_executors
from oracles.run.full_disk import met_full_disk, patiently
from oracles.run.guard import Guard
from oracles.run.isolated_rerun import TIMES, is_timeout, run_alone
from oracles.verdict import Verdict
from strategies.ir import Case, to_plain

T = TypeVar("T")
_ENOUGH = 3
"""Losses of one kind that repeated: one more would tell nothing new, and take minutes."""


@dataclass(slots=True)
class Supervisor(Guard):
    """Around the checks of one worker.

    ``suspects`` are the rules that the run is about, if any; ``tell`` hears of incidents: a kind, a line, and facts.
    """

    laboratory: Laboratory
    suspects: Sequence[Rule]
    settings: LegSettings
    hand: Path
    tell: Callable[..., None]
    limit: float
    end: threading.Event
    facts: dict[str, Any] = field(default_factory=dict)
    losses: Counter[str] = field(default_factory=Counter)
    at_work: int = 0

    def look(self, case: Case, look: Callable[[], Checked | None]) -> Checked | None:
        """``look()``, with its case on disk; where it took too long or a JVM, the verdict on its legs alone."""

        def checked_with_room() -> Checked | None:
            checked = look()
            if checked is not None and met_full_disk(checked):
                raise OSError(28, "a leg had no room on the disk")
            return checked

        self.at_hand(case, "check")
        try:
            checked = self._patiently(checked_with_room)
        except ClusterLost as gone:
            return self._not_run(case, str(gone))
        except self.laboratory.spark.jvm_errors:
            how = self.laboratory.spark.lost()
            if how is None:
                raise
            return self.alone(case, self._told(how), how)
        for lost in self.laboratory.spark.lost_executors():
            self.tell("executor", lost, case=to_plain(case))
        late = checked is not None and [name for name, end in checked.legs.items() if is_timeout(end)]
        return self.alone(case, f"{', '.join(late)} ran out of time", "late") if late else checked

    def attempt(self, case: Case, what: Callable[[], T], otherwise: T) -> T:
        """``what()``, or ``otherwise`` where it took the JVM."""
        self.at_hand(case, "look closer")
        try:
            return self._patiently(what)
        except ClusterLost:
            return otherwise
        except self.laboratory.spark.jvm_errors:
            how = self.laboratory.spark.lost()
            if how is None:
                raise
            self.tell("jvm", f"{self._told(how)} while a finding was looked at", case=to_plain(case))
            self.laboratory.spark.close()
            return otherwise

    def persist(self, write: Callable[[], T]) -> T:
        """``write()``, as soon as there is room for it."""
        return self._patiently(write)

    def stopped(self) -> bool:
        """Whether the worker was told to end."""
        return self.end.is_set()

    def at_hand(self, case: Case, doing: str) -> None:
        """Put on disk what is about to run."""
        self.at_work += 1
        now = datetime.now(tz=timezone.utc).isoformat()
        text = json.dumps({"format": 1, **self.facts, "since": now, "doing": doing, "case": to_plain(case)})
        self._patiently(lambda: _replaced(self.hand, text))

    def _patiently(self, what: Callable[[], T]) -> T:
        told = threading.Event()

        def waiting(why: str) -> None:
            self.at_work += 1
            if not told.is_set():
                told.set()
                self.tell("disk", f"no room, waiting: {why}")

        spark = self.laboratory.spark
        return patiently(
            lambda: with_executors(
                spark, what, told=self._without_executors, given_up=self.end.is_set, pause=self.end.wait
            ),
            waiting=waiting,
            given_up=self.end.is_set,
            pause=self.end.wait,
        )

    def _without_executors(self, why: str) -> None:
        self.at_work += 1
        if why:
            self.tell("cluster", why)

    def last(self) -> Any:
        """What was put on disk last; None before there was anything."""
        return json.loads(self.hand.read_text(encoding="utf-8")) if self.hand.exists() else None

    def alone(self, case: Case, before: str, kind: str) -> Checked:
        """The verdict on a query to which ``before`` happened, of whatever kind: its legs alone, on fresh sessions."""
        if self.losses[kind] >= _ENOUGH:
            self.tell("jvm" if kind != "late" else "late", f"{before}; not looked at alone", case=to_plain(case))
            if self.laboratory.spark.lost():
                self.laboratory.spark.close()
            return self._not_run(case, f"{before}; as others did before")

        def looked_at() -> Checked:
            return run_alone(
                self.laboratory,
                case,
                self.suspects,
                self.settings,
                before=before,
                about_to=lambda leg: self.at_hand(case, f"alone: {leg}"),
                limit=self.limit,
            )

        try:
            checked = self._patiently(looked_at)
        except ClusterLost as gone:
            return self._not_run(case, f"{before}; {gone}")
        again = checked.verdict.name == "finding"
        if again:
            self.losses[kind] += 1
        told = f"{before}; alone, with {TIMES} times the limit, it {'happened again' if again else 'did not'}"
        self.tell("late" if kind == "late" else "jvm", told, case=to_plain(case), repeated=again)
        return checked

    def _told(self, how: Loss) -> str:
        said = {"died": f"died with code {self.laboratory.spark.exit_code}", "out of memory": f"ran {how}"}
        return f"the JVM {said.get(how, how)}"

    def _not_run(self, case: Case, why: str) -> Checked:
        verdict = Verdict("inconclusive", None, None, why)
        return Checked(case, (), (), False, verdict, {"on": Raised("NOT_RUN", None, why, "timeout")}, self.settings)


def _replaced(path: Path, text: str) -> None:
    """Put ``text`` at ``path``: whole for whoever outlives this process, which need not outlive the machine."""
    beside = path.with_suffix(".new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)
