"""Share the rules of a verification out between processes, each with a Spark session of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import as_completed
from dataclasses import dataclass
from io import StringIO
from multiprocessing.util import Finalize
from typing import Any

from rich.console import Console

from assay.session.options import options_from_plain, options_to_plain
from assay.session.workers import worker_processes
from assay.verify.session import VerificationEnd, VerifyRequest, VerifySession


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A worker's answer: one verification, the lines that it printed, and its incidents; no ``ended`` if left out."""

    ended: VerificationEnd | None
    printed: str
    incidents: list[Mapping[str, Any]]
    versions: dict[str, str]


def answers(request: VerifyRequest, count: int, console: Console) -> Iterator[Answer]:
    """The verifications of the first ``count`` rules, as they end: each worker takes the next rule when it is done.

    :raises BadInput: one of them can't be verified.
    """
    plain = {**_plain(request), "width": console.width, "terminal": console.is_terminal}
    with worker_processes(min(request.workers, count)) as pool:
        futures = [pool.submit(_answer, plain, place) for place in range(count)]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            for future in futures:
                future.cancel()


def _plain(request: VerifyRequest) -> dict[str, Any]:
    return {
        "options": options_to_plain(request.options),
        "mutants": request.mutants,
        "bound": request.bound,
        "workers": request.workers,
        "every": request.every,
        "prove": request.prove,
    }


@dataclass(slots=True)
class _Worker:
    """The session of this process, and what it prints to."""

    session: VerifySession
    file: StringIO


_WORKER: list[_Worker] = []


def _worker(plain: Mapping[str, Any]) -> _Worker:
    """The worker of this process, which starts its session for the first rule, and ends it with the process."""
    if not _WORKER:
        file = StringIO()
        console = Console(file=file, width=plain["width"], force_terminal=plain["terminal"])
        options = options_from_plain(plain["options"])
        request = VerifyRequest(
            options=options,
            mutants=plain["mutants"],
            bound=plain["bound"],
            workers=plain["workers"],
            every=plain["every"],
            prove=plain["prove"],
        )
        session = VerifySession(request, console).__enter__()
        Finalize(None, session.__exit__, args=(None, None, None), exitpriority=10)
        _WORKER.append(_Worker(session, file))
    return _WORKER[0]


def _answer(plain: Mapping[str, Any], place: int) -> Answer:
    worker = _worker(plain)
    told = len(worker.session.log.incidents)
    ended = worker.session.verify(place)
    printed = worker.file.getvalue()
    worker.file.seek(0)
    worker.file.truncate()
    return Answer(
        ended=ended, printed=printed, incidents=worker.session.log.incidents[told:], versions=worker.session.versions
    )
