"""Harnesses as the bench sees them: processes that are asked, one at a time or two at once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TypeVar

from assay.bench.messages import Done, Floor, Place, Planned, Ready, Round, Told
from assay.bench.worker import Fault, serve
from assay.session.ending import BadInput

T = TypeVar("T")
_PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Running:
    """A harness that has started its Spark."""

    requests: Connection
    ready: Ready

    def round(self, request: Round) -> Done:
        """Run it, and wait."""
        self.begin(request)
        return self.done()

    def begin(self, request: Round) -> None:
        """Have it run, and don't wait."""
        self.requests.send(request)

    def done(self) -> Done:
        """Wait for what was begun."""
        return _received(self.requests, Done)

    def floor(self) -> float | None:
        """Seconds that Spark's own planning takes for a query of the last round, on the average."""
        self.requests.send(Floor())
        return _received(self.requests, Planned).seconds

    def told(self, marks: tuple[str, ...]) -> dict[str, dict[str, object]]:
        """The results of checks of the last round, as a failure file has them."""
        self.requests.send(Told(marks))
        return _received(self.requests, dict)


def _received(requests: Connection, kind: type[T]) -> T:
    """An answer of that kind; raises what the harness failed with."""
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
    """A harness, which ends with the context."""
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
