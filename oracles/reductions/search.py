"""Searches: generators that yield candidates, and learn for each whether it replaced the case.

A search goes on from what was accepted, so that after a success it needn't begin again with everything
that has just failed; whoever drives it repeats all searches until none finds anything.
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
    """Offer ``build(*arguments)``; returns it when it was accepted, None when not, or when no query is like that."""
    try:
        candidate = build(*arguments)
    except InvalidQuery:
        return None
    return candidate if (yield candidate) else None


def sweep(case: Case, edits: Callable[[Case], Iterable[Edit]]) -> Search:
    """Offer every edit of ``case``; after a success, the edits of the new case from the same position on."""
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
    """Offer ``build(rest)`` without runs of ``items``: all of them, halves, quarters, and so on to single ones.

    Returns the items that stayed.
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
