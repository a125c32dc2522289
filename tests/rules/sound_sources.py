"""The sound rules: right by what they say, read from their sources' headers. None may ever be convicted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from jars.build import SOUND_SOURCES, scala_sources
from oracles.checks.result import LegSettings
from oracles.engines.spark.start import InjectedRule
from oracles.rules.catalogue import Catalogue
from oracles.rules.switch import switch_off, switched_on

_OBJECT = re.compile(r"/\*\*((?:(?!\*/).)*)\*/\s*object (\w+)\s+extends\s", re.DOTALL)
_TAG = re.compile(r"@(rule|shape|point)\s+(\S+)")
_PACKAGE = re.compile(r"^package (\S+)", re.MULTILINE)


class BrokenHeader(ValueError):
    """A sound rule that doesn't say where it goes, or which queries suit it."""


@dataclass(frozen=True, slots=True)
class SoundRule:
    """A right rule, injected at ``point``: the re-injected ``original``, or a true equivalence, '' being its original.

    ``shape`` names the rule of Spark's whose queries suit it.
    """

    name: str
    original: str
    shape: str
    point: str
    class_name: str

    def injected(self) -> InjectedRule:
        """The rule as the switch extension loads it: there, and off."""
        return InjectedRule(self.name, self.class_name, self.point, on=False)

    def settings(self, catalogue: Catalogue, base: Mapping[str, str]) -> LegSettings:
        """``base``, the rule on and its original off: on both legs, of which the off leg is without the rule, too."""
        original = catalogue.rule(self.original).switch if self.original else None
        both = switch_off([original] if original else [], {**base, **switched_on(self.name)})
        return LegSettings(both, both)


def load_sound(folder: Path = SOUND_SOURCES, *, release: str | None = None) -> tuple[SoundRule, ...]:
    """Every sound rule below ``folder`` that Spark ``release`` can have (the installed one when None), in order."""
    return tuple(rule for path in scala_sources(folder, release or version("pyspark")) for rule in _rules(path))


def _rules(path: Path) -> list[SoundRule]:
    text = path.read_text(encoding="utf-8")
    package = _PACKAGE.search(text)
    found = []
    for header, name in _OBJECT.findall(text):
        tags = dict(_TAG.findall(header))
        original = tags.get("rule", "")
        shape = original or tags.get("shape", "")
        if package is None or not shape or "point" not in tags:
            raise BrokenHeader(f"{path.name}: {name} needs a package, @point, and @rule or @shape")
        found.append(SoundRule(name, original, shape, tags["point"], f"{package[1]}.{name}"))
    return found
