"""What the checks of a trial amount to: counts, and which findings speak against the rule on trial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from oracles.check import Checked
from oracles.conduct import CONDUCT_KINDS, is_restless
from oracles.made_of import shape
from oracles.verdict import Verdict
from strategies.ir import Case

Sentence = Literal["acquitted", "convicted", "never fired", "not judged"]
_ANSWERS = ("rule", "metamorphic", "internal", "error", "invalid-plan", *CONDUCT_KINDS)
_KEPT_CASES = 8


def convicts(checked: Checked, rules: Sequence[str], rule: str) -> bool:
    """Whether ``checked``, whose guilty rules are ``rules``, speaks against ``rule``.

    Of several guilty rules none does without: with the others off, it alone makes the difference.
    Where DuckDB has the on leg's rows, it is Spark without the rule that is wrong.
    """
    verdict = checked.verdict
    if verdict.name != "finding" or verdict.kind not in _ANSWERS or rule not in rules:
        return False
    return verdict.blame == "on" or (verdict.kind == "rule" and verdict.blame == "unknown")


@dataclass(slots=True)
class Tried:
    """What a trial has seen so far.

    ``checked`` are the queries that were run: on the others the plan shows that the rule doesn't act. ``others``
    counts findings that say nothing of the rule, ``files`` has one of each bug. ``cases`` are some on which it made a
    difference and did no wrong, each of another kind.
    """

    queries: int = 0
    checked: int = 0
    fired: int = 0
    differed: int = 0
    agreed: int = 0
    nonempty: int = 0
    restless: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    files: list[Path] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    kinds: set[frozenset[str]] = field(default_factory=set)

    def add(self, checked: Checked, verdict: Verdict, rule: str) -> None:
        """Count one completed check."""
        fired = rule in checked.fired
        self.checked += 1
        self.fired += fired
        self.differed += fired and checked.differed
        self.agreed += fired and verdict.name == "agree"
        self.nonempty += fired and verdict.name == "agree" and checked.has_rows
        self.restless += is_restless(checked.conduct)
        self.verdicts[verdict.name] += 1
        kind = frozenset(shape(checked.case.query))
        if fired and checked.differed and verdict.name == "agree" and kind not in self.kinds:
            self.kinds.add(kind)
            if len(self.cases) < _KEPT_CASES:
                self.cases.append(checked.case)
