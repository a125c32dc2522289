"""The pairs of a verification put to the solver: how many were proven, and why the others were not."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.session.ending import BadInput
from assay.verify.pairs import Pair
from oracles.answers.plural import number
from strategies.ir import Database, Row, Table

PAIR_SECONDS = 10.0
"""The time for one pair; most take less than one second."""
_ID = re.compile(r'"id":\s*(\d+)')
_REASONS = 5
"""The reasons that are printed."""


@dataclass(slots=True)
class Proofs:
    """The pairs by what became of them, over tables of up to ``rows`` rows; ``outside`` by the reasons.

    ``undecided``: the solver did not answer in time, or the time was up before it was asked.
    """

    rows: int
    proven: int = 0
    refuted: int = 0
    undecided: int = 0
    outside: Counter[str] = field(default_factory=Counter)

    def summary(self) -> dict[str, Any]:
        """The counts as ``--summary-json`` has them."""
        return {
            "rows": self.rows,
            "proven": self.proven,
            "refuted": self.refuted,
            "undecided": self.undecided,
            "not_encodable": dict(self.outside.most_common()),
        }

    def lines(self) -> Iterator[str]:
        """The counts in words; no reason but the commonest ones."""
        outside = self.outside.total()
        every = self.proven + self.refuted + self.undecided + outside
        yield (
            f"proven for all values, up to {number(self.rows, 'row')} a table: {self.proven:,} of "
            f"{number(every, 'pair')} of plans; refuted: {self.refuted:,}, undecided in time: {self.undecided:,}"
        )
        if outside:
            reasons = ", ".join(f"{why} ({count:,})" for why, count in self.outside.most_common(_REASONS))
            more = ", and others" if len(self.outside) > _REASONS else ""
            yield f"not encodable: {number(outside, 'pair')}, because of {reasons}{more}"


def require_solver() -> None:
    """Refuse to prove where there is no z3.

    :raises BadInput: the line says which extra to install.
    """
    if importlib.util.find_spec("z3") is None:
        raise BadInput("--prove: needs z3: install Assay with its extra proof, or z3-solver")


def are_the_same(on: str, off: str) -> bool:
    """Whether two plans, as JSON, differ in nothing but the numbers of their expressions."""
    return _renumbered(on) == _renumbered(off)


def _renumbered(plan: str) -> str:
    seen: dict[str, int] = {}
    return _ID.sub(lambda found: f'"id":{seen.setdefault(found[1], len(seen))}', plan)


def database_for(pair: Pair, found: Mapping[str, tuple[Row, ...]]) -> Database:
    """The database of a refutation; a table that neither plan reads has no rows."""
    names = (f"t{place}" for place in range(pair.tables))
    return Database(tuple(Table(name, pair.schema.columns, found.get(name, ())) for name in names))
