"""How a finding comes to disk: its file first, its script beside it, and what stock Spark says of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assay.fuzz.supervision import Guard
from oracles.failures.failure import Failure, write_failure
from oracles.failures.scripts.confirm import StockSpark, with_script
from oracles.failures.scripts.script import Script
from oracles.rules.rule import Rule


def filed(
    folder: Path, failure: Failure, rules: Sequence[Rule], guard: Guard, stock: StockSpark | None, *, ask: bool = False
) -> tuple[Failure, Path]:
    """``failure`` in ``folder``, with its script where it has one; its guilty ``rules`` are the catalogue's.

    To ``ask`` ``stock`` costs a session's start; without one, nothing is said of scripts at all.
    """
    if stock is None:
        return failure, guard.persist(lambda: write_failure(folder, failure))
    without: tuple[Failure, Script | None] = (failure, None)
    told, script = guard.attempt(failure.case, lambda: with_script(failure, rules), without)
    text = script.text if script else None
    file = guard.persist(lambda: write_failure(folder, told, text))
    if not ask or script is None:
        return told, file
    asked = replace(told, stock=guard.attempt(told.case, lambda: stock.asked(script), None))
    return asked, guard.persist(lambda: write_failure(folder, asked, text))
