"""Handles of harness processes: send requests to one or two of them at a time, and receive their answers."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TypeVar

from assay.bench.messages import Floor, Place, Planned, Ready, RoundRequest, RoundResult, Told
from assay.bench.worker import Fault, serve
from assay.session.ending import BadInput

T = TypeVar("T")
_PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Running:
    """A harness process whose Spark has started."""

    requests: Connection
    ready: Ready

    def round(self, request: RoundRequest) -> RoundResult:
        """Run a round, and wait for its results."""
        self.begin(request)
        return self.done()

    def begin(self, request: RoundRequest) -> None:
        """Start a round, and do not wait for it."""
        self.requests.send(request)

    def done(self) -> RoundResult:
        """Wait for the round that was started, and return its results."""
        return _received(self.requests, RoundResult)

    def floor(self) -> float | None:
        """The average seconds that Spark takes to plan a query of the last round; None if none could be planned."""
        self.requests.send(Floor())
        return _received(self.requests, Planned).seconds

    def told(self, marks: tuple[str, ...]) -> dict[str, dict[str, object]]:
        """The results of checks of the last round, by mark, in the form of a failure file."""
        self.requests.send(Told(marks))
        return _received(self.requests, dict)


def _received(requests: Connection, kind: type[T]) -> T:
    """Receive an answer of that kind; raises the error if the harness sent one."""
    try:
        answer = requests.recv()
    except EOFError as error:
        raise Fault("a harness has ended without a word") from error
    if isinstance(answer, (Fault, BadInput)):
        raise answer
    assert isinstance(answer, kind)  # the other side's answer to this request
    return answer


@contextmanager
def running(place: Place) -> Iterator[Running]:
    """Start a harness process; it ends with the context."""
    # A fresh interpreter: one that was forked would share a JVM's sockets, and threads that it hasn't.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, place), name=f"assay-{place.harness}")
    process.start()
    theirs.close()
    try:
        yield Running(ours, _received(ours, Ready))
    finally:
        ours.close()  # which it takes for the end
        process.join(_PATIENCE_SECONDS)
        if process.is_alive():
            process.terminate()
