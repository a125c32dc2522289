"""Which rules of an optimizer call which others, by their byte code: themselves, or by whatever they call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from tests.unit.byte_code import ClassFile, Method, Use

SQL = "org/apache/spark/sql/"
RULE = SQL + "catalyst/rules/Rule"
EXECUTOR = SQL + "catalyst/rules/RuleExecutor"
OPTIMIZERS = tuple(
    SQL + name
    for name in ("catalyst/optimizer/Optimizer", "execution/SparkOptimizer", "execution/adaptive/AQEOptimizer")
)
_ANSWERABLE = {OPTIMIZERS[0], SQL + "catalyst/analysis/Analyzer"}
_PLANS_OF_THEIR_OWN = (SQL + "catalyst/util/ResolveDefaultColumns$", SQL + "internal/BaseSessionStateBuilder")
"""Where no part of the query's plan is rewritten: the default of a column is, or a session is made."""
_ANONYMOUS = re.compile(r"\$\$?(anonfun|anon|nestedInanonfun)\b.*|\$+$")


def full_name(name: str) -> str:
    """A rule's name, as Spark tracks it, of that of its class."""
    return name.replace("/", ".").rstrip("$")


class Classes:
    """The classes of a release, and who calls whom among its rules."""

    def __init__(self, classes: Mapping[str, ClassFile]) -> None:
        self._classes = classes
        self._lineages: dict[str, tuple[str, ...]] = {}
        self._families: dict[str, list[str]] = {}
        for name in classes:
            self._families.setdefault(_ANONYMOUS.sub("", name), []).append(name)

    @cached_property
    def listed(self) -> frozenset[str]:
        """The rules that the optimizers' classes name: all that a batch may run."""
        uses = (use for optimizer in OPTIMIZERS for name in self._family(optimizer) for use in self._uses_of(name))
        return frozenset(use.owner for use in uses if use.kind in ("load", "new") and self._is_rule(use.owner))

    def calls(self, others: Collection[str] = ()) -> frozenset[tuple[str, str]]:
        """Listed rules with what they call of the listed rules and ``others``, by full names."""
        called = {full_name(name) for name in self.listed} | set(others)
        found = ((full_name(rule), full_name(name)) for rule in self.listed for name in self._called_by(rule))
        return frozenset(pair for pair in found if pair[1] in called)

    def _called_by(self, rule: str) -> set[str]:
        found: set[str] = set()
        own = {*self._family(rule), *self._lineage(rule)}
        ahead = [(name, method) for name in own for method in self._methods(name)]
        seen = set(ahead)
        while ahead:
            name, method = ahead.pop()
            uses = self._classes[name].methods[method]
            found |= self._rules_used(uses, own)
            for step in self._steps(uses, own):
                if step not in seen:
                    seen.add(step)
                    ahead.append(step)
        return found

    def _rules_used(self, uses: Collection[Use], own: Collection[str]) -> set[str]:
        """Rules that are called, made, or handed on as a value; not those that are just asked something."""
        rules = [use for use in uses if use.owner not in own and self._is_rule(use.owner)]
        loads = Counter(use.owner for use in rules if use.kind == "load" and use.name == "MODULE$")
        asked = Counter(use.owner for use in rules if use.kind == "call")
        if any(use.name == "optimizerExcludedRules" for use in uses):
            return set()  # who looks into the list of excluded rules obeys it
        working = {use.owner for use in rules if use.kind == "new" or (use.kind == "call" and not _only_asks(use))}
        return working | {owner for owner, count in loads.items() if count > asked[owner]}

    def _steps(self, uses: Collection[Use], own: Collection[str]) -> Iterator[tuple[str, Method]]:
        """The methods that these uses lead to, other than another rule's."""
        for use in uses:
            if use.owner not in own and (self._is_rule(use.owner) or self._is_apart(use.owner)):
                continue
            if use.kind == "call" and EXECUTOR in self._lineage(use.owner):
                yield from ((use.owner, method) for method in self._methods(use.owner))
            elif use.kind == "call":
                method = (use.name, use.descriptor)
                for name in self._lineage(use.owner):
                    if method in self._methods(name):
                        yield name, method
                        break
            elif use.kind == "new" and "$anon" in use.owner:
                yield from ((use.owner, method) for method in self._methods(use.owner))

    def _family(self, name: str) -> list[str]:
        """A class with its companion and the functions in both."""
        return self._families.get(_ANONYMOUS.sub("", name), [])

    def _methods(self, name: str) -> Collection[Method]:
        return self._classes[name].methods.keys() if name in self._classes and name != RULE else ()

    def _uses_of(self, name: str) -> Iterator[Use]:
        for uses in self._classes[name].methods.values():
            yield from uses

    def _lineage(self, name: str) -> tuple[str, ...]:
        """A class and all that it extends."""
        if name not in self._lineages:
            parents = self._classes[name].parents if name in self._classes else ()
            above = (each for parent in parents for each in self._lineage(parent))
            self._lineages[name] = tuple(dict.fromkeys((name, *above)))
        return self._lineages[name]

    def _is_rule(self, name: str) -> bool:
        return name != RULE and RULE in self._lineage(name)

    def _is_apart(self, name: str) -> bool:
        """An optimizer leaves out rules that are excluded; an executor within a rule runs all of its own."""
        return bool(name == EXECUTOR or _ANSWERABLE & set(self._lineage(name))) or name.startswith(_PLANS_OF_THEIR_OWN)


def _only_asks(use: Use) -> bool:
    """Constructors, questions, default arguments, and what every rule has."""
    of_every_rule = use.name in ("conf", "ruleName", "<init>") or use.name.startswith("log")
    return of_every_rule or use.descriptor.endswith(")Z") or "$default$" in use.name
