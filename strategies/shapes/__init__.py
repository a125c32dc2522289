"""Shapes: for each rule, cases on which it fires, and near misses on which it must not fire, or must be harmless.

Each rule has a module named after it; :func:`load_shapes` finds them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.ir import Case


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Cases at the edge of a rule: ``fires`` says whether it fires on them; the answer must be right either way.

    ``known_bug``: the ticket of a bug in Spark that they show. ``weight``: how often a run draws them, more often if a
    wrong version shows only on them.
    """

    name: str
    cases: Callable[[], SearchStrategy[Case]]
    fires: bool
    known_bug: str | None = None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Shape:
    """Cases for one rule. ``fires`` makes cases on which the rule fires in at least nine of ten draws.

    ``own``: the rule is not Spark's, and a session has it only if it loads it. ``needs``: the settings of all firing
    cases without which the rule does nothing.
    """

    rule: str
    fires: Callable[[], SearchStrategy[Case]]
    near_misses: tuple[NearMiss, ...]
    own: bool = False
    needs: Mapping[str, Any] = field(default_factory=dict)

    def cases(self) -> SearchStrategy[Case]:
        """Cases to find a wrong version of the rule: firing ones, and twice as many near misses, because a version that
        fires where it must not shows only on these. None shows a known bug.
        """
        misses = [miss for miss in self.near_misses if miss.known_bug is None]
        near = [own for miss in misses for own in [miss.cases()] * miss.weight]
        # Draw by number, because one_of drops repeated strategies.
        options = [*[self.fires()] * max(1, len(near) // 2), *near]
        return st.integers(0, len(options) - 1).flatmap(lambda number: options[number])


def load_shapes() -> dict[str, Shape]:
    """The shapes by rule name, of all modules of this package that name a rule."""
    modules = (import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    shapes = (
        Shape(
            module.RULE,
            module.fires,
            module.NEAR_MISSES,
            own=getattr(module, "OWN", False),
            needs=getattr(module, "NEEDS", {}),
        )
        for module in modules
        if getattr(module, "RULE", None)
    )
    return {shape.rule: shape for shape in sorted(shapes, key=lambda shape: shape.rule)}
