"""Read mutants (planted wrong rules) from their sources' headers: the broken law, and the rule that each replaces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jars.build import scala_sources
from oracles.checks.result import LegSettings
from oracles.engines.spark import home
from oracles.engines.spark.start import InjectedRule
from oracles.rules.catalogue import Catalogue
from oracles.rules.switch import ByConf, Excluded, Switch, switch_off, switched_on, tried

SOURCES = Path(__file__).resolve().parents[2] / "jars" / "src" / "mutants" / "scala"
_TAG = re.compile(r"^\s*\*\s*@(rule|point|shape)\s+(\S+)\s*$", re.MULTILINE)
_OBJECT = re.compile(
    r"^(?:object|class) (\w+).*?\bextends\s+(?:Rule\[|ColumnarRule\b|SparkStrategy\b)", re.MULTILINE | re.DOTALL
)
_HEADER = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)
_PACKAGE = re.compile(r"^package (\S+)", re.MULTILINE)


class BrokenHeader(ValueError):
    """A mutant's source whose header doesn't name the rule that it replaces, or the injection point."""


class UnknownMutant(ValueError):
    """A name that no mutant has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A wrong version of ``rule``, injected at ``point``; ``law`` is its header's text.

    ``shape`` names the rule whose queries suit it, if its own is not an optimizer rule but one of physical planning:
    such a rule is in no catalogue and never goes off, and the mutant undoes its work.
    """

    name: str
    rule: str
    point: str
    class_name: str
    law: str
    shape: str = ""

    @property
    def shape_rule(self) -> str:
        """The rule whose shape the mutant is checked with."""
        return self.shape or self.rule

    def injected(self) -> InjectedRule:
        """The mutant as the switch extension loads it: present, but off."""
        return InjectedRule(self.name, self.class_name, self.point, on=False)

    def settings(self, catalogue: Catalogue) -> LegSettings:
        """The mutant works on the on leg, in its original's place; the off leg has the original.

        A rule that has no switch of its own but a reference operator finds nothing left to do: the mutant comes first.
        """
        return LegSettings(on={**_without(self, catalogue), **switched_on(self.name)})


def together(mutants: Sequence[Mutant], catalogue: Catalogue) -> LegSettings:
    """Both legs' settings under which all of ``mutants`` work in place of the rules that they replace.

    Each mutant can be turned off by itself; that turns no replaced rule on again.
    """
    settings = dict(switch_off([switch for mutant in mutants for switch in _originals(mutant, catalogue)]))
    for mutant in mutants:
        settings.update(switched_on(mutant.name))
    return LegSettings(settings, settings)


def trying(mutants: Sequence[Mutant], catalogue: Catalogue) -> dict[str, str]:
    """A leg's settings under which each of ``mutants`` only reports whether it would fire.

    If all are of one rule, a mutant sees the same plans as if it were on, up to its first change. Otherwise the other
    rules that they replace are off, too.
    """
    settings = dict(switch_off([switch for mutant in mutants for switch in _originals(mutant, catalogue)]))
    for mutant in mutants:
        settings.update(tried(mutant.name))
    return settings


def _without(mutant: Mutant, catalogue: Catalogue) -> Mapping[str, str]:
    return switch_off(_originals(mutant, catalogue))


def _originals(mutant: Mutant, catalogue: Catalogue) -> list[Switch]:
    """The switch of the rule that ``mutant`` replaces, if that rule can be turned off by it; else no switch."""
    original = None if mutant.shape else catalogue.rule(mutant.rule).switch
    return [original] if isinstance(original, (ByConf, Excluded)) else []


def load_mutants(folder: Path = SOURCES, *, release: str | None = None) -> tuple[Mutant, ...]:
    """Every mutant below ``folder`` that Spark ``release`` can have (the one that runs when None), by name.

    A file without a tag is a part that mutants share; one with ``@since`` is for that release and later ones.
    """
    found = (_mutant(path) for path in scala_sources(folder, release or home.release()))
    return tuple(mutant for mutant in found if mutant is not None)


def named(names: Sequence[str]) -> list[Mutant]:
    """The mutants of these names; UnknownMutant where there is none."""
    known = {mutant.name: mutant for mutant in load_mutants()} if names else {}
    if unknown := [name for name in names if name not in known]:
        raise UnknownMutant(f"--mutant: no planted rule is called {', '.join(unknown)}: see {SOURCES}")
    return [known[name] for name in dict.fromkeys(names)]


def _mutant(path: Path) -> Mutant | None:
    text = path.read_text(encoding="utf-8")
    tags = dict(_TAG.findall(text))
    if not tags:
        return None
    name, package, header = _OBJECT.search(text), _PACKAGE.search(text), _HEADER.search(text)
    if not {"rule", "point"} <= set(tags) or name is None or package is None or name[1] != path.stem:
        raise BrokenHeader(f"{path.name}: needs @rule, @point, a package, and a rule called {path.stem}")
    lines = (line.strip().removeprefix("*").strip() for line in (header[1] if header else "").splitlines())
    law = " ".join(line for line in lines if line and not line.startswith("@"))
    if not law:
        raise BrokenHeader(f"{path.name}: needs a doc comment with the law that it breaks")
    return Mutant(
        name=path.stem,
        rule=tags["rule"],
        point=tags["point"],
        class_name=f"{package[1]}.{name[1]}",
        law=law,
        shape=tags.get("shape", ""),
    )
