"""The regression corpus, read and judged: in what a file doesn't end as is expected of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from assay.replay.regressions import PASSES, Regression
from oracles.checks.verdict import Verdict
from oracles.failures.failure import UnreadableFailure, read_failure
from oracles.triage.divergences import Divergence


def read_regression(path: Path) -> Regression:
    """The file at ``path``; UnreadableFailure says in one line what is wrong with it."""
    failure = read_failure(path)
    expected = json.loads(path.read_text(encoding="utf-8")).get("expected")
    if not isinstance(expected, str):
        raise UnreadableFailure(f"{path}: not of the corpus: it doesn't say what is expected")
    return Regression(failure, expected)


def broken(expected: str, verdict: Verdict, divergences: Iterable[Divergence], spark: str) -> str:
    """In what ``verdict`` isn't what was ``expected`` of it on release ``spark``, in one line; '' where it is."""
    if verdict.name == "finding":
        again = "it is back" if expected == PASSES else f"{expected} doesn't excuse it any more"
        return f"{again}: {verdict.kind} finding, blame {verdict.blame}: {verdict.reason}"
    if verdict.name == "inconclusive":
        return f"it can't be judged: {verdict.reason}"
    if expected == (verdict.divergence or PASSES):
        return ""
    if verdict.divergence:
        return f"{verdict.divergence} excuses it, and {expected} was expected"
    entry = next((each for each in divergences if each.id == expected), None)
    if entry is not None and not entry.covers(spark):
        return ""
    return f"{expected} is gone: if it is mended, delete the entry, and --add the file again, so that it stays so"
