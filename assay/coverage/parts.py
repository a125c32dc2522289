"""The rules and helpers that blocks belong to, and the blocks of each that have run."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from assay.coverage.unreachable import reason_of
from oracles.checks.check import Harness
from oracles.engines.spark.probes import Block
from oracles.rules.catalogue import short_name


@dataclass(frozen=True, slots=True)
class Part:
    """A rule of the catalogue, or a helper of the optimizer's package: its blocks by number.

    ``unreachable`` has a reason for each block that no drawn query can run.
    """

    name: str
    is_rule: bool
    blocks: Mapping[int, Block]
    unreachable: Mapping[int, str]

    @property
    def title(self) -> str:
        """The name, with a remark if the part is no rule."""
        return self.name if self.is_rule else f"{self.name} (helper)"

    @property
    def is_drawn(self) -> bool:
        """True if queries can run more than half of the blocks; otherwise the share means too little."""
        return 2 * len(self.unreachable) < len(self.blocks)

    def ran(self, numbers: Container[int]) -> set[int]:
        """The blocks of the part that are among ``numbers``."""
        return {number for number in self.blocks if number in numbers}

    def missing(self, numbers: Container[int]) -> set[int]:
        """Blocks that are not among ``numbers``, and that a query could run."""
        return {number for number in self.blocks if number not in numbers and number not in self.unreachable}

    def share(self, numbers: Container[int]) -> float | None:
        """The share of the blocks that a query can run that are among ``numbers``; None if a query can run none."""
        ran = self.ran(numbers)
        reachable = len(ran | (self.blocks.keys() - self.unreachable.keys()))
        return len(ran) / reachable if reachable else None

    def percent(self, numbers: Container[int]) -> str:
        """The share as text; a dash if it would mean too little."""
        share = self.share(numbers) if self.is_drawn else None
        return "-" if share is None else f"{100 * share:.0f} %"


def parts_of(blocks: Sequence[Block], rules: Mapping[str, str]) -> list[Part]:
    """The parts that ``blocks`` belong to, rules first, each kind by name.

    :param rules: names of rules by their full class names, without an object's $.
    """
    numbers: dict[tuple[bool, str], dict[int, Block]] = {}
    for number, block in enumerate(blocks):
        numbers.setdefault(rule_of(block.key.class_name, rules), {})[number] = block
    return [
        Part(name, is_rule, own, _reasons(name, own))
        for (is_rule, name), own in sorted(numbers.items(), key=lambda each: (not each[0][0], each[0][1]))
    ]


def _reasons(name: str, blocks: Mapping[int, Block]) -> dict[int, str]:
    reasons = ((number, reason_of(name, block)) for number, block in blocks.items())
    return {number: why for number, why in reasons if why}


def rule_names(harness: Harness) -> dict[str, str]:
    """Names of the rules of a running Spark, by their full class names: those it lists, known ones, injected ones."""
    listed = {found.rule_name: short_name(found.rule_name) for found in harness.spark.discovered()}
    injected = {class_name.removesuffix("$"): name for name, class_name in harness.spark.injected.items()}
    return {**listed, **{rule.rule_name: rule.name for rule in harness.catalogue.rules}, **injected}


def rule_of(class_name: str, rules: Mapping[str, str]) -> tuple[bool, str]:
    """Return whether a class belongs to a rule, and the name of the innermost such rule or else the outermost class."""
    name = class_name
    while name:
        if name in rules:
            return True, rules[name]
        name = name.rpartition("$")[0]
    return False, class_name.rpartition(".")[2].partition("$")[0]
