"""The blind set: wrong rules with a witness each, written without sight of the strategies that draw queries."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from oracles.rules.points import DEFAULT_POINT, Point

RULES = Path(__file__).with_name("rules")
_HEADER = re.compile(
    r"^/\*\* Law: (?P<law>[^\n]+)\n \*  Witness: (?P<witness>[^\n]+)\n(?: \*  @point (?P<point>\S+)\n)? \*/$",
    re.MULTILINE,
)


class BrokenHeader(ValueError):
    """A rule whose header has no law, no witness, or a point that doesn't exist."""


@dataclass(frozen=True, slots=True)
class WrongRule:
    """A wrong rule: the law that it gets wrong, and a query over VALUES of which it changes the answer."""

    source: Path
    law: str
    witness: str
    point: str

    @property
    def name(self) -> str:
        """The name of the rule's class and of its file."""
        return self.source.stem

    @property
    def request(self) -> str:
        """The value of ``--rule`` for this rule."""
        return f"{self.source}@{self.point}"

    @property
    def switched_off(self) -> str:
        """The rule as an entry of ``spark.assay.rules``, at first off."""
        return f"{self.name}=blind.{self.name}@{self.point}!off"


def read_rule(source: Path) -> WrongRule:
    """The wrong rule of one Scala file; BrokenHeader in one line."""
    found = _HEADER.search(source.read_text(encoding="utf-8"))
    if found is None:
        raise BrokenHeader(f"{source.name}: needs a doc comment of a line 'Law: …' and a line 'Witness: SELECT …'")
    point = found["point"] or DEFAULT_POINT
    if point not in [each for each in Point if each.tried]:
        raise BrokenHeader(f"{source.name}: @point {point}: no injection point at which a rule changes plans")
    return WrongRule(source, found["law"], found["witness"], point)


def load_rules(folder: Path = RULES) -> tuple[WrongRule, ...]:
    """The wrong rules of ``folder``, by the names of their files."""
    return tuple(read_rule(source) for source in sorted(folder.glob("*.scala")))
