"""Switches that turn rules off, a class for each way, and the session settings for a set of switches."""

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
    """Excludes rules by Spark's own lists: the optimizer's and that of adaptive execution, which has its own list."""

    rule_names: tuple[str, ...]

    def settings(self) -> dict[str, str]:
        """The settings that turn the rules off."""
        names = ",".join(self.rule_names)
        return {EXCLUDED: names, AQE_EXCLUDED: names}


@dataclass(frozen=True, slots=True)
class ByConf:
    """Turns a rule off by a setting of its own."""

    key: str
    value: str

    def settings(self) -> dict[str, str]:
        """The settings that turn the rules off."""
        return {self.key: self.value}


@dataclass(frozen=True, slots=True)
class Reference:
    """Replaces each of ``nodes`` by a reference operator, so that the rule has nothing to rewrite.

    ``stock`` is the switch with the same effect in a session without the jar, where there is one.
    """

    nodes: tuple[str, ...]
    stock: ByConf | None = None

    def settings(self) -> dict[str, str]:
        """The settings that turn the rules off."""
        return {REFERENCE: ",".join(self.nodes)}


@dataclass(frozen=True, slots=True)
class Injected:
    """Turns off a rule that the switch extension wraps."""

    name: str

    def settings(self) -> dict[str, str]:
        """The settings that turn the rules off."""
        return {INJECTED + self.name: "false"}


Switch = Excluded | ByConf | Reference | Injected


def switched_on(name: str) -> dict[str, str]:
    """Settings that turn on the injected rule ``name``."""
    return {INJECTED + name: "true"}


def tried(name: str) -> dict[str, str]:
    """Settings under which the injected rule ``name`` only reports if it would change a plan; a check rule raises."""
    return {INJECTED + name: "try"}


def switch_off(switches: Iterable[Switch], base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Settings that turn off every switch, on top of ``base``, whose lists are extended, not overwritten."""
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
    """Whether two legs' settings differ only in settings of the optimizer, so that both can share one analyzed plan.

    ``analyzing`` are the injected rules that run before the optimizer.
    """
    differing = {key for key in on.keys() | off.keys() if on.get(key) != off.get(key)}
    return all(
        key in _LISTS
        or key.startswith("spark.sql.optimizer.")
        or (key.startswith(INJECTED) and key.removeprefix(INJECTED) not in analyzing)
        for key in differing
    )
