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
    ``weight`` says how often they are drawn in a hunt: more often where a wrong version shows on them alone.
    """

    name: str
    cases: Callable[[], SearchStrategy[Case]]
    fires: bool
    known_bug: str | None = None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Shape:
    """A rule's own queries. ``fires`` makes cases on which it acts in at least nine of ten draws.

    ``own`` is a rule that is not Spark's: no session has it unless it was asked to load it.
    """

    rule: str
    fires: Callable[[], SearchStrategy[Case]]
    near_misses: tuple[NearMiss, ...]
    own: bool = False

    def cases(self) -> SearchStrategy[Case]:
        """What a wrong version of the rule is hunted with: firing cases, and twice as many near misses, since a version
        that acts where it must not is seen on one of these alone. None shows a known bug.
        """
        misses = [miss for miss in self.near_misses if miss.known_bug is None]
        near = [own for miss in misses for own in [miss.cases()] * miss.weight]
        # Drawn by number, because one_of takes what it is given twice for one.
        options = [*[self.fires()] * max(1, len(near) // 2), *near]
        return st.integers(0, len(options) - 1).flatmap(lambda number: options[number])


def load_shapes() -> dict[str, Shape]:
    """Every rule's shape by the rule's name: the modules of this package that say which rule is theirs."""
    modules = (import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    shapes = (
        Shape(module.RULE, module.fires, module.NEAR_MISSES, getattr(module, "OWN", False))
        for module in modules
        if getattr(module, "RULE", None)
    )
    return {shape.rule: shape for shape in sorted(shapes, key=lambda shape: shape.rule)}
