"""LATERAL joins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from strategies.ir.correlation import correlated
from strategies.ir.references import subqueries_of
from strategies.ir.relations import Alias, Join, JoinKind, from_fields, resolve

LATERAL_KINDS: tuple[JoinKind, ...] = ("inner", "left", "cross")


@dataclass(frozen=True, slots=True)
class Lateral(Join):
    """``left kind JOIN LATERAL right ON on``: the right side, an alias, may refer to the left one's columns."""

    closed: ClassVar[frozenset[str]] = frozenset({"right"})

    def __post_init__(self) -> None:
        if self.kind not in LATERAL_KINDS:
            raise self._refuse(f"no kind {self.kind!r}")
        if self.hint is not None:
            raise self._refuse("its right side takes no hint")
        if not isinstance(self.right, Alias):
            raise self._refuse("the right side needs a name")
        scope = from_fields(self.left)
        for column in correlated(self.right):
            matches = resolve(column, scope)
            if column.qualifier is None or len(matches) != 1 or matches[0].type != column.type:
                raise self._refuse(f"{column!r} is no qualified column of the left side")
        if self.on is not None and any(True for _ in subqueries_of(self.on)):
            raise self._refuse("ON takes no subquery")
        Join.__post_init__(self)
