"""Shapes: for each rule the queries on which it fires, and near misses on which it must not, or must do no harm.

One module for each rule, named after it; :func:`load_shapes` finds them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.ir import Case


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Cases at the edge of a rule: ``fires`` says whether it acts on them; the answer must be right either way.

    ``known_bug`` is the ticket of a bug of Spark's own that they show, so that nobody takes it for another's fault.
    """

    name: str
    cases: Callable[[], SearchStrategy[Case]]
    fires: bool
    known_bug: str | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """A rule's own queries. ``fires`` makes cases on which it acts in at least nine of ten draws."""

    rule: str
    fires: Callable[[], SearchStrategy[Case]]
    near_misses: tuple[NearMiss, ...]

    def cases(self) -> SearchStrategy[Case]:
        """What a wrong version of the rule is hunted with: firing cases, and as many on which the rule must not fire,
        since a version that acts where it must not is seen on these alone. None shows a known bug.
        """
        others = [miss.cases() for miss in self.near_misses if not miss.fires and miss.known_bug is None]
        return st.booleans().flatmap(lambda near: st.one_of(others) if near and others else self.fires())


def load_shapes() -> dict[str, Shape]:
    """Every rule's shape by the rule's name: the modules of this package that say which rule is theirs."""
    modules = (import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    shapes = (
        Shape(module.RULE, module.fires, module.NEAR_MISSES) for module in modules if getattr(module, "RULE", None)
    )
    return {shape.rule: shape for shape in sorted(shapes, key=lambda shape: shape.rule)}
