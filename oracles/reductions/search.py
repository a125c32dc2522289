"""Searches: generators that yield candidates, and are sent whether each candidate was accepted as the new case.

After a success, a search goes on from the accepted candidate, without a new try of the edits that have just failed. The
reducer repeats all searches until none finds a smaller case.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, TypeVar

from strategies.ir import Case, InvalidQuery

T = TypeVar("T")
Search = Generator[Case, bool, None]
Step = Callable[[Case], Search]
Edit = tuple[Callable[..., Case], tuple[Any, ...]]
"""A candidate that has not been built yet: a function and its arguments."""


def attempt(build: Callable[..., Case], *arguments: Any) -> Generator[Case, bool, Case | None]:
    """Offer ``build(*arguments)``; returns it if it was accepted, None if not, or if the query is invalid."""
    try:
        candidate = build(*arguments)
    except InvalidQuery:
        return None
    return candidate if (yield candidate) else None


def sweep(case: Case, edits: Callable[[Case], Iterable[Edit]]) -> Search:
    """Offer every edit of ``case``; after a success, go on with the edits of the new case from the same position."""
    position = 0
    pending = list(edits(case))
    while position < len(pending):
        build, arguments = pending[position]
        accepted = yield from attempt(build, *arguments)
        if accepted is None:
            position += 1
        else:
            case = accepted
            pending = list(edits(case))


def leave_out(items: Sequence[T], build: Callable[[list[T]], Case]) -> Generator[Case, bool, list[T]]:
    """Offer ``build(rest)`` without runs of ``items``: all items, halves, quarters, and so on to single items.

    Returns the kept items.
    """
    kept = list(items)
    length = len(kept)
    while length:
        start = 0
        while start < len(kept):
            rest = kept[:start] + kept[start + length :]
            if (yield from attempt(build, rest)) is not None:
                kept = rest
            else:
                start += length
        length //= 2
    return kept
