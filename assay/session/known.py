"""The known divergences of a run: Assay's own, and those of the user's project."""

from __future__ import annotations

from pathlib import Path

from assay.session.ending import BadInput
from oracles.triage.divergences import Divergence, InvalidDivergence, load


def known_divergences(own: Path | None) -> tuple[Divergence, ...]:
    """Assay's entries, and those of the file ``own``; BadInput if it is missing, or has a wrong or a repeated entry."""
    entries = load()
    if own is None:
        return entries
    if not own.is_file():
        raise BadInput(f"--known: no such file: {own}")
    try:
        others = load(own)
    except InvalidDivergence as problem:
        raise BadInput(f"--known {own}: {problem}") from problem
    if again := sorted({entry.id for entry in entries} & {entry.id for entry in others}):
        raise BadInput(f"--known {own}: Assay itself has an entry called {again[0]}")
    return (*entries, *others)
