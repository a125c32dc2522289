"""How a rule goes off: one value per way, and the session settings that a set of switches amounts to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

EXCLUDED = "spark.sql.optimizer.excludedRules"
AQE_EXCLUDED = "spark.sql.adaptive.optimizer.excludedRules"
REFERENCE = "spark.assay.reference"
INJECTED = "spark.assay.rule."
_LISTS = (EXCLUDED, AQE_EXCLUDED, REFERENCE)


@dataclass(frozen=True, slots=True)
class Excluded:
    """Spark's own lists of excluded rules: the optimizer's and that of adaptive execution, which obeys just its own."""

    rule_names: tuple[str, ...]

    def settings(self) -> dict[str, str]:
        names = ",".join(self.rule_names)
        return {EXCLUDED: names, AQE_EXCLUDED: names}


@dataclass(frozen=True, slots=True)
class ByConf:
    """A setting of the rule's own."""

    key: str
    value: str

    def settings(self) -> dict[str, str]:
        return {self.key: self.value}


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference operator stands in for each of ``nodes``, so that the rule has nothing to rewrite."""

    nodes: tuple[str, ...]

    def settings(self) -> dict[str, str]:
        return {REFERENCE: ",".join(self.nodes)}


@dataclass(frozen=True, slots=True)
class Injected:
    """A rule that the switch extension wrapped."""

    name: str

    def settings(self) -> dict[str, str]:
        return {INJECTED + self.name: "false"}


Switch = Excluded | ByConf | Reference | Injected


def switched_on(name: str) -> dict[str, str]:
    """Settings under which the injected rule ``name`` works."""
    return {INJECTED + name: "true"}


def tried(name: str) -> dict[str, str]:
    """Settings under which the injected logical rule ``name`` is asked what it would change, and changes nothing."""
    return {INJECTED + name: "try"}


def switch_off(switches: Iterable[Switch], base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Settings with every switch off, on top of ``base``: lists are added to, never overwritten."""
    result = dict(base or {})
    for switch in switches:
        for key, value in switch.settings().items():
            if key in _LISTS and result.get(key):
                present = result[key].split(",")
                result[key] = ",".join(present + [name for name in value.split(",") if name not in present])
            else:
                result[key] = value
    return result


def analyzed_alike(on: Mapping[str, str], off: Mapping[str, str], analyzing: Set[str]) -> bool:
    """Whether two legs' settings differ in nothing that has a say before the optimizer: one analysis serves both.

    ``analyzing`` are the injected rules that have.
    """
    differing = {key for key in on.keys() | off.keys() if on.get(key) != off.get(key)}
    return all(
        key in _LISTS
        or key.startswith("spark.sql.optimizer.")
        or (key.startswith(INJECTED) and key.removeprefix(INJECTED) not in analyzing)
        for key in differing
    )
